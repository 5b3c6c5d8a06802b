"""Who stands at the phones' gate, who has to go when it is full, and what a phone may say: the limits, without a socket.

Whoever has not been let in by the broker is a stranger: a few seconds, a few kB, and when too many stand there one of the
address with the most goes: who has said least, and of those the first. So silence locks nobody out. A seat's phone is always
let in; who watches, while there is room.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from companion.machine.websocket import CONNECT, PUBACK, PUBLISH, Broken, packet, user_of_connect

GRACE = 5.0
"""Seconds a stranger has, from the first byte of TLS to the broker's welcome."""
GREETING = 8192
"""Bytes of a stranger: a browser's greeting with the cookies of a whole house, and CONNECT."""
STRANGERS, STRANGERS_EACH = 256, 32
"""At once, and from one address: all phones of a café that come back together."""
WATCHERS, WATCHERS_EACH = 400, 64
"""Seats are not counted: there are eight, and the broker knows each phone once."""
PACKET, SMALL = 65_536, 4096
"""Bytes of a move at the most; of everything else."""
BURST, RATE = 20, 15.0
"""Packets from a phone at once, and per second from then on; four kB count as one more. A hand is slower, and a core that is busy
with one phone's hundred moves keeps the others waiting for a second. What is more waits in the phone."""
WATCHES = "phone-w-"
"""How the names begin that the door gives to those who watch."""


class Allowance:
    """How much one user may still say. It outlives the line, so that calling again brings nothing."""

    def __init__(self) -> None:
        self.spent = 0.0
        """When it will be whole again."""

    def take(self, size: int, now: float) -> float:
        """Seconds to wait for one more packet of this size; 0: granted."""
        spent = max(self.spent, now) + (1 + size // 4096) / RATE
        wait = spent - now - BURST / RATE
        if wait <= 0:
            self.spent = spent
        return max(0.0, wait)


class Packets:
    """What one phone says, packet by packet as far as it may pass. Of a long one no more is kept than has just come."""

    def __init__(self) -> None:
        self.user: str | None = None
        """As its CONNECT says; the broker will see whether it is true."""
        self.allowance: Allowance | None = None
        """None: a stranger, who has a few kB in all."""
        self._held = bytearray()
        self._rest = 0
        """Bytes of the packet that is passing."""

    def add(self, content: bytes) -> None:
        """More of it came."""
        self._held += content

    def introduced(self) -> bool:
        """It has said its whole CONNECT by now."""
        head = packet(self._held, 0)
        if head is None:
            return False
        kind, size = head
        if kind != CONNECT or size > SMALL:
            raise Broken("no CONNECT")
        if len(self._held) < size:
            return False
        self.user, self._rest = user_of_connect(bytes(self._held[:size])), size
        return True

    def take(self, now: float) -> tuple[bytes, float]:
        """What may pass now, and in how many seconds there may be more (0: when more has come)."""
        done, wait = 0, 0.0
        while done < len(self._held):
            if not self._rest:
                head = packet(self._held, done)
                wait = self._refused(*head, now) if head is not None else 0.0
                if head is None or wait:
                    break
                self._rest = head[1]
            step = min(self._rest, len(self._held) - done)
            done, self._rest = done + step, self._rest - step
        passed, self._held = bytes(self._held[:done]), self._held[done:]
        return passed, wait

    def _refused(self, kind: int, size: int, now: float) -> float:
        """For how many seconds this packet has to wait; `Broken` if it is one no phone of ours would send."""
        if kind == CONNECT or size > (PACKET if kind == PUBLISH else SMALL):
            raise Broken("too much")
        if self.allowance is None or kind == PUBACK:  # which answers to what was sent to the phone
            return 0.0
        return self.allowance.take(size, now)


class Caller(Protocol):
    """A phone's line, as far as it matters here."""

    address: str
    watches: bool

    @property
    def progress(self) -> int:
        """How far a stranger has come: nothing said, greeted, introduced."""

    def hang_up(self) -> None: ...


class Keeper:
    """Everybody at the gate and inside."""

    def __init__(self) -> None:
        self.strangers: dict[Caller, None] = {}
        self.guests: dict[Caller, None] = {}
        self._allowances: dict[str, Allowance] = {}

    def enter(self, line: Caller) -> None:
        """Somebody is at the gate; if it is full there, somebody else has to go."""
        crowd = Counter(one.address for one in self.strangers)
        full = len(self.strangers) >= STRANGERS
        if full or crowd[line.address] >= STRANGERS_EACH:
            whose = crowd.most_common(1)[0][0] if full else line.address
            min((one for one in self.strangers if one.address == whose), key=lambda one: one.progress).hang_up()
        self.strangers[line] = None

    def admit(self, line: Caller) -> bool:
        """The broker knows them. Is there a place inside?"""
        if line.watches:
            others = [one.address for one in self.guests if one.watches]
            if len(others) >= WATCHERS or others.count(line.address) >= WATCHERS_EACH:
                return False
        self.strangers.pop(line, None)
        self.guests[line] = None
        return True

    def leave(self, line: Caller) -> None:
        """Gone, from wherever they stood."""
        self.strangers.pop(line, None)
        self.guests.pop(line, None)

    def allowance(self, user: str, now: float) -> Allowance:
        """What a user may ask for; who has been quiet for a while is forgotten, and nothing is lost with that."""
        if len(self._allowances) > 2 * WATCHERS:
            self._allowances = {name: one for name, one in self._allowances.items() if one.spent > now}
        return self._allowances.setdefault(user, Allowance())
