"""What the hall keeps, in its own terms, and how keeping it can fail; `hall.database` does it in PostgreSQL.

A table's result is recorded once by table and game id. The organiser changes events and corrects results; every such act leaves a
row in the trail with what was before, and can be undone as long as nobody has changed the same thing since.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from companion.wire.hall import Result


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
