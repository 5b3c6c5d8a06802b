"""A dial that is not there, at the level of pins: real edges on gpiozero's mock pins, stamped by a clock of its own.

Turned by a test (`nudge`), by the keyboard (`python -m firmware_bridge keys`) or by the virtual table (`aim`). It turns
at a pace, as a hand does, and its contacts may bounce. Its clock may run faster than the wall's: settling follows the
edges, so a fast virtual table behaves like a slow real one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from companion.wire.config import DialConfig
from firmware_bridge.backend import Colour, Report
from firmware_bridge.gpio import GpioDial
from firmware_bridge.knob import HOLD

CYCLE = (3, 1, 0, 2)
"""Levels of A and B in a forward turn, from rest: contacts open, pulled up."""
PRESS, HELD = 0.1, 1.3 * HOLD
BUSY = 0.005


def levels_at(counts: int) -> int:
    """How the two contacts stand at a count."""
    return CYCLE[counts % 4]


class Hand:
    """Turns towards a target, one quarter step after the other, each at its time."""

    def __init__(self, pace: float, bounce: random.Random | None = None) -> None:
        self.at = 0
        self.target = 0
        self.base = 0
        """What the world outside counts where this hand began."""
        self._pause = 1.0 / pace
        self._bounce = bounce
        self._next = 0.0
        self._moving = False

    @property
    def busy(self) -> bool:
        """Still on its way."""
        return self.at != self.target

    def due(self, now: float) -> Iterator[tuple[float, int]]:
        """Every level change up to `now`, with its time."""
        if self.busy and not self._moving:
            self._next, self._moving = now, True
        while self.busy and self._next <= now:
            old = levels_at(self.at)
            self.at += 1 if self.target > self.at else -1
            new = levels_at(self.at)
            flips = self._bounce.randrange(4) if self._bounce else 0
            for i in range(flips):
                yield self._next + i * 1e-5, new
                yield self._next + i * 1e-5 + 5e-6, old
            yield self._next + flips * 1e-5, new
            self._next += self._pause
        self._moving = self.busy


class VirtualClock:
    """Time that may run faster than the wall's, or stand until it is moved."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed, self._start = speed, time.monotonic()

    def __call__(self) -> float:
        return (time.monotonic() - self._start) * self._speed


class _VirtualPin(MockPin):  # type: ignore[misc]
    """A mock pin that stamps its edges with the virtual clock and keeps no diary of them."""

    def _change_state(self, value: bool) -> bool:
        changed: bool = bool(self._state) != value
        self._state: bool = value
        return changed

    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self.factory.ticks(), self._state)

    def drive(self, level: bool) -> None:
        """Put the pin high or low, as the world outside does."""
        if level:
            self.drive_high()
        else:
            self.drive_low()


class VirtualFactory(MockFactory):  # type: ignore[misc]
    """gpiozero's mock pins on a virtual clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(pin_class=_VirtualPin)
        self.clock = clock
        self.stamp: float | None = None

    def ticks(self) -> float:
        """The time of the edge being driven, else of the clock."""
        return self.clock() if self.stamp is None else self.stamp

    def ticks_diff(self, later: float, earlier: float) -> float:
        """Seconds between two ticks."""
        return later - earlier


class HandTurned:
    """What every virtual dial has: a hand that goes where the world outside says."""

    hand: Hand
    wake: Callable[[], None]

    @property
    def target(self) -> int:
        """The count the hand is going to."""
        return self.hand.target

    def place(self, counts: int) -> None:
        """The world outside calls the place where the hand stands `counts`; nothing turns."""
        self.hand.base = counts - self.hand.target

    def aim(self, counts: int) -> None:
        """Turn to where the world outside counts `counts`."""
        self.hand.target = counts - self.hand.base
        self.wake()

    def nudge(self, counts: int) -> None:
        """Turn by so many counts from where it is going."""
        self.hand.target += counts
        self.wake()


class VirtualDial(HandTurned):
    """The pin back end with nobody at the dial but this program."""

    leds = 0

    def __init__(
        self,
        config: DialConfig,
        clock: Callable[[], float] | None = None,
        bounce: random.Random | None = None,
        pace: float | None = None,
    ) -> None:
        self.clock = clock or VirtualClock(config.virtual_speed)
        self.factory = VirtualFactory(self.clock)
        self.gpio = GpioDial(config, self.factory)
        self.hand = Hand(pace or config.virtual_pace * config.counts_per_revolution, bounce)
        self._config = config
        self._release: float | None = None

    def start(self) -> None:
        """Claim the pins and lay them where an encoder at rest has them."""
        self.gpio.start()

    def press(self, *, hold: bool = False) -> None:
        """Press the button and let go a moment later, or a longer moment."""
        if self._config.button_pin >= 0:
            self._drive(self._config.button_pin, False, self.clock())
            self._release = self.clock() + (HELD if hold else PRESS)

    def index(self) -> None:
        """Close the index switch and open it again."""
        if self._config.index_pin >= 0:
            self._drive(self._config.index_pin, False, self.clock())
            self._drive(self._config.index_pin, True, self.clock())

    def _drive(self, number: int, level: bool, stamp: float) -> None:
        self.factory.stamp = stamp
        self.factory.pin(number).drive(level)
        self.factory.stamp = None

    def turn_now(self) -> None:
        """Make every edge that is due."""
        now = self.clock()
        pins: tuple[Any, Any] = self.factory.pin(self._config.pin_a), self.factory.pin(self._config.pin_b)
        for stamp, levels in self.hand.due(now):
            self.factory.stamp = stamp
            pins[0].drive(bool(levels & 2))
            pins[1].drive(bool(levels & 1))
        self.factory.stamp = None
        if self._release is not None and now >= self._release:
            self._drive(self._config.button_pin, True, self._release)
            self._release = None

    def poll(self) -> Sequence[Report]:
        """Turn what is due, then read the pins as if they were real."""
        self.turn_now()
        return self.gpio.poll()

    @property
    def wake(self) -> Callable[[], None]:
        """Whom the pins call."""
        return self.gpio.wake

    @wake.setter
    def wake(self, call: Callable[[], None]) -> None:
        self.gpio.wake = call

    def patience(self) -> float:
        """None while the hand turns: it is moved by `poll`."""
        return BUSY if self.hand.busy or self._release is not None else self.gpio.patience()

    def now(self) -> float:
        """The virtual clock."""
        return self.clock()

    def show(self, pixels: Sequence[Colour]) -> None:
        """There is no ring on these pins."""

    def figures(self) -> dict[str, float | int | str | bool]:
        """As of the pins, and that they are virtual."""
        return {**self.gpio.figures(), "virtual": True}

    def stop(self) -> None:
        """Give the pins back."""
        self.gpio.stop()
