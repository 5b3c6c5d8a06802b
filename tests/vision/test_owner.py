"""Whose die it is: by its colour, under every light."""

import cv2
import numpy as np
import pytest

from vision.reader import owner as owners
from vision.reader import settings

SKY, SNOW, SUN = (240, 190, 160), (214, 216, 216), (40, 180, 230)
"""BGR of dice taught at one place of the table."""


def taught(*named: tuple[str, tuple[int, int, int]]) -> owners.Shades:
    """Colours as calibration leaves them: some pixels of each die."""
    rng = np.random.default_rng(5)
    samples = {}
    for name, bgr in named:
        pixels = np.clip(rng.normal(bgr, 3, (1, 24, 3)), 0, 255).astype(np.uint8)
        samples[name] = [tuple(float(v) for v in lab) for lab in cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB)[0]]
    return owners.shades(samples)


def seen(bgr: tuple[int, int, int], light: float = 1.0, glare: float = 0.0) -> owners.Tone:
    """What a close-up shows of a die of this colour, in other light than when it was taught, the lamp mirrored in it."""
    crop = np.full((48, 48, 3), bgr, np.float64)
    crop[:8] = 25  # what lies around is printed
    return owners.tone(np.clip(crop * light + 255 * glare, 0, 255).astype(np.uint8))


def judged(tone: owners.Tone, known: owners.Shades) -> tuple[str, float, float]:
    """One die alone."""
    return owners.owners([tone], known)[0]


@pytest.mark.parametrize("light", [0.75, 1.0, 1.3])
@pytest.mark.parametrize(("name", "bgr"), [("sky", SKY), ("snow", SNOW), ("sun", SUN)])
def test_a_die_keeps_its_owner_in_shade_and_light(name, bgr, light):
    """A hand's shadow or a place nearer to the lamp changes no owner, and the colour speaks for a die."""
    owner, share, tint = judged(seen(bgr, light), taught(("sky", SKY), ("snow", SNOW), ("sun", SUN)))
    assert owner == name
    assert share > 0.5
    assert tint > 0


@pytest.mark.parametrize(("name", "bgr"), [("sky", SKY), ("sun", SUN)])
def test_glare_makes_no_die_somebody_elses(name, bgr):
    """The lamp mirrored in a card pales a die."""
    owner, share, tint = judged(seen(bgr, glare=0.15), taught(("sky", SKY), ("snow", SNOW), ("sun", SUN)))
    assert owner == name
    assert share > 0.5
    assert tint > -1


def test_a_die_taught_in_the_glare_is_known_beside_it():
    """The colour that was taught is paler than the die."""
    pale = (SUN[0] + 20, SUN[1] + 20, SUN[2] + 20)
    owner, share, tint = judged(seen(SUN), taught(("sun", pale), ("snow", SNOW)))
    assert owner == "sun"
    assert share > 0.9
    assert tint > 0


def test_a_pale_die_washed_white_by_the_lamp_is_nobodys_for_sure():
    """So near the lamp light blue clips to nearly white: white may be meant, so it is a question."""
    known = taught(("sky", SKY), ("snow", SNOW))
    _, share, _ = judged(seen(SKY, 1.5), known)
    assert share < settings.OWNER_SURE
    owner, share, _ = judged(seen(SKY, 1.5), taught(("sky", SKY), ("sun", SUN)))
    assert owner == "sky"
    assert share > settings.OWNER_SURE, "without white dice at the table it can only be light blue"


def test_a_die_washed_white_by_the_lamps_mirror_image_is_nobodys_for_sure():
    """Where even print and pips are bright something shines on top, and light blue may be under it."""
    sky = (232, 190, 120)
    known = taught(("sky", sky), ("snow", (240, 246, 250)))
    under = seen(sky, 1.1, glare=0.45)
    assert judged(under, known)[1] < settings.OWNER_SURE
    assert judged((*under[:3], 25.0), known)[1] > settings.OWNER_SURE, "with dark pips it is white"


def test_a_colour_nobody_was_taught_speaks_against_a_die():
    """Green print beside blue and yellow players."""
    _, share, tint = judged(seen((60, 140, 40)), taught(("sky", SKY), ("sun", SUN)))
    assert tint == pytest.approx(-3.0)
    assert share < 0.5


def test_before_calibration_colour_says_nothing_about_being_a_die():
    """The usual colours of players are a guess at names, not evidence."""
    owner, _, tint = judged(seen(SUN), owners.shades({}))
    assert owner == "sun"
    assert tint == 0.0
