"""A stolen key that says all it can: the others are heard, the organiser is told once, and the flood ends."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from benches.hall import Screen
from benches.hall_phones import packet, text
from companion.virtual.own_table import end
from companion.wire.hall import PlayerResult, Result, SeatScore, TableScore
from companion.wire.mosquitto import answers
from companion.wire.process import hold
from hall import brokers
from hall.brokers import hashed
from hall.database import Database
from hall.floods import A_SECOND, AT_ONCE, Floods
from hall.home import USER
from hall.service import BIRTH_WEIGHS
from hall.settings import Settings
from hall.store import ChangedMeanwhileError
from tests.conftest import PATIENCE, until
from tests.hall.house import House, Stranger, a_house


class Weighed:
    """A scale with a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.told: list[str] = []
        self.floods = Floods(self.told.append, lambda: self.now)

    def say(self, table: str, times: int) -> int:
        """How many of them are heard."""
        return sum(self.floods.hears(table) for _ in range(times))


def test_no_table_that_plays_says_too_much() -> None:
    """Thirty moves a second for an hour, and a hall that slept half a minute."""
    weighed = Weighed()
    for _ in range(3600):
        weighed.now += 1
        assert weighed.say("t-1", 30) == 30
    weighed.now += 30
    assert weighed.say("t-1", 900) == 900
    assert weighed.told == []


def test_who_floods_is_told_of_once_and_the_others_are_heard() -> None:
    weighed = Weighed()
    assert weighed.say("thief", 100_000) == AT_ONCE
    assert weighed.say("honest", 10) == 10
    weighed.now += 10
    assert weighed.say("thief", 100_000) == 10 * A_SECOND
    assert weighed.told == ["thief"]
    assert weighed.floods.forget("thief") and not weighed.floods.forget("honest")
    assert weighed.say("thief", 100_000) == AT_ONCE, "invited anew it may speak as anybody"
    assert weighed.told == ["thief", "thief"]


def test_a_birth_weighs_what_it_costs() -> None:
    """Each has every table told again."""
    weighed = Weighed()
    heard = sum(weighed.floods.hears(USER, BIRTH_WEIGHS) for _ in range(1000))
    assert heard == AT_ONCE // BIRTH_WEIGHS == 10


def test_sending_away_is_an_act_that_can_be_undone(store: Database) -> None:
    store.invite("t-1", "hash")
    act = store.send_away("t-1", "guard", "flood t-1")
    assert act is not None and store.invited() == {}
    assert store.send_away("t-1", "guard", "flood t-1") is None, "once, however many halls see it"
    store.undo(act, "organiser")
    assert store.invited() == {"t-1": "hash"}
    again = store.send_away("t-1", "guard", "flood t-1")
    assert again is not None
    store.invite("t-1", hashed("another"))
    with pytest.raises(ChangedMeanwhileError):
        store.undo(again, "organiser")
    assert [one.kind for one in store.trail()] == ["table"] * 3


@pytest.fixture
def house(dsn: str) -> Iterator[House]:
    with a_house(dsn) as found:
        yield found


def score(number: int) -> bytes:
    seats = (SeatScore(name="Ada", points=number),)
    told = TableScore(phase="playing", game="yacht", game_id="g", seq=number, round=number, seats=seats, ts=number)
    return msgspec.json.encode(told)


def flood(thief: Stranger, over: threading.Event) -> None:
    """As fast as it goes, another score each time."""
    number = 0
    while not over.is_set() and not thief.lost:
        number += 1
        thief.line.publish("tables/thief/score", score(number % 1000 + 1), 1, retain=True).wait_for_publish(5)


