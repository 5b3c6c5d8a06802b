"""A bot's phone: joins by code like anybody, hears what its seat may hear, answers over its own connection."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from companion.wire.bus import MqttBus
from companion.wire.caller import Caller
from companion.wire.config import Config
from companion.wire.messages import Cause, MoveRequest

NAMES = ("Magda", "Tomek", "Élodie", "Sam")
COLOURS = ("sun", "leaf", "sky", "coral")
"""Who sits at a demo's table."""


class CannotJoinError(Exception):
    """The door stayed shut."""


class Voice(Caller):
    """A client that asks for moves."""

    def __init__(self, bus: MqttBus, client: str, cause: Cause) -> None:
        super().__init__(bus, client)
        self.cause = cause
        bus.start()

    def move(self, move: dict[str, Any], seq: int | None = None) -> str:
        """Send a move; its answer arrives in `answers` under the returned id."""
        return self._request(move=move, seq=seq)

    def undo(self) -> str:
        """Take the last move back, with the table's consent."""
        return self._request(undo=True, consent=True)

    def _request(self, **fields: Any) -> str:
        return self.send(f"move/{self.client}", lambda name: MoveRequest(id=name, cause=self.cause, **fields))


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
