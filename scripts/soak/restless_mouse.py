"""A demo with somebody at it who cannot keep still: fifty games, and each ends with equal tallies.

`python scripts/soak/restless_mouse.py [--games 50] [--from 1] [--players 2] [--report FILE]`

Seat one is played by a robot mouse that touches choices at random and, at random moments, takes moves back, turns golems that
lie, drags them to other cards or off the table, lays its own out of turn, and turns the dial either way. No game may stand
still for twenty seconds without the table saying what it waits for: a question to seat one, a difference, a reading it is
not sure of, or whom the virtual hands wait for. The report is written after every game: what passed is not played again by
the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from benches.stand import running
from companion.virtual import own_table as own_tables
from companion.virtual.demo import FAST, bots_at
from companion.virtual.gathering import StalledError
from companion.virtual.own_table import own_table
from companion.virtual.seat import Voice
from companion.wire.config import Config
from companion.wire.messages import Health, State, VirtualHand, VirtualTruth
from companion.wire.room import connection

STILL = 20.0
"""Seconds without a change after which the table must have said what it waits for."""
LONGEST = 1200.0
STARTS, SLOWEST = 20, 180.0
"""Times a table is started for one game, and seconds each may take: this runs beside other work, and gives way to it."""


class Mouse:
    """One hand on the touchscreen, one on the virtual pieces."""

    def __init__(self, config: Config, chance: random.Random) -> None:
        self.chance, self.did = chance, Counter[str]()
        self.state: State | None = None
        self.truth = VirtualTruth(ts=0.0)
        self.changed = time.monotonic()
        self.waits = Counter[str]()
        """How often the hands said whom they wait for."""
        self._told_why = False
        screen = connection(config, "display")
        screen.subscribe("state", self._told)
        self.touch = Voice(screen, "display", "touch")
        self.pieces = connection(config, "beside")
        self.pieces.subscribe("virtual/table", self._lies)
        self.pieces.subscribe("health/virtual", self._why)
        self.pieces.start()

    def _told(self, topic: str, message: Any) -> None:
        if self.state is None or (message.game_id, message.seq) != (self.state.game_id, self.state.seq):
            self.changed = time.monotonic()
        self.state = message

    def _lies(self, topic: str, message: Any) -> None:
        self.truth = message

    def _why(self, topic: str, health: Health) -> None:
        self._told_why = health.say is not None
        if health.say is not None:
            self.waits[health.say.key.rpartition("/")[2]] += 1

    def leave(self) -> None:
        """Both hands off."""
        for bus in (self.touch.bus, self.pieces):
            bus.stop()

    def idle(self, seconds: float) -> None:
        """Watch."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.touch.bus.pump(0.02)
            self.pieces.pump(0.0)

    def fidget(self) -> None:
        """One thing somebody might do now."""
        state = self.state
        if state is None or state.phase != "playing" or state.prompt is None:
            return
        if state.prompt.question is not None:
            self._answer(state)
        elif self.chance.random() < 0.14:
            self.chance.choice((self._undo, self._turn, self._drag, self._lay, self._dial))()
        elif state.prompt.ask.seat in (0, None):
            self._play(state)

    def _play(self, state: State) -> None:
        assert state.prompt is not None
        mine = [one for one in state.prompt.ask.choices if one.off is None and one.move.get("seat", 0) in (0, None)]
        if mine:
            self.did["played"] += 1
            self.touch.move(self.chance.choice(mine).move, seq=state.seq)

    def _answer(self, state: State) -> None:
        assert state.prompt is not None
        assert state.prompt.question is not None
        answers = [one for one in state.prompt.question.answers if one.move is not None]
        if answers:
            self.did["answered"] += 1
            self.touch.move(self.chance.choice(answers).move or {})

    def _undo(self) -> None:
        self.did["undone"] += 1
        self.touch.undo()

    def _die(self) -> tuple[str, int] | None:
        lying = [(slot, i) for slot, what in self.truth.slots.items() for i in range(len(what["dice"]))]
        return self.chance.choice(lying) if lying else None

    def _turn(self) -> None:
        die = self._die()
        if die is not None:
            self._hand(
                "turned", VirtualHand(action="turn", slot=die[0], die=die[1], steps=self.chance.choice((-1, 1, 2)))
            )

    def _drag(self) -> None:
        die, to = self._die(), self.chance.choice(["", *self.truth.slots])
        if die is not None and die[0] != to:
            self._hand("dragged", VirtualHand(action="move", slot=die[0], die=die[1], to=to))

    def _lay(self) -> None:
        if self.truth.slots:
            to, face = self.chance.choice(list(self.truth.slots)), self.chance.randint(1, 6)
            self._hand("laid", VirtualHand(action="move", colour="sun", to=to, face=face))

    def _dial(self) -> None:
        self._hand("dialled", VirtualHand(action="dial", steps=self.chance.choice((-1, 1))))

    def _hand(self, what: str, hand: VirtualHand) -> None:
        self.did[what] += 1
        self.pieces.publish("virtual/hand", hand)

    @property
    def still(self) -> float:
        """Seconds for which nothing happened though it was not for seat one to do something, nor to put anything right."""
        state = self.state
        if state is None or state.phase != "playing" or state.prompt is None:
            return 0.0
        said = state.prompt.question is not None or state.prompt.ask.seat in (0, None) or bool(state.notices)
        return 0.0 if said else time.monotonic() - self.changed

    @property
    def unsaid(self) -> float:
        """The same, when nobody was told either whom the hands wait for."""
        return 0.0 if self._told_why else self.still


