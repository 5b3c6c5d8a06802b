"""The corridor: typed messages over MQTT; `companion.wire.memory` keeps the same contract in one process.

`paho` is imported here and nowhere else. Network work happens in paho's thread, which only queues; handlers run in the
caller's thread inside `pump`, so a room stays single-threaded. A bus remembers what it has said on retained topics and
says it again after every reconnect: the broker may forget everything and the table is whole a moment later.
"""

from __future__ import annotations

import itertools
import logging
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.wire.inbox import TABLE_CLIENTS, Inbox, Item, phone_of
from companion.wire.messages import Message
from companion.wire.secrets import client_id
from companion.wire.topics import decode, encode, matches, topic_of

log = logging.getLogger("tableside.bus")

WAITING = 500
"""Messages a room has not come to yet; further ones wait at the broker, which drops what a flood has too much of."""
PHONES = ("move/+", "here/+")
"""What phones say; the core hears it on a line of its own, where the broker drops what a flood has too much of."""
CONTROL = "$CONTROL/dynamic-security/v1"
MAX_PAYLOAD = 512 * 1024
LONGEST = 0.5
"""Seconds one `pump` goes on while more keeps coming: the watchdog and what is due by the clock have their turn too."""
COMMANDS = ("move/", "here/", "do/", "admin")
AT_ONCE = 10
"""Commands to the broker's plugin in one message: it writes all its users to disk after each and hears nobody meanwhile.
A thousand at once would keep it silent for so long that it counts as frozen."""


def hang_up(line: mqtt.Client) -> None:
    """Leave without a last will; the line's thread has ended.

    paho looks at its thread twice before it waits for it: one that ends in between is gone by then, and nothing is left to do.
    """
    line.disconnect()
    with suppress(AttributeError):
        line.loop_stop()


Handler = Callable[[str, Any], None]
Rescue = Callable[[str, bytes, Exception], None]


class UnreadableError(Exception):
    """A message that is none of those on its topic."""


class Bus(Protocol):
    """What a room needs of the corridor."""

    connected: bool
    refused: int

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def publish(self, topic: str, message: Message | bytes) -> None: ...
    def forget(self, topic: str) -> None: ...
    def kept(self) -> list[str]: ...
    def subscribe(self, pattern: str, handler: Handler) -> None: ...
    def on_connect(self, hook: Callable[[], None]) -> None: ...
    def on_flood(self, hook: Callable[[str], None]) -> None: ...
    def on_trouble(self, rescue: Rescue) -> None: ...
    def call(self, work: Callable[[], None]) -> None: ...
    def control(self, commands: list[dict[str, Any]], done: Callable[[], None]) -> None: ...
    def users(self, told: Callable[[list[dict[str, Any]]], None]) -> None: ...
    def pump(self, timeout: float = 0.0) -> int: ...
    def now(self) -> float: ...


def later(bus: Bus, seconds: float, work: Callable[[], None]) -> None:
    """Done in the core's thread when this much time has passed."""
    timer = threading.Timer(seconds, bus.call, (work,))
    timer.daemon = True
    timer.start()


def payload_of(message: Message | bytes) -> bytes:
    return message if isinstance(message, bytes) else encode(message)


class AnyBus:
    """What both buses share: subscriptions, what came in, and strict decoding."""

    def __init__(self) -> None:
        self.connected = False
        self.refused = 0
        self._handlers: list[tuple[str, Handler]] = []
        self._hooks: list[Callable[[], None]] = []
        self._rescue: Rescue | None = None
        self._inbox = Inbox()
        self._said: dict[str, bytes] = {}

    def kept(self) -> list[str]:
        """Retained topics we have spoken on."""
        return list(self._said)

    def on_connect(self, hook: Callable[[], None]) -> None:
        """Run `hook` in `pump` after every connection."""
        self._hooks.append(hook)

    def on_flood(self, hook: Callable[[str], None]) -> None:
        """Run `hook` in `pump` with the name of a phone that says far more than a person could."""
        self._inbox.flooded = hook

    def on_trouble(self, rescue: Rescue) -> None:
        """Go on whatever a message or piece of work does, and hand `rescue` its topic, its payload and what went wrong.

        Without it only unreadable messages are passed over, and everything else ends the room.
        """
        self._rescue = rescue

    def call(self, work: Callable[[], None]) -> None:
        """Run `work` in the room's own thread, in its turn; may be called from any thread."""
        self._inbox.put(work)

    def pump(self, timeout: float = 0.0) -> int:
        """Wait up to `timeout` for the first message, then handle everything that is there, within reason."""
        handled = 0
        try:
            item = self._inbox.get(timeout)
            end = time.monotonic() + LONGEST
            while True:
                handled += 1
                self._handle(item)
                if time.monotonic() > end:
                    return handled
                item = self._inbox.get()
        except queue.Empty:
            return handled

    def _handle(self, item: Item) -> None:
        """One message or piece of work: the one place where a room survives whatever it is."""
        topic, payload = ("", b"") if callable(item) else item[:2]
        try:
            if callable(item):
                item()
            else:
                self._deliver(*item)
        except Exception as wrong:
            if self._rescue is None:
                raise
            log.exception("%s went wrong; the room goes on", topic or "work of its own")
            self._rescue(topic, payload, wrong)

    def _deliver(self, topic: str, payload: bytes, retained: bool) -> None:
        if retained and topic.startswith(COMMANDS):
            return  # a request is made now or not at all; a kept one is somebody's mistake or mischief
        if not payload:
            return
        handlers = [handler for pattern, handler in self._handlers if matches(pattern, topic)]
        if not handlers:
            return
        try:
            if len(payload) > MAX_PAYLOAD:
                raise msgspec.DecodeError(f"{len(payload)} bytes are too many")
            message = decode(topic, payload)
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, RecursionError) as wrong:
            self.refused += 1
            log.warning("message on %s left out: %s", topic, str(wrong)[:200])
            if self._rescue is not None:
                self._rescue(topic, payload, UnreadableError(str(wrong)))
            return
        for handler in handlers:
            handler(topic, message)

    def now(self) -> float:
        """Unix time, for people; never for measuring."""
        return time.time()


