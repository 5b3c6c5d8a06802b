"""A form in which everybody has fields of their own: a tab for each player, and only that player's fields below it."""

from __future__ import annotations

from companion.game import Field, Form
from display.keys import put_key
from display.leaves import leaf_of
from display.page import Page
from display.paint.shapes import mark
from display.scenes.forms import draw_fields, draw_number, row_height, to_mend, unsaid, value_of, wrong
from display.scenes.keyboard import draw_keyboard
from display.touch import Put
from display.view import View
from display.widgets import Rect, check_disc, slab, split

TAB = "form-of"
"""Whose fields are open."""


def players_of(form: Form) -> list[int]:
    """Who has fields in it, when everybody has their own."""
    seats = dict.fromkeys(field.seat for field in form.fields if field.seat is not None)
    return list(seats) if form.apart and all(field.seat is not None for field in form.fields) else []


def draw_by_player(page: Page, view: View, form: Form, box: Rect) -> None:
    """Tabs above, numbers in two columns below; what does not fit is on the next leaf."""
    t = page.theme
    seats = players_of(form)
    mend = next((field.seat for field in form.fields if field.id == (view.pick("wrong") or {}).get("id")), seats[0])
    open_seat = view.pick(TAB) if view.pick(TAB) in seats else mend
    x, y, w, h = box
    high = float(max(t.touch, t.u(66, 52)))
    for seat, cell in zip(seats, split((x, y, w, high), len(seats), t.gap), strict=True):
        done = not any(unsaid(view, field) for field in form.fields if field.seat == seat)
        content = (seat == open_seat, done, view.name(seat), view.colour(seat))
        page.part(f"tab {seat}", cell, content, _tab, view, seat, cell, seat == open_seat, done)
    mine = tuple(field for field in form.fields if field.seat == open_seat)
    _numbers(page, view, mine, (x, y + high + t.gap, w, h - high - t.gap))


def _tab(page: Page, view: View, seat: int, box: Rect, open_now: bool, done: bool) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(f"tab {seat}", box, Put({TAB: seat, "form-leaf": 0}))
    paint = t.player(view.colour(seat))
    slab(page, box, c.raised if open_now or pressed else c.surface, t.u(14, 10), outline=c.brass if open_now else None)
    r = min(t.u(14, 10), box[3] * 0.22)
    page.blit(mark(paint, r, t), box[0] + t.u(14, 9) + r, box[1] + box[3] / 2)
    left = box[0] + 2 * r + t.u(26, 17)
    end = box[0] + box[2] - (t.u(40, 28) if done else t.u(8, 6))
    page.text(view.name(seat), (left, box[1], end - left, box[3]), "body", floor=0.5, lines=2, typed=True)
    if done:
        check_disc(page, box[0] + box[2] - t.u(22, 15), box[1] + box[3] / 2, t.u(13, 9), c.ok)


def _numbers(page: Page, view: View, fields: tuple[Field, ...], box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    across = 2 if t.kind != "tall" and t.zoom < 1.3 else 1
    if across == 1 or any(field.kind != "number" for field in fields):
        draw_fields(page, view, fields, box)
        return
    each = row_height(page)
    fit = max(1, int((h + t.gap) / (each + t.gap))) * across
    leaf = leaf_of(view, "form-leaf", len(fields), fit, beside=True, at=to_mend(view, fields))
    shown = leaf.of(fields)
    half = (w - t.gap) / across
    cells = [
        (x + (i % across) * (half + t.gap), y + (i // across) * (each + t.gap), half, each)
        for i in range(len(shown) + 1)
    ]
    for i, (field, cell) in enumerate(zip(shown, cells, strict=False)):
        content = (field, value_of(view, field), repr(view.pick("form")), wrong(view, field))
        page.part(f"number {i}", cell, content, draw_number, view, field, cell)
    draw_keyboard(page, view)
    for key in leaf.keys("form-leaf"):
        put_key(page, view, cells[-1], key)
