"""One contract, two buses: in memory and over a real Mosquitto."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.client import MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from companion.machine.broker import answers, prepare
from companion.wire.bus import WAITING, Bus, MqttBus, hang_up
from companion.wire.config import Config
from companion.wire.memory import MemoryBroker
from companion.wire.messages import DialSeen, Health, Lamp, MoveRequest
from companion.wire.room import connection
from companion.wire.secrets import room_passwords, user_of
from tests.conftest import PATIENCE, Place, until

Maker = Callable[[str], Bus]


@pytest.fixture(params=["memory", "mosquitto"])
def maker(request: pytest.FixtureRequest) -> Iterator[Maker]:
    """Makes buses of one broker, by the room's name."""
    made: list[Bus] = []
    if request.param == "memory":
        memory = MemoryBroker()

        def make(room: str) -> Bus:
            bus: Bus = memory.bus(room, ("health/" + room, Health(room=room, status="offline")))  # type: ignore[arg-type]
            made.append(bus)
            return bus
    else:
        config: Config = request.getfixturevalue("broker")

        def make(room: str) -> Bus:
            bus = _mqtt(config, room)
            made.append(bus)
            return bus

    yield make
    for bus in made:
        bus.stop()


def _mqtt(config: Config, room: str) -> MqttBus:
    return MqttBus(
        table=config.table.id,
        user=user_of(config.table.id, room),
        password=room_passwords(config.state_dir)[room],
        port=config.broker.port,
        will=("health/" + room, Health(room=room, status="offline")),  # type: ignore[arg-type]
    )


