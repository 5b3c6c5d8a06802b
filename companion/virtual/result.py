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
    cpu_ms: list[float] = []
    """Processor time of the whole table in the same while, the virtual camera's drawing included."""
    problem: str = ""

    def followed(self, seconds: float, spent: float) -> None:
        """The core told a move by its sensors alone, so long after the pieces lay still."""
        self.seen += 1
        self.latency_ms.append(1000 * seconds)
        self.cpu_ms.append(1000 * spent)

    def compare(self, truth: Tally, told: Tally, auctions: int = 0) -> None:
        """Whether the table's tally is the truth's."""
        self.auctions = auctions
        self.truth = {player.name: player.total for player in truth.players}
        self.companion = {player.name: player.total for player in told.players}
        self.equal = truth == told


def report(result: Result) -> dict[str, Any]:
    """The JSON of docs/design.md §8."""
    plain: dict[str, Any] = msgspec.to_builtins(result)
    for name in ("latency", "cpu"):
        values = sorted(plain.pop(f"{name}_ms"))
        if values:
            plain[f"{name}_p50_ms"] = round(values[len(values) // 2], 1)
            plain[f"{name}_p95_ms"] = round(values[int(0.95 * (len(values) - 1))], 1)
    return plain


def passed(result: Result) -> bool:
    """The game ended, both tallies agree, nothing was read wrongly."""
    return result.equal and not result.problem and result.misreads == 0
