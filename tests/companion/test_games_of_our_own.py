"""Newcomer D3: a game on the pad has the name its players give it wherever it is told of, and its rules are kept."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from companion.past import bgstats, history, plots
from tests.companion.desk import Desk
from tests.views import view_of

RULES: dict[str, Any] = {"title": "Rummikub", "rounds": 4, "categories": ["runs", "groups"], "wins": "low", "target": 0}


def test_the_name_is_told_everywhere(desk: Desk) -> None:
    desk.new("scorepad", "Ada", "Ben", **RULES)
    assert view_of(desk.state)["title"] == "Rummikub"
    assert desk.move(kind="points", seat=0, points=3).ok
    assert desk.move(kind="end").ok
    assert '"name":"Rummikub"' in unquote(desk.state.play_link)
    assert desk.admin("end game").ok
    (play,) = history.plays(desk.journal)
    assert bgstats.play_in_words(play)["game"]["name"] == "Rummikub"
    assert json.loads(json.dumps(history.to_json([play])))[0]["title"] == "Rummikub"
    for table in (history.to_csv([play]), history.to_statistics_csv([play], desk.journal)):
        assert {row["title"] for row in csv.DictReader(io.StringIO(table))} == {"Rummikub"}
    assert "<title>Rummikub: points per round</title>" in plots.points_per_round(play)
    told = desk.admin("history").result["games"][0]
    assert told["title"]["params"] == {"words": "Rummikub"}


def test_a_game_put_away_is_found_by_its_name(desk: Desk) -> None:
    desk.new("scorepad", "Ada", "Ben", **RULES)
    assert desk.move(kind="points", seat=0, points=3).ok
    assert desk.admin("end game").ok
    assert desk.state.lobby is not None
    assert [game.title.params for game in desk.state.lobby.paused] == [{"words": "Rummikub"}]


def test_its_rules_are_kept_under_its_name_and_the_newest_stand_first(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.new("scorepad", "Ada", "Ben", **RULES)
    desk.new("scorepad", "Ada", "Ben", title="Tysiąc", target=1000)
    desk.new("scorepad", "Ada", "Ben", **(RULES | {"title": "RUMMIKUB", "rounds": 9}))
    desk.new("scorepad", "Ada", "Ben")
    assert desk.admin("end game").ok
    desk.journal.close()
    lobby = Desk(tmp_path).state.lobby
    assert lobby is not None
    assert [(pad.title, pad.options.get("rounds")) for pad in lobby.pads] == [("RUMMIKUB", 9), ("Tysiąc", None)]
    assert lobby.pads[1].options == {"target": 1000}


@pytest.mark.parametrize(
    "kept", [b"{", b"[1]", b'[{"game":"scorepad"}]', b'[{"game":"x","title":"\\u001b[2J","options":{}}]']
)
def test_a_list_somebody_spoilt_costs_nobody_the_table(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "pads.json").write_bytes(kept)
    (tmp_path / "people.json").write_bytes(kept)
    (tmp_path / "groups.json").write_bytes(kept)
    lobby = Desk(tmp_path).state.lobby
    assert lobby is not None
    assert (lobby.pads, lobby.people, lobby.groups) == ((), (), ())


def test_who_reaches_the_target_is_said_and_the_end_asks_no_more(desk: Desk) -> None:
    """Playing on is everybody's own choice: the round may have to be finished first."""
    desk.new("scorepad", "Ada", "Ben", target=50)
    (end,) = desk.prompt.ask.choices
    assert end.confirm
    assert desk.move(kind="points", seat=1, points=50).ok
    (end,) = desk.prompt.ask.choices
    assert not end.confirm
    assert desk.prompt.ask.text.key == "scorepad/ask/there"
    assert desk.move(kind="points", seat=0, points=-20).ok
    assert desk.points() == [-20, 50]


def test_people_who_played_here_are_known(tmp_path: Path) -> None:
    """Newcomer D4: who came last stands first; robots are nobody, and nobody is listed twice."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Ada", "Ben")
    desk.new("scorepad", "Cleo", "ada")
    assert desk.admin("end game").ok
    assert desk.state.lobby is not None
    assert [one.name for one in desk.state.lobby.people] == ["Cleo", "ada", "Ben"]


def test_tables_that_sat_here_together_are_offered_again(tmp_path: Path) -> None:
    """The last one first, robots too, each once whatever order they sat in; seats nobody named are no group.
    Nor is a table where one sat down before the other had said a name."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Player 1", "Player 2")
    desk.new("scorepad", "Ada", "Player 2")
    desk.new("scorepad", "Ada", "Ben")
    seats = [{"name": "Ada"}, {"name": "Robot", "bot": "easy"}]
    assert desk.admin("new game", game="yacht", seats=seats).ok
    desk.new("scorepad", "ben", "Ada")
    assert desk.admin("end game").ok
    desk.journal.close()
    lobby = Desk(tmp_path).state.lobby
    assert lobby is not None
    assert [[(one.name, one.bot) for one in group] for group in lobby.groups] == [
        [("ben", ""), ("Ada", "")],
        [("Ada", ""), ("Robot", "easy")],
    ]
    assert [one.name for one in lobby.last] == ["ben", "Ada"], "the last evening's table is who sits there first"


def test_a_game_put_away_can_be_thrown_away(tmp_path: Path) -> None:
    """Newcomer D6: it is offered no more, also after a restart; the one on the table cannot be thrown away."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Ada", "Ben")
    assert desk.move(kind="points", seat=0, points=3).ok
    played = desk.state.game_id
    assert not desk.admin("discard", game=played).ok
    assert desk.admin("end game").ok
    assert desk.admin("discard", game=played).ok
    assert not desk.admin("discard", game=played).ok
    assert not desk.admin("resume", game=played).ok
    desk.journal.close()
    again = Desk(tmp_path)
    assert again.state.lobby is not None
    assert again.state.lobby.paused == ()
    assert history.plays(again.journal) == []
