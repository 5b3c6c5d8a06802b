"""What the table writes to its card: at rest, and for each move."""

from __future__ import annotations

import random
import time
from typing import Any, NamedTuple

from tools.lab.cuts import Pad
from tools.lab.guest import SLOW, Guest
from tools.lab.world import heard, lent

REST = 120.0
MOVES = 50
SECTOR = 512


class Written(NamedTuple):
    """Since the machine started."""

    bytes: int
    flushes: int


def written(guest: Guest) -> Written:
    """The kernel's own count for the disk."""
    fields = guest.run(f"cat /sys/block/{guest.machine.drive}/stat").split()
    return Written(int(fields[6]) * SECTOR, int(fields[15]))


def measure(guest: Guest) -> dict[str, Any]:
    """First nothing happens, then a pad is filled at an evening's pace, one move after the other."""
    before, began = written(guest), time.monotonic()
    time.sleep(REST)
    after, rested = written(guest), time.monotonic() - began
    with lent(guest) as config:
        pad = Pad(config, random.Random(1))
        pad.begin()
        heard(pad.voice.bus, lambda: pad.state is not None and pad.state.game_id == pad.game, SLOW, "the game's state")
        start = written(guest)
        for _ in range(MOVES):
            pad.one()
        end = written(guest)
        pad.voice.bus.stop()
    hour = 3600 / rested
    return {
        "ok": True,
        "moves": MOVES,
        "move_bytes": (end.bytes - start.bytes) / MOVES,
        "move_flushes": (end.flushes - start.flushes) / MOVES,
        "idle_seconds": rested,
        "idle_bytes_hour": (after.bytes - before.bytes) * hour,
        "idle_flushes_hour": (after.flushes - before.flushes) * hour,
    }
