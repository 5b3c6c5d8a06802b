"""One phone says too much: the screen and the other phones are served in turn, and the table's own line loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from companion.door.join import Door
from companion.machine.broker import admit
from companion.wire.bus import hang_up
from companion.wire.config import Config
from companion.wire.inbox import EACH, FLOOD
from companion.wire.messages import Answer, MoveRequest
from companion.wire.presence import Here
from companion.wire.room import connection
from companion.wire.topics import encode
from tests.companion.desk import Desk
from tests.conftest import PATIENCE, until


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A score pad for three whose core handles one message at a time."""
    made = Desk(tmp_path)
    made.new("scorepad", "Ada", "Ben", "Cy")
    made.pump()
    Door(made.table)
    monkeypatch.setattr("companion.wire.bus.LONGEST", -1.0)
    return made


def answered(desk: Desk) -> list[str]:
    """Ids of the requests that were answered, in that order."""
    while desk.display.pump():
        pass
    return [message.id for _, message in desk.heard if isinstance(message, Answer) and message.id.startswith("m-")]


def ask(desk: Desk, client: str, name: str) -> None:
    """A move somebody makes now."""
    desk.display.publish(f"move/{client}", MoveRequest(id=f"m-{name}", move={"kind": "points", "seat": 0, "points": 1}))


def test_the_screen_waits_for_one_message_of_a_phone_not_for_all(desk: Desk) -> None:
    """Twenty thousand greetings came first. The core shows their sender out, then does what the screen asks, and before each
    of the two answers one greeting at the most."""
    phone = desk.sit(0)
    for number in range(20_000):
        desk.display.publish(f"here/{phone}", Here(line=str(number)))
    ask(desk, "display", "screen")
    for _ in range(4):
        desk.core.pump()
    assert answered(desk) == ["m-screen"]


def test_phones_are_heard_in_turn(desk: Desk) -> None:
    """Ben and Cy said one thing each after Ada's many: each of them waits for one of hers."""
    ada, ben, cy = (desk.sit(seat) for seat in range(3))
    for number in range(1000):
        ask(desk, ada, f"ada-{number}")
    ask(desk, ben, "ben")
    ask(desk, cy, "cy")
    handled = 0
    while desk.core.pump() and handled < 10:
        handled += 1
    assert answered(desk)[:4] == ["m-ada-0", "m-ben", "m-cy", "m-ada-1"]


def test_what_one_phone_leaves_waiting_is_bounded(desk: Desk) -> None:
    """A person's finger never comes to so much; the rest is lost, and the page would ask again."""
    ada = desk.sit(0)
    for number in range(FLOOD - 1):
        ask(desk, ada, f"ada-{number}")
    assert desk.core._inbox.qsize() == EACH


def test_a_phone_that_never_pauses_is_shown_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its user is withdrawn from the broker, its seat is free, the table is told; everybody else plays on."""
    gone: list[str] = []

    def control(commands: list[dict[str, Any]], done: Any) -> None:
        gone.extend(command["username"] for command in commands if command["command"] == "deleteClient")

    monkeypatch.setattr(desk.core, "control", control)
    ada, ben = desk.sit(0), desk.sit(1)
    for number in range(EACH + FLOOD):
        desk.display.publish(f"here/{ada}", Here(line=str(number)))
    assert [notice.id for notice in desk.state.notices] == ["flooded-0"]
    assert gone == [ada]
    assert [seat.phone for seat in desk.state.seats] == [False, True, False]
    assert desk.move(ada, kind="points", seat=0, points=5).refusal.code == "table/watching"  # type: ignore[union-attr]
    assert desk.move(ben, kind="points", seat=1, points=5).ok


def test_the_tables_own_line_loses_nothing_to_a_flood(broker: Config) -> None:
    """On the real broker: more than it keeps for anybody comes from one phone while the core is busy, then the screen speaks."""
    core, screen = connection(broker, "companion"), connection(broker, "display")
    heard: list[str] = []
    core.subscribe("move/+", lambda topic, request: heard.append(request.id))
    core.subscribe("here/+", lambda topic, here: None)
    screen.start()
    core.start()
    until(lambda: core.pump(0.02) >= 0 and core.connected and screen.connected, 10, "both lines")
    admitted: list[bool] = []
    core.control(admit(broker.table.id, "phone-s0-hose", 0, "word"), lambda: admitted.append(True))
    until(lambda: core.pump(0.02) >= 0 and admitted, 10, "a phone")
    hose = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="phone-s0-hose")
    hose.max_inflight_messages_set(10_000)
    hose.username_pw_set("phone-s0-hose", "word")
    hose.connect("127.0.0.1", broker.broker.port)
    hose.loop_start()
    until(hose.is_connected, 10, "its line")
    said = [
        hose.publish(f"tableside/{broker.table.id}/here/phone-s0-hose", encode(Here(line=str(number))), 1)
        for number in range(6000)
    ]
    until(said[-1].is_published, 60, "the broker has taken it all")
    for number in range(20):
        screen.publish("move/display", MoveRequest(id=f"m{number}"))
    assert screen.delivered(PATIENCE)
    until(lambda: core.pump(0.02) >= 0 and len(heard) == 20, 20, "the screen's moves")
    assert heard == [f"m{number}" for number in range(20)]
    hang_up(hose)
    screen.stop()
    core.stop()
