"""The finger that counts touches: it takes the shortest way the scenes offer, and says so where there is none."""

from __future__ import annotations

import pytest

from benches.finger import Finger, OutOfReachError
from companion.game import RuleBroken
from companion.games.praga import pack
from tests.companion.praga.a_table import a_table, choose_free, play

NAMES = ("Magda", "Tomek")


def test_a_choice_that_is_shown_is_one_touch():
    """A hanging tile is touched where it hangs."""
    state = a_table(2)
    tile = state.crane.at(5)

    assert Finger(pack, NAMES).make(state, {"kind": "choose", "tile": tile, "seat": 0}) == 1


def test_what_is_folded_away_is_opened_first():
    """A note: it is opened, three steps are made, and it is sent; in light play the strip has a key for the same."""
    note = {"kind": "note", "seat": 0, "values": {"points": 3}}

    assert Finger(pack, NAMES).make(choose_free(a_table(2)), note) == 5
    assert Finger(pack, NAMES).make(choose_free(a_table(2, "light")), note) == 1


def test_what_was_entered_stays_entered_while_leaves_are_turned():
    """A value of another leaf costs the leaf, and no other form is taken for this one."""
    state = play(choose_free(a_table(2, stone=5)), {"kind": "begin", "action": "wall"})
    move = {"kind": "act", "action": "wall", "seat": 0, "values": {"cost_stone": 2, "wall_steps": 1, "red": 1}}

    assert 5 <= Finger(pack, NAMES).make(state, move) <= 7


def test_what_the_screen_does_not_offer_is_said():
    """A move of the rules that no key makes is a fault of the screen, not a guess of the count."""
    state = choose_free(a_table(2))

    with pytest.raises(OutOfReachError):
        Finger(pack, NAMES).make(state, {"kind": "note", "seat": 1, "values": {"gold": 1}})
    with pytest.raises(RuleBroken):
        Finger(pack, NAMES).make(state, {"kind": "choose", "tile": 1, "seat": 0})
