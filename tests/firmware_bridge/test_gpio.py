"""The pin back end when things go wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gpiozero.exc import BadPinFactory

from companion.wire.config import DialConfig
from firmware_bridge import gpio
from firmware_bridge.backend import Lost, Moved, PoweredOn
from firmware_bridge.gpio import GpioDial
from firmware_bridge.virtual import VirtualDial, VirtualFactory
from tests.firmware_bridge.conftest import Clock, Rig


def test_no_pins_here_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a Pi, or no library: said once, tried again, never raised."""

    def nothing() -> None:
        raise BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpio, "default_factory", nothing)
    dial = GpioDial(DialConfig())
    dial.start()
    dial.start()
    (lost,) = dial.poll()
    assert isinstance(lost, Lost)
    assert lost.trouble.line.endswith("On a Raspberry Pi type: sudo apt install python3-lgpio")
    assert not dial.poll()


def test_pins_this_user_may_not_use_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The chip is there and closed to us: which group to join, instead of which library to install."""

    def nothing() -> None:
        raise BadPinFactory("Unable to load any default pin factory!")

    chip = tmp_path / "gpiochip0"
    chip.write_bytes(b"")
    monkeypatch.setattr(gpio, "default_factory", nothing)
    monkeypatch.setattr(gpio, "CHIPS", tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    dial = GpioDial(DialConfig())
    dial.start()
    (lost,) = dial.poll()
    assert isinstance(lost, Lost)
    assert lost.trouble.line.startswith(f"This user may not open {chip}. Type: sudo usermod -aG ")
    assert lost.trouble.params["group"]


def test_a_pin_somebody_else_has_is_named(clock: Clock) -> None:
    """Both contacts on one pin cannot be; the number is in the line, and the pins are given back."""
    factory = VirtualFactory(clock)
    dial = GpioDial(DialConfig(pin_a=17, pin_b=17), factory)
    dial.start()
    (lost,) = dial.poll()
    assert isinstance(lost, Lost)
    assert (lost.trouble.code, lost.trouble.params["pin"]) == ("pin", 17)
    right = GpioDial(DialConfig(pin_a=17, pin_b=27), factory)
    right.start()
    assert isinstance(right.poll()[0], PoweredOn)


def test_an_edge_the_kernel_dropped_is_found_at_rest(clock: Clock) -> None:
    """One contact moved and nobody was told: the levels at rest show it, and no count is missing."""
    dial = VirtualDial(DialConfig(), clock=clock)
    dial.start()
    dial.poll()
    a, b = dial.factory.pin(17), dial.factory.pin(27)
    a.drive(False)
    b._state = False  # the edge happens, the callback does not
    clock.sleep(0.05)
    (first,) = [report for report in dial.poll() if isinstance(report, Moved)]
    assert (first.counts, dial.gpio.mended) == (1, 0)  # it may still be on its way
    clock.sleep(gpio.LATE + 0.01)
    (moved,) = [report for report in dial.poll() if isinstance(report, Moved)]
    assert (moved.counts, moved.impossible, dial.gpio.mended) == (2, 0, 1)


def test_edges_that_come_late_are_not_guessed(clock: Clock) -> None:
    """A busy machine: the pins show two edges before anybody was told of one, and a moment later both are told."""
    dial = VirtualDial(DialConfig(), clock=clock)
    dial.start()
    dial.poll()
    dial.factory.pin(17).drive(False)
    dial.poll()
    for pin in (27, 17):
        dial.factory.pin(pin)._state = not dial.factory.pin(pin)._state
    for _ in range(3):
        clock.sleep(0.04)
        assert not [report for report in dial.poll() if isinstance(report, Moved)]
    dial.gpio._queue("b", False, clock.now)
    dial.gpio._queue("a", True, clock.now)
    (moved,) = [report for report in dial.poll() if isinstance(report, Moved)]
    assert (moved.counts, moved.impossible) == (3, 0)
    clock.sleep(1.0)
    dial.poll()
    assert dial.gpio.figures() == {"impossible": 0, "repeats": 0, "mended": 0}


def test_both_contacts_moved_unseen_is_impossible_and_counted(clock: Clock) -> None:
    """Two edges dropped: two counts on, in the direction of before, and one impossible transition."""
    dial = VirtualDial(DialConfig(), clock=clock)
    rig = Rig(dial, clock.sleep)
    rig.up()
    rig.turn(4)
    dial.factory.pin(17)._state = False
    dial.factory.pin(27)._state = False
    dial.gpio._checked = False
    rig.wait(0.1 + gpio.LATE)
    assert (rig.counts, rig.impossible) == (6, 1)
    assert dial.figures()["impossible"] == 1


def test_a_repeated_level_is_a_bounce_whose_other_half_was_missed(clock: Clock) -> None:
    """High, high: nothing moved, but it is counted as a sign of a poor contact."""
    dial = VirtualDial(DialConfig(), clock=clock)
    dial.start()
    dial.poll()
    dial.gpio._queue("a", True, clock.now)
    dial.gpio._queue("a", True, clock.now)
    assert not [report for report in dial.poll() if isinstance(report, Moved)]
    assert dial.gpio.repeats == 2


def test_edges_stamped_with_the_time_of_day_settle_all_the_same(clock: Clock) -> None:
    """Epoch seconds from the kernel, seconds since boot from the library: the edge was now, and the next a bit later."""
    dial = VirtualDial(DialConfig(), clock=clock)
    dial.start()
    dial.poll()
    dial.gpio._queue("a", False, 1.8e9)
    (first,) = dial.poll()
    clock.sleep(0.01)
    dial.gpio._queue("b", False, 1.8e9 + 0.008)
    (second,) = dial.poll()
    assert isinstance(first, Moved)
    assert isinstance(second, Moved)
    assert first.ts == pytest.approx(100.0, abs=1e-3)
    assert second.ts == pytest.approx(100.008, abs=1e-3)


def test_lgpio_makes_its_pipe_where_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Left alone it takes the folder it was started in, which under systemd is the read-only root: no pin would open."""
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setattr("gpiozero.Device.ensure_pin_factory", lambda: None)
    gpio.default_factory()
    assert os.environ.pop("LG_WD") == str(tmp_path)
