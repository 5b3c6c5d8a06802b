"""The one way in and the one way out for files.

A file somebody names, or that lies where others can write, may be a pipe that never speaks, a device that never ends or a
gigabyte of nothing. It is looked at before it is opened, opened without waiting and read up to a limit; everything it
must not be is an `OSError` whose `strerror` is the sentence to show.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

SMALL = 1_000_000
"""Bytes of anything people write by hand, and of what the table notes about itself."""


def read_file(path: Path, limit: int = SMALL) -> bytes:
    """All of a regular file of at most `limit` bytes."""
    with open_file(path, limit) as file:
        data = file.read(limit + 1)
    if len(data) > limit:  # it grew, or never said how long it is
        raise _too_large(path, limit)
    return data


def read_text(path: Path, limit: int = SMALL) -> str:
    """The same as text; what is not UTF-8 is refused like every other file that will not do."""
    try:
        return read_file(path, limit).decode()
    except UnicodeDecodeError as wrong:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text", str(path)) from wrong


def open_file(path: Path, limit: int) -> BinaryIO:
    """A regular file of at most `limit` bytes, open for reading."""
    _regular(path, path.stat(), limit)  # opening alone may already move a device
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    try:
        _regular(path, os.fstat(file.fileno()), limit)
    except OSError:
        file.close()
        raise
    return file


def _regular(path: Path, seen: os.stat_result, limit: int) -> None:
    if stat.S_ISDIR(seen.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(seen.st_mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
    if seen.st_size > limit:
        raise _too_large(path, limit)


def _too_large(path: Path, limit: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {limit // 1_000_000} MB", str(path))


def own_folder(path: Path) -> None:
    """A folder of the table's own: nobody else looks into one that is made here."""
    if not path.is_dir():
        own_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, data: bytes) -> None:
    """Put a file in place atomically, readable by its owner only; an `OSError` names it, not what it is made from."""
    own_folder(path.parent)
    try:
        _put_in_place(path, data)
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror, str(path)) from wrong


def _put_in_place(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)  # of a process that had our number; what it points to is not ours to write
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """What was renamed in a folder stays renamed after a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
