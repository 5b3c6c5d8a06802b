"""docs/design.md tells the way of a touch, and of a reading through the core, as it is: these files, in this order."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from companion.wire.config import DisplayConfig
from display.client import Client
from display.screen import Screen
from tests.companion.desk import Desk, a_die, a_market

ROOT = Path(__file__).resolve().parents[2]
MOST = 8
STEPS = {
    "display/screen.py": "press",
    "display/client.py": "perform",
    "companion/wire/bus.py": "_deliver",
    "companion/senses/readings.py": "look",
    "companion/core/table.py": "commit",
    "companion/core/session.py": "play",
    "companion/journal/store.py": "append",
    "companion/core/announce.py": "publish",
}
"""Where each file takes the matter up."""


def told(column: int) -> list[str]:
    """The files of one walk, as the page lists them."""
    rows = (ROOT / "docs" / "design.md").read_text().partition("**Three walks**")[2].split("\n\n")[1].splitlines()[2:]
    cells = [row.strip("|").split("|")[column].strip() for row in rows]
    return [found[1] for cell in cells if (found := re.match(r"`([^`]+)`", cell))]


def walked(matter: Callable[[], object]) -> list[str]:
    """The files that took the matter up, in order."""
    found: list[str] = []

    def entered(frame: FrameType, event: str, argument: Any) -> None:
        name = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
        if event == "call" and STEPS.get(name) == frame.f_code.co_name and name not in found:
            found.append(name)

    sys.setprofile(entered)
    try:
        matter()
    finally:
        sys.setprofile(None)
    return found


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
    """From the corridor on; what vision does lies in a process of its own."""
    toys.new("toy")
    toys.display.publish("sensor/market", a_market(a_die("sun", 4)))
    column = told(2)
    assert walked(toys.pump) == column[column.index("companion/wire/bus.py") :]
