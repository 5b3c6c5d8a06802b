"""Opening the games when the machine makes it hard: a second core, a full disk, a memory card that has become read-only."""

from __future__ import annotations

import fcntl
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeVar

from companion.game import Text
from companion.journal.store import JournalUnusableError
from companion.wire.files import own_folder
from companion.wire.room import Room

Opened = TypeVar("Opened")
LET_GO, LOOK_AGAIN = 3.0, 2.0
"""Seconds a core that just died gets to let go; seconds between two looks at a disk that refuses."""


def only_core(state_dir: Path) -> IO[Any] | None:
    """Two cores would tear one journal apart: the lock of this one, or `None` when another has it."""
    try:
        own_folder(state_dir)
        lock = (state_dir / "core.lock").open("a")
    except OSError:
        return io.BytesIO()  # nothing can be written here: opening the games says so
    end = time.monotonic() + LET_GO
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except OSError:
            if time.monotonic() > end:
                lock.close()
                return None
            time.sleep(0.1)


def attempt(room: Room, make: Callable[[Room], Opened]) -> Opened | None:
    """What `make` opens; when the disk refuses, the screen is told so with what to do."""
    try:
        return make(room)
    except (JournalUnusableError, OSError) as wrong:
        code = wrong.code if isinstance(wrong, JournalUnusableError) else "disk"
        room.health(say=Text("table/refuse/closed"), do=Text(f"table/do/{code}"))
        room.log.error("the games cannot be opened: %s", wrong)
        return None


def patiently(room: Room, make: Callable[[Room], Opened]) -> Opened | None:
    """The same, again and again until somebody has made room; `None` when told to stop before that."""
    found: list[Opened] = []

    def look(now: float) -> None:
        opened = attempt(room, make)
        if opened is not None:
            found.append(opened)
            room.stopping = True

    room.run(look, period=LOOK_AGAIN)
    if not found:
        return None
    room.stopping = False
    room.health()
    return found[0]
