"""Starts broker and rooms as children and keeps them alive.

Children speak sd_notify with us as they would with systemd: READY=1 when useful, WATCHDOG=1 from their main loop. One
that dies or falls silent is started again; none survives us, not even when we are killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import resource
import selectors
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import IO, Any

from companion.machine import broker, preflight, swap
from companion.wire.config import Config, load
from companion.wire.files import own_folder
from companion.wire.process import dies_with
from companion.wire.secrets import handed_to, room_passwords

log = logging.getLogger("tableside.supervisor")

ROOMS = ("companion", "firmware_bridge", "vision", "display", "speech")
LATE = ("vision", "speech")
"""Rooms that wait until the screen shows something."""
WATCHDOG = 2.0
"""Seconds without a beat after which a room that uses no processor time counts as frozen."""
BUSY = 15.0
"""The same for one that works: it may be reading a whole market on a machine with too much to do."""
STARTUP = 20.0
SCREEN_FIRST = 3.0
"""The camera's room starts when the screen shows something, or after this many seconds: its networks would otherwise
compete with the first frame for the same cores."""
BACKOFF = (0.05, 0.2, 0.5, 1.0, 2.0)
CALM = 5.0
"""A child that lived this long starts again without delay."""
LAST_WORDS = 0.5
"""Seconds for a core to say what it was doing when it fell silent."""
CLOSED = 68
"""Exit code of a screen whose window was closed by somebody who meant it: the table ends."""
MEMORY = 512_000_000
"""Bytes of data the core may have, of which it needs forty million: a game that wants more hears so before the machine swaps.
The unit says the same."""
PICTURES = {"MALLOC_MMAP_THRESHOLD_": "16384", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""Environment of the screen: what it draws three times as large first is given back. The unit says the same."""


class CannotStart(Exception):  # noqa: N818 - it is what the person reads
    """The table cannot start; the message says why and what to do."""


