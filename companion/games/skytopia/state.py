"""The position: frozen, made of tuples, so that an old state never changes; and the copy one move works on."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from companion.game import Die, Event, Text
from companion.games.skytopia.printed import COLOURS, Numbers

DICE = tuple(tuple(Die(owner, face) for face in range(7)) for owner in range(4))
"""Shared: `DICE[owner][face]`."""
T = TypeVar("T")


def exchanged(items: tuple[T, ...], number: int, item: T) -> tuple[T, ...]:
    """The same items with another in one place."""
    return (*items[:number], item, *items[number + 1 :])


class Slot(msgspec.Struct, frozen=True):
    """One place of the market: a card (`""` none, `?` not identified) and the golems on it."""

    card: str = ""
    dice: tuple[Die, ...] = ()
    faces: frozenset[int] = frozenset()
    """The faces its golems show."""


def laid(card: str, dice: tuple[Die, ...]) -> Slot:
    """A place with this card and these golems."""
    return Slot(card, dice, frozenset([die.face for die in dice]))


class Player(msgspec.Struct, frozen=True):
    """One player's city, purse and reserve."""

    name: str
    city: int
    ability: str
    """Tile and side, `T1A`; only the tile until the side is chosen."""
    points: int
    coins: int
    home: int
    """Golems in the reserve."""
    towers: tuple[tuple[str, ...], ...]
    gained: tuple[tuple[int, str, int], ...] = ()
    """Round, source and points of everything gained on the track."""


Spot = tuple[str, int]
"""A card in a chain: `("market", slot)`, or a tower's colour and the level in it, 0 for the base."""
MARKET = "market"


class Pending(msgspec.Struct, frozen=True):
    """One decision or step still to come; the last of the stack is the present one."""

    kind: str
    code: str = ""
    """An effect's code; of a turn to be resumed, its phase."""
    here: int = -1
    """The market slot of the card being carried out, -1 in the city."""
    colour: int = -1
    level: int = 0
    height: int = 0
    """Of a tower being activated: how many cards it had when that began."""
    path: tuple[Spot, ...] = ()
    """Cards of the chain of activations, this one included."""
    turned: tuple[tuple[int, int], ...] = ()
    """Slot and face of golems already rotated by this use."""


class Owed(msgspec.Struct, frozen=True):
    """What somebody got in another's turn, or by itself: easily forgotten at the table."""

    seat: int
    coins: int
    points: int
    source: str
    by: int
    """In whose turn it happened: it is remembered until the turn after that has ended."""


class SkytopiaState(msgspec.Struct, frozen=True):
    """A whole game at one moment."""

    players: tuple[Player, ...]
    slots: tuple[Slot, ...]
    stack: tuple[Pending, ...]
    numbers: Numbers
    rows: int
    decks: tuple[int, ...]
    removed: tuple[int, ...]
    guilds: tuple[str, ...]
    round: int
    build: int
    first: int
    turn: int
    phase: str
    options: Options
    last: int = 0
    """The round after which the game ends, 0 while all decks last."""
    received: frozenset[int] = frozenset()
    """Colours of the towers finished into this turn and not yet activated."""
    added: int = 0
    paid: int = -1
    """Price of this turn's assignment, -1 before it."""
    owed: tuple[Owed, ...] = ()
    chart: tuple[tuple[int, ...], ...] = ()
    """Points on the track at the end of each round."""
    purses: tuple[tuple[str, ...], ...] = ()
    """Per player: where coins came from and went to since they were last counted by hand."""


class Options(msgspec.Struct, frozen=True):
    """How this table plays."""

    initial_turn: bool = False
    draft: bool = False
    sides: str = "A"


_all_but_lists = attrgetter(*SkytopiaState.__struct_fields__[3:])


