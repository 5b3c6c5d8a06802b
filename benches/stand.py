"""A table of its own for measuring: a state directory and ports nobody else uses, gone afterwards."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.machine.broker import answers, prepare
from companion.wire.config import Config, load

QUIET = range(20000, 32000)
"""Below the ports the kernel lends to outgoing connections: one of those may be lent out before its table listens."""
_turn = itertools.count()


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on; no two calls of a process get the same, and other processes begin elsewhere."""
    found: list[int] = []
    while len(found) < count:
        port = QUIET[(os.getpid() * 101 + next(_turn)) % len(QUIET)]
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            found.append(port)
    return found


@contextmanager
def place(**settings: str) -> Iterator[Config]:
    """Settings of a table that touches nothing of the owner's."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as directory:
        page, phones, rooms = map(str, free_ports(3))
        os.environ |= {
            "TABLESIDE_STATE_DIR": directory,
            "TABLESIDE_CONFIG_DIR": str(Path(directory) / "config"),
            "TABLESIDE_WEB_PORT": page,
            "TABLESIDE_WEB_HOST": "127.0.0.1",
            "TABLESIDE_WEB_ADDRESS": "127.0.0.1",
            "TABLESIDE_WEB_MDNS": "false",
            "TABLESIDE_BROKER_PORT": rooms,
            "TABLESIDE_BROKER_WEBSOCKET_PORT": phones,
            "TABLESIDE_BROKER_WEBSOCKET_HOST": "127.0.0.1",
            "TABLESIDE_PRINT_JOIN": "",
            **settings,
        }
        try:
            yield load()
        finally:
            os.environ.clear()
            os.environ.update(before)


@contextmanager
def broker_alone(config: Config) -> Iterator[None]:
    """Mosquitto with this table's rules."""
    process = subprocess.Popen(prepare(config), stderr=subprocess.DEVNULL)
    try:
        _until_broker(config)
        yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def running(config: Config, *without: str) -> Iterator[subprocess.Popen[bytes]]:
    """`tableside run`, ended afterwards; its log is in the state directory."""
    command = [sys.executable, "-m", "companion.cli", "run", "--without", ",".join(without)]
    with (config.state_dir / "run.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _until_broker(config)
        until_gate(config)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _until_broker(config: Config) -> None:
    end = time.monotonic() + 20
    while not answers("127.0.0.1", config.broker.port, 0.5):
        if time.monotonic() > end:
            raise TimeoutError("the broker did not start")
        time.sleep(0.02)


def until_gate(config: Config) -> None:
    """Phones can call."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", config.broker.websocket_port), 1):
            return
        time.sleep(0.02)
    raise TimeoutError("the gate did not open")


def ready_after(config: Config, room: str, seconds: float = 20.0) -> float | None:
    """How long a room took to become useful, from the supervisor's log."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for line in (config.state_dir / "run.log").read_text(errors="replace").splitlines():
            if f"{room} is ready (" in line:
                return float(line.rpartition("(")[2].split()[0])
        time.sleep(0.05)
    return None


def processes(parent: int) -> dict[str, int]:
    """Children of a supervisor by room."""
    found: dict[str, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            its_parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        except (OSError, IndexError, ValueError):
            continue  # it ended while we looked
        if its_parent == parent:
            name = "broker" if b"mosquitto" in command[0] else command[-1].decode().rpartition(".")[2]
            found[name] = int(entry.name)
    return found


def cpu_seconds(pid: int) -> float:
    """Processor time a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
