"""The finger that counts touches: it takes the shortest way the scenes offer, and says so where there is none."""

from __future__ import annotations

import pytest

from benches.finger import Finger, OutOfReachError
from companion.game import RuleBroken
from companion.games.praga import pack
from tests.companion.praga.a_table import a_table, choose_free, play

NAMES = ("Magda", "Tomek")


def test_a_choice_that_is_shown_is_one_touch():
    """A hanging tile is touched where it hangs; its free wheel bonus comes with it."""
    state = a_table(2)
    tile = state.crane.at(5)
    bonus = pack.ask(state).choices[[choice.id for choice in pack.ask(state).choices].index(f"tile-{tile}")].move

    assert Finger(pack, NAMES).make(state, bonus) == 1


def test_what_is_folded_away_is_opened_first():
    """A note: it is opened, three is touched, and it is sent; in light play the strip has a key for the same."""
    note = {"kind": "note", "seat": 0, "values": {"points": 3}}

    assert Finger(pack, NAMES).make(choose_free(a_table(2)), note) == 3
    assert Finger(pack, NAMES).make(choose_free(a_table(2, "light")), note) == 1


def test_what_is_printed_is_touched_once_each():
    """A price is one touch, a thing it gives is one, and the key that sends says the rest."""
    state = play(choose_free(a_table(2, stone=5)), {"kind": "begin", "action": "wall"})
    wall = {"kind": "act", "action": "wall", "seat": 0, "values": {"cost_stone": 2, "wall_steps": 1, "red": 1}}
    upgrade = {"kind": "act", "action": "upgrade", "seat": 0, "values": {"gold": 1, "on": "wall"}}

    assert Finger(pack, NAMES).make(state, wall) == 4
    state = play(choose_free(a_table(2)), {"kind": "begin", "action": "upgrade"})
    assert Finger(pack, NAMES).make(state, upgrade) == 2


def test_what_was_entered_stays_entered_while_leaves_are_turned():
    """A value of another leaf costs the leaf; a final position is sent only when every leaf was seen."""
    move = {"kind": "sheet", "seat": 0, "values": {"eggs": 2, "university": 1}}

    assert 6 <= Finger(pack, NAMES).make(a_table(2, "tally"), move) <= 10


def test_what_the_screen_does_not_offer_is_said():
    """A move of the rules that no key makes is a fault of the screen, not a guess of the count."""
    state = choose_free(a_table(2))

    with pytest.raises(OutOfReachError):
        Finger(pack, NAMES).make(state, {"kind": "note", "seat": 1, "values": {"gold": 1}})
    with pytest.raises(RuleBroken):
        Finger(pack, NAMES).make(state, {"kind": "choose", "tile": 1, "seat": 0})