def test_a_flood_ends_and_nobody_else_is_lost(house: House) -> None:
    """The honest table's scores and results arrive while it lasts; then the thief is outside, and nothing of it is kept."""
    stolen, honest_key = house.invite("thief").key, house.invite("honest").key
    honest = house.stranger("honest", honest_key)
    honest.say("tables/honest/here", b"1")
    until(lambda: open_door(house.web_port), 20, "the page")
    screen = Screen(house.web_port)
    screen.start()
    until(lambda: "honest" in screen.tables, 20, "the honest table on the screen")
    thieves = [house.stranger("thief", stolen, broker=number) for number in (0, 0, 1, 1)]
    over = threading.Event()
    crowd = [threading.Thread(target=flood, args=(thief, over)) for thief in thieves]
    for one in crowd:
        one.start()
    try:
        honest.say("tables/honest/score", score(7))
        honest.say("tables/honest/result", a_result())
        until(lambda: ("honest", 7) in screen.seen, 20, "its score on the screen")
        until(lambda: any(held.table == "honest" for held in house.store.results()), 20, "its result")
        until(lambda: all(thief.lost for thief in thieves), 60, "the thief is sent away")
    finally:
        over.set()
        for one in crowd:
            one.join()
    assert [(act.who, act.what) for act in house.store.trail()] == [("guard", "flood thief")], "one line"
    assert set(house.store.invited()) == {"honest"} and honest.lost == []
    honest.say("tables/honest/score", score(8))
    until(lambda: ("honest", 8) in screen.seen, 20, "the next score on the screen")
    for broker in (0, 1):
        until(lambda broker=broker: nothing_kept(house, broker), 20, "nothing of the thief is kept")
    for stranger in (honest, *thieves):
        stranger.close()


def open_door(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def nothing_kept(house: House, broker: int) -> bool:
    ear = house.ear("tables/#", broker=broker)
    ear.say("tables/mark/here", b"0", retain=False)
    until(lambda: ear.last("tables/mark/here"), 10, "the mark")
    ear.close()
    return not any(topic.startswith("tables/thief/") for topic, _ in ear.heard)


def a_result() -> bytes:
    players = (PlayerResult(seat=0, name="Ada", points=7, won=True),)
    return msgspec.json.encode(Result(game="yacht", game_id="g", seq=9, began=1.0, ended=2.0, players=players))


def test_who_fills_a_brokers_memory_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key may subscribe to whatever it likes and hear nothing of it, but the broker has to remember that."""
    monkeypatch.setattr(brokers, "MEMORY", 15_000_000)
    with hold() as held:
        port = held.getsockname()[1]
        settings = Settings(host="127.0.0.1", ports=(port, port))
        brokers.write_passwords(tmp_path, {name: hashed(name) for name in ("thief", "honest")})
        broker = subprocess.Popen(brokers.prepare(settings, tmp_path, 0))
    try:
        until(lambda: answers("127.0.0.1", port, tls=True), 20, "the broker")
        honest = a_line(port, "honest")
        with a_line(port, "thief") as thief, pytest.raises(OSError):
            for number in range(1_000_000):
                topic = f"{number:08}/{'y' * 40}"
                thief.sendall(packet(0x82, b"\0\1" + text(topic) + b"\0"))
                if number % 100 == 0:
                    taken(thief)
        honest.sendall(packet(0xC0, b""))
        assert honest.recv(2) == packet(0xD0, b""), "the others do not notice"
        honest.close()
        assert broker.poll() is None
    finally:
        end(broker)


def a_line(port: int, name: str) -> ssl.SSLSocket:
    """Of bytes: a client that minds its manners would stop long before."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    line = context.wrap_socket(socket.create_connection(("127.0.0.1", port), PATIENCE))
    line.sendall(packet(0x10, text("MQTT") + b"\4\xc2\0\0" + text("") + text(name) + text(name)))
    assert line.recv(4) == b"\x20\2\0\0", "welcome"
    return line


def taken(line: ssl.SSLSocket) -> None:
    """Read what the broker answers, as much as is there."""
    line.settimeout(0.001)
    try:
        if not line.recv(65536):
            raise ConnectionResetError
    except TimeoutError:
        pass
    finally:
        line.settimeout(PATIENCE)
