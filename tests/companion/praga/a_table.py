"""Tables of Praga for the tests: builders that name only what a test is about."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from benches import copy_of_praga
from companion.game import Outcome, RuleBroken
from companion.games.praga import crane, pack
from companion.games.praga.state import PragaState, Technology

KNOWN = copy_of_praga.box()
"""A box of which everything was seen."""
READ = {"wall_row": 0, "wall_column": 0, "cathedral_row": 0, "cathedral_column": 0}
"""What is printed where nobody has climbed."""
DIG = {"kind": "act", "action": "mines", "branch": "dig"}
TURN = {"kind": "turn"}


def a_table(players: int = 2, depth: str = "full", box: dict[str, Any] | None = None, **board: Any) -> PragaState:
    """A new game in which every player has these things."""
    names = ["Magda", "Tomek", "Élodie", "Sam"][:players]
    state = pack.new({"names": names, "depth": depth, "tiles": [1, 2, 3, 4, 5, 6]}, box or {})
    boards = tuple(msgspec.structs.replace(one, **board) for one in state.boards)
    return msgspec.structs.replace(state, boards=boards)


def play(state: PragaState, *moves: dict[str, Any]) -> PragaState:
    """The state after these moves, given as JSON."""
    for move in moves:
        state = outcome(state, move).state
    return state


def outcome(state: PragaState, move: dict[str, Any]) -> Outcome:
    """What a move does; where the wheel turns before the action is told, that is left for later."""
    found = pack.play(state, pack.decode(move))
    if move["kind"] != "turn" or not found.state.held:
        return found
    then = pack.play(found.state, pack.decode({"kind": "later"}))
    return Outcome(then.state, (*found.events, *then.events), then.reveals, {**found.learnt, **then.learnt})


def refused(state: PragaState, move: dict[str, Any]) -> RuleBroken:
    """The refusal of a move; the state is untouched because it cannot change."""
    with pytest.raises(RuleBroken) as caught:
        outcome(state, move)
    return caught.value


def choose_at(state: PragaState, station: int) -> PragaState:
    """The player in turn takes the tile at a station."""
    return play(state, {"kind": "choose", "tile": state.crane.at(station)})


def choose_free(state: PragaState) -> PragaState:
    """The player in turn takes the first tile that costs nothing."""
    return choose_at(state, next(station for station, _ in state.crane.tiles() if station > 4))


def events(result: Outcome) -> list[str]:
    """Kinds of what happened."""
    return [event.kind for event in result.events]


def a_random_game(
    players: int, depth: str, seed: int, box: dict[str, Any] | None = None
) -> Iterator[tuple[PragaState, Any]]:
    """A whole game by legal moves, state before and move; the last pair has no move."""
    chance = random.Random(seed)
    state = a_table(players, depth, KNOWN if box is None else box)
    while not pack.over(state):
        legal = pack.moves(state)
        move = legal[-1] if chance.random() < 0.15 else chance.choice(legal)
        yield state, move
        state = pack.play(state, move).state
    yield state, None


def with_wheel(state: PragaState, box: int, tiles: Any, flagged: Any = ()) -> PragaState:
    """The same table with another crane."""
    return msgspec.structs.replace(state, crane=crane.lay_out(box, tiles, flagged))


def holding(state: PragaState, level: int, effect: str, turn: int = -1) -> PragaState:
    """Player one holds a technology since some earlier turn."""
    tile = Technology(level, effect, turn)
    boards = (msgspec.structs.replace(state.boards[0], technologies=(tile,)), *state.boards[1:])
    return msgspec.structs.replace(state, boards=boards)


def no_bonus_box() -> dict[str, str]:
    """A wheel whose bonuses are all the purchase of an egg: nothing is booked at the end of a turn."""
    return {f"crane.bonus.{k}": "egg-for-gold" for k in range(1, 12)}
