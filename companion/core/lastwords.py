"""What the core leaves behind when it dies inside a pack, so that the next start does without that pack.

A small file in the state directory: in front the pack that is at work (a mapped page, written without a system call), behind it
what Python says when the process is ended by the kernel, by `abort` or by a timer (`faulthandler`, which speaks even from a loop
in C). A power cut or `kill -9` leaves no words there, and nobody is blamed.
"""

from __future__ import annotations

import ctypes
import faulthandler
import logging
import mmap
import os
import signal
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from companion.journal.rows import UNREADABLE
from companion.wire.files import write_private

log = logging.getLogger("tableside.games")

NAME = 64
"""Bytes for the pack's name."""


class LastWords:
    """The file of a running core. Raises `OSError` where nothing can be written."""

    def __init__(self, state_dir: Path) -> None:
        path = state_dir / "last-words"
        self.blamed, self.words = _read(path)
        """The pack that was at work when the core before this one died, and what was said then; empty after any other end."""
        path.unlink(missing_ok=True)
        path.touch(mode=0o600, exist_ok=False)
        self._file = path.open("r+b", buffering=0)
        self._file.write(b" " * NAME)
        self._hand = mmap.mmap(self._file.fileno(), NAME)
        self._fuse = Fuse(signal.SIGPROF)

    def listen(self) -> None:
        """From now on everything but a plain kill leaves words."""
        faulthandler.enable(self._file)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        faulthandler.register(signal.SIGPROF, self._file, chain=True)

    def begin(self, game: str, seconds: float) -> None:
        """A pack is at work; after this many seconds it and the core are ended, whatever it does."""
        self._hand[:] = game.encode()[:NAME].ljust(NAME)
        self._fuse.light(seconds)

    def wait_longer(self, seconds: float) -> None:
        """So many seconds from now instead: the machine had no time for it."""
        self._fuse.light(seconds)

    def end(self) -> None:
        """It has answered."""
        self._fuse.light(0)
        self._hand[:] = b" " * NAME


class Fuse:
    """A timer of the kernel's beside the one Python has: it sends a signal that no Python code need be awake to take."""

    def __init__(self, number: signal.Signals) -> None:
        libc, self._timer = ctypes.CDLL(None, use_errno=True), ctypes.c_void_p()
        wanted = _Wanted(signo=number, notify=0)
        if libc.timer_create(time.CLOCK_MONOTONIC, ctypes.byref(wanted), ctypes.byref(self._timer)) != 0:
            raise OSError(ctypes.get_errno(), "no timer")
        self._set = libc.timer_settime

    def light(self, seconds: float) -> None:
        """Send the signal after this many seconds; 0: not at all."""
        self._set(self._timer, 0, _left(seconds), None)


class _Wanted(ctypes.Structure):
    """`struct sigevent`."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("rest", ctypes.c_byte * 64),
    )


class _Left(ctypes.Structure):
    """`struct itimerspec`."""

    _fields_ = (("again", ctypes.c_long * 2), ("value", ctypes.c_long * 2))


@cache
def _left(seconds: float) -> Any:
    """A pointer to the seconds and billionths until the signal; there are only a few different ones."""
    return ctypes.pointer(_Left(value=(int(seconds), int(seconds % 1 * 1e9))))


def _read(path: Path) -> tuple[str, str]:
    try:
        data = path.read_bytes()[:20_000]
    except OSError:
        return "", ""
    name, words = data[:NAME].decode(errors="replace").strip(), data[NAME:].decode(errors="replace").strip()
    return (name, words) if name and words else ("", "")


def _boot() -> str:
    """Names this start of the machine; the unit tells it where the kernel's own file is out of sight."""
    try:
        return os.environ.get("TABLESIDE_BOOT") or Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def left_out(state_dir: Path, last: LastWords, fingerprint: Callable[[str], str]) -> tuple[str, ...]:
    """Packs that ended the core, until another version of them is installed or the machine is started again."""
    path, boot = state_dir / "left-out.json", _boot()
    try:
        known = msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[str, str]])
    except (OSError, *UNREADABLE):
        known = {}
    standing = {game: mark for game, mark in known.items() if mark == (fingerprint(game), boot)}
    if last.blamed:
        log.error("the core ended inside the game %r, which is left out from now on:\n%s", last.blamed, last.words)
        standing[last.blamed] = (fingerprint(last.blamed), boot)
    if standing != known:
        write_private(path, msgspec.json.encode(standing))
    return tuple(standing)
