"""Exposure, white balance and focus: left to settle, then locked, and measured anew only while nothing is pending.

A camera that adapts by itself changes every pixel when a hand comes in; locked, only what moved has changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

STEADY_FRAMES = 8
STEADY = 0.02
MOST_FRAMES = 90
"""Frames after which the picture is locked as it is: a flickering lamp never settles."""
CHANGED = 0.25
CHANGED_FRAMES = 30


class AutoLock:
    """Decides when to lock and when to let go; `lock` and `unlock` do it."""

    def __init__(self, lock: Callable[[], None], unlock: Callable[[], None]) -> None:
        self._lock, self._unlock = lock, unlock
        self.locked = False
        self.pending = False
        self._recent: deque[tuple[float, ...]] = deque(maxlen=STEADY_FRAMES)
        self._frames = 0
        self._level = 0.0
        self._changed = 0

    def start(self) -> None:
        """The camera was opened: measure from the beginning."""
        self.locked = False
        self._recent.clear()
        self._frames = self._changed = 0
        self._unlock()

    def saw(self, level: float, *values: float) -> None:
        """One frame: its mean brightness and what the camera says of its exposure, gains and focus."""
        if self.locked:
            self._watch(level)
            return
        self._frames += 1
        self._recent.append((level, *values))
        if self._steady() or self._frames >= MOST_FRAMES:
            self.locked, self._level, self._changed = True, level, 0
            self._lock()

    def _steady(self) -> bool:
        if len(self._recent) < STEADY_FRAMES:
            return False
        return all(
            max(part) - min(part) <= STEADY * max(1e-6, abs(max(part))) for part in zip(*self._recent, strict=True)
        )

    def _watch(self, level: float) -> None:
        """The lamp was switched: measure again, but never in the middle of a reading."""
        changed = abs(level - self._level) > CHANGED * max(self._level, 1.0)
        self._changed = self._changed + 1 if changed and not self.pending else 0
        if self._changed >= CHANGED_FRAMES:
            self.start()
