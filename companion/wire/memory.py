"""The corridor in one process: the same contract without a broker, for tests, benches and the monkey."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.wire.bus import AnyBus, Handler, payload_of
from companion.wire.inbox import phone_of
from companion.wire.messages import Message
from companion.wire.topics import encode, matches, topic_of


class MemoryBroker:
    """A broker in one process: retained topics, last wills, the same strictness. Every bus of it shares one table."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.buses: list[MemoryBus] = []

    def bus(self, name: str, will: tuple[str, Message] | None = None) -> MemoryBus:
        """A new, connected participant."""
        return MemoryBus(self, name, will)

    def carry(self, topic: str, payload: bytes) -> None:
        """Hand a message to everybody who listens."""
        if topic_of(topic).retained:
            if payload:
                self.kept[topic] = payload
            else:
                self.kept.pop(topic, None)
        for bus in self.buses:
            bus.hear(topic, payload, retained=False)


class MemoryBus(AnyBus):
    """One participant of a `MemoryBroker`."""

    def __init__(self, broker: MemoryBroker, name: str, will: tuple[str, Message] | None = None) -> None:
        super().__init__()
        self.broker, self.name, self._will = broker, name, will

    def start(self) -> None:
        """Connect, and hear what is retained."""
        if self.connected:
            return
        self.connected = True
        self.broker.buses.append(self)
        for pattern, _ in self._handlers:
            self._catch_up(pattern)
        for topic, payload in list(self._said.items()):
            self.broker.carry(topic, payload)
        for hook in self._hooks:
            self._inbox.put(hook)

    def stop(self) -> None:
        """Leave properly: no last will."""
        if self.connected:
            self.connected = False
            self.broker.buses.remove(self)

    def drop(self) -> None:
        """Vanish as a killed process does: the last will is carried out."""
        self.stop()
        if self._will:
            self.broker.carry(self._will[0], encode(self._will[1]))

    def publish(self, topic: str, message: Message | bytes) -> None:
        """Say something to everybody."""
        payload = payload_of(message)
        if topic_of(topic).retained:
            self._said[topic] = payload
        if self.connected:
            self.broker.carry(topic, payload)

    def control(self, commands: list[dict[str, Any]], done: Callable[[], None]) -> None:
        """There are no users in memory: everything is done at once."""
        self._inbox.put(done)

    def users(self, told: Callable[[list[dict[str, Any]]], None]) -> None:
        """Nobody."""
        self._inbox.put(lambda: told([]))

    def forget(self, topic: str) -> None:
        """Clear a retained topic."""
        self._said.pop(topic, None)
        self.broker.carry(topic, b"")

    def subscribe(self, pattern: str, handler: Handler) -> None:
        """Hear a topic or filter."""
        self._handlers.append((pattern, handler))
        if self.connected:
            self._catch_up(pattern)

    def _catch_up(self, pattern: str) -> None:
        for topic, payload in self.broker.kept.items():
            if matches(pattern, topic):
                self._inbox.put((topic, payload, True))

    def hear(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """Called by the broker."""
        if any(matches(pattern, topic) for pattern, _ in self._handlers):
            self._inbox.put((topic, payload, retained), phone_of(topic))
