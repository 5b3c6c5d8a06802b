"""A broker that does not answer is ended, once it has been asked twice; whoever started it starts it again."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.machine import pulse
from companion.machine.pulse import Pulse
from tests.conftest import until

LISTENS = """
import contextlib, socket, sys
door = socket.socket(socket.AF_UNIX)
door.bind(sys.argv[1])
door.listen(int(sys.argv[2]))
print("listening", flush=True)
while True:
    line, _ = door.accept()
    with contextlib.suppress(OSError):  # who asked has gone
        line.recv(100)
        line.sendall(b"\\x20\\x02\\x00\\x05")
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "phones"


@pytest.fixture
def broker(place: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    """Refuses a stranger, as Mosquitto does."""
    command = [sys.executable, "-c", LISTENS, str(place), str(getattr(request, "param", 5))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"listening\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def stopped(process: subprocess.Popen[bytes]) -> bool:
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def test_one_that_answers_is_left_alone(place: Path, broker: subprocess.Popen[bytes]) -> None:
    asked = Pulse(place)
    for _ in range(3):
        asyncio.run(asked.feel())
    assert broker.poll() is None


@pytest.mark.parametrize("broker", [5, 0], indirect=True, ids=["lets callers wait", "takes no more callers"])
def test_one_that_is_silent_twice_in_a_row_is_ended(
    place: Path, broker: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Pulse(place)
    asyncio.run(asked.feel())
    monkeypatch.setattr(pulse, "PATIENCE", 0.05)
    os.kill(broker.pid, signal.SIGSTOP)
    until(lambda: stopped(broker), what="a frozen broker")
    asyncio.run(asked.feel())
    assert broker.poll() is None
    asyncio.run(asked.feel())
    assert broker.wait(10) == -signal.SIGKILL


def test_one_that_is_late_once_is_left_alone(
    place: Path, broker: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Pulse(place)
    os.kill(broker.pid, signal.SIGSTOP)
    until(lambda: stopped(broker), what="a frozen broker")
    with monkeypatch.context() as hurried:
        hurried.setattr(pulse, "PATIENCE", 0.05)
        asyncio.run(asked.feel())
    os.kill(broker.pid, signal.SIGCONT)
    asyncio.run(asked.feel())
    asyncio.run(asked.feel())
    assert broker.poll() is None


def test_where_nobody_listens_nobody_is_ended(
    place: Path, broker: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is no more may have left its number to another."""
    asked = Pulse(place)
    asyncio.run(asked.feel())
    broker.kill()
    broker.wait()
    ended: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *who: ended.append(who))
    for _ in range(3):
        asyncio.run(asked.feel())
    assert ended == []
