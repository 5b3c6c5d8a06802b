"""The encoder on the Pi's own pins, through gpiozero's pin layer.

gpiozero's `RotaryEncoder` is not used: its `wrap` passes through negatives and its callbacks hold the edges up. Here the
callback only queues; the counting happens in `poll`.
"""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.wire.config import DialConfig
from firmware_bridge.backend import REST, Colour, Indexed, Lost, Moved, PoweredOn, Pressed, Released, Report, nobody
from firmware_bridge.permission import forbidden, no_permission
from firmware_bridge.pico.quadrature import Counter
from firmware_bridge.troubles import Trouble, trouble

A, B, BUTTON, INDEX = "a", "b", "button", "index"
QUIET = 0.02
LATE = 0.2
"""How long an edge may be on its way to us: who fetches it may have to wait for a turn, the level of the pin does not."""
DEBOUNCE = 0.03
RETRY = 5.0
ANOTHER_CLOCK = 3600.0
CHIPS = Path("/dev")


class _Pin:
    """One input; its callback only queues, with the time the edge had."""

    def __init__(self, name: str, number: int, factory: Any, queue: Callable[[str, bool, float], None]) -> None:
        self.name, self.number = name, number
        self._factory, self._queue = factory, queue
        factory.reserve_pins(self, number)
        self._pin = factory.pin(number)

    def _conflicts_with(self, other: object) -> bool:
        """Asked by gpiozero when two want the same pin: ours is never shared."""
        return True

    def open(self, pull: str) -> None:
        """Watch both edges, undebounced: bounce cancels itself out in the transition table."""
        self._pin.input_with_pull(pull)
        self._pin.bounce = None
        self._pin.edges = "both"
        self._pin.when_changed = self._changed

    def _changed(self, ticks: float, state: int) -> None:
        self._queue(self.name, bool(state), ticks)

    @property
    def level(self) -> bool:
        return bool(self._pin.state)

    def close(self) -> None:
        """Give the pin back."""
        self._pin.when_changed = None
        self._pin.close()
        self._factory.release_pins(self, self.number)


