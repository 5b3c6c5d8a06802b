"""Mistakes people make at a table, as the virtual hands make them on request."""

from __future__ import annotations

import random
from collections import Counter

from companion.game import Die, Expected, SlotExpected
from companion.virtual.pieces import Pieces
from companion.virtual.slips import same_look, slip

BEFORE = Expected(
    (
        SlotExpected("gold-1", (), "G1a"),
        SlotExpected("gold-2", (Die(1, 4),), "G2a"),
        SlotExpected("red-1", (), "R1a"),
        SlotExpected("red-2", (), ""),
    ),
    2,
    6,
)
PLACED = Expected((SlotExpected("gold-1", (Die(0, 5),), "G1a"), *BEFORE.slots[1:]), 2, 6)
TURNED = Expected(BEFORE.slots, 3, 6)


def kinds(before: Expected, meant: Expected) -> Counter[str]:
    """What goes wrong over many tries."""
    made = [slip(before, meant, random.Random(seed)) for seed in range(200)]
    return Counter(one.kind for one in made if one is not None)


def test_a_die_put_down_is_turned_wrong_laid_wrong_or_knocks_another() -> None:
    """Each kind happens, none rules the others out."""
    found = kinds(BEFORE, PLACED)
    assert set(found) == {"wrong face", "wrong card", "knocked over"}
    assert min(found.values()) > 30


def test_a_dial_is_forgotten_or_turned_twice() -> None:
    """Forgotten leaves it where it was; twice is one notch too far."""
    assert set(kinds(BEFORE, TURNED)) == {"dial forgotten", "dial turned twice"}
    layouts = {made.kind: made.layout.dial for seed in range(20) if (made := slip(BEFORE, TURNED, random.Random(seed)))}
    assert layouts == {"dial forgotten": 2, "dial turned twice": 4}


def test_a_slip_never_looks_like_what_was_meant() -> None:
    """Otherwise it were none; a die on the wrong card lies on a card, not on bare mat."""
    for seed in range(200):
        made = slip(BEFORE, PLACED, random.Random(seed))
        assert made is not None
        assert not same_look(made.layout, PLACED)
        assert not same_look(made.layout, BEFORE)
        assert made.layout.slots[3].dice == ()
        assert sum(len(slot.dice) for slot in made.layout.slots) == 2


def test_nothing_to_do_is_nothing_to_get_wrong() -> None:
    """Only a card is revealed: hands do that right."""
    assert slip(BEFORE, BEFORE, random.Random(1)) is None


def test_a_dial_turned_too_far_is_turned_back() -> None:
    """People turn one notch back, not five forward; a round goes forward."""
    pieces = Pieces(["sun", "leaf"], random.Random(1), 4)
    pieces.turn_to(1, 6)
    pieces.turn_to(2, 6)
    pieces.turn_to(1, 6)
    assert (pieces.turns, pieces.notch(6)) == (1, 1)
    pieces.turn_to(4, 6)
    assert pieces.turns == 4


def test_on_a_bare_table_only_the_face_can_be_wrong() -> None:
    """No other card to lay it on, no other die to knock over."""
    empty = Expected((SlotExpected("gold-1", (), "G1a"),), 2, 6)
    placed = Expected((SlotExpected("gold-1", (Die(0, 5),), "G1a"),), 2, 6)
    assert set(kinds(empty, placed)) == {"wrong face"}
