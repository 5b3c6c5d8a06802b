"""Light that changed is told from things that moved."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.laid import market_mat
from vision import relight
from vision.camera.frame import small_of
from vision.virtual.scene import Light, Studio

CARDS = {
    f"{column}-{row}": {"card": f"{column[0].upper()}{row}a"} for column in ("blue", "gold", "red") for row in (1, 2)
}
STUDIO = Studio(market_mat(2))
BEFORE = small_of(STUDIO.picture(CARDS, None, Light()))


@pytest.mark.parametrize("light", [Light(slope=0.8), Light(slope=-0.5), Light(level=0.4, slope=0.5), Light(level=0.6)])
def test_another_lamp_leaves_next_to_nothing_different(light: Light) -> None:
    """However the lamp was moved, the print is where it was."""
    found = relight.compared(small_of(STUDIO.picture(CARDS, None, light)), BEFORE)
    assert found is not None
    assert found.different.mean() < 0.01


def test_back_under_a_better_lamp_what_was_in_the_dark_is_to_be_read() -> None:
    """The print is the same, but a corner that lay in the dark could not be compared."""
    gloomy = small_of(STUDIO.picture(CARDS, None, Light(slope=0.8)))
    found = relight.compared(BEFORE, gloomy)
    assert found is not None
    assert found.different.mean() < 0.01
    assert found.clearer[gloomy < 20].mean() > 0.8
    assert found.clearer[(gloomy > 80) & (gloomy < 200)].mean() < 0.1


def test_a_die_laid_down_under_another_lamp_is_found() -> None:
    """The lamp explains the light, not the die."""
    die = {"colour": "coral", "face": 4, "x": 0.5, "y": 0.5, "angle": 10.0}
    laid = {**CARDS, "gold-1": {"card": "G1a", "dice": [die]}}
    light = Light(slope=0.7)
    found = relight.compared(small_of(STUDIO.picture(laid, None, light)), BEFORE)
    assert found is not None
    count = int(found.different.sum())
    assert 20 < count < 500
    bare = small_of(STUDIO.picture(CARDS, None, light))
    there = np.abs(small_of(STUDIO.picture(laid, None, light)).astype(int) - bare) > 12
    assert found.different[there].mean() > 0.5


def test_an_arm_is_not_explained_by_a_lamp() -> None:
    """An edge is no light."""
    found = relight.compared(small_of(STUDIO.picture(CARDS, {"x": 0.5, "y": 0.3}, Light(slope=0.8))), BEFORE)
    assert found is not None
    assert found.different.mean() > 0.04


@pytest.mark.parametrize("grey", [12, 60, 200])
def test_a_cloth_over_everything_is_no_lamp(grey: int) -> None:
    """Where no print is left to be seen, nothing is known."""
    noise = np.random.default_rng(1).normal(0, 1.5, BEFORE.shape)
    assert relight.compared(np.clip(grey + noise, 0, 255).astype(np.uint8), BEFORE) is None


@pytest.mark.parametrize("light", [Light(slope=0.8), Light(slope=-0.5), Light(level=0.4, slope=0.5), Light(level=0.6)])
def test_a_lamp_hides_no_print(light: Light) -> None:
    """Lines stay where they run, however bright they are."""
    assert relight.hidden(small_of(STUDIO.picture(CARDS, None, light)), BEFORE).mean() < 0.002


@pytest.mark.parametrize("place", [(0.2, 0.3), (0.5, 0.5), (0.8, 0.2), (0.6, 0.7)])
def test_an_arm_hides_print(place: tuple[float, float]) -> None:
    """Also on a nearly empty mat, where a smooth dark patch could pass for a lamp."""
    bare = small_of(STUDIO.picture({}, None, Light()))
    for before, cards in ((BEFORE, CARDS), (bare, {})):
        under = small_of(STUDIO.picture(cards, dict(zip("xy", place, strict=True)), Light()))
        assert relight.hidden(under, before).mean() > 0.01
