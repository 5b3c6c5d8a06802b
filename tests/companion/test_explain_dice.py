"""How likely a reading of one place is if it lies as the game has it (docs/design.md §4)."""

from __future__ import annotations

import pytest

from companion.game import Die, Expected, SlotExpected
from companion.senses.explain import (
    CARD,
    NEVER,
    PRINT,
    certain,
    differences,
    left_over,
    odd_die_out,
    one_die_off,
    slot_chance,
)
from companion.senses.standing import SURE
from companion.wire.messages import DieSeen
from tests.companion.fable import OWNERS, find, lies, place, seen

FOUR = SlotExpected("red", (Die(0, 4),))
EMPTY = SlotExpected("red")


def likely(slot: SlotExpected, *dice: DieSeen, lenient: bool = False, **owners: int) -> float:
    return slot_chance(slot, place(*dice), owners or OWNERS, lenient=lenient)


def test_a_die_is_as_likely_as_its_colour_and_its_face_together() -> None:
    """Both were read apart."""
    assert likely(FOUR, find(4, 0.5, share=0.6)) == pytest.approx(0.3)


def test_what_a_colour_leaves_open_is_shared_by_the_other_players() -> None:
    """Of three, two may own what was taken for the leaf's; alone at the table, one still may."""
    doubtful = find(4, 0.5, "leaf", 0.6)
    assert likely(FOUR, doubtful) == pytest.approx(0.4 / 2 * 0.5)
    assert likely(FOUR, doubtful, sun=0, leaf=1) == pytest.approx(0.4 * 0.5)
    assert likely(FOUR, find(4, 0.5, "plum", 0.6), sun=0) == pytest.approx(0.4 * 0.5)


def test_a_confident_colour_or_face_is_never_overruled() -> None:
    """From the threshold itself on; the die that is expected may be confident, too."""
    assert likely(FOUR, find(4, 0.9, "leaf", SURE)) == 0.0
    assert likely(FOUR, find(4, 0.9, "leaf", SURE - 0.01)) > 0.0
    assert likely(FOUR, find(3, SURE, also={4: 0.04})) == 0.0
    assert likely(FOUR, find(3, SURE - 0.01, also={4: 0.04})) == pytest.approx(0.04)
    assert likely(FOUR, find(4, SURE)) == pytest.approx(SURE)


def test_a_die_is_certain_when_colour_and_face_are() -> None:
    """Either alone is not enough."""
    assert certain(find(4, SURE, share=SURE))
    assert not certain(find(4, SURE, share=0.9))
    assert not certain(find(4, 0.9, share=SURE))


def test_another_card_contradicts_once_it_was_named() -> None:
    """A card without a name, or one the game does not know yet, contradicts nothing."""
    known = SlotExpected("red", card="B3")
    assert slot_chance(known, place(card="B4", share=CARD), OWNERS) == 0.0
    assert slot_chance(known, place(card="B4", share=CARD - 0.01), OWNERS) == 1.0
    assert slot_chance(known, place(card="B3", share=1.0), OWNERS) == 1.0
    assert slot_chance(known, place(share=1.0), OWNERS) == 1.0
    assert slot_chance(EMPTY, place(card="B4", share=1.0), OWNERS) == 1.0


def test_a_spot_is_judged_by_its_piece() -> None:
    """Where the game says that one stands there and the camera looked for one; else by its dice."""
    spot = SlotExpected("red", (Die(0, 4),), piece="sun")
    assert slot_chance(spot, place(pieces={"sun": 0.96, "": 0.04}), OWNERS) == pytest.approx(0.96)
    assert slot_chance(spot, place(pieces={"sun": 0.01, "": 0.99}), OWNERS) == 0.0
    assert slot_chance(spot, place(find(4, 0.5)), OWNERS) == pytest.approx(0.5)
    assert slot_chance(FOUR, place(find(4, 0.5), pieces={"": 1.0}), OWNERS) == pytest.approx(0.5)


def test_dice_are_counted() -> None:
    """One missing contradicts always, one too many unless it may be print."""
    doubtful = find(4, 0.5)
    assert likely(EMPTY) == 1.0
    assert likely(FOUR) == likely(FOUR, lenient=True) == 0.0
    assert likely(EMPTY, doubtful) == 0.0
    assert likely(EMPTY, doubtful, lenient=True) == pytest.approx(PRINT)
    assert likely(EMPTY, find(4), lenient=True) == 0.0
    assert likely(FOUR, doubtful, find(2, 0.5)) == 0.0
    assert likely(FOUR, doubtful, find(2, 0.5), lenient=True) == pytest.approx(0.5 * PRINT)


def test_what_is_left_over_is_print() -> None:
    """Of two that fit as well the first is the die; nobody would swear to print; where nothing fits, all is left."""
    first, second = find(4, 0.5), find(4, 0.5, share=1.0)
    assert left_over(FOUR, place(first, find(2, 0.5)), OWNERS) == (find(2, 0.5),)
    assert [die is second for die in left_over(FOUR, place(first, second), OWNERS)] == [True]
    assert left_over(FOUR, place(find(4, 0.9), find(4)), OWNERS) == (find(4, 0.9),)
    assert left_over(FOUR, place(find(2)), OWNERS) == (find(2),)
    assert left_over(FOUR, place(find(4), find(2)), OWNERS) == (find(4), find(2))


