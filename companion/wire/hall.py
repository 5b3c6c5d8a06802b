"""What a table and the hall say to each other (docs/hall.md). Only these leave a table: no move, no secret, no join code.

Out, below `tableside/<table>/`: `score`, `result` and the rooms' `health/+`; the bridge takes them to the hall's brokers as
`tables/<name>/...`. In, from the hall's `hall/<name>/...` and `hall/all/...`: `hall/here`, `hall/stored`, `hall/pairing`,
`hall/call` and `hall/message`. The last three are retained and are taken back by saying
nothing in their words, not by silence: a table that was away at that moment hears it when it returns.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.game import Text
from companion.wire.messages import Message, Seat, Word

LARGEST_SCORE = 1000
"""Bytes of a score: a thousand tables are a megabyte."""

Line = Annotated[str, msgspec.Meta(max_length=200)]
Name = Annotated[str, msgspec.Meta(max_length=40)]
GameId = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9-]{1,80}\Z")]
TableName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?\Z")]
"""A table's name at the hall: its user there and its place in every topic."""
Points = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
Clock = Annotated[float, msgspec.Meta(ge=0, le=253_402_300_799)]
"""Unix time, seconds, up to the year 9999."""


class SeatScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One chair on the big screen."""

    name: Name
    colour: Word = "sun"
    points: Points | None = None
    robot: bool = False


class TableScore(Message, frozen=True, omit_defaults=True):
    """How a table stands, as everybody in the hall may see it. Retained; said again at every change."""

    phase: Literal["lobby", "playing", "over", "safe"]
    title: Name = ""
    """What the owner calls the table (`[table] name`)."""
    game: Word = ""
    """Pack id; empty in the lobby."""
    game_name: Text | None = None
    game_id: str = ""
    seq: int = 0
    """Grows with every row of this game: the higher is the newer."""
    round: int | None = None
    turn: Seat | None = None
    seats: Annotated[tuple[SeatScore, ...], msgspec.Meta(max_length=8)] = ()
    lead: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=8)] = ()
    """Who leads; who has won once it is over."""
    ts: Clock = 0.0


class PlayerResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a game ended for one player."""

    seat: Seat
    name: Name
    points: Points
    won: bool = False
    robot: bool = False


class Result(Message, frozen=True):
    """How a game ended. Known by its table and `game_id`; of two the one with the higher `seq` holds.

    One at a time: it is retained until the hall has it on disk (`Stored`), then the next follows."""

    game: Word
    game_id: GameId
    seq: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
    began: Clock
    ended: Clock
    players: Annotated[tuple[PlayerResult, ...], msgspec.Meta(max_length=8)]
    highest_wins: bool = True
    stands: bool = True
    """False: the last move was taken back and the game goes on."""


class HallHere(Message, frozen=True):
    """The hall this is. Retained."""

    hall: Name
    """One restored from an older backup is another, and is told every result again."""
    name: Line = ""


class Stored(Message, frozen=True):
    """The hall has this result on disk: the table need not say it again to this hall."""

    hall: Name
    game_id: GameId
    seq: int


class Pairing(Message, frozen=True):
    """Who sits where at this table next, in seating order; nobody: nothing is paired here."""

    event: Line = ""
    round: int = 0
    players: Annotated[tuple[Name, ...], msgspec.Meta(max_length=8)] = ()
    game: Word = ""
    ends: Clock = 0.0
    """When the round's time is up; 0: it has not begun, or has no clock."""


class Call(Message, frozen=True):
    """The organiser calls a table: come, stop, go on, time is up. Shown until there is another or `none`."""

    kind: Literal["none", "come", "stop", "go", "time"]
    ts: Clock = 0.0


class HallMessage(Message, frozen=True):
    """A line the organiser wrote, to one table or to all; an empty one takes it back."""

    text: Line = ""
    ts: Clock = 0.0
