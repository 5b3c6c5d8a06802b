"""Finished games in their list: the winner first, then as the game counted."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pytest

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
    play = {"players": [{"name": name, "total": total, "won": won} for name, total, won in players]}
    assert [player["name"] for player in ranked(play)] == order
