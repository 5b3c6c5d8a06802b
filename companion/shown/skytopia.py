"""What Skytopia shows: the struct that its pack fills, its screen draws and the phone's types are made from."""

from __future__ import annotations

import msgspec

from companion.game import Die, Player, Text, View


class Card(msgspec.Struct, frozen=True):
    """A card as it is drawn: `""` nothing there, `None` not yet identified."""

    card: str | None
    effect: str = ""
    crest: str = ""


class Golem(Die, frozen=True):
    """A golem on a card."""

    finishes: bool = False
    """It shows the build value."""


class Slot(Card, frozen=True, kw_only=True):
    """A place of the market."""

    slot: str
    dice: tuple[Golem, ...] = ()


class Market(msgspec.Struct, frozen=True):
    """The cards on offer."""

    rows: int
    columns: tuple[str, ...]
    decks: dict[str, int]
    """Cards left to draw, by colour."""
    slots: tuple[Slot, ...]


class Dial(msgspec.Struct, frozen=True):
    """The chronometer, clockwise from the build symbol."""

    position: int
    faces: tuple[int, ...]
    prices: tuple[int | None, ...]
    rounds: tuple[int, ...]
    positions: int = 6


class Guild(msgspec.Struct, frozen=True):
    """A guild master of this game."""

    id: str
    group: int
    does: Text
    """What it pays, and for what."""


class Effect(msgspec.Struct, frozen=True):
    """What a card does: its mark, its main figure and its sentence."""

    mark: str
    value: int
    text: Text


class City(Player, frozen=True):
    """A player and what they have built."""

    points: int
    coins: int
    home: int
    """Golems at home, of so many `dice`."""
    dice: int
    city: int
    ability: str
    guilds: tuple[int, ...]
    """Points for each guild master, as the city stands."""
    bases: dict[str, str]
    """Crests of the ground floors, by colour."""
    towers: dict[str, tuple[Card, ...]]


class SkytopiaView(View, frozen=True):
    """The table."""

    players: tuple[City, ...]
    turn: int
    round: int
    rounds_left: int | None
    build: int
    phase: str
    step: str
    first: int
    final: bool
    dial: Dial
    market: Market
    guilds: tuple[Guild, ...]
    effects: dict[str, Effect]
    crests: dict[str, str]
    """What the owner's copy calls its crests, where somebody said it."""
    unconfirmed: tuple[str, ...] = ()
    """Printed values that matter from the first turn and that nobody has confirmed."""
