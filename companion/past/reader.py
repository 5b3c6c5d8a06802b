"""Who asks for finished games: looked up in a thread of its own, with its own eyes on the journal.

Thousands of games take seconds to read, and the core has moves to answer meanwhile. Each game is read once; what was told stays
told until there is another; nobody asks for two things at a time, or without end; for who has gone nobody looks.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from companion.door.pace import Pace
from companion.journal.store import DAMAGED, Journal, JournalUnusableError
from companion.past.history import Finished

log = logging.getLogger("tableside.archive")

T = TypeVar("T")

AT_ONCE, A_SECOND = 5, 0.5
"""How often one caller may ask."""
BREATH = 0.0002
"""Seconds in which the core may go on, after each game read."""


class PastReader:
    """Asked in the core's thread; answers in its own."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._reader = ThreadPoolExecutor(1, "archive")
        self._pace = Pace(AT_ONCE, A_SECOND)
        self._asking: set[str] = set()
        self._journal: Journal | None = None
        self._finished, self._version = Finished(), 0
        self._told: dict[str, Any] = {}
        self._closed = False

    def ask(
        self,
        who: str,
        kind: str,
        tell: Callable[[Finished], T],
        done: Callable[[T | None], None],
        given_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """`done` gets what `tell` makes of the finished games, the same for all who ask for this kind; `None`: not now."""
        if who in self._asking or self._pace.wait(who) is None:
            done(None)
            return
        self._asking.add(who)
        self._reader.submit(self._answer, who, kind, tell, done, given_up)

    def _answer(
        self,
        who: str,
        kind: str,
        tell: Callable[[Finished], T],
        done: Callable[[T | None], None],
        given_up: Callable[[], bool],
    ) -> None:
        try:
            told = None if given_up() else self._look(kind, tell)
        finally:
            self._asking.discard(who)
        done(told)

    def _look(self, kind: str, tell: Callable[[Finished], T]) -> T | None:
        """What was read for one is read for all: only the end of the evening stops it halfway."""
        try:
            self._journal = journal = self._journal or Journal.reading(self._directory)
            version = journal.version
            if version != self._version and self._finished.read(journal, self._stops):
                self._told.clear()
        except (JournalUnusableError, *DAMAGED) as wrong:
            log.warning("finished games cannot be read: %s", wrong)
            return None
        self._version = version
        if kind not in self._told:
            self._told[kind] = tell(self._finished)
        told: T = self._told[kind]
        return told

    def _stops(self) -> bool:
        """Asked after each game: a breath, so that a move never waits for more than one of them."""
        time.sleep(BREATH)
        return self._closed

    def close(self) -> None:
        """Nobody asks any more."""
        self._closed = True
        self._reader.submit(self._put_away)
        self._reader.shutdown()

    def _put_away(self) -> None:
        if self._journal is not None:
            self._journal.close()
