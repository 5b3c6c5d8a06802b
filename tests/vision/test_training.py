"""What the networks learn from: made-up cards and dice on them. Learning itself needs torch and is not tested here."""

import numpy as np
import pytest

from tools.training import cardprint, render, tables


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
    """A white six has more ink on top than a white one, seen from straight above."""
    rng = np.random.default_rng(8)

    def dark(value: int) -> float:
        shares = []
        for _ in range(6):
            die = render.die(rng, top=value, tilt=0.0)
            grey = die.bgr.mean(axis=2)
            body = np.median(grey[die.cover > 0])
            shares.append(float((np.abs(grey[die.cover > 0] - body) > 40).mean()))
        return float(np.median(shares))

    assert dark(6) > 1.5 * dark(1)