class GpioDial:
    """Counts what the pins did."""

    leds = 0

    def __init__(self, config: DialConfig, factory: Any = None) -> None:
        self.wake = nobody
        self._config, self._factory = config, factory
        self._edges: deque[tuple[str, bool, float]] = deque()
        self._pins: dict[str, _Pin] = {}
        self._counter = Counter()
        self._edge = 0.0
        self._skew = 0.0
        self._checked = True
        self._doubt, self._doubted = -1, 0.0
        self._button_edge, self._button_up, self._down = -1.0, True, False
        self._retry = 0.0
        self._news: list[Report] = []
        self._last: Trouble | None = None
        self.repeats = 0
        self.mended = 0

    def start(self) -> None:
        """Claim the pins; what is in the way is reported and tried again."""
        self._retry = time.monotonic() + RETRY
        failed = self._open()
        if failed is None:
            self._last = None
            self._counter = Counter(self._levels())
            self._news.append(PoweredOn(self.now()))
            return
        self._release()
        if failed != self._last:
            self._last = failed
            self._news.append(Lost(failed))

    def _open(self) -> Trouble | None:
        from gpiozero.exc import GPIOZeroError

        number: int | str = "?"
        try:
            factory = self._factory = self._factory or default_factory()
        except (GPIOZeroError, OSError, ImportError) as wrong:
            closed = forbidden(sorted(str(chip) for chip in CHIPS.glob("gpiochip*")))
            return no_permission(closed, "gpio") if closed else trouble("no-gpio", why=_short(wrong))
        wanted = {A: self._config.pin_a, B: self._config.pin_b}
        wanted |= {BUTTON: self._config.button_pin} if self._config.button_pin >= 0 else {}
        wanted |= {INDEX: self._config.index_pin} if self._config.index_pin >= 0 else {}
        try:
            for name, number in wanted.items():
                self._pins[name] = _Pin(name, number, factory, self._queue)
                self._pins[name].open("up" if self._config.pull_up else "floating")
        except (GPIOZeroError, OSError, *_library_errors()) as wrong:
            return trouble("pin", pin=number, why=_short(wrong))
        return None

    def _queue(self, name: str, level: bool, ts: float) -> None:
        """All that happens in the edge callback."""
        self._edges.append((name, level, ts))
        self.wake()

    def _levels(self) -> int:
        return self._pins[A].level << 1 | self._pins[B].level

    def now(self) -> float:
        """The clock the edges are stamped with."""
        return float(self._factory.ticks()) if self._factory else time.monotonic()

    def poll(self) -> Sequence[Report]:
        """Count what has been queued; after a moment of quiet compare with the pins themselves."""
        if not self._pins and time.monotonic() >= self._retry:
            self.start()
        news, self._news = self._news, []
        before = self._counter.counts, self._counter.impossible
        while self._edges:
            name, level, stamp = self._edges.popleft()
            ts = self._on_our_clock(stamp)
            if name in (A, B):
                self._turned(name, level, ts)
            elif name == BUTTON:
                if not level and not self._down and ts - self._button_edge > DEBOUNCE:
                    self._down = True
                    news.append(Pressed(ts))
                self._button_edge, self._button_up = ts, level
            elif not level:
                news.append(Indexed(ts, self._counter.counts))
        if self._letting_go and self.now() - self._button_edge > DEBOUNCE:
            self._down = False
            news.append(Released(self._button_edge))
        if not self._checked and self.now() - self._edge > QUIET and self.now() - self._doubted > LATE:
            self._compare()
        if before != (self._counter.counts, self._counter.impossible):
            news.append(Moved(self._edge, self._counter.counts, self._counter.impossible))
        return news

    def _on_our_clock(self, stamp: float) -> float:
        """Some kernels stamp edges with the time of day, others with the time since boot; differences are the same."""
        if abs(self.now() - stamp - self._skew) > ANOTHER_CLOCK:
            self._skew = self.now() - stamp
        return stamp + self._skew

    def _turned(self, name: str, level: bool, ts: float) -> None:
        counter = self._counter
        bit = 2 if name == A else 1
        levels = counter.levels | bit if level else counter.levels & ~bit
        if levels == counter.levels:
            self.repeats += 1  # its opposite was missed: back and forth, which is no movement
        counter.move(levels)
        self._edge, self._checked, self._doubt, self._doubted = ts, False, -1, 0.0

    def _compare(self) -> None:
        """An edge the kernel did not deliver is seen in the levels at rest: twice the same, and none came between."""
        levels = self._levels()
        if levels not in (self._counter.levels, self._doubt):
            self._doubt, self._doubted = levels, self.now()
            return
        if levels != self._counter.levels:
            self.mended += 1
            self._counter.move(levels)
        self._checked, self._doubt, self._doubted = True, -1, 0.0

    def patience(self) -> float:
        """Edges call by themselves; only the comparison after them wants its time."""
        return DEBOUNCE if self._letting_go else REST if self._checked else QUIET

    @property
    def _letting_go(self) -> bool:
        """The button seems to be up again; contacts tremble, so that is waited for."""
        return self._down and self._button_up

    def show(self, pixels: Sequence[Colour]) -> None:
        """There is no ring on these pins."""

    def figures(self) -> dict[str, float | int | str | bool]:
        """Edges that did not come as they should."""
        return {"impossible": self._counter.impossible, "repeats": self.repeats, "mended": self.mended}

    def stop(self) -> None:
        """Give the pins back."""
        self._release()

    def _release(self) -> None:
        for pin in self._pins.values():
            pin.close()
        self._pins = {}


def default_factory() -> Any:
    """gpiozero's own choice (`GPIOZERO_PIN_FACTORY`, else lgpio first), without its running commentary."""
    from gpiozero import Device

    # lgpio makes a pipe in the folder it was started in, which under systemd is the root and read-only
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY") or tempfile.gettempdir())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Device.ensure_pin_factory()
    return Device.pin_factory


def _library_errors() -> tuple[type[Exception], ...]:
    """lgpio raises its own kind when a line is busy or forbidden."""
    try:
        import lgpio
    except ImportError:
        return ()
    return (lgpio.error,)


def _short(wrong: BaseException) -> str:
    return (str(wrong) or type(wrong).__name__).splitlines()[0].rstrip(".!")[:120]
