"""The plug is pulled in mid-game: every move that was answered must be on the disk, once, and the disk must be sound.

A machine is woken with a table at rest, a score pad is filled as fast as the table answers, and at a moment chosen by chance
machine and disk are killed. The disk is then mended as at any start (its journal replayed) and its games are opened by the
table's own code. Every few cuts the machine is also started from that very disk, to see the table come back by itself.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.journal.store import Journal
from companion.virtual.seat import Voice
from companion.wire.config import Config
from companion.wire.messages import Admin, State
from companion.wire.room import connection
from tools.lab.emulated import Emulated
from tools.lab.guest import SLOW, Guest
from tools.lab.place import LabError, cache
from tools.lab.world import STATE, heard, lent, until

AT_ONCE = 4
"""Moves under way at any moment: a cut then always finds some half-written."""
LONGEST = 20.0


class Cut(msgspec.Struct, kw_only=True):
    """One cut, and what was found afterwards."""

    acknowledged: int
    """Moves the table had answered."""
    written: int
    """Moves in the journal afterwards; those under way may be among them."""
    lost: int
    doubled: int
    damaged: bool
    disk: str
    """What e2fsck had to say: "clean", "mended" (its journal was replayed) or "broken"."""
    started: float | None = None
    """Seconds of the machine's own time to a playable table, where it was started again."""
    machine: str = "emulated"
    rows: int = 0
    """All rows of the game on the disk."""
    busy: float | None = None
    """Processor seconds the machine had until somebody saw that the table was playable."""
    back: bool | None = None
    """Whether the table came back by itself, in the same game and with every row."""


class Pad:
    """A score pad filled as fast as it is answered."""

    def __init__(self, config: Config, chance: random.Random) -> None:
        self.voice = Voice(connection(config, "host"), "host", "touch")
        self.state: State | None = None
        self.voice.bus.subscribe("state", self._heard)
        self.chance = chance
        self.asked: list[str] = []
        self.game = ""

    def _heard(self, topic: str, message: Any) -> None:
        self.state = message

    def begin(self) -> None:
        """A new game for two."""
        self._until(lambda: self.state is not None, "a core that listens")
        seats = [{"name": "Magda", "colour": "sun"}, {"name": "Tomek", "colour": "leaf"}]
        args = {"game": "scorepad", "seats": seats, "options": {"rounds": 0}}
        self.game = self._order("new game", args)["game"]

    def end(self) -> None:
        """It is put away: whoever comes next finds the lobby."""
        self._order("end game", {})

    def _order(self, command: Literal["new game", "end game"], args: dict[str, Any]) -> dict[str, Any]:
        name = self.voice.send("admin", lambda name: Admin(id=name, client="host", command=command, args=args))
        self._until(lambda: name in self.voice.answers, f"an answer to {command}")
        answer = self.voice.answers[name]
        if not answer.ok:
            raise LabError(f"{command} was refused: {answer.refusal}")
        return answer.result

    def fill(self, seconds: float) -> None:
        """Write until the time is over."""
        last = time.monotonic() + seconds
        while time.monotonic() < last:
            open_ = [name for name in self.asked if name not in self.voice.answers]
            for _ in range(AT_ONCE - len(open_)):
                self.ask()
            self.voice.bus.pump(0.01)

    def one(self) -> None:
        """One move, and its answer."""
        name = self.ask()
        self._until(lambda: name in self.voice.answers, "an answer to a move")

    def ask(self) -> str:
        """One move; the name of its request."""
        points = {"kind": "points", "seat": self.chance.randrange(2), "points": self.chance.randrange(1, 9)}
        self.asked.append(self.voice.move(points))
        return self.asked[-1]

    @property
    def acknowledged(self) -> set[str]:
        """The requests that were answered with yes."""
        return {name for name in self.asked if (answer := self.voice.answers.get(name)) and answer.ok}

    def _until(self, done: Any, what: str) -> None:
        heard(self.voice.bus, done, SLOW, what)


def cut(machine: Emulated, memory: Path, disk: Path, seed: int, *, start_again: bool) -> Cut:
    """One cut of a machine that was asleep."""
    chance = random.Random(seed)
    machine.fresh(disk)
    machine.start(asleep=memory)
    guest = Guest(machine)
    guest.until_up()
    with lent(guest) as config:
        pad = Pad(config, chance)
        pad.begin()
        pad.fill(chance.uniform(0.5, LONGEST))
        machine.cut()
        # an answer that was on its way counts: it had left the table
        heard(pad.voice.bus, lambda: not pad.voice.bus.connected, 30, "the line going dead")
        acknowledged = pad.acknowledged
        pad.voice.bus.stop()
    found = judge(machine.disk, pad.game, acknowledged)
    if start_again:
        found.started = back(machine)
    return found


def judge(disk: Path, game: str, acknowledged: set[str], games: str = f"{STATE}/games") -> Cut:
    """What the disk holds of the game; `games`: where, on that disk."""
    checked = subprocess.run(["e2fsck", "-f", "-y", str(disk)], capture_output=True, check=False).returncode
    with tempfile.TemporaryDirectory(prefix="tableside-cut-", dir=cache()) as folder:
        dump = ["debugfs", "-R", f"rdump {games} {folder}", str(disk)]
        subprocess.run(dump, capture_output=True, check=True)
        journal = Journal(Path(folder) / "games")
        rows = journal.rows(game)
        moves = [row.request for row in rows if row.kind == "move"]
        damaged = journal.damage is not None
        journal.close()
    return Cut(
        acknowledged=len(acknowledged),
        written=len(moves),
        rows=len(rows),
        lost=len(acknowledged - set(moves)),
        doubled=len(moves) - len(set(moves)),
        damaged=damaged,
        disk={0: "clean", 1: "mended"}.get(checked, "broken"),
    )


def back(machine: Emulated) -> float:
    """Start from the disk as the cut left it; seconds of the machine's own time until the table can be played."""
    machine.start(steady=True)
    guest = Guest(machine)
    guest.until_up(seconds=SLOW)
    playable = "systemctl show -P ActiveEnterTimestampMonotonic tableside-core.service"
    until(lambda: int(guest.run(playable).strip() or 0), SLOW, "the core after a cut")
    seconds = int(guest.run(playable)) / 1e6
    machine.stop()
    return seconds


def summary(cuts: list[Cut]) -> dict[str, Any]:
    """For the page of figures."""
    starts = [one.started for one in cuts if one.started is not None]
    return {
        "ok": not any(
            one.lost or one.doubled or one.damaged or one.disk == "broken" or one.back is False for one in cuts
        ),
        "cuts": len(cuts),
        "acknowledged": sum(one.acknowledged for one in cuts),
        "lost": sum(one.lost for one in cuts),
        "doubled": sum(one.doubled for one in cuts),
        "mended": sum(one.disk == "mended" for one in cuts),
        "broken": sum(one.disk == "broken" or one.damaged for one in cuts),
        "started": len(starts),
        "slowest_start": max(starts, default=0.0),
        "busiest_start": max((one.busy for one in cuts if one.busy is not None), default=0.0),
        "back": sum(one.back is True for one in cuts),
    }
