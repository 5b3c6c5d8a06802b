"""The error budget: risk is counted over the surest answers, thresholds by sources that are not the one scored."""

from __future__ import annotations

import numpy as np

from tools.training import budget
from vision.reader import photo, settings

BOX = {"x": 0.0, "y": 0.0, "w": 40.0, "h": 40.0}


def looked_at(source: str, shares: list[float], right: list[bool]) -> budget.Seen:
    """A photo with one die for each share, read as sure as that, rightly or not."""
    dice = [{**BOX, "x": 100.0 * k, "value": 3} for k in range(len(shares))]

    def read(limits: settings.Photo) -> list[photo.DieRead]:
        out = []
        for k, (share, good) in enumerate(zip(shares, right, strict=True)):
            faces = np.full(6, (1 - share) / 5)
            faces[2 if good else 3] = share
            value = int(faces.argmax()) + 1 if share >= limits.sure else None
            out.append(photo.DieRead(100.0 * k, 0.0, 40.0, 40.0, value, None, share, tuple(faces)))
        return out

    return budget.Seen(source, True, dice, read)


def test_the_surest_answers_are_given_first():
    """At half the dice the one mistake, the least sure, is not among them; at all of them it is."""
    found, dice = budget.answers([looked_at("a", [0.99, 0.6, 0.9, 0.95], [True, False, True, True])], settings.PHOTO)
    assert dice == 4
    assert budget.at_share(found, dice, 0.5) == (2, 0)
    assert budget.at_share(found, dice, 1.0) == (4, 1)


def test_dice_not_found_are_dice_without_an_answer():
    """Of ten dice eight were found: nine tenths cannot be answered, whatever the threshold."""
    assert budget.at_share([(0.9, True)] * 8, 10, 0.9) is None
    assert budget.at_share([(0.9, True)] * 8, 10, 0.8) == (8, 0)


def test_thresholds_rise_where_doubtful_answers_are_wrong_and_fall_where_they_are_right():
    """And a source has no word in the thresholds it is scored with."""
    careful = looked_at("careful", [0.99] * 8 + [0.75] * 4, [True] * 8 + [False] * 4)
    bold = looked_at("bold", [0.99] * 8 + [0.75] * 4, [True] * 12)
    assert budget.chosen([careful]).sure > 0.75 > budget.chosen([bold]).sure
    told = budget.tables([careful, bold], {})
    assert "| careful (from above) |  | 1 | 12 | 66.7 %" in told
    assert "4 of 12" in told, "scored with the thresholds the other source chose"


def test_what_ships_is_in_reach_of_the_choice():
    """The shipped thresholds are a point of the grid, so that a second run of the command can give them again."""
    assert settings.PHOTO.temperature in budget.TEMPERATURES
    for name, steps in budget.STEPS.items():
        assert getattr(settings.PHOTO, name) in steps
