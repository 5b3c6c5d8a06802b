"""A sheet over the table: what was touched, in words. Any touch closes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pygame

from companion.game import Choice, Text
from companion.wire.rules import Card
from display.page import Page
from display.scenes.box import EDIT, draw_one
from display.scenes.learn.rules import rule_of
from display.touch import Put
from display.view import View
from display.widgets import Rect, button, inset, say_key, slab

CLOSE = Put({"sheet": None, "why": None})

Sheet = tuple[Any, tuple[float, float], Callable[[Rect], None]]
"""What it shows (drawn anew when that changes), its share of the screen, and what paints it."""
Opener = Callable[[Page, View, str], Sheet | None]
"""From what was touched to its sheet; `None` when there is nothing of that name any more."""


def draw_sheet(page: Page, view: View, own: Mapping[str, Opener] | None = None) -> None:
    """The open sheet, if one is: why a choice is off, a printed value, or one of the game's own kinds."""
    if view.pick("why"):
        sheet = _why_off(page, view, str(view.pick("why")))
    else:
        kind, _, rest = str(view.pick("sheet") or "").partition(" ")
        openers: dict[str, Opener] = {"box": _box, **(own or {})}
        sheet = openers[kind](page, view, rest) if kind in openers else None
    if sheet is not None:
        _lay(page, *sheet)


def _lay(page: Page, content: Any, share: tuple[float, float], paint: Callable[[Rect], None]) -> None:
    t, c = page.theme, page.c
    w, h = (
        t.width * min(0.94, share[0] * (1.5 if t.kind == "tall" else 1.2 if t.kind == "small" else 1.0)),
        t.height * share[1] * (0.7 if t.kind == "tall" else 1.15 if t.kind == "small" else 1.0),
    )
    risen = page.motion.fresh("sheet", content, 0 if t.reduced_motion else 180, first=True)
    box = ((t.width - w) / 2, (t.height - h) / 2 + t.u(24) * (1 - risen) ** 2, w, h)

    def whole() -> None:
        veil = pygame.Surface((t.width, t.height), pygame.SRCALPHA)
        veil.fill((*c.shadow, round(190 * risen)))
        page.surface.blit(veil, (0, 0))
        page.touch("sheet-close", (0, 0, t.width, t.height), CLOSE, grow=0, key="escape")
        slab(page, box, c.surface, t.u(20, 14), outline=c.line, width=1.5)
        paint(box)

    page.piece("sheet", (0, 0, t.width, t.height), (content, round(risen, 2)), whole, modal=True)


def closing(page: Page, box: Rect) -> Rect:
    """The closing button at the foot; returns what is left above it."""
    t = page.theme
    h = max(t.touch, t.u(78, 64))
    x, y, w, room = inset(box, t.u(24, 14))
    button(page, "close", (x + w * 0.3, y + room - h, w * 0.4, h), say_key("close"), CLOSE)
    return x, y, w, room - h - t.u(14, 8)


def _box(page: Page, view: View, key: str) -> Sheet | None:
    content = ("box", key, repr(view.pick(EDIT)), repr(view.told.get("box")))
    return content, (0.7, 0.7), lambda box: draw_one(page, view, key, closing(page, box))


def _why_off(page: Page, view: View, choice_id: str) -> Sheet | None:
    ask = view.prompt.ask if view.prompt else None
    choice = next((c for c in (ask.choices if ask else ()) if c.id == choice_id), None)
    if choice is None or choice.off is None:
        return None
    rule = rule_of(view, choice.off)
    return ("why", choice, rule and rule.id), (0.7, 0.66), lambda box: _why(page, choice, rule, box)


def _why(page: Page, choice: Choice, rule: Card | None, box: Rect) -> None:
    """What is off, why, and the rule that says so."""
    x, y, w, h = closing(page, box)
    page.text(choice.text, (x, y, w, h * 0.22), "title", lines=2, floor=0.4)
    page.text(choice.off or Text("?"), (x, y + h * 0.24, w, h * 0.2), "prompt", page.c.warn, lines=2, floor=0.4)
    if rule is not None:
        page.text(rule.said(page.words.language)[1], (x, y + h * 0.48, w, h * 0.52), "body", lines=6, floor=0.6)
    elif choice.note is not None:
        page.text(choice.note, (x, y + h * 0.48, w, h * 0.52), "body", page.c.dim, lines=3, floor=0.6)
