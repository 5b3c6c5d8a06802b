"""A table of its own, apart from the owner's: for a demo, a bench, a test. What is started on it ends with whoever started it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from companion.machine.broker import MEMORY, answers, prepare
from companion.virtual.gathering import StalledError
from companion.virtual.ports import some_ports
from companion.wire.config import PREFIX, Config, load
from companion.wire.process import dies_with

APART = {
    "TABLESIDE_WEB_HOST": "127.0.0.1",
    "TABLESIDE_WEB_ADDRESS": "127.0.0.1",
    "TABLESIDE_WEB_MDNS": "false",
    "TABLESIDE_BROKER_WEBSOCKET_HOST": "127.0.0.1",
    "TABLESIDE_DISPLAY_DRIVER": "dummy",
    "TABLESIDE_DISPLAY_WELCOMED": "true",
    "TABLESIDE_PRINT_JOIN": "",
}
"""Settings of a table nobody outside this machine should find."""
STARTUP_SECONDS = 90.0
"""Seconds a table may take to come up on a busy machine."""


class OwnTable:
    """Settings that are nobody else's, and the processes of a table that has them."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        """`settings` as the environment says them; of the owner's own nothing is left."""
        self.environment = dict(settings)

    @property
    def full_environment(self) -> dict[str, str]:
        """What its processes find around them."""
        return {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)} | self.environment

    def config(self) -> Config:
        """Its settings, read as its processes read them."""
        return load(environment=self.full_environment)

    def start(self, *module: str, log: IO[bytes] | int | None = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """`python -m MODULE...` at this table, ended with us, however we end."""
        return self._tied([sys.executable, "-P", "-m", *module], self.full_environment, log)

    def start_broker(self) -> subprocess.Popen[bytes]:
        """Mosquitto with this table's rules; it answers already."""
        process = self._tied(prepare(self.config()), self.full_environment | MEMORY, subprocess.DEVNULL)
        try:
            self.until_broker(process)
        except StalledError:
            end(process)
            raise
        return process

    @staticmethod
    def _tied(command: list[str], environment: dict[str, str], log: IO[bytes] | int | None) -> subprocess.Popen[bytes]:
        ending = dies_with(os.getpid(), signal.SIGTERM)  # a supervisor ends its rooms before itself
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log, preexec_fn=ending)  # noqa: PLW1509

    def until_broker(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until the broker answers; `StalledError` when whoever should start it has ended, or takes too long."""
        port = self.config().broker.port
        _until(lambda: answers("127.0.0.1", port, 0.5), process, "the broker does not answer")

    def until_gate(self, process: subprocess.Popen[bytes]) -> None:
        """The same for the gate that phones call at."""
        port = self.config().broker.websocket_port
        _until(lambda: _listens(port), process, "the gate does not open")


def _until(done: Callable[[], bool], process: subprocess.Popen[bytes], what: str) -> None:
    last = time.monotonic() + STARTUP_SECONDS
    while not done():
        if process.poll() is not None or time.monotonic() > last:
            raise StalledError(what)
        time.sleep(0.02)


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def end(process: subprocess.Popen[bytes], seconds: float = 20.0) -> int:
    """Ask it to end, and insist when it does not; its exit code."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


@contextmanager
def own_table(**settings: str) -> Iterator[OwnTable]:
    """A table in a folder and on ports of its own, all gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tableside-own-") as folder, some_ports() as ports:
        yield OwnTable(apart(Path(folder)) | ports | settings)


def apart(folder: Path) -> dict[str, str]:
    """Settings of a table in this folder that nobody outside this machine should find."""
    return {"TABLESIDE_STATE_DIR": str(folder), "TABLESIDE_CONFIG_DIR": str(folder / "config"), **APART}
