"""A whole table on a disk that fills up in mid-game: refused with words, broker and core killed on it, then played on."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.core.startup import attempt, only_core, patiently
from companion.wire.config import Config
from companion.wire.messages import Answer, Health, State
from companion.wire.room import Room
from tests.conftest import Client, Place, Run, until
from tests.faults import disk
from tests.views import view_of


class SmallRun(Run):
    """`tableside run` whose state directory is a disk of 3 MB (or whose files may not grow)."""

    def start(self) -> SmallRun:
        # however the tests end, the table does; asked for in there, because a namespace of its own forgets it
        inner = ["setpriv", "--pdeathsig", "TERM", sys.executable, "-m", "companion.cli", "run", *self.arguments]
        state = self.place.root / "state"
        whole = disk.command(state, inner, size_kb=3000) if disk.namespaces() else inner
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(whole, env=self.place.full_environment, stdout=log, stderr=log)
        until(lambda: b"companion is ready" in self.log.read_bytes(), 30, "ready")
        return self

    @property
    def state(self) -> Path:
        """The state directory as it looks from outside."""
        assert self.process is not None
        inside = self.place.root / "state"
        return Path(f"/proc/{self.process.pid}/root{inside}") if disk.namespaces() else inside

    def config(self) -> Config:
        return msgspec.structs.replace(self.place.config(), state_dir=self.state)

    def fill(self) -> None:
        if not disk.namespaces():
            self._limit(0)
            return
        with (self.state / "filler").open("wb", buffering=0) as filler:
            for size in (65536, 4096, 64, 1):
                with contextlib.suppress(OSError):
                    while filler.write(b"x" * size) == size:
                        pass

    def free(self) -> None:
        if not disk.namespaces():
            self._limit(resource.RLIM_INFINITY)
            return
        (self.state / "filler").unlink()

    def _limit(self, size: int) -> None:
        assert self.process is not None
        for pid in (self.process.pid, *self.children().values()):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@pytest.fixture
def small(place: Place) -> Iterator[SmallRun]:
    run = SmallRun(place, "--without", "vision,display,firmware_bridge").start()
    try:
        yield run
    finally:
        run.stop()


def _points(client: Client) -> int:
    state = client.last(State)
    return int(view_of(state)["players"][0]["points"]) if state and state.game else -1


def test_a_table_whose_disk_fills_up_goes_on_when_there_is_room(small: SmallRun) -> None:
    """Refused moves do not count, accepted ones stay, whoever is killed meanwhile; nobody ends with a traceback."""
    host = Client.room(small.config(), "host").listen("state", "answer/host", "health/+").start()
    small.clients.append(host)
    host.new_game("scorepad")
    for _ in range(3):
        assert host.move({"kind": "points", "seat": 0, "points": 1}, cause="touch").ok
    small.fill()
    for _ in range(2):
        answer: Answer = host.move({"kind": "points", "seat": 0, "points": 1}, cause="touch")
        assert not answer.ok
        assert answer.refusal is not None
        assert answer.refusal.code == "table/disk"
    for victim in ("broker", "companion"):
        old = until(lambda v=victim: small.children().get(v), what=victim)
        host.heard.clear()
        os.kill(old, signal.SIGKILL)
        until(lambda v=victim, o=old: small.children().get(v, o) != o, 10, f"{victim} again")
        host.until(lambda: host.bus.connected, 15, "the corridor")
        host.until(lambda: host.last(State) or _trouble(host), 20, "the state, or why there is none")
    if disk.namespaces():  # a limit does not reach the new processes
        assert not host.last(State) or view_of(host.last(State))["players"][0]["points"] == 3
    small.free()
    host.until(lambda: _points(host) == 3, 15, "three points, as accepted")
    assert host.insist("after", {"kind": "points", "seat": 0, "points": 1}) == 1
    host.until(lambda: _points(host) == 4, 10, "four points")
    assert "Traceback" not in small.log.read_text()


def _trouble(client: Client) -> bool:
    told = [m for _, m in client.heard if isinstance(m, Health) and m.room == "companion" and m.say is not None]
    return bool(told) and told[-1].say.key == "table/refuse/closed" and told[-1].do is not None


def test_a_core_waits_for_its_disk_and_says_so(place: Place) -> None:
    """No exit, no restart loop: it looks again, and opens the games as soon as it can."""
    from companion.journal.store import JournalUnusableError
    from companion.wire.memory import MemoryBroker

    corridor = MemoryBroker()
    room = Room("companion", place.config(), corridor.bus("companion"))
    screen = corridor.bus("display")
    heard: list[Health] = []
    screen.subscribe("health/companion", lambda topic, message: heard.append(message))
    screen.start()
    room.bus.start()
    tries: list[int] = []

    def make(given: Room) -> str:
        tries.append(1)
        if len(tries) < 3:
            raise JournalUnusableError("no room") from OSError(28, "No space left on device")
        return "open"

    assert attempt(room, make) is None
    screen.pump()
    assert heard[-1].say is not None
    assert heard[-1].say.key == "table/refuse/closed"
    assert heard[-1].do is not None
    assert heard[-1].do.key == "table/do/disk"
    assert patiently(room, make) == "open"
    assert not room.stopping
    screen.pump()
    assert heard[-1].say is None


def test_told_to_stop_while_it_waits_it_stops(place: Place) -> None:
    """SIGTERM during a full disk is obeyed."""
    from companion.wire.memory import MemoryBroker

    room = Room("companion", place.config(), MemoryBroker().bus("companion"))

    def never(given: Room) -> str:
        given.stopping = True
        raise OSError(28, "No space left on device")

    assert patiently(room, never) is None


def test_a_second_core_on_the_same_games_is_turned_away(place: Place) -> None:
    """Started by hand beside the service: one clear line, exit code 1, the first one undisturbed."""
    first = only_core(place.config().state_dir)
    assert first is not None
    with first:
        again = place.python("companion")
    assert again.returncode == 1
    assert "Another core has these games open" in again.stderr
    released = only_core(place.config().state_dir)
    assert released is not None
    released.close()
