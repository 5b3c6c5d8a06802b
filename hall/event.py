"""An event as the hall keeps it: players, rounds, who sits where. Plain values; changed by replacing them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.wire.hall import Clock, Line, Name, Points, TableName
from companion.wire.messages import Word

EventId = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9-]{1,40}\Z")]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of an event's parts."""


class Entrant(Part, frozen=True):
    """Somebody who plays in the event, known by name."""

    name: Name
    away: bool = False
    """Left: is not paired any more; what was played counts."""


class Entered(Part, frozen=True):
    """How a table ended as the organiser wrote it down, in the order of the players: their word holds over the table's."""

    points: Annotated[tuple[Points, ...], msgspec.Meta(max_length=8)]
    at: Clock


class Placing(Part, frozen=True):
    """One table of a round, in seating order."""

    table: TableName
    players: Annotated[tuple[Name, ...], msgspec.Meta(max_length=8)]
    entered: Entered | None = None
    """Where the table could not tell it: it was played without one, or with other names."""


class Round(Part, frozen=True):
    """One round: who plays where, who has a bye, and its clock."""

    number: Annotated[int, msgspec.Meta(ge=1, le=99)]
    placings: tuple[Placing, ...]
    byes: tuple[Name, ...] = ()
    game: Word = ""
    """Where every round has another game; empty: the event's."""
    made: Clock = 0.0
    """When it was paired: a result that ended before is none of this round."""
    began: Clock = 0.0
    minutes: Annotated[int, msgspec.Meta(ge=0, le=1440)] = 0
    """0: no clock."""
    ended: Clock = 0.0


class Event(Part, frozen=True):
    """A tournament, a league evening, or just everybody who plays today."""

    id: EventId
    name: Line
    game: Word
    """Pack id."""
    system: Literal["swiss", "round robin"] = "swiss"
    size: Annotated[int, msgspec.Meta(ge=2, le=4)] = 4
    """Players at a table."""
    planned: Annotated[int, msgspec.Meta(ge=1, le=99)] = 6
    """Rounds it shall have: a small field is paired with the last of them in mind."""
    entrants: Annotated[tuple[Entrant, ...], msgspec.Meta(max_length=400)] = ()
    rounds: Annotated[tuple[Round, ...], msgspec.Meta(max_length=99)] = ()
