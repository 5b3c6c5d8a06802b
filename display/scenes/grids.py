"""A part of the board in rows and columns: drawn as it lies, a place touched, and told what is printed there.

Any game's: it says in a `Grid` what was told so far, and hears in one `tell` move what was told here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from companion.game import Grid, Option
from display.drafts import GridDraft
from display.keys import Key, key_grid, key_row
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import hexagon, mark
from display.paint.tokens import star
from display.touch import Act, Put
from display.view import View
from display.widgets import Rect, inset, say_key, slab, split

EDIT = "grid"
"""What `local` calls the draft of the open grid."""
LARGEST_GRID = 20
ARROWS = ("left", "right", "up")
Tells = Callable[[dict[str, Any]], Act]
Stand = Callable[[int, int, int], Act]
"""A seat, a row and a column -> the move that says its piece stands there."""


def opened(grid: str) -> Put:
    """Look at a grid."""
    return Put({EDIT: {"id": grid}})


CLOSED = Put({EDIT: None})


def edit_of(view: View, grid: Grid) -> GridDraft:
    """What is being told of this grid."""
    found: GridDraft | None = view.pick(EDIT)
    return found if found is not None and found["id"] == grid.id else {"id": grid.id}


def shows(grid: Grid, edit: GridDraft, row: int, column: int) -> int | str | None:
    """What a place shows: as it is being told, else as it was."""
    said = edit.get("spaces", {})
    if f"{row} {column}" in said:
        return said[f"{row} {column}"]
    return next((one.shows for one in grid.spaces if (one.row, one.column) == (row, column)), None)


def move_of(grid: Grid, edit: GridDraft) -> dict[str, Any] | None:
    """What was told here as a move; nothing where nothing was. All numbers of a side say how many there are."""
    spaces = []
    for place, shown in edit.get("spaces", {}).items():
        row, column = (int(one) for one in place.split())
        if (
            shown != shows(grid, {"id": grid.id}, row, column)
            and row <= _rows(grid, edit)
            and column <= _columns(grid, edit)
        ):
            spaces.append({"row": row, "column": column, "shows": shown})
    move: dict[str, Any] = {"spaces": spaces} if spaces else {}
    for name, now, whole in (
        ("rows", _rows(grid, edit), [(row, 0) for row in range(1, _rows(grid, edit) + 1)]),
        ("columns", _columns(grid, edit), [(0, column) for column in range(1, _columns(grid, edit) + 1)]),
    ):
        told = any(at in [(one["row"], one["column"]) for one in spaces] for at in whole)
        if name in edit or (grid.grows and told and all(shows(grid, edit, *at) is not None for at in whole)):
            move[name] = now
    borders = edit.get("borders", list(grid.borders))
    if borders != list(grid.borders):
        move["borders"] = borders
    return {"kind": "tell", "grid": grid.id, **move} if move else None


def _rows(grid: Grid, edit: GridDraft) -> int:
    return edit.get("rows", grid.rows)


def _columns(grid: Grid, edit: GridDraft) -> int:
    return edit.get("columns", grid.columns)


def draw_grid(
    page: Page, view: View, grid: Grid, body: Rect, bottom: Rect, tell: Tells, stand: Stand | None = None
) -> None:
    """The picture, the keys for the place that is lit, and the row of keys that keep it or leave."""
    t, edit = page.theme, edit_of(view, grid)
    x, y, w, h = body
    sizes, line = _sizes(grid, edit), 0.0
    if t.kind == "tall":
        line = t.touch + t.gap if sizes else 0.0
        high = (h - line) * 0.56
        picture, keys = (x, y, w, high), (x, y + high + line + t.gap, w, h - line - high - t.gap)
    else:
        share = 0.6 if t.kind == "wide" else 0.56
        picture, keys = (x, y, w * share, h), (x + w * share + t.u(28, 14), y, w * (1 - share) - t.u(28, 14), h)
    _picture(page, view, grid, edit, picture)
    _pad(page, view, grid, edit, keys, stand)
    row = [Key("grid-back", say_key("back"), CLOSED, "ghost", "left", share=1.2)]
    if line:  # a narrow panel has no room for all of them side by side
        key_row(page, view, (x, picture[1] + picture[3] + t.gap, w, t.touch), sizes)
    else:
        row += sizes
    move = move_of(grid, edit)
    if move is not None:
        row.append(Key("grid-keep", say_key("box/keep"), tell(move), "brass", "check", share=1.7))
    key_row(page, view, bottom, row)


def _sizes(grid: Grid, edit: GridDraft) -> list[Key]:
    """A row or a column less or more."""
    found = list[Key]()
    for name, now, most in (("rows", _rows(grid, edit), "row"), ("columns", _columns(grid, edit), "column")):
        least = max([1, *(getattr(one, most) for one in grid.pieces)])
        for by, sign in ((-1, "minus"), (1, "plus")) if grid.grows else ():
            act = Put({EDIT: {**edit, name: now + by}}) if least <= now + by <= LARGEST_GRID else None
            off = None if act else say_key("grid/no-more")
            said = say_key(f"grid/{most}")
            found.append(Key(f"grid-{name}{by:+d}", said, act or Put({}), sign=sign, off=off, role="label"))
    return found


# -- the picture -----------------------------------------------------------------------------------------------------


class _Laid(msgspec.Struct, frozen=True):
    """Where the places of a grid lie in a box: in a lattice, or as hexagons that reach into the rows beside theirs."""

    grid: Grid
    rows: int
    columns: int
    box: Rect
    gap: float
    parts: tuple[int, ...]
    """The rows a level or a town begins with."""

    @property
    def wide(self) -> float:
        """A column with its gap."""
        return self.box[2] / (self.columns + (1.15 if self.grid.ends else 0) + (0.5 if self.grid.shifted else 0))

    @property
    def high(self) -> float:
        """A row with its gap; hexagons of two parts stand apart."""
        if self.grid.shifted:
            return self.box[3] / (self.rows + 2 / 3 + len(self.parts) / 2)
        return min(self.box[3] / (self.rows + (1.1 if self.grid.feet else 0)), 1.4 * self.wide)

    @property
    def first(self) -> float:
        """The left edge of the places."""
        beyond = self.grid.ends is not None and self.grid.leftward
        return self.box[0] + (self.wide * 1.15 if beyond else 0)

    def top(self, row: int) -> float:
        """The upper edge of a row."""
        lines = self.rows - row
        if self.grid.shifted:
            below = sum(row < part for part in self.parts) / 2
            return self.box[1] + (1 / 6 + lines + below) * self.high
        whole = self.high * (self.rows + (1.1 if self.grid.feet else 0))
        return self.box[1] + (self.box[3] - whole) / 2 + lines * self.high + (0.1 * self.high if not row else 0)

    def cell(self, row: int, column: int) -> Rect:
        """A place: row by row from below, the ends of the rows in column nought, below the columns row nought."""
        wide, high, gap, shifted = self.wide, self.high, self.gap, self.grid.shifted
        across = self.columns - column if self.grid.leftward else column - 1
        left = self.first + across * wide + (wide / 2 if shifted and (self.rows - row) % 2 else 0)
        if not column:
            left = self.box[0] if self.grid.leftward else self.box[0] + self.columns * wide + 0.15 * wide
        return left + gap / 2, self.top(row) + gap / 2, wide - gap, high - gap

    def line(self, row: int, thick: float) -> Rect:
        """What parts the level that begins with this row from what is below it."""
        above = self.high / 4 if self.grid.shifted else 0.0
        across = self.wide * (self.columns + 0.5 * self.grid.shifted)
        return self.first, self.top(row) + self.high + above - thick / 2, across, thick


def _picture(page: Page, view: View, grid: Grid, edit: GridDraft, box: Rect) -> None:
    """Every place, the rows' ends beyond them and the columns' numbers below."""
    t = page.theme
    rows, columns = _rows(grid, edit), _columns(grid, edit)
    lines = [(n, row) for n, row in enumerate(edit.get("borders", grid.borders)) if 1 < row <= rows]
    laid = _Laid(grid, rows, columns, box, t.u(6, 4), tuple(row for _, row in lines))
    places = [(row, column) for row in range(rows, 0, -1) for column in range(1, columns + 1)]
    places += [(row, 0) for row in range(1, rows + 1)] if grid.ends else []
    places += [(0, column) for column in range(1, columns + 1)] if grid.feet else []
    for at in places:
        _place(page, view, grid, edit, at, laid.cell(*at))
    for n, row in lines:
        line = laid.line(row, t.u(6, 4))
        page.part(f"grid border {n}", line, (), slab, line, page.c.brass, 2, shadow=False)


def _place(page: Page, view: View, grid: Grid, edit: GridDraft, at: tuple[int, int], cell: Rect) -> None:
    """One place: what is printed there, whose pieces stand there; a question mark where nobody has said."""
    t, c = page.theme, page.c
    lit, shown = edit.get("at") == list(at), shows(grid, edit, *at)
    here = tuple(one.seat for one in grid.pieces if (one.row, one.column) == at and one.seat is not None)
    colours = tuple(view.colour(seat) for seat in here)
    act = Put({EDIT: {**edit, "at": list(at), "fresh": True}})
    number, grow = not all(at), max(0.0, (t.touch - min(cell[2:])) / 2 + 1)
    x, y, w, h = cell
    over = h * 0.17 if grid.shifted else 0.0

    def paint() -> None:
        pressed = page.touch(f"grid {at[0]} {at[1]}", cell, act, grow=grow)
        fill = c.press if pressed or lit else c.surface if number else c.raised
        edge, width = (c.brass_hi, t.u(4, 3)) if lit else (c.line if number else None, 2)
        if grid.shifted:
            fill = c.press if pressed or lit or shown is not None else c.surface
            page.blit(hexagon((w / 2, h / 2 + over), fill, edge or c.line, width), x + w / 2, y + h / 2)
        else:
            slab(page, cell, fill, t.u(10, 7), outline=edge, width=width, shadow=False)
        room = (x, y, w * 0.56, h) if here else cell
        if shown is not None or grid.grows:
            _shown(page, shown, room, number)
        for i, colour in enumerate(colours):
            r = min(w * 0.1, h * 0.18, t.u(12, 8))
            across = 0.74 if len(colours) < 3 else 0.62 + 0.24 * (i // 2)
            where = (x + w * across, y + h * (0.5 if len(colours) == 1 else 0.3 + 0.4 * (i % 2)))
            page.blit(mark(t.player(colour), r, t), *where)

    content = (cell, shown, lit, colours, repr(act), t.light)
    page.piece(f"grid {at[0]} {at[1]}", (x - 3, y - 3 - over, w + 6, h + 6 + 2 * over), content, paint)


def _shown(page: Page, shown: int | str | None, box: Rect, number: bool) -> None:
    """What is printed: a number, points with their star, an arrow, nothing."""
    t, c = page.theme, page.c
    x, y, w, h = box
    r = min(w * 0.24, h * 0.28, t.u(18, 12))
    if shown is None:
        page.text("?", box, "strong" if number else "label", c.dim, align="center", floor=0.4)
    elif shown in ARROWS:
        page.blit(icon(str(shown), r, c.brass_text), x + w / 2, y + h / 2)
    elif isinstance(shown, str) and shown.startswith("+"):
        page.text(shown, (x, y, w * 0.56, h), "strong", align="right", floor=0.4)
        page.blit(star(r * 0.8, c.brass_text), x + w * 0.58 + r, y + h / 2)
    elif isinstance(shown, int):
        page.text(str(shown), inset(box, 2, 0), "strong", align="center", floor=0.4)
    else:
        page.text("·", box, "strong", c.dim, align="center", floor=0.4)


# -- the keys --------------------------------------------------------------------------------------------------------


def _pad(page: Page, view: View, grid: Grid, edit: GridDraft, box: Rect, stand: Stand | None) -> None:
    """What the place that is lit may show."""
    t = page.theme
    at = edit.get("at")
    x, y, w, h = box
    head = t.size("body") * 2.3
    line = (x, y, w, head)
    row, column = at if at else (0, 0)
    if not at:
        said = say_key("grid/touch")
        line = box
    elif not column:
        said = say_key("grid/end", n=row)
    elif not row:
        said = say_key("grid/foot", n=column)
    else:
        said = say_key("grid/space", row=row, column=column)
    page.piece(
        "grid name", line, (said, line), lambda: page.text(said, line, "body", page.c.dim, lines=5 if not at else 2)
    )
    if not at:
        return
    room = (x, y + head, w, h - head)
    fit = max(4, int((h - head + t.gap) / (t.touch + t.gap)))
    keys, levels = _signs(page, view, grid, edit, row, column, stand), list[Key]()
    if not (row and column):
        keys, levels = _digits(grid, edit, row, column), _borders(grid, edit, row)
    across = 3 if len(keys) <= 3 * (fit - bool(levels)) else 4
    lines = max(4, -(-len(keys) // across) + bool(levels))
    if levels:  # whole sentences have a line of their own
        last = split(room, lines, t.gap, down=True)[-1]
        room = (x, room[1], w, last[1] - t.gap - room[1])
        key_row(page, view, last, levels)
    key_grid(page, view, room, keys, across, lines - bool(levels))


def _told(edit: GridDraft, row: int, column: int, shown: int | str | None, *, fresh: bool = True) -> Put:
    spaces = {**edit.get("spaces", {}), f"{row} {column}": shown}
    return Put({EDIT: {**edit, "spaces": spaces, "fresh": fresh}})


def _digits(grid: Grid, edit: GridDraft, row: int, column: int) -> list[Key]:
    """A number is typed."""
    now, high = shows(grid, edit, row, column), (grid.ends if row else grid.feet or (0, 0)) or (0, 0)
    keys = {}
    for digit in range(10):
        longer = int(now) * 10 + digit if isinstance(now, int) and not edit.get("fresh") else digit
        keys[digit] = _told(edit, row, column, longer if longer <= high[1] else digit, fresh=False)
    found = [Key(f"grid-{digit}", str(digit), keys[digit]) for digit in (*range(1, 10),)]
    found.append(Key("grid-clear", say_key("grid/unknown"), _told(edit, row, column, None), "ghost", role="label"))
    found.append(Key("grid-0", "0", keys[0]))
    return found


def _borders(grid: Grid, edit: GridDraft, row: int) -> list[Key]:
    """Which level begins with this row."""
    found, borders = list[Key](), list(edit.get("borders", grid.borders))
    for n, level in enumerate(grid.levels) if row > 1 else ():
        on = borders[n] == row
        rest = [0 if one == row else one for one in borders]
        put = Put({EDIT: {**edit, "borders": rest if on else [*rest[:n], row, *rest[n + 1 :]]}})
        look = "chosen" if on else "raised"
        found.append(Key(f"grid-border-{n}", say_key("grid/border", level=level), put, look, role="label"))
    return found


def _signs(
    page: Page, view: View, grid: Grid, edit: GridDraft, row: int, column: int, stand: Stand | None
) -> list[Key]:
    now = shows(grid, edit, row, column)
    found = [_sign(one, edit, row, column, now) for one in grid.signs]
    found.append(Key("grid-clear", say_key("grid/unknown"), _told(edit, row, column, None), "ghost", role="label"))
    for one in grid.pieces if stand is not None else ():
        if stand is not None and one.seat is not None and (one.row, one.column) != (row, column):
            here = say_key("grid/stands", who=view.name(one.seat))
            found.append(Key(f"grid-stands-{one.seat}", here, stand(one.seat, row, column), role="label"))
    return found


def _sign(one: Option, edit: GridDraft, row: int, column: int, now: int | str | None) -> Key:
    look = "chosen" if one.value == now else "raised"
    drawn = str(one.value) if one.value in ARROWS else ""
    words = str(one.value) if str(one.value).startswith("+") or isinstance(one.value, int) else one.text
    return Key(f"grid-{one.value}", None if drawn else words, _told(edit, row, column, one.value), look, sign=drawn)
