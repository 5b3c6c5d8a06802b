"""Everything a table can do in Skytopia, as typed moves (`kind` and `seat` in JSON)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.games.skytopia.printed import MOST_TIERS, Colour, SideName, TileName

Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]
Face = Annotated[int, msgspec.Meta(ge=1, le=6)]
Name = Annotated[str, msgspec.Meta(max_length=40)]


class Move(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=str.lower, omit_defaults=True
):
    """What all moves share: a kind and, where a player decides, a seat."""


class Guild(Move, frozen=True):
    """A guild master was revealed."""

    guild: Name
    seat: Seat | None = None


class City(Move, frozen=True):
    """A player took a city board."""

    seat: Seat
    city: Annotated[int, msgspec.Meta(ge=0, le=3)]


class Tile(Move, frozen=True):
    """A player has this ability tile."""

    seat: Seat
    tile: TileName


class Side(Move, frozen=True):
    """A player chose a side of the ability tile."""

    seat: Seat
    side: SideName


class Deal(Move, frozen=True):
    """The market is laid out; cards not named lie there unidentified."""

    cards: dict[Name, Name | None] = {}
    seat: Seat | None = None


class Reveal(Move, frozen=True):
    """A card was turned up in a market slot, or a card already lying there (or in a tower) is identified."""

    card: Name | None = None
    slot: Name = ""
    owner: Seat | None = None
    tower: Colour | None = None
    level: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    seat: Seat | None = None


class Start(Move, frozen=True):
    """The golem every player begins with goes on a market card."""

    seat: Seat
    slot: Name


class Finish(Move, frozen=True):
    """A finished card goes from the market on top of its tower."""

    seat: Seat
    slot: Name


class Activate(Move, frozen=True):
    """A tower that received a finished card is activated, base first."""

    seat: Seat
    tower: Colour


class Use(Move, frozen=True):
    """An effect without further choice is used."""

    seat: Seat


class Skip(Move, frozen=True):
    """The effect, ability or remaining towers on offer are passed over."""

    seat: Seat


class Take(Move, frozen=True):
    """An own golem comes back from a market card to the reserve."""

    seat: Seat
    slot: Name
    face: Face


class Buy(Move, frozen=True):
    """Coins are paid for prestige points, by the tiers printed on the card."""

    seat: Seat
    tier: Annotated[int, msgspec.Meta(ge=1, le=MOST_TIERS)]


class Rotate(Move, frozen=True):
    """An own golem turns toward the build symbol."""

    seat: Seat
    slot: Name
    face: Face
    steps: Annotated[int, msgspec.Meta(ge=1, le=5)]


class Shift(Move, frozen=True, tag="move"):
    """An own golem moves to another market card, showing the same face."""

    seat: Seat
    slot: Name
    face: Face
    to: Name


class Set(Move, frozen=True):
    """A golem is set on a card by an effect; from the reserve, or from the market where the box allows it."""

    seat: Seat
    slot: Name
    source: Name = ""
    face: Face | None = None


class Add(Move, frozen=True):
    """An unoccupied market card joins the city."""

    seat: Seat
    slot: Name


class Trigger(Move, frozen=True):
    """One single card is activated: in the market, or in the own city (level 0 is the base)."""

    seat: Seat
    slot: Name = ""
    tower: Colour | None = None
    level: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0


class Place(Move, frozen=True):
    """The golem of this turn is assigned and paid for."""

    seat: Seat
    slot: Name
    face: Face


class TurnDial(Move, frozen=True, tag="turn_dial"):
    """The dial turns one notch and the first-player marker passes on."""

    seat: Seat | None = None


class Correct(Move, frozen=True):
    """A value set by hand, as the table really is."""

    what: Literal[
        "coins", "points", "die", "card", "tower", "dial", "deck", "turn", "round", "city", "ability", "guilds", "end"
    ]
    seat: Seat | None = None
    value: int | str | None = None
    slot: Name = ""
    face: Face | None = None
    """A die: the face it shows now; none takes it off the card."""
    was: Face | None = None
    """A die: the face it showed before; none puts one on the card."""
    tower: Colour | None = None
    cards: Annotated[tuple[Name, ...], msgspec.Meta(max_length=48)] = ()


class OurBox(Move, frozen=True, tag="box"):
    """Our copy says otherwise: a printed value is corrected."""

    key: Annotated[str, msgspec.Meta(max_length=100)]
    value: Any
    seat: Seat | None = None


class Count(Move, frozen=True):
    """Light play: points or coins of a player rise or fall."""

    seat: Seat
    points: Annotated[int, msgspec.Meta(ge=-200, le=200)] = 0
    coins: Annotated[int, msgspec.Meta(ge=-200, le=200)] = 0


class EndTurn(Move, frozen=True, tag="end_turn"):
    """Light play: the turn passes on."""

    seat: Seat


class LastRound(Move, frozen=True, tag="last_round"):
    """Light play: a deck has run out, one more round follows."""

    seat: Seat | None = None


class Final(Move, frozen=True):
    """The final position as entered by hand: the guild masters, then what everybody counted, together or one by one."""

    values: dict[str, Any]
    seat: Seat | None = None
    apart: bool = False
    """Somebody entered only their own."""


AnyMove = (
    Guild | City | Tile | Side | Deal | Reveal | Start | Finish | Activate | Use | Skip | Take | Buy | Rotate | Shift
    | Set | Add | Trigger | Place | TurnDial | Correct | OurBox | Count | EndTurn | LastRound | Final
)  # fmt: skip


def decode(move: Mapping[str, Any]) -> Move:
    """A typed move; raises `msgspec.ValidationError` on anything else."""
    made: Move = msgspec.convert(dict(move), AnyMove)
    return made


def encode(move: Move) -> dict[str, Any]:
    """The same move as JSON values."""
    made: dict[str, Any] = msgspec.to_builtins(move)
    return made
