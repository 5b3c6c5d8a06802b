"""Everything a table can do in Praga, as typed moves (`kind` and `seat` in JSON)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.shown.praga import PLACES

Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]
Tile = Annotated[int, msgspec.Meta(ge=1, le=6)]
Station = Annotated[int, msgspec.Meta(ge=1, le=12)]
Amount = Annotated[int, msgspec.Meta(ge=-9999, le=9999)]
Word = Annotated[str, msgspec.Meta(max_length=40)]
Value = bool | Amount | Word | tuple[Word, ...] | None
Values = Annotated[dict[Word, Value], msgspec.Meta(max_length=60)]
Action = Literal["mines", "quarries", "upgrade", "wall", "building", "road"]
Building = Literal["wall", "cathedral"]
Level = Annotated[int, msgspec.Meta(ge=1, le=4)]
Known = Annotated[int, msgspec.Meta(ge=0, le=60)]
"""A thing among those seen of this copy, counted from one."""


class Move(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=str.lower, omit_defaults=True
):
    """What all moves share: a kind and, where a player decides, a seat."""


class Choose(Move, frozen=True):
    """Take an action tile from the crane, perhaps with the action that is done with it and its wheel bonus at once."""

    tile: Tile
    seat: Seat | None = None
    action: Action | Literal[""] = ""
    bonus: bool = False


class Hang(Move, frozen=True):
    """Before the first turn: the tile at the next place of the crane, by its number or by its two actions one after the other."""

    tile: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    action: Literal["", "mines", "quarries", "upgrade", "wall", "building", "road"] = ""
    skip: bool = False
    """Nobody wants to tell: what the tiles are is learnt as they are used."""
    seat: Seat | None = None


class Act(Move, frozen=True):
    """Carry an action out; `branch` for mines and quarries, `tile` for a hex tile already seen, `values` for the rest."""

    action: Action
    branch: Literal["", "dig", "produce"] = ""
    tile: Known = 0
    values: Values = {}
    seat: Seat | None = None


class Begin(Move, frozen=True):
    """Say which action is being done, of a building also its tile and its plaza; what is left to say follows.

    `values` is what a building tile shows that was not seen before. Without an action the one begun is put off.
    """

    action: Action | Literal[""]
    values: Values = {}
    tile: Known = 0
    plaza: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    at: Annotated[int, msgspec.Meta(ge=0, le=PLACES)] = 0
    """Where the plaza lies on the map, said of one that has no place there yet."""
    seat: Seat | None = None


class Later(Move, frozen=True):
    """The wheel has turned; what was done will be told later."""

    seat: Seat | None = None


class Recall(Move, frozen=True):
    """Tell the action of an earlier turn that was not recorded; `which` of them, counted from the earliest."""

    seat: Seat | None = None
    which: Known = 0


class Land(Move, frozen=True):
    """What lies on the space of Hunger Wall or Cathedral just reached."""

    building: Building
    points: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    arrow: Literal["", "side", "up"] = ""
    seat: Seat | None = None


class Complete(Move, frozen=True):
    """The last free site of a plaza is filled."""

    plaza: Annotated[int, msgspec.Meta(ge=1, le=20)]
    seat: Seat | None = None


class Good(Move, frozen=True):
    """The good a lasting technology gives."""

    good: Literal["gold", "stone"]
    seat: Seat | None = None


class Bonus(Move, frozen=True):
    """Take the wheel bonus of the chosen tile; `track` where it is a step on a track."""

    track: Literal["", "mines", "quarries", "technology", "university"] = ""
    seat: Seat | None = None


class Note(Move, frozen=True):
    """Something was gained (or, with a minus, paid) outside the actions."""

    values: Values
    seat: Seat | None = None


class Extra(Move, frozen=True):
    """Buy the extra action with windows."""

    pay: Literal["gold", "mixed"]
    seat: Seat | None = None


class Climb(Move, frozen=True):
    """One row up on Hunger Wall or Cathedral; `enters` is the level entered by it."""

    building: Building
    enters: Literal[0, 2, 3] = 0
    by: Literal["windows", "arrow", "technology"] = "windows"
    seat: Seat | None = None


class Seal(Move, frozen=True):
    """Claim a seal at the end of a production track."""

    seal: Literal["gold", "stone", "pair", "six"]
    seat: Seat | None = None


class Reach(Move, frozen=True):
    """A technology space was reached whose step the companion does not know."""

    seat: Seat | None = None


class Learn(Move, frozen=True):
    """Keep one of the drawn technology tiles."""

    level: Level
    effect: Word
    seat: Seat | None = None


class Use(Move, frozen=True):
    """Use a stored technology of level III or IV; it is discarded."""

    level: Literal[3, 4]
    track: Literal["", "mines", "quarries"] = ""
    produce: Literal["", "gold", "stone"] = ""
    seat: Seat | None = None


class Reward(Move, frozen=True):
    """What a completed plaza, a first six or nine of a good, or another pending reward gave.

    `tile` says which of the plaza tiles seen it is, `row` which of its two rewards is taken.
    """

    values: Values = {}
    tile: Known = 0
    row: Literal["", "upper", "lower"] = ""
    seat: Seat | None = None


class Token(Move, frozen=True):
    """The production token taken on reaching its space."""

    token: Literal["gold", "stone", "points", "point-gold", "point-stone"]
    seat: Seat | None = None


class Final(Move, frozen=True):
    """The V tile taken, or none."""

    tile: Literal["university", "mines", "quarries", "upgrades", "walls", "rows", "none"]
    seat: Seat | None = None


class Windows(Move, frozen=True):
    """Windows given back at the end of a turn."""

    gold: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    silver: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    seat: Seat | None = None


class Refresh(Move, frozen=True):
    """Pay one good to push two hex tiles of a row under their stacks, once a turn."""

    pay: Literal["gold", "stone"]
    seat: Seat | None = None


class Turn(Move, frozen=True):
    """The wheel was turned; `to` is the station of the arrow where somebody read it."""

    to: Station | None = None
    seat: Seat | None = None


class Sheet(Move, frozen=True):
    """A player's final position, entered or confirmed."""

    seat: Seat
    values: Values = {}


