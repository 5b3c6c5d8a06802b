"""The action crane: a wheel with eleven hooks and one box, turning under twelve stations (rules, section 4).

Stations are numbered 1 to 12 clockwise from the start of the red zone: red 1-4, green 5-7, blue 8-12. The box carries
the arrow and never rests on station 1, because the used tile is hooked there.
"""

from __future__ import annotations

import msgspec

from companion.box.printed import Box
from companion.game import Text

STATIONS = 12
HOOKS = 11
TILES = 6
RED = range(1, 5)
GREEN = range(5, 8)
BLUE = range(8, 13)


class Crane(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the box stands and which action tile hangs on which hook."""

    box: int
    slots: tuple[int, ...]
    """Tile on hooks 1 to 11, counted clockwise from the box; 0 is an empty hook."""
    flagged: tuple[int, ...] = ()
    """Tiles that ran past the blue zone and carry five points."""

    def station(self, slot: int) -> int:
        """The station a hook stands at."""
        return (self.box - 1 + slot) % STATIONS + 1

    def slot(self, station: int) -> int:
        """The hook at a station; 0 is the box itself."""
        return (station - self.box) % STATIONS

    def at(self, station: int) -> int:
        """The tile at a station, 0 for none."""
        slot = self.slot(station)
        return self.slots[slot - 1] if slot else 0

    def where(self, tile: int) -> int | None:
        """The station of a tile, `None` while a player holds it."""
        return self.station(self.slots.index(tile) + 1) if tile in self.slots else None

    def tiles(self) -> tuple[tuple[int, int], ...]:
        """(station, tile) of every hanging tile, by station."""
        return tuple(sorted((self.station(k), tile) for k, tile in enumerate(self.slots, 1) if tile))

    @property
    def notches(self) -> int:
        """How far the wheel turns next: two from station 12, so that the box skips station 1."""
        return 2 if self.box == STATIONS else 1

    @property
    def next_box(self) -> int:
        """The station of the arrow after the next turn of the wheel."""
        return turned(self.box, self.notches)

    def _hang(self, slot: int, tile: int) -> tuple[int, ...]:
        return (*self.slots[: slot - 1], tile, *self.slots[slot:])


def turned(box: int, notches: int) -> int:
    """A station `notches` further clockwise."""
    return (box - 1 + notches) % STATIONS + 1


def zone(station: int) -> str:
    """The colour of a station."""
    return "red" if station in RED else "green" if station in GREEN else "blue"


def place(station: int) -> Text:
    """A station by what a person sees: third red place, first blue place."""
    return Text(f"praga/station/{station}")


def set_up(box: int, tiles: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> Crane:
    """The crane before the first turn: six tiles on the red stations and the first free green ones."""
    free = [station for station in (*RED, *GREEN) if station != box][:TILES]
    return lay_out(box, dict(zip(free, tiles, strict=True)))


def lay_out(box: int, tiles: dict[int, int], flagged: tuple[int, ...] = ()) -> Crane:
    """A crane with these tiles at these stations."""
    slots = [0] * HOOKS
    for station, tile in tiles.items():
        slots[(station - box) % STATIONS - 1] = tile
    return Crane(box, tuple(slots), flagged)


def price(printed: Box, station: int) -> int:
    """Gold to pay for the tile at a station."""
    return int(printed[f"crane.red.{station}"]) if station in RED else 0


def worth(printed: Box, crane: Crane, tile: int) -> int:
    """Points for choosing a tile where it hangs: its token replaces what the station would give."""
    if tile in crane.flagged:
        return int(printed["crane.overflow.points"])
    station = crane.where(tile)
    return int(printed[f"crane.blue.{station}"]) if station in BLUE else 0


def read_keys(crane: Crane, tile: int) -> tuple[str, ...]:
    """The printed values that price and worth of a tile rest on."""
    station = crane.where(tile)
    keys = [f"crane.red.{station}"] if station in RED else []
    if tile in crane.flagged:
        keys.append("crane.overflow.points")
    elif station in BLUE:
        keys.append(f"crane.blue.{station}")
    return tuple(keys)


def take(crane: Crane, tile: int) -> Crane:
    """Unhook the chosen tile; its five-point token goes back to the supply."""
    slot = crane.slots.index(tile) + 1
    return Crane(crane.box, crane._hang(slot, 0), tuple(t for t in crane.flagged if t != tile))


def turn(printed: Box, crane: Crane, tile: int) -> tuple[Crane, int]:
    """Turn the wheel and hook the used tile on station 1; also the tile that ran past the blue zone, or 0."""
    crane = Crane(crane.next_box, crane.slots, crane.flagged)
    first = crane.slot(1)
    lost = crane.slots[first - 1]
    if lost:
        crane = _overflow(printed, crane, first, lost)
    return Crane(crane.box, crane._hang(first, tile), crane.flagged), lost


def _overflow(printed: Box, crane: Crane, first: int, tile: int) -> Crane:
    """Move a tile that ran past the blue zone to green, or to red when green is full; station 1 is kept free."""
    greens = sorted(GREEN, reverse=printed["crane.overflow.green"] == "highest")
    reds = sorted(range(2, 5), reverse=printed["crane.overflow.red"] == "highest")
    goal = next(s for s in (*greens, *reds) if s != crane.box and not crane.at(s))
    cleared = Crane(crane.box, crane._hang(first, 0), crane.flagged)
    slots = cleared._hang(cleared.slot(goal), tile)
    return Crane(crane.box, slots, tuple(sorted({*crane.flagged, tile})))


def dummy_choice(crane: Crane) -> int:
    """The tile the dummy of the solo game takes: the one nearest the end of blue."""
    return crane.tiles()[-1][1]
