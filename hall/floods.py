"""How much a table may say: far more than anybody plays, far less than keeps the hall from hearing the others. Pure.

Mosquitto bounds how large a word is and how many wait, not how often somebody speaks. So what each table says is weighed as it
comes, before it is read. Whoever says too much has a broken table or a stolen key: the rest is left out, and its invitation is
taken back (`Service`), which ends the flood at the brokers as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable

A_SECOND = 100
"""Words of one table through one broker, for as long as it likes: a quick score pad makes three."""
AT_ONCE = 3000
"""And so many together: half a minute of that, read at one go by a hall that was asleep."""


class Floods:
    """Weighs what comes from one broker; called in that line's thread."""

    def __init__(self, flooded: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        """`flooded` is called once with the name of a table that says too much, until it is forgotten."""
        self._flooded, self._clock = flooded, clock
        self._left: dict[str, tuple[float, float, bool]] = {}
        """Table -> what it may still say, since when, and whether it was told of."""

    def hears(self, table: str, weight: float = 1) -> bool:
        """Whether this word is listened to."""
        now = self._clock()
        left, since, told = self._left.get(table, (AT_ONCE, now, False))
        left = min(AT_ONCE, left + (now - since) * A_SECOND)
        heard = left >= weight
        self._left[table] = left - weight * heard, now, told or not heard
        if not heard and not told:
            self._flooded(table)
        return heard

    def forget(self, table: str) -> bool:
        """It was sent away, and may be invited anew; says whether that was for a flood. From any thread."""
        return self._left.pop(table, (0.0, 0.0, False))[2]
