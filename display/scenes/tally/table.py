"""The table of the tally: a line for every source of points, a column for every player, the totals below."""

from __future__ import annotations

import msgspec
import pygame

from companion.game import PlayerTally, Tally, TallyLine, Text
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.scenes.tally.signs import put_sign
from display.tables.generic import rule
from display.theme import RGB, mix
from display.touch import Put
from display.view import View
from display.widgets import Rect, inset, say_key, slab


class Row(msgspec.Struct, frozen=True):
    """One source of points, everybody's cell beside each other."""

    id: str
    text: Text
    cells: tuple[TallyLine | None, ...]


def rows_of(tally: Tally) -> list[Row]:
    """All lines, in the order they first appear."""
    order: dict[str, Text] = {}
    for player in tally.players:
        for line in player.lines:
            order.setdefault(line.id, line.text)
    found = []
    for key, text in order.items():
        cells = tuple(next((line for line in p.lines if line.id == key), None) for p in tally.players)
        found.append(Row(key, text, cells))
    return found


class Grid(msgspec.Struct, frozen=True):
    """Where everything stands: `box` is the whole, from row `start` on as many as fit."""

    box: Rect
    label: float
    """Width of the names of the rows."""
    each: float
    """Width of a player's column."""
    head: float
    total: float
    row: float
    """Heights of the players' names, of the totals, of one row."""
    start: int
    visible: tuple[Row, ...]

    def column(self, player: int) -> float:
        """Where a player's column begins."""
        return self.box[0] + self.label + self.each * player


def focus_of(view: View, rows: list[Row]) -> tuple[int, int] | None:
    """Row and column whose reason is read out; `None` before anybody has touched one."""
    cell = view.pick("cell")
    if isinstance(cell, (list, tuple)) and len(cell) == 2 and rows:
        return min(int(cell[0]), len(rows) - 1), int(cell[1])
    return None


def draw_table(page: Page, view: View, tally: Tally, rows: list[Row], shown: int, box: Rect) -> None:
    """The first `shown` rows have been counted; the others still wait."""
    focus = focus_of(view, rows)
    grid = _grid(page, len(tally.players), rows, focus, box)
    content = (tally, shown, focus, grid.start, view.seats)
    page.part("table", box, content, _paint, view, tally, rows, shown, focus, grid)


def _grid(page: Page, players: int, rows: list[Row], focus: tuple[int, int] | None, box: Rect) -> Grid:
    t = page.theme
    w, h = box[2:]
    label = min(w * 0.46, max(w * 0.3, w - players * t.u(112, 96)))
    head, total = h * 0.15, h * 0.14
    room = h - head - total
    fit = max(1, int(room / (t.u(42, 30) * min(1.3, t.zoom))))
    start = max(0, min(focus[0] - fit + 1 if focus else 0, len(rows) - fit))
    visible = tuple(rows[start : start + fit])
    row = min(room / max(1, len(visible)), t.u(76, 54))
    return Grid(box, label, (w - label - t.u(16, 8)) / players, head, total, row, start, visible)


def _paint(
    page: Page, view: View, tally: Tally, rows: list[Row], shown: int, focus: tuple[int, int] | None, grid: Grid
) -> None:
    t = page.theme
    x, y, w, h = grid.box
    counted = shown >= len(rows)
    slab(page, grid.box, page.c.surface, t.u(14, 10))
    for i, player in enumerate(tally.players):
        cx = grid.column(i)
        if counted and player.seat in tally.winners:
            column = (cx + t.u(3, 2), y + t.u(5, 3), grid.each - t.u(6, 4), h - t.u(10, 6))
            slab(page, column, _winner_tint(page, view, player.seat), t.u(12, 9), shadow=False)
        _head(page, view, player, (cx, y, grid.each, grid.head))
    for k, row in enumerate(grid.visible):
        label = (x, y + grid.head + k * grid.row, grid.label, grid.row)
        index = grid.start + k
        _row(page, view, tally, row, label, grid.each, index, focus, hidden=index >= shown)
    rule(page, x + t.u(16, 8), y + h - grid.total, w - t.u(32, 16), brass=True)
    _below(page, len(rows), focus, grid)
    for i, player in enumerate(tally.players):
        points = player.total if counted else sum(line.points for line in player.lines[:shown])
        won = player.seat in tally.winners and counted and not t.light
        ink = t.player(view.colour(player.seat)).fill if won else page.c.text
        cell = (grid.column(i), y + h - grid.total, grid.each, grid.total)
        page.text(_number(points), cell, "points", ink, align="center", floor=0.4, size=t.size("points") * 0.9)


