"""Motion: values on their way. Nothing here moves by itself; a scene asks where a value is now."""

from __future__ import annotations

import math
from typing import Any

import msgspec


class _Way(msgspec.Struct):
    start: float
    end: float
    began: float
    seconds: float


def ease_out(t: float) -> float:
    """Fast, then gently to rest."""
    return 1 - (1 - t) ** 3


def settle(t: float) -> float:
    """As a dial falls into its notch: three per cent too far, and back."""
    return ease_out(t) + 0.03 * math.sin(math.pi * t) * (t > 0.4)


class Motion:
    """Remembers where things were, so that they can be seen going where they are."""

    def __init__(self) -> None:
        self.now = 0.0
        self.active = False
        self.still = False
        """Everything is where it goes at once: for pictures, and for those who want no motion."""
        self.due: float | None = None
        """When something at rest will move by itself: the screen is drawn again then, and not before."""
        self.memory: dict[str, float] = {}
        self.notes: dict[str, Any] = {}
        """How scenes last saw the table, to see what has moved."""
        self._ways: dict[str, _Way] = {}
        self._tokens: dict[str, tuple[Any, float]] = {}
        self._breaths: dict[str, tuple[Any, float]] = {}

    def frame(self, now: float) -> None:
        """A new frame begins."""
        self.now, self.active, self.due = now, False, None

    def toward(self, key: str, target: float, ms: float) -> float:
        """Where the value is on its way to `target`; the first time it is there at once."""
        way = self._ways.get(key)
        if way is None or self.still or ms <= 0:
            self._ways[key] = _Way(target, target, self.now, 0.0)
            return target
        if way.end != target:
            way = self._ways[key] = _Way(self._at(way), target, self.now, ms / 1000)
        return self._at(way)

    def _at(self, way: _Way) -> float:
        if way.seconds <= 0 or self.now >= way.began + way.seconds:
            return way.end
        self.active = True
        t = max(0.0, (self.now - way.began) / way.seconds)
        return way.start + (way.end - way.start) * ease_out(t)

    def fresh(self, key: str, token: Any, ms: float, *, first: bool = False) -> float:
        """0 to 1 since `token` changed, 1 when that is long ago; `first` counts the first sight as a change."""
        known = self._tokens.get(key)
        if known is None or known[0] != token:
            began = self.now if (first or known is not None) and not self.still else self.now - 1e6
            known = self._tokens[key] = (token, began)
        if ms <= 0 or self.now >= known[1] + ms / 1000:
            return 1.0
        self.active = True
        return max(0.0, (self.now - known[1]) / (ms / 1000))

    def breath(self, key: str, token: Any, after: float, ms: float) -> float:
        """0 to 1 and back, once, when `token` has not changed for `after` seconds."""
        known = self._breaths.get(key)
        if known is None or known[0] != token:
            known = self._breaths[key] = (token, self.now)
        if self.still:
            return 0.0
        share = (self.now - known[1] - after) / (ms / 1000)
        if share < 0:
            self.due = min(self.due or math.inf, known[1] + after)
            return 0.0
        if share >= 1:
            return 0.0
        self.active = True
        return math.sin(math.pi * share)

    def skip(self) -> None:
        """A touch ends whatever is moving."""
        for way in self._ways.values():
            way.seconds = 0.0
        for key, (token, _) in self._tokens.items():
            self._tokens[key] = (token, self.now - 1e6)
        self._breaths = {key: (token, self.now) for key, (token, _) in self._breaths.items()}
