"""The screen keeps pictures it will need again, and has an end to it: an evening must not fill a small computer."""

from __future__ import annotations

import io
import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import importlib
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from benches import samples
from display import fonts
from display.kept import Kept
from display.paint import forget_sprites
from display.scenes import question
from tools import pictures

shelf = importlib.import_module("display.paint.sprite")
"""The module; the package also has a function of this name."""


@pytest.fixture(autouse=True)
def screen() -> Iterator[None]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((64, 64))
    yield
    forget_sprites()
    fonts.forget_fonts()


def test_the_least_used_pictures_make_room() -> None:
    """Weight counts, not number; what was just looked at stays."""
    kept = Kept(limit=3 * 40 * 10 * 4)
    first, second, third = (kept.put(name, pygame.Surface((40, 10), depth=32)) for name in "abc")
    assert kept.get("a") is first
    kept.put("d", pygame.Surface((40, 10), depth=32))
    assert [kept.get(name) for name in "ac"] == [first, third]
    assert kept.get("b") is None
    assert second is not None
    assert kept.bytes == 3 * 1600
    large = kept.put("screen", pygame.Surface((400, 100), depth=32))
    assert len(kept) == 1
    assert kept.get("screen") is large
    kept.put("screen", pygame.Surface((40, 10), depth=32))
    assert kept.bytes == 1600
    kept.clear()
    assert (len(kept), kept.bytes) == (0, 0)


def _jpeg(shade: int) -> bytes:
    buffer = io.BytesIO()
    picture = pygame.Surface((64, 36))
    picture.fill((shade % 256, shade // 256, 0))
    pygame.image.save(picture, buffer, "live.jpg")
    return buffer.getvalue()


def test_an_hour_of_live_pictures_is_not_kept() -> None:
    """Somebody leaves the camera's page open: four pictures a second, each shown once."""
    forget_sprites()
    before = shelf._cache.bytes
    for number in range(60):
        shown = question.decoded(_jpeg(number), (640, 360))
        assert shown is not None
        assert shown.get_size() == (640, 360)
    assert shelf._cache.bytes == before
    assert question.decoded.cache_info().currsize <= 4
    assert question.decoded(b"no picture", (640, 360)) is None


def test_words_said_once_are_forgotten() -> None:
    """Points, prices and names make new lines all evening."""
    fonts.forget_fonts()
    for number in range(3000):
        fonts.glyphs(f"a line as long as a sentence, number {number}", "sans", 28, (250, 240, 230))
    assert fonts._lines.bytes <= fonts._lines.limit
    assert len(fonts._lines) < 3000
    first = fonts.glyphs("kept", "sans", 28, (250, 240, 230))
    assert fonts.glyphs("kept", "sans", 28, (250, 240, 230)) is first


def test_a_font_holds_no_file_open() -> None:
    """Words shrink to fit their places: over an evening there are dozens of sizes."""
    fonts.forget_fonts()
    handles = Path("/proc/self/fd")
    before = len(list(handles.iterdir()))
    widths = [fonts.width("Zażółć gęślą jaźń", face, size) for face in fonts._FILES for size in range(12, 40)]
    assert len(set(widths)) > 28
    assert len(list(handles.iterdir())) <= before


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (1920, 1080)])
def test_a_scene_fits_twice(size: tuple[int, int]) -> None:
    """Otherwise every frame would push out what the next one needs."""
    forget_sprites()
    fonts.forget_fonts()
    for view in (samples.table("pl"), samples.tally("pl")):
        forget_sprites()
        fonts.forget_fonts()
        pictures.render(view, size, "pl")
        assert 0 < 2 * shelf._cache.bytes <= shelf._cache.limit
        assert 0 < 2 * fonts._lines.bytes <= fonts._lines.limit
