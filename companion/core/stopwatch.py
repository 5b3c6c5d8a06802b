"""How long everybody took, from the rows of the journal alone: the time before a move is the time of who made it.

Nothing is enforced by it. The clock rests while a game is put away and while somebody has stopped it; a leap of more than an hour
is somebody who set the machine's clock, or went to bed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.journal.rows import Row
from companion.wire.messages import Clocks

LONGEST = 3600.0
"""Seconds one move may take."""
CLOCK = "clock"
"""In a `resume` row: the game goes on with its clock stopped or running. Versions that know no clocks read it as a game that
goes on, which it does."""


def clock_row(*, stopped: bool) -> dict[str, Any]:
    """What the row that stops or starts the clock says."""
    return {CLOCK: "stopped" if stopped else "runs"}


UNTAUGHT = {"lesson": "left"}
"""What the row says by which the first game becomes any other."""
HINT = "hint"
"""In such a row, too: the seat that was given a hint, where the table counts them."""


def goes_on(row: Row) -> bool:
    """Nobody moved, and nothing was put away: the clock was stopped or started, the lesson left, or a hint given."""
    return row.kind == "resume" and bool({CLOCK, HINT, *UNTAUGHT} & row.body.keys())


class Stopwatch:
    """Fed with every row of one game, in order."""

    def __init__(self, first: Row, seats: int) -> None:
        self.spent, self.table = [0.0] * seats, 0.0
        self.since, self.stopped = first.ts, False

    def row(self, row: Row) -> float:
        """One more row; the seconds that count before it."""
        gap = row.ts - self.since
        counts = gap if not self.stopped and 0 <= gap <= LONGEST else 0.0
        whose = row.body.get("seat") if row.kind == "move" else None
        if isinstance(whose, int) and 0 <= whose < len(self.spent):
            self.spent[whose] += counts
        else:
            self.table += counts
        self.since = row.ts
        self.stopped = row.kind == "end" or (row.kind == "resume" and row.body.get(CLOCK) == "stopped")
        return counts

    def told(self) -> Clocks:
        """As it travels."""
        spent = tuple(round(seconds, 1) for seconds in self.spent)
        return Clocks(spent=spent, table=round(self.table, 1), since=self.since, stopped=self.stopped)


def by_round(rows: Iterable[Row], rounds: Sequence[tuple[int, int]], seats: int) -> list[list[float]]:
    """For each round the seconds of each seat. `rounds`: from which row on which round was played, in order."""
    watch, found = None, list[list[float]]()
    starts = list(rounds)
    now = 0
    for row in rows:
        if watch is None:
            watch = Stopwatch(row, seats)
            continue
        while starts and starts[0][0] <= row.seq:
            now = max(now, starts.pop(0)[1])
        before = list(watch.spent)
        watch.row(row)
        while len(found) < now:
            found.append([0.0] * seats)
        for seat in range(seats if now else 0):
            found[now - 1][seat] += watch.spent[seat] - before[seat]
    return [[round(seconds, 1) for seconds in line] for line in found]
