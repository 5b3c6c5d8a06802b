"""How often somebody may ask: so many at once, then so many per second, each in turn."""

from __future__ import annotations

import time

KNOWN = 1024
"""Above this number, those whose turn is long past are forgotten."""


class Pace:
    """Who asks faster than that waits for their turn; whose turn would be too far off is told so instead."""

    def __init__(self, at_once: int, a_second: float, patience: float = 0.0) -> None:
        self._each, self._credit, self._patience = 1.0 / a_second, at_once / a_second, patience
        self._turns: dict[str, float] = {}
        """Who -> when everything they have asked for so far is due."""

    def wait(self, who: str = "") -> float | None:
        """Seconds until it is this one's turn, mostly none; `None`: too many wait already, and this one is not counted."""
        now = time.monotonic()
        turn = max(self._turns.get(who, 0.0), now - self._credit) + self._each
        wait = round(turn - now, 6)  # tenths do not add up exactly: a turn that is due now is not a moment off
        if wait > self._patience:
            return None
        if len(self._turns) >= KNOWN:
            self._turns = {one: at for one, at in self._turns.items() if at > now - self._credit}
        self._turns[who] = turn
        return max(0.0, wait)
