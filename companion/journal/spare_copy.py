"""The spare copy of an open game: one JSON line per row, synced like the database it stands beside."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from companion.journal.rows import UNREADABLE, Row, from_json, to_json
from companion.wire.files import read_file

LONGEST = 200_000_000
"""Bytes of a copy; no game comes near."""


class Copy(msgspec.Struct, frozen=True):
    """What a spare copy holds."""

    rows: list[Row] = []
    """Up to the first unreadable one."""
    lines: int = 0
    """Lines that were written whole, readable or not."""
    length: int = 0
    """Their bytes."""
    torn: bool = False
    """The power went in the middle of the next: nobody was promised that one."""


class Spare:
    """The spare copies in one directory; the file of the game in play stays open."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._game, self._file, self._length = "", -1, 0

    def path(self, game: str) -> Path:
        """Where a game's copy lies."""
        return self.directory / f"open-{game}.jsonl"

    def _draft(self, game: str) -> Path:
        return self.path(game).with_suffix(".new")

    def games(self) -> list[str]:
        """Every game that has one."""
        return [path.stem.removeprefix("open-") for path in self.directory.glob("open-*.jsonl")]

    def has(self, game: str) -> bool:
        """There is a copy to go on with."""
        return self._game == game or self.path(game).exists()

    def read(self, game: str) -> Copy:
        """What is there; `OSError` when it cannot be read at all."""
        data = read_file(self.path(game), LONGEST)
        *lines, tail = data.split(b"\n")
        if lines and not tail and b"\0" in lines[-1]:
            tail = lines.pop() + b"\n"  # a sector of the last write that never arrived reads as zeros
        rows: list[Row] = []
        for line in lines:
            try:
                rows.append(from_json.decode(line))
            except UNREADABLE:
                break
        return Copy(rows, len(lines), len(data) - len(tail), bool(tail))

    def write(self, game: str, rows: Iterable[Row]) -> None:
        """The whole copy again, in place at once or not at all."""
        self.draft(game, rows)
        self.settle(game)

    def draft(self, game: str, rows: Iterable[Row]) -> None:
        """The whole copy anew beside the present one, on disk; a full disk leaves nothing behind."""
        path = self._draft(game)
        path.unlink(missing_ok=True)
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.writelines(to_json.encode(row) + b"\n" for row in rows)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise

    def settle(self, game: str) -> None:
        """The draft becomes the copy."""
        self.close()
        self._draft(game).replace(self.path(game))

    def sweep(self) -> None:
        """Throw drafts away that became nothing."""
        for path in self.directory.glob("open-*.new"):
            path.unlink(missing_ok=True)

    def append(self, row: Row, *, sync: bool = True) -> int:
        """One line more; returns the length before it, for `cut`. A full disk leaves the file as it was."""
        if self._game != row.game:
            self.close()
            self._file = os.open(self.path(row.game), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self._game, self._length = row.game, os.fstat(self._file).st_size
        if os.fstat(self._file).st_size != self._length:
            os.ftruncate(self._file, self._length)  # half a line the disk would not let us take back at once
        length, data = self._length, to_json.encode(row) + b"\n"
        try:
            left = data
            while left:  # a disk about to be full takes a part and says so only the next time
                left = left[os.write(self._file, left) :]
            if sync:
                os.fdatasync(self._file)
        except OSError:
            self.cut(row.game, length)
            raise
        self._length = length + len(data)
        return length

    def cut(self, game: str, length: int) -> None:
        """Take the last line back: half of it would look like damage, the whole of it like a move that counts."""
        if self._game == game:
            self._length = length
        os.truncate(self.path(game), length)

    def drop(self, game: str) -> None:
        """The game is over: its copy is no longer needed."""
        self.close()
        self.path(game).unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the open file."""
        if self._file >= 0:
            os.close(self._file)
        self._game, self._file = "", -1
