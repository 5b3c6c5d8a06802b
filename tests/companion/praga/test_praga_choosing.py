"""Choosing a tile with one touch: its action and a free wheel bonus come with it, and either may still wait."""

from __future__ import annotations

import pytest

from benches.finger import Finger
from companion.games.praga import pack
from tests.companion.praga.a_table import KNOWN, a_table, choose_free, holding, play, refused

PAIR = {"tiles.a.5": ["quarries", "upgrade"]}


def _halves(state):
    return {choice.id: choice for choice in pack.ask(state).choices if choice.group == "half"}


def test_a_tile_and_its_action_are_one_touch():
    """The screen's half of a tile is one move: the tile is taken and its action begun."""
    state = a_table(2, box=KNOWN)
    tile = state.crane.at(5)
    half = _halves(state)[f"tile-{tile}-upgrade"]
    after = play(state, half.move)

    assert Finger(pack, ("Magda", "Tomek")).make(state, half.move) == 1
    assert after.hand.tile == tile
    assert (after.begun.source, after.begun.action) == ("tile", "upgrade")


def test_halves_are_offered_only_where_both_actions_are_known():
    """Nothing is made up about a tile nobody has described, and a light game records no actions."""
    assert not _halves(a_table(2))
    assert {choice.picture["tile"] for choice in _halves(a_table(2, box=PAIR)).values()} == {5}
    assert not _halves(a_table(2, "light", box=PAIR))
    assert refused(a_table(2, "light"), {"kind": "choose", "tile": 5, "action": "mines"}).code == "praga/depth"


def test_a_half_that_cannot_be_done_says_why():
    """The finished King's Road is shut, the other half of its tile is not."""
    state = a_table(2, box=KNOWN, road=5)
    halves = [choice for choice in _halves(state).values() if choice.picture["tile"] == 6]

    assert {choice.picture["action"]: choice.off is None for choice in halves} == {"building": True, "road": False}


@pytest.mark.parametrize(
    ("bonus", "thing"), [("gold", "gold"), ("stone", "stone"), ("silver-window", "silver_windows")]
)
@pytest.mark.sentence(36, 233)
def test_a_free_wheel_bonus_comes_with_its_tile(bonus, thing):
    """Nothing is to be decided about it, so nobody is asked."""
    state = a_table(2, box={f"crane.bonus.{k}": bonus for k in range(1, 12)})
    held = getattr(state.boards[0], thing)
    tile = next(choice for choice in pack.ask(state).choices if choice.picture.get("station") == 5)
    after = play(state, tile.move)

    assert getattr(after.boards[0], thing) == held + 1
    assert not after.hand.bonus


def test_a_bonus_waits_where_it_would_be_lost():
    """Nine gold are the most: with eight, or where a technology doubles it, the player says when to take it."""
    box = {f"crane.bonus.{k}": "gold" for k in range(1, 12)}

    def at_once(gold):
        found = pack.ask(holding(a_table(2, box=box, gold=gold), 1, "wheel-gold")).choices
        return next(choice for choice in found if choice.picture.get("station") == 5).move.get("bonus", False)

    assert [at_once(gold) for gold in (6, 7, 8, 9)] == [True, True, False, False]


@pytest.mark.parametrize("bonus", ["special-1", "egg-for-gold", "step"])
def test_a_bonus_that_is_a_decision_is_left_to_the_player(bonus):
    """A special tile or its points, an egg for a good, a track."""
    state = a_table(2, box={f"crane.bonus.{k}": bonus for k in range(1, 12)})

    assert not any(choice.move.get("bonus") for choice in pack.ask(state).choices)


@pytest.mark.sentence(225, 226)
def test_something_else_may_come_before_the_action():
    """The action of the tile is put off, an extra action is bought first, and then it is done."""
    state = a_table(2, box=KNOWN, gold_windows=2)
    state = play(state, _halves(state)[f"tile-{state.crane.at(5)}-quarries"].move)
    assert refused(state, {"kind": "extra", "pay": "gold"}).code == "praga/not-now"
    put_off = next(choice for choice in pack.ask(state).choices if choice.id == "put-off")
    state = play(state, put_off.move, {"kind": "extra", "pay": "gold"})
    state = play(state, {"kind": "act", "action": "mines", "branch": "dig"})

    assert not state.hand.acted
    assert play(state, {"kind": "act", "action": "quarries", "branch": "dig"}).hand.acted


def test_what_was_paid_for_is_not_put_off():
    """An extra action is bought to be done; a turn without an action has none to put off."""
    state = play(choose_free(a_table(2, gold_windows=2)), {"kind": "extra", "pay": "gold"})
    state = play(state, {"kind": "begin", "action": "wall"})

    assert refused(state, {"kind": "begin", "action": ""}).code == "praga/nothing"
    assert refused(choose_free(a_table(2)), {"kind": "begin", "action": ""}).code == "praga/nothing"
