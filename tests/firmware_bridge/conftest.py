"""One contract over all back ends: each is turned by somebody else than the code that reads it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.config import DialConfig
from firmware_bridge.backend import Lost, Moved, PoweredOn, Report
from firmware_bridge.gpio import GpioDial
from firmware_bridge.virtual import VirtualDial
from firmware_bridge.virtual_board import VirtualSerialDial


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

    def until(self, condition: Callable[[], object], seconds: float = 10.0) -> None:
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
    rig = Rig(VirtualSerialDial(CONFIG, bounce=random.Random(1), pace=288), time.sleep)
    rig.up()
    yield rig
    rig.backend.stop()


@pytest.fixture
def real_dial(pytestconfig: pytest.Config) -> Iterator[Rig]:
    """The dial of this machine's own settings."""
    from companion.config import load

    rig = Rig(GpioDial(load().dial), time.sleep)
    rig.up()
    yield rig
    rig.backend.stop()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that need somebody at a real dial run only when asked for."""
    if not config.getoption("--hardware"):
        kept = [item for item in items if not item.get_closest_marker("hardware")]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
