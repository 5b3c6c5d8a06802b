"""What came in and waits for the room's own thread, and in which order it is served."""

from __future__ import annotations

import functools
import logging
import queue
import threading
from collections import OrderedDict, deque
from collections.abc import Callable

import msgspec

log = logging.getLogger("tableside.bus")

Item = tuple[str, bytes, bool] | Callable[[], None]
"""A message (topic, payload, whether it was retained), or work to be done in this thread."""

EACH, FLOOD = 20, 500
"""Messages of one phone that wait: a person's finger never comes to more, and what is lost the page asks for again. After this
many lost without a pause it is not a person's phone."""
TABLE_CLIENTS = ("display", "speech", "host")
"""Clients with the role *table*: the screen, the voice with a dial under somebody's hand, and a program
that hosts the table (the demo, a convention's desk)."""


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
