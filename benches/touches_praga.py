"""Touches of Praga: a light game with the encoder."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benches.figures import Row, row
from benches.touches import GAMES, Move, count, recorded
from companion.games.praga import pack

LIGHT = 2.0
"""Touches a turn when the encoder follows the wheel and only points are noted."""


def sensed(move: Move) -> bool:
    """The encoder sees the wheel turn."""
    return bool(move["kind"] == "turn")


def entered(state: Any, move: Move) -> Iterable[Move]:
    """A recorded move as a table enters it."""
    yield move


def rows() -> list[Row]:
    """The figures of Praga."""
    light = recorded(GAMES / "praga" / "two-players-light.jsonl")
    found = count(pack, light, sensed=sensed, entered=entered)
    turns = sum(move["kind"] == "turn" for move in light.moves)
    each = found.of("choose", "note") / turns
    return [row("praga touches a turn, light, with the encoder", each, "", LIGHT, n=turns)]
