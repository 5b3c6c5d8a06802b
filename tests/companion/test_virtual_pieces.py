"""The virtual table's hands: they do everything that is to be done, and nothing else."""

from __future__ import annotations

import random

from companion.game import Die, Expected, SlotExpected
from companion.virtual.pieces import Pieces


def pieces() -> Pieces:
    """Two cards on the mat, a golem on one of them."""
    made = Pieces(["sun", "leaf"], random.Random(1), 4)
    for slot in (SlotExpected("gold-1", (Die(0, 4),), "G1a"), SlotExpected("gold-2", (), "G2a")):
        made.arrange(slot)
    return made


def test_an_unoccupied_card_that_goes_is_taken_off_the_mat() -> None:
    """It joins a city; nothing lies on it, yet a hand must come."""
    made = pieces()
    wanted = Expected((SlotExpected("gold-1", (Die(0, 4),), "G1a"), SlotExpected("gold-2", (), "")))
    assert made.differing(wanted) == ["gold-2"]
    shown = list(made.perform(wanted))
    assert [truth.hand is not None for truth in shown] == [True, False]
    assert shown[-1].slots["gold-2"]["card"] == ""
    assert made.differing(wanted) == []


def test_a_card_nobody_has_named_may_be_any() -> None:
    """What the game does not know the hands leave as it lies."""
    made = pieces()
    assert (
        made.differing(Expected((SlotExpected("gold-1", (Die(0, 4),), None), SlotExpected("gold-2", (), "G2a")))) == []
    )
