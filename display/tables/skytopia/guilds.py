"""The guild masters: what each counts, in a picture, and what it is worth."""

from __future__ import annotations

from functools import partial

from companion.shown.skytopia import Guild, SkytopiaView
from display.page import Page
from display.paint.crests import crest
from display.paint.icons import icon
from display.paint.sprite import lay
from display.paint.towers import tower
from display.theme import rgb
from display.touch import Put
from display.view import View
from display.widgets import Rect, slab

_GUILDS: dict[str, tuple[str, ...]] = {
    "builders": ("tall",),
    "architects": ("tower blue 3", "tower red 3"),
    "mechanics": ("tower blue 4", "tower gold 3"),
    "engineers": ("tower red 3", "tower violet 4"),
    "aeronauts": ("tower blue 3", "crest C2"),
    "merchants": ("tower gold 3", "crest C4"),
    "scientists": ("tower red 3", "crest C3"),
    "chroniclers": ("tower violet 3", "crest C1"),
    "priests": ("crest C1",),
    "craftsmen": ("crest C2",),
    "artists": ("crest C3",),
    "alchemists": ("crest C4",),
}


def guild_row(page: Page, view: View, box: Rect) -> None:
    """The guild masters in play and what they are worth to the player in turn."""
    t = page.theme
    table = view.shown(SkytopiaView)
    guilds = table.guilds
    values = next((p.guilds for p in table.players if p.seat == table.turn), ())
    n = len(guilds)
    gap = t.u(11, 8)
    each = (box[2] - gap * (n - 1)) / max(1, n)
    for i, guild in enumerate(guilds):
        value = values[i] if i < len(values) else None
        cell = (box[0] + i * (each + gap), box[1], each, box[3])
        narrow = (cell[0] - 1, cell[1] - 1, cell[2] + 2, cell[3] + 5)
        page.piece(f"guild {i}", narrow, (guild, value), partial(_guild, page, view, guild, value, cell, i))


def guild_pictures(page: Page, guild: str, cx: float, cy: float, h: float) -> None:
    """What the guild counts."""
    brass = page.c.brass_hi
    found = _GUILDS.get(guild, ("crest C1",))
    for i, what in enumerate(found):
        x = cx + (i - (len(found) - 1) / 2) * h * 0.72
        kind, _, rest = what.partition(" ")
        if kind == "crest":
            page.blit(crest(rest, h * (0.42 if len(found) == 1 else 0.28), brass, page.c.surface), x, cy)
        elif kind == "tower":
            colour, size = rest.split()
            picture = tower(colour, int(size), h * 0.5, h, h * 0.19)
            lay(page.surface, picture, (round(x - picture.get_width() / 2), round(cy + h / 2 - picture.get_height())))
        else:
            page.blit(icon("towers", h * 0.42, brass), x, cy)


def _guild(page: Page, view: View, guild: Guild, value: int | None, box: Rect, index: int) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(f"guild {index}", box, Put({"sheet": f"guild {index}"}))
    slab(
        page,
        box,
        c.press if pressed else c.surface,
        t.u(10, 8),
        outline=rgb("6B522C") if not t.light else c.line,
        width=1.5,
    )
    x, y, w, h = box
    named = t.kind != "small" and t.zoom <= 1.15
    art = h * (0.46 if named else 0.56)
    cy = y + h * (0.34 if named else 0.5)
    guild_pictures(page, guild.id, x + w * 0.34, cy, art)
    if value is not None:
        page.text(
            str(value),
            (x + w * 0.6, cy - h * 0.3, w * 0.33, h * 0.6),
            "figure",
            c.text,
            align="right",
            floor=0.6,
            size=t.size("figure") * (0.86 if t.kind != "small" else 0.95),
        )
    if named:
        page.text(
            guild_name(page, guild),
            (x + t.u(6), y + h * 0.66, w - t.u(12), h * 0.28),
            "small",
            c.dim,
            align="center",
            floor=0.6,
        )


def guild_name(page: Page, guild: Guild) -> str:
    """The guild as the pack names it."""
    key = f"skytopia/guild/{guild.id}"
    said = page.say(key)
    return guild.id.capitalize() if said == key else said
