"""The organiser's PIN: guessing it takes longer than an evening, and a guesser does not keep the organiser out for long."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable

FREE, LONGEST = 3, 60.0
"""Wrong ones without a wait; the longest wait, in seconds."""
ALL_TOGETHER = 1.0
"""Seconds between two tries of anybody, once there were many wrong ones: six digits then last for days against any number
of addresses."""
MANY = 20
KNOWN = 4096
EVENING = 12 * 3600.0


class Pin:
    """Tries by address, and who has come in."""

    def __init__(self, pin: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin, self._clock = pin.encode(), clock
        self._wrong: dict[str, tuple[int, float]] = {}
        """Address -> wrong tries, and when it may try again."""
        self._in: dict[str, float] = {}
        """Key -> when it ends."""
        self._missed, self._next = 0, 0.0

    def wait(self, address: str) -> float:
        """Seconds until somebody there may try again."""
        due = self._wrong.get(address, (0, 0.0))[1]
        if self._missed > MANY:
            due = max(due, self._next)
        return max(0.0, due - self._clock())

    def enter(self, pin: str, address: str) -> str | None:
        """A key for whoever knows it; `None` for the others, who wait longer each time. Ask `wait` first."""
        if not self._pin or self.wait(address) > 0:
            return None
        now = self._clock()
        self._next = now + ALL_TOGETHER
        if not hmac.compare_digest(pin.encode("utf-8", "replace"), self._pin):
            wrong = self._wrong.pop(address, (0, 0.0))[0] + 1
            while len(self._wrong) >= KNOWN:
                self._wrong.pop(next(iter(self._wrong)))
            self._wrong[address] = wrong, now + (min(LONGEST, 2.0 ** (wrong - FREE)) if wrong >= FREE else 0.0)
            self._missed += 1
            return None
        self._wrong.pop(address, None)
        self._missed = 0
        key = secrets.token_urlsafe(32)
        self._in[key] = now + EVENING
        return key

    def knows(self, key: str) -> bool:
        """Whether this key is one of ours and the evening not over."""
        ends = self._in.get(key)
        return ends is not None and ends > self._clock()

    def leave(self, key: str) -> None:
        """The key opens nothing any more."""
        self._in.pop(key, None)
