"""Bots play every game by its rules, and looking ahead beats grabbing."""

import itertools
import random

import pytest

from companion.bots import BOTS, bot
from companion.bots.planner import Planner
from companion.bots.skytopia import value
from companion.games.skytopia import pack
from tests.whole_games import finish

NAMES = ["Magda", "Louis", "Ola", "Hugo"]


def counted(steps):
    """A planner whose clock ticks once per look: the same thoughts on every machine."""
    ticks = itertools.count()
    return Planner(budget=steps, clock=lambda: next(ticks))


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("players", [2, 4])
def test_a_bot_plays_a_game_to_its_end(name, players):
    seats = [counted(2) if name == "planner" else bot(name) for _ in range(players)]
    final = finish(pack, pack.new({"names": NAMES[:players], "sides": "each"}, {}), seats, random.Random(players))
    assert pack.over(final)
    assert pack.tally(final).winners


def test_an_unknown_bot_is_refused_by_name():
    with pytest.raises(ValueError, match="random, greedy, planner"):
        bot("deep")


def duel(one, other, games):
    """Games won by the first of two bots, seats and first player changing; a shared victory counts half."""
    won = 0.0
    for number in range(games):
        state = pack.new({"names": NAMES[:2], "first": number // 2 % 2}, {})
        mine = number % 2
        seats = [one(), other()] if mine == 0 else [other(), one()]
        winners = pack.tally(finish(pack, state, seats, random.Random(number))).winners
        won += (mine in winners) / len(winners)
    return won


def test_looking_ahead_beats_grabbing_and_grabbing_beats_chance():
    assert duel(lambda: counted(6), lambda: bot("greedy"), 4) >= 3
    assert duel(lambda: bot("greedy"), lambda: bot("random"), 8) >= 5


def test_the_planner_takes_points_that_lie_open_and_keeps_its_time():
    state = pack.new({"names": NAMES[:2]}, {})
    chance = random.Random(3)
    for _ in range(60):
        state = pack.play(state, chance.choice(pack.moves(state))).state
    planner = counted(3)
    assert planner.choose(pack, state, chance) in pack.moves(state)


def test_the_outlook_likes_a_golem_that_will_finish():
    state = pack.new({"names": NAMES[:2]}, {})
    chance = random.Random(9)
    while state.stack[-1].kind != "assign":
        state = pack.play(state, chance.choice(pack.moves(state))).state
    seat = state.turn
    after = [pack.play(state, move).state for move in pack.moves(state)]
    assert max(value(one, seat) for one in after) > value(state, seat)
