"""What the hall keeps, in a real PostgreSQL: once, with a trail, and everything can be undone."""

from __future__ import annotations

import random
from itertools import permutations

import msgspec
import psycopg
import pytest

from companion.wire.hall import Call, HallMessage, PlayerResult, Result
from hall import database
from hall.database import Database, TooManyError
from hall.event import Entrant, Event
from hall.store import ChangedMeanwhileError, NotKeptError, StoreAwayError


def result(game_id: str = "g-1", seq: int = 9, points: float = 7, *, stands: bool = True) -> Result:
    players = (PlayerResult(seat=0, name="Ada", points=points, won=True), PlayerResult(seat=1, name="Łucja", points=3))
    return Result(game="yacht", game_id=game_id, seq=seq, began=100.0, ended=200.0, players=players, stands=stands)


def test_a_result_is_kept_once_whatever_is_repeated_late_or_out_of_order(store: Database) -> None:
    """Every order of a first word, a taking back and a second end, each said twice, ends the same."""
    words = [result(seq=9, points=7), result(seq=10, stands=False), result(seq=12, points=8)]
    for number, order in enumerate(permutations(words)):
        game = f"g-{number}"
        for word in [msgspec.structs.replace(word, game_id=game) for word in order] * 2:
            store.record("t-1", [word])
    held = store.results()
    assert len(held) == 6
    assert {one.result.players[0].points for one in held} == {8}


def test_a_result_taken_back_is_none(store: Database) -> None:
    store.record("t-1", [result(seq=9)])
    store.record("t-1", [result(seq=10, stands=False)])
    assert store.results() == []


def test_two_halls_that_start_and_store_at_once_keep_it_once(store: Database, dsn: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def work(seed: int) -> str:
        other = Database(dsn)
        games = [f"g-{number}" for number in range(20)]
        random.Random(seed).shuffle(games)
        for game in games:
            other.record("t-1", [result(game)])
        found = other.hall_id()
        other.close()
        return found

    with ThreadPoolExecutor(4) as crowd:
        ids = set(crowd.map(work, range(4)))
    assert ids == {store.hall_id()}
    assert len(store.results()) == 20


def test_the_organisers_word_holds_over_what_the_table_says_later(store: Database) -> None:
    store.record("t-1", [result()])
    act = store.correct("t-1", "g-1", result(points=99), "Olga", "Ada had 99")
    store.record("t-1", [result(seq=20, points=1)])
    assert [(one.result.players[0].points, one.corrected) for one in store.results()] == [(99, True)]
    assert [(one.who, one.what) for one in store.trail()] == [("Olga", "Ada had 99")]
    undone = store.undo(act, "Olga")
    assert [(one.result.players[0].points, one.corrected) for one in store.results()] == [(1, False)]
    store.undo(undone, "Olga")
    assert store.results()[0].result.players[0].points == 99
    with pytest.raises(KeyError):
        store.correct("t-1", "no-such-game", result(), "Olga", "")


def test_an_event_is_changed_undone_and_never_overwritten_unseen(store: Database) -> None:
    event = Event(id="friday", name="Friday", game="yacht")
    store.save_event(event, 0, "Olga", "new")
    more = msgspec.structs.replace(event, entrants=(Entrant(name="Ada"),))
    act = store.save_event(more, 1, "Olga", "Ada comes")
    with pytest.raises(ChangedMeanwhileError):
        store.save_event(event, 1, "Piotr", "from an old page")
    with pytest.raises(ChangedMeanwhileError):
        store.save_event(event, 0, "Piotr", "another of the same name")
    store.undo(act, "Olga")
    assert [event for event, _ in store.events()] == [event]
    with pytest.raises(ChangedMeanwhileError):
        store.undo(act, "Olga")


def test_a_call_that_is_undone_is_taken_back_in_words(store: Database) -> None:
    act = store.say({"hall/t-1/call": Call(kind="come"), "hall/all/message": HallMessage(text="Pause")}, "Olga", "call")
    assert msgspec.json.decode(store.sayings()["hall/t-1/call"], type=Call).kind == "come"
    store.undo(act, "Olga")
    said = store.sayings()
    assert msgspec.json.decode(said["hall/t-1/call"], type=Call).kind == "none"
    assert msgspec.json.decode(said["hall/all/message"], type=HallMessage).text == ""


def test_a_table_that_tells_without_end_is_not_listened_to(store: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "AT_ONCE", 3)
    for number in range(3):
        store.record("t-1", [result(f"g-{number}")])
    with pytest.raises(TooManyError):
        store.record("t-1", [result("g-3")])
    store.record("t-2", [result("g-3")])


def test_names_with_anything_in_them_are_kept(store: Database) -> None:
    odd = 'Robert"; DROP TABLE results; --\x00\\ 🦉'
    event = Event(id="odd", name=odd, game="yacht")
    store.save_event(event, 0, odd.replace("\x00", ""), "new")
    assert store.events()[0][0].name == odd.replace("\x00", "")


def test_what_cannot_be_kept_is_said_and_the_next_is_kept(store: Database) -> None:
    """A name of a backslash and `u0000` is a name; a number too large for its column stops nobody else."""
    odd = msgspec.structs.replace(result(), players=(PlayerResult(seat=0, name="\\u0000 \\\\u0000\x00!", points=1),))
    store.record("t-1", [odd])
    assert store.results()[0].result.players[0].name == "\\u0000 \\\\u0000!"
    with pytest.raises(NotKeptError):
        store.record("t-2", [msgspec.structs.replace(result("g-2"), seq=2**31)])
    store.record("t-2", [result("g-3")])
    assert len(store.results()) == 2


def test_what_a_table_repeats_with_other_figures_is_what_it_said_first(store: Database) -> None:
    """An old result said again with changed points is the same word; only a later row of the same game is another."""
    store.record("t-1", [result(seq=9, points=7)])
    store.record("t-1", [result(seq=9, points=900)])
    store.record("t-1", [result(seq=8, points=901)])
    assert [one.result.players[0].points for one in store.results()] == [7]


def test_a_database_that_went_away_is_found_again(store: Database, dsn: str) -> None:
    store.record("t-1", [result()])
    with psycopg.connect(dsn, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    with pytest.raises(StoreAwayError):
        store.record("t-1", [result("g-2")])
    store.record("t-1", [result("g-2")])
    assert len(store.results()) == 2
    with pytest.raises(StoreAwayError):
        Database("host=/nowhere dbname=x").hall_id()


def test_a_table_is_invited_and_revoked_by_itself(store: Database) -> None:
    store.invite("t-1", "hash-1")
    store.invite("t-2", "hash-2")
    store.invite("t-1", "hash-3")
    assert store.revoke("t-2")
    assert not store.revoke("t-2")
    assert not store.revoke("nobody")
    assert store.invited() == {"t-1": "hash-3"}
