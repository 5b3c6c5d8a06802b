"""`tableside hall`: PostgreSQL, the brokers and the hall's process as children, kept alive, ended together.

Who is invited stands in the store; every supervisor looks there and tells its brokers. None of the children survives it.
"""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from companion.wire.files import own_folder
from companion.wire.mosquitto import answers
from companion.wire.notify import Notifier
from companion.wire.process import dies_with
from hall.brokers import prepare, write_passwords
from hall.database import Database
from hall.postgres import Cluster
from hall.settings import CannotStartError, Settings
from hall.store import StoreAwayError

log = logging.getLogger("tableside.hall.supervisor")

LOOK = 0.1
INVITED = 1.0
"""Seconds between two looks at who is invited."""
BACKOFF = (0.05, 0.2, 0.5, 1.0, 2.0)
CALM = 5.0
"""A child that lived this long starts again without delay."""


class Child:
    """One process that is started again whenever it ends."""

    def __init__(
        self, name: str, command: Callable[[], list[str]], ending: signal.Signals = signal.SIGTERM, **more: Any
    ) -> None:
        self.name, self._command, self.ending, self._more = name, command, ending, more
        self.process: subprocess.Popen[bytes] | None = None
        self._since = self._due = 0.0
        self._failures = 0

    def look(self, now: float) -> None:
        """Start it when it is due."""
        if self.process is not None and self.process.poll() is None:
            return
        if self.process is not None:
            self._failures = 0 if now - self._since > CALM else self._failures + 1
            self._due = now + BACKOFF[min(self._failures, len(BACKOFF) - 1)]
            log.warning("%s ended (%s); it is started again", self.name, self.process.returncode)
            self.process = None
        if now >= self._due:
            self._since = now
            self.process = subprocess.Popen(
                self._command(),
                stdin=subprocess.DEVNULL,
                preexec_fn=dies_with(os.getpid(), self.ending),  # noqa: PLW1509 - this process has one thread
                process_group=0,  # Ctrl-C is for us
                **self._more,
            )

    def end(self, patience: float = 8.0) -> None:
        """Ask it to end, and insist."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(self.ending)
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Supervisor:
    """The parent of one hall on this machine."""

    def __init__(self, settings: Settings, folder: Path, **postgres: str) -> None:
        """`postgres`: settings of a PostgreSQL that is made now."""
        self.settings, self.folder = settings, folder.absolute()
        self.stopping = False
        self._lock = self._only_one()
        self.cluster = None if settings.database else Cluster(self.folder / "postgres")
        self.dsn = settings.database or (self.cluster.dsn if self.cluster else "")
        self.children: list[Child] = []
        if self.cluster is not None:
            self._reachable(self.cluster)
            self.cluster.make(**postgres)
            quiet = {} if os.environ.get("TABLESIDE_HALL_TALK") else {"stderr": subprocess.DEVNULL}
            fast = signal.SIGINT  # as PostgreSQL calls it: connections are ended, nothing is lost
            more = {"cwd": "/"} | quiet | self.cluster.as_user()
            self.children.append(Child("postgres", self.cluster.command, fast, **more))
        if not (self.folder / "passwords").exists():
            write_passwords(self.folder, {})
        for number in settings.brokers:
            command = prepare(settings, self.folder, number)
            log_file = (self.folder / f"broker-{number}.log").open("ab")
            self.children.append(Child(f"broker-{number}", lambda command=command: command, stderr=log_file))  # type: ignore[misc]
        environment = os.environ | {"TABLESIDE_HALL_DIR": str(self.folder)}
        serve = [sys.executable, "-P", "-m", "hall", "serve"]
        self.children.append(Child("hall", lambda: serve, env=environment))
        self.store = Database(self.dsn)
        self._invited_due = 0.0

    def _only_one(self) -> IO[Any]:
        try:
            own_folder(self.folder)
            lock = (self.folder / "run.lock").open("a+")
        except OSError as wrong:
            raise CannotStartError(
                f"{self.folder} cannot be written: {wrong.strerror}. Set TABLESIDE_HALL_DIR."
            ) from wrong
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as wrong:
            raise CannotStartError(f"A hall is already running in {self.folder}. Stop it first.") from wrong
        return lock

    def _reachable(self, cluster: Cluster) -> None:
        """PostgreSQL does not run as root, and its other user must come through to its folder."""
        if cluster.user is None:
            return
        self.folder.chmod(0o711)
        closed = [place for place in self.folder.parents if not place.stat().st_mode & 0o001]
        if closed:
            raise CannotStartError(
                f"As root PostgreSQL runs as {cluster.user.pw_name}, who may not enter {closed[0]}. "
                "Start the hall as another user, or set TABLESIDE_HALL_DIR=/var/lib/tableside-hall."
            )

    def step(self) -> None:
        """One look at everything."""
        now = time.monotonic()
        for child in self.children:
            child.look(now)
        if now >= self._invited_due:
            self._invited_due = now + INVITED
            self._let_in()

    def _let_in(self) -> None:
        try:
            changed = write_passwords(self.folder, self.store.invited())
        except (StoreAwayError, OSError) as wrong:
            log.debug("who is invited is not known now: %s", wrong)
            return
        if changed:
            for child in self.children:
                if child.name.startswith("broker") and child.process is not None:
                    child.process.send_signal(signal.SIGHUP)

    def ready(self) -> bool:
        """Both brokers answer and the store can be asked."""
        try:
            self.store.hall_id()
        except StoreAwayError:
            return False
        return all(answers("127.0.0.1", self.settings.ports[number], tls=True) for number in self.settings.brokers)

    def run(self) -> int:
        """Until SIGTERM or Ctrl-C."""
        os.umask(0o077)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        systemd, ready = Notifier(), False
        try:
            while not self.stopping:
                self.step()
                if not ready and self.ready():
                    ready = True
                    systemd.ready()
                systemd.alive()
                time.sleep(LOOK)
        finally:
            systemd.stopping()
            self.end()
        return 0

    def _stop(self, number: int, frame: object) -> None:
        self.stopping = True

    def end(self) -> None:
        """The hall first, PostgreSQL last."""
        self.store.close()
        for child in reversed(self.children):
            child.end()
        if self.cluster is not None:
            shutil.rmtree(self.cluster.socket, ignore_errors=True)
        self._lock.close()
