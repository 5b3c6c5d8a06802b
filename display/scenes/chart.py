"""Points over the rounds: one line per player, its end carries the player's shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from display.page import Page
from display.paint.shapes import mark
from display.paint.sprite import Pen, lay, sprite
from display.view import View
from display.widgets import Rect, inset, say_key, slab

Lines = Sequence[Sequence[int | float]]


def draw_chart(page: Page, view: View, rows: Lines, box: Rect, totals: Sequence[int] = ()) -> None:
    """The chart in its panel."""
    draw_series(page, rows, tuple(view.colour(i) for i in range(len(rows))), box, totals)


def draw_series(page: Page, rows: Lines, colours: tuple[str, ...], box: Rect, totals: Sequence[int] = ()) -> None:
    """A line a player, whoever sits at the table now; with `totals`, everybody's end of the game, it leads there."""
    numbers, counted = ended(rows, totals)
    page.part("chart", box, (numbers, colours, counted), _chart, numbers, colours, box, counted=counted)


def ended(rows: Lines, totals: Sequence[int]) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """Lines that end at the totals, and whether what was counted last is a step of its own: where points are left to the end of
    the game, no round shows them."""
    numbers = tuple(tuple(int(v) for v in row) for row in rows)
    counted = (
        len(totals) == len(numbers)
        and all(len(row) > 1 for row in numbers)
        and any(row[-1] != total for row, total in zip(numbers, totals, strict=True))
    )
    return (
        (tuple((*row, int(total)) for row, total in zip(numbers, totals, strict=True)), True)
        if counted
        else (numbers, False)
    )


def _ticks(low: int, high: int, most: int) -> list[int]:
    span = max(1, high - low)
    step = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10**6) if span / s <= most)
    return list(range(math.floor(low / step) * step, math.ceil(high / step) * step + 1, step))


def _chart(
    page: Page, rows: tuple[tuple[int, ...], ...], colours: tuple[str, ...], box: Rect, *, counted: bool = False
) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 12), t.u(12, 8))
    head = t.size("label") * 1.5
    page.text(say_key("chart"), (x, y, w, head), "label", c.dim)
    longest = max((len(row) for row in rows), default=0)
    if longest < 2:
        page.text(
            say_key("chart-later"), (x, y + head, w, h - head), "body", c.faint, align="center", lines=2, floor=0.5
        )
        return
    values = [v for row in rows for v in row]
    axis, foot, ends = t.size("small") * 2.2, t.size("small") * 1.5, t.u(44, 30)
    px, py, pw, ph = x + axis, y + head + t.u(8, 5), w - axis - ends, h - head - foot - t.u(12, 8)
    ticks = _ticks(min(0, *values), max(values), max(1, min(4, int(ph / (t.size("small") * 1.6)) - 1)))
    low, high = ticks[0], ticks[-1]

    def at(i: int, value: float) -> tuple[float, float]:
        return px + pw * i / max(1, longest - 1), py + ph * (1 - (value - low) / max(1, high - low))

    for tick in ticks:
        ty = round(at(0, tick)[1])
        pygame.draw.line(page.surface, c.line, (round(px), ty), (round(px + pw), ty))
        page.text(
            str(tick).replace("-", "−"), (x, ty - foot / 2, axis - t.u(8, 5), foot), "small", c.faint, align="right"
        )
    page.text("1", (px - foot, py + ph + t.u(4, 2), 2 * foot, foot), "small", c.faint, align="center")
    last = page.say("display/tally/total") if counted else str(longest)
    page.text(last, (px + pw - 3 * foot, py + ph + t.u(4, 2), 6 * foot, foot), "small", c.faint, align="center")

    def lines(pen: Pen) -> None:
        for row, colour in zip(rows, colours, strict=True):
            if len(row) > 1:
                paint = t.player(colour)
                points = [(at(i, v)[0] - x - w / 2, at(i, v)[1] - y - h / 2) for i, v in enumerate(row)]
                pen.line(points, paint.edge if t.light else paint.fill, t.u(3.5, 2.5))

    lay(page.surface, sprite(("chart", rows, colours, t.light, t.strong), w, h, lines, 2), (round(x), round(y)))
    _ends(page, [(at(len(r) - 1, r[-1])[1], k) for r, k in zip(rows, colours, strict=True) if r], px + pw + ends * 0.66)


def _ends(page: Page, wanted: list[tuple[float, str]], x: float) -> None:
    """Shapes at the line ends, moved apart so that each is seen."""
    apart = page.theme.u(24, 17)
    last = -math.inf
    for y, colour in sorted(wanted):
        last = max(y, last + apart)
        page.blit(mark(page.theme.player(colour), apart * 0.38, page.theme), x, last)
