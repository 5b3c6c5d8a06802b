"""The spare copy of an open game: one JSON line a row, synced like the database it stands beside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

from companion.journal.rows import UNREADABLE, Row, from_json, to_json


class Spare:
    """The spare copies in one directory; the file of the game in play stays open."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._open: tuple[str, IO[Any]] | None = None

    def path(self, game: str) -> Path:
        """Where a game's copy lies."""
        return self.directory / f"open-{game}.jsonl"

    def games(self) -> list[str]:
        """Every game that has one."""
        return [path.stem.removeprefix("open-") for path in self.directory.glob("open-*.jsonl")]

    def read(self, game: str) -> tuple[list[Row], int]:
        """Rows up to the first unreadable one, and how many complete lines there are."""
        rows: list[Row] = []
        try:
            *lines, _torn = self.path(game).read_bytes().split(b"\n")
        except OSError:
            return rows, 0
        for line in lines:
            try:
                rows.append(from_json.decode(line))
            except UNREADABLE:
                break
        return rows, len(lines)

    def write(self, game: str, rows: list[Row]) -> None:
        """The whole copy anew, in place at once or not at all."""
        self.close()
        path = self.path(game)
        temporary = path.with_suffix(".new")
        with temporary.open("wb") as file:
            file.writelines(to_json.encode(row) + b"\n" for row in rows)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    def append(self, row: Row, *, sync: bool = True) -> int:
        """One line more; returns the length before it, for `cut`. A full disk leaves the file as it was."""
        if self._open is None or self._open[0] != row.game:
            self.close()
            self._open = (row.game, self.path(row.game).open("ab", buffering=0))
        descriptor = self._open[1].fileno()
        length = os.fstat(descriptor).st_size
        data = to_json.encode(row) + b"\n"
        try:
            while data:  # a disk about to be full takes a part and says so only the next time
                data = data[os.write(descriptor, data) :]
            if sync:
                os.fdatasync(descriptor)
        except OSError:
            self.cut(row.game, length)
            raise
        return length

    def cut(self, game: str, length: int) -> None:
        """Take the last line back: half of it would look like damage, the whole of it like a move that counts."""
        os.truncate(self.path(game), length)

    def drop(self, game: str) -> None:
        """The game is over: its copy is no longer needed."""
        self.close()
        self.path(game).unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the open file."""
        if self._open is not None:
            self._open[1].close()
            self._open = None
