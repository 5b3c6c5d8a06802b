"""A demo for a person: both windows on a laptop's screen, and an end that is one line, however it comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from tests.conftest import PATIENCE, Place, until
from tests.display.xhand import XServer

LAPTOP = (1366, 768)
WALL = (0, 0, 0)


class Watched:
    """A demo with its two windows on a laptop."""

    def __init__(self, process: subprocess.Popen[bytes], talk: Path, screen: XServer) -> None:
        self.process, self._talk, self.screen = process, talk, screen

    @property
    def talk(self) -> str:
        return self._talk.read_text()

    def windows(self) -> set[int]:
        """Processes that show the virtual table."""
        found = set()
        for line in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = line.read_bytes().split(b"\0")
                session = int((line.parent / "stat").read_text().rpartition(")")[2].split()[3])
            except OSError:
                continue
            if session == self.process.pid and b"beside" in words:
                found.add(int(line.parent.name))
        return found

    def shown(self, place: tuple[int, int]) -> bool:
        """Something is drawn there."""
        return self.screen.picture().get_at(place)[:3] != WALL


@pytest.fixture
def demo(place: Place, tmp_path: Path) -> Iterator[Watched]:
    shelf, talk = tmp_path / "tmp", tmp_path / "talk"
    shelf.mkdir()
    left_out = ("TABLESIDE_STATE_DIR", "TABLESIDE_DISPLAY_DRIVER", "SDL_VIDEODRIVER")  # tests of the screen have none
    environment = {k: v for k, v in place.full_environment.items() if k not in left_out}
    screen = XServer(*LAPTOP, tmp_path)
    command = [sys.executable, "-m", "companion.cli", "demo", "--players", "2", "--human", "1", "--fast"]
    with talk.open("wb") as written:
        process = subprocess.Popen(
            command,
            env=environment | {"TMPDIR": str(shelf), "DISPLAY": screen.name, "TABLESIDE_DISPLAY_DRIVER": "x11"},
            stdout=written,
            stderr=written,
            start_new_session=True,
        )
        try:
            watched = Watched(process, talk, screen)
            until(lambda: watched.windows() and watched.shown((1300, 300)), 60, watched.talk)
            yield watched
        finally:
            process.kill()
            process.wait()
            screen.stop()


def test_both_windows_are_whole_on_a_laptop_and_ctrl_c_is_one_line(demo: Watched) -> None:
    """Newcomer E1, E2: the screen left, the virtual table right of it, nothing below the edge; no traceback at the end."""
    until(lambda: demo.shown((450, 250)), 30, "the table's screen")
    picture = demo.screen.picture()
    below = pygame.Rect(0, 560, LAPTOP[0], LAPTOP[1] - 560)
    assert all(picture.get_at((x, below.y))[:3] == WALL for x in range(0, LAPTOP[0], 7)), "both end above the task bar"
    os.killpg(demo.process.pid, signal.SIGINT)
    assert demo.process.wait(PATIENCE) == 0
    assert "Traceback" not in demo.talk
    assert demo.talk.rstrip().endswith("The demo has ended.")


def test_closing_a_window_ends_the_demo(demo: Watched) -> None:
    """Newcomer D5: it is not opened again."""
    (window,) = demo.windows()
    os.kill(window, signal.SIGTERM)
    assert demo.process.wait(PATIENCE) == 0
    assert "starting it again" not in demo.talk
    assert demo.talk.rstrip().endswith("The demo has ended.")
