"""What the score pad shows."""

from __future__ import annotations

import msgspec

from companion.game import Player, View


class Entry(msgspec.Struct, frozen=True):
    """One line on the pad."""

    seat: int
    points: int
    round: int
    category: str = ""
    reason: str = ""


class PadPlayer(Player, frozen=True):
    """A column of the pad."""

    points: int
    rounds: tuple[int, ...]
    """Points of each round."""


class PadView(View, frozen=True):
    """The pad."""

    players: tuple[PadPlayer, ...]
    round: int
    rounds: int | None
    """How many there are; `None`: as many as the players like."""
    title: str = ""
    """What is played, where somebody said it."""
    target: int = 0
    """Points that end it; 0: none do."""
    entries: tuple[Entry, ...] = ()
    """The last lines, in the order they were written."""
