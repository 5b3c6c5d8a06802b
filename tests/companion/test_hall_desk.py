"""What the table tells the hall: how it stands with every change, how a game ended until the hall has it on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.machine.bridge import IN, OUT, connections
from companion.machine.broker import BrokerFilesError
from companion.wire.config import Config, HallConfig
from companion.wire.hall import Call, HallHere, HallMessage, Pairing, Result, Stored, TableScore
from companion.wire.memory import MemoryBroker
from companion.wire.messages import State
from companion.wire.topics import TOPICS
from tests.companion.desk import Desk

HALL = HallConfig(name="t-1", key="A" * 16, addresses=("127.0.0.1:1", "127.0.0.1:2"))


class Hall:
    """The other end of the bridge."""

    def __init__(self, directory: Path) -> None:
        self.broker, self.directory = MemoryBroker(), directory
        self.bus = self.broker.bus("hall")
        self.heard: list[Any] = []
        for topic in ("score", "result"):
            self.bus.subscribe(topic, lambda _, message: self.heard.append(message))
        self.bus.start()
        self.desk = Desk(directory, self.broker, HALL)
        self.say("here", HallHere(hall="h-1"))

    def again(self) -> None:
        """The core is killed and comes back."""
        self.desk.core.drop()
        self.desk.journal.close()
        numbers = self.desk.numbers
        self.desk = Desk(self.directory, self.broker, HALL)
        self.desk.numbers = numbers  # what is asked of it now is not what was asked before

    def say(self, topic: str, message: Any) -> None:
        self.bus.publish(f"hall/{topic}", message)
        self.desk.pump()

    def last(self, kind: type[Any]) -> Any:
        self.desk.pump()
        self.bus.pump()
        return next((message for message in reversed(self.heard) if isinstance(message, kind)), None)

    def forget(self) -> None:
        self.last(Result)
        self.heard.clear()

    def store(self, result: Result, hall: str = "h-1") -> None:
        self.say("stored", Stored(hall=hall, game_id=result.game_id, seq=result.seq))


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def play(desk: Desk, points: int = 5) -> None:
    desk.new()
    assert desk.move(kind="points", seat=0, points=points).ok
    assert desk.move(kind="end").ok


def test_every_change_is_told_and_nothing_else(hall: Hall) -> None:
    hall.desk.new()
    hall.desk.move(kind="points", seat=1, points=7)
    score: TableScore = hall.last(TableScore)
    assert (score.game, [(seat.name, seat.points) for seat in score.seats], score.lead) == (
        "scorepad",
        [("Ada", 0), ("Ben", 7)],
        (1,),
    )
    hall.forget()
    hall.desk.table.publish(())
    assert hall.last(TableScore) is None, "nothing changed"


def test_a_score_is_at_most_a_thousand_bytes(hall: Hall) -> None:
    hall.desk.new("scorepad", *(f"{number}🦉" * 13 for number in range(8)))
    assert len(msgspec.json.encode(hall.last(TableScore))) <= 1000
    assert [seat.name[0] for seat in hall.last(TableScore).seats] == list("01234567")


def test_a_result_is_told_until_it_is_stored_then_the_next(hall: Hall) -> None:
    play(hall.desk)
    first: Result = hall.last(Result)
    assert [(player.name, player.points, player.won) for player in first.players] == [
        ("Ada", 5, True),
        ("Ben", 0, False),
    ]
    play(hall.desk)
    assert hall.last(Result) == first, "one at a time"
    hall.store(first)
    second: Result = hall.last(Result)
    assert second.game_id != first.game_id
    hall.store(second)
    assert "result" not in hall.broker.kept


@pytest.mark.parametrize("ended", [False, True])
def test_no_kill_loses_a_result(hall: Hall, ended: bool) -> None:
    """Over and not yet put away, or put away: what has no receipt is told by the next core."""
    play(hall.desk)
    told: Result = hall.last(Result)
    if ended:
        assert hall.desk.admin("end game").ok
    hall.forget()
    hall.again()
    again: Result = hall.last(Result)
    assert (again.game_id, again.seq, again.players) == (told.game_id, told.seq, told.players)
    hall.store(again)
    hall.forget()
    hall.again()
    assert hall.last(Result) is None, "it is stored"


def test_an_end_taken_back_is_taken_back_at_the_hall(hall: Hall) -> None:
    play(hall.desk)
    first: Result = hall.last(Result)
    hall.store(first)
    hall.again()
    assert hall.desk.request(undo=True, consent=True).ok
    back: Result = hall.last(Result)
    assert (back.game_id, back.stands) == (first.game_id, False)
    assert back.seq > first.seq
    hall.store(back)
    hall.forget()
    hall.desk.move(kind="points", seat=1, points=70)
    assert hall.last(Result) is None
    hall.desk.move(kind="end")
    assert [(player.points, player.won) for player in hall.last(Result).players] == [(5, False), (70, True)]


def test_another_hall_is_told_everything(hall: Hall) -> None:
    """One that was restored from yesterday's backup, for instance. A receipt from elsewhere is none."""
    play(hall.desk)
    first: Result = hall.last(Result)
    hall.store(first, "h-2")
    hall.forget()
    hall.again()
    assert hall.last(Result) is not None
    hall.store(first)
    hall.forget()
    hall.say("here", HallHere(hall="h-2"))
    assert hall.last(Result) == first


