"""Somebody who asks over the corridor and waits for the answer."""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Callable
from typing import Any, TypeVar

from companion.wire.bus import Bus
from companion.wire.messages import Answer, Message

T = TypeVar("T")


class Caller:
    """One client on a bus: what it has asked, and what was answered."""

    def __init__(self, bus: Bus, client: str) -> None:
        self.bus, self.client = bus, client
        self.answers: dict[str, Answer] = {}
        # whoever answers remembers names: two callers of one client, one after the other, must not share any
        self._names = map(f"{secrets.token_hex(4)}-{{}}".format, itertools.count(1))
        bus.subscribe(f"answer/{client}", self._answered)

    def _answered(self, topic: str, message: Any) -> None:
        self.answers[message.id] = message

    def send(self, topic: str, make: Callable[[str], Message]) -> str:
        """Send the request `make` builds around a fresh name; its answer will be in `answers` under that name."""
        name = next(self._names)
        self.bus.publish(topic, make(name))
        return name

    def ask(self, topic: str, make: Callable[[str], Message], seconds: float = 10.0) -> Answer | None:
        """Send a request and wait for its answer; `None` when there is none in time."""
        name = self.send(topic, make)
        self.listen(lambda: name in self.answers, seconds)
        return self.answers.pop(name, None)

    def listen(self, until: Callable[[], T], seconds: float) -> T | None:
        """Hear what is said until something holds; `None` when it does not in time."""
        last = time.monotonic() + seconds
        while not (found := until()):
            if time.monotonic() > last:
                return None
            self.bus.pump(0.02)
        return found