def test_two_dice_lie_as_they_fit_best() -> None:
    """Whichever was found first."""
    both = SlotExpected("red", (Die(0, 4), Die(1, 2)))
    sun, leaf = find(4, 0.5), find(2, 0.8, "leaf")
    assert likely(both, sun, leaf) == likely(both, leaf, sun) == pytest.approx(0.4)
    assert likely(both, sun, sun) == pytest.approx(0.0)


def test_the_odd_die_out_is_named_with_what_it_should_be() -> None:
    """One only; with another number of dice there is none."""
    both = SlotExpected("red", (Die(0, 4), Die(1, 2)))
    right, wrong = find(2, owner="leaf"), find(5)
    assert odd_die_out(both, place(wrong, right), OWNERS) == (wrong, Die(0, 4))
    assert odd_die_out(both, place(right, wrong), OWNERS) == (wrong, Die(0, 4))
    assert odd_die_out(both, place(find(5), find(5, owner="leaf")), OWNERS) is None
    assert odd_die_out(both, place(wrong), OWNERS) is None
    carded = SlotExpected("red", (Die(0, 4),), "B3")
    assert odd_die_out(carded, place(wrong, card="B4", share=1.0), OWNERS) is None


def test_a_position_is_one_die_off() -> None:
    """One place differs, in one die; what is covered or not looked at does not, and the dial must stand right."""
    there = lies(0, red=4, blue=2)
    off, right = find(5), find(2)
    assert one_die_off(there, seen(0, red=off, blue=right))
    assert one_die_off(there, seen(0, blue=find(5), red=find(4)))
    assert one_die_off(there, seen(0, red=off))
    assert one_die_off(there, seen(0, red=off, blue=place(off, covered=True)))
    assert one_die_off(there, seen(None, red=off, blue=right))
    assert one_die_off(lies(None, red=4), seen(3, red=off))
    assert one_die_off(lies(red=(Die(0, 4), Die(1, 2))), seen(red=(find(5), find(2, owner="leaf"))))
    assert not one_die_off(there, seen(1, red=off, blue=right))
    assert not one_die_off(there, seen(0, red=off, blue=off))
    assert not one_die_off(there, seen(0, red=(), blue=right))
    assert not one_die_off(there, seen(0, red=find(4), blue=right))
    assert one_die_off(lies(0, green=1, red=4), seen(0, red=off))


def test_a_likelihood_of_next_to_nothing_is_a_contradiction() -> None:
    """The bound itself counts as one, for a die out of place as for a position that is right."""
    bound = find(1, 0.9, also={4: NEVER})
    assert likely(FOUR, bound) == NEVER
    assert one_die_off(lies(red=4), seen(red=bound))
    assert [one.slot for one in differences(lies(red=4), seen(red=bound))] == ["red"]
    pair = SlotExpected("red", (Die(0, 4), Die(0, 4)))
    assert odd_die_out(pair, place(bound, find(5)), OWNERS) is None


def test_differences_say_what_lies_there() -> None:
    """By owner and likeliest face, sorted; a colour nobody plays has no owner. What is covered or right is left out."""
    told = differences(
        lies(3, red=4, blue=2, green=1, gold=5, grey=6),
        seen(
            2,
            red=(find(5, 0.6, "leaf"), find(2, 0.7, "plum"), find(1, 0.9)),
            blue=place(find(5), covered=True),
            green=find(1),
            gold=(),
        ),
    )
    red, gold, dial = tuple(told)
    assert (red.slot, red.expected, red.seen) == ("red", (Die(0, 4),), (Die(-1, 2), Die(0, 1), Die(1, 5)))
    assert (red.expected_piece, red.seen_piece, red.expected_dial, red.seen_dial) == (None, None, None, None)
    assert (gold.slot, gold.expected, gold.seen) == ("gold", (Die(0, 5),), ())
    assert (dial.slot, dial.expected_dial, dial.seen_dial, dial.expected, dial.seen) == ("dial", 3, 2, (), ())


def test_differences_name_pieces_by_who_plays_them() -> None:
    """The one that should stand at a spot, and the one that does."""
    spot = Expected((SlotExpected("red", piece="leaf"),))
    (told,) = differences(spot, seen(red=place(pieces={"sun": 0.99, "leaf": 0.01})))
    assert (told.expected_piece, told.seen_piece) == ((1,), (0,))


@pytest.mark.parametrize(("stands", "shown"), [(None, 2), (3, None), (3, 3)])
def test_a_dial_that_stands_right_or_is_away_differs_in_nothing(stands: int | None, shown: int | None) -> None:
    """Unconfirmed, or in a game without one."""
    assert list(differences(lies(stands), seen(shown))) == []
