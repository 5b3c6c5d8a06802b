"""Phones sit down: the code, the address, who is here."""

from __future__ import annotations

from display.keys import Key, put_key
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.scenes.qr import put_qr
from display.theme import COLOUR_ORDER
from display.touch import Go, Tell
from display.view import View
from display.widgets import Rect, check_disc, dashed, say_key, slab


def draw(page: Page, view: View) -> None:
    """The code at the left, address and seats at the right."""
    t = page.theme
    join = view.join
    m = t.u(48, 14)
    if t.kind == "tall":
        side = min(t.width - 2 * m, t.height * 0.44)
        code: Rect = ((t.width - side) / 2, m, side, side)
        right: Rect = (m, m + side + t.u(30), t.width - 2 * m, t.height - side - 2 * m - t.u(30))
    else:
        side = min(t.u(608, 400), t.height - 2 * m, t.width * 0.5)
        code = (m, (t.height - side) / 2, side, side)
        left = m + side + t.u(48, 18)
        right = (left, t.u(50, 14), t.width - left - m, t.height - t.u(50, 14) - t.u(16, 8))
    page.part("code", code, join, put_code, view, code)
    head = right[3] * (0.36 if t.kind != "small" else 0.42)
    page.piece(
        "address",
        (right[0], right[1], right[2], head),
        join,
        lambda: put_address(page, view, (right[0], right[1], right[2], head)),
    )
    foot = max(t.touch, t.u(82, 64))
    _seats(page, view, (right[0], right[1] + head, right[2], right[3] - head - foot - t.u(16, 8)))
    begin = (right[0], right[1] + right[3] - foot, right[2], foot)
    begun = view.state is not None and view.state.undo is not None
    label = say_key("join/table") if begun else say_key("join/begin") if view.game else say_key("back")
    put_key(page, view, begin, Key("begin", label, Go(""), look="brass", role="primary", key="return"))


def put_code(page: Page, view: View, box: Rect, *, told: bool = False) -> None:
    """The code to scan, or that there is no network to scan it for (a sign where the words stand beside it)."""
    if view.join is not None:
        put_qr(page, view.join.url, box)
        return
    t, c = page.theme, page.c
    dashed(page, box, c.line, t.u(34, 20))
    if told:
        page.blit(icon("phone", min(t.u(90, 56), box[2] * 0.2), c.faint), box[0] + box[2] / 2, box[1] + box[3] / 2)
        return
    page.text(
        say_key("join/no-network"),
        (box[0] + box[2] * 0.1, box[1], box[2] * 0.8, box[3]),
        "prompt",
        c.dim,
        align="center",
        lines=5,
        floor=0.4,
    )


def put_address(page: Page, view: View, box: Rect) -> None:
    """The page as text, and the code beside it."""
    t, c = page.theme, page.c
    x, y, w, h = box
    page.text(say_key("join/title"), (x, y, w, h * 0.34), "title", floor=0.4, lines=1, size=t.size("title") * 1.1)
    join = view.join
    if join is None:
        return
    page.text(say_key("join/or-open"), (x, y + h * 0.34, w, h * 0.16), "body", c.dim, floor=0.5)
    shown = (join.address or join.url.split("/#")[0]).removeprefix("http://").removeprefix("https://")
    page.text(shown, (x, y + h * 0.5, w, h * 0.22), "number", c.brass_hi, floor=0.4)
    label = page.text(say_key("join/code"), (x, y + h * 0.74, w * 0.3, h * 0.24), "body", c.dim, floor=0.6)
    side = min(h * 0.24, t.u(52, 38) * min(1.2, t.zoom), (x + w - label.right) / max(1, len(join.code)) - t.u(10, 6))
    for i, letter in enumerate(join.code):
        cell = (label.right + t.u(16, 10) + i * (side + t.u(8, 5)), y + h * 0.86 - side / 2, side * 0.94, side)
        slab(page, cell, c.raised, t.u(8, 6), shadow=False)
        page.text(letter, cell, "strong", align="center", size=side * 0.64, floor=0.5)


def _seats(page: Page, view: View, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    seats = view.seats
    if not seats:
        page.piece(
            "no-seats",
            (x, y, w, h),
            "",
            lambda: page.text(say_key("join/after-start"), (x, y, w, h), "body", page.c.dim, lines=3, floor=0.5),
        )
        return
    columns = 1 if len(seats) * t.u(56, 46) <= h else 2
    rows = -(-len(seats) // columns)
    pitch = min(t.u(76, 60), h / rows)
    width = (w - t.gap * (columns - 1)) / columns
    for i, seat in enumerate(seats):
        cell = (x + (i % columns) * (width + t.gap), y + (i // columns) * pitch, width, pitch - t.u(10, 6))
        page.part(f"seat {seat.seat}", cell, seat, _seat, view, seat.seat, cell)


def _seat(page: Page, view: View, number: int, box: Rect) -> None:
    t, c = page.theme, page.c
    seat = next(s for s in view.seats if s.seat == number)
    x, y, w, h = box
    paint = t.player(seat.colour or COLOUR_ORDER[number % len(COLOUR_ORDER)])
    if seat.phone or seat.bot:
        slab(page, box, c.surface, t.u(14, 10))
    else:
        dashed(page, box, c.line, t.u(14, 10))
    r = min(t.u(15, 11), h * 0.26)
    page.blit(mark(paint, r, t), x + t.u(40, 22), y + h / 2)
    left = x + t.u(76, 42)
    if seat.phone:
        page.touch(f"free {number}", box, Tell("free seat", {"seat": number}), small=True)
        check_disc(page, x + w - t.u(36, 22), y + h / 2, min(t.u(18, 12), h * 0.34), c.ok)
        page.text(
            seat.name,
            (left, y, x + w - t.u(64, 40) - left, h),
            "body",
            floor=0.5,
            typed=True,
            size=t.size("body") * 1.1,
        )
        return
    note = say_key("join/bot") if seat.bot else say_key("join/on-screen")
    room = x + w - left - t.u(20, 10)
    page.text(seat.name, (left, y, room * 0.5, h), "body", c.dim, floor=0.45, typed=True)
    page.text(note, (left + room * 0.52, y, room * 0.48, h), "label", c.faint, align="right", floor=0.5, lines=2)
