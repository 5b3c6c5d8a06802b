"""The name somebody gives at the door is theirs everywhere: on screens, in the tally, in history and in what is exported."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.core.naming import rename
from companion.core.session import Session
from companion.game import Tally
from companion.past import history
from companion.past.lookup import paused
from tests.companion.desk import Desk
from tests.views import view_of


def _names(desk: Desk) -> list[str]:
    view = view_of(desk.state)["players"]
    return [player["name"] for player in view]


@pytest.mark.parametrize("game", ["scorepad", "skytopia", "praga", "skyrise"])
def test_a_name_given_in_mid_game_is_the_seats_name_in_every_game(desk: Desk, game: str) -> None:
    """Newcomer C1. Bob sat on "Player 2", and the tally said that Player 2 had won."""
    desk.new(game, "Ada", "Player 2")
    rename(desk.table, 1, name="Bob", sender="phone-s1-x")
    desk.table.publish(())
    assert _names(desk) == ["Ada", "Bob"]
    assert [seat.name for seat in desk.state.seats] == ["Ada", "Bob"]


def test_tally_history_and_exports_know_no_other_name(desk: Desk) -> None:
    """The points written before it was given are Bob's too."""
    desk.new("scorepad", "Ada", "Player 2")
    assert desk.move(kind="points", seat=1, points=7).ok
    rename(desk.table, 1, name="Bob", sender="phone-s1-x")
    assert desk.move(kind="end").ok
    tally = desk.state.tally
    assert tally is not None
    assert [(player.name, player.total) for player in tally.players] == [("Ada", 0), ("Bob", 7)]
    assert desk.admin("end game").ok
    (play,) = history.plays(desk.journal)
    assert [player.name for player in play.tally.players] == ["Ada", "Bob"]
    assert "Bob" in history.to_csv([play])
    assert "Player 2" not in history.to_csv([play])
    assert history.record(desk.journal, play.id).options["names"] == ["Ada", "Bob"]


def test_a_name_outlives_the_core(tmp_path: Path) -> None:
    """It is on disk like a move, and what it is called in cannot be taken back by undo."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Ada", "Player 2")
    assert desk.move(kind="points", seat=0, points=2).ok
    assert desk.admin("name seat", seat=1, name="Bob").ok
    assert desk.request(undo=True).ok
    desk.journal.close()
    again = Desk(tmp_path)
    assert _names(again) == ["Ada", "Bob"]
    assert again.points() == [0, 0]


def test_a_tap_on_its_way_counts_although_somebody_sat_down_meanwhile(desk: Desk) -> None:
    """A name is no move: the question that was asked is still the same."""
    desk.new("scorepad", "Ada", "Player 2")
    ada, asked = desk.sit(0), desk.state.seq
    rename(desk.table, 1, name="Bob", sender="phone-s1-x")
    assert desk.request(ada, move={"kind": "points", "seat": 0, "points": 3}, seq=asked).ok
    assert not desk.request(ada, move={"kind": "points", "seat": 0, "points": 3}, seq=asked).ok


def test_a_game_put_away_and_the_next_set_up_offer_the_names_given_on_phones(desk: Desk) -> None:
    """What was asked once is kept."""
    desk.new("scorepad", "Ada", "Player 2")
    rename(desk.table, 1, name="Bob", sender="phone-s1-x")
    assert desk.move(kind="points", seat=0, points=2).ok
    assert desk.admin("end game").ok
    (kept,) = paused(desk.journal, desk.table.packs)
    assert [seat.name for seat in kept.seats] == ["Ada", "Bob"]
    assert [player.name for player in desk.state.lobby.last] == ["Ada", "Bob"]


def test_who_only_said_their_name_left_no_game_to_go_on_with(desk: Desk) -> None:
    """Nothing was played in it."""
    desk.new("scorepad", "Ada", "Player 2")
    rename(desk.table, 1, name="Bob", sender="phone-s1-x")
    assert desk.admin("end game").ok
    assert paused(desk.journal, desk.table.packs) == ()


def test_a_pack_that_cannot_tell_its_game_anew_plays_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The screens know the name; what the pack itself says stays as it was."""
    desk.new("scorepad", "Ada", "Player 2")

    def refuses(*arguments: object, **more: object) -> Session:
        raise ValueError("no")

    monkeypatch.setattr(Session, "resume", refuses)
    rename(desk.table, 1, name="Bob", sender="phone-s1-x")
    assert [seat.name for seat in desk.state.seats] == ["Ada", "Player 2"]
    assert desk.move(kind="points", seat=1, points=3).ok
    assert [seat.name for seat in desk.state.seats] == ["Ada", "Bob"]


def test_every_name_is_kept_as_the_journal_keeps_it(desk: Desk) -> None:
    """A tally reads back as it was written."""
    desk.new("scorepad", "Ada", "Player 2")
    rename(desk.table, 0, name="Élodie Łucja", sender="phone-s0-x")
    assert desk.move(kind="end").ok
    assert desk.admin("end game").ok
    last = desk.journal.games()[0][1]
    assert last is not None
    assert msgspec.convert(last.body["tally"], Tally).players[0].name == "Élodie Łucja"
