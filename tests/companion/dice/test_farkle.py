"""Farkle: what counts, what is lost, hot dice, and how the table reads what was put aside."""

from __future__ import annotations

import random

import pytest

from companion.bots import bot
from companion.game import RuleBroken
from companion.games.farkle import pack
from companion.games.farkle.rules import Bank, FarkleState, Keep, Throw, best, odds, score
from companion.sensing import Reading
from tests.whole_games import finish


def thrown(*dice: int) -> FarkleState:
    """One player after the first throw."""
    return pack.play(pack.new({"names": ["Ada", "Ben"]}, {}), Throw(0, tuple(dice))).state


@pytest.mark.parametrize(
    ("dice", "worth"),
    [
        ((1,), 100),
        ((5, 5), 100),
        ((2,), None),
        ((2, 2, 2), 200),
        ((1, 1, 1), 1000),
        ((4, 4, 4, 4), 800),
        ((1, 2, 3, 4, 5, 6), 1500),
        ((2, 2, 3, 3, 6, 6), 1500),
        ((3, 3, 3, 1, 5), 450),
        ((3, 3, 3, 2), None),
    ],
)
def test_what_dice_count_when_all_of_them_must(dice: tuple[int, ...], worth: int | None) -> None:
    """Ones, fives, three and more alike, a straight, three pairs."""
    assert score(dice) == worth


def test_a_throw_that_counts_nothing_loses_the_turn() -> None:
    """What was in the pot is gone, and the next player throws six."""
    state = pack.play(thrown(1, 2, 3, 4, 4, 6), Keep(0, (1,))).state
    assert (state.left, state.lying) == (5, (1,))
    after = pack.play(state, Throw(0, (2, 3, 4, 4, 6))).state
    assert (after.turn, after.points, after.left) == (1, (0, 0), 6)


def test_when_all_six_count_all_six_are_thrown_again() -> None:
    """And the points stay in the pot."""
    state = pack.play(thrown(1, 1, 1, 5, 5, 5), Keep(0, (1, 1, 1, 5, 5, 5))).state
    assert (state.left, state.lying) == (6, ())
    state = pack.play(state, Throw(0, (1, 2, 3, 4, 4, 6))).state
    assert state.pot == 1500
    assert pack.play(state, Bank(0)).state.points == (1600, 0)


def test_only_what_counts_is_put_aside() -> None:
    """And something must be, before the others are thrown."""
    with pytest.raises(RuleBroken, match="counts-nothing"):
        pack.play(thrown(1, 2, 3, 4, 4, 6), Keep(0, (1, 2)))
    with pytest.raises(RuleBroken, match="keep-first"):
        pack.play(thrown(1, 2, 3, 4, 4, 6), Throw(0, (1, 2, 3, 4, 4)))


def test_the_strip_beside_the_tray_is_what_was_put_aside() -> None:
    """Seen in the strip it is kept; the dice in the tray after a hand had them are the throw."""
    state = thrown(1, 2, 3, 4, 5, 5)
    before = {"tray": (1, 2, 3, 4, 5, 5), "aside": ()}
    aside = {"tray": (2, 3, 4, 5, 5), "aside": (1,)}
    assert pack.seen(state, Reading(aside, before, 6)) == Keep(0, (1,))
    with pytest.raises(RuleBroken, match="counts-nothing"):
        pack.seen(state, Reading({"tray": (1, 3, 4, 5, 5), "aside": (2,)}, before, 6))
    kept = pack.play(state, Keep(0, (1,))).state
    assert pack.seen(kept, Reading({"tray": (), "aside": (1,)}, aside, 1)) is None
    again = {"tray": (2, 2, 3, 5, 6), "aside": (1,)}
    assert pack.seen(kept, Reading(again, aside, 1)) == Throw(0, (2, 2, 3, 5, 6))
    assert pack.seen(state, Reading(again, before, 1)) == Throw(0, (2, 2, 3, 5, 6), (1,)), (
        "put aside and thrown in one go"
    )


def test_one_die_fails_two_times_in_three() -> None:
    """The chances a careful player weighs: 4 of 6 faces count nothing; six dice seldom do."""
    assert odds(1)[0] == pytest.approx(2 / 3)
    assert odds(6)[0] == pytest.approx(0.0231, abs=5e-4)
    assert best((2, 3, 4, 6)) == 0


def test_whoever_reaches_the_target_is_followed_by_one_more_turn() -> None:
    """Everybody else has a last chance, and robots come that far."""
    chance = random.Random(2)
    for _ in range(5):
        state = finish(pack, pack.new({"names": ["Ada", "Ben"], "target": 5000}, {}), [bot("planner")] * 2, chance)
        assert pack.over(state)
        assert max(state.points) >= 5000
        assert state.last is not None
