"""What the networks learn from: made-up cards and dice on them. Learning itself needs torch and is not tested here."""

import numpy as np
import pytest

from benches.score import iou
from tools.training import cardprint, render, scenes, tables


@pytest.fixture(scope="module")
def dice() -> list[render.Sprite]:
    """A handful of ray-traced dice seen from above."""
    rng = np.random.default_rng(3)
    return [render.die(rng, top=1 + k % 6, tilt=0.1 * (k % 4)) for k in range(6)]


def test_no_two_cards_are_alike_and_the_same_seed_gives_the_same_deck():
    """Print must not be learnt by heart, yet a training can be repeated."""
    deck = cardprint.deck(1, 12)
    assert len({card.tobytes() for card in deck}) == 12
    assert all(np.array_equal(a, b) for a, b in zip(deck, cardprint.deck(1, 12), strict=True))


def test_printed_cards_carry_things_that_look_like_pips():
    """A deck without contrast would teach nothing about print."""
    assert float(np.mean([card.std() for card in cardprint.deck(2, 12)])) > 25


def test_dice_on_cards_are_labelled_where_they_lie(dice):
    """Boxes are of one scale, each holds a face, and no two dice lie in one place."""
    rng, deck = np.random.default_rng(5), cardprint.deck(3, 8)
    seen = 0
    for _ in range(12):
        scene = tables.laid(rng, dice, deck)
        assert scene.picture.shape == (256, 256, 3)
        sizes = [max(d.w, d.h) for d in scene.dice]
        assert all(15 <= size <= 80 for size in sizes)
        assert not sizes or max(sizes) < 1.5 * min(sizes)
        assert all(1 <= d.value <= 6 for d in scene.dice)
        for i, a in enumerate(scene.dice):
            for b in scene.dice[:i]:
                away = np.hypot(a.x + a.w / 2 - b.x - b.w / 2, a.y + a.h / 2 - b.y - b.h / 2)
                assert away > 0.6 * min(max(a.w, a.h), max(b.w, b.h)), "two dice in one place"
        seen += len(scene.dice)
    assert seen > 20


def test_a_die_shows_the_face_it_is_labelled_with():
    """As many pips on top as it says, seven less that many beneath, and more ink on sixes than on ones."""
    rng = np.random.default_rng(8)
    for value in range(1, 7):
        marks = render.pips(rng, render.numbering(rng, value))
        assert sum(mark.along == 2 and mark.sign == 1 for mark in marks) == value
        assert sum(mark.along == 2 and mark.sign == -1 for mark in marks) == 7 - value
        assert len(marks) == 21

    line = np.linspace(-0.9, 0.9, 40)
    top = np.stack([*(axis.ravel() for axis in np.meshgrid(line, line)), np.ones(1600)], axis=1).astype(np.float32)

    def ink(value: int) -> float:
        marks = render.pips(rng, render.numbering(rng, value))
        return float(render.pip_cover(top, np.zeros_like(top), marks, 0.5)[0].mean())

    assert np.mean([ink(6) for _ in range(12)]) > 2 * np.mean([ink(1) for _ in range(12)])


def test_pips_in_any_colour_can_be_told_from_the_die():
    """Also where it is poured of two colours; red on blue and white is no lighter or darker than the die."""
    rng = np.random.default_rng(4)
    for _ in range(200):
        tints = rng.uniform(0.02, 1, (2, 3))
        ink = render._inked(rng, *tints)
        assert ((ink >= 0) & (ink <= 1)).all()
        assert min(float(np.abs(ink - tint).max()) for tint in tints) > 0.25


def test_in_a_heap_nobody_is_asked_about_a_die_that_others_hide(dice):
    """Boxes hold what can be seen of a die, and most of each is its own."""
    rng = np.random.default_rng(9)
    asked, hidden = 0, 0
    for _ in range(6):
        picture = np.full((256, 256, 3), 100, np.float32)
        labels = scenes.heap(rng, picture, dice, 44.0, steep=True)
        whole = [d for d in labels if d.value and min(d.x, d.y) >= 0 and max(d.x + d.w, d.y + d.h) <= 256]
        asked, hidden = asked + len(whole), hidden + sum(d.value == 0 for d in labels)
        for i, a in enumerate(whole):
            for b in whole[:i]:
                assert iou((a.x, a.y, a.w, a.h), (b.x, b.y, b.w, b.h)) < 0.5, "two dice in one place"
    assert asked > 30 and hidden > 0


def test_dice_seen_from_the_side_share_one_view(dice):
    """No camera sees one die from above and its neighbour from the side."""
    rng = np.random.default_rng(10)
    leaning = [render.die(rng, top=1 + k % 6, tilt=0.6 + 0.1 * (k % 3)) for k in range(6)]
    for wanted in (True, False):
        near, steep = scenes.one_view(rng, [*dice, *leaning], wanted)
        assert steep == wanted and near
        assert all((die.tilt >= scenes.SLANTED) == wanted for die in near)
