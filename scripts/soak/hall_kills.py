"""Every part of a hall is killed again and again while real tables play: no result is lost or doubled, the screen stays awake.

Each round ends one or two of: a broker of the pair, the hall's process, PostgreSQL, a table's core, a table's broker (kill -9),
in any order; every tenth round both brokers of the hall at once. After each part of twenty rounds the tables' journals, which are
the truth, are compared with PostgreSQL. Silence is counted while one broker lives and has its tables: seconds from a move on
the table's own screen to the same score at the hall. Beside them pairs of tables play that are never killed, one of each in the
hall and one that has none: after every round of kills follows a window as long without, and the p99 of all four is compared
(`hall_play.py`). A round takes 15 to 25 seconds, 200 an hour or more. Resumable: finished parts of twenty stand in the report
and are not run again.
usage: hall_kills.py [--rounds 200] [--report out/soak/hall-kills.json] [--tables 3] [--measured 2] [--seed 0]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from hall_play import Measured, judged, windows

from benches.quick_table import QuickTable
from companion.journal.store import Journal
from companion.past.history import plays
from companion.wire.hall import TableScore
from companion.wire.messages import Admin
from companion.wire.process import hold
from hall.brokers import HALL, hashed, own_password
from hall.line import Line
from hall.merged import Merged
from hall.messages import heard
from hall.settings import Settings
from hall.store import StoreAwayError
from hall.supervisor import Child, Supervisor
from hall.terminal import invitation
from hall.virtual import end_all

ROOT = Path(__file__).resolve().parents[2]
PART = 20
PATIENCE = 60.0
CALMING = 3.0
"""Seconds in which what has just started finds its pace; nobody counts them."""
BUSY = 0.25
"""Seconds between two moves at a table."""


class Watcher:
    """What the big screen would know, heard by lines of our own."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.merged = Merged()
        self.there: list[set[str]] = [set(), set()]
        """Broker -> tables whose bridge it has."""
        self.seen: dict[tuple[str, str, int], float] = {}
        user = (HALL, own_password(folder))
        self.lines = [
            Line(
                ("127.0.0.1", port),
                user,
                folder / "hall.pem",
                lambda topic, payload, number=number: self._heard(number, topic, payload),  # type: ignore[misc]
                lambda up, number=number: None if up else self._lost(number),  # type: ignore[misc]
            )
            for number, port in enumerate(settings.ports)
        ]
        for line in self.lines:
            line.start()

    def _lost(self, number: int) -> None:
        self.merged.lost(number)
        self.there[number].clear()

    def _heard(self, number: int, topic: str, payload: bytes) -> None:
        said = heard(topic, payload)
        if said.what == "here":
            (self.there[number].add if said.message else self.there[number].discard)(said.table)
        for one in self.merged.hear(number, said):
            if isinstance(one.message, TableScore) and one.message.game_id:
                key = (one.table, one.message.game_id, one.message.seq)
                self.seen.setdefault(key, time.monotonic())