def hear(bus: Bus, condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    def pumped() -> Any:
        bus.pump(0.02)
        return condition()

    until(pumped, seconds)


def connect(*buses: Bus) -> None:
    """All of them, and wait until each is on line."""
    for bus in buses:
        bus.start()
    for bus in buses:
        hear(bus, lambda bus=bus: bus.connected)  # type: ignore[misc]


def test_what_is_said_is_heard_typed_and_in_order(maker: Maker) -> None:
    """A subscriber gets structs, in the order they were sent."""
    bridge, core = maker("firmware_bridge"), maker("companion")
    heard: list[int] = []
    core.subscribe("sensor/dial", lambda topic, seen: heard.append(seen.position))
    connect(core, bridge)
    for position in range(6):
        bridge.publish("sensor/dial", DialSeen(state="ready", ts=1.0, position=position))
    hear(core, lambda: 5 in heard)
    assert heard == sorted(heard)


def test_a_latecomer_hears_what_is_retained(maker: Maker) -> None:
    """A room that returns catches up by itself."""
    core, bridge = maker("companion"), maker("firmware_bridge")
    core.start()
    hear(core, lambda: core.connected)
    core.publish("lamp", Lamp(colour="sky"))
    heard: list[Lamp] = []
    bridge.subscribe("lamp", lambda topic, lamp: heard.append(lamp))
    bridge.start()
    hear(bridge, lambda: heard)
    assert heard[-1].colour == "sky"


def test_a_forgotten_topic_leaves_no_ghost(maker: Maker) -> None:
    """Retained topics are cleared when a game or table ends."""
    core, bridge = maker("companion"), maker("firmware_bridge")
    core.start()
    hear(core, lambda: core.connected)
    core.publish("lamp", Lamp(colour="sky"))
    core.forget("lamp")
    core.publish("state", _state())
    if isinstance(core, MqttBus):  # who comes while the broker is still hearing of it may see the lamp go on and off
        assert core.delivered(PATIENCE)
    heard: list[str] = []
    bridge.subscribe("lamp", lambda topic, _: heard.append(topic))
    bridge.subscribe("state", lambda topic, _: heard.append(topic))
    bridge.start()
    hear(bridge, lambda: "state" in heard)
    assert "lamp" not in heard


def _state() -> Any:
    from companion.wire.messages import State

    return State(table="table", phase="lobby")


def test_a_malformed_message_is_counted_and_left_out(maker: Maker) -> None:
    """One bad message does not stop the next good one."""
    display, core = maker("display"), maker("companion")
    heard: list[str] = []
    core.subscribe("move/+", lambda topic, request: heard.append(request.id))
    connect(core, display)
    hear(core, lambda: display.publish("move/display", MoveRequest(id="hello")) or "hello" in heard)  # type: ignore[func-returns-value]
    for bad in (b"\xff\xfe", b"{", b'{"id":1}', b'{"id":"a","extra":1}', b"x" * 300_000):
        display.publish("move/display", bad)
    display.publish("move/display", MoveRequest(id="good"))
    hear(core, lambda: "good" in heard)
    assert set(heard) == {"hello", "good"}
    assert core.refused == 5


def test_tcp_nodelay_is_set_on_the_socket(broker: Config) -> None:
    """Without it every move would wait 44 ms."""
    bus = _mqtt(broker, "companion")
    bus.start()
    hear(bus, lambda: bus.connected)
    sock = bus._client.socket()
    assert isinstance(sock, socket.socket)
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
    bus.stop()


def test_retained_words_are_said_again_after_the_broker_forgot_everything(place: Place) -> None:
    """Each room republishes its own retained topics on every reconnect (docs/design.md §1)."""
    config = place.config()

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(prepare(config), stderr=subprocess.DEVNULL)
        until(lambda: answers("127.0.0.1", config.broker.port))
        return process

    process = start()
    core = _mqtt(config, "companion")
    core.start()
    hear(core, lambda: core.connected)
    core.publish("lamp", Lamp(colour="plum"))
    process.kill()
    process.wait()
    until(lambda: not core.connected)
    process = start()
    try:
        hear(core, lambda: core.connected, 10)
        bridge = _mqtt(config, "firmware_bridge")
        heard: list[str] = []
        bridge.subscribe("lamp", lambda topic, lamp: heard.append(lamp.colour))
        bridge.start()
        hear(bridge, lambda: "plum" in heard)
        bridge.stop()
        core.stop()
    finally:
        process.kill()
        process.wait()
    assert "plum" in heard


def test_a_flood_waits_at_the_broker_and_not_in_the_room() -> None:
    """What a room has not come to yet is bounded; nothing of it is lost, and leaving is not held up by it."""
    bus = MqttBus(table="table", user="companion", password="")
    heard: list[str] = []
    bus.subscribe("move/+", lambda topic, request: heard.append(request.id))

    def flood() -> None:
        for number in range(WAITING + 20):
            message = MQTTMessage(topic=b"tableside/table/move/display")
            message.payload = b'{"id":"%d"}' % number
            bus._received(bus._client, None, message)

    hose = threading.Thread(target=flood)
    hose.start()
    until(lambda: bus._inbox.qsize() == WAITING)
    assert hose.is_alive()
    until(lambda: bus.pump() == 0 and not hose.is_alive())
    bus.pump()
    assert heard == [str(number) for number in range(WAITING + 20)]
    again = threading.Thread(target=flood)
    again.start()
    until(lambda: bus._inbox.qsize() == WAITING)
    bus.stop()
    again.join(PATIENCE)
    assert not again.is_alive()


def test_a_line_whose_thread_ends_while_we_look_at_it_is_left_without_a_word() -> None:
    """A broker that hangs up first, or a busy machine: paho finds its thread, and a moment later finds none."""
    looks: list[Any] = []

    class Ending(PahoClient):
        @property
        def _thread(self) -> threading.Thread | None:  # type: ignore[override]
            looks.append(self)
            return threading.Thread() if len(looks) < 3 else None

        @_thread.setter
        def _thread(self, thread: threading.Thread | None) -> None: ...

    line = Ending(CallbackAPIVersion.VERSION2)
    looks.clear()
    hang_up(line)
    assert len(looks) == 3, "it was looked at to the end"


def test_what_never_ends_does_not_keep_the_room_from_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A room that is spoken to without a pause still feeds its watchdog."""
    monkeypatch.setattr("companion.wire.bus.LONGEST", 0.05)
    bus = MemoryBroker().bus("companion")

    def more() -> None:
        bus.call(more)

    more()
    assert bus.pump() > 0
    assert bus.pump() > 0


def test_a_killed_room_leaves_its_last_will() -> None:
    """The others show that it is away."""
    memory = MemoryBroker()
    vision = memory.bus("vision", ("health/vision", Health(room="vision", status="offline")))
    display = memory.bus("display")
    heard: list[str] = []
    display.subscribe("health/+", lambda topic, health: heard.append(health.status))
    display.start()
    vision.start()
    vision.drop()
    display.pump()
    assert heard == ["offline"]


def test_the_core_speaks_only_when_it_hears_the_phones(broker: Config) -> None:
    """Whoever answers its first word at once is heard: both its lines are up before it says anything."""
    core, display = connection(broker, "companion"), _mqtt(broker, "display")
    heard: list[str] = []
    core.subscribe("move/+", lambda topic, request: heard.append(request.id))
    hooked: list[bool] = []
    core.on_connect(lambda: hooked.append(core._crowd is not None and core._crowd.is_connected()))
    connect(core, display)
    hear(core, lambda: hooked)
    assert hooked == [True]
    display.publish("move/display", MoveRequest(id="screen"))
    hear(core, lambda: "screen" in heard)
    assert heard == ["screen"], "what arrives on both lines counts once"
    core.stop()
    display.stop()
