"""Which phones are there: where each was last heard, and the knock at a seat whose phone may have fallen silent."""

from __future__ import annotations

import secrets as chance
from collections.abc import Callable
from typing import Any

from companion.core.table import Table
from companion.wire.bus import later
from companion.wire.presence import Here, Knock

REPLY_SECONDS = 1.5
"""Seconds a phone that is there has to say so; one that fell silent is not waited for longer."""

Settled = Callable[[bool | None], None]
"""What follows: somebody is there, nobody is, or the same phone has knocked again."""


class Presence:
    """What phones say of themselves, in the core's own thread."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.heard: dict[str, str] = {}
        """Client -> the connection it was last heard on."""
        self._knocks: dict[str, tuple[str, Settled]] = {}
        """Client -> what was asked, and what follows from its answer."""
        table.bus.subscribe("here/+", self._on_here)

    def forget(self, client: str) -> None:
        """It has gone, or is about to come again."""
        self.heard.pop(client, None)

    def knock(self, client: str, settled: Settled) -> None:
        """Ask the phone at a seat whether it is there."""
        self._settle(client, there=None)
        nonce = chance.token_hex(8)
        self._knocks[client] = (nonce, settled)
        self.table.bus.publish(f"knock/{client}", Knock(knock=nonce))

        def silence() -> None:
            asked = self._knocks.get(client)
            if asked is not None and asked[0] == nonce:
                self._settle(client, there=False)

        later(self.table.bus, REPLY_SECONDS, silence)

    def _on_here(self, topic: str, message: Any) -> None:
        client, here = topic.removeprefix("here/"), message
        phone = self.table.seats.phones.get(client)
        if not isinstance(here, Here) or phone is None:
            return
        if not here.here:
            if self.heard.get(client) == here.line:
                del self.heard[client]
                self._settle(client, there=False)
            return
        asked = self._knocks.get(client)
        if here.knock:
            if asked is not None and asked[0] == here.knock:
                self._settle(client, there=True)
            return
        self._settle(client, there=True)
        # who was shown out cannot say goodbye: their will is refused with everything else
        self.heard = {one: line for one, line in self.heard.items() if one in self.table.seats.phones}
        self.heard[client] = here.line
        self.table.seats.arrived(client)
        if phone.seat is not None:
            self.table.announcer.tell_again(phone.seat)

    def _settle(self, client: str, *, there: bool | None) -> None:
        asked = self._knocks.pop(client, None)
        if asked is not None:
            asked[1](there)
