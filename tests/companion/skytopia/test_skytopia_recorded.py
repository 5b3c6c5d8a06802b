"""Recorded games are replayed move by move and end with the same tally."""

import json
from pathlib import Path

import msgspec
import pytest
from skytopia_digest import digest
from skytopia_table import read_off
from skytopia_written import of_state, values_of

from companion.games.skytopia import pack

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


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_all_depths_give_the_recorded_total(path):
    head, *moves, _ = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    state = pack.new(head["options"], head["box"])
    for line in moves:
        state = pack.play(state, pack.decode(line["move"])).state
    full, written = read_off(pack.tally(state)), of_state(state)
    assert pack.score(written, head["box"]) == full
    for depth in ("light", "tally"):
        counted = pack.new({"names": head["options"]["names"], "depth": depth}, head["box"])
        final = pack.decode({"kind": "final", "values": values_of(written)})
        assert pack.tally(pack.play(counted, final).state) == full


def test_the_recorded_games_cover_every_player_count_side_and_variant():
    heads = [json.loads(path.read_text(encoding="utf-8").splitlines()[0]) for path in GAMES]
    options = [head["options"] for head in heads]
    assert len(heads) >= 12
    assert {len(one["names"]) for one in options} == {2, 3, 4}
    assert {one.get("sides", "A") for one in options} == {"A", "B", "each"}
    assert any(one.get("initial_turn") for one in options)
    assert any(one.get("abilities_by") == "draft" for one in options)
    assert any(one.get("rows") == 3 and len(one["names"]) == 4 for one in options)
    assert any(head["box"] for head in heads)
