"""Whether play at a table waits while the hall's parts are killed: the same tables, windows with and without kills in turn.

A table that is measured is a process of its own with its hands: it plays the score pad move after move and writes down when each
was made and how long its answer took. Of two processors it has one, with its core and its broker; hall, brokers, PostgreSQL and
the tables that are killed share the other, and their files lie in memory: at a club they are other machines, and what is asked
is whether a table waits for them, not whether they take its processor or its disk away. Started by `hall_kills.py`.
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

from companion.wire.invitation import Invitation, read
from companion.wire.messages import Admin, MoveRequest
from companion.wire.process import dies_with
from hall.virtual import QuickTable

PACE = 0.03
"""Seconds from an answer to the next move."""
WITHIN = 1.10
"""The p99 with kills may be a tenth more than without."""
PATIENCE = 90.0
"""Seconds for a table to end, on a machine with far too much to do."""
DRAWN = 400
"""Times the rounds are drawn anew for the interval."""
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
        """Keep it alive and play; sleeps until something is heard."""
        for child in self.children:
            child.look(now)
        if self._bus is None:
            if self.answers():
                self._bus = self._sit_down()
            return
        self._bus.pump(min(PACE, max(0.001, self._due - now)))
        if self._asked and now - min(self._asked.values()) > LOST:
            self.measured += [(asked, now - asked) for asked in self._asked.values()]
            self._asked.clear()
        if not self._asked and time.monotonic() >= self._due:
            self._act(time.monotonic())

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


def main(name: str, folder: str, invitation: str, told: str) -> None:
    """A measured table, until SIGTERM; every second what was measured is written down."""
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stopped.append(number))
    with ExitStack() as held, Path(told).open("w") as file:
        table = Hands(name, Path(folder), held)
        table.join(read(invitation))
        written = time.monotonic()
        while not stopped:
            now = time.monotonic()
            table.look(now)
            if now - written > 1:
                written, measured, table.measured = now, table.measured, []
                file.write("".join(f"{asked:.6f} {wait:.6f}\n" for asked, wait in measured))
                file.flush()
        table.end()


class Measured:
    """The other end of it, in the soak."""

    def __init__(self, name: str, place: Path, invitation: Invitation, processor: int | None) -> None:
        self.name, self.config_dir, self._told = name, place / name, place / f"{name}.waits"
        command = [sys.executable, "-P", str(Path(__file__)), name, str(place / name), invitation.text, str(self._told)]
        ending = dies_with(os.getpid(), signal.SIGTERM)

        def apart() -> None:
            ending()
            if processor is not None:
                os.sched_setaffinity(0, {processor})

        root = str(Path(__file__).resolve().parents[2])
        environment = os.environ | {"PYTHONPATH": root}
        self._process = subprocess.Popen(command, env=environment, preexec_fn=apart)  # noqa: PLW1509 - one thread

    def waits(self) -> list[tuple[float, float]]:
        """All so far."""
        if not self._told.exists():
            return []
        lines = self._told.read_text().splitlines()
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


def judged(calm: Sequence[Sequence[float]], kills: Sequence[Sequence[float]]) -> dict[str, Any]:
    """The p99 of both, and how far their ratio can be trusted: rounds are drawn anew, each with its two windows."""
    pairs = [(np.array(a), np.array(b)) for a, b in zip(calm, kills, strict=True) if len(a) and len(b)]
    if not pairs:
        return {"verdict": "nothing was measured"}
    chance = np.random.default_rng(1)

    def p99(chosen: Sequence[int], which: int) -> float:
        return float(np.percentile(np.concatenate([pairs[number][which] for number in chosen]), 99))

    everyone = range(len(pairs))
    ratios = []
    for _ in range(DRAWN):
        drawn = chance.integers(0, len(pairs), len(pairs)).tolist()
        ratios.append(p99(drawn, 1) / p99(drawn, 0))
    low, high = (float(np.percentile(ratios, share)) for share in (2.5, 97.5))
    verdict = (
        "holds"
        if high <= WITHIN
        else "does not hold"
        if low > WITHIN
        else "not decided: more rounds, or a quieter machine"
    )
    return {
        "moves_calm": sum(len(a) for a, _ in pairs),
        "moves_kills": sum(len(b) for _, b in pairs),
        "p99_calm_ms": round(1000 * p99(everyone, 0), 2),
        "p99_kills_ms": round(1000 * p99(everyone, 1), 2),
        "longest_kills_ms": round(1000 * max(float(b.max()) for _, b in pairs), 1),
        "longest_calm_ms": round(1000 * max(float(a.max()) for a, _ in pairs), 1),
        "ratio": round(p99(everyone, 1) / p99(everyone, 0), 3),
        "ratio_95": [round(low, 3), round(high, 3)],
        "verdict": verdict,
    }


if __name__ == "__main__":
    main(*sys.argv[1:5])