def test_games_before_the_table_joined_are_none_of_the_halls_business(tmp_path: Path) -> None:
    alone = Desk(tmp_path)
    play(alone)
    assert alone.admin("end game").ok
    alone.journal.close()
    assert not {"score", "result"} & set(alone.broker.kept), "it belongs to no hall"
    broker = MemoryBroker()
    Desk(tmp_path, broker, msgspec.structs.replace(HALL, since=2e9))
    assert "score" in broker.kept
    assert "result" not in broker.kept


def test_the_organisers_words_are_shown_until_they_are_taken_back(hall: Hall) -> None:
    def shown() -> dict[str, str]:
        state: State = hall.desk.state
        return {notice.id: notice.text.key for notice in state.notices}

    hall.desk.new()
    hall.say("call", Call(kind="come"))
    hall.say("message", HallMessage(text="Lunch"))
    hall.say("pairing", Pairing(event="Friday", round=2, players=("Ada", "Ben")))
    words = {"hall-call": "hall/call-come", "hall-message": "hall/message", "hall-pairing": "hall/pairing"}
    assert shown() == words
    hall.desk.admin("end game")
    assert shown() == words, "what the table puts away is not the organiser's word"
    hall.say("call", Call(kind="none"))
    hall.say("message", HallMessage())
    hall.say("pairing", Pairing())
    assert shown() == {}


# the bridge's lines --------------------------------------------------------------------------------------------


def config(tmp_path: Path, **more: Any) -> Config:
    return Config(state_dir=tmp_path, hall=msgspec.structs.replace(HALL, **more))


@pytest.fixture
def certificate(tmp_path: Path) -> str:
    path = tmp_path / "hall.pem"
    path.write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    return str(path)


def test_only_score_result_and_health_go_out_and_only_the_halls_words_come_in(tmp_path: Path, certificate: str) -> None:
    lines = [line.split() for line in connections(config(tmp_path, certificate=certificate)).splitlines()]
    topics = [line[1:] for line in lines if line[:1] == ["topic"]]
    assert {(topic, way) for topic, way, *_ in topics} == {(topic, "out") for topic in OUT} | {
        (topic.removeprefix("hall/"), "in") for topic in IN
    }
    assert all(line[3] == "tableside/table/" and line[4] == "tables/t-1/" for line in topics if line[1] == "out")
    assert {line[4] for line in topics if line[1] == "in"} == {"hall/t-1/", "hall/all/"}
    assert not {"#", "+"} & {part for line in topics for part in line}, "nothing is carried that is not named"
    assert [line[1] for line in lines if line[:1] == ["address"]] == list(HALL.addresses)
    out = [row for row in TOPICS if row.pattern in OUT]
    assert out and all(row.retained for row in out), "what goes out is said again after every silence"


def test_a_table_without_a_hall_or_its_certificate_has_no_bridge(tmp_path: Path, certificate: str) -> None:
    assert connections(Config(state_dir=tmp_path)) == ""
    assert connections(config(tmp_path, certificate=str(tmp_path / "gone"))) == ""
    assert connections(config(tmp_path, certificate=certificate, key="")) == ""


@pytest.mark.parametrize("field", ["name", "key", "addresses"])
def test_no_value_brings_a_line_of_its_own(tmp_path: Path, certificate: str, field: str) -> None:
    evil = "x\nplugin /tmp/evil.so"
    with pytest.raises(BrokerFilesError, match="more than one line"):
        connections(config(tmp_path, certificate=certificate, **{field: (evil,) if field == "addresses" else evil}))
