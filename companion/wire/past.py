"""Finished games as screen and phones show them: results, curves, who wins how often and where points come from.

Only what everybody at the table saw: tallies and charts. Moves, secrets and keys stay in the journal.
"""

from __future__ import annotations

import msgspec

from companion.game import Text
from companion.wire.replies import Reply


class PastLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a tally, or of all tallies of a game together."""

    id: str
    text: Text
    points: int


class PastPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended for somebody."""

    seat: int
    name: str
    colour: str
    total: int
    won: bool
    lines: tuple[PastLine, ...] = ()
    """Where the points came from; the screen alone is told."""


class PastGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played to its end."""

    id: str
    game: str
    title: Text
    ts: float
    """When it ended."""
    minutes: int
    players: tuple[PastPlayer, ...]
    chart: tuple[tuple[int, ...], ...]
    """Points by round, a row for each player."""
    spent: tuple[int, ...]
    """Seconds of each player's own turns; empty where nobody knows."""


class PastScores(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody has scored in one game."""

    plays: int
    mean: float
    best: int


class PastRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody has played and won."""

    plays: int
    wins: int
    games: dict[str, PastScores]


class Past(Reply, frozen=True, kw_only=True):
    """The newest games, and what all of them say."""

    games: tuple[PastGame, ...]
    count: int
    players: dict[str, PastRecord]
    beat: dict[str, dict[str, int]]
    """Winner -> loser -> how often."""
    sources: dict[str, tuple[PastLine, ...]]
    """Game -> where most of its points came from, the biggest first."""
