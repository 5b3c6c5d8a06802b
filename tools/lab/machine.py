"""A machine of the lab: its disk, what runs for it, and how all of that ends.

The disk hangs on a server of its own (nbdkit) that holds back what the machine has not flushed, as a card with a cache of its own
does; a cut takes both away, and what was held back is lost. `emulated` and `native` are the two kinds of machine.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from tools.lab.place import LabError, cache

MEMORY = 2048
INSIDE = {"ssh": 22, "page": 8780, "gate": 8781, "broker": 8782, "hands": 4567}
"""Ports of the machine that are reached from outside; the broker's by way of ssh alone."""
AUDIT = "audit=1 audit_backlog_limit=0 SYSTEMD_LOG_SECCOMP=1"
"""The kernel notes every call that a filter of systemd's stops, also those that are only refused."""
PLUGIN = Path(__file__).with_name("volatile_disk.py")


class Running(msgspec.Struct, frozen=True):
    """What is known of a started machine; kept in a file, so that another command can go on with it."""

    processes: dict[str, tuple[int, int]]
    """The disk's server, the machine and its other helpers: process and when it was born, so that no other is taken for it."""
    ports: dict[str, int]
    started: float
    line: str = ""
    """The network's, where it was made for this machine."""


class Machine(ABC):
    """One machine in one folder."""

    kind: str
    """What is written behind the name of what was tried on it."""
    drive: str
    """Its disk, as its kernel calls it."""
    ticks: int
    """Of its kernel's, between two edges of the dial; 0: edges do not wait for them."""
    slowness: float
    """How many times as long as a table on a Pi it may take to read; what it reads must be right all the same."""

    def __init__(self, name: str) -> None:
        self.folder = cache() / name
        self._note = self.folder / "running.json"

    def fresh(self, disk: Path) -> None:
        """A new machine: everything written to it from here on lies in a file of its own."""
        self.folder.mkdir(parents=True, exist_ok=True)
        copied(disk, self.disk)
        self._note.unlink(missing_ok=True)

    @property
    def disk(self) -> Path:
        return self.folder / "disk.img"

    @abstractmethod
    def start(self, *, append: str = "") -> Running:
        """Switch it on; returns at once."""

    @abstractmethod
    def shot(self, path: Path) -> Path:
        """What the machine's screen shows."""

    @abstractmethod
    def button(self) -> None:
        """As with the button: the machine is asked to shut down."""

    def serve(self, *parameters: str) -> int:
        """The disk's server; it listens when this returns. In the foreground it would end with whoever started it."""
        note = self.folder / "disk.pid"
        note.unlink(missing_ok=True)
        self.socket("disk").unlink(missing_ok=True)
        command = ["nice", "-n", "10", "nbdkit", "--unix", str(self.socket("disk")), "--pidfile", str(note)]
        command += ["python", str(PLUGIN), f"disk={self.disk}", *parameters]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True, check=False
        )
        if done.returncode or not waited(lambda: note.exists() and note.read_text().strip() != "", 10):
            raise LabError(f"the disk's server did not start: {done.stderr.decode(errors='replace').strip()[-600:]}")
        return int(note.read_text())

    def background(self, command: list[str], log: str) -> subprocess.Popen[bytes]:
        """A process of this machine's that goes on when whoever started it has ended."""
        with (self.folder / log).open("wb") as file:
            return subprocess.Popen(
                ["nice", "-n", "10", *command],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )

    def noted(self, processes: dict[str, int], ports: dict[str, int], line: str = "") -> Running:
        """What runs now, into the file."""
        found = {name: (pid, _born(pid)) for name, pid in processes.items()}
        running = Running(processes=found, ports=ports, started=time.time(), line=line)
        self._note.write_bytes(msgspec.json.encode(running))
        return running

    def socket(self, name: str) -> Path:
        """A socket in this machine's folder."""
        return self.folder / f"{name}.sock"

    @property
    def running(self) -> Running | None:
        """What is running, if it is."""
        found = self.last()
        return found if found is not None and _alive(*found.processes["machine"]) else None

    def last(self) -> Running | None:
        """What was started last and not yet cleared away."""
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(self._note.read_bytes(), type=Running)
        return None

    def stop(self, seconds: float = 60.0) -> bool:
        """As with the button: the machine shuts down by itself. `False`: it had to be cut."""
        running = self.running
        if running is None:
            return True
        with suppress(OSError, LabError):
            self.button()
        gone = waited(lambda: not _alive(*running.processes["machine"]), seconds)
        self.cut()
        return gone

    def cut(self) -> None:
        """The plug is pulled: machine and disk end in the same instant, and what the disk held back is gone."""
        found = self.last()
        if found is None:
            return
        for pid, born in found.processes.values():
            if _alive(pid, born):
                _kill(pid)
        waited(lambda: not any(_alive(*one) for one in found.processes.values()), 10)
        self._note.unlink(missing_ok=True)

    def console(self) -> str:
        """What kernel and systemd wrote on the serial line."""
        return (self.folder / "console.log").read_text(errors="replace")

    def wait(self, done: Callable[[], bool], seconds: float, what: str, process: subprocess.Popen[bytes]) -> None:
        """Until this is so; `LabError` says what else it came to."""
        if not waited(lambda: done() or process.poll() is not None, seconds) or process.poll() is not None:
            said = "".join(
                path.read_text(errors="replace")[-600:] for path in self.folder.glob("*.log") if path.stem != "console"
            )
            raise LabError(f"{what} did not start: {said.strip() or 'no word of it'}")


def _kill(pid: int) -> None:
    """With everything it started: a kernel that runs as a process has one for each of its own."""
    with suppress(ProcessLookupError):
        if os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)


def copied(source: Path, target: Path) -> None:
    """Holes stay holes."""
    target.unlink(missing_ok=True)
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", str(source), str(target)], check=True)


def _born(pid: int) -> int:
    """In the kernel's ticks; 0: there is no such process, or it has ended."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return 0 if state == "Z" else int(fields[18])


def _alive(pid: int, born: int) -> bool:
    """This process, not another that was given its number."""
    return born != 0 and _born(pid) == born


def waited(done: Callable[[], bool], seconds: float) -> bool:
    """Whether it came to be so in time."""
    last = time.monotonic() + seconds
    while not done():
        if time.monotonic() > last:
            return False
        time.sleep(0.05)
    return True


def free_port() -> int:
    """A port the kernel says nobody has."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def tell(what: str) -> None:
    """A word to whoever waits."""
    sys.stderr.write(f"lab: {what}\n")
