"""One command starts the table and keeps it alive; nothing is left behind."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.machine import supervisor
from companion.wire.messages import State
from display.app import CLOSED
from tests.conftest import ALONE, PATIENCE, Place, Run, until
from tests.views import view_of


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_it_ends_cleanly_on_sigterm(table: Run) -> None:
    """Exit code 0, no process and no port left."""
    children = table.children()
    config = table.place.config()
    assert {"broker", "gate", "companion"} == set(children)
    assert table.stop() == 0
    until(lambda: not any(alive(pid) for pid in children.values()), 5)
    for port in (config.web.port, config.broker.port, config.broker.websocket_port):
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", port), 1).close()


def test_no_orphan_survives_a_killed_supervisor(table: Run) -> None:
    """Not even after kill -9."""
    children = table.children()
    assert table.process is not None
    table.process.kill()
    table.process.wait()
    until(lambda: not any(alive(pid) for pid in children.values()), 5, "children gone")


def test_a_second_instance_is_refused_with_a_clear_line(table: Run) -> None:
    """It names the process and what to do."""
    again = subprocess.run(
        [sys.executable, "-m", "companion.cli", "run"],
        env=table.place.full_environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert again.returncode == 1
    assert f"already running here (process {table.process.pid})" in again.stderr  # type: ignore[union-attr]


def test_a_taken_port_is_named(place: Place) -> None:
    """Which port, which setting."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the port is this test's own
        other.bind(("127.0.0.1", place.config().web.port))
        other.listen()
        done = place.python("companion.cli", "run")
    assert done.returncode == 1
    assert f"Port {place.config().web.port} is taken by another program. Change [web] port." in done.stderr


def test_a_window_that_was_closed_ends_the_table(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newcomer D5: it is not opened again, as a screen that failed would be."""
    for name, value in place.full_environment.items():
        monkeypatch.setenv(name, value)
    parent = supervisor.Supervisor(place.config(), frozenset({"firmware_bridge", "vision", "display"}))
    screen = supervisor.Child("display", [sys.executable, "-c", f"raise SystemExit({CLOSED})"], dict(os.environ))
    parent.children = [screen]
    screen.start()
    end = time.monotonic() + PATIENCE
    while not parent.stopping:
        assert time.monotonic() < end
        parent._look_after(time.monotonic())
    parent._end()
    assert CLOSED == supervisor.CLOSED


def test_unknown_rooms_are_wrong_usage(place: Place) -> None:
    """Exit code 2."""
    done = place.python("companion.cli", "run", "--without", "kitchen")
    assert done.returncode == 2
    assert "kitchen" in done.stderr


def test_a_broken_config_still_gives_a_usable_table(place: Place) -> None:
    """Safe mode: the problem is on the screen, a game can be played."""
    config = place.root / "config"
    config.mkdir()
    (config / "tableside.toml").write_text("[display]\nwidth = 3\n")
    run = Run(place, "--without", "vision,display,firmware_bridge").start()
    try:
        display = run.client()
        state = display.until(lambda: display.last(State))
        assert state.phase == "safe"
        assert "width" in str(state.notices[0].text.params["problem"])
        display.new_game("scorepad")
        assert display.move({"kind": "points", "seat": 0, "points": 1}, cause="touch").ok
    finally:
        run.stop()


ROUNDS = int(os.environ.get("TABLESIDE_KILLS", "6"))


@pytest.mark.long(12)
def test_killed_and_frozen_at_random_nothing_acknowledged_is_lost(table: Run) -> None:
    """Core and broker, killed or frozen at random moments of scripted play: back within 5 s, none lost, none twice."""
    chance = random.Random(os.environ.get("TABLESIDE_SEED", "1"))
    display = table.client()
    display.new_game("scorepad")
    acknowledged = 0
    for round_number in range(ROUNDS):
        victim = ("companion", "broker")[round_number % 2]
        how = signal.SIGKILL if chance.random() < 0.6 else signal.SIGSTOP
        pid = until(lambda v=victim: table.children().get(v), 10, victim)
        moves = chance.randrange(1, 4)
        for number in range(moves):
            name = f"k{round_number}-{number}"
            if number == moves - 1:
                time.sleep(chance.random() * 0.01)
                os.kill(pid, how)
            acknowledged += display.insist(name, {"kind": "points", "seat": 0, "points": 1})
        started = time.monotonic()
        state = display.until(
            lambda n=acknowledged: (s := display.last(State)) and view_of(s)["players"][0]["points"] == n and s,
            what="caught up",
        )
        assert table.begun_again(victim) > round_number // 2
        assert not ALONE or time.monotonic() - started < 5.0
        assert acknowledged == view_of(state)["players"][0]["points"]
