"""Another version by touch: the core's half. It looks at the archive, lays it beside the games and asks root's unit for the rest.

Root believes nothing of it and looks again (`companion.machine.update`). What comes of it is told by this core while it lives,
and by the next one when the table was exchanged under it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

import companion
from companion.game import Text
from companion.journal.rows import UNREADABLE
from companion.machine.update import MAX_ARCHIVE, UpdateError, copied, look
from companion.wire.config import Config
from companion.wire.files import own_folder, read_file, write_private
from companion.wire.replies import Version

WANTED, ASKED, INCOMING, STATUS = "wanted", "asked", "incoming.zip", "update.json"
LOOKS, UPDATE_SECONDS = 0.3, 1800.0
"""Seconds between two looks at how far it is, and until nobody is waited for any more."""
ABANDONED = 300.0
"""Seconds without a word of root's half after which it is no longer at work: the power was cut."""


class Status(msgspec.Struct):
    """How far root's half is."""

    id: str = ""
    what: str = ""
    percent: int = 0
    done: bool = False
    version: str = ""
    wrong: str = ""
    why: str = ""


class Updates:
    """One table's way to other versions."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.place, self.installed = config.state_dir / "update", Path(config.table.installed)
        self._over = threading.Event()

    def offered(self) -> Version:
        """Which version this is, whether it can be exchanged from here, and which one was there before."""
        able = (self.installed / "share" / "update.py").is_file()
        before = ""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            before = read_file(self.installed / "previous" / "version").decode().strip()[:20] if able else ""
        return Version(companion.__version__, able, before)

    def fetch(self, source: Path, told: Callable[[float], None]) -> Text:
        """Look at an archive, copy it, and ask for it; then tell how far it is until it is done."""
        try:
            look(source, self.config.config_dir / "release.pub", companion.__version__)
            own_folder(self.place)
            incoming, size = self.place / INCOMING, min(source.stat().st_size, MAX_ARCHIVE)
            incoming.unlink(missing_ok=True)
            with source.open("rb") as file, os.fdopen(_fresh(incoming), "wb") as target:
                copied(file, target, size, lambda share: told(share / 4))
                target.flush()
                os.fsync(target.fileno())
        except UpdateError as wrong:
            return _wrong(wrong.code, wrong.why)
        return self.ask("update", lambda share: told(0.25 + share * 0.75))

    def ask(self, what: str, told: Callable[[float], None]) -> Text:
        """Leave the mark root waits for, and follow what comes of it."""
        name = secrets.token_hex(8)
        own_folder(self.place)
        write_private(self.place / ASKED, name.encode())
        write_private(self.place / WANTED, f"{what} {name}".encode())
        return self.follow(name, told)

    def follow(self, name: str, told: Callable[[float], None], seconds: float = UPDATE_SECONDS) -> Text:
        """Tell how far root's half is with this, until it is done."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self._over.wait(LOOKS):
            status = self._status()
            if status.id == name:
                told(status.percent / 100)
                if status.done:
                    for path in (ASKED, INCOMING):
                        (self.place / path).unlink(missing_ok=True)
                    return _outcome(status)
        return Text("care/update/waiting")

    def outcome(self) -> Text | None:
        """What became of what the core before this one asked for; said once."""
        path = self.place / ASKED
        with contextlib.suppress(OSError, UnicodeDecodeError):
            status = self._status()
            if status.done and status.id == read_file(path).decode():
                path.unlink()
                (self.place / INCOMING).unlink(missing_ok=True)
                return _outcome(status)
        return None

    def awaited(self) -> str:
        """What the core before this one asked for, while root's half is still at it: it starts the table before it is done."""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            name, status = read_file(self.place / ASKED).decode(), self._status()
            fresh = time.time() - (self.installed / STATUS).stat().st_mtime < ABANDONED
            return name if fresh and status.id == name and not status.done else ""
        return ""

    def close(self) -> None:
        """The core ends, perhaps because it is exchanged: the next one goes on watching."""
        self._over.set()

    def _status(self) -> Status:
        with contextlib.suppress(OSError, *UNREADABLE):
            return msgspec.json.decode(read_file(self.installed / STATUS), type=Status)
        return Status()


def _fresh(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def _outcome(status: Status) -> Text:
    if status.wrong:
        return _wrong(status.wrong, status.why)
    return Text(f"care/{'updated' if status.what == 'update' else 'went-back'}", {"version": status.version})


CODES = ("no-key", "not-signed", "not-one", "older", "damaged", "failed")


def _wrong(code: str, why: str) -> Text:
    return Text(f"care/update/{code if code in CODES else 'failed'}", {"why": why[:160]})
