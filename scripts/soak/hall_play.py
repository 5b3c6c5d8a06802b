"""Whether play at a table waits while the hall's parts are killed: two tables side by side, one in the hall, one that has none.

A pair is a process of its own with the hands of both. It plays the score pad by turns, a move here, the next move there, and
writes down when each was made and how long its answer took. Whatever this machine does to one at that moment it does to the
other: its processor, its disk, whoever else works on it. Only the first can wait for the hall. So of both the p99 is taken in
windows with and without kills (which follow each other), and what is judged is by how much more the kills cost the table that is
in the hall.

Of two processors the pairs have one, with their cores and brokers; hall, brokers, PostgreSQL and the tables that are killed share
the other, and their files lie in memory: at a club they are other machines. Started by `hall_kills.py`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from benches.quick_table import QuickTable
from companion.wire.invitation import Invitation, read
from companion.wire.messages import Admin, MoveRequest
from companion.wire.process import dies_with
from hall.virtual import end_all

PACE = 0.02
"""Seconds from an answer to the next move, at the other table."""
WITHIN = 1.10
"""The p99 with kills may be a tenth more than without, beside what the kills cost a table that has no hall."""
ALONE = "alone"
PATIENCE = 90.0
"""Seconds for a table to end, on a machine with far too much to do."""
DRAWN = 400
"""Times the rounds are drawn anew for the interval."""
FEWEST = 20
"""Rounds below which drawing them anew says nothing."""
LOST = 5.0
"""Seconds after which a move without an answer is made again; it counts with all of them."""


class Hands(QuickTable):
    """One move at a time; whatever is answered counts, a refusal too."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.measured: list[tuple[float, float]] = []
        """When a move was made, and the seconds to its answer."""

    def _on_answer(self, topic: str, message: Any) -> None:
        asked = self._asked.pop(message.id, None)
        if asked is not None:
            now = time.monotonic()
            self.measured.append((asked, now - asked))
            self._due = now + PACE

    def look(self, now: float) -> None:
        """Keep it alive; nothing is played."""
        for child in self.children:
            child.look(now)
        if self._bus is not None:
            self._bus.pump()
        elif self.answers():
            self._bus = self._sit_down()

    def turn(self, now: float) -> bool:
        """Play, sleeping until something is heard; says whether this table has had its move and its answer."""
        if self._bus is None:
            return False
        before = len(self.measured)
        self._bus.pump(min(PACE, max(0.001, self._due - now)))
        if self._asked and now - min(self._asked.values()) > LOST:
            self.measured += [(asked, now - asked) for asked in self._asked.values()]
            self._asked.clear()
        if len(self.measured) > before:
            return True
        if not self._asked and time.monotonic() >= self._due:
            self._act(time.monotonic())
        return False

    def _act(self, now: float) -> None:
        state, bus = self.state, self._bus
        if state is None or bus is None or not bus.connected:
            return
        name = f"{self._chance.getrandbits(64):x}"
        self._due = now + PACE
        if state.phase != "playing":
            args = {"game": "scorepad", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
            bus.publish("admin", Admin(id=name, client="display", command="new game", args=args))
            self.state = None  # the new game's state follows
            return
        move = {"kind": "points", "seat": state.seq % 2, "points": self._chance.randint(1, 9)}
        request = MoveRequest(
            id=name,
            move={"kind": "end"} if state.seq > 200 else move,
            game=state.game_id,
            seq=state.seq,
            cause="touch",
        )
        self._asked[name] = time.monotonic()
        bus.publish("move/display", request)


def main(name: str, place: str, invitation: str) -> None:
    """A pair, until SIGTERM; every second what was measured is written down."""
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stopped.append(number))
    with ExitStack() as held:
        there, alone = (Hands(each, Path(place) / each, held) for each in (name, f"{name}-{ALONE}"))
        there.join(read(invitation))
        alone.write_broker_files()
        pair = (there, alone)
        files = [held.enter_context(told(Path(place), table.name).open("w")) for table in pair]
        written, number = time.monotonic(), 0
        while not stopped:
            now = time.monotonic()
            for table in pair:
                table.look(now)
            if pair[number].turn(now):
                number = 1 - number
                pair[number]._due = time.monotonic() + PACE
            elif pair[number]._bus is None:
                time.sleep(PACE)
            if now - written > 1:
                written = now
                for table, file in zip(pair, files, strict=True):
                    measured, table.measured = table.measured, []
                    file.write("".join(f"{asked:.6f} {wait:.6f}\n" for asked, wait in measured))
                    file.flush()
        end_all(pair)


