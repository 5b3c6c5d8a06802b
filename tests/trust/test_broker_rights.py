"""Rights on the broker: what a room's work needs and no more; phones subscribe with the table's words only."""

from __future__ import annotations

from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from companion.machine.broker import PHONES, admit
from companion.wire.bus import hang_up
from companion.wire.config import Config
from companion.wire.messages import Do, Lamp
from companion.wire.secrets import client_id, room_passwords, user_of
from tests.conftest import Client, until

BASE = "tableside/table/"


class Listener:
    """Raw paho, which says how the broker answered each filter it subscribed with."""

    def __init__(self, config: Config, user: str, password: str) -> None:
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client_id(config.table.id, user))
        self._client.username_pw_set(user, password)
        self._codes: list[Any] = []
        self._client.on_subscribe = lambda c, u, mid, codes, p: self._codes.append(codes)
        self._client.connect("127.0.0.1", config.broker.port)
        self._client.loop_start()
        until(self._client.is_connected, 10, f"{user} on line")

    def may_hear(self, topic_filter: str) -> bool:
        before = len(self._codes)
        self._client.subscribe(topic_filter, 1)
        until(lambda: len(self._codes) > before, 10, "an answer to the subscription")
        return not self._codes[-1][0].is_failure

    def close(self) -> None:
        hang_up(self._client)


@pytest.mark.parametrize("seat", [1, None])
def test_a_phone_subscribes_with_the_tables_own_words_only(broker: Config, seat: int | None) -> None:
    """A filter of 60 kB that fits `event/+` would be kept by the broker, and so would ten thousand of them."""
    core = Client.room(broker, "companion").start()
    done: list[bool] = []
    core.bus.control(admit("table", "phone-x", seat, "x"), lambda: done.append(True))
    core.until(lambda: done)
    phone = Listener(broker, "phone-x", "x")
    mine = ("answer/phone-x", "knock/phone-x", "seat/1/private") if seat is not None else ()
    assert all(phone.may_hear(BASE + topic) for topic in (*PHONES, *mine))
    for foreign in ("event/" + "x" * 60_000, "event/points", "health/+", "health/vision", "+", "#", "seat/0/private"):
        assert not phone.may_hear(BASE + foreign), foreign[:40]
    phone.close()
    core.bus.stop()


def test_the_core_gives_no_orders_to_rooms_and_hears_no_answers_of_theirs(broker: Config) -> None:
    """Whoever took the core over could otherwise turn the camera on."""
    core = Client.room(broker, "companion").start()
    room = Client.room(broker, "firmware_bridge").listen("do/firmware_bridge", "lamp").start()
    core.bus.publish("do/firmware_bridge", Do(id="x", client="companion", command="zero"))
    core.bus.publish("lamp", Lamp(colour="plum"))
    room.until(lambda: room.last(Lamp), what="what was said after the order")
    assert room.last(Do) is None
    core.bus.stop()
    ear = Listener(broker, user_of("table", "companion"), room_passwords(broker.state_dir)["companion"])
    assert ear.may_hear(BASE + "move/+")
    assert not ear.may_hear(BASE + "answer/companion")
    assert not ear.may_hear(BASE + "health/vision")
    ear.close()
    room.bus.stop()
