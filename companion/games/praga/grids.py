"""Hunger Wall, Cathedral and the city as grids: what was told of the owner's copy, drawn and told place by place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.box.printed import Box
from companion.game import Grid, Option, Space, Text
from companion.games.praga import copy, moves
from companion.games.praga.refuse import refused
from companion.games.praga.state import PragaState, Work
from companion.shown.praga import COLUMNS, OLD_ROWS, PLACES

BUILDINGS, SETS = ("wall", "cathedral"), ("base", "a", "b")
CITY, NORTH = "city", PLACES // COLUMNS
"""Its rows are counted from the south, the places of the map from the north."""
LEAST = {"row": 4, "column": 5}
"""Rows and columns drawn of a building nobody has told anything of."""
POINTS, TILES = 6, 11
"""Points a space is offered with, and plaza tiles of the game."""
LARGEST_GRID = 20


def in_play(state: PragaState) -> tuple[Grid, ...]:
    """The two buildings with everybody's cubes."""
    if state.depth != "full":
        return ()
    found = []
    for building in BUILDINGS:
        at = [(getattr(one, f"{building}_row"), getattr(one, f"{building}_column")) for one in state.boards]
        pieces = tuple(Space(row, column, seat=seat) for seat, (row, column) in enumerate(at))
        found.append(_building(state.box, building, getattr(state, f"{building}_set"), pieces))
    return tuple(found)


def of_copy(box: Box) -> tuple[Grid, ...]:
    """Every grid of the owner's copy: each building with each of its sets of levels, and the map of the plazas."""
    return (*(_building(box, building, one) for building in BUILDINGS for one in SETS), _city(box))


def _building(box: Box, building: str, of: str, pieces: Sequence[Space] = ()) -> Grid:
    part = f"{building}.{of}"
    second, third = (int(one) for one in box[f"levels.{part}"])
    inside = [Space(row, column, _sign(building, one)) for row, column, one in _landings(box, part)]
    lines = {axis: _line(box, f"{part}-{axis}s") for axis in LEAST}
    spots = (*inside, *pieces, Space(max(second, third), 1))
    drawn = {
        axis: min(
            LARGEST_GRID,
            max(len(box[f"grid.{part}-{axis}s"]) or LEAST[axis], *lines[axis], *(getattr(one, axis) for one in spots)),
        )
        for axis in LEAST
    }
    ends = [Space(row, 0, n) for row, n in lines["row"].items()]
    feet = [Space(0, column, n) for column, n in lines["column"].items()]
    name = Text(f"praga/building/{building}")
    text = (
        name
        if of == "base"
        else Text("praga/grid/of-set", {"building": name, "set": Text(f"praga/option/wall_set/{of}")})
    )
    known = sorted({str(one.shows) for one in inside} | {f"+{n}" for n in range(1, POINTS + 1)}, key=_order)
    arrows = ("left" if building == "wall" else "right", "up")
    points = [sign for sign in known if sign.startswith("+")]
    return Grid(
        part,
        text,
        drawn["row"],
        drawn["column"],
        (*ends, *feet, *inside),
        tuple(Option(sign, _said(sign)) for sign in ("none", *points, *arrows)),
        ends=_bounds(box, f"grid.{part}-rows"),
        feet=_bounds(box, f"grid.{part}-columns"),
        borders=(second, third),
        levels=(Text("praga/level/2"), Text("praga/level/3")),
        leftward=building == "wall",
        grows=True,
        pieces=tuple(pieces),
        keys=(
            *(f"{table}.{part}-{axis}s" for table in ("grid", "printed") for axis in LEAST),
            f"levels.{part}",
            f"landing.{part}",
        ),
    )


def _landings(box: Box, part: str) -> Iterator[tuple[int, int, copy.Table]]:
    """The spaces that were told, each with its place; a box written by hand may have forgotten where one lies."""
    for one in copy.listed(box, f"landing.{part}"):
        row, column = one.get("row"), one.get("column")
        if isinstance(row, int) and isinstance(column, int) and 0 < row <= LARGEST_GRID and 0 < column <= LARGEST_GRID:
            yield row, column, one


def _bounds(box: Box, key: str) -> tuple[int, int]:
    return 0, int(box.printed[key].high or 0)


def _line(box: Box, line: str) -> dict[int, int]:
    """The numbers that were said, by their row or column."""
    seen = [
        row
        for one in copy.listed(box, f"printed.{line}")
        if isinstance(row := one.get("row"), int) and 0 < row <= LARGEST_GRID
    ]
    places = sorted({*range(1, len(box[f"grid.{line}"]) + 1), *seen})
    return {place: n for place in places if (n := copy.number_at(box, line, place)) is not None}


def _order(sign: str) -> tuple[bool, int]:
    return not sign.startswith("+"), int(sign[1:]) if sign.startswith("+") else 0


def _said(sign: str) -> Text:
    if sign.startswith("+"):
        return Text("praga/gain/points", {"n": int(sign[1:])})
    return Text("praga/hex/nothing") if sign == "none" else Text(f"praga/grid/{sign}")


def _sign(building: str, space: copy.Table) -> str:
    """What a space shows, as the grid calls it."""
    arrow = {"side": "left" if building == "wall" else "right", "up": "up"}.get(str(space.get("arrow")))
    return f"+{space['points']}" if space.get("points") else arrow or "none"


