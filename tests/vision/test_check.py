"""The table check names the one thing to change, before play and during it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.core import registry
from companion.virtual import demo
from companion.wire import config
from companion.wire.words import LANGUAGES
from tests.vision.laid import COLUMNS, laid, market_mat
from vision import check, words
from vision import mat as mats
from vision.virtual.plan import Lens
from vision.virtual.scene import Light, Studio

CARDS = {
    f"{column}-{row}": {
        "card": f"{column[0].upper()}{row}a",
        "dice": [{"colour": "sun", "face": 5, "x": 0.4, "y": 0.6, "angle": 33.0}] if row == 2 else [],
    }
    for column in COLUMNS
    for row in (1, 2, 3, 4)
}


def table(light: Light | None = None, lens: Lens | None = None) -> np.ndarray:
    """What the virtual camera sees."""
    studio = Studio(market_mat(4), lens=lens or Lens())
    light = light or Light()
    return studio.sensor(studio.picture(CARDS, None, light), light, 0)


@cache
def good_table() -> np.ndarray:
    """Camera above, lamp on, nothing in the way."""
    return table()


def advice(image: np.ndarray) -> str:
    """The key of what is said, without its frame."""
    found = check.look(image, laid(4))
    assert 0 <= found.score <= 1
    if found.advice is None:
        assert found.score >= check.GOOD
        return ""
    assert found.score < check.GOOD
    for language in LANGUAGES:
        for text in found.advice:
            assert "{" not in words.say(text, language)
            assert "vision/" not in words.say(text, language)
    return found.advice[0].key.removeprefix("vision/check/").removesuffix("/say")


def test_a_good_table_needs_no_advice() -> None:
    """All six questions are answered well, and the figures are right."""
    assert advice(good_table()) == ""
    figures = check.look(good_table(), laid(4)).figures
    assert figures["die_px"] >= check.DIE_PX
    assert figures["tilt"] == pytest.approx(4.0, abs=1.0)


@pytest.mark.parametrize(
    ("light", "expected"),
    [
        (Light(level=0.2), "dark"),
        (Light(covered=True), "dark"),
        (Light(level=1.6), "bright"),
        (Light(glare=1.0), "glare"),
        (Light(slope=0.8), "uneven"),
        (Light(blur=2.5), "blurred"),
        (Light(blur=5.0), "blurred"),
        (Light(level=0.6, warmth=0.3, noise=5.0), ""),
    ],
    ids=["dim", "cap", "burnt", "mirror", "one-sided", "soft", "very-soft", "evening"],
)
def test_each_light_gets_its_instruction(light: Light, expected: str) -> None:
    """Dim, burnt out, mirrored, one-sided, out of focus: each is told from the others."""
    assert advice(table(light)) == expected


@pytest.mark.parametrize(
    ("lens", "expected"),
    [
        (Lens(tilt=35.0), "slanted"),
        (Lens(width=1280, height=720), "small"),
        (Lens(shift=(70.0, 0.0)), "no-mat"),
        (Lens(tilt=10.0, roll=4.0, room=1.2), ""),
    ],
    ids=["from-the-side", "few-pixels", "aside", "a-little-askew"],
)
def test_each_view_gets_its_instruction(lens: Lens, expected: str) -> None:
    """From the side, too small, out of view."""
    assert advice(table(lens=lens)) == expected


def test_glare_names_the_slot() -> None:
    """The lamp is mirrored where it was put."""
    found = check.look(table(Light(glare=1.0, glare_x=0.5, glare_y=0.5)), laid(4))
    assert found.advice is not None
    slot = str(found.advice[0].params["slot"])
    x, y, w, h = laid(4).slots[slot]
    assert abs(x + w / 2 - laid(4).width / 2) < 70
    assert abs(y + h / 2 - laid(4).height / 2) < 90


def test_bare_paper_is_no_glare() -> None:
    """An empty mat under a lamp at one side is white there, and that is all right."""
    studio = Studio(market_mat(2))
    found = check.look(studio.picture({}, None, Light()), laid(2))
    assert found.advice is None


def test_one_hidden_corner_is_named() -> None:
    """Three markers are enough to play; a slot outside the picture is said."""
    image = good_table()
    matrix = mats.registered(mats.find(image), laid(4))
    assert matrix is not None
    shifted = np.array([[1.0, 0, -500], [0, 1, 0], [0, 0, 1]]) @ matrix
    found = check.look(np.ascontiguousarray(image[:, 500:]), laid(4), shifted)
    assert found.advice is not None
    assert found.advice[0].key == "vision/check/corner/say"


def test_with_the_mat_known_it_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """During play the check costs no marker search, and says the same."""
    image = good_table()
    matrix = mats.registered(mats.find(image), laid(4))

    def never(_: object) -> dict[int, object]:
        raise AssertionError("searched")

    expected = check.look(image, laid(4)).parts
    monkeypatch.setattr(mats, "find", never)
    assert check.look(image, laid(4), matrix).parts == expected


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_a_blank_picture_gets_advice_not_a_crash(grey: int) -> None:
    """Black, grey or white: something is to be done."""
    assert advice(np.full((1080, 1920, 3), grey, np.uint8)) in ("dark", "no-mat", "blurred")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_watched_demo_says_nothing_against_its_own_camera(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newcomer E3: a quick one had a picture with dice of 35 pixels, and a warning beside every prompt."""
    chosen = demo.settings("skytopia", players, {}, fast=True, headless=False, state=Path("state"))
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    camera = config.load().camera
    mat = registry.pack("skytopia").mat(players)
    assert mat is not None
    studio = Studio(mat, lens=Lens(camera.width, camera.height), seed=1)
    seen = check.look(studio.sensor(studio.picture({}, None, Light()), Light(), 1), mats.of(mat))
    assert seen.advice is None, seen.figures
