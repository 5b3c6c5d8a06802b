"""A nudged camera or mat is noticed within two seconds, followed, and said; nothing is misread meanwhile."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.laid import COLUMNS, laid, market_mat
from vision import mat as mats
from vision.drift import Drift
from vision.virtual.plan import Lens
from vision.virtual.scene import Light, Studio

FPS = 10.0
MAT = laid(3)
SLOTS = {f"{column}-1": {"card": "", "dice": []} for column in COLUMNS}


@pytest.fixture(scope="module")
def studio() -> Studio:
    """A table for three seen by a small camera, which is quick to draw."""
    return Studio(market_mat(3), lens=Lens(width=1280, height=720))


def view(studio: Studio, nudge: tuple[float, float] = (0.0, 0.0), **light: float) -> np.ndarray:
    """The table with the camera pushed by this many millimetres."""
    return studio.picture(SLOTS, None, Light(nudge=nudge, **light))


def a_drift(studio: Studio) -> Drift:
    """Registered on the table as it was."""
    matrix = mats.registered(mats.find(view(studio)), MAT)
    assert matrix is not None
    return Drift(MAT, matrix)


def test_a_table_at_rest_never_drifts(studio: Studio) -> None:
    """Five seconds of noise and a slowly dimming lamp are no nudge."""
    drift = a_drift(studio)
    for number in range(int(5 * FPS)):
        light = Light(level=1.0 - number / 200)
        frame = studio.sensor(studio.picture(SLOTS, None, light), light, number) if number % 7 == 0 else None
        if frame is not None:
            assert drift.look(frame, number / FPS) is None


@pytest.mark.parametrize("nudge", [(3.0, 0.0), (-8.0, 5.0), (0.0, 28.0)])
def test_a_nudge_is_followed_within_two_seconds(studio: Studio, nudge: tuple[float, float]) -> None:
    """Small or large: the new place is right to half a millimetre, and the size of the nudge is said."""
    drift = a_drift(studio)
    before, after = view(studio), view(studio, nudge)
    for number in range(10):
        assert drift.look(before, number / FPS) is None
    found, noticed = None, 0.0
    for number in range(10, 30):
        found = drift.look(after, number / FPS)
        if found is not None:
            noticed = number / FPS - 1.0
            break
    assert found is not None
    assert noticed <= 2.0
    assert found.what == "nudged"
    assert found.millimetres == pytest.approx(float(np.hypot(*nudge)), rel=0.25, abs=0.5)
    assert found.problem[0].key == "vision/drift/nudged/say"

    truth = mats.registered(mats.find(after), MAT)
    assert truth is not None
    assert found.matrix is not None
    corner = np.array([[laid(3).slots["red-2"][:2]]], np.float64)
    assert np.allclose(_project(found.matrix, corner), _project(truth, corner), atol=1.5)
    for number in range(30, 50):
        assert drift.look(after, number / FPS) is None, "said once"


def _project(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    import cv2

    return cv2.perspectiveTransform(points, matrix)


def test_a_mat_that_leaves_is_said_once_and_found_again(studio: Studio) -> None:
    """A covered lens or a mat pulled away: lost, said within two seconds, found when it comes back."""
    drift = a_drift(studio)
    here, gone = view(studio), np.full((720, 1280, 3), 90, np.uint8)
    drift.look(here, 0.0)
    said = [(number / FPS, drift.look(gone, number / FPS)) for number in range(1, 40)]
    told = [(ts, moved) for ts, moved in said if moved is not None]
    assert len(told) == 1
    assert told[0][0] <= 2.1
    assert told[0][1].what == "lost"
    back = [drift.look(view(studio, (5.0, 0.0)), 4.0 + number / FPS) for number in range(10)]
    assert [moved.what for moved in back if moved is not None] == ["nudged"]


def test_a_sleeve_over_one_marker_is_no_drift(studio: Studio) -> None:
    """Three markers are enough."""
    drift = a_drift(studio)
    image = view(studio)
    x, y = mats.centres(mats.find(image))[2]  # type: ignore[index]
    image[int(y) - 50 : int(y) + 50, int(x) - 50 : int(x) + 50] = (60, 80, 150)
    assert all(drift.look(image, number / FPS) is None for number in range(30))
