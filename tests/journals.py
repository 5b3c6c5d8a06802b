"""Journals as a table leaves them behind."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.journal.store import Journal


def fill(directory: Path, moves: int = 30) -> tuple[str, list[str]]:
    """A game of some moves; returns its name and what was acknowledged."""
    journal = _written(directory, moves)
    chains = [row.chain for row in journal.rows("g1")]
    journal.close()
    return "g1", chains


def left_behind(directory: Path, moves: int = 12) -> list[str]:
    """The same after a power cut: the log is still there, nobody said farewell."""
    live = directory.with_name("live")
    journal = _written(live, moves)
    chains = [row.chain for row in journal.rows("g1")]
    shutil.copytree(live, directory)
    journal.close()
    return chains


def _written(directory: Path, moves: int) -> Journal:
    journal = Journal(directory)
    journal.append("g1", "new", {"pack": "scorepad"})
    for i in range(moves):
        journal.append("g1", "move", {"kind": "points", "seat": i % 2, "points": i}, sender="display", request=f"r{i}")
    return journal


def open_game(journal: Journal) -> str | None:
    """The game that was not finished, if there is one."""
    return next((first.game for first, end in journal.games() if end is None), None)