class Evening:
    """One part: a hall, some tables, twenty rounds."""

    def __init__(self, place: Path, disk: Path, held: ExitStack, count: int, measured: int, seed: int) -> None:
        self.chance = random.Random(seed)
        processors = sorted(os.sched_getaffinity(0))
        if len(processors) > 1:  # one is the measured tables' own
            os.sched_setaffinity(0, set(processors[:-1]))
        ports = tuple(held.enter_context(hold()).getsockname()[1] for _ in range(3))
        self.settings = Settings(
            addresses=("127.0.0.1",), host="127.0.0.1", ports=ports[:2], web_port=ports[2], web_host="127.0.0.1"
        )
        folder = place / "hall"
        folder.mkdir()
        (folder / "hall.toml").write_text(
            f'addresses = ["127.0.0.1"]\nhost = "127.0.0.1"\nports = {list(ports[:2])}\n'
            f'web_host = "127.0.0.1"\nweb_port = {ports[2]}\n'
        )
        self.supervisor = Supervisor(self.settings, folder)
        self.tables: list[QuickTable] = []
        self._until(self.supervisor.ready, "the hall")
        for number in range(count):
            name = f"table-{number}"
            made = invitation(self.settings, folder, name)
            self.supervisor.store.invite(name, hashed(made.key))
            table = QuickTable(name, place / name, held, pace=BUSY)
            table.join(made)
            self.tables.append(table)
        self.measured: list[Measured] = []
        for number in range(measured):
            name = f"measured-{number}"
            made = invitation(self.settings, folder, name)
            self.supervisor.store.invite(name, hashed(made.key))
            self.measured.append(Measured(name, disk, made, processors[-1] if len(processors) > 1 else None))
        self.watcher = Watcher(self.settings, folder)
        self._until(lambda: all(map(self.whole, (0, 1))), "every bridge at both brokers")

    def whole(self, broker: int) -> bool:
        return len(self.watcher.there[broker]) == len(self.tables) + len(self.measured)

    def step(self) -> None:
        self.supervisor.step()
        now = time.monotonic()
        for table in self.tables:
            table.look(now)
        time.sleep(0.01)

    def _until(self, done: Any, what: str, patience: float = PATIENCE) -> None:
        last = time.monotonic() + patience
        while not done():
            self.step()
            if time.monotonic() > last:
                raise AssertionError(f"not within {patience:.0f} s: {what}")

    def go_on(self, seconds: float) -> None:
        last = time.monotonic() + seconds
        while time.monotonic() < last:
            self.step()

    def child(self, name: str) -> Child:
        return next(child for child in self.supervisor.children if child.name == name)

    def kill(self, child: Child) -> None:
        if child.process is not None and child.process.poll() is None:
            os.kill(child.process.pid, signal.SIGKILL)

    def round(self, number: int) -> dict[str, Any]:
        """Kill, look how long the screen knew nothing new, wait until nothing is away; then as long in peace."""
        for table in self.tables:
            table.shown.clear()
            table.again.clear()
        began = time.monotonic()
        both = number % 10 == 9
        alive = [broker for broker in (0, 1) if self.whole(broker)]
        victims = ["hall", "postgres", "core", "table"]
        if len(alive) == 2:
            victims += ["broker-0", "broker-1"] * 2
        chosen = (
            ["broker-0", "broker-1"]
            if both and len(alive) == 2
            else self.chance.sample(victims, self.chance.choice((1, 1, 2)))
        )
        if {"broker-0", "broker-1"} <= set(chosen) and not both:
            chosen = chosen[:1]
        disturbed: set[str] = set()
        for name in chosen:
            if name in ("core", "table"):
                table = self.chance.choice(self.tables)
                disturbed.add(table.name)
                self.kill(table.children[1 if name == "core" else 0])
            else:
                self.kill(self.child(name))
        self.go_on(self.chance.uniform(2.0, 4.0))
        counted = not both and alive == [0, 1]
        silence = (
            max((self.silence(t) for t in self.tables if t.name not in disturbed), default=0.0) if counted else None
        )
        back = time.monotonic()
        self._until(lambda: self.whole(0) and self.whole(1), "the bridges are back")
        peace = time.monotonic()
        self.go_on(CALMING)
        again = [self.announced_again(table) for table in self.tables]
        quiet = time.monotonic()
        self.go_on(peace - began)
        return {
            "killed": chosen,
            "silence": silence,
            "back": round(peace - back, 2),
            "again": [sum(each) for each in zip(*again, strict=True)],
            "spans": [began, peace, quiet, time.monotonic()],
        }

    def announced_again(self, table: QuickTable) -> tuple[int, int, int]:
        """States said once more that the screen had shown before, by a core that came back for instance: how many; how many of
        them the hall had known before they were said again, so that it hears nothing new; and how many it had never heard of."""
        seen = [self.watcher.seen.get((table.name, *key)) for key in table.again]
        known = [when is not None and when < again for when, (_, again) in zip(seen, table.again.values(), strict=True)]
        return len(seen), sum(known), sum(when is None for when in seen)

    def silence(self, table: QuickTable) -> float:
        """The longest a move of this table was unknown at the hall; one still unknown counts until now."""
        now, worst = time.monotonic(), 0.0
        seen = {(game, seq): at for (name, game, seq), at in self.watcher.seen.copy().items() if name == table.name}
        for (game, seq), at in table.shown.items():
            known = [when for (other, row), when in seen.items() if other == game and row >= seq]
            worst = max(worst, (min(known) if known else now) - at)
        return round(worst, 3)

    def truth(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """Games that ended, out of the journals."""
        found: dict[tuple[str, str], tuple[int, ...]] = {}
        for table in self.tables:
            journal = Journal.reading(table.config.state_dir / "games")
            for play in plays(journal):
                found[table.name, play.id] = tuple(player.total for player in play.tally.players)
            journal.close()
        return found

    def verdict(self) -> dict[str, Any]:
        """After the last round: every game that ended is stored once, as its journal has it."""
        for table in self.tables:
            table.pace = 1e9  # hands off
            table._due = time.monotonic() + 1e9
        self.go_on(1.0)
        for table in self.tables:  # the game on the table is put away, so that the journal says how it ended
            assert table._bus is not None
            table._bus.publish("admin", Admin(id=f"end-{time.monotonic_ns()}", client="display", command="end game"))
        self.go_on(1.0)

        def same() -> bool:
            try:
                stored = self.stored()
            except StoreAwayError:
                return False
            return len(stored) == len(set(stored)) and dict(stored) == self.truth()

        with suppress(AssertionError):
            self._until(same, "the results", 30)
        truth, stored = self.truth(), self.stored()
        keys = [key for key, _ in stored]
        return {
            "results": len(truth),
            "lost": sorted(set(truth) - set(keys)),
            "doubled": len(keys) - len(set(keys)),
            "invented": sorted(set(keys) - set(truth)),
            "wrong": sorted(key for key, points in stored if truth.get(key) not in (None, points)),
        }

    def stored(self) -> list[tuple[tuple[str, str], tuple[int, ...]]]:
        names = {table.name for table in self.tables}
        return [
            ((held.table, held.result.game_id), tuple(int(player.points) for player in held.result.players))
            for held in self.supervisor.store.results()
            if held.table in names
        ]

    def play(self, rounds: list[dict[str, Any]]) -> dict[str, list[list[float]]]:
        """Seconds each move at the measured tables took, by round: in peace and amid kills, in the hall and beside it."""
        made: dict[str, list[list[float]]] = {}
        for alone, name in ((False, ""), (True, "alone_")):
            waits = [wait for pair in self.measured for wait in pair.waits(alone)]
            made[f"{name}kills"] = windows(waits, [(one["spans"][0], one["spans"][1]) for one in rounds])
            made[f"{name}calm"] = windows(waits, [(one["spans"][2], one["spans"][3]) for one in rounds])
        return made

    def end(self) -> None:
        for line in self.watcher.lines:
            line.stop()
        for one in self.measured:
            one.leave()
        for one in self.measured:
            one.end()
        end_all(self.tables)
        self.supervisor.end()


def part(number: int, count: int, measured: int, size: int = PART) -> dict[str, Any]:
    """Twenty rounds in a place of their own: in memory where there is such a place, only the measured tables on the disk."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    name = "tableside-hall-kills-"
    with (
        tempfile.TemporaryDirectory(prefix=name, dir=memory) as place,
        tempfile.TemporaryDirectory(prefix=name) as disk,
        ExitStack() as held,
    ):
        Path(place).chmod(0o711)
        evening = Evening(Path(place), Path(disk), held, count, measured, number)
        try:
            evening.go_on(CALMING)
            rounds = [evening.round(each) for each in range(size)]
            evening.go_on(2.0)
            return {"rounds": rounds, "play": evening.play(rounds)} | evening.verdict()
        finally:
            evening.end()


def main(arguments: list[str]) -> int:
    """0 when nothing was lost or doubled and no silence was too long."""
    parser = argparse.ArgumentParser(prog="hall_kills.py")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--tables", type=int, default=3, help="that may be killed")
    parser.add_argument("--measured", type=int, default=2, help="pairs that are not, and whose play is timed")
    parser.add_argument("--seed", type=int, default=0, help="of the first part")
    parser.add_argument("--report", type=Path, default=ROOT / "out" / "soak" / "hall-kills.json")
    given = parser.parse_args(arguments)
    given.report.parent.mkdir(parents=True, exist_ok=True)
    parts: list[dict[str, Any]] = json.loads(given.report.read_text())["parts"] if given.report.exists() else []
    while sum(len(each["rounds"]) for each in parts) < given.rounds:
        parts.append(part(given.seed + len(parts), given.tables, given.measured, min(PART, given.rounds)))
        given.report.write_text(json.dumps({"parts": parts} | summary(parts)) + "\n")
        sys.stderr.write(f"{json.dumps(summary(parts))}\n")
    return 0 if summary(parts)["ok"] and summary(parts)["play"]["verdict"] == "holds" else 1


def summary(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """What they come to."""
    silences = [one["silence"] for each in parts for one in each["rounds"] if one["silence"] is not None]
    bad = sum(len(each["lost"]) + each["doubled"] + len(each["invented"]) + len(each["wrong"]) for each in parts)
    longest = max(silences, default=0.0)
    again = [sum(one["again"][place] for each in parts for one in each["rounds"]) for place in range(3)]
    timed = [each["play"] for each in parts if "alone_calm" in each["play"]]  # older reports knew no tables beside
    calm, kills, alone_calm, alone_kills = (
        [window for each in timed for window in each[which]] for which in ("calm", "kills", "alone_calm", "alone_kills")
    )
    return {
        "rounds": sum(len(each["rounds"]) for each in parts),
        "results": sum(each["results"] for each in parts),
        "lost": sum(len(each["lost"]) for each in parts),
        "doubled": sum(each["doubled"] for each in parts),
        "silence_longest_s": longest,
        "announced_again": dict(zip(("states", "known_at_the_hall_before", "never_heard_of"), again, strict=True)),
        "play": judged((calm, kills), (alone_calm, alone_kills)),
        "ok": bad == 0 and longest <= 2.0,
    }


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
