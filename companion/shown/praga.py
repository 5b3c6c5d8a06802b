"""What Praga shows: everything on its table, as screen and phones draw it."""

from __future__ import annotations

import msgspec

from companion.game import Grid, Player, View

COLUMNS, OLD_ROWS, PLACES = 6, 2, 24
"""The small map of the city: places in rows from the north; those of the Old Town lie above the King's Road."""


class Station(msgspec.Struct, frozen=True):
    """One of the twelve places around the wheel, with what hangs there."""

    station: int
    zone: str
    price: int
    points: int
    tile: int
    actions: tuple[str, ...]
    flag: bool
    """The tile carries the token of five points."""
    bonus: str
    star: bool = False
    """Era II begins here with two players."""
    hole: bool = False
    """The counting cube falls here."""


class Wheel(msgspec.Struct, frozen=True):
    """The action crane."""

    box: int
    next: int
    notches: int
    stations: tuple[Station, ...]
    cube: bool = True
    """The counting cube lies in the box, not under the wheel."""
    asked: int = 0
    """The place whose tile is asked for before the first turn."""


class Eras(msgspec.Struct, frozen=True):
    """The clock of the game."""

    turn: int
    length: int
    round: int
    era: int
    era_in: int
    era_seat: int
    era_round: int
    platform: int
    drops: tuple[int, ...]
    era_turn: int
    left: tuple[int, ...]


class Skill(msgspec.Struct, frozen=True):
    """A technology tile before its owner."""

    level: int
    effect: str
    turn: int
    used: bool = False


class Owner(Player, frozen=True, kw_only=True):
    """A player's board; in light depth nothing but the points is followed."""

    gold: int | None = None
    stone: int | None = None
    eggs: int | None = None
    silver_windows: int | None = None
    gold_windows: int | None = None
    mines: int | None = None
    quarries: int | None = None
    technology: int | None = None
    university: int | None = None
    red: int | None = None
    blue: int | None = None
    walls: int | None = None
    upgrades: int | None = None
    road: int | None = None
    cubes: int | None = None
    wall_row: int | None = None
    wall_column: int | None = None
    wall_level: int | None = None
    cathedral_row: int | None = None
    cathedral_column: int | None = None
    cathedral_level: int | None = None
    seals: tuple[str, ...] = ()
    v_tiles: tuple[str, ...] = ()
    unlogged: int = 0
    technologies: tuple[Skill, ...] = ()
    tiles: dict[str, str] = msgspec.field(default_factory=dict)
    """Technologies and production tokens by their place."""
    upgraded: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    """Action -> what its upgrade gives whenever it is done."""


class Square(msgspec.Struct, frozen=True):
    """A plaza: buildings, cubes, and the rewards of its tile where they are known."""

    buildings: int
    cubes: tuple[int, ...]
    done: bool
    empty: bool
    rewards: dict[str, dict[str, int]]
    at: int = 0
    """Its place on the map, 0 while nobody has said where it lies."""


class PragaView(View, frozen=True, kw_only=True):
    """The whole table; nothing in Praga is secret."""

    players: tuple[Owner, ...] = ()
    game: str = "praga"
    depth: str = "full"
    active: int | None = None
    dummy: bool = False
    held: bool = False
    station: int = 0
    era: int = 1
    crane: Wheel
    clock: Eras
    plazas: tuple[Square, ...] = ()
    grids: tuple[Grid, ...] = ()
    """Hunger Wall and Cathedral as far as they were told, with everybody's cubes."""
    planks: int = 0
    chosen: int = 0
    """The action tile in the hand of the player in turn."""
    limits: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    tiles: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """What lies before a player and is no number -> the tiles it may be."""
    entered: tuple[bool, ...] = ()
