"""What a touched card, guild, player or the dial is, in words, and how it is put right."""

from __future__ import annotations

from companion.shown.skytopia import City, Guild, SkytopiaView, Slot
from display.page import Page
from display.paint.crests import crest
from display.paint.shapes import mark
from display.scenes.sheet import Opener, Sheet, closing
from display.tables.skytopia import parts
from display.tables.skytopia.correct import draw_dial, draw_dice, draw_means, draw_swap, swap_key
from display.tables.skytopia.guilds import guild_name, guild_pictures
from display.theme import TOWERS
from display.view import View
from display.widgets import Rect, button, say_key, slab


def _card_sheet(page: Page, view: View, slot: str) -> Sheet | None:
    place = next((s for s in view.shown(SkytopiaView).market.slots if s.slot == slot), None)
    if place is None or place.card == "":
        return None
    return ("card", place), (0.66, 0.74), lambda box: _card(page, view, place, box)


def _swap_sheet(page: Page, view: View, slot: str) -> Sheet | None:
    content = ("swap", slot, view.told.box)
    return content, (0.7, 0.8), lambda box: draw_swap(page, view, slot, closing(page, box))


def _dial_sheet(page: Page, view: View, _: str) -> Sheet | None:
    table = view.shown(SkytopiaView)
    content = ("dial", table.dial, table.build, view.dial.state if view.dial else "")
    return content, (0.74, 0.66), lambda box: draw_dial(page, view, closing(page, box))


def _guild_sheet(page: Page, view: View, index: str) -> Sheet | None:
    table = view.shown(SkytopiaView)
    found = table.guilds
    if not index.isdecimal() or int(index) >= len(found):
        return None
    guild = found[int(index)]
    content = ("guild", guild, table.players)
    return content, (0.66, 0.62), lambda box: _guild(page, view, guild, int(index), box)


def _player_sheet(page: Page, view: View, seat: str) -> Sheet | None:
    player = next((p for p in view.shown(SkytopiaView).players if str(p.seat) == seat), None)
    if player is None:
        return None
    return ("player", player), (0.78, 0.78), lambda box: _player(page, view, player, box)


def said(page: Page, *keys: str) -> str:
    """The first of these keys somebody has words for."""
    for key in keys:
        words = page.say(key)
        if words != key:
            return words
    return ""


def _card(page: Page, view: View, place: Slot, box: Rect) -> None:
    t, c = page.theme, page.c
    colour, _, row = place.slot.rpartition("-")
    enamel = TOWERS.get(colour, TOWERS["blue"])
    x, y, w, h = closing(page, box)
    side = min(h * 0.42, t.u(120, 84))
    slab(page, (x, y, side, side), enamel.fill, t.u(12, 9), shadow=False)
    if place.crest:
        page.blit(crest(place.crest, side * 0.3, enamel.mark, enamel.fill), x + side / 2, y + side / 2)
    left = x + side + t.u(20, 12)
    effect = place.effect
    swap_w = max(float(t.touch), t.u(190, 124))
    button(
        page, "swap", (x + w - swap_w, y, swap_w, side), say_key("skytopia/other-card"), swap_key(view, place.slot),
        look="ghost", role="label",
    )  # fmt: skip
    w -= swap_w + t.gap
    name = said(page, f"skytopia/colour/{colour}", f"skytopia/tower/{colour}") or colour.capitalize()
    title = page.say("display/skytopia/card-title", colour=name, row=row)
    title = title[:1].upper() + title[1:]
    page.text(title, (left, y, x + w - left, side * 0.5), "title", lines=1, floor=0.4)
    if place.card is None:
        page.text(
            say_key("skytopia/card-unknown"),
            (left, y + side * 0.5, x + w - left, side * 0.5),
            "body",
            c.warn,
            lines=2,
            floor=0.6,
        )
        return
    told = view.shown(SkytopiaView).effects.get(effect)
    words = page.say(told.text) if told else said(page, f"skytopia/effect/{effect}", f"skytopia/card/{effect}")
    page.text(words or effect, (left, y + side * 0.5, x + w - left, side * 0.5), "body", c.text, lines=3, floor=0.5)
    low = y + side + t.u(18, 10)
    draw_dice(page, view, place, (x, low, w + swap_w + t.gap, y + h - low))


def _guild(page: Page, view: View, guild: Guild, index: int, box: Rect) -> None:
    t, c = page.theme, page.c
    x, y, w, h = closing(page, box)
    art = h * 0.24
    guild_pictures(page, guild.id, x + art * 0.8, y + art * 0.55, art)
    page.text(guild_name(page, guild), (x + art * 2, y, w - art * 2, art), "title", floor=0.4)
    page.text(guild.does, (x, y + art * 1.1, w, h * 0.26), "body", c.dim, lines=2, floor=0.6)
    players = view.shown(SkytopiaView).players
    each = w / max(1, len(players))
    low = y + h * 0.58
    for i, player in enumerate(players):
        values = player.guilds
        cx = x + each * i
        slab(page, (cx + t.u(6, 4), low, each - t.u(12, 8), h * 0.42), c.raised, t.u(12, 9), shadow=False)
        page.blit(mark(t.player(view.colour(player.seat)), h * 0.05, t), cx + each / 2, low + h * 0.08)
        page.text(
            player.name,
            (cx + t.u(12, 8), low + h * 0.13, each - t.u(24, 16), h * 0.1),
            "label",
            c.dim,
            align="center",
            typed=True,
        )
        page.text(
            str(values[index] if index < len(values) else "–"),
            (cx, low + h * 0.22, each, h * 0.2),
            "figure",
            align="center",
            floor=0.5,
        )


def _player(page: Page, view: View, player: City, box: Rect) -> None:
    t, c = page.theme, page.c
    x, y, w, h = closing(page, box)
    r = t.u(20, 14)
    page.blit(mark(t.player(view.colour(player.seat)), r, t), x + r, y + h * 0.08)
    page.text(player.name, (x + 2 * r + t.u(16, 10), y, w * 0.5, h * 0.16), "title", floor=0.4, typed=True)
    line = page.say("display/skytopia/home", n=player.home)
    page.text(line, (x + w * 0.56, y, w * 0.44, h * 0.16), "body", c.dim, align="right", lines=2, floor=0.5)
    parts.draw_city(page, player, (x + w * 0.02, y + h * 0.2, w * 0.5, h * 0.78))
    right = (x + w * 0.56, y + h * 0.2, w * 0.44, h * 0.44)
    draw_means(page, player, right)
    ability = player.ability
    words = said(page, f"skytopia/ability-does/{ability}", f"skytopia/ability/{ability}") if ability else ""
    if words:
        low = y + h * 0.68
        page.text(say_key("skytopia/ability"), (right[0], low, right[2], h * 0.1), "label", c.dim)
        page.text(words, (right[0], low + h * 0.1, right[2], h * 0.22), "body", lines=4, floor=0.45, valign="top")


SHEETS: dict[str, Opener] = {
    "card": _card_sheet,
    "swap": _swap_sheet,
    "dial": _dial_sheet,
    "guild": _guild_sheet,
    "player": _player_sheet,
}
"""What can be touched on this table, and the sheet it opens."""
