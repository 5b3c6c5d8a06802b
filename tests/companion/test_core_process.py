"""The core's process and its parent at their borders: what is said on a terminal, who is not started again."""

from __future__ import annotations

import contextlib
import io
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion import __main__ as process
from companion.machine.supervisor import ROOMS, Supervisor
from companion.wire.config import BrokerConfig, Config, TableConfig, WebConfig


class Terminal(io.StringIO):
    """A screen people read."""

    def isatty(self) -> bool:
        return True


def a_core(**room: Any) -> process.Core:
    """A core without a broker or a page, as far as these tests look at it."""
    core = process.Core.__new__(process.Core)
    core._announced, core._changed = "", 0.0
    core.room = SimpleNamespace(config=Config(), stopping=False, health=lambda **said: None, **room)  # type: ignore[assignment]
    core.room.bus = SimpleNamespace(refused=0)  # type: ignore[assignment]
    core.journal = SimpleNamespace(unclean=0, close=lambda: None)  # type: ignore[assignment]
    join = SimpleNamespace(url="http://table:8780/j/ABCDEF")
    core.table = SimpleNamespace(  # type: ignore[assignment]
        announcer=SimpleNamespace(join_info=lambda: join),
        session=None,
        seats=SimpleNamespace(phones={}),
        archive=SimpleNamespace(close=lambda: None),
        robots=SimpleNamespace(thinker=SimpleNamespace(look_after=lambda: None), close=lambda: None),
        hints=SimpleNamespace(thinker=SimpleNamespace(look_after=lambda: None), close=lambda: None),
        hall=SimpleNamespace(step=lambda now: None),
        care=SimpleNamespace(restart=False, close=lambda: None),
        shut_down=False,
    )
    return core


def test_the_way_in_is_printed_once_and_only_when_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As words in a log, with a picture to scan on a terminal."""
    monkeypatch.setenv("TABLESIDE_PRINT_JOIN", "")
    monkeypatch.setattr(sys, "stderr", log := io.StringIO())
    a_core().announce()
    assert log.getvalue() == ""
    monkeypatch.setenv("TABLESIDE_PRINT_JOIN", "1")
    core = a_core()
    core.announce()
    core.announce()
    assert log.getvalue().count("http://table:8780/j/ABCDEF") == 1
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    a_core().announce()
    assert len(screen.getvalue().splitlines()) > 10, "the code to scan"


def test_the_next_code_is_printed_when_the_one_before_was_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newcomer E7: each code is good for one phone, and where there is no screen the terminal alone can show the next."""
    monkeypatch.setenv("TABLESIDE_PRINT_JOIN", "1")
    monkeypatch.setattr(sys, "stderr", log := io.StringIO())
    core = a_core()
    core.announce()
    for number, now in enumerate((1.0, 1.5, 2.0)):  # three sit down at once
        core.table.announcer.join_info = lambda number=number: SimpleNamespace(url=f"http://table:8780/#NEXT{number}")  # type: ignore[method-assign]
        core.announce(now)
    for now in (3.0, 20.0, 21.0):
        core.announce(now)
    assert log.getvalue().count("NEXT") == log.getvalue().count("NEXT2") == 1


