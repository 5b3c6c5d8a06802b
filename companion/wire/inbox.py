"""What came in and waits for the room's own thread: in which order it is served, how it is read, and what survives what."""

from __future__ import annotations

import functools
import logging
import queue
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

import msgspec

from companion.wire.topics import decode, matches

log = logging.getLogger("tableside.bus")

Handler = Callable[[str, Any], None]
Rescue = Callable[[str, bytes, Exception], None]
Item = tuple[str, bytes, bool] | Callable[[], None]
"""A message (topic, payload, whether it was retained), or work to be done in this thread."""

MAX_PAYLOAD = 512 * 1024
LONGEST = 0.5
"""Seconds one `pump` goes on while more keeps coming: the watchdog and what is due by the clock have their turn too."""
EACH, FLOOD = 20, 500
"""Messages of one phone that wait: a person's finger never comes to more, and what is lost the page asks for again. After so
many lost without a pause it is no person's phone."""
COMMANDS = ("move/", "here/", "do/", "admin")
TABLE_CLIENTS = ("display", "speech", "host")
"""Clients with the role *table*: the screen, the voice with a dial under somebody's hand, and a program
that hosts the table (the demo, a convention's desk)."""


class UnreadableError(Exception):
    """A message that is none of those on its topic."""


def phone_of(topic: str) -> str:
    """The phone a message comes from; nothing for those of the table's own rooms."""
    kind, _, client = topic.partition("/")
    return client if kind in ("move", "here") and client not in TABLE_CLIENTS else ""


class _Line(msgspec.Struct):
    """What one phone has said that nobody has come to yet."""

    items: deque[Item] = msgspec.field(default_factory=deque)
    lost: int = 0
    """How much more it said since its line was last empty."""


class Inbox:
    """The table's own line in the order it came, and a short one for each phone; they are served in turn.

    However much one phone says, the screen waits for one message of a phone, and a phone for one of each other.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._own: deque[Item] = deque()
        self._phones: OrderedDict[str, _Line] = OrderedDict()
        self._phone_next = False
        self.flooded: Callable[[str], None] | None = None
        """Told the name of a phone that says far too much, in its turn on the table's own line."""

    def put(self, item: Item, phone: str = "") -> None:
        """Keep an item until its turn; from a phone whose line is full it is lost."""
        with self._changed:
            if not phone:
                self._own.append(item)
            else:
                self._put(self._phones.setdefault(phone, _Line()), item, phone)
            self._changed.notify()

    def _put(self, line: _Line, item: Item, phone: str) -> None:
        if len(line.items) < EACH:
            line.items.append(item)
            return
        line.lost += 1
        if line.lost == FLOOD:
            log.warning("%s says far too much: %s messages lost", phone, FLOOD)
            if self.flooded is not None:
                self._own.append(functools.partial(self.flooded, phone))

    def get(self, timeout: float = 0.0) -> Item:
        """The next item; `queue.Empty` when none came in time."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._own or self._phones, timeout):
                raise queue.Empty
            if self._own and not (self._phone_next and self._phones):
                self._phone_next = True
                return self._own.popleft()
            self._phone_next = False
            phone, line = self._phones.popitem(last=False)
            item = line.items.popleft()
            if line.items:
                self._phones[phone] = line
            return item

    def qsize(self) -> int:
        """How much waits."""
        with self._changed:
            return len(self._own) + sum(len(line.items) for line in self._phones.values())


class Desk:
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