def _winner_tint(page: Page, view: View, seat: int) -> RGB:
    return mix(page.c.surface, page.theme.player(view.colour(seat)).fill, 0.25)


def _below(page: Page, count: int, focus: tuple[int, int] | None, grid: Grid) -> None:
    """The name of the last line; beside it how many rows are hidden, where, and a touch goes there."""
    t = page.theme
    x, top = grid.box[0], grid.box[1] + grid.box[3] - grid.total
    half = grid.label * 0.5
    page.text(say_key("tally/total"), (x + t.u(24, 12), top, half - t.u(24, 12), grid.total), "figure", floor=0.5)
    fit = len(grid.visible)
    waiting = count - grid.start - fit
    if waiting <= 0 and not grid.start:
        return
    to = min(count - 1, grid.start + 2 * fit - 1) if waiting > 0 else 0
    column = focus[1] if focus else 0
    page.touch("tally-more", (x + half, top, half, grid.total), Put({"cell": (to, column)}), small=True, grow=0)
    words = page.forms(say_key("more", n=waiting) if waiting > 0 else say_key("tally/above", n=grid.start))
    r = t.u(11, 8)
    room = (x + half, top, half - 2 * r - t.u(26, 16), grid.total)
    page.text(words, room, "body", page.c.warn, align="right", floor=0.6)
    page.blit(
        icon("down" if waiting > 0 else "up", r, page.c.warn), x + grid.label - r - t.u(16, 8), top + grid.total / 2
    )


def _number(value: int) -> str:
    return str(value).replace("-", "−")


def _head(page: Page, view: View, player: PlayerTally, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    r = min(t.u(12, 9), h * 0.18)
    page.blit(mark(t.player(view.colour(player.seat)), r, t), x + w / 2, y + h * 0.3)
    page.text(
        player.name,
        (x + t.u(4, 2), y + h * 0.48, w - t.u(8, 4), h * 0.46),
        "label",
        align="center",
        floor=0.5,
        lines=1,
        typed=True,
        size=t.size("body"),
    )


def _row(
    page: Page,
    view: View,
    tally: Tally,
    row: Row,
    label: Rect,
    each: float,
    index: int,
    focus: tuple[int, int] | None,
    *,
    hidden: bool,
) -> None:
    t, c = page.theme, page.c
    x, y, w, h = label
    rule(page, x + t.u(16, 8), y, w + each * len(row.cells) - t.u(20, 10))
    r = min(t.u(14, 10), h * 0.3)
    put_sign(page, view.game, row.id, x + t.u(38, 24), y + h / 2, r)
    left = x + t.u(70, 42)
    doubtful = any(cell is not None and cell.unconfirmed for cell in row.cells)
    page.text(row.text, (left, y, x + w - left - t.u(16, 8), h), "body", floor=0.5, lines=2)
    if doubtful:
        pygame.draw.circle(page.surface, c.warn, (round(x + t.u(14, 6)), round(y + h / 2)), t.u(5, 4))
    for i, cell in enumerate(row.cells):
        box = (x + w + each * i, y, each, h)
        page.touch(f"cell {index} {i}", box, Put({"cell": (index, i)}), small=True, grow=0)
        if focus == (index, i):
            fill = c.surface
            if tally.players[i].seat in tally.winners and not hidden:
                fill = _winner_tint(page, view, tally.players[i].seat)
            slab(page, inset(box, each * 0.1, 2), fill, t.u(12, 8), shadow=False, outline=c.text, width=3)
        if hidden:
            continue
        words, ink = (
            ("–", c.faint)
            if cell is None or (cell.points == 0 and cell.reason is None)
            else (_number(cell.points), c.text)
        )
        page.text(words, box, "strong", ink, align="center", size=t.size("body") * 1.12, floor=0.6)
