"""What the screen needs before its first picture, and what its pictures and sounds are made of."""

from __future__ import annotations

import ast
import subprocess
import sys

import pygame
import pytest

from companion.wire.config import DisplayConfig
from display import sound
from display.page import Page
from display.paint.sprite import Pen, lay, sprite
from display.screen import own_size
from display.theme import Theme
from display.wording import Wording
from tests.conftest import PATIENCE, ROOT

FIRST_PICTURE = """
import sys
import display.app
import pygame
from benches import samples
from display import scenes
from display.page import Page
from display.theme import Theme
from display.wording import Wording
pygame.display.init()
pygame.display.set_mode((64, 64))
page = Page(pygame.Surface((800, 480)), Theme(800, 480, 100, False, language="en"), Wording("en", {}))
page.begin(0.0)
scenes.draw(page, samples.lobby("en"))
page.finish()
print("numpy" in sys.modules)
"""


def test_the_first_picture_waits_for_no_numpy() -> None:
    """It takes as long to load as everything else the screen needs together."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PICTURE], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stdout.splitlines()[-1] == "False", done.stderr


def test_a_soft_edge_mixes_picture_and_ground_and_nothing_darker() -> None:
    """Half a pixel of white on a white ground stays white."""
    ground = pygame.Surface((24, 24))
    ground.fill((255, 255, 255))
    picture = sprite("a white disc for a test", 20, 20, lambda pen: pen.circle(0, 0, 7.5, (255, 255, 255)))
    assert any(20 < picture.get_at((x, 10)).a < 235 for x in range(20)), "the edge is soft"
    lay(ground, picture, (2, 2))
    assert min(min(ground.get_at((x, y))[:3]) for x in range(24) for y in range(24)) >= 253


@pytest.mark.parametrize("alpha", [1.0, 0.5, 0.0])
def test_a_faded_picture_lets_the_ground_through(alpha: float) -> None:
    """Pictures and words fade alike."""

    def paint(pen: Pen) -> None:
        pen.rect(-8, -8, 16, 16, (200, 100, 0))

    page = Page(pygame.Surface((40, 20)), Theme(800, 480), Wording("en"))
    page.surface.fill((0, 0, 100))
    page.blit(sprite("a square for a test", 16, 16, paint), 10, 10, alpha)
    words = pygame.Surface((16, 16), pygame.SRCALPHA)
    words.fill((200, 100, 0, 255))
    page.put_words(words, 30, 10, alpha)
    wanted = [round(high * alpha + low * (1 - alpha)) for high, low in ((200, 0), (100, 0), (0, 100))]
    for x in (10, 30):
        assert page.surface.get_at((x, 10))[:3] == pytest.approx(wanted, abs=2)


@pytest.mark.parametrize("name", sorted(sound._SCORES))
def test_a_sound_begins_softly_and_dies_away(name: str) -> None:
    """No click at the start, never too loud, both sides alike."""
    wave = sound._wave(name, 1.0)
    left, right = wave[::2], wave[1::2]
    assert left == right
    assert len(left) == sum(int(sound.RATE * seconds) for _, seconds, _ in sound._SCORES[name])
    assert left[0] == 0
    assert 5_000 < max(left) <= 0.6 * 32767
    assert max(left[-200:]) < max(left) / 2
    assert max(sound._wave(name, 0.5)) == pytest.approx(max(left) / 2, rel=0.01)


def test_debian_twelve_has_every_function_that_is_called() -> None:
    """Its pygame is 2.1.2, the only one there that draws without a desktop; these came later."""
    later = {"premul_alpha", "tobytes", "frombytes", "fblits", "grayscale", "box_blur", "gaussian_blur", "Window"}
    called = {
        node.attr: str(file.relative_to(ROOT))
        for file in sorted((ROOT / "display").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert {name: called[name] for name in later & called.keys()} == {}


@pytest.mark.parametrize(
    ("screens", "size"),
    [([(800, 480)], (800, 480)), ([(1920, 1200)], (1920, 1200)), ([(3840, 2160)], (1280, 720)), ([], (1280, 720))],
)
def test_a_screen_of_its_own_is_drawn_on_in_its_own_size(
    screens: list[tuple[int, int]], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in the size of a window: a panel would blur it, or has no such mode. One too large to be drawn in time is spared."""
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: screens)
    assert own_size(DisplayConfig()) == size
