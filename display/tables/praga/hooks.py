"""The six tiles of the crane to choose from: a touch on one of a tile's two actions takes the tile for it."""

from __future__ import annotations

import pygame

from companion.game import Choice, Text
from display.page import Page
from display.paint.tokens import coin, star
from display.scenes.choices import act_for
from display.tables.praga.crane import ZONES
from display.tables.praga.signs import action
from display.theme import mix, rgb
from display.view import View
from display.widgets import Rect, dashed, dots, inset, slab, split

IVORY = rgb("FFF8EA")


def draw_tile(page: Page, view: View, tile: Choice, halves: tuple[Choice, ...], box: Rect, number: int) -> None:
    """A tile: its two actions above, what its station asks or gives below. Where both are known each has its half."""
    t, c = page.theme, page.c
    ask = view.prompt.ask if view.prompt else None
    x, y, w, h = box
    parts = halves if halves and w / len(halves) >= t.touch else (tile,)
    each = w / len(parts)
    pressed = [
        page.touch(
            one.id,
            (x + i * each, y, each, h),
            act_for(one, ask),
            grow=0,
            key=str(number) if i == 0 else "",
        )
        for i, one in enumerate(parts)
    ]
    off, strip = tile.off is not None, h * 0.42
    _ground(page, tile, box, strip, any(pressed))
    if view.pending in {one.id for one in parts}:
        dots(page, box, c.text)
        return
    if len(parts) == 1:
        _tile_top(page, tile, (x, y, w, h - strip), 0.4 if off else 1.0)
    else:
        r = min(t.u(19, 13), (h - strip) * 0.36)
        for i, one in enumerate(parts):
            fade = 0.4 if one.off is not None else 1.0
            middle = x + (i + 0.5) * each, y + (h - strip) / 2
            page.blit(action(str(one.picture["action"]), r, IVORY if not t.light else c.text), *middle, fade)
        page.surface.fill(c.line, (round(x + each) - 1, round(y + (h - strip) * 0.2), 2, round((h - strip) * 0.6)))
    _tile_price(page, tile, (x, y + h - strip, w, strip), off)


def _ground(page: Page, tile: Choice, box: Rect, strip: float, pressed: bool) -> None:
    t, c = page.theme, page.c
    x, y, w, h = box
    radius, zone = t.u(14, 10), ZONES[str(tile.picture["zone"])]
    if tile.off is not None:
        dashed(page, box, c.dim if pressed else c.line, radius)
        return
    face = c.press if pressed else c.raised
    slab(page, box, zone, radius)
    slab(page, (x, y, w, h - strip), face, radius, shadow=False)
    page.surface.fill(zone, (round(x), round(y + h - strip), round(w), round(strip - radius)))
    page.surface.fill(face, (round(x), round(y + h - strip - radius), round(w), round(radius)))


def _tile_top(page: Page, choice: Choice, box: Rect, fade: float) -> None:
    t, c = page.theme, page.c
    x, y, w, h = box
    names = [str(name) for name in choice.picture.get("actions", ())]
    if not names:
        for half in split(box, 2, 0):  # nobody has said what is on it
            page.text("?", half, "strong", c.dim if fade == 1 else c.faint, align="center", floor=0.5)
        return
    r = min(t.u(18, 12), h * 0.34)
    gap = w / (len(names) + 1.4)
    for i, name in enumerate(names):
        cx = x + w / 2 + (i - (len(names) - 1) / 2) * gap
        page.blit(action(name, r, IVORY if not t.light else c.text), cx, y + h / 2, fade)


def _tile_price(page: Page, choice: Choice, box: Rect, off: bool) -> None:
    t, c = page.theme, page.c
    x, y, w, h = box
    cost, worth = int(choice.picture["cost"]), int(choice.picture["worth"])
    ink = c.warn if off else IVORY
    shown: list[tuple[str, pygame.Surface]] = []
    r = min(t.u(12, 8), h * 0.32)
    if cost:
        shown.append((f"−{cost}", coin(r, fade=0.5 if off else 1.0)))
    if worth:
        shown.append((f"+{worth}", star(r * 0.95, mix(IVORY, c.surface, 0.0 if not off else 0.5))))
    if not shown:
        page.text(Text("praga/note/free"), inset(box, t.u(6, 4), 0), "strong", ink, align="center", floor=0.5)
        return
    each = w / len(shown)
    for i, (number, picture) in enumerate(shown):
        middle = x + each * (i + 0.5)
        page.text(number, (middle - each * 0.5, y, each * 0.5 - r * 0.2, h), "strong", ink, align="right", floor=0.5)
        page.blit(picture, middle + r * 1.1, y + h / 2)
