"""A game that cannot go on is put away and loses nothing; what is said about a position is worked out once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.core.guard import Guarded, PackFailedError
from companion.core.moment import moment
from companion.core.session import Session
from companion.core.watch import Watch
from companion.wire.messages import Answer
from tests.companion import toy
from tests.companion.desk import Desk, a_die, a_market
from tests.companion.troubles import Fault, trouble


def refused(answer: Answer) -> str:
    assert answer.refusal is not None, answer
    return answer.refusal.code


def rows(desk: Desk) -> list[str]:
    """The kinds of rows of the newest game."""
    game = desk.journal.games()[0][0].game
    return [row.body.get("kind", row.kind) for row in desk.journal.rows(game)]


@pytest.fixture
def poisoned(fault: Fault, in_memory: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Written by an older table: the third move leads where the pack cannot say what may be seen."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    for face in (4, 1):
        assert desk.move(kind="put", seat=0, face=face).ok
    assert desk.table.session is not None
    for face in (6, 2):
        desk.journal.append(desk.table.session.game, "move", {"kind": "put", "seat": 0, "face": face}, sender="display")
    desk.journal.close()
    sound = trouble.pack.view
    monkeypatch.setattr(
        trouble.pack, "view", lambda s, seat: trouble.Shown() if s.points[0] < 11 else sound(5, seat), raising=False
    )
    return Desk(in_memory)


def test_a_poisoned_game_is_put_away_with_its_journal_whole(poisoned: Desk) -> None:
    """Every later start finds it at rest: there is no loop."""
    assert poisoned.state.phase == "lobby"
    assert [notice.id for notice in poisoned.state.notices] == ["put-away"]
    assert rows(poisoned) == ["new", "deal", "put", "put", "put", "put", "end"]
    poisoned.journal.close()
    again = Desk(poisoned.directory)
    assert (again.state.phase, again.state.notices) == ("lobby", ())
    assert [one.game for one in again.state.lobby.paused] == ["trouble"]


def test_people_who_take_it_up_again_get_the_last_good_position(poisoned: Desk) -> None:
    """They are told how many moves are left out, and what they play then counts at every later start."""
    game = poisoned.state.lobby.paused[0].id
    assert poisoned.admin("resume", game=game).ok
    session = poisoned.table.session
    assert session is not None
    assert session.state.points == (5, 0)
    notices = {notice.id: notice for notice in poisoned.state.notices}
    assert notices["left-out"].text.params["n"] == 2
    assert poisoned.request(id="later", move={"kind": "put", "seat": 1, "face": 3}).ok
    poisoned.journal.close()
    again = Desk(poisoned.directory)
    assert again.table.session is not None
    assert again.table.session.state.points == (5, 3)


def test_a_mended_version_takes_it_up_whole(poisoned: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was left out for good as long as nobody played on without it."""
    game = poisoned.state.lobby.paused[0].id
    monkeypatch.delattr(trouble.pack, "view")
    assert poisoned.admin("resume", game=game).ok
    assert poisoned.points() == [13, 0]
    assert poisoned.table.session is not None
    assert poisoned.table.session.left_out == 0


def test_a_game_that_never_begins_again_cannot_be_taken_up(fault: Fault, in_memory: Path) -> None:
    """The game on the table stays there: it is not put away for one that fails."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    assert desk.move(kind="put", seat=0, face=4).ok
    away = desk.state.game_id
    assert desk.admin("end game").ok
    desk.new("scorepad")
    fault.set("new", "error")
    assert refused(desk.admin("resume", game=away)) == "table/pack-failed"
    assert desk.state.game == "scorepad"
    assert desk.move(kind="points", seat=0, points=2).ok


def test_a_game_whose_pack_is_gone_waits_for_it(fault: Fault, in_memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is put away, not left open behind every other game."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    assert desk.move(kind="put", seat=0, face=4).ok
    desk.journal.close()
    monkeypatch.undo()
    gone = Desk(in_memory)
    assert [notice.text.params["why"].key for notice in gone.state.notices] == ["pack/missing"]
    assert gone.state.lobby.paused == ()
    assert rows(gone)[-1] == "end"


def test_who_sits_where_is_no_game_and_stays(fault: Fault, in_memory: Path) -> None:
    """The phones' own rows are open as long as the evening is; a start leaves them as they are."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    phone = desk.sit(1)
    desk.journal.close()
    fault.set("new", "error")
    again = Desk(in_memory)
    assert again.table.session is None
    assert list(again.table.seats.phones) == [phone]
    again.journal.close()
    assert list(Desk(in_memory).table.seats.phones) == [phone]


