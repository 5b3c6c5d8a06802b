"""A sheet over the table: what was touched, in words. Any touch closes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pygame

from companion.game import Choice, Text
from companion.wire.rules import Card, rules
from display.page import Page
from display.scenes.box import EDIT, draw_one
from display.scenes.choices import alone, draw_picture
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
        openers: dict[str, Opener] = {"box": _box, "refused": _refused, **(own or {})}
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
    content = ("box", key, repr(view.pick(EDIT)), view.told.box)
    return content, (0.7, 0.7), lambda box: draw_one(page, view, key, closing(page, box))


def _why_off(page: Page, view: View, choice_id: str) -> Sheet | None:
    ask = view.prompt.ask if view.prompt else None
    choice = next((c for c in (ask.choices if ask else ()) if c.id == choice_id), None)
    if choice is None or choice.off is None:
        return None
    rule = rule_of(view, choice.off)
    lines = (choice.text, choice.off, _instead(page, choice.off))
    content = ("why", choice, rule and rule.id)
    return content, (0.78, 0.74), lambda box: _why(page, view, lines, rule or choice.note, choice, box)


def _refused(page: Page, view: View, code: str) -> Sheet | None:
    """A move that was refused, explained like a choice that is off; beside it the pieces it was about."""
    refusal = view.refusal
    if refusal is None or refusal.code != code:
        return None
    rule = rules(view.game).refused(code)
    choices = view.prompt.ask.choices if view.prompt else ()
    short = code.rpartition("/")[2]
    about = [one for one in choices if one.off is not None and one.off.key.rpartition("/")[2] == short]
    shown = next((one for one in (*about, *choices) if one.picture), None)
    lines = (say_key("refused"), refusal.say, refusal.do)
    content = ("refused", refusal, shown)
    return content, (0.78, 0.74), lambda box: _why(page, view, lines, rule, shown, box)


def _instead(page: Page, off: Text) -> Text | None:
    """What to do instead: the sentence that belongs to the refusal's own."""
    key = off.key.replace("/refuse/", "/do/")
    return Text(key, off.params) if key != off.key and page.words.knows(key) else None


def _why(
    page: Page,
    view: View,
    lines: tuple[Text, Text, Text | None],
    rule: Card | Text | None,
    shown: Choice | None,
    box: Rect,
) -> None:
    """What it is about with its picture, what is wrong, what to do, and the rule that says so with its page."""
    t, c = page.theme, page.c
    x, y, w, h = closing(page, box)
    left, (title, wrong, instead) = x, lines
    if shown is not None and shown.picture:
        whole = msgspec.structs.replace(shown, off=None)  # in full colour: it is to be recognised
        left = x + draw_picture(page, view, whole, (x - t.u(17, 8), y, w * 0.4, h * 0.26)) - t.u(10, 4)
    page.text(alone(page, title), (left, y, x + w - left, h * 0.2), "title", lines=2, floor=0.4)
    page.text(alone(page, wrong), (x, y + h * 0.26, w, h * 0.16), "prompt", c.warn, lines=2, floor=0.4)
    if instead is not None:
        page.text(instead, (x, y + h * 0.43, w, h * 0.13), "body", lines=2, floor=0.6)
    if isinstance(rule, Text):
        page.text(rule, (x, y + h * 0.6, w, h * 0.4), "body", c.dim, lines=3, floor=0.6)
    elif rule is not None:
        says = rule.said(page.words.language)[1]
        page.text(says, (x, y + h * 0.6, w, h * (0.31 if rule.page else 0.4)), "body", c.dim, lines=6, floor=0.55)
        if rule.page:
            said = say_key("rules/page", page=rule.page)
            page.text(said, (x, y + h * 0.92, w, h * 0.08), "label", c.faint, floor=0.6)
