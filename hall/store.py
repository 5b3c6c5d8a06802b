"""What the hall keeps, as everybody else in it sees it; `hall.database` does it in PostgreSQL.

A table's result is recorded once by table and game id. The organiser changes events and corrects results; every such act leaves a
row in the trail with what was before, and can be undone as long as nobody has changed the same thing since.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, Protocol

import msgspec

from companion.wire.hall import Result
from companion.wire.messages import Message
from hall.event import Event


class StoreAwayError(Exception):
    """PostgreSQL cannot be reached now; the same call may work in a moment."""


class NotKeptError(Exception):
    """Such a thing cannot be kept, now or later."""


class ChangedMeanwhileError(Exception):
    """Somebody else changed it since it was read: read it again."""


class Held(msgspec.Struct, frozen=True):
    """A result the hall has: the table's word, or the organiser's where it was corrected."""

    table: str
    result: Result
    corrected: bool
    received: datetime


class Act(msgspec.Struct, frozen=True):
    """Something the organiser did."""

    id: int
    at: datetime
    who: str
    what: str
    kind: Literal["event", "result", "saying", "table"]
    key: tuple[str, ...]
    undoes: int | None = None


class Store(Protocol):
    """Every call is one transaction, on disk when it returns; raises `StoreAwayError` when PostgreSQL is away."""

    def hall_id(self) -> str: ...

    def record(self, table: str, results: list[Result]) -> None:
        """Keep what a table says of its games. Repeated, late and out of order are all the same."""

    def results(self) -> list[Held]:
        """Every result that stands, oldest first."""

    def correct(self, table: str, game_id: str, result: Result, who: str, what: str) -> int:
        """The organiser's word on a result the table has told; `KeyError` when it has not. Returns the act's number."""

    def events(self) -> list[tuple[Event, int]]:
        """Every event with its version."""

    def save_event(self, event: Event, version: int, who: str, what: str) -> int:
        """Put an event in place of the one of this version (0: it is new); `ChangedMeanwhileError`. Returns the act's number."""

    def say(self, sayings: Mapping[str, Message], who: str, what: str) -> int:
        """What tables shall hear from now on, by topic (`hall/<name>/call`): one act. The hall publishes it on both brokers."""

    def sayings(self) -> dict[str, bytes]:
        """Everything the brokers should keep of the hall's."""

    def trail(self, last: int = 100) -> list[Act]:
        """The organiser's acts, newest first."""

    def undo(self, act: int, who: str) -> int:
        """Put back what was before an act; `ChangedMeanwhileError` when it has been changed again since."""