def test_a_game_without_a_tally_can_be_put_away(fault: Fault, in_memory: Path) -> None:
    """The row that closes it says so, and it can be taken up again."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    assert desk.move(kind="put", seat=0, face=4).ok
    fault.set("tally", "error")
    assert refused(desk.move(kind="end")) == "table/pack-failed"
    assert desk.admin("end game").ok
    (_, end), *_ = desk.journal.games()
    assert end is not None
    assert {name: end.body[name] for name in ("tally", "over", "chart")} == {"tally": {}, "over": False, "chart": []}


def test_a_pack_that_deals_without_end_is_stopped(
    fault: Fault, in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is one that refuses the deal it asked for; nothing of it stays open."""
    desk = Desk(in_memory)
    owed = {"move": {"kind": "put", "face": 1}, "shuffle": {}}
    for more in ({}, {"kind": "nothing"}):
        request = {**owed, "move": owed["move"] | more}
        monkeypatch.setattr(trouble.pack, "deal", lambda state, request=request: request, raising=False)
        begun = desk.admin("new game", game="trouble", seats=[{"name": "Ada"}])
        assert refused(begun) == "table/pack-failed"
        assert rows(desk)[-1] == "end"
        assert desk.state.phase == "lobby"


def test_a_move_that_cannot_be_read_back_is_not_written_down(
    fault: Fault, in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the next start it would take every move after it along."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    monkeypatch.setattr(trouble.pack, "encode", lambda move: {"kind": "unheard of"}, raising=False)
    assert refused(desk.move(kind="put", seat=0, face=4)) == "table/pack-failed"
    assert rows(desk) == ["new", "deal"]


def test_a_pack_that_cannot_explain_a_reading_is_asked_once(fault: Fault, in_memory: Path) -> None:
    """People go on by touch; the next position is looked at again."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    fault.set("identify", "error")
    assert desk.move(kind="put", seat=0, face=4).ok
    fault.set("moves", "error")
    asked = Counter[str]()
    searching = trouble.pack.moves
    trouble.pack.moves = lambda state: asked.update(["moves"]) or searching(state)
    try:
        for ts in (1.0, 2.0, 3.0):
            desk.display.publish("sensor/market", a_market(a_die("sun", 5), ts=ts))
            desk.pump()
    finally:
        del trouble.pack.moves
    assert asked["moves"] == 1
    assert [notice.id for notice in desk.state.notices] == ["puzzled"]
    fault.clear()
    assert desk.move(kind="put", seat=0, face=3).ok


def test_everything_about_a_position_is_asked_once(toys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """One committed move, two phones at the table: each function of the pack is called once, `view` once for everybody's eyes."""
    toys.new("toy")
    toys.sit(0)
    toys.sit(1)
    asked = Counter[str]()
    for name in ("play", "ask", "expect", "over", "view", "tally"):
        sound = getattr(toy.pack, name)
        counting: Any = lambda *given, name=name, sound=sound: asked.update([name]) or sound(*given)  # noqa: E731
        monkeypatch.setattr(toy.pack, name, counting, raising=False)
    assert toys.move(kind="place", seat=0, face=4).ok
    assert asked == {"play": 1, "ask": 1, "expect": 1, "over": 1, "view": 3}


def test_seats_nobody_has_are_nonsense() -> None:
    """Neither a decision nor a victory belongs to them."""
    state = toy.pack.new({"names": ["A", "B"]}, {})
    with pytest.raises(PackFailedError, match="seat 0 of 0"):
        moment(toy.guarded, state, 0)
    with pytest.raises(PackFailedError, match="a tally of other players"):
        moment(toy.guarded, toy.State(("A", "B", "C"), points=(1, 2, 3), ended=True), 2)


def test_a_slow_pack_is_not_waited_for_row_by_row(on_watch: Watch, fault: Fault, in_memory: Path) -> None:
    """A game that hangs as soon as anything is said about it is not walked back move by move."""
    desk = Desk(in_memory)
    desk.new("trouble", "Ada", "Ben")
    for face in (1, 2, 3, 4):
        assert desk.move(kind="put", seat=0, face=face).ok
    assert desk.table.session is not None
    fault.set("view", "hang")
    with pytest.raises(PackFailedError, match=r"slow \(in view\)"):
        Session.resume(desk.journal, desk.table.session.game, as_far_as_it_goes=True)
    assert isinstance(desk.table.session.pack, Guarded)
