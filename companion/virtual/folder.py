"""A demo's own folder, and an end that takes it away: nothing of a demo stays behind, however it ends."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

PREFIX, LOCK = "tableside-demo-", "demo.lock"
YOUNG = 60.0
"""Seconds a folder without an owner is left alone: its demo may be about to take the lock, or its table about to end."""


@contextmanager
def own_folder() -> Iterator[Path]:
    """A folder for one demo; what demos left that were killed outright is taken away on the way in."""
    _sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        place = Path(name)
        with (place / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield place


def _sweep(shelf: Path) -> None:
    """Folders of demos that are no more: the kernel lets go of a lock when its process ends."""
    for lock in filter(Path.is_file, shelf.glob(f"{PREFIX}*/{LOCK}")):
        with suppress(OSError), lock.open() as held:  # another person's, or just gone
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours = lock.parent.lstat().st_uid == lock.lstat().st_uid == os.geteuid()
            if ours and time.time() - lock.stat().st_mtime > YOUNG:
                shutil.rmtree(lock.parent)


@contextmanager
def kindly() -> Iterator[None]:
    """SIGTERM and the end of the terminal end a demo as Ctrl-C does: what it started is ended first.

    They come as Ctrl-C comes, too: whoever guards a game's code lets that pass, where a `SystemExit` would be the game's fault.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are somebody else's there
        return

    asked: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # once is enough: the end must not be interrupted
        asked.append(number)
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if asked:
            raise SystemExit(128 + asked[0])