def test_a_demo_tells_the_way_in_when_its_bots_have_sat_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them uses up a code: the first one printed, and the picture of it, would open nothing."""
    monkeypatch.setenv("TABLESIDE_PRINT_JOIN", "1")
    monkeypatch.setenv("TABLESIDE_PRINT_JOIN_AFTER", "2")
    monkeypatch.setattr(sys, "stderr", log := Terminal())
    core = a_core()
    for number, seats in enumerate(((), (0,), (0, None), (0, 1))):
        core.table.seats.phones = {f"phone-{i}": SimpleNamespace(seat=seat) for i, seat in enumerate(seats)}  # type: ignore[misc]
        core.table.announcer.join_info = lambda number=number: SimpleNamespace(url=f"http://table:8780/#CODE{number}")  # type: ignore[method-assign]
        core.announce(float(number))
    assert "CODE3" in log.getvalue()
    assert log.getvalue().count("CODE") == 1
    assert len(log.getvalue().splitlines()) > 10, "the code to scan"


@pytest.mark.parametrize(("parent", "ended"), [("4242", [(4242, signal.SIGTERM)]), ("", [])])
def test_shutting_down_from_the_screen_ends_the_whole_table(
    monkeypatch: pytest.MonkeyPatch, parent: str, ended: list[tuple[int, int]]
) -> None:
    """With a supervisor all rooms go; under systemd only this one."""
    killed: list[tuple[int, int]] = []
    monkeypatch.setenv("TABLESIDE_SUPERVISOR", parent)
    monkeypatch.setattr(process.os, "kill", lambda number, how: killed.append((number, how)))
    core = a_core()
    core.step(0.0)
    assert not core.room.stopping
    core.table.shut_down = True
    core.step(1.0)
    assert core.room.stopping
    assert killed == ended


@pytest.mark.parametrize(
    ("address", "wanted", "named"), [("10.0.0.7", True, True), ("10.0.0.7", False, False), ("127.0.0.1", True, False)]
)
def test_the_name_on_the_network_is_given_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, address: str, wanted: bool, named: bool
) -> None:
    """Not when the owner does not want it, and not to a machine that is alone."""
    said: list[tuple[Any, ...]] = []
    monkeypatch.setattr(process, "own_address", lambda: address)
    monkeypatch.setattr("companion.door.mdns.Announcement", lambda *what: said.append(what) or "name")
    core = a_core()
    core.web = object()  # type: ignore[assignment]
    core.room.config = Config(table=TableConfig(id="oak", name="Oak"), web=WebConfig(mdns=wanted))
    assert (process._announced(core) == "name") is named
    assert [what[2] for what in said] == (["10.0.0.7"] if named else [])


class Rooms(contextlib.AbstractContextManager[Any]):
    """A room that runs for no time."""

    config = Config()

    def __exit__(self, *wrong: Any) -> None: ...

    def run(self, step: Any, period: float) -> None:
        step(0.0)


@pytest.mark.parametrize("later", [True, False])
def test_a_core_that_cannot_open_its_games_waits_for_the_disk(monkeypatch: pytest.MonkeyPatch, later: bool) -> None:
    """It says what is wrong until it can, or until it is told to stop; then it ends cleanly."""
    stopped, connected = list[str](), list[str]()
    core = a_core()
    core.web = None
    core._connected = lambda: connected.append("yes")  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "argv", ["companion"])
    monkeypatch.setattr(process, "Room", lambda name: Rooms())
    monkeypatch.setattr(process, "only_core", lambda place: contextlib.nullcontext())
    monkeypatch.setattr(process, "_stand_watch", lambda room: None)
    monkeypatch.setattr(process, "attempt", lambda room, make: None)
    monkeypatch.setattr(process, "patiently", lambda room, make: core if later else None)
    monkeypatch.setattr(process, "_announced", lambda core: SimpleNamespace(stop=lambda: stopped.append("name")))
    assert process.main() == 0
    assert (connected, stopped) == ((["yes"], ["name"]) if later else ([], []))


def test_a_second_core_leaves_the_games_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, exit code 1."""
    monkeypatch.setattr(sys, "argv", ["companion"])
    monkeypatch.setattr(process, "Room", lambda name: Rooms())
    monkeypatch.setattr(process, "only_core", lambda place: None)
    assert process.main() == 1
    assert "Another core" in capsys.readouterr().err


# the parent ------------------------------------------------------------------------------------------------------


@pytest.fixture
def parent(tmp_path: Path, ports: Mapping[str, str]) -> Any:
    """A supervisor on somebody else's broker, nothing started."""
    web = WebConfig(port=int(ports["TABLESIDE_WEB_PORT"]))
    config = Config(state_dir=tmp_path, web=web, broker=BrokerConfig(own=False))
    made = Supervisor(config, frozenset(ROOMS) - {"companion", "display"})
    yield made
    made._end()


def test_on_anothers_broker_only_the_rooms_are_started(parent: Supervisor) -> None:
    """The convention's broker is not ours to look after."""
    assert [child.name for child in parent.children] == ["companion", "display"]


def test_a_child_that_is_gone_already_is_not_killed(parent: Supervisor) -> None:
    """Nor one that was never started."""
    child = parent.children[0]
    child.kill()
    child.process = subprocess.Popen([sys.executable, "-c", ""])
    child.process.wait()
    child.kill()
    assert child.process.returncode == 0
