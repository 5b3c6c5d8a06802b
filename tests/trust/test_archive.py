"""Finished games are looked up beside the core: once each, one thing at a time, and not for who has gone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.door.join import Door, Joined, JoinRequest
from companion.door.seats import JoinRefused
from companion.journal.store import Journal
from companion.past.history import SHOWN, Figures, Finished, play_of, plays, sat, statistics
from companion.past.reader import AT_ONCE, PastReader
from companion.past.told import past
from tests.companion.desk import Desk
from tests.conftest import PATIENCE


def _finish(desk: Desk, *games: tuple[int, int]) -> None:
    for points in games:
        desk.new()
        assert desk.move(kind="score", values={"p0": points[0], "p1": points[1]}).ok
        assert desk.move(kind="end").ok
        assert desk.admin("end game").ok


class Reader:
    """An archive, and what it told."""

    def __init__(self, directory: Path) -> None:
        self.archive = PastReader(directory / "games")
        self.told: list[Any] = []
        self.made: list[str] = []
        """Threads that made an answer."""

    def ask(self, who: str = "phone", **more: Any) -> Any:
        """One question, until it is answered."""
        done: Future[Any] = Future()
        self.archive.ask(who, "count", self._count, done.set_result, **more)
        return done.result(PATIENCE)

    def _count(self, finished: Finished) -> int:
        self.made.append(threading.current_thread().name)
        return finished.count


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def reader(desk: Desk, tmp_path: Path) -> Iterator[Reader]:
    one = Reader(tmp_path)
    yield one
    one.archive.close()


def test_what_was_told_stays_told_until_a_game_ends(desk: Desk, reader: Reader) -> None:
    """Made in a thread of its own, once for everybody; moves in between change nothing, another finished game does."""
    _finish(desk, (7, 2))
    assert (reader.ask(), reader.ask("other")) == (1, 1)
    desk.new()
    assert desk.move(kind="score", values={"p0": 1, "p1": 1}).ok
    assert reader.ask() == 1
    assert len(reader.made) == 1
    assert reader.made[0].startswith("archive")
    _finish(desk, (1, 3))
    assert reader.ask() == 2
    assert len(reader.made) == 2


def test_nobody_asks_for_two_things_at_a_time(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second question is refused at once; another caller's waits for its turn."""
    reading, told = threading.Event(), list[Any]()
    monkeypatch.setattr(Finished, "read", lambda *_: reading.wait(PATIENCE))
    reader.archive.ask("greedy", "a", lambda finished: "first", told.append)
    reader.archive.ask("greedy", "a", lambda finished: "second", told.append)
    assert told == [None]
    reading.set()
    assert reader.ask("patient") == 0
    assert told == [None, "first"]


def test_nobody_asks_without_end(reader: Reader) -> None:
    """So many at once, then it has to wait; others do not."""
    assert [reader.ask("greedy") for _ in range(AT_ONCE + 2)] == [0] * AT_ONCE + [None] * 2
    assert reader.ask("other") == 0


def test_nothing_is_looked_up_for_who_has_gone(reader: Reader) -> None:
    """Given up before its turn came: nobody opens the journal for it."""
    assert reader.ask(given_up=lambda: True) is None
    assert reader.made == []


def test_a_journal_that_cannot_be_read_costs_only_this_answer(tmp_path: Path) -> None:
    """Not now; the core and its archive go on."""
    reader = Reader(tmp_path / "nowhere")
    assert reader.ask() is None
    Desk(tmp_path / "nowhere")
    assert reader.ask() == 0
    reader.archive.close()


def test_figures_grow_as_if_all_games_were_counted_anew(desk: Desk) -> None:
    """Game by game or all at once: the same figures, the newest first, and no more kept whole than are shown."""
    finished = Finished()
    for games in (((7, 2), (1, 3)), ((4, 4),), ()):
        _finish(desk, *games)
        assert finished.read(desk.journal) == bool(games)
    found = plays(desk.journal)
    assert finished.figures.told() == statistics(found)
    assert [play for play, _ in finished.newest] == found
    assert finished.count == 3 < SHOWN
    assert Figures().told() == statistics([])


@pytest.mark.parametrize(
    "seats", [[1, 2], [{"seat": "x"}], {"a": 1}, "abc", [{"seat": None}], [{"seat": 0, "colour": 5}]]
)
def test_a_first_row_that_names_nonsense_for_seats_costs_its_colours_alone(desk: Desk, seats: Any) -> None:
    """Finished games are told all the same, to screen, phones and hall."""
    _finish(desk, (7, 2))
    ((first, end),) = desk.journal.each_game()
    forged = msgspec.structs.replace(first, body=first.body | {"seats": seats})
    play = play_of(desk.journal, forged, end)
    assert play is not None
    finished = Finished()
    finished.newest = [(play, sat(forged))]
    (game,) = past(finished, {}).games
    assert [(player.total, player.colour) for player in game.players] == [(7, ""), (2, "")]


def test_a_game_put_away_counts_once_it_is_finished(desk: Desk) -> None:
    """It was looked at before and was not over then."""
    finished = Finished()
    desk.new()
    assert desk.move(kind="score", values={"p0": 7, "p1": 2}).ok
    game = desk.table.session.game if desk.table.session else ""
    assert desk.admin("end game").ok
    assert not finished.read(desk.journal)
    assert desk.admin("resume", game=game).ok
    assert desk.move(kind="end").ok
    assert desk.admin("end game").ok
    assert finished.read(desk.journal)
    assert [play.id for play, _ in finished.newest] == [game]


def test_a_phone_looks_back_while_the_core_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal takes as long as it likes: a move is answered meanwhile; who asks twice at a time is told to wait."""
    _finish(desk, (7, 2))
    desk.new()
    door, reading = Door(desk.table), threading.Event()
    read = Finished.read
    monkeypatch.setattr(Finished, "read", lambda *given: reading.wait(PATIENCE) and read(*given))
    joined: Future[Any] = Future()
    door.join(JoinRequest(code=desk.table.seats.code), "", "here", joined)
    desk.pump()
    me = joined.result(PATIENCE)
    assert isinstance(me, Joined)
    first, second, stranger = (Future[Any]() for _ in range(3))
    door.past(me.token, me.cookie, "here", first)
    door.past(me.token, me.cookie, "here", second)
    door.past("guess", me.cookie, "here", stranger)
    assert desk.move(kind="score", values={"p0": 1, "p1": 1}).ok
    assert not first.done()
    assert isinstance(second.result(0), JoinRefused) and isinstance(stranger.result(0), JoinRefused)
    reading.set()
    assert msgspec.json.decode(first.result(PATIENCE))["count"] == 1
    assert past(Finished(), {}).games == ()
    desk.table.archive.close()


def test_the_screen_is_told_when_games_cannot_be_looked_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Busy, try again: an answer all the same."""
    monkeypatch.setattr(Journal, "version", property(lambda journal: (_ for _ in ()).throw(OverflowError())))
    answer = desk.admin("history")
    assert not answer.ok
    assert answer.refusal is not None and answer.refusal.code == "join/later"
