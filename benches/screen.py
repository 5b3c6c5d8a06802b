"""Figures of the screen on this machine: frame times, idle share, touch to feedback, turned dial to picture."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benches.figures import Row, percentile, row, show

FRAME_MS = 1000 / 30


def _table() -> Any:
    """A screen at 1280x720 without a window, showing the Skytopia table from a bus in memory."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    from benches import samples
    from companion.wire.config import Config, DisplayConfig
    from companion.wire.memory import MemoryBroker
    from display.client import Client
    from display.screen import Screen

    config = Config(display=DisplayConfig(driver="dummy"), state_dir=Path(tempfile.mkdtemp(prefix="tableside-bench-")))
    pygame.display.init()
    surface = pygame.display.set_mode((1280, 720))
    broker = MemoryBroker()
    bus, core = broker.bus("display"), broker.bus("companion")
    bus.start()
    core.start()
    client = Client(bus, config)
    view = samples.table()
    assert view.state is not None and view.prompt is not None and view.dial is not None
    for room in view.health.values():
        core.publish(f"health/{room.room}", room)
    core.publish("state", view.state)
    core.publish("sensor/dial", view.dial)
    bus.pump()
    client.put(slot="red-2")
    screen = Screen(surface, client, config.display)
    screen.step(time.monotonic())
    return screen, bus, core, view


def whole_frames(n: int = 60) -> Row:
    """Everything painted anew, pictures cached."""
    screen, *_ = _table()
    times = []
    for _ in range(n):
        screen.page.spoil()
        start = time.perf_counter()
        screen.draw(time.monotonic())
        times.append((time.perf_counter() - start) * 1000)
    return row("display whole frame 1280x720, p99", percentile(times, 0.99), "ms", FRAME_MS, n=n)


def dial_frames(n: int = 120) -> tuple[Row, Row]:
    """The dial turns by hand: a reading arrives and the ring follows it; only the ring is painted."""
    from companion.wire.messages import DialSeen

    screen, bus, core, _ = _table()
    times = []
    for i in range(n):
        angle = (i % 20) / 20 - 0.5
        core.publish("sensor/dial", DialSeen(state="turning", ts=i / 30, position=(2 + i // 20) % 6, angle=angle))
        start = time.perf_counter()
        bus.pump()
        screen.step(time.monotonic())
        times.append((time.perf_counter() - start) * 1000)
    first = row("display frame while the dial turns", percentile(times, 0.99), "ms", FRAME_MS, n=n)
    second = row("display frame while the dial turns, median", statistics.median(times), "ms", FRAME_MS, n=n)
    return first, second


def touch_frames(n: int = 60) -> Row:
    """A finger comes down on a choice: until the pressed button is on the screen."""
    screen, *_ = _table()
    touch = next(t for t in screen.page.touches() if t.id == "place/red-2/6")
    at = (touch.box[0] + touch.box[2] // 2, touch.box[1] + touch.box[3] // 2)
    times = []
    for _ in range(n):
        start = time.perf_counter()
        screen.press(at, time.monotonic())
        screen.step(time.monotonic())
        times.append((time.perf_counter() - start) * 1000)
        screen._held = None
        screen.page.pressed = ""
        screen._damaged = True
        screen.step(time.monotonic())
    return row("touch to feedback", percentile(times, 0.99), "ms", FRAME_MS, n=n)


def idle_share(seconds: float = 8.0) -> Row:
    """The loop as the room runs it, with nothing to do."""
    from display.app import PERIOD

    screen, bus, _, _ = _table()
    due = time.monotonic()
    used, began = time.process_time(), time.monotonic()
    while time.monotonic() - began < seconds:
        screen.step(time.monotonic())
        due = max(due + PERIOD, time.monotonic())
        bus.pump(max(0.0, due - time.monotonic()))
    share = (time.process_time() - used) / (time.monotonic() - began) * 100
    return row("display idle share of one core", share, "%", 1.0, n=1)


def first_frame() -> Row:
    """From nothing cached to the first whole picture of the table."""
    from display.paint import forget_sprites

    forget_sprites()
    start = time.monotonic()
    _table()
    return row("display first frame of the table", (time.monotonic() - start) * 1000, "ms", 1000.0, n=1)


def rows() -> list[Row]:
    """All of them."""
    return [first_frame(), whole_frames(), *dial_frames(), touch_frames(), idle_share()]


if __name__ == "__main__":
    sys.exit(show(rows(), as_json="--json" in sys.argv))