def _city(box: Box) -> Grid:
    lying = [(n, int(place)) for n, place in enumerate(box["plazas.places"], 1) if place]
    spaces = tuple(Space(NORTH - (place - 1) // COLUMNS, (place - 1) % COLUMNS + 1, n) for n, place in lying)
    signs = tuple(Option(n, Text("praga/plaza", {"number": n})) for n in range(1, TILES + 1))
    return Grid(
        CITY,
        Text("praga/city"),
        NORTH,
        COLUMNS,
        spaces,
        signs,
        borders=(NORTH - OLD_ROWS + 1,),
        shifted=True,
        keys=("plazas.places",),
    )


# told ---------------------------------------------------------------------------------------------------------------


def tell(play: Work, move: moves.Tell) -> None:
    """Somebody read the board: it holds from here on, and for later games."""
    try:
        found = told(play.box, move)
        box = play.box
        for key, value in found.items():
            box = box.corrected(key, value)
        for problem in copy.problems(box):
            raise ValueError(problem)
    except ValueError as wrong:
        raise refused("box", key=move.grid, why=str(wrong)) from wrong
    if not found:
        raise refused("nothing")
    for key, value in found.items():
        copy.learn(play, key, value)
    play.say(
        "told",
        move.seat,
        grid=Text("praga/city") if move.grid == CITY else Text(f"praga/building/{move.grid.partition('.')[0]}"),
    )


def told(box: Box, move: moves.Tell) -> dict[str, Any]:
    """What the box says afterwards, where that is something else."""
    parts = {f"{building}.{of}" for building in BUILDINGS for of in SETS}
    if move.grid != CITY and move.grid not in parts:
        raise ValueError(f"{move.grid}: there is no such grid")
    found = _laid(box, move) if move.grid == CITY else _built(box, move)
    return {key: value for key, value in found.items() if value != box[key]}


def _laid(box: Box, move: moves.Tell) -> dict[str, Any]:
    """Plazas at their places: who is put somewhere lies nowhere else, and nobody lies where another one is put."""
    places = [int(one) for one in box["plazas.places"]]
    for space in move.spaces:
        n = space.shows if isinstance(space.shows, int) else 0
        if not (1 <= space.row <= NORTH and 1 <= space.column <= COLUMNS and n <= TILES):
            raise ValueError(f"{CITY}: no such place")
        at = (NORTH - space.row) * COLUMNS + space.column
        places = [0 if place == at else place for place in places] + [0] * (n - len(places))
        if n:
            places[n - 1] = at
    return {"plazas.places": places}


def _built(box: Box, move: moves.Tell) -> dict[str, Any]:
    part, found = move.grid, dict[str, Any]()
    ends = {space.row: _number(space) for space in move.spaces if space.row and not space.column}
    feet = {space.column: _number(space) for space in move.spaces if space.column and not space.row}
    for axis, size, said in (("row", move.rows, ends), ("column", move.columns, feet)):
        found |= _numbered(box, f"{part}-{axis}s", size, said)
    inside = [space for space in move.spaces if space.row and space.column]
    if inside:
        at = {(space.row, space.column) for space in inside}
        kept = [one for one in copy.listed(box, f"landing.{part}") if (one.get("row"), one.get("column")) not in at]
        found[f"landing.{part}"] = [*kept, *(_space(part, one) for one in inside if one.shows is not None)][
            -copy.LONGEST_LIST :
        ]
    if move.borders:
        second, third = move.borders if len(move.borders) == 2 else (move.borders[0], 0)
        if second and third and second >= third:
            raise ValueError(f"levels.{part}: level III begins above level II")
        found[f"levels.{part}"] = [second, third]
    return found


def _number(space: moves.Printed) -> int | None:
    if isinstance(space.shows, str):
        raise ValueError(f"{space.shows} should be a number")
    return space.shows


def _numbered(box: Box, line: str, size: int, said: dict[int, int | None]) -> dict[str, Any]:
    """The numbers of all rows or columns once somebody said how many there are; until then those that were read off."""
    whole = list(box[f"grid.{line}"])
    singles = [one for one in copy.listed(box, f"printed.{line}") if one.get("row") not in said]
    if not (size or whole):
        new: list[copy.Table] = [{"row": place, "points": n} for place, n in said.items() if n is not None]
        return {f"printed.{line}": [*singles, *new][-copy.LONGEST_LIST :]}
    size = size or len(whole)
    if any(place > size for place in said):
        raise ValueError(f"grid.{line}: there are {size}")
    known = [whole[place - 1] if place <= len(whole) else -1 for place in range(1, size + 1)]
    for place, n in said.items():
        known[place - 1] = -1 if n is None else n
    return {f"grid.{line}": known, f"printed.{line}": singles}


def _space(part: str, space: moves.Printed) -> copy.Table:
    sign, building = str(space.shows), part.partition(".")[0]
    arrow = {"left" if building == "wall" else "right": "side", "up": "up"}.get(sign, "")
    points = int(sign[1:]) if sign[:1] == "+" and sign[1:].isdecimal() and len(sign) < 4 else 0
    if not (arrow or 0 < points <= LARGEST_GRID or sign == "none"):
        raise ValueError(f"landing.{part}: {sign} is printed nowhere")
    return {"row": space.row, "column": space.column, "points": points, "arrow": arrow}
