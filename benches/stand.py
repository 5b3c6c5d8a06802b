"""A whole table for measuring, and what it costs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

from companion.virtual.own_table import OwnTable, end
from companion.wire.config import Config


@contextmanager
def running(table: OwnTable, *without: str) -> Iterator[Popen[bytes]]:
    """`tableside run`, ended afterwards; its log is in the state directory."""
    state = table.config().state_dir
    state.mkdir(parents=True, exist_ok=True)
    with (state / "run.log").open("wb") as log:
        process = table.start("companion.cli", "run", "--without", ",".join(without), log=log)
    try:
        table.until_broker(process)
        table.until_gate(process)
        yield process
    finally:
        end(process)


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
