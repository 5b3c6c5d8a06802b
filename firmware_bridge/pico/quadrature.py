"""The transition table of a quadrature encoder: pure, the same file on the board and on the host.

The two contacts are read as one number, `a << 1 | b`. Turned forward, A leads: 0, 2, 3, 1, 0. A bouncing contact goes
back and forth between two neighbours and cancels itself out, so no filter and no waiting is needed. Both contacts at
once never change in one step: such a jump means that an edge was missed, and it is counted.
"""

IMPOSSIBLE = 2

# one row per old reading, one column per new one
TABLE = (
    (0, -1, 1, IMPOSSIBLE),
    (1, 0, IMPOSSIBLE, -1),
    (-1, IMPOSSIBLE, 0, 1),
    (IMPOSSIBLE, 1, -1, 0),
)


class Counter:
    """Counts quarter steps. `move` allocates nothing, so that it may run in an interrupt."""

    def __init__(self, levels: int = 0) -> None:
        self.levels = levels
        self.counts = 0
        self.impossible = 0
        self.way = 1

    def move(self, levels: int) -> None:
        """Take the two contacts as they are now."""
        step = TABLE[self.levels][levels]
        if step == IMPOSSIBLE:
            # two quarter steps in an unknown direction: going on as before keeps the phase right, and is likely true
            self.impossible += 1
            self.counts += self.way + self.way
        elif step:
            self.counts += step
            self.way = step
        self.levels = levels
