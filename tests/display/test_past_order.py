"""Finished games in their list: the winner first, then as the game counted."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pytest

from companion.game import Text
from companion.wire.past import PastGame, PastPlayer
from display.scenes.past.games import ranked


@pytest.mark.parametrize(
    ("players", "order"),
    [
        ([("Ada", 23, False), ("Zoë", 31, False), ("Ola", 31, True)], ["Ola", "Zoë", "Ada"]),
        ([("Ada", 23, False), ("Zoë", 31, False), ("Ola", 12, True)], ["Ola", "Ada", "Zoë"]),
        ([("Ada", 7, True), ("Zoë", 7, True)], ["Ada", "Zoë"]),
        ([], []),
    ],
    ids=["most points win", "fewest points win", "shared", "nobody"],
)
def test_the_order_is_that_of_the_game(players, order):
    sat = tuple(
        PastPlayer(seat=seat, name=name, colour="sun", total=total, won=won)
        for seat, (name, total, won) in enumerate(players)
    )
    play = PastGame(id="", game="", title=Text("x"), ts=0.0, minutes=1, players=sat, chart=(), spent=())
    assert [player.name for player in ranked(play)] == order
