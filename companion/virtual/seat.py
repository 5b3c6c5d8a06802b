"""A bot's phone: joins by code like anybody, hears what its seat may hear, answers over its own connection."""

from __future__ import annotations

import itertools
import json
import secrets as chance
import urllib.error
import urllib.request
from typing import Any

from companion.wire.bus import MqttBus
from companion.wire.config import Config
from companion.wire.messages import Answer, Cause, MoveRequest


class CannotJoinError(Exception):
    """The door stayed shut."""


class Voice:
    """A client that asks for moves and waits for the answer."""

    def __init__(self, bus: MqttBus, client: str, cause: Cause) -> None:
        self.bus, self.client, self.cause = bus, client, cause
        self.answers: dict[str, Answer] = {}
        # the core answers a request it knows as it did before: the host of a second game must not repeat the first one's
        self._numbers = map(f"{chance.token_hex(4)}-{{}}".format, itertools.count(1))
        bus.subscribe(f"answer/{client}", self._answered)
        bus.start()

    def _answered(self, topic: str, message: Any) -> None:
        self.answers[message.id] = message

    def ask(self, move: dict[str, Any], seq: int | None = None) -> str:
        """Send a move; its answer arrives in `answers` under the returned id."""
        name = next(self._numbers)
        self.bus.publish(f"move/{self.client}", MoveRequest(id=name, move=move, cause=self.cause, seq=seq))
        return name

    def undo(self) -> str:
        """Take the last move back, with the table's consent."""
        name = next(self._numbers)
        self.bus.publish(f"move/{self.client}", MoveRequest(id=name, undo=True, consent=True, cause=self.cause))
        return name


def join(config: Config, code: str, seat: int, name: str) -> Voice:
    """Take a seat as a phone does."""
    body = json.dumps({"code": code, "seat": seat, "name": name, "language": config.table.language}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{config.web.port}/join", body)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            me = json.loads(answer.read())
    except (OSError, urllib.error.HTTPError) as wrong:
        raise CannotJoinError(f"seat {seat}: {wrong}") from wrong
    bus = MqttBus(table=config.table.id, user=me["user"], password=me["password"], port=config.broker.port)
    return Voice(bus, me["client"], "phone")
