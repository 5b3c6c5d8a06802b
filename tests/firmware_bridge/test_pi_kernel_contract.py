"""A contract test: the dial on a Pi's pins against how its kernel and lgpio are documented to answer, never against a Pi.

Real are the dial and gpiozero. Stand-ins are what the Pi's kernel says of itself (its revision code, which chip has the pins) and
lgpio, which offers what its manual documents and nothing else; the real lgpio runs in the lab, on lines of `gpio-sim`.
"""

from __future__ import annotations

import importlib
import io
import os
import struct
import sys
from collections import defaultdict
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from gpiozero.pins.local import LocalPiFactory

from companion.wire.config import DialConfig
from firmware_bridge.backend import Lost, Moved, PoweredOn
from firmware_bridge.gpio import GpioDial

PI_4, PI_5 = 0xC03114, 0xD04170
"""Revision codes as Raspberry Pi's documentation lists them: 4 Model B with 4 GB, 5 with 8 GB."""
REVISION = "/proc/device-tree/system/linux,revision"
PULL_UP, BOTH = 32, 3


class LineError(Exception):
    """What lgpio raises, under the name of `lgpio.error`."""


class Lines(ModuleType):
    """`lgpio` as documented: a chip is opened by number, lines are claimed, edges come with the nanoseconds of the kernel."""

    error = LineError
    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = PULL_UP, 64, 128
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, BOTH
    SPI_MODE_0 = 0

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.opened: list[int] = []
        self.flags: dict[int, int] = {}
        self.alerts: dict[int, int] = {}
        self.told: dict[int, Callable[[int, int, int, int], None]] = {}
        self.busy: set[int] = set()

    def gpiochip_open(self, gpiochip: int) -> int:
        self.opened.append(gpiochip)
        return 0

    def gpiochip_close(self, handle: int) -> None:
        pass

    def gpio_claim_input(self, handle: int, gpio: int, flags: int = 0) -> None:
        if gpio in self.busy:
            raise LineError("'GPIO busy'")
        self.flags[gpio] = flags

    def gpio_claim_output(self, handle: int, gpio: int, level: int = 0, flags: int = 0) -> None:
        raise AssertionError("a dial's pins are only ever read")

    def gpio_claim_alert(self, handle: int, gpio: int, edges: int, flags: int = 0) -> None:
        self.alerts[gpio] = edges

    def gpio_free(self, handle: int, gpio: int) -> None:
        self.flags.pop(gpio)

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        return self.flags[gpio]

    def gpio_read(self, handle: int, gpio: int) -> int:
        return 1

    def gpio_set_debounce_micros(self, handle: int, gpio: int, debounce_micros: int) -> None:
        assert debounce_micros == 0, "bounce cancels itself out"

    def callback(self, handle: int, gpio: int, edge: int, func: Callable[[int, int, int, int], None]) -> Any:
        self.told[gpio] = func
        return self

    def cancel(self) -> None:
        """Of a callback."""


def pi(monkeypatch: pytest.MonkeyPatch, revision: int, chips: set[str]) -> tuple[Lines, Any]:
    """The library and gpiozero's factory on a Pi of this revision, with these chips in /dev."""
    lines, opened, exists = Lines(), io.open, os.path.exists

    def as_there(file: Any, *rest: Any, **more: Any) -> Any:
        return io.BytesIO(struct.pack(">L", revision)) if file == REVISION else opened(file, *rest, **more)

    monkeypatch.setattr(io, "open", as_there)
    monkeypatch.setattr(os.path, "exists", lambda path: path in chips if "gpiochip" in str(path) else exists(path))
    monkeypatch.setattr(LocalPiFactory, "pins", {})
    monkeypatch.setattr(LocalPiFactory, "_reservations", defaultdict(list))
    monkeypatch.setitem(sys.modules, "lgpio", lines)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    factory = importlib.import_module("gpiozero.pins.lgpio").LGPIOFactory()
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio")  # the next test has a library of its own
    return lines, factory


@pytest.mark.parametrize(
    ("revision", "chips", "chip"),
    [
        (PI_4, {"/dev/gpiochip0", "/dev/gpiochip1"}, 0),
        (PI_4, {"/dev/gpiochip0", "/dev/gpiochip4"}, 0),
        (PI_5, {"/dev/gpiochip0", "/dev/gpiochip4"}, 4),  # kernels before 6.6.45
        (PI_5, {"/dev/gpiochip0", "/dev/gpiochip10"}, 0),  # and since
    ],
)
def test_the_header_is_on_the_chip_the_kernel_gives_it(
    revision: int, chips: set[str], chip: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi 5 has its header on a chip of its own, whose number changed."""
    lines, factory = pi(monkeypatch, revision, chips)
    dial = GpioDial(DialConfig(button_pin=23, index_pin=22), factory)
    dial.start()
    assert isinstance(dial.poll()[0], PoweredOn)
    assert lines.opened == [chip]
    config = DialConfig()
    wanted = {config.pin_a, config.pin_b, 22, 23}
    assert {pin for pin, flags in lines.flags.items() if flags == PULL_UP} == wanted
    assert lines.alerts == dict.fromkeys(wanted, BOTH)
    dial.stop()


@pytest.mark.parametrize("revision", [PI_4, PI_5])
def test_edges_are_counted_with_the_kernels_time(revision: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nanoseconds in, seconds out, in the order they came."""
    lines, factory = pi(monkeypatch, revision, {"/dev/gpiochip0"})
    dial = GpioDial(DialConfig(), factory)
    dial.start()
    dial.poll()
    config = DialConfig()
    start = round(factory.ticks() * 1e9)
    turned = ((config.pin_a, 0), (config.pin_b, 0), (config.pin_a, 1), (config.pin_b, 1))
    for number, (pin, level) in enumerate(turned):
        lines.told[pin](0, pin, level, start + number * 1_000_000)
    moved = [report for report in dial.poll() if isinstance(report, Moved)]
    assert (abs(moved[-1].counts), moved[-1].impossible) == (4, 0)
    assert moved[-1].ts == pytest.approx(start / 1e9 + 0.003, abs=1e-6)


def test_a_line_another_program_has_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel gives a line to one program only, and lgpio raises its own error."""
    lines, factory = pi(monkeypatch, PI_5, {"/dev/gpiochip0"})
    lines.busy.add(DialConfig().pin_b)
    dial = GpioDial(DialConfig(), factory)
    dial.start()
    (lost,) = dial.poll()
    assert isinstance(lost, Lost)
    assert (lost.trouble.code, lost.trouble.params["pin"]) == ("pin", DialConfig().pin_b)
