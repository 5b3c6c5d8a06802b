"""Where things stand on a table scene, for the drawn sizes and everything between."""

from __future__ import annotations

import msgspec

from display.theme import Theme

Rect = tuple[float, float, float, float]


class TablePlan(msgspec.Struct, frozen=True):
    """The areas of a table scene."""

    band: Rect
    left: Rect
    middle: Rect
    right: Rect
    choices: Rect
    banner: Rect


def table_plan(theme: Theme, band: float, *, middle_share: float | None = None, rows: int = 1) -> TablePlan:
    """Band on top, three columns of reference, `rows` of choices at the bottom; upright panels stack the columns."""
    t = theme
    w, h, m = t.width, t.height, t.margin
    grow = 1 + 0.35 * (t.zoom - 1)
    low = t.u(94, 76) * grow if rows == 1 else rows * t.u(74, 64) - t.gap
    bottom = h - t.u(16, 8)
    body_top = band + t.u(16, 12)
    body_low = bottom - low - t.u(18, 12)
    choices: Rect = (m, bottom - low, w - 2 * m, low)
    if t.kind == "tall":
        low = t.u(236)
        choices = (m, bottom - low, w - 2 * m, low)
        body_low = bottom - low - t.u(16)
        room = body_low - body_top
        top = room * 0.44
        half = (w - 2 * m - t.u(16)) / 2
        left: Rect = (m, body_top, half, top)
        right: Rect = (m + half + t.u(16), body_top, half, top)
        middle: Rect = (m, body_top + top + t.u(16), w - 2 * m, room - top - t.u(16))
    else:
        gap = t.u(20, 10)
        x0, room = m, w - 2 * m
        first = t.u(376, 230) * (w / h) / (16 / 9 if t.kind == "wide" else 5 / 3)
        last = t.u(294, 164) * (1 + 0.25 * (t.zoom - 1))
        if middle_share is not None:
            first = (room - last - 2 * gap) * (1 - middle_share)
        left = (x0, body_top, first, body_low - body_top)
        right = (w - m - last, body_top, last, body_low - body_top)
        middle = (x0 + first + gap, body_top, w - m - last - gap - (x0 + first + gap), body_low - body_top)
    width = min(t.u(720, 560), w - 2 * m)
    banner = ((w - width) / 2, band + t.u(8, 6), width, t.u(84, 64) * grow)
    return TablePlan((0, 0, w, band), left, middle, right, choices, banner)


def foot(theme: Theme, column: Rect, *, button: bool = False) -> Rect:
    """The foot of a column of reference: what is said there hides nothing that is touched for an answer. `button`: with room
    for one under the words."""
    x, y, w, h = column
    tall = min((theme.u(124, 100) + (theme.u(60, 48) if button else 0)) * (1 + 0.35 * (theme.zoom - 1)), h / 2)
    return x, y + h - tall, w, tall


def grid(box: Rect, columns: int, rows: int, gap: float, *, tallest: float) -> list[list[Rect]]:
    """Cells by column and row; no cell is taller than `tallest`."""
    x, y, w, h = box
    cw = (w - gap * (columns - 1)) / max(1, columns)
    ch = min(tallest, (h - gap * (rows - 1)) / max(1, rows))
    return [[(x + c * (cw + gap), y + r * (ch + gap), cw, ch) for r in range(rows)] for c in range(columns)]
