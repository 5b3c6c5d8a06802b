"""Corrections: any value in two taps. Each is a move like any other, so it can be taken back."""

from __future__ import annotations

from typing import Any

from companion.shown.skytopia import City, SkytopiaView, Slot
from display.page import Page
from display.paint.chronometer import put_chronometer
from display.paint.crests import crest
from display.paint.die import die
from display.paint.shapes import mark
from display.paint.tokens import coin, star
from display.scenes.box import values
from display.tables.skytopia.parts import put_effect
from display.theme import TOWERS, Player
from display.touch import Act, Both, Order, Play, Put, Tell
from display.view import View
from display.widgets import Rect, button, say_key, slab, split

LARGEST_COUNT = 999
IVORY = Player((248, 239, 224), "circle", (179, 171, 156), (110, 103, 91))
"""A die that is nobody's: a face of the chronometer."""


def correction(what: str, seat: int | None, **values: Any) -> Play:
    """Set one value as the table really is."""
    return Play({"kind": "correct", "what": what, "seat": seat, **values})


def draw_means(page: Page, player: City, box: Rect) -> None:
    """Points and coins of a player with their keys."""
    points, coins = split(box, 2, page.theme.gap, down=True)
    _counter(page, "points", player.seat, player.points, points)
    _counter(page, "coins", player.seat, player.coins, coins)


