"""Home Assistant at the hall's broker: devices it can read, nothing it can touch, no ghosts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

from companion.game import Text
from companion.wire.messages import Message
from companion.wire.process import hold
from hall.board import Shown
from hall.home import USER, Home, config_topic, described, happened
from tests.conftest import until
from tests.hall.house import House, Stranger
from tests.hall.lively import a_score, camera_away, here, said


class Kept:
    """What a broker keeps of it."""

    def __init__(self) -> None:
        self.said: dict[str, bytes] = {}
        self.events: list[dict[str, Any]] = []

    def __call__(self, topic: str, payload: bytes, kept: bool) -> None:
        if not kept:
            self.events.append(json.loads(payload))
        elif payload:
            self.said[topic] = payload
        else:
            self.said.pop(topic, None)


def test_a_description_has_what_home_assistant_asks_for() -> None:
    made = described("table-1", Shown(title="By the window"), 4)
    assert made["origin"]["name"] == "Tableside"
    assert made["device"]["identifiers"] == ["tableside_table_1"]
    for name, entity in made["components"].items():
        assert entity["default_entity_id"] == f"{entity['platform']}.tableside_table_1_{name}"
        assert "object_id" not in entity and "command_topic" not in entity
        assert entity["state_topic"].startswith("home/table-1/")
    assert len({entity["unique_id"] for entity in made["components"].values()}) == len(made["components"])


def test_every_change_is_told_and_every_turn_is_an_event() -> None:
    kept = Kept()
    home = Home(kept)
    home.hear(here(1))
    home.hear(said(1, 1))
    state = json.loads(kept.said["home/table-1/state"])
    assert state["running"] and state["turn"]["name"] == a_score(1).seats[1].name and state["turn"]["hex"] == "#1FA07F"
    home.hear(said(1, 2))
    home.hear(camera_away(1))
    assert [event["event_type"] for event in kept.events] == ["started", "round", "help"]
    assert json.loads(kept.said["home/table-1/state"])["help"] == "camera away"
    assert kept.said["home/table-1/available"] == b"online"


def test_a_table_that_is_gone_leaves_nothing() -> None:
    kept = Kept()
    home = Home(kept)
    home.hear(here(1))
    home.hear(said(1))
    home.forget("table-1")
    assert kept.said == {}
    home.born()
    assert kept.said == {}


def test_where_it_is_switched_off_what_was_described_is_taken_away() -> None:
    kept = Kept()
    kept.said[config_topic("table-1")] = b"{}"
    Home(kept).clear(said(1))
    assert kept.said == {}


def test_nothing_is_an_event_before_a_table_is_known() -> None:
    assert happened(None, Shown(phase="playing")) == ""
    assert happened(Shown(phase="lobby"), Shown(phase="playing")) == "started"
    assert happened(Shown(help=(Text("x"),)), Shown()) == "well"


@pytest.fixture
def house(dsn: str) -> Iterator[House]:
    with TemporaryDirectory(prefix="tableside-test-") as folder, ExitStack() as held:
        ports = tuple(held.enter_context(hold()).getsockname()[1] for _ in range(3))
        made = House(Path(folder) / "hall", dsn, (ports[0], ports[1], ports[2]))
        settings = made.folder / "hall.toml"
        settings.write_text(settings.read_text() + "home_assistant = true\n")
        try:
            yield made.start()
        finally:
            made.stop()


def encoded(message: Message) -> bytes:
    return msgspec.json.encode(message)


def test_over_a_real_broker(house: House) -> None:
    """Described, told again when it starts, and gone when the table is revoked; it can change nothing."""
    key = house.invite("table-1").key
    home = house.invite(USER).key
    table = house.stranger("table-1", key)
    table.say("tables/table-1/here", b"1", retain=True)
    table.say("tables/table-1/score", encoded(a_score(1)), retain=True)
    assistant = house.stranger(USER, home).hear("homeassistant/#", "home/#")
    topic = config_topic("table-1")
    until(lambda: assistant.last(topic) and assistant.last("home/table-1/state"), 20, "the device")
    assert json.loads(assistant.last(topic) or b"")["origin"]

    told = times(assistant, topic)
    assistant.say("homeassistant/status", b"online", retain=False)
    until(lambda: times(assistant, topic) > told, 10, "everything again after its birth")

    touched(assistant, house)
    house.store.revoke("table-1")
    until(lambda: assistant.last(topic) == b"", 20, "the device is gone")
    late = house.stranger(USER, home).hear("homeassistant/#", "home/#")
    assistant.say("homeassistant/status", b"mark", retain=False)
    until(lambda: late.last("homeassistant/status"), 10, "the line is open")
    assert [one for one, _ in late.heard if "table" in one] == [], "nothing is kept of it"


def times(ear: Stranger, topic: str) -> int:
    return sum(heard == topic for heard, _ in ear.heard)


def touched(assistant: Stranger, house: House) -> None:
    """What it says elsewhere nobody hears."""
    ear = house.ear("tables/#", "home/#", "homeassistant/#")
    for topic in ("tables/table-1/score", "home/table-1/state", config_topic("table-1"), "hall/all/message"):
        assistant.say(topic, b"hostile", retain=True)
    assistant.say("homeassistant/status", b"mark", retain=False)
    until(lambda: ear.last("homeassistant/status") == b"mark", 10, "the mark")
    assert not [one for one, words in ear.heard if words == b"hostile"]
