"""What the screen looks up: the box, games put away, games finished."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.wire.messages import State
from tests.companion.desk import Desk
from tests.views import view_of


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def _lobby(desk: Desk) -> State:
    desk.pump()
    return next(m for _, m in reversed(desk.heard) if isinstance(m, State))


def test_a_game_put_away_is_offered_and_goes_on_where_it_was(desk: Desk) -> None:
    """End the evening early, begin again next day: nothing is lost, and it can be put away once more."""
    desk.new("scorepad", "Ada", "Ben")
    assert desk.move(kind="score", values={"p0": 7, "p1": 2}).ok
    game = desk.table.session.game if desk.table.session else ""
    assert desk.admin("end game").ok
    (offered,) = _lobby(desk).lobby.paused
    assert (offered.id, [seat.name for seat in offered.seats]) == (game, ["Ada", "Ben"])
    assert desk.admin("resume", game=game).ok
    shown = _lobby(desk)
    assert (shown.phase, shown.game_id) == ("playing", game)
    assert [player["points"] for player in view_of(shown)["players"]] == [7, 2]
    assert desk.move(kind="score", values={"p0": 1, "p1": 0}).ok
    again = Desk(desk.directory)
    assert again.table.session is not None
    assert again.table.session.game == game
    assert [player["points"] for player in view_of(again.table.announcer.state())["players"]] == [8, 2]
    assert again.journal.damage is None
    assert again.admin("end game").ok
    assert [one.id for one in _lobby(again).lobby.paused] == [game]


def test_only_a_game_that_was_put_away_can_be_taken_up_again(desk: Desk) -> None:
    """Neither an unknown game nor one played to its end."""
    assert not desk.admin("resume", game="nothing").ok
    desk.new("scorepad", "Ada", "Ben")
    game = desk.table.session.game if desk.table.session else ""
    assert desk.move(kind="score", values={"p0": 7, "p1": 2}).ok
    assert desk.move(kind="end").ok
    assert desk.admin("end game").ok
    assert _lobby(desk).lobby.paused == ()
    assert not desk.admin("resume", game=game).ok


def test_the_box_is_listed_and_a_confirmed_value_leaves_the_list(desk: Desk) -> None:
    """Each open value with its bounds; what the owner said is kept and told at once."""
    told = desk.admin("box list", game="skytopia").result
    by_key = {value["key"]: value for value in told["values"]}
    price = by_key["chronometer.price_by_steps.1"]
    assert (price["value"], price["low"], price["high"], price["first"], price["confirmed"]) == (10, 0, 30, True, False)
    after = desk.admin("box", game="skytopia", values={"chronometer.price_by_steps.1": 9}).result
    price = next(value for value in after["values"] if value["key"] == "chronometer.price_by_steps.1")
    assert (price["value"], price["confirmed"]) == (9, True)
    assert _lobby(desk).lobby.box["skytopia"] == sum(v["first"] and not v["confirmed"] for v in after["values"])
    refused = desk.admin("box", game="skytopia", values={"chronometer.price_by_steps.1": 99})
    assert not refused.ok
    assert desk.admin("box list", game="scorepad").result["values"] == []


def test_a_value_that_does_not_fit_the_others_is_not_taken_into_the_box(desk: Desk) -> None:
    """A building's number is there once; a game can always begin with what was kept."""
    assert not desk.admin("box", game="skyrise", values={"buildings.red.era-1.tall": [93]}).ok
    both = {"buildings.red.era-1.tall": [93], "buildings.green.era-1.tall": [92]}
    assert desk.admin("box", game="skyrise", values=both).ok
    desk.new("skyrise", "Ada", "Ben")
    assert desk.table.owner.box("skyrise") == both


@pytest.mark.parametrize(
    ("game", "kept", "wrong"),
    [
        ("skyrise", {"rows.2": 5}, {"buildings.red.era-1.tall": [93]}),
        ("skytopia", {"setup.coins": 7}, {"chronometer.start_value": 5}),
        ("praga", {"crane.red.1": 3}, {"tiles.a.1": ["mines"]}),
    ],
)
def test_a_box_file_that_does_not_fit_together_costs_no_game(
    desk: Desk, game: str, kept: dict[str, Any], wrong: dict[str, Any]
) -> None:
    """What fits is used, the rest is left aside and said; and it can be mended value by value."""
    desk.table.owner.save(game, {**kept, **wrong})
    desk.new(game, "Ada", "Ben")
    assert desk.table.session is not None
    assert desk.table.session.first.body["box"] == kept
    assert [notice.kind for notice in desk.table.notices] == ["bad"]
    assert desk.admin("box", game=game, values=kept).ok


def test_the_history_tells_finished_games_and_what_they_say(desk: Desk) -> None:
    """Newest first, with colours, sources and the curve; a game put away is not among them."""
    assert desk.admin("history").result["games"] == []
    for points in ((7, 2), (1, 3)):
        desk.new("scorepad", "Ada", "Ben")
        assert desk.move(kind="score", values={"p0": points[0], "p1": points[1]}).ok
        assert desk.move(kind="end").ok
        assert desk.admin("end game").ok
    desk.new("scorepad", "Ada", "Ben")
    told = desk.admin("history").result
    assert told["count"] == 2
    newest = told["games"][0]
    assert [(p["name"], p["total"], p["won"], p["colour"]) for p in newest["players"]] == [
        ("Ada", 1, False, "sun"),
        ("Ben", 3, True, "leaf"),
    ]
    assert told["players"]["Ada"]["wins"] == 1
    assert told["beat"] == {"Ben": {"Ada": 1}, "Ada": {"Ben": 1}}
