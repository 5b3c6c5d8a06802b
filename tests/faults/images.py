"""What a disk may hold when the power goes: one folder for every step of a piece of work, and for every byte in between."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.journal.store import Journal

STEP = int(os.environ.get("TABLESIDE_CUT_STEP", "97"))
"""Bytes between two cuts; `make soak` tries every one."""
STEPS = ("write", "fsync", "fdatasync", "truncate", "ftruncate", "replace", "rename", "unlink", "open")


class _Watched:
    """A database connection that lets us look before and after each statement."""

    def __init__(self, db: Any, look: Callable[[], None]) -> None:
        self._db, self._look = db, look

    def execute(self, *words: Any) -> Any:
        self._look()
        done = self._db.execute(*words)
        self._look()
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def __enter__(self) -> Any:
        return self._db.__enter__()

    def __exit__(self, *how: Any) -> Any:
        self._look()
        done = self._db.__exit__(*how)
        self._look()
        return done


@contextmanager
def recorded(journal: Journal, place: Path) -> Iterator[list[Path]]:
    """Every step the journal's files go through meanwhile, as state folders of their own."""
    images: list[Path] = []
    seen: dict[str, bytes] = {}

    def look() -> None:
        now = {path.name: path.read_bytes() for path in journal.directory.iterdir() if not path.name.endswith("-shm")}
        if now == seen:
            return
        # the log of a database grows by pages: torn pages are tried in test_power_cut
        for name in (name for name in now if name in seen and not name.endswith((".db", "-wal"))):
            for cut in range(len(seen[name]) + 1, len(now[name]), STEP):
                images.append(_laid(place / f"{len(images):05d}", {**seen, name: now[name][:cut]}))
        seen.clear()
        seen.update(now)
        images.append(_laid(place / f"{len(images):05d}", now))

    with pytest.MonkeyPatch.context() as patch:
        for name in STEPS:
            patch.setattr(os, name, _looked(getattr(os, name), look))
        patch.setattr(journal, "_db", _Watched(journal._db, look))
        look()
        yield images
        look()


def _looked(step: Callable[..., Any], look: Callable[[], None]) -> Callable[..., Any]:
    busy = [False]

    def before_and_after(*words: Any, **more: Any) -> Any:
        if busy[0]:
            return step(*words, **more)
        busy[0] = True
        try:
            look()
            done = step(*words, **more)
            look()
            return done
        finally:
            busy[0] = False

    return before_and_after


def _laid(folder: Path, files: dict[str, bytes]) -> Path:
    (folder / "games").mkdir(parents=True)
    for name, data in files.items():
        (folder / "games" / name).write_bytes(data)
    return folder