class Work:
    """The copy of a state one move changes, frozen again when the move is done; players, slots and stack are lists."""

    __slots__ = (*SkytopiaState.__struct_fields__, "events", "reveals", "telling")

    def __init__(self, state: SkytopiaState, *, telling: bool = False) -> None:
        self.numbers, self.rows, self.options = state.numbers, state.rows, state.options
        self.players, self.slots, self.stack = list(state.players), list(state.slots), list(state.stack)
        self.decks, self.removed, self.guilds = state.decks, state.removed, state.guilds
        self.round, self.build, self.first, self.turn = state.round, state.build, state.first, state.turn
        self.phase, self.last, self.received = state.phase, state.last, state.received
        self.added, self.paid = state.added, state.paid
        self.owed, self.chart, self.purses = state.owed, state.chart, state.purses
        self.events: list[Event] = []
        self.telling, self.reveals = telling, False

    def frozen(self) -> SkytopiaState:
        """The state after the move."""
        return SkytopiaState(tuple(self.players), tuple(self.slots), tuple(self.stack), *_all_but_lists(self))

    def change(self, seat: int, **things: object) -> None:
        """Some of a player's things change."""
        self.players[seat] = replace(self.players[seat], **things)

    def happened(self, kind: str, seat: int | None = None, text: Text | None = None, **params: object) -> None:
        """Something to animate, say or light, if anybody wants to know."""
        if self.telling:
            self.events.append(Event(kind, seat, text, params))

    def give(self, seat: int, coins: int = 0, points: int = 0, source: str = "") -> None:
        """Coins and points change hands with the bank."""
        p = self.players[seat]
        gained = (*p.gained, (self.round, source, points)) if points else p.gained
        self.players[seat] = replace(p, coins=p.coins + coins, points=p.points + points, gained=gained)
        if coins:
            self._note_purse(seat, source if seat == self.turn else f"{source}/others")
        if seat != self.turn or source[:1] == "T":
            self.owed = (*self.owed, Owed(seat, coins, points, source, self.turn))

    def _note_purse(self, seat: int, source: str) -> None:
        purses = self.purses or ((),) * len(self.players)
        if source not in purses[seat]:
            self.purses = exchanged(purses, seat, (*purses[seat], source))

    def counted_purse(self, seat: int) -> None:
        """The coins of a player were counted by hand: where they came from no longer matters."""
        if self.purses:
            self.purses = exchanged(self.purses, seat, ())

    def homecoming(self, seat: int, golems: int = 1) -> None:
        """Golems come into the reserve, or leave it."""
        self.change(seat, home=self.players[seat].home + golems)

    def build_on(self, seat: int, colour: int, card: str) -> None:
        """A card goes on top of a tower."""
        towers = self.players[seat].towers
        self.change(seat, towers=exchanged(towers, colour, (*towers[colour], card)))

    def put(self, slot: int, owner: int, face: int) -> None:
        """A golem is laid on a card."""
        old = self.slots[slot]
        self.slots[slot] = laid(old.card, tuple(sorted((*old.dice, DICE[owner][face]))))

    def lift(self, slot: int, owner: int, face: int) -> None:
        """A golem is lifted from a card."""
        old = self.slots[slot]
        self.slots[slot] = laid(old.card, tuple([d for d in old.dice if d.owner != owner or d.face != face]))


Position = SkytopiaState | Work


@cache
def slot_names(rows: int) -> tuple[str, ...]:
    """The slots in order: column by column, row 1 nearest the deck first."""
    return tuple(f"{colour}-{row}" for colour in COLOURS for row in range(1, rows + 1))


@cache
def slot_index(rows: int) -> dict[str, int]:
    """Where each slot stands in the order."""
    return {name: i for i, name in enumerate(slot_names(rows))}


def own_golems(position: Position, seat: int, protected: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    """Slot and face of every golem of a player on the market, those on protected cards left out."""
    return [
        (i, die.face)
        for i, slot in enumerate(position.slots)
        for die in slot.dice
        if die.owner == seat and i not in protected
    ]