def _counter(page: Page, what: str, seat: int, now: int, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    key = max(t.touch, min(h * 1.1, w * 0.28))
    less = correction(what, seat, value=max(0, now - 1))
    more = correction(what, seat, value=min(LARGEST_COUNT, now + 1))
    button(page, f"{what}-", (x, y, key, h), None, less, sign="minus", repeats=True)
    button(page, f"{what}+", (x + w - key, y, key, h), None, more, sign="plus", repeats=True)
    middle = x + w / 2
    r = min(t.u(15, 11), h * 0.22)
    page.blit(star(r, page.c.brass_hi) if what == "points" else coin(r), middle - t.u(34, 24), y + h / 2)
    room = (middle - t.u(12, 8), y, w / 2 - key - t.u(4, 2), h)
    page.text(str(now), room, "figure", floor=0.5)


# -- golems on a card ------------------------------------------------------------------------------------------------


def draw_dice(page: Page, view: View, place: Slot, box: Rect) -> None:
    """The golems on a card: turn one to its real face, take it off, or put one there."""
    t = page.theme
    table, slot, dice = view.shown(SkytopiaView), place.slot, place.dice[:4]
    players = [p for p in table.players if p.home > 0]
    x, y, w, h = box
    least = len(players) * (t.touch + t.gap)
    put_w = min(w * 0.62, max(w / (len(dice) + 1), least)) if players else 0.0
    room = (x, y, w - put_w - (t.u(20, 12) if players else 0), h)
    for found, cell in zip(dice, split(room, len(dice), t.u(20, 12)), strict=True):
        _die(page, view, slot, found.owner, found.face, cell)
    if not players:
        return
    taken = {d.face for d in place.dice}
    free = next((face for face in range(1, 7) if face not in taken and face != table.build), 1)
    left = x + w - put_w
    label = t.size("label") * 1.5
    key_h = min(h - label, max(t.touch, t.u(84, 64)))
    top = y + h - key_h
    page.text(say_key("skytopia/put-golem"), (left, top - label, put_w, label), "label", page.c.dim, floor=0.5)
    for player, spot in zip(players, split((left, top, put_w, key_h), len(players), t.gap), strict=True):
        seat = player.seat
        act = correction("die", seat, slot=slot, was=None, face=free)
        button(page, f"put {seat}", spot, None, act)
        page.blit(mark(t.player(view.colour(seat)), min(spot[2], spot[3]) * 0.26, t), *_middle(spot))


def _middle(box: Rect) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _die(page: Page, view: View, slot: str, owner: int, face: int, box: Rect) -> None:
    """One golem: its face now, turn it on, take it off."""
    t = page.theme
    x, y, w, h = box
    key_h = max(t.touch, min(t.u(84, 64), h * 0.5))
    side = min(w * 0.5, h - key_h - t.gap, t.u(96, 64))
    page.blit(die(t.player(view.colour(owner)), face, side, t), x + w / 2, y + (h - key_h) / 2 - t.gap / 2)
    keys = split((x, y + h - key_h, w, key_h), 2, t.gap / 2)
    turned = correction("die", owner, slot=slot, was=face, face=face % 6 + 1)
    off = correction("die", owner, slot=slot, was=face, face=None)
    button(page, f"die {owner} {face} turn", keys[0], say_key("skytopia/turn-face"), turned, role="label")
    button(page, f"die {owner} {face} off", keys[1], say_key("skytopia/take-off"), off, look="ghost", role="label")


# -- which card ------------------------------------------------------------------------------------------------------


def swap_key(view: View, slot: str) -> Act:
    """Another card lies here: look the cards of this colour up and show them."""
    return Both((Tell("box list", {"game": view.game}), Put({"sheet": f"swap {slot}"})))


def cards_of(view: View, colour: str) -> list[tuple[str, str, str]]:
    """The cards of a colour that lie nowhere else: name, effect, crest."""
    table = view.shown(SkytopiaView)
    towers = [one for p in table.players for one in p.towers.get(colour, ())]
    seen = {one.card for one in (*table.market.slots, *towers)}
    found = []
    for value in values(view, view.game) or []:
        kind, _, rest = value.key.partition(".")
        name, _, what = rest.partition(".")
        if kind == "cards" and what == "crest" and name[:1] == colour[:1].upper() and name not in seen:
            found.append((name, name[:2], str(value.value)))
    return found


def draw_swap(page: Page, view: View, slot: str, box: Rect) -> None:
    """The cards it may really be, as they look on the table."""
    t, c = page.theme, page.c
    colour = slot.split("-", maxsplit=1)[0]
    enamel = TOWERS.get(colour, TOWERS["blue"])
    found = cards_of(view, colour)
    x, y, w, h = box
    head = t.size("title") * 1.1
    page.text(say_key("skytopia/which-card"), (x, y, w, head), "title", floor=0.4)
    if not found:
        page.text(say_key("box/asking"), (x, y + head, w, h - head), "body", c.dim, align="center")
        return
    columns = 4 if t.kind != "tall" else 3
    rows = split((x, y + head + t.gap, w, h - head - t.gap), -(-len(found) // columns), t.gap, down=True)
    cells = [cell for row in rows for cell in split(row, columns, t.gap)]
    effects = view.shown(SkytopiaView).effects
    for (name, effect, sign), cell in zip(found, cells, strict=False):
        act = Both((correction("card", None, slot=slot, value=name), Put({"sheet": None})))
        pressed = page.touch(f"card {name}", cell, act)
        spot = (cell[0], cell[1] + (2 if pressed else 0), cell[2], cell[3])
        slab(page, spot, enamel.fill, t.u(12, 9))
        r = min(cell[3] * 0.3, t.u(24, 16))
        page.blit(crest(sign, r, enamel.mark, enamel.fill), spot[0] + r * 1.8, spot[1] + spot[3] / 2)
        high = min(spot[3], t.u(44, 32))
        put_effect(
            page,
            effects.get(effect),
            enamel.mark,
            (spot[0] + spot[2] * 0.4, spot[1] + (spot[3] - high) / 2, spot[2] * 0.54, high),
        )


# -- the dial --------------------------------------------------------------------------------------------------------


def draw_dial(page: Page, view: View, box: Rect) -> None:
    """After power-on the dial is compared with the screen and confirmed; else a face sets the build value."""
    seen = view.dial
    if seen is not None and seen.state in ("unconfirmed", "starting"):
        _confirm_dial(page, view, box)
        return
    t, c = page.theme, page.c
    x, y, w, h = box
    page.text(say_key("dial/which"), (x, y, w, h * 0.26), "title", lines=2, floor=0.4)
    page.text(say_key("dial/which-do"), (x, y + h * 0.27, w, h * 0.17), "body", c.dim, lines=2, floor=0.5)
    now = view.shown(SkytopiaView).build
    for face, cell in enumerate(split((x, y + h * 0.5, w, h * 0.48), 6, t.gap), 1):
        act: Act = Both((correction("dial", None, value=face), Put({"sheet": None})))
        look = "chosen" if face == now else "raised"
        button(page, f"build {face}", cell, None, Put({"sheet": None}) if face == now else act, look=look)
        side = min(cell[2], cell[3]) * 0.56
        page.blit(die(IVORY, face, side, t), cell[0] + cell[2] / 2, cell[1] + cell[3] / 2)


def _confirm_dial(page: Page, view: View, box: Rect) -> None:
    t = page.theme
    dial = view.shown(SkytopiaView).dial
    x, y, w, h = box
    r = min(h / 2.2, w * 0.22)
    put_chronometer(page.surface, x + r * 1.05, y + h / 2, r, t, dial.faces, dial.prices)
    left = x + 2.3 * r
    room = x + w - left
    page.text(say_key("dial/title"), (left, y, room, h * 0.34), "prompt", lines=2, floor=0.4)
    page.text(say_key("dial/do"), (left, y + h * 0.36, room, h * 0.26), "body", page.c.dim, lines=3, floor=0.5)
    place = {"position": dial.position}
    act = Both((Order("firmware_bridge", "confirm", place), Put({"sheet": None})))
    button(page, "dial-yes", (left, y + h * 0.66, room, h * 0.32), say_key("dial/yes"), act, look="brass")
