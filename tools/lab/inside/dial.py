"""A dial's contacts on lines of the kernel's own `gpio-sim` driver."""

from __future__ import annotations

import os
import time
from pathlib import Path

CONFIG = Path("/sys/kernel/config/gpio-sim/lab")
LINES = 28
CYCLE = (3, 1, 0, 2)
"""Levels of A and B in a forward turn, from rest: contacts open, pulled up."""
TICKING = 6
"""The kernel's CLOCK_MONOTONIC_COARSE, which goes on with each tick, and only then."""
HIGH, LOW = b"pull-up", b"pull-down"


class Dial:
    """Encoder, button and index on the pins a Pi's would be on."""

    def __init__(self, pins: dict[str, int]) -> None:
        self.pins, self.at, self._stood = pins, 0, 0.0
        if not (CONFIG / "live").exists():
            (CONFIG / "bank").mkdir(parents=True)
            (CONFIG / "bank" / "num_lines").write_text(str(LINES))
            (CONFIG / "bank" / "label").write_text("pinctrl-lab")
            (CONFIG / "live").write_text("1")
        chip = Path("/sys/devices/platform") / (CONFIG / "dev_name").read_text().strip()
        chip /= (CONFIG / "bank" / "chip_name").read_text().strip()
        self._lines = {name: os.open(chip / f"sim_gpio{number}" / "pull", os.O_WRONLY) for name, number in pins.items()}
        for line in self._lines.values():
            os.write(line, HIGH)

    def turn(self, counts: int, pace: float, ticks: int = 0) -> dict[str, float]:
        """So many quarter steps, at so many edges a second, and as many of the kernel's ticks apart; how fast it really was.

        A kernel that hands edges on with its ticks alone would lose those of a hand that does not wait for it.
        """
        apart = ticks * time.clock_getres(TICKING)
        step, pause = (1 if counts > 0 else -1), 1.0 / pace
        start = due = time.monotonic()
        for _ in range(abs(counts)):
            while (now := time.monotonic()) < due or _ticked() < self._stood + apart:
                if due - now > 0.002:
                    time.sleep(due - now - 0.001)
                elif apart:
                    time.sleep(0.001)
            self._stand(self.at + step)
            self._stood = _ticked()
            due = now + pause  # never two at once to make up for time the machine was held up: no hand does that
        took = time.monotonic() - start
        return {"at": self.at, "edges_per_second": abs(counts) / took if took else 0.0}

    def _stand(self, counts: int) -> None:
        old, new = CYCLE[self.at % 4], CYCLE[counts % 4]
        self.at = counts
        for name, bit in (("a", 2), ("b", 1)):
            if (old ^ new) & bit:
                os.write(self._lines[name], HIGH if new & bit else LOW)

    def press(self, name: str = "button", seconds: float = 0.1) -> dict[str, float]:
        """Close a contact and open it again."""
        os.write(self._lines[name], LOW)
        time.sleep(seconds)
        os.write(self._lines[name], HIGH)
        return {}


def _ticked() -> float:
    return time.clock_gettime(TICKING)
