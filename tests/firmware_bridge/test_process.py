"""The room as it is started: its own process, a real broker, a clean end."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from companion.wire.config import Config
from companion.wire.messages import DialSeen, Do, Health
from tests.conftest import PATIENCE, Client, Place, until
from tests.firmware_bridge.conftest import need_micropython


@pytest.fixture
def display(broker: Config) -> Iterator[Client]:
    client = Client.room(broker, "display").listen("sensor/dial", "health/firmware_bridge", "answer/display").start()
    yield client
    client.bus.stop()


def start(place: Place, **dial: str) -> subprocess.Popen[bytes]:
    environment = place.full_environment | {f"TABLESIDE_DIAL_{key.upper()}": value for key, value in dial.items()}
    return subprocess.Popen([sys.executable, "-m", "firmware_bridge"], env=environment, stderr=subprocess.PIPE)


def ask(display: Client, command: str, number: int, **args: int) -> bool:
    request = Do(id=f"r{number}", client="display", command=command, args=args)
    return display.ask("do/firmware_bridge", request).ok


def test_from_power_on_to_a_turn_and_a_clean_end(place: Place, display: Client) -> None:
    """Over a real broker: unconfirmed, zero, one notch, killed, back with its place, ended with a farewell."""
    room = start(place, source="virtual", virtual_pace="3")
    try:
        display.until(lambda: display.last(DialSeen) and display.last(DialSeen).state == "unconfirmed")
        assert ask(display, "set zero", 1)
        assert ask(display, "turn", 2, notches=1)
        display.until(lambda: (display.last(DialSeen).state, display.last(DialSeen).position) == ("ready", 1))
        until(lambda: b'"place":16' in (place.config().state_dir / "dial.json").read_bytes(), 5, "the place is kept")
        room.kill()
        room.wait(PATIENCE)
        display.until(lambda: display.last(Health).status == "offline")
        display.heard.clear()
        room = start(place, source="virtual")
        display.until(lambda: display.last(DialSeen) and display.last(DialSeen).state == "unconfirmed")
        display.until(lambda: display.last(DialSeen).position == 1)
        assert ask(display, "confirm", 3)
        display.until(lambda: display.last(DialSeen).state == "ready")
        room.send_signal(signal.SIGTERM)
        assert room.wait(PATIENCE) == 0
        display.until(lambda: display.last(Health).status == "stopped")
    finally:
        room.kill()
        room.wait(PATIENCE)


def test_a_real_port_that_is_missing_does_not_end_it(place: Place, display: Client) -> None:
    """One warning in the log, "no dial" on the corridor, and the room stays."""
    room = start(place, source="serial", port="/nowhere/board")
    try:
        display.until(lambda: display.last(DialSeen) and display.last(DialSeen).state == "no dial")
        assert display.last(DialSeen).say.key == "dial/no-port"
        assert room.poll() is None
    finally:
        room.send_signal(signal.SIGTERM)
        _, log = room.communicate(timeout=PATIENCE)
    assert log.decode().count("There is no /nowhere/board.") == 1


def test_the_arrow_keys_turn_a_dial_on_the_corridor(place: Place, display: Client) -> None:
    """In a terminal: Enter is the button, an arrow a notch, q the end."""
    keys, terminal = pty.openpty()
    room = subprocess.Popen(
        [sys.executable, "-m", "firmware_bridge", "keys"],
        env=place.full_environment,
        stdin=terminal,
        stderr=subprocess.DEVNULL,
    )
    try:
        display.until(lambda: display.last(DialSeen) and display.last(DialSeen).state == "unconfirmed")
        os.write(keys, b"\n")
        display.until(lambda: display.last(DialSeen).state == "ready")
        os.write(keys, b"\x1b[C")
        display.until(lambda: (display.last(DialSeen).state, display.last(DialSeen).position) == ("ready", 1))
        os.write(keys, b"q")
        assert room.wait(PATIENCE) == 0
    finally:
        room.kill()
        room.wait(PATIENCE)
        os.close(keys)
        os.close(terminal)


def test_no_board_outlives_its_room(place: Place, display: Client) -> None:
    """The virtual board is a process of its own; when the room is killed it ends by itself."""
    need_micropython()
    room = start(place, source="virtual", virtual_level="serial")
    try:
        display.until(lambda: display.last(DialSeen) and display.last(DialSeen).state == "unconfirmed")
        (board,) = psutil.Process(room.pid).children()
    finally:
        room.kill()
        room.wait(PATIENCE)
    assert psutil.wait_procs([board], timeout=PATIENCE)[0] == [board]
