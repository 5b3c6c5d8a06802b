"""The virtual table's hands: they do everything that is to be done, and nothing else."""

from __future__ import annotations

import math
import random

from companion.game import Die, Expected, SlotExpected
from companion.virtual.pieces import Pieces
from companion.wire.messages import VirtualHand


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


def faces(made: Pieces, slot: str) -> list[tuple[int, int]]:
    """Owner and face of what lies there."""
    return [(one.die.owner, one.die.face) for one in made.slots[slot][1]]


def test_a_hand_turns_moves_and_takes_dice() -> None:
    """From its place to another, back to the supply, and out of it; a turn goes round after six."""
    made = pieces()
    assert made.touched(VirtualHand(action="turn", slot="gold-1", steps=3))
    assert faces(made, "gold-1") == [(0, 1)]
    assert made.touched(VirtualHand(action="move", slot="gold-1", to="gold-2", x=0.0, y=1.0))
    assert (faces(made, "gold-1"), faces(made, "gold-2")) == ([], [(0, 1)])
    assert 0.1 <= made.slots["gold-2"][1][0].x <= 0.9, "not over the edge of the card"
    assert made.touched(VirtualHand(action="move", colour="leaf", to="gold-1"))
    assert faces(made, "gold-1") == [(1, 1)]
    assert made.touched(VirtualHand(action="move", slot="gold-1"))
    assert faces(made, "gold-1") == []
    assert made.touched(VirtualHand(action="dial", steps=-2))
    assert made.turns == -2


def test_a_hand_finds_nothing_where_nothing_lies() -> None:
    """No such die, no such place, nobody's colour: nothing happens."""
    made = pieces()
    before = made.truth()
    for hand in (
        VirtualHand(action="move", slot="gold-2", to="gold-1"),
        VirtualHand(action="move", slot="gold-1", to="nowhere-9"),
        VirtualHand(action="move", colour="plum", to="gold-1"),
        VirtualHand(action="move", colour="sun", to="nowhere-9"),
    ):
        assert not made.touched(hand)
    assert made.truth() == before


def test_two_golems_never_lie_in_one_place() -> None:
    """A camera sees one die where two are drawn through one another: whoever drops one on another finds it beside it."""
    made = pieces()
    for _ in range(3):
        assert made.touched(VirtualHand(action="move", colour="sun", to="gold-1", x=0.5, y=0.5))
    made.arrange(SlotExpected("gold-1", (*(one.die for one in made.slots["gold-1"][1]), Die(1, 2)), "G1a"))
    lying = made.slots["gold-1"][1]
    assert len(lying) == 5
    apart = [
        math.hypot((one.x - other.x) * 63, (one.y - other.y) * 88) for i, one in enumerate(lying) for other in lying[:i]
    ]
    assert min(apart) >= 1.4 * 15
    assert all(0.1 <= one.x <= 0.9 and 0.05 <= one.y <= 0.95 for one in lying)
