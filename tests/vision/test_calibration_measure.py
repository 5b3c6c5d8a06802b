"""Calibrating a table: on the command line and from the screen, as often as one likes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.vision.laid import laid, market_mat
from vision import calibrate
from vision import mat as mats
from vision.calibration import CalibrationRefused, spread
from vision.virtual.scene import Light, Studio

COLOURS = ("sun", "leaf", "sky", "coral", "snow", "plum")


def table(dice: tuple[tuple[str, str], ...], light: Light) -> np.ndarray:
    """An empty mat of two rows with one die in the middle of each named slot."""
    slots = {
        slot: {"card": "", "dice": [{"colour": colour, "face": 5, "x": 0.5, "y": 0.5, "angle": 20.0}]}
        for colour, slot in dice
    }
    studio = Studio(market_mat(2))
    return studio.sensor(studio.picture(slots, None, light), light, 0)


@cache
def laid_out(level: float = 1.0, warmth: float = 0.1) -> np.ndarray:
    """One die of each player in the first slots."""
    places = calibrate.dice_places(COLOURS, laid(2))
    return table(tuple(places.items()), Light(level=level, warmth=warmth))


def test_six_players_are_measured_from_one_frame() -> None:
    """Every colour is nearest to itself in a second frame, and the mat is where it is."""
    places = calibrate.dice_places(COLOURS, laid(2))
    assert places["sun"] == "blue-1"
    assert places["snow"] == "blue-2"
    first = calibrate.measure(laid_out(), mat=laid(2), colours=places, now=5.0)
    second = calibrate.measure(laid_out(0.9), mat=laid(2), colours=places)

    assert set(first.colours) == set(COLOURS)
    assert first.created == 5.0
    means = {colour: spread(samples)[0] for colour, samples in first.colours.items()}
    for colour, samples in second.colours.items():
        here = spread(samples)[0]
        assert (
            min(
                means,
                key=lambda name: float(
                    np.linalg.norm(means[name][1:] - here[1:]) + 0.2 * abs(means[name][0] - here[0])
                ),
            )
            == colour
        )
    found = mats.centres(mats.find(laid_out()))
    assert np.allclose(first.corners, found, atol=1.5)


def test_the_lamp_is_measured_on_the_paper() -> None:
    """A dimmer lamp and a warmer lamp are told."""
    plain = calibrate.measure(laid_out(1.0, 0.0), mat=laid(2), colours={}).lamp
    dim = calibrate.measure(laid_out(0.5, 0.0), mat=laid(2), colours={}).lamp
    warm = calibrate.measure(laid_out(1.0, 0.3), mat=laid(2), colours={}).lamp
    assert plain is not None
    assert dim is not None
    assert warm is not None
    assert dim.level < 0.75 * plain.level
    assert warm.warmth > plain.warmth + 5


def test_colours_not_laid_out_are_kept_from_before() -> None:
    """Measuring one player anew leaves the others as they were."""
    before = calibrate.measure(laid_out(), mat=laid(2), colours=calibrate.dice_places(COLOURS, laid(2)))
    again = calibrate.measure(laid_out(0.9), mat=laid(2), colours={"sun": "blue-1"}, before=before)
    assert again.colours["leaf"] == before.colours["leaf"]
    assert again.colours["sun"] != before.colours["sun"]


def test_corners_tapped_by_hand_stand_in_for_the_markers() -> None:
    """A table without a printed mat can be calibrated too; crossed corners are refused."""
    image = laid_out()
    found = mats.centres(mats.find(image))
    assert found is not None
    blank = np.full_like(image, 100)
    assert calibrate.measure(blank, mat=laid(2), colours={}, corners=found).corners == found
    with pytest.raises(CalibrationRefused, match="corners"):
        calibrate.measure(blank, mat=laid(2), colours={}, corners=(found[0], found[2], found[1], found[3]))


def test_a_colour_is_not_learnt_under_the_lamps_mirror_image() -> None:
    """It would be learnt too pale, and every die of that player asked about; beside it the others are learnt."""
    places = calibrate.dice_places(COLOURS, laid(2))
    matrix = mats.registered(mats.find(laid_out(0.8)), laid(2))
    assert matrix is not None
    x, y, w, h = laid(2).slots[places["leaf"]]
    across, down = mats.in_picture(matrix, (x + w / 2, y + h / 2))
    mirrored = Light(level=0.8, glare=0.5, glare_x=across / 1920, glare_y=down / 1080)
    image = table(tuple(places.items()), mirrored)
    with pytest.raises(CalibrationRefused) as refused:
        calibrate.measure(image, mat=laid(2), colours=places)
    assert refused.value.code == "mirror"
    assert refused.value.problem[0].params["slot"] == places["leaf"]
    others = {colour: slot for colour, slot in places.items() if not calibrate.mirrored(image, matrix, laid(2), slot)}
    assert "leaf" not in others
    assert len(others) >= 4
    assert set(calibrate.measure(image, mat=laid(2), colours=others).colours) == set(others)


@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_a_lamp_at_one_side_is_not_its_mirror_image(slope: float) -> None:
    """Uneven light is learnt in as it is."""
    places = calibrate.dice_places(COLOURS, laid(2))
    image = table(tuple(places.items()), Light(level=0.8, slope=slope))
    assert set(calibrate.measure(image, mat=laid(2), colours=places).colours) == set(COLOURS)


@pytest.mark.parametrize(
    ("picture", "colours", "code"),
    [
        (np.full((1080, 1920, 3), 90, np.uint8), {}, "no-mat"),
        (None, {"sun": "violet-2"}, "no-die"),
        (None, {"sun": "violet-9"}, "no-die"),
        (None, {"sun": "blue-1", "sky": "blue-1"}, "alike"),
    ],
)
def test_what_cannot_be_measured_is_refused(picture: np.ndarray | None, colours: dict[str, str], code: str) -> None:
    """No mat, an empty slot, a slot that does not exist, two players with the same dice."""
    with pytest.raises(CalibrationRefused) as refused:
        calibrate.measure(laid_out() if picture is None else picture, mat=laid(2), colours=colours)
    assert refused.value.code == code
