"""Which finds of a free photo are dice: both networks' word, a face that can be made out, and a size like the others'."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.reader import nets, settings
from vision.reader.photo import DieRead, Look, judged

LIMITS = replace(settings.PHOTO, evidence=1.0, joint=4.0, odd=6.0, sure=0.7, temperature=1.0)


def look(x: float, size: float = 40.0, score: float = 0.9, is_die: float = 0.999, share: float = 0.99) -> Look:
    """A find that shows a four as plainly as this."""
    faces = np.full(6, (1 - share) / 5, np.float32)
    faces[3] = share
    return Look(nets.Found(x, 0.0, size, size, score, faces), faces, is_die, np.full((64, 64, 3), 200, np.uint8))


def read(*looks: Look) -> list[DieRead]:
    return judged(looks, LIMITS, LIMITS.evidence)


def test_a_doubtful_find_without_a_face_is_none_and_a_plain_die_without_one_is_asked_about():
    """A key looks a little like a die and like no face; a die in the glare looks like a die all the same."""
    assert read(look(0, score=0.6, is_die=0.9, share=0.3)) == []
    (die,) = read(look(0, score=0.9, is_die=0.999, share=0.5))
    assert die.value is None
    (die,) = read(look(0, score=0.6, is_die=0.9, share=0.99))
    assert die.value == 4


def test_dice_of_one_photo_are_of_one_size():
    """What is half as large as three plain dice needs more to be one; a plain one is a die at any size."""
    plain = [look(100.0 * k) for k in range(3)]
    weak = look(400, size=20, score=0.6, is_die=0.95)
    assert len(read(*plain, weak)) == 3
    assert len(read(*plain, replace(weak, die=replace(weak.die, w=38.0, h=38.0)))) == 4
    assert len(read(*plain, look(400, size=20))) == 4
    assert len(read(*plain[:2], weak)) == 3, "two dice do not tell how large dice are"


def test_a_higher_temperature_says_less_and_changes_no_mind():
    """The likeliest face stays; how sure it is falls."""
    (cool,) = read(look(0))
    (warm,) = judged([look(0)], replace(LIMITS, temperature=2.0), 0.0)
    assert cool.value == warm.value == 4
    assert max(warm.faces) < max(cool.faces) and abs(sum(warm.faces) - 1) < 1e-5
