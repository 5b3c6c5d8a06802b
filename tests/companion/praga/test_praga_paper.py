"""Recorded games followed a second time on paper: their tallies are no word of the code they test."""

from __future__ import annotations

import json

import pytest

from tests.companion.praga.paper import Paper
from tests.companion.praga.test_praga_games import GAMES, by_hand


@pytest.mark.parametrize("name", ["one-player", "two-players", "three-players", "four-players"])
def test_a_recorded_game_followed_on_paper_comes_to_the_same_tally(name):
    """A second reading of the rules, which shares no code with the pack, follows every move to the recorded totals."""
    lines = (GAMES[0].parent / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    head, *moved, last = map(json.loads, lines)
    paper = Paper(head["options"], head["box"])
    for line in moved:
        paper.follow(line["move"])
    assert paper.turn == 16 * paper.seats
    for seat, player in enumerate(last["tally"]["players"]):
        found = {line["id"]: line["points"] for line in player["lines"]}
        assert paper.position(seat)["track"] == found["track"]
        assert by_hand(paper.position(seat)) == player["total"]
