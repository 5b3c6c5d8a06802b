"""How a demo's game went: the report of docs/design.md §8."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Tally


class Result(msgspec.Struct, kw_only=True):
    """The report of docs/design.md §8, and a little more."""

    game: str
    players: int
    seed: int
    truth: dict[str, int] = {}
    companion: dict[str, int] = {}
    equal: bool = False
    frames: int = 0
    throws: int = 0
    """Throws the camera saw."""
    auctions: int = 0
    """Auctions held, in a game that has them."""
    misreads: int = 0
    questions: int = 0
    corrections: int = 0
    seconds: float = 0.0
    moves: int = 0
    seen: int = 0
    """Moves committed from sensors alone."""
    told: int = 0
    """Moves told by phone, because no sensor can show them."""
    touched: int = 0
    """Moves a sensor should have shown, but somebody had to say."""
    mistakes: int = 0
    latency_ms: list[float] = []
    """Hand gone to move announced, one value a move."""
    problem: str = ""

    def compare(self, truth: Tally, told: Tally, auctions: int = 0) -> None:
        """Whether the table's tally is the truth's."""
        self.auctions = auctions
        self.truth = {player.name: player.total for player in truth.players}
        self.companion = {player.name: player.total for player in told.players}
        self.equal = truth == told


def report(result: Result) -> dict[str, Any]:
    """The JSON of docs/design.md §8."""
    plain: dict[str, Any] = msgspec.to_builtins(result)
    latencies = sorted(plain.pop("latency_ms"))
    if latencies:
        plain["latency_p50_ms"] = round(latencies[len(latencies) // 2], 1)
        plain["latency_p95_ms"] = round(latencies[int(0.95 * (len(latencies) - 1))], 1)
    return plain


def passed(result: Result) -> bool:
    """The game ended, both tallies agree, nothing was read wrongly."""
    return result.equal and not result.problem and result.misreads == 0
