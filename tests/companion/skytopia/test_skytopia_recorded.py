"""Recorded games are replayed move by move and end with the same tally."""

import json
from pathlib import Path

import msgspec
import pytest

from companion.games.skytopia import pack
from companion.games.skytopia.state import digest

GAMES = sorted((Path(__file__).parents[2] / "games" / "skytopia").glob("*.jsonl"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_replays_move_by_move(path):
    head, *moves, last = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert head["format"] == "tableside-game-1"
    state = pack.new(head["options"], head["box"])
    for number, line in enumerate(moves, 2):
        move = pack.decode(line["move"])
        assert pack.encode(move) == line["move"]
        state = pack.play(state, move).state
        assert digest(state) == line["state_hash"], f"line {number} differs"
    assert pack.over(state)
    assert msgspec.json.decode(msgspec.json.encode(pack.tally(state))) == last["tally"]
