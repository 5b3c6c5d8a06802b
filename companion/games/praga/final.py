"""The form at the end: pre-filled from what was recorded, confirmed or entered by each player (rules, section 15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.game import Field, Option, Text, seat_name
from companion.games.praga import copy
from companion.games.praga import sheet as sheets
from companion.games.praga.bounds import SCORED, of_sheet
from companion.games.praga.forms import checked
from companion.games.praga.refuse import refused
from companion.games.praga.sheet import PlazaGains, Sheet
from companion.games.praga.state import PragaState, Work

PLAZA_FIELDS = tuple(f"plazas.{name}" for name in PlazaGains.__struct_fields__)
ORDER = (
    *("track", "v_tiles", "seals", "technology", "university", "multiplier", "wall_row", "wall_column", "blue"),
    *("cathedral_row", "cathedral_column", "red", "walls", "upgrades", "mines", "quarries"),
    *("v_rows_points", "gold", "stone", "eggs", *PLAZA_FIELDS),
)


def multiplier(state: PragaState, university: int) -> int:
    """The printed number beside the university's step, as far as the box knows it."""
    return max((m for m in (1, 2, 3) if university >= int(state.box[f"track.multiplier.{m}"])), default=0)


def _rows_points(state: PragaState, seat: int) -> int:
    """What the V tile of the rows gives for the rows recorded."""
    board = state.boards[seat]
    return sum(int(state.box[_row_key(row)]) for row in (board.wall_row, board.cathedral_row))


def _row_key(row: int) -> str:
    """Where the box keeps what the V tile of the rows gives for a row."""
    return f"scoring.v.rows.{min(row, 8)}"


def recorded(state: PragaState, seat: int) -> Sheet:
    """The final position as far as it was recorded; what nobody recorded stands at its lowest value.

    What unfinished plazas gave is its own part of a position: everything else stands as before it, the multiplier after it.
    """
    board, bounds = state.boards[seat], of_sheet(state.box)
    found: dict[str, Any] = {name: low for name, (low, _) in bounds.items() if not name.startswith("plazas.")}
    found["track"], held = board.points, dict[str, Any]()
    if state.depth == "full":
        found |= {name: getattr(board, name) for name in SCORED}
        found |= {
            f"{building}_{axis}": copy.printed_at(state, building, axis, getattr(board, f"{building}_{axis}")) or 0
            for building, axis in PRINTED
        }
        found["multiplier"] = multiplier(state, board.university + board.step_one.get("university", 0))
        held = {"v_tiles": _left(state, seat, "v_tiles"), "seals": _left(state, seat, "seals")}
        held["plazas"] = _given(board.step_one, bounds)
        found["v_rows_points"] = _rows_points(state, seat) if "rows" in held["v_tiles"] else 0
    within = {name: max(bounds[name][0], min(bounds[name][1], value)) for name, value in found.items()}
    return Sheet(name=state.names[seat], seat=seat + 1, **within, **held)


def _given(step_one: Mapping[str, int], bounds: Mapping[str, tuple[int, int]]) -> PlazaGains:
    names = PlazaGains.__struct_fields__
    return PlazaGains(**{name: min(bounds[f"plazas.{name}"][1], step_one.get(name, 0)) for name in names})


def _left(state: PragaState, seat: int, what: str) -> tuple[str, ...]:
    """Seals or V tiles recorded for a player; what another has entered as their own lies before them."""
    entered = [one for other, one in enumerate(state.sheets) if one is not None and other != seat]
    taken = {name for sheet in entered for name in getattr(sheet, what)}
    return tuple(name for name in getattr(state.boards[seat], what) if name not in taken)


def standing(state: PragaState, seat: int) -> Sheet:
    """The position as entered, else as recorded."""
    return state.sheets[seat] or recorded(state, seat)


