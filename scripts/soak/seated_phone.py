"""A phone that holds a seat while the table is flooded: each of its moves is timed from the touch until it counts."""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from typing import Any

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.wire.bus import hang_up


class Stands(msgspec.Struct):
    """What it reads of a state."""

    seq: int = 0


class Answered(msgspec.Struct):
    """What it reads of an answer."""

    id: str
    ok: bool


class SeatedPhone:
    """Over its own WebSocket. It names the prompt it answers, as the page does; where somebody was faster it says it again."""

    def __init__(self, me: dict[str, Any], port: int) -> None:
        self.times: list[float] = []
        """Milliseconds from the touch to the answer, of each move that was carried out."""
        self.unanswered = 0
        """Moves of which nothing was heard, or nothing but refusals."""
        self._me, self._asked, self._seq = me, "", 0
        self._answer: Answered | None = None
        self._answered, self.ready = threading.Event(), threading.Event()
        self._line = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=me["client"], transport="websockets")
        self._line.username_pw_set(me["user"], me["password"])
        self._line.reconnect_delay_set(0.1, 0.5)  # type: ignore[arg-type]  # fractions of a second work
        topics = [(f"{me['base']}{topic}", 1) for topic in ("state", f"answer/{me['client']}")]
        self._line.on_connect = lambda *_: self._line.subscribe(topics)
        self._line.on_message = self._hear
        self._line.on_socket_open = self._no_delay
        self._line.connect_async("127.0.0.1", port)
        self._line.loop_start()

    @staticmethod
    def _no_delay(client: Any, userdata: Any, line: Any) -> None:
        getattr(line, "_socket", line).setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _hear(self, client: Any, userdata: Any, message: mqtt.MQTTMessage) -> None:
        if message.topic.endswith("/state"):
            self._seq = msgspec.json.decode(message.payload, type=Stands).seq
            self.ready.set()
        elif (answer := msgspec.json.decode(message.payload, type=Answered)).id == self._asked:
            self._answer = answer
            self._answered.set()

    def move(self, patience: float = 60.0) -> None:
        """One move of its own."""
        start = time.perf_counter()
        while (left := start + patience - time.perf_counter()) > 0:
            if self._said(left):
                self.times.append(1000.0 * (time.perf_counter() - start))
                return
            time.sleep(0.002)  # the row somebody else made is on its way
        self.unanswered += 1

    def _said(self, patience: float) -> bool:
        """A point for its own seat, heard and carried out."""
        me, self._asked = self._me, secrets.token_hex(8)
        self._answered.clear()
        move = {"kind": "points", "seat": me["seat"], "points": 1}
        said = {"v": 1, "id": self._asked, "seq": self._seq, "move": move, "cause": "phone"}
        self._line.publish(f"{me['base']}move/{me['client']}", json.dumps(said), 1)
        return self._answered.wait(patience) and self._answer is not None and self._answer.ok

    def leave(self) -> None:
        """Hang up."""
        hang_up(self._line)