def told(place: Path, name: str) -> Path:
    """Where a table's waits are written."""
    return place / f"{name}.waits"


class Measured:
    """The other end of it, in the soak."""

    def __init__(self, name: str, place: Path, invitation: Invitation, processor: int | None) -> None:
        self.name, self._place = name, place
        command = [sys.executable, "-P", str(Path(__file__)), name, str(place), invitation.text]
        ending = dies_with(os.getpid(), signal.SIGTERM)

        def apart() -> None:
            ending()
            if processor is not None:
                os.sched_setaffinity(0, {processor})

        root = str(Path(__file__).resolve().parents[2])
        environment = os.environ | {"PYTHONPATH": root}
        self._process = subprocess.Popen(command, env=environment, preexec_fn=apart)  # noqa: PLW1509 - one thread

    def waits(self, alone: bool) -> list[tuple[float, float]]:
        """All so far, of the table in the hall or of the one beside it."""
        file = told(self._place, f"{self.name}-{ALONE}" if alone else self.name)
        lines = file.read_text().splitlines() if file.exists() else ()
        return [(float(asked), float(wait)) for asked, wait in (line.split() for line in lines if line.count(" ") == 1)]

    def leave(self) -> None:
        """It may go; nobody waits yet."""
        self._process.terminate()

    def end(self) -> None:
        """Its core and broker end with it."""
        self.leave()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def windows(waits: Sequence[tuple[float, float]], spans: Sequence[tuple[float, float]]) -> list[list[float]]:
    """What was measured in each span of time."""
    return [[wait for asked, wait in waits if begin <= asked < end] for begin, end in spans]


Windows = Sequence[Sequence[float]]


def judged(there: tuple[Windows, Windows], alone: tuple[Windows, Windows]) -> dict[str, Any]:
    """Both kinds of table, each without and with kills: the p99 of all four, and by how much more the kills cost the table in the
    hall. How far that can be trusted: rounds are drawn anew, each with its four windows."""
    every = zip(*there, *alone, strict=True)
    rounds = [[np.array(window) for window in one] for one in every if all(map(len, one))]
    if not rounds:
        return {"verdict": "nothing was measured"}
    chance = np.random.default_rng(1)

    def p99(chosen: Sequence[int]) -> list[float]:
        return [
            float(np.percentile(np.concatenate([rounds[each][which] for each in chosen]), 99)) for which in range(4)
        ]

    def more(calm: float, kills: float, alone_calm: float, alone_kills: float) -> float:
        return kills / calm / (alone_kills / alone_calm)

    drawn = [more(*p99(chance.integers(0, len(rounds), len(rounds)).tolist())) for _ in range(DRAWN)]
    low, high = (float(np.percentile(drawn, share)) for share in (2.5, 97.5))
    undecided, fails = "not decided: more rounds, or a quieter machine", "does not hold"
    found = p99(range(len(rounds)))
    names = ("calm", "kills", "alone_calm", "alone_kills")
    return {
        "moves": {name: sum(len(one[which]) for one in rounds) for which, name in enumerate(names)},
        "p99_ms": {name: round(1000 * found[which], 2) for which, name in enumerate(names)},
        "longest_ms": {
            name: round(1000 * max(float(one[which].max()) for one in rounds), 1) for which, name in enumerate(names)
        },
        "ratio": round(more(*found), 3),
        "ratio_95": [round(low, 3), round(high, 3)],
        "verdict": undecided if len(rounds) < FEWEST or low <= WITHIN < high else "holds" if high <= WITHIN else fails,
    }


if __name__ == "__main__":
    main(*sys.argv[1:4])
