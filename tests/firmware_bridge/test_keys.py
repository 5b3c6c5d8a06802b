"""The virtual dial under the arrow keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.keys import press_key, split_keys
from tests.firmware_bridge.conftest import Clock
from tests.firmware_bridge.test_room import Table


def test_arrows_come_as_three_characters() -> None:
    """Typed fast, several arrive at once."""
    assert split_keys("\x1b[C\x1b[Dq\n") == ["\x1b[C", "\x1b[D", "q", "\n"]


def test_keys_turn_and_press(tmp_path: Path, clock: Clock) -> None:
    """Enter sets the first zero, two arrows are two notches, q ends it, others do nothing."""
    table = Table(tmp_path, clock)
    for key in "\n", "x":
        assert press_key(table.bridge, key)
    table.wait(0.3)
    for key in "\x1b[C", "\x1b[C", "\x1b[A":
        assert press_key(table.bridge, key)
    table.wait(1.5)
    assert (table.seen.state, table.seen.position, table.seen.counts) == ("ready", 2, 33)
    assert not press_key(table.bridge, "q")
    table.backend.stop()


@pytest.mark.parametrize("key", ["\x1b[D", "h"])
def test_left_is_back(tmp_path: Path, clock: Clock, key: str) -> None:
    """Counter-clockwise from the zero is the last position."""
    table = Table(tmp_path, clock)
    table.do("set zero")
    press_key(table.bridge, key)
    table.wait(1.0)
    assert (table.seen.position, table.seen.turns) == (5, -1)
    table.backend.stop()
