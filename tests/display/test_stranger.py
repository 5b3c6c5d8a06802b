"""A stranger's game brings its own picture, its number and its screen, from a distribution of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.companion.test_new_game import pages_files
from tests.conftest import ROOT
from tests.distributions import install

SCREEN = """
from display.tables import GameScreen


class PigScreen(GameScreen):
    place = 1

    def cover(self, page, cx, cy, r):
        page.surface.fill((255, 0, 255), (cx - r, cy - r, 2 * r, 2 * r))


screen = PigScreen()
"""
ASKED = """
import json, os
os.environ["SDL_VIDEODRIVER"] = "dummy"
import pygame
from companion.past.bgstats import bgg_id
from display.page import Page
from display.tables import screen_of
from display.theme import Theme
from display.wording import Wording

pygame.display.init()
pygame.display.set_mode((64, 64))
page = Page(pygame.Surface((1280, 720)), Theme(1280, 720, 100, False), Wording("en", {}))
page.begin(0.0)
screen_of("pig").cover(page, 200.0, 200.0, 40.0)
print(json.dumps([type(screen_of("pig")).__name__, list(page.surface.get_at((200, 200)))[:3], bgg_id("pig")]))
"""


def stranger(folder: Path, screen: bool) -> None:
    """The guide's game with a green picture and a number; perhaps with a screen that paints its cover itself."""
    import pygame

    files = pages_files("1")
    files["pig/__init__.py"] = (
        files["pig/__init__.py"]
        .replace("move_type =", "move_type, bgg_id =")
        .replace("(2, 6), Roll", "(2, 6), Roll, 161130")
    )
    if screen:
        files["pig/screen.py"] = SCREEN
        files["pyproject.toml"] += '\n[project.entry-points."tableside.screens"]\npig = "pig.screen:screen"\n'
    for name, text in files.items():
        path = folder / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    drawn = pygame.Surface((32, 32))
    drawn.fill((0, 200, 0))
    pygame.image.save(drawn, folder / "source" / "pig" / "icon.png")
    install(folder / "source", folder / "installed")


@pytest.mark.parametrize(
    ("screen", "kind", "colour"), [(False, "GameScreen", [0, 200, 0]), (True, "PigScreen", [255, 0, 255])]
)
def test_its_picture_its_number_and_its_screen_are_its_own(
    tmp_path: Path, screen: bool, kind: str, colour: list[int]
) -> None:
    """Without a screen the picture beside the pack is its cover; nothing of ours knows the game."""
    stranger(tmp_path, screen)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(tmp_path / "installed"), str(ROOT)))}
    asked = subprocess.run(
        [sys.executable, "-c", ASKED], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert asked.returncode == 0, asked.stderr
    assert json.loads(asked.stdout.splitlines()[-1]) == [kind, colour, 161130]
