"""docs/design.md tells the way of a touch, and of a reading through the core, as it is: these files, in this order."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from companion.wire.config import DisplayConfig
from display.client import Client
from display.screen import Screen
from tests.companion.desk import Desk, a_die, a_market
from tests.walks import MOST, ROOT, told, walked


def touched(desk: Desk, screen: Screen) -> None:
    """The game is dealt by a finger."""
    one = next(t for t in screen.page.touches() if t.id == "deal")
    at = one.box[0] + one.box[2] // 2, one.box[1] + one.box[3] // 2
    screen.press(at, 100.0)
    screen.release(at)
    desk.pump()


def test_every_file_of_the_walks_is_there_and_nobody_is_met_twice() -> None:
    for column in range(3):
        files = told(column)
        assert len(files) == len(set(files))
        assert all((ROOT / name).is_file() for name in files), files
        assert len(files) <= MOST


def test_a_touch_goes_the_way_the_page_tells(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    pygame.display.init()
    pygame.font.init()
    screen = Screen(pygame.display.set_mode((800, 480)), Client(desk.display, desk.table.config), DisplayConfig())
    desk.new("skytopia")
    screen.step(100.0)
    before = desk.state.seq
    assert walked(lambda: touched(desk, screen)) == told(0)
    assert desk.state.seq > before


def test_a_reading_goes_the_way_the_page_tells(toys: Desk) -> None:
    """From the corridor on; `tests/vision/test_room_loop.py` follows it until there."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market(a_die("sun", 4)))
    column = told(2)
    assert walked(toys.pump) == column[column.index("companion/wire/bus.py") :]