class MqttBus(AnyBus):
    """The corridor over a real broker."""

    def __init__(
        self,
        *,
        table: str,
        user: str,
        password: str,
        host: str = "127.0.0.1",
        port: int = 8782,
        will: tuple[str, Message] | None = None,
        ca_file: str = "",
        controls: bool = False,
        crowd: tuple[str, str] | None = None,
    ) -> None:
        """`controls`: this user may change the broker's users (the core). `crowd`: user and password of a second line, on
        which phones are heard: however much they say, what the table's own rooms say is not behind it."""
        super().__init__()
        self._controls = controls
        self._numbers = itertools.count(1)
        self._waiting: dict[str, Callable[[list[dict[str, Any]]], None]] = {}
        self.base = f"tableside/{table}/"
        self._address = (host, port)
        self._last: mqtt.MQTTMessageInfo | None = None
        self._leaving = False
        self._table, self._lock, self._up = table, threading.Lock(), set[mqtt.Client]()
        self._client = self._line(user, password, ca_file)
        self._client.on_message = self._received
        self._crowd = self._line(*crowd, ca_file) if crowd else None
        if self._crowd is not None:
            self._crowd.on_message = self._crowd_received
            self._crowd.on_subscribe = self._subscribed
        if will:
            row = topic_of(will[0])
            self._client.will_set(self.base + will[0], encode(will[1]), row.qos, row.retained)

    def _line(self, user: str, password: str, ca_file: str) -> mqtt.Client:
        line = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client_id(self._table, user), protocol=mqtt.MQTTv311)
        line.username_pw_set(user, password)
        line.reconnect_delay_set(0.1, 0.6)  # type: ignore[arg-type]  # fractions of a second work
        line.max_inflight_messages_set(1000)
        line.max_queued_messages_set(10_000)
        line.on_socket_open = self._socket_open
        line.on_connect = self._connected
        line.on_disconnect = self._disconnected
        if ca_file:
            line.tls_set(ca_certs=ca_file, cert_reqs=ssl.CERT_REQUIRED)
        return line

    @property
    def _lines(self) -> list[mqtt.Client]:
        return [line for line in (self._client, self._crowd) if line is not None]

    @staticmethod
    def _socket_open(client: mqtt.Client, userdata: Any, sock: Any) -> None:
        """Small messages leave at once: without this a QoS 1 round trip takes 44 ms instead of half a millisecond."""
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY):
            log.warning("the socket refuses TCP_NODELAY: moves will feel slow")

    def start(self) -> None:
        """Connect in the background; keeps trying with backoff until `stop`."""
        self._leaving = False
        for line in self._lines:
            line.connect_async(*self._address, keepalive=15)
            line.loop_start()

    def stop(self) -> None:
        """Say what is still to be said, then leave without a last will."""
        self._leaving = True
        if self.connected:
            self.delivered(1.0)
        for line in self._lines:
            hang_up(line)
        self.connected = False

    def delivered(self, timeout: float) -> bool:
        """The broker has everything said so far: its answer to the last message means that all before it arrived."""
        if self._last is None:
            return True
        try:
            self._last.wait_for_publish(timeout)
        except (RuntimeError, ValueError):
            return False
        return self._last.is_published()

    def publish(self, topic: str, message: Message | bytes) -> None:
        """Say something; what is retained is said again after every reconnect."""
        row, payload = topic_of(topic), payload_of(message)
        with self._lock:
            if row.retained:
                self._said[topic] = payload
            if (row.retained or row.qos == 0) and not self.connected:
                return
            self._last = self._client.publish(self.base + topic, payload, row.qos, row.retained)

    def forget(self, topic: str) -> None:
        """Clear a retained topic on the broker: no ghosts."""
        with self._lock:
            self._said.pop(topic, None)
            self._last = self._client.publish(self.base + topic, b"", topic_of(topic).qos, retain=True)

    def subscribe(self, pattern: str, handler: Handler) -> None:
        """Hear a relative topic or filter, from now on and after every reconnect."""
        self._handlers.append((pattern, handler))
        if self._client.is_connected():
            self._hear(self._client, self._own([pattern]))
        if self._crowd is not None and self._crowd.is_connected() and pattern in PHONES:
            self._hear(self._crowd, [pattern])

    def _own(self, patterns: list[str]) -> list[str]:
        """What is heard on the table's own line: of all moves its own clients' where phones have another."""
        if self._crowd is None:
            return patterns
        moves = [f"move/{client}" for client in TABLE_CLIENTS] if "move/+" in patterns else []
        return moves + [pattern for pattern in patterns if pattern not in PHONES]

    def _hear(self, line: mqtt.Client, patterns: list[str]) -> None:
        if patterns:
            line.subscribe([(self.base + pattern, 1) for pattern in dict.fromkeys(patterns)])

    def control(self, commands: list[dict[str, Any]], done: Callable[[], None]) -> None:
        """Change the broker's users and roles; `done` runs in `pump` when it has answered. Many are done a few at a time."""
        rest = commands[AT_ONCE:]
        self._command(commands[:AT_ONCE], lambda _: self.control(rest, done) if rest else done())

    def users(self, told: Callable[[list[dict[str, Any]]], None]) -> None:
        """Everybody the broker's plugin knows, with their roles."""
        self._command(
            [{"command": "listClients", "verbose": True}],
            lambda responses: told([one for each in responses for one in each.get("data", {}).get("clients", ())]),
        )

    def _command(self, commands: list[dict[str, Any]], done: Callable[[list[dict[str, Any]]], None]) -> None:
        number = str(next(self._numbers))
        self._waiting[number] = done
        marked = [command | {"correlationData": number} for command in commands]
        self._client.publish(CONTROL, msgspec.json.encode({"commands": marked}), 1)

    def _controlled(self, payload: bytes) -> None:
        """The broker has carried commands out (that a user exists already does not count as an error)."""
        try:
            responses = msgspec.json.decode(payload)["responses"]
        except (msgspec.DecodeError, KeyError, TypeError):
            return
        for number in {response.get("correlationData") for response in responses}:
            done = self._waiting.pop(number, None)
            if done is not None:
                done(responses)

    def _connected(self, client: mqtt.Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            log.warning("the broker refused us: %s", reason)
            return
        if client is self._client:
            self._hear(client, self._own([pattern for pattern, _ in self._handlers]))
            if self._controls:
                client.subscribe(f"{CONTROL}/response", 1)
        phones = [pattern for pattern, _ in self._handlers if pattern in PHONES]
        if client is self._crowd and phones:
            self._hear(client, phones)
        else:
            self._hears(client)

    def _subscribed(self, client: mqtt.Client, userdata: Any, number: int, reasons: Any, properties: Any) -> None:
        self._hears(client)

    def _hears(self, client: mqtt.Client) -> None:
        """One line is up. When all are, the room speaks: a phone that then says "I listen" must be heard."""
        with self._lock:
            self._up.add(client)
            if self.connected or not self._up.issuperset(self._lines):
                return
            # all of it before anything else is said: a topic that changes meanwhile must not be followed by its old word
            for topic, payload in self._said.items():
                self._client.publish(self.base + topic, payload, topic_of(topic).qos, retain=True)
            self.connected = True
        for hook in self._hooks:
            self._inbox.put(hook)

    def _disconnected(self, client: mqtt.Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        with self._lock:
            self._up.discard(client)
            self.connected = self.connected and client is not self._client

    def _received(self, client: mqtt.Client, userdata: Any, message: mqtt.MQTTMessage) -> None:
        try:
            topic = message.topic.removeprefix(self.base)
        except UnicodeDecodeError:
            self.refused += 1
            return
        phone, payload = phone_of(topic), bytes(message.payload)
        while not phone and self._inbox.qsize() >= WAITING and not self._leaving:
            time.sleep(0.005)  # in paho's thread: it reads no further until the room has caught up
        if topic.startswith(CONTROL):
            self._inbox.put(lambda: self._controlled(payload))
        else:
            self._inbox.put((topic, payload, message.retain), phone)

    def _crowd_received(self, client: mqtt.Client, userdata: Any, message: mqtt.MQTTMessage) -> None:
        """A phone speaks; what the screen says arrives here too, and is passed over: it has a line of its own."""
        try:
            phone = phone_of(message.topic.removeprefix(self.base))
        except UnicodeDecodeError:
            return
        if phone:
            self._received(client, userdata, message)
