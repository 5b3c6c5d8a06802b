"""The pad itself: its lines, the moves that write on it, and a finished one entered by hand."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.shown.scorepad import Entry

LARGEST_SCORE = 10_000
Points = Annotated[int, Meta(ge=-LARGEST_SCORE, le=LARGEST_SCORE)]
Short = Annotated[str, Meta(max_length=60)]


PAGE = 64
LINES = 12_000
"""Lines on a whole pad, far more than any evening writes: every one of them is read at every move."""


class PadState(msgspec.Struct, frozen=True):
    """The pad as it stands."""

    names: tuple[str, ...]
    rounds: int
    """How many rounds are played; 0 is free scoring."""
    categories: tuple[str, ...]
    lowest_wins: bool
    tie_break: str
    pages: tuple[tuple[Entry, ...], ...] = ()
    """Entries by the page: a new line copies one page, not the evening, and every state of it is kept for undo."""
    round: int = 1
    ended: bool = False
    title: str = ""
    """What is played, where somebody said it."""
    target: int = 0
    """Points that somebody needs for the end; 0: nobody counts towards one."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every line in the order it was written."""
        return tuple(entry for page in self.pages for entry in page)

    @property
    def full(self) -> bool:
        """There is no room for another round."""
        return sum(map(len, self.pages)) + len(self.names) > LINES

    def written(self, entries: tuple[Entry, ...]) -> PadState:
        """The pad with these lines under the others; no lines leave it as it is."""
        if not entries:
            return self
        last = self.pages[-1] if self.pages and len(self.pages[-1]) < PAGE else ()
        full = self.pages[:-1] if last else self.pages
        return msgspec.structs.replace(self, pages=(*full, last + entries))

    def written_in_round(self) -> set[int]:
        """Seats that have a line in the present round."""
        return {entry.seat for entry in self.entries if entry.round == self.round}

    def there(self) -> list[int]:
        """Seats that have reached the target."""
        return [seat for seat in range(len(self.names)) if self.target and self.total(seat) >= self.target]

    def total(self, seat: int) -> int:
        """All points of one player."""
        return sum(entry.points for entry in self.entries if entry.seat == seat)


class Add(msgspec.Struct, frozen=True, tag_field="kind", tag="points", forbid_unknown_fields=True):
    """One player gains or loses points."""

    seat: int
    points: Points
    category: Short = ""
    reason: Short = ""


class Score(msgspec.Struct, frozen=True, tag_field="kind", tag="score", forbid_unknown_fields=True):
    """Points of several players entered together: `p0`, `p1` ..., with one category or reason for all."""

    values: dict[str, Points | Short]
    seat: int | None = None
    apart: bool = False
    """Somebody wrote only their own line: the round goes on when the last one has."""


class NextRound(msgspec.Struct, frozen=True, tag_field="kind", tag="next", forbid_unknown_fields=True):
    """The round is over."""

    seat: int | None = None


class End(msgspec.Struct, frozen=True, tag_field="kind", tag="end", forbid_unknown_fields=True):
    """The game is over: tally."""

    seat: int | None = None


class Correct(msgspec.Struct, frozen=True, tag_field="kind", tag="correct", forbid_unknown_fields=True):
    """Set one line of the pad to another number of points."""

    entry: int
    points: Points
    seat: int | None = None


Move = Add | Score | NextRound | End | Correct


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """A finished pad entered by hand."""

    game: Literal["scorepad"]
    players: Annotated[list[DocumentPlayer], Meta(min_length=1, max_length=8)]
    lowest_wins: bool = False
    tie_break: str = ""


class DocumentPlayer(msgspec.Struct, forbid_unknown_fields=True):
    """One player's points by category."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    points: dict[Short, Points]
