"""`tableside monkey`: whole games over the real core, played by somebody who does everything people do, and worse.

Legal moves and bent ones, corrections, other copies of the box, undo, phones that come and go, restarts in between. After
each step everything can be told, nobody is stuck and the journal tells the same game. A game depends on the seed, the
pack and its number alone, so that every fault can be played again.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.core.chance import dealt_by
from companion.monkey.evening import Evening
from companion.monkey.faults import Ear, Fault, FaultFound, Report, told

__all__ = ["Report", "play", "run", "told"]


def play(game: str, seed: int, number: int, tell: Callable[[str], None] = lambda line: None) -> Report:
    """One game, and what was wrong with it."""
    chance = random.Random(f"{seed}/{game}/{number}")
    report = Report(games=1, faults=[])
    with tempfile.TemporaryDirectory(prefix="tableside-monkey-") as place, dealt_by(chance), Ear() as ear:
        evening: Evening | None = None
        try:
            evening = Evening(game, Path(place), chance, ear, tell)
            evening.play()
        except FaultFound as found:
            step, last = (evening.step, tuple(evening.steps)) if evening else (0, ())
            report.faults.append(Fault(found.kind, found.where, found.what, game, seed, number, step, last))
            tell(f"{found.kind}: {found.what}")
        finally:
            if evening is not None:
                report.moves = evening.rig.asked
                evening.close()
    return report


def run(
    games: Sequence[str],
    count: int,
    seed: int,
    first: int = 0,
    tell: Callable[[str], None] = lambda line: None,
    done: Callable[[Report], None] = lambda report: None,
) -> Report:
    """So many games, each pack in its turn; `done` hears of the whole after each."""
    report = Report(faults=[])
    for number in range(first, first + count):
        one = play(games[number % len(games)], seed, number, tell)
        report.games += one.games
        report.moves += one.moves
        report.faults += one.faults
        done(report)
    return report