class Correct(Move, frozen=True):
    """Put a recorded value right: a player's board, or the whole crane (`box` and the tile at each station)."""

    seat: Seat | None = None
    values: Values = {}
    box: Annotated[int, msgspec.Meta(ge=2, le=12)] | None = None
    stations: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=6)], ...], msgspec.Meta(max_length=12)] = ()
    flagged: Annotated[tuple[Tile, ...], msgspec.Meta(max_length=6)] = ()


class Box(Move, frozen=True):
    """The owner's copy says otherwise."""

    key: Annotated[str, msgspec.Meta(max_length=80)]
    value: Any
    seat: Seat | None = None


Row = Annotated[int, msgspec.Meta(ge=0, le=20)]


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is printed at a place of a grid; nothing where it is not known any more."""

    row: Row
    column: Row
    shows: Annotated[int, msgspec.Meta(ge=0, le=99)] | Word | None = None


class Tell(Move, frozen=True):
    """What a part of the board shows in the owner's copy: Hunger Wall, Cathedral, or where the plazas lie."""

    grid: Word
    spaces: Annotated[tuple[Printed, ...], msgspec.Meta(max_length=441)] = ()
    rows: Row = 0
    columns: Row = 0
    borders: Annotated[tuple[Row, ...], msgspec.Meta(max_length=2)] = ()
    seat: Seat | None = None


AnyMove = (
    Choose
    | Hang
    | Act
    | Begin
    | Later
    | Recall
    | Land
    | Complete
    | Good
    | Bonus
    | Note
    | Extra
    | Climb
    | Seal
    | Reach
    | Learn
    | Use
    | Reward
    | Token
    | Final
    | Windows
    | Refresh
    | Turn
    | Sheet
    | Correct
    | Box
    | Tell
)


def decode(move: Mapping[str, Any]) -> AnyMove:
    """A typed move from JSON; `msgspec.ValidationError` on anything else."""
    typed: AnyMove = msgspec.convert(dict(move), AnyMove)
    return typed


def encode(move: AnyMove) -> dict[str, Any]:
    """The same move as JSON values."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(move))
    return found