def game(config: Config, players: int, seed: int) -> dict[str, Any]:
    """One game with the mouse at it."""
    mouse = Mouse(config, random.Random(seed))
    begun = time.monotonic() + SLOWEST
    while mouse.state is None and time.monotonic() < begun:
        mouse.idle(0.5)
    demo = bots_at(config, "skytopia", players=players, seed=seed, humans=frozenset({0}), attended=True)
    played = threading.Thread(target=demo.play, daemon=True)
    played.start()
    worst, longest, load, start = 0.0, 0.0, 0.0, time.monotonic()
    while played.is_alive() and time.monotonic() - start < LONGEST:
        mouse.idle(mouse.chance.uniform(0.2, 0.9))
        worst, longest, load = (
            max(worst, mouse.unsaid),
            max(longest, mouse.still),
            max(load, os.getloadavg()[0]),
        )
        mouse.fidget()
    result = demo.result
    problem = "it did not end" if played.is_alive() else result.problem
    mouse.leave()
    return {
        "seed": seed,
        "ok": result.equal and not problem and worst <= STILL,
        "problem": problem,
        "equal": result.equal,
        "still": round(worst, 1),
        "longest": round(longest, 1),
        "waits": dict(mouse.waits),
        "load": round(load, 1),
        "seconds": round(time.monotonic() - start),
        "moves": result.moves,
        "points": result.companion,
        "did": dict(mouse.did),
    }


def main() -> int:
    """Games one after the other on one table; 0 when all ended as they should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--report", type=Path)
    wanted = parser.parse_args()
    rows = {row["seed"]: row for row in _played(wanted.report) if row["ok"]}
    own_tables.STARTUP_SECONDS = SLOWEST
    settings = FAST | {
        "TABLESIDE_CAMERA_SOURCE": "virtual",
        "TABLESIDE_DIAL_SOURCE": "virtual",
    }
    seeds = range(wanted.first, wanted.first + wanted.games)
    for seed in (one for one in seeds if one not in rows):
        rows[seed] = _begun(settings, wanted.players, seed)
        sys.stderr.write(json.dumps(rows[seed], ensure_ascii=False) + "\n")
        if wanted.report:
            wanted.report.write_bytes(msgspec.json.encode([rows[one] for one in sorted(rows)]))
    return 0 if all(rows[seed]["ok"] for seed in seeds) else 1


def _begun(settings: dict[str, str], players: int, seed: int) -> dict[str, Any]:
    """One game on a table of its own. A machine too busy to start one has shown nothing about the game: it is tried again."""
    for _ in range(STARTS):
        with suppress(StalledError), own_table(**settings) as own, running(own, "display"):
            row = game(own.config(), players, seed)
            if row["moves"] or not row["problem"]:
                return row
        sys.stderr.write(f"seed {seed}: the table did not start\n")
    raise SystemExit("the table does not start here")


def _played(report: Path | None) -> list[dict[str, Any]]:
    """Games of an earlier run."""
    return msgspec.json.decode(report.read_bytes()) if report and report.exists() else []


if __name__ == "__main__":
    raise SystemExit(main())
