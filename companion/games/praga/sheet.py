"""A player's final position as it is entered, and everything that cannot be true about it (rules, sections 12 and 15).

Goods, eggs, both tracks and tokens are entered as before step 1 of the final scoring and step 1 adds its own amounts; all
else is entered as it stands after step 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec

from companion.box.printed import Box
from companion.games.kit.documents import decoded
from companion.games.praga.bounds import of_sheet

SealId = Literal["gold", "stone", "pair", "six"]
FinalId = Literal["university", "mines", "quarries", "upgrades", "walls", "rows"]
V_TILES = 2
"""V tiles a player can hold: one of the bridge, one of the Cathedral."""
SEALS: tuple[SealId, ...] = get_args(SealId)
FINALS: tuple[FinalId, ...] = get_args(FinalId)

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Points = Annotated[int, msgspec.Meta(ge=0, le=999)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=4, description="who took the first turn is seat 1, then clockwise")]


class PlazaGains(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the unfinished plazas give in step 1."""

    points: Points = 0
    gold: Count = 0
    stone: Count = 0
    eggs: Count = 0
    technology: Count = 0
    university: Count = 0
    red: Count = 0
    blue: Count = 0


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One player's final position with the printed numbers as entered."""

    name: Annotated[str, msgspec.Meta(max_length=60)] = ""
    seat: SeatNumber
    track: Points
    plazas: PlazaGains = PlazaGains()
    technology: Count
    university: Count
    multiplier: Annotated[int, msgspec.Meta(ge=0, le=3)]
    wall_row: Count
    wall_column: Count
    blue: Count
    cathedral_row: Count
    cathedral_column: Count
    red: Count
    walls: Count
    upgrades: Count | None = None
    mines: Count | None = None
    quarries: Count | None = None
    v_tiles: tuple[FinalId, ...] = ()
    v_rows_points: Points = 0
    seals: tuple[SealId, ...] = ()
    gold: Count
    stone: Count
    eggs: Count


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole final position, one sheet per player."""

    players: Annotated[tuple[Sheet, ...], msgspec.Meta(min_length=1, max_length=4)]
    game: Literal["praga"] = "praga"


def read(document: Mapping[str, Any], printed: Box) -> Document:
    """The document, checked; `ValueError` names the field that is wrong."""
    known = decoded(document, Document)
    check(known.players, printed)
    return known


def check(sheets: Sequence[Sheet], printed: Box) -> None:
    """Refuse what cannot be at a table; the first problem is named with its field."""
    for i, sheet in enumerate(sheets):
        for field, problem in _problems(sheet, printed):
            raise ValueError(f"players[{i}].{field}: {problem}")
        for j, other in enumerate(sheets[:i]):
            if other.seat == sheet.seat:
                raise ValueError(f"players[{i}].seat: seat {sheet.seat} is already taken by players[{j}]")
            _held_twice(i, "seals", sheet.seals, other.seals, j)
            _held_twice(i, "v_tiles", sheet.v_tiles, other.v_tiles, j)


def _held_twice(i: int, field: str, mine: Sequence[str], theirs: Sequence[str], j: int) -> None:
    both = [name for name in mine if name in theirs]
    if both:
        raise ValueError(f"players[{i}].{field}: {both[0]} is already held by players[{j}]")


def value_of(sheet: Sheet, field: str) -> Any:
    """What a sheet says in a field; `plazas.gold` is the gold of its plazas."""
    plaza = field.removeprefix("plazas.")
    return getattr(sheet, field) if plaza == field else getattr(sheet.plazas, plaza)


def _problems(sheet: Sheet, printed: Box) -> Iterator[tuple[str, str]]:
    for field, (low, high) in of_sheet(printed).items():
        value = value_of(sheet, field)
        if value is not None and not low <= value <= high:
            yield field, f"{value} is not between {low} and {high}"
    if len(sheet.seals) > int(printed["limit.seals"]):
        yield "seals", f"{len(sheet.seals)} seals, at most {printed['limit.seals']} can be held"
    if len(sheet.v_tiles) > V_TILES:
        yield "v_tiles", f"{len(sheet.v_tiles)} V tiles, at most {V_TILES} can be held"
    for field, held in (("seals", sheet.seals), ("v_tiles", sheet.v_tiles)):
        twice = [name for i, name in enumerate(held) if name in held[:i]]
        if twice:
            yield field, f"{twice[0]} is listed twice"
    if sheet.v_rows_points and "rows" not in sheet.v_tiles:
        yield "v_rows_points", "points are given but the rows tile is not among v_tiles"
    for field in ("upgrades", "mines", "quarries"):
        if field in sheet.v_tiles and getattr(sheet, field) is None:
            yield field, f"the V tile of the {field} is held, so their number is needed"


EXAMPLE: dict[str, Any] = {
    "game": "praga",
    "players": [
        {
            "name": "P1",
            "seat": 1,
            "track": 58,
            "plazas": {
                "points": 0,
                "gold": 0,
                "stone": 1,
                "eggs": 0,
                "technology": 0,
                "university": 0,
                "red": 0,
                "blue": 0,
            },
            "technology": 6,
            "university": 6,
            "multiplier": 2,
            "wall_row": 6,
            "wall_column": 2,
            "blue": 4,
            "cathedral_row": 13,
            "cathedral_column": 3,
            "red": 3,
            "walls": 4,
            "upgrades": 2,
            "mines": 5,
            "quarries": 4,
            "v_tiles": ["walls"],
            "v_rows_points": 0,
            "seals": ["pair"],
            "gold": 5,
            "stone": 7,
            "eggs": 2,
        }
    ],
}


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    found = msgspec.json.schema(Document, ref_template="#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
