"""Scoring: what counts as found, right, wrong and made up."""

import json

import pytest

from benches.score import Score, add, folder, interval, iou


def die(x: float, value: int | None, **more: object) -> dict[str, object]:
    """A box of twenty pixels."""
    return {"x": x, "y": 0, "w": 20, "h": 20, "value": value, **more}


def test_a_die_is_found_right_wrong_or_left_open():
    """Each labelled die counts once, each reading once."""
    score = Score()
    add(score, [die(0, 1), die(50, 2), die(100, 3), die(150, 4)], [die(1, 1), die(51, 5), die(101, None), die(300, 6)])
    assert (score.dice, score.found, score.right, score.wrong, score.open, score.false) == (4, 3, 1, 1, 1, 1)
    assert score.accuracy == 0.25
    assert score.per["face 1"] == [1, 1, 0] and score.per["face 2"] == [1, 0, 1]


def test_dice_to_be_ignored_count_neither_way():
    """A reading on one is neither right nor made up."""
    score = Score()
    add(score, [die(0, 1, ignore=True)], [die(2, 4)])
    assert (score.dice, score.false) == (0, 0)


def test_two_readings_of_one_die_are_one_and_one_too_many():
    """Matching is one to one, best overlap first."""
    score = Score()
    add(score, [die(0, 6)], [die(5, 2), die(0, 6)])
    assert (score.right, score.wrong, score.false) == (1, 0, 1)


def test_half_the_union_is_the_least_overlap():
    """Just above counts, just below does not."""
    assert iou((0, 0, 10, 10), (0, 0, 10, 10)) == 1
    assert iou((0, 0, 10, 10), (20, 0, 10, 10)) == 0
    assert iou((0, 0, 10, 10), (3, 0, 10, 10)) > 0.5 > iou((0, 0, 10, 10), (4, 0, 10, 10))


@pytest.mark.parametrize(("right", "total"), [(0, 10), (10, 10), (5, 10), (997, 1000), (0, 0)])
def test_intervals_hold_their_share(right, total):
    """The interval lies within 0 to 1 and around what was seen, also at the edges."""
    low, high = interval(right, total)
    assert 0 <= low <= (right / total if total else 0) + 1e-9
    assert (right / total if total else 1) - 1e-9 <= high <= 1
    assert low < high


def test_a_labelled_folder_is_scored_by_view(tmp_path):
    """Only the photos asked for are read."""
    images = [
        {"image": "a.jpg", "source": "s", "view": "above", "dice": [die(0, 3)]},
        {"image": "b.jpg", "source": "s", "view": None, "dice": [die(0, 3)]},
    ]
    (tmp_path / "labels.json").write_text(json.dumps({"images": images}))
    score = folder(tmp_path, lambda path: [die(0, 3)], lambda item: item["view"] == "above")
    assert (score.pictures, score.dice, score.right) == (1, 1, 1) and score.per["source s"] == [1, 1, 0]
