"""The table that runs on this machine: its camera is asked over the corridor, because a camera can be open only once.

The camera's commands use it when a table is running, and open the camera themselves when none is.
"""

from __future__ import annotations

import socket
from typing import Any

from companion.wire.bus import Bus
from companion.wire.caller import Caller
from companion.wire.config import Config
from companion.wire.messages import Do, Health, Message
from companion.wire.room import connection
from vision.camera.frame import Problem, trouble

CLIENT = "host"
"""The broker's user for a person at the keyboard."""
CAMERA_SECONDS = 3.0
"""Seconds in which a running camera says that it is there."""
LONGEST = 20.0
"""Seconds a request may take on a busy machine."""


class RunningTable:
    """Asks the camera's room of a running table."""

    def __init__(self, bus: Bus) -> None:
        self.bus, self._caller = bus, Caller(bus, CLIENT)
        self._alive = False
        bus.subscribe("health/vision", self._health)

    def _health(self, topic: str, message: Message | bytes) -> None:
        if isinstance(message, Health):
            self._alive = message.status == "online"

    def alive(self, patience: float = CAMERA_SECONDS) -> bool:
        """The camera's room is there."""
        return bool(self._caller.listen(lambda: self._alive, patience))

    def ask(self, command: str, **args: Any) -> dict[str, Any] | Problem:
        """What the camera answers, or what stands in the way."""
        answer = self._caller.ask(
            "do/vision", lambda name: Do(id=name, client=CLIENT, command=command, args=args), LONGEST
        )
        if answer is None:
            return trouble("command/no-answer")
        if answer.ok:
            return answer.result
        refusal = answer.refusal
        return (refusal.say, refusal.do) if refusal is not None else trouble("command/unclear")

    def close(self) -> None:
        """Leave the corridor."""
        self.bus.stop()


def running(config: Config) -> RunningTable | None:
    """The table that runs here; `None` when there is none, or its camera's room is not up."""
    try:
        socket.create_connection((config.broker.host, config.broker.port), timeout=0.5).close()
        bus = connection(config, CLIENT)
    except OSError:
        return None  # nobody listens, or the table belongs to another user
    table = RunningTable(bus)
    bus.start()
    if table.alive():
        return table
    table.close()
    return None
