"""How much of anything a player can have: the pieces of the box and the ends of the printed tracks, said once.

Gains stop there, corrections and notes are held to it, the form at the end shows it, and a final position read from a file
is checked against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.box.printed import Box

if TYPE_CHECKING:
    from companion.games.praga.state import PragaState, Work

Bounds = tuple[int, int]

HIGHEST = {
    "points": "limit.points",
    "gold": "limit.goods",
    "stone": "limit.goods",
    "eggs": "limit.eggs",
    "silver_windows": "limit.silver_windows",
    "gold_windows": "limit.gold_windows",
    "red": "limit.tokens",
    "blue": "limit.tokens",
    "walls": "limit.walls",
    "upgrades": "limit.upgrades",
    "cubes": "limit.cubes",
    "technology": "track.technology_top",
    "university": "track.university_top",
    "mines": "track.mines_top",
    "quarries": "track.quarries_top",
}
"""What is counted -> the printed value it ends at."""
LEVELS, SECTIONS = (1, 3), (0, 5)
"""Levels of Hunger Wall and Cathedral, and sections of the King's Road, are no numbers of the box but the game's own."""


def counted(box: Box, name: str) -> Bounds | None:
    """Lowest and highest number of something every game counts; nothing for what is no number of the box."""
    if name not in HIGHEST:
        return None
    high = int(box[HIGHEST[name]])
    low = int(box[f"start.{name}"]) if name in ("mines", "quarries") else 0
    return min(low, high), high


def of_board(state: PragaState, name: str) -> Bounds | None:
    """Lowest and highest number a player's board may show."""
    building, _, what = name.partition("_")
    if building in ("wall", "cathedral"):
        return LEVELS if what == "level" else (1, end_of(state, building, what)) if what in ("row", "column") else None
    return SECTIONS if name == "road" else counted(state.box, name)


def end_of(state: PragaState, building: str, axis: str) -> int:
    """The last row or column of Hunger Wall or Cathedral, as far as this copy's grid was entered."""
    printed = state.box[f"grid.{building}.{getattr(state, f'{building}_set')}-{axis}s"]
    most = int(state.box[f"limit.{axis}s"])
    return min(len(printed), most) if printed else most


BOARD = (
    *HIGHEST,
    "road",
    *(f"{building}_{what}" for building in ("wall", "cathedral") for what in ("row", "column", "level")),
)
"""Every number of a board."""


def within(state: PragaState, name: str, value: int) -> int:
    """The nearest number a board may show."""
    low, high = of_board(state, name) or (value, value)
    return max(low, min(high, value))


def add(play: Work, seat: int, name: str, amount: int) -> int:
    """So much more of something, as far as there is any; what really arrived."""
    held = int(getattr(play.board(seat), name))
    if name in SUPPLIES and amount > 0:
        amount = min(amount, left(play.state, name))
    new = within(play.state, name, held + amount)
    play.put(seat, **{name: new})
    return new - held


STEP_ONE = ("gold", "stone", "eggs", "technology", "university", "red", "blue")
"""What unfinished plazas may give beside points."""
SCORED = (*STEP_ONE, "walls", "upgrades", "mines", "quarries")


def of_sheet(box: Box) -> dict[str, Bounds]:
    """Lowest and highest value of every number of a final position; a printed number ends where the box lets it end."""
    found = {name: bounds for name in SCORED if (bounds := counted(box, name)) is not None}
    found["track"] = (0, int(box["limit.points"]))
    if not box.confirmed("track.technology_top"):
        found["technology"] = (0, _highest(box, "track.technology_top"))
    found["multiplier"] = (0, 3)
    for building in ("wall", "cathedral"):
        for axis in ("row", "column"):
            found[f"{building}_{axis}"] = (0, _highest(box, f"grid.{building}.base-{axis}s"))
    found["v_rows_points"] = (0, 2 * _highest(box, "scoring.v.rows.8"))
    found["plazas.points"] = (0, int(box["limit.plaza_points"]))
    return found | {f"plazas.{name}": (0, found[name][1]) for name in STEP_ONE}


def _highest(box: Box, key: str) -> int:
    return box.printed[key].high or 0


SUPPLIES = ("eggs", "silver_windows", "gold_windows", "red", "blue")
"""What everybody takes from one supply."""


def left(state: PragaState, name: str) -> int:
    """Pieces of a supply nobody has."""
    return max(0, int(state.box[HIGHEST[name]]) - sum(int(getattr(board, name)) for board in state.boards))
