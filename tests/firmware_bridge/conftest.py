"""One contract over all back ends: each is turned by somebody else than the code that reads it."""

from __future__ import annotations

import platform
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from gpiozero.pins.mock import MockConnectedPin, MockFactory

from companion.wire.config import DialConfig
from firmware_bridge.backend import Lost, Moved, PoweredOn, Report
from firmware_bridge.gpio import GpioDial, default_factory
from firmware_bridge.serial_link import SerialDial
from firmware_bridge.virtual import Hand, VirtualDial
from firmware_bridge.virtual_board import VirtualSerialDial, micropython_here
from tests.conftest import PATIENCE


class Clock:
    """Time that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Rig:
    """Drives a virtual back end and remembers everything it reported."""

    def __init__(self, backend: Any, sleep: Callable[[float], None]) -> None:
        self.backend, self.sleep = backend, sleep
        self.reports: list[Report] = []
        self.counts = 0
        self.impossible = 0
        self.lost: list[Lost] = []

    def poll(self) -> None:
        for report in self.backend.poll():
            self.reports.append(report)
            if isinstance(report, Moved | PoweredOn):
                self.counts, self.impossible = report.counts, report.impossible
            elif isinstance(report, Lost):
                self.lost.append(report)

    def wait(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / 0.005))):
            self.sleep(0.005)
            self.poll()

    def until(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        seconds = max(seconds, PATIENCE)
        for _ in range(round(seconds / 0.005)):
            self.poll()
            if condition():
                return
            self.sleep(0.005)
        raise AssertionError(f"not within {seconds} s; heard {self.reports[-5:]}")

    def heard(self, kind: type[Any]) -> list[Any]:
        return [report for report in self.reports if isinstance(report, kind)]

    def up(self) -> None:
        self.backend.start()
        self.until(lambda: self.heard(PoweredOn))

    def turn(self, counts: int) -> None:
        """Turn, and wait until the hand has arrived."""
        self.backend.nudge(counts)
        self.until(lambda: not self.backend.hand.busy, 60.0)


CONFIG = DialConfig(button_pin=22, index_pin=23)


def need_micropython() -> None:
    """MicroPython's unix port has a wheel for x86-64 only; elsewhere, and only there, the firmware cannot be run."""
    if platform.machine() != "x86_64" and not micropython_here():
        pytest.skip(f"THE FIRMWARE WAS NOT RUN: MicroPython's unix port has no wheel for {platform.machine()}")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pins(clock: Clock) -> Iterator[Rig]:
    rig = Rig(VirtualDial(CONFIG, clock=clock, bounce=random.Random(1), pace=288), clock.sleep)
    rig.up()
    yield rig
    rig.backend.stop()


@pytest.fixture
def line() -> Iterator[Rig]:
    need_micropython()
    rig = Rig(VirtualSerialDial(CONFIG, bounce=random.Random(1), pace=288), time.sleep)
    rig.up()
    yield rig
    rig.backend.stop()


class JumperDial:
    """Pins turned by other pins: four outputs stand for the contacts, a jumper wire leads from each to its input.

    On a Pi this is real copper (docs/dial.md says which pins); without one gpiozero's connected mock pins stand for it.
    """

    OUTPUTS: ClassVar = {"pin_a": 5, "pin_b": 6, "button_pin": 13, "index_pin": 19}

    def __init__(self, config: DialConfig, factory: Any, connected: bool) -> None:
        self.hand = Hand(288, random.Random(1))
        self.gpio = GpioDial(config, factory)
        self._outputs = {}
        for name, number in self.OUTPUTS.items():
            wire = {"pin_class": MockConnectedPin, "input_pin": factory.pin(getattr(config, name))} if connected else {}
            self._outputs[name] = factory.pin(number, **wire)
        self._release = 0.0

    def start(self) -> None:
        for output in self._outputs.values():
            output.output_with_state(1)
        self.gpio.start()

    def nudge(self, counts: int) -> None:
        self.hand.target += counts

    def place(self, counts: int) -> None:
        self.hand.base = counts - self.hand.target

    def aim(self, counts: int) -> None:
        self.hand.target = counts - self.hand.base

    @property
    def target(self) -> int:
        return self.hand.target

    def press(self) -> None:
        self._outputs["button_pin"].state = 0
        self._release = time.monotonic() + 0.1

    def index(self) -> None:
        self._outputs["index_pin"].state = 0
        self._outputs["index_pin"].state = 1

    def poll(self) -> Any:
        for _, levels in self.hand.due(time.monotonic()):
            self._outputs["pin_a"].state = levels >> 1
            self._outputs["pin_b"].state = levels & 1
        if self._release and time.monotonic() > self._release:
            self._outputs["button_pin"].state = 1
            self._release = 0.0
        return self.gpio.poll()

    def stop(self) -> None:
        self.gpio.stop()
        for output in self._outputs.values():
            output.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.gpio, name)


@pytest.fixture
def jumpers(pytestconfig: pytest.Config) -> Iterator[Rig]:
    real = pytestconfig.getoption("--hardware")
    rig = Rig(JumperDial(CONFIG, default_factory() if real else MockFactory(), not real), time.sleep)
    rig.up()
    yield rig
    rig.backend.stop()


@pytest.fixture
def board_on_usb() -> Iterator[Rig]:
    """A real board, found by its USB id."""
    rig = Rig(SerialDial(), time.sleep)
    rig.up()
    yield rig
    rig.backend.stop()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that need a real board run only when asked for."""
    if not config.getoption("--hardware"):
        kept = [item for item in items if not item.get_closest_marker("hardware")]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
