"""How long somebody who types wrong PINs has to wait: a few slips cost nothing, guessing takes weeks."""

from __future__ import annotations

import math

SLIPS = 3
"""The so-manieth wrong PIN in a row is followed by a pause;"""
FIRST, LONGEST = 30.0, 300.0
"""of so many seconds, twice as long after each further one, and never longer than that."""


class Patience:
    """Counts wrong tries; a right one makes up for all of them, leaving and coming back for none."""

    def __init__(self) -> None:
        self._wrong, self._until = 0, 0.0

    def left(self, now: float) -> int:
        """Seconds until the next try, rounded up."""
        return max(0, math.ceil(self._until - now))

    def tried(self, now: float, *, right: bool) -> None:
        """One whole PIN was typed."""
        self._wrong = 0 if right else self._wrong + 1
        if self._wrong >= SLIPS:
            self._until = now + min(LONGEST, FIRST * 2.0 ** (self._wrong - SLIPS))
