"""A robot at Skyrise knows what its seat may know: positions that look alike to it are imagined alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.core.registry import pack as find_pack
from companion.robots.thinking import Memory, Think, think
from tests.companion.desk import Desk

PACK = find_pack("skyrise").pack


def shuffled(seed: int) -> Callable[[Sequence[Any]], Sequence[Any]]:
    chance = random.Random(seed)
    return lambda pile: chance.sample(pile, len(pile))


@pytest.mark.parametrize("seed", range(6))
def test_what_a_seat_cannot_see_makes_no_difference(seed: int) -> None:
    """Through whole games: another deal of what is hidden looks the same to the seat, and is imagined the same."""
    chance, names = random.Random(seed), ["Ada", "Ben", "Cyd"]
    state: Any = PACK.new({"names": names, "depth": "full", "deal": "digital", "board": "drawn", "auction": "full"}, {})
    hidden = differs = 0
    while not PACK.over(state):
        owed = PACK.deal(state)
        if owed is not None:
            piles = {name: chance.sample(pile, len(pile)) for name, pile in owed["shuffle"].items()}
            state = PACK.play(state, PACK.decode({**owed["move"], **piles})).state
            continue
        for seat in range(3):
            other = PACK.imagined(state, seat, shuffled(chance.randrange(1000)))
            assert PACK.view(other, seat) == PACK.view(state, seat)
            assert PACK.imagined(other, seat, shuffled(5)) == PACK.imagined(state, seat, shuffled(5))
            hidden += 1
            differs += other != state
        moves = PACK.moves(state)
        state = PACK.play(state, chance.choice(moves)).state
    assert differs > hidden / 2, "something is hidden most of the time"


def test_a_mind_is_asked_about_what_it_may_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    desk.new("skyrise", "Ada", "Ben", depth="full", deal="digital", board="drawn", auction="full")
    session = desk.table.session
    assert session is not None
    seen: list[Any] = []
    monkeypatch.setattr("companion.robots.thinking.turn", lambda pack, state, *more: seen.append(state) or ())
    think(Memory(desk.journal.directory), Think(1, session.game, session.seq, {0: "easy"}), random.Random(3))
    (imagined,) = seen
    assert imagined.players[0] == session.state.players[0]
    assert imagined.players[1].hand != session.state.players[1].hand
    assert set(imagined.players[1].hand).isdisjoint(session.state.players[0].hand)
