"""Crowds: watchers who come and go cost nobody else anything, and not the table for ever."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from companion.door import join as doors
from companion.door import pace
from companion.door import seats as chairs
from companion.door.join import Door, JoinRequest
from companion.door.seats import JoinRefused
from companion.journal.store import JournalUnusableError
from companion.machine.broker import configuration
from companion.virtual.seat import Voice
from companion.wire.bus import MqttBus
from companion.wire.config import Config
from companion.wire.messages import State
from companion.wire.presence import Here
from tests.companion.desk import Desk
from tests.conftest import PATIENCE


def _join(door: Door, desk: Desk, **fields: Any) -> Any:
    answer: Future[Any] = Future()
    code = desk.table.seats.code
    door.join(JoinRequest(code=fields.pop("code", code), **fields), "", fields.pop("address", "here"), answer)
    desk.pump()
    return answer.result(timeout=PATIENCE)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.new()
    return made


def test_who_comes_to_watch_is_no_news_to_the_others(desk: Desk) -> None:
    """Two hundred watchers would otherwise mean two hundred times two hundred messages."""
    door = Door(desk.table)
    desk.pump()
    before = len([m for _, m in desk.heard if isinstance(m, State)])
    for _ in range(20):
        assert _join(door, desk).role == "spectator"
    assert len([m for _, m in desk.heard if isinstance(m, State)]) == before
    _join(door, desk, seat=1, name="Zofia")
    assert desk.state.seats[1].phone


def test_watchers_are_forgotten_in_the_order_they_came(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says goodbye when closing a browser: there is an end to what is kept; seats are never touched."""
    monkeypatch.setattr(chairs, "WATCHERS", 5)
    door = Door(desk.table)
    sent: list[dict[str, Any]] = []
    control = desk.core.control
    monkeypatch.setattr(desk.core, "control", lambda commands, done: (sent.extend(commands), control(commands, done)))
    seated = _join(door, desk, seat=0, name="Ada")
    came = [_join(door, desk).client for _ in range(9)]
    phones = desk.table.seats.phones
    assert seated.client in phones
    assert [client for client in phones if client != seated.client] == came[4:]
    dismissed = [c["username"] for c in sent if c["command"] == "deleteClient"]
    assert dismissed == came[:4]


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Everybody comes at the same moment, however long a busy machine takes over them, and waits here for their turn."""
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(doors, "later", lambda bus, seconds, work: waiting.append(work))
    return waiting


def test_a_crowd_comes_in_at_the_pace_the_broker_bears(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, turns: list[Callable[[], None]]
) -> None:
    """Some at once, the others in turn, and who would wait too long is told to come later; whoever plays walks past them all."""
    monkeypatch.setattr(doors, "WATCH_AT_ONCE", 3)
    monkeypatch.setattr(doors, "WATCH_LATER", 0.35)
    door = Door(desk.table)
    answers: list[Future[Any]] = [Future() for _ in range(12)]
    for answer in answers:
        door.join(JoinRequest(code=desk.table.seats.code), "", "here", answer)
    desk.pump()
    assert [answer.done() for answer in answers] == [True] * 3 + [False] * 3 + [True] * 6
    assert {answer.result().status for answer in answers[6:]} == {503}
    assert _join(door, desk, seat=0, name="Ada").seat == 0
    answers.insert(6, Future())
    door.join(JoinRequest(code=desk.table.seats.code), "", "elsewhere", answers[6])
    for turn in turns:
        turn()
    desk.pump()
    assert [answer.result().role for answer in answers[:7]] == ["spectator"] * 7, "elsewhere nobody waits for them"
    assert len(desk.table.seats.phones) == 8, "nobody who was sent away is kept"


def test_who_stops_waiting_to_watch_is_not_let_in(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, turns: list[Callable[[], None]]
) -> None:
    """The broker makes no user for somebody who has gone."""
    monkeypatch.setattr(doors, "WATCH_AT_ONCE", 1)
    door = Door(desk.table)
    _join(door, desk)
    gone: Future[Any] = Future()
    door.join(JoinRequest(code=desk.table.seats.code), "", "here", gone)
    assert len(desk.table.seats.phones) == 2
    gone.cancel()
    (turn,) = turns
    turn()
    assert len(desk.table.seats.phones) == 1


def test_a_watcher_who_comes_back_too_late_keeps_their_key(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told to try later in a crowd; the key they have still opens."""
    monkeypatch.setattr(doors, "WATCH_AT_ONCE", 1)
    monkeypatch.setattr(doors, "WATCH_LATER", 0.0)
    clock = SimpleNamespace(now=1000.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(pace, "time", clock)
    door = Door(desk.table)
    me = _join(door, desk)

    def back() -> Any:
        answer: Future[Any] = Future()
        door.join(JoinRequest(token=me.token), me.cookie, "here", answer)
        desk.pump()
        return answer.result(timeout=PATIENCE)

    assert back().status == 503
    clock.now += 1
    assert back().role == "spectator"


def test_a_phone_that_joins_on_a_full_disk_is_told_to_come_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The core neither ends nor gives a seat away that a restart would not know of."""
    door = Door(desk.table)

    def full(*args: Any, **more: Any) -> None:
        raise JournalUnusableError("full")

    monkeypatch.setattr(desk.journal, "append", full)
    refused = _join(door, desk, seat=0, name="Ada")
    assert isinstance(refused, JoinRefused)
    assert refused.status == 503
    assert desk.table.seats.at(0) is None


def test_a_sleeping_phone_costs_the_broker_little(tmp_path: Path) -> None:
    """Copies of messages waiting for a phone that does not read are few."""
    text = configuration(Config(state_dir=tmp_path), tmp_path, "plugin.so")
    limit = int(text.split("max_inflight_messages ")[1].split()[0])
    assert 20 <= limit <= 100


def test_who_watched_leaves_as_unseen_as_they_came(desk: Desk) -> None:
    """A stadium that empties is no news either; a seat that becomes free is."""
    door = Door(desk.table)
    watcher, player = _join(door, desk), _join(door, desk, seat=1, name="Zofia")
    before = len([m for _, m in desk.heard if isinstance(m, State)])

    def leave(who: Any) -> int:
        answer: Future[Any] = Future()
        door.leave(who.token, who.cookie, "here", answer)
        desk.pump()
        assert answer.result(timeout=PATIENCE) == b"{}"
        return len([m for _, m in desk.heard if isinstance(m, State)]) - before

    assert leave(watcher) == 0
    assert leave(player) == 1
    assert not desk.table.seats.phones


def test_phones_of_earlier_games_are_not_taken_for_present(desk: Desk) -> None:
    """Whoever is shown out at the end of a game says no goodbye; the door forgets them all the same."""
    door = Door(desk.table)
    for number in range(5):
        desk.new("scorepad", f"Ada {number}", "Ben")
        phone = _join(door, desk, seat=0, name=f"Ada {number}")
        desk.display.publish(f"here/{phone.client}", Here(line="one"))
        desk.pump()
        desk.admin("end game")
    assert list(door.presence.heard) == [phone.client]


def test_addresses_that_guessed_once_are_forgotten(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A year at a convention meets many phones; who still guesses is still slowed down."""
    now = [1000.0]
    monkeypatch.setattr(chairs.time, "monotonic", lambda: now[0])
    seats = desk.table.seats
    for number in range(3 * chairs.ADDRESSES):
        seats.failed(f"phone {number}")
        now[0] += 1.0
    for _ in range(3 * chairs.TRIES):
        seats.failed("guesser")
    assert len(seats._failures) <= chairs.ADDRESSES
    assert sum(map(len, seats._failures.values())) <= len(seats._failures) + chairs.TRIES
    with pytest.raises(JoinRefused) as told:
        seats.again("wrong.key", "guesser")
    assert told.value.status == 429


def test_the_host_of_a_second_game_is_not_taken_for_the_first(desk: Desk) -> None:
    """Requests are known by name, beyond the end of a game: a new voice gives its requests names of its own."""
    move = {"kind": "points", "seat": 0, "points": 3}
    for game in range(2):
        desk.new()
        bus: Any = desk.broker.bus("host")
        voice = Voice(bus, "host", "touch")
        names = [voice.move(move), voice.move(move)]
        desk.pump()
        bus.pump()
        assert [voice.answers[name].ok for name in names] == [True, True]
        assert desk.points() == [6, 0], game
        desk.admin("end game")
        bus.stop()


def test_a_thousand_users_are_changed_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker's plugin writes its file after every command: between two messages it serves everybody else."""
    bus = MqttBus(table="t", user="companion", password="x", controls=True)
    sent: list[list[dict[str, Any]]] = []
    publish = lambda topic, payload, qos: sent.append(msgspec.json.decode(payload)["commands"])  # noqa: E731
    monkeypatch.setattr(bus._client, "publish", publish)
    done: list[bool] = []
    commands = [{"command": "deleteClient", "username": f"phone {number}"} for number in range(1000)]
    bus.control(commands, lambda: done.append(True))
    while not done:
        assert len(sent[-1]) <= 20
        before = len(sent)
        answer = {"responses": [{"correlationData": one["correlationData"]} for one in sent[-1]]}
        bus._controlled(msgspec.json.encode(answer))
        assert len(sent) == before + 1 or done
    assert [one["username"] for message in sent for one in message] == [one["username"] for one in commands]
    assert not bus._waiting