def processor_time(pid: int) -> float:
    """Seconds of processor time a process has used so far; 0 when it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Child:
    """One process we look after."""

    def __init__(
        self,
        name: str,
        command: list[str],
        environment: dict[str, str],
        *,
        watched: bool = True,
        limits: dict[int, int] | None = None,
        unsaid: tuple[str, ...] = (),
    ) -> None:
        """`limits`: the kernel's for this process (`RLIMIT_*`); `unsaid`: lines of its own nobody needs to read."""
        self.name, self.command, self.watched = name, command, watched
        self.environment, self.limits, self.unsaid = environment, limits, unsaid
        self.process: subprocess.Popen[bytes] | None = None
        self.ready = False
        self.beat = self.since = self._busy = 0.0
        """When it last spoke, when it was started, when it last used the processor."""
        self._worked = 0.0
        self.restarts = 0
        self.due = 0.0
        self.ears = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.ears.bind(f"\0tableside-{os.getpid()}-{name}")

    def start(self) -> None:
        """Start it, tied to our own life."""
        environment = self.environment | {
            "NOTIFY_SOCKET": f"@tableside-{os.getpid()}-{self.name}",
            "TABLESIDE_SUPERVISOR": str(os.getpid()),
        }
        if self.watched:
            environment["WATCHDOG_USEC"] = str(int(WATCHDOG * 1e6))
        self.process = subprocess.Popen(
            self.command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE if self.unsaid else None,
            preexec_fn=dies_with(os.getpid(), limits=self.limits),  # noqa: PLW1509 - this process has one thread
            process_group=0,  # Ctrl-C is for us: the broker must outlive the farewells it carries
        )
        if self.process.stderr is not None:
            os.set_blocking(self.process.stderr.fileno(), False)
        self.ready = False
        self.beat = self.since = self._busy = time.monotonic()
        self._worked = 0.0

    def hear(self) -> None:
        """Read what it says."""
        while True:
            try:
                words = self.ears.recv(4096).decode(errors="replace")
            except OSError:
                return
            self.beat = time.monotonic()
            if "READY=1" in words and not self.ready:
                self.ready = True
                log.info("%s is ready (%.1f s)", self.name, self.beat - self.since)

    def pass_on(self) -> None:
        """Its lines go where ours go, but for those nobody needs."""
        if self.process is None or self.process.stderr is None:
            return
        for line in (self.process.stderr.read() or b"").decode(errors="replace").splitlines():
            if not any(words in line for words in self.unsaid):
                sys.stderr.write(f"{line}\n")

    def silent(self, now: float) -> bool:
        """It should have given a sign of life by now."""
        if not self.watched:
            return False
        assert self.process is not None
        worked = processor_time(self.process.pid)
        if worked - self._worked >= 0.02:
            self._worked, self._busy = worked, now
        quiet = now - self.beat
        return quiet > (BUSY if self.ready else STARTUP) or min(quiet, now - self._busy) > WATCHDOG

    def kill(self, *, last_words: bool = False) -> None:
        """End it now; as systemd does it, one that fell silent may first leave word of what it was doing."""
        if self.process is None or self.process.poll() is not None:
            return
        if last_words:
            self.process.send_signal(signal.SIGABRT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(LAST_WORDS)
        self.process.kill()
        self.process.wait()


class Supervisor:
    """The parent of one table."""

    def __init__(self, config: Config, without: frozenset[str] = frozenset()) -> None:
        self.config = config
        self.stopping = False
        self._lock = self._only_one()
        swap.finish(config.state_dir)
        environment = dict(os.environ)
        self.children: list[Child] = []
        obstacle = preflight.obstacle(config) or preflight.ports(config)
        if obstacle:
            raise CannotStart(obstacle)
        if config.broker.own:
            command, memory = broker.prepare(config), environment | broker.MEMORY
            own = Child("broker", command, memory, watched=False, limits=broker.LIMITS, unsaid=broker.FOREIGN)
            self.children.append(own)
            gate = [sys.executable, "-P", "-m", "companion.machine.gate"]
            self.children.append(Child("gate", gate, environment, limits=broker.LIMITS))
        passwords = room_passwords(config.state_dir)
        for room in ROOMS:
            if room not in without:
                mine = (PICTURES if room == "display" else {}) | handed_to(room, passwords)
                limits = {resource.RLIMIT_DATA: MEMORY} if room == "companion" else None
                self.children.append(Child(room, [sys.executable, "-P", "-m", room], environment | mine, limits=limits))
        self._settings_of, self._speaks = -1.0, False

    def _only_one(self) -> IO[Any]:
        """One table per state directory; the lock goes with the process."""
        path = self.config.state_dir / "run.lock"
        try:
            own_folder(path.parent)
            lock = path.open("a+")
        except OSError as wrong:
            raise CannotStart(f"{path.parent} cannot be written: {wrong.strerror}. Set TABLESIDE_STATE_DIR.") from wrong
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as wrong:
            lock.seek(0)
            other = lock.read().strip() or "?"
            raise CannotStart(
                f"A table is already running here (process {other}). Stop it first, or give this one its own "
                "TABLESIDE_STATE_DIR and ports."
            ) from wrong
        with contextlib.suppress(OSError):  # on a full disk the lock holds without our number in it
            lock.truncate(0)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
        return lock

    def run(self) -> int:
        """Until SIGTERM, Ctrl-C or the end of the terminal; 0 when everything ended cleanly."""
        os.umask(0o077)  # what rooms and broker write is the table's alone; the units say the same
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup wants it to go on
            signal.signal(signal.SIGHUP, self._stop)
        watcher = selectors.DefaultSelector()
        started = time.monotonic()
        for child in self.children:
            watcher.register(child.ears, selectors.EVENT_READ, child)
            if child.name not in LATE:
                child.start()
        try:
            while not self.stopping:
                for key, _ in watcher.select(timeout=0.25):
                    key.data.hear()
                now = time.monotonic()
                self._start_late(now - started)
                self._look_after(now)
        finally:
            self._end()
        return 0

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def _start_late(self, age: float) -> None:
        """Start the camera's room once it takes nothing from the screen, and the voice once somebody wants to hear it."""
        screen = next((child for child in self.children if child.name == "display"), None)
        if not (screen is None or screen.ready or age > SCREEN_FIRST):
            return
        for child in self.children:
            if child.process is None and (child.name != "speech" or self._wants_speech()):
                child.start()

    def _wants_speech(self) -> bool:
        """As the settings say that the screen keeps; most tables are silent, and spare the memory of a voice."""
        try:
            kept = (self.config.state_dir / "settings.toml").stat().st_mtime
        except OSError:
            kept = 0.0
        if kept != self._settings_of:
            now = load()
            self._settings_of, self._speaks = kept, now.display.speech != "off" or now.dial.browse
        return self._speaks

    def _look_after(self, now: float) -> None:
        for child in self.children:
            if child.process is None:
                continue
            child.hear()
            child.pass_on()
            code = child.process.poll()
            if code is None and child.silent(now):
                log.warning("%s gives no sign of life; starting it again", child.name)
                child.kill(last_words=child.name == "companion")
                code = child.process.returncode
            if code is not None:
                self._again(child, code, now)

    def _again(self, child: Child, code: int, now: float) -> None:
        """Start a child again, a little later each time it fails soon."""
        if code == CLOSED:
            log.info("the window was closed: the table ends")
            self.stopping = True
            return
        if not child.due:
            child.restarts = 0 if now - child.since > CALM else child.restarts + 1
            delay = BACKOFF[min(child.restarts, len(BACKOFF) - 1)]
            child.due = now + delay
            log.warning("%s ended (%s); starting it again in %.2f s", child.name, code, delay)
        if now >= child.due:
            child.due = 0.0
            if child.name == "broker":
                try:
                    child.command = broker.prepare(self.config)
                except broker.BrokerMissingError as wrong:
                    log.error("%s", wrong)
                    child.due = now + BACKOFF[-1]
                    return
            child.start()

    def _end(self) -> None:
        """Rooms first, so that their farewells are still carried; then the broker, last the gate to the phones."""
        groups: dict[str, list[Child]] = {"": [], "broker": [], "gate": []}
        for child in self.children:
            groups.get(child.name, groups[""]).append(child)
        for group in groups.values():
            for child in group:
                if child.process is not None and child.process.poll() is None:
                    child.process.terminate()
            end = time.monotonic() + 4.0
            for child in group:
                if child.process is None:
                    continue
                try:
                    child.process.wait(max(0.1, end - time.monotonic()))
                except subprocess.TimeoutExpired:
                    child.kill()
        for child in self.children:
            child.ears.close()
        self._lock.close()


def pid_of_running(state_dir: Path) -> int | None:
    """The supervisor that holds this state directory, if there is one."""
    try:
        with (state_dir / "run.lock").open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return int(lock.read().strip() or 0) or None
    except (OSError, ValueError):
        return None
    return None


def in_use(state_dir: Path) -> bool:
    """A table has these games open: under our supervisor, or its core alone as systemd starts it."""
    for name in ("run.lock", "core.lock"):
        with contextlib.suppress(FileNotFoundError), (state_dir / name).open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return True
    return False