def doubts(state: PragaState, seat: int, sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """Line -> printed values behind what stands as the record filled it in; what somebody changed was read off the table."""
    board, found = state.boards[seat], dict[str, tuple[str, ...]]()
    if sheet.track == board.points:
        found["track"] = board.used
    if state.depth != "full":
        return found
    science: list[str] = []
    if sheet.technology == board.technology:
        science += board.studied
        if board.technology == int(state.box["track.technology_top"]):
            science.append("track.technology_top")
    times = multiplier(state, sheet.university + sheet.plazas.university)
    if sheet.multiplier == times and sheet.technology + sheet.plazas.technology:
        science += [f"track.multiplier.{m}" for m in (times, times + 1) if 1 <= m <= 3]
    found["science"] = tuple(science)
    if "rows" in board.v_tiles and sheet.v_rows_points == _rows_points(state, seat):
        found["v/rows"] = tuple(_row_key(row) for row in (board.wall_row, board.cathedral_row))
    return found


PRINTED = tuple((building, axis) for building in ("wall", "cathedral") for axis in ("row", "column"))
CONFIRMED = ("track", "technology", "university", "blue", "red", "walls", "eggs")
"""What a game followed in full has counted and everybody looks over once more."""


def unread(state: PragaState, seat: int) -> tuple[str, ...]:
    """Printed numbers of this player's position that nobody has said yet."""
    return tuple(name for name in ORDER if _unread(state, name, seat))


def fields(state: PragaState, seat: int) -> tuple[Field, ...]:
    """One field per scoring input: what everybody has first, the rare gains of unfinished plazas last.

    After a game followed in full only what may have drifted is asked, and printed numbers nobody has read off this copy yet.
    """
    return tuple(_field(state, name, seat) for name in (asked(state, seat) if state.depth == "full" else ORDER))


def asked(state: PragaState, seat: int) -> tuple[str, ...]:
    """The fields of the form after a game that was followed in full."""
    position = standing(state, seat)
    goods = ("gold", "stone") if position.seals else ()
    rows = ("v_rows_points",) if "rows" in position.v_tiles and doubts(state, seat, position).get("v/rows") else ()
    plazas = tuple(name for name in PLAZA_FIELDS if sheets.value_of(position, name))
    wanted = {*CONFIRMED, *goods, *unread(state, seat), *rows, *plazas}
    return tuple(name for name in ORDER if name in wanted)


def _field(state: PragaState, name: str, seat: int) -> Field:
    value, bounds = sheets.value_of(standing(state, seat), name), of_sheet(state.box)
    text, note = Text(f"praga/field/{name}"), _from(state, name, seat)
    if name in ("seals", "v_tiles"):
        prefix, ids = ("seal", sheets.SEALS) if name == "seals" else ("v", sheets.FINALS)
        options = tuple(Option(one, Text(f"praga/{prefix}/{one}")) for one in ids)
        return Field(name, text, "many", value, options=options, help=note, seat=seat)
    low, high = bounds[name]
    if _unread(state, name, seat):
        return Field(name, text, "number", None, low, high, help=note, seat=seat)
    return Field(name, text, "number", low if value is None else value, low, high, help=note, seat=seat)


def _unread(state: PragaState, name: str, seat: int) -> bool:
    """A printed number nobody has said: there is nothing to fill in."""
    building, _, axis = name.partition("_")
    if state.depth != "full" or (building, axis) not in PRINTED or state.sheets[seat] is not None:
        return False
    return copy.printed_at(state, building, axis, getattr(state.boards[seat], name)) is None


def _from(state: PragaState, name: str, seat: int) -> Text | None:
    """Where a value comes from, or where to read it."""
    building, _, axis = name.partition("_")
    if state.depth == "full" and (building, axis) in PRINTED:
        return Text(f"praga/help/at-{axis}", {"n": getattr(state.boards[seat], name)})
    if state.depth == "full" and name in CONFIRMED[1:]:
        return Text("praga/help/counted")
    return Text(f"praga/help/{name}") if name in HELPED else None


HELPED = ("track", "multiplier", "wall_row", "wall_column", "cathedral_row", "cathedral_column", "plazas.points")


def enter(play: Work, seat: int, values: Mapping[str, object]) -> None:
    """A player's final position is entered or confirmed; impossible ones are refused by their field."""
    state = play.state
    if not state.played_out:
        raise refused("not-over")
    found = checked(tuple(_field(state, name, seat) for name in ORDER), values)
    for name in ORDER:
        if found[name] is None:
            raise refused("sheet-missing", field=Text(f"praga/field/{name}"), name=name)
    if state.depth == "full" and "multiplier" not in values:
        steps = int(str(found["university"])) + int(str(found["plazas.university"]))
        found["multiplier"] = multiplier(state, steps)
    plain: dict[str, Any] = {name: value for name, value in found.items() if name not in PLAZA_FIELDS}
    plain["plazas"] = {name.removeprefix("plazas."): found[name] for name in PLAZA_FIELDS}
    try:
        sheet = msgspec.convert({"name": state.names[seat], "seat": seat + 1, **plain}, Sheet)
        others = [one for one in state.sheets if one is not None and one.seat != seat + 1]
        sheets.check([*others, sheet], state.box)
    except (msgspec.ValidationError, ValueError) as wrong:
        raise _named(str(wrong)) from wrong
    play.set(sheets=(*state.sheets[:seat], sheet, *state.sheets[seat + 1 :]))
    if state.depth == "full":
        for building, axis in PRINTED:
            name = f"{building}_{axis}"
            if name in values:
                copy.learn_printed(play, building, axis, getattr(state.boards[seat], name), int(str(found[name])))
    play.say("sheet", seat, who=seat_name(seat))


def _named(problem: str) -> Exception:
    path = problem.partition(":")[0]
    name = path.partition("].")[2] or path
    known = name if name in ORDER else "unknown"
    return refused("sheet", field=Text(f"praga/field/{known}", {"name": name}), name=name)
