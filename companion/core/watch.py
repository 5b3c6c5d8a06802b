"""The clock that looks after packs: it ends what goes on for too long or takes too much memory.

While a pack works a timer rings twenty times per second in the core's own thread. The ring tells the supervisor that the core is
alive, and when the time is up it raises an exception inside the pack, wherever that is. Only time that was the pack's counts:
while the machine is busy with something else, a pack that would have answered long ago is not to blame. Where Python throws
exceptions away (a destructor, a callback of the garbage collector) it is lost without a word, and the next ring raises it again.

What cannot be ended like that (a loop in C, a pack that swallows every exception) ends the core a little later, and the last
words it leaves name the pack (`companion.core.lastwords`): the next start does without it.

Only the core stands watch, and only in its main thread, for signals go nowhere else. In commands, tests and other threads a pack
takes as long as it takes; there somebody can press Ctrl-C.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FrameType
from typing import Literal

from companion.core.lastwords import LastWords

PACK_SECONDS = 2.0
"""Seconds a pack has for one thing the table asks of it, without those in which the core waited for a processor."""
FORBEARANCE = 3.0
"""Seconds of those at most that are forgiven: people wait by the clock."""
GRACE = 2.0
"""Seconds after that a pack that cannot be ended takes the core with it."""
TICK = 0.05
GROWTH = 200_000_000
"""Bytes a pack may take while it works; what it keeps is its own affair, and a position is small."""


class EndedError(BaseException):
    """Raised inside a pack to end it. Nobody's to catch but the guard's: hence no `Exception`."""

    def __init__(self, how: Literal["slow", "memory"]) -> None:
        super().__init__(how)
        self.how: Literal["slow", "memory"] = how


class Watch:
    """One for each process; `begin` and `end` stand around a pack's work."""

    def __init__(self) -> None:
        self.on_duty = False
        self.patience = PACK_SECONDS
        self.between: frozenset[str] = frozenset({__name__})
        """Modules whose code stands around a pack's: it is never interrupted,"""
        self.within: CodeType | None = None
        """but for the function in which the pack is called."""
        self._thread = 0
        self._beat: Callable[[], None] = lambda: None
        self._last_words: LastWords | None = None
        self._working = False
        self._until = self._queued_before = self._forgiven = 0.0
        self._statm = self._schedstat = -1
        self._memory = 0
        self._thrown_away = sys.unraisablehook

    def stand(self, beat: Callable[[], None] = lambda: None, last_words: LastWords | None = None) -> None:
        """Go on duty in this thread, the main one. With `last_words` the core itself may be ended."""
        self._thread, self._beat, self._last_words = threading.get_ident(), beat, last_words
        self._statm = os.open("/proc/self/statm", os.O_RDONLY)  # kept open: a flood may leave no other file to open
        with suppress(OSError):  # a kernel that does not count it
            self._schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        signal.signal(signal.SIGALRM, self._ring)
        self._thrown_away, sys.unraisablehook = sys.unraisablehook, self._unraisable
        self.on_duty = True

    def relieve(self) -> None:
        """Go off duty."""
        self.on_duty = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        sys.unraisablehook = self._thrown_away
        os.close(self._statm)
        if self._schedstat >= 0:
            os.close(self._schedstat)
            self._schedstat = -1

    def begin(self, game: str, times: float = 1.0) -> bool:
        """A pack starts work, given this many times our patience. `False` when nobody watches here or the watch has begun
        already: then there is nothing to end."""
        if not self.on_duty or self._working or threading.get_ident() != self._thread:
            return False
        self._working, self._memory = True, self._resident()
        self._queued_before, self._forgiven = self._queued(), 0.0
        self._until = time.monotonic() + times * self.patience
        if self._last_words is not None:
            self._last_words.begin(game, times * self.patience + GRACE)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        return True

    def end(self) -> None:
        """The pack has answered."""
        self._working = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._last_words is not None:
            self._last_words.end()

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if not self._working or frame is None:
            return
        self._beat()
        if frame.f_globals.get("__name__") in self.between and frame.f_code is not self.within:
            return  # it has just answered, or is about to begin: the next ring will find it elsewhere
        now, waited = time.monotonic(), min(FORBEARANCE, self._queued() - self._queued_before)
        if now > self._until + waited:
            raise EndedError("slow")
        if self._last_words is not None and waited - self._forgiven > GRACE / 2:
            self._forgiven = waited
            self._last_words.wait_longer(round(self._until + waited - now, 1) + GRACE)
        if self._resident() - self._memory > GROWTH:
            raise EndedError("memory")

    def _unraisable(self, lost: sys.UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, EndedError):
            self._thrown_away(lost)

    def _queued(self) -> float:
        """Seconds this thread has waited for a processor in its life."""
        return int(os.pread(self._schedstat, 96, 0).split()[1]) / 1e9 if self._schedstat >= 0 else 0.0

    def _resident(self) -> int:
        """Bytes of memory this process really uses."""
        return int(os.pread(self._statm, 64, 0).split()[1]) * PAGE


PAGE = os.sysconf("SC_PAGE_SIZE")
watch = Watch()
"""The watch of this process."""
