"""The hall's line to one of its brokers: kept up for as long as the hall lives, TLS with the hall's own certificate."""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.wire.bus import hang_up
from hall.messages import HEARD

log = logging.getLogger("tableside.hall.line")

Heard = Callable[[str, bytes], None]


class Line:
    """Callbacks run in the line's own thread."""

    def __init__(
        self,
        address: tuple[str, int],
        user: tuple[str, str],
        certificate: Path,
        heard: Heard,
        changed: Callable[[bool], None],
        topics: tuple[str, ...] = HEARD,
    ) -> None:
        """`changed` is told when the line comes up and when it is lost."""
        self._address, self._heard, self._changed, self._topics = address, heard, changed, topics
        self._said: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self.up = False
        self._client = client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
        client.username_pw_set(*user)
        client.reconnect_delay_set(0.1, 0.5)  # type: ignore[arg-type]  # fractions of a second work
        client.max_inflight_messages_set(1000)
        context = ssl.create_default_context(cafile=str(certificate))
        context.check_hostname = False  # the certificate itself is pinned: wherever it is found is the hall
        client.tls_set_context(context)
        client.on_socket_open = self._socket_open
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_message = self._received

    def start(self) -> None:
        """Connect in the background, and again whenever it is lost."""
        self._client.connect_async(*self._address, keepalive=5)
        self._client.loop_start()

    def stop(self) -> None:
        """Leave."""
        hang_up(self._client)

    def keep(self, topic: str, payload: bytes) -> None:
        """Say something the broker keeps; said again whenever the line comes up."""
        with self._lock:
            if self._said.get(topic) == payload:
                return
            self._said[topic] = payload
            if self.up:
                self._client.publish(topic, payload, 1, retain=True)

    def again(self, topic: str, payload: bytes) -> None:
        """The same, said also when it is said already; nothing takes it back, and is then forgotten here."""
        with self._lock:
            self._said[topic] = payload
            if not payload:
                del self._said[topic]
            if self.up:
                self._client.publish(topic, payload, 1, retain=True)

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Say something now; whoever is not there does not hear it."""
        if self.up:
            self._client.publish(topic, payload, 1, retain)

    def listen(self) -> None:
        """From the beginning: the broker says everything it keeps."""
        self._client.subscribe([(topic, 1) for topic in self._topics])

    @staticmethod
    def _socket_open(client: mqtt.Client, userdata: Any, sock: Any) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _connected(self, client: mqtt.Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            log.warning("the broker at %s:%s refuses the hall: %s", *self._address, reason)
            return
        self.listen()
        self._changed(True)
        with self._lock:
            for topic, payload in self._said.items():
                client.publish(topic, payload, 1, retain=True)
            self.up = True

    def _disconnected(self, client: mqtt.Client, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        with self._lock:
            self.up = False
        self._changed(False)

    def _received(self, client: mqtt.Client, userdata: Any, message: mqtt.MQTTMessage) -> None:
        try:
            self._heard(message.topic, bytes(message.payload))
        except UnicodeDecodeError:
            return
