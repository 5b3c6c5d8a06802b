"""A table of rows and columns: in as many blocks side by side as keep its rows high enough for a finger."""

from __future__ import annotations

import pygame

from companion.game import Choice, Text
from companion.panels import Cell, Row, Said, Table
from display.page import Page
from display.paint.shapes import mark
from display.scenes.choices import act_for
from display.view import View
from display.widgets import Rect, inset, slab, split

SIDE_BY_SIDE = 3
"""Blocks side by side at most."""


def said(value: Said | None) -> Text | str:
    """A value as it is written."""
    if isinstance(value, int):
        return str(value).replace("-", "−")
    return "" if value is None else value


def draw(page: Page, view: View, panel: Table, box: Rect, key: str, offered: dict[str, Choice]) -> frozenset[str]:
    """The sheet; rows high enough for a finger are answers."""
    t = page.theme
    title = t.u(44, 28) * min(1.2, t.zoom) if panel.title is not None else 0.0
    blocks = _blocks(page, panel, (box[2], box[3] - title))
    heads = any(column.seat is not None or column.text is not None for column in panel.columns)
    per = -(-max(1, len(panel.rows)) // blocks)
    high = min((box[3] - title) / (per + (0.8 if heads else 0)), t.touch * 1.3)
    touchable = high >= t.touch - t.gap
    made = frozenset(row.choice for row in panel.rows if row.choice in offered) if touchable else frozenset()
    content = (panel, box, blocks, view.seats, view.pending, tuple(offered[one] for one in sorted(made)), _points(view))
    page.part(
        key, box, content, _paint, view, panel, (box, title, high, heads), blocks, {one: offered[one] for one in made}
    )
    return made


def _points(view: View) -> tuple[tuple[int, object], ...]:
    return tuple((player.seat, player.points) for player in view.common.players)


def _blocks(page: Page, panel: Table, room: tuple[float, float]) -> int:
    """As few blocks as let every row be touched; no more than leave room for the words."""
    t = page.theme
    least = t.u(150, 92) * min(1.25, t.zoom) + len(panel.columns) * t.u(46, 30) * min(1.25, t.zoom)
    widest = max(1, min(SIDE_BY_SIDE, int(room[0] / least)))
    wanted = t.touch - t.gap if any(row.choice for row in panel.rows) else t.u(46, 30) * t.zoom
    for blocks in range(1, widest + 1):
        if room[1] / (-(-len(panel.rows) // blocks) + 0.8) >= wanted:
            return blocks
    return widest


def _paint(
    page: Page,
    view: View,
    panel: Table,
    place: tuple[Rect, float, float, bool],
    blocks: int,
    made: dict[str, Choice],
) -> None:
    t, c = page.theme, page.c
    box, title, high, heads = place
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = box
    if panel.title is not None:
        page.text(panel.title, (x + t.u(18, 10), y + 2, w - t.u(36, 20), title), "strong", c.dim, floor=0.5)
    per = -(-max(1, len(panel.rows)) // blocks)
    for b, block in enumerate(split((x, y + title, w, h - title), blocks, 0)):
        rows = panel.rows[b * per : (b + 1) * per]
        if b:
            pygame.draw.line(
                page.surface, c.line, (round(block[0]), round(y + title + 8)), (round(block[0]), round(y + h - 8))
            )
        top = block[1]
        if heads:
            _heads(page, view, panel, (block[0], top, block[2], high * 0.8))
            top += high * 0.8
        for i, row in enumerate(rows):
            _row(page, view, panel, row, (block[0], top + i * high, block[2], high), made.get(row.choice))


def _cells(page: Page, panel: Table, box: Rect) -> tuple[Rect, list[Rect]]:
    """The label's place and those of the cells."""
    t = page.theme
    x, y, w, h = inset(box, t.u(14, 8), 0)
    n = max(1, len(panel.columns))
    each = min(t.u(92, 60) * t.zoom, (w * 0.62) / n)
    label = (x, y, w - each * n - t.u(6, 4), h)
    return label, [(x + w - each * (n - i), y, each, h) for i in range(n)]


def _heads(page: Page, view: View, panel: Table, box: Rect) -> None:
    t, c = page.theme, page.c
    _, cells = _cells(page, panel, box)
    for column, cell in zip(panel.columns, cells, strict=False):
        if column.seat is not None:
            r = min(t.u(12, 8), cell[3] * 0.22, cell[2] * 0.3)
            page.blit(mark(t.player(view.colour(column.seat)), r, t), cell[0] + cell[2] / 2, cell[1] + cell[3] * 0.32)
            name = (cell[0] + 1, cell[1] + cell[3] * 0.56, cell[2] - 2, cell[3] * 0.4)
            page.text(view.name(column.seat), name, "small", c.dim, align="center", floor=0.5, typed=True)
        elif column.text is not None:
            page.text(column.text, inset(cell, 2, 0), "small", c.dim, align="center", floor=0.5)


def _row(page: Page, view: View, panel: Table, row: Row, box: Rect, choice: Choice | None) -> None:
    t, c = page.theme, page.c
    pressed = False
    if choice is not None:
        ask = view.prompt.ask if view.prompt else None
        pressed = page.touch(choice.id, box, act_for(choice, ask), grow=0)
    inner = inset(box, t.u(6, 4), 1.5)
    ready = choice is not None and choice.off is None
    if pressed or view.pending == row.choice != "":
        slab(page, inner, c.press, t.u(10, 7), shadow=False)
    elif ready:
        slab(page, inner, c.raised, t.u(10, 7), shadow=False)
    elif row.strong:
        pygame.draw.line(
            page.surface, c.line, (round(inner[0]), round(box[1])), (round(inner[0] + inner[2]), round(box[1])), 1
        )
    label, cells = _cells(page, panel, box)
    ink = c.text if ready or row.strong else c.dim
    page.text(said(row.text), label, "strong" if row.strong else "body", ink, lines=2, floor=0.5)
    for cell, place in zip(row.cells, cells, strict=False):
        _cell(page, cell, place, strong=row.strong)


def _cell(page: Page, cell: Cell, box: Rect, *, strong: bool) -> None:
    t, c = page.theme, page.c
    if cell.value is None:
        return
    if cell.look == "best":
        side = min(box[3] * 0.74, t.u(48, 32) * t.zoom)
        slab(
            page,
            (box[0] + 2, box[1] + (box[3] - side) / 2, box[2] - 4, side),
            c.brass,
            min(side / 2, t.u(14, 9)),
            shadow=False,
        )
    ink = {"hint": c.faint, "best": c.ink}.get(cell.look, c.text)
    role = "strong" if strong or cell.look != "plain" else "number"
    page.text(said(cell.value), inset(box, 3, 0), role, ink, align="center", floor=0.45)
