"""A game on disk that today's rules no longer take whole: it goes on from the last position they know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.game import RuleBroken, Text
from companion.games.scorepad import pack
from tests.companion.desk import Desk


@pytest.fixture
def stricter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Three moves were made; since the update the second one is against the rules."""
    desk = Desk(tmp_path)
    desk.new()
    for points in (1, 20, 3):
        assert desk.move(kind="points", seat=0, points=points).ok
    desk.journal.close()
    play = pack.play

    def no_twenties(state: Any, move: Any) -> Any:
        if getattr(move, "points", 0) == 20:
            raise RuleBroken("scorepad/no", Text("x"), Text("x"))
        return play(state, move)

    monkeypatch.setattr(pack, "play", no_twenties, raising=False)
    return Desk(tmp_path)


def test_what_is_played_after_it_counts_at_the_next_start(stricter: Desk) -> None:
    """Nothing acknowledged is lost: neither the moves before the refused one nor those after the update."""
    assert stricter.points() == [1, 0]
    assert [notice.id for notice in stricter.state.notices] == ["left-out"]
    assert stricter.state.notices[0].text.params["n"] == 2
    assert stricter.request(id="later", move={"kind": "points", "seat": 1, "points": 5}).ok
    stricter.journal.close()
    again = Desk(stricter.directory)
    assert again.points() == [1, 5]
    assert again.state.notices[0].text.params["n"] == 2


def test_older_rules_again_do_not_bring_back_what_was_passed_over(
    stricter: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move made since was made on another position."""
    assert stricter.request(id="later", move={"kind": "points", "seat": 1, "points": 5}).ok
    stricter.journal.close()
    monkeypatch.undo()
    assert Desk(stricter.directory).points() == [1, 5]


def test_a_game_put_away_is_taken_up_in_the_same_way(stricter: Desk) -> None:
    """Said again, and what is played then counts."""
    game = stricter.state.game_id
    assert stricter.admin("end game").ok
    stricter.table.notices = ()
    assert stricter.admin("resume", game=game).ok
    assert stricter.state.notices[0].id == "left-out"
    assert stricter.request(id="later", move={"kind": "points", "seat": 1, "points": 7}).ok
    stricter.journal.close()
    assert Desk(stricter.directory).points() == [1, 7]
