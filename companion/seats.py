"""Who sits where: join codes, tokens, and the phones the broker may let in.

A code is good for one seat and for one game: as soon as it was used, the screen shows another. A phone keeps a token, so a
reload or a dead battery costs nothing. Joins are journalled; the broker's users are derived from that.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets as chance
import time
from collections import deque
from typing import Any

import msgspec

from companion.game import Text
from companion.journal import Journal
from companion.messages import Refusal

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
TRIES, WINDOW = 10, 60.0
"""Wrong codes from one address in that many seconds, before it has to wait."""


class Phone(msgspec.Struct, frozen=True):
    """A phone at the table; `seat` is `None` for a spectator."""

    client: str
    seat: int | None
    name: str
    language: str
    token: str
    """Only its hash is kept."""


class JoinRefused(Exception):  # noqa: N818 - said as the door would say it
    """No entry, with what to do."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status = status
        self.refusal = Refusal(code=f"join/{code}", say=Text(f"join/refuse/{code}"), do=Text(f"join/do/{code}"))


def new_code() -> str:
    """Six characters nobody mistakes for another."""
    return "".join(chance.choice(ALPHABET) for _ in range(6))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Seats:
    """The chairs of one table."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.code = new_code()
        self.phones: dict[str, Phone] = {}
        self._evening = ""
        self._failures: dict[str, deque[float]] = {}
        for first, end in journal.games():
            if first.game.startswith("seats-") and end is None:
                self._evening = first.game
                for row in journal.rows(first.game)[1:]:
                    self._replay(row.body)
                break

    def _replay(self, body: dict[str, Any]) -> None:
        if "free" in body:
            self.phones.pop(body["free"], None)
        else:
            phone = msgspec.convert(body, Phone)
            self.phones[phone.client] = phone

    def _write(self, body: dict[str, Any]) -> None:
        if not self._evening:
            self._evening = f"seats-{time.strftime('%Y%m%d-%H%M%S')}-{chance.token_hex(3)}"
            self.journal.append(self._evening, "new", {"pack": "", "options": {}, "box": {}, "seats": []})
        self.journal.append(self._evening, "seat", body)

    def at(self, seat: int) -> Phone | None:
        """The phone at a seat."""
        return next((phone for phone in self.phones.values() if phone.seat == seat), None)

    def join(self, *, code: str, seat: int | None, name: str, language: str, address: str) -> tuple[Phone, str]:
        """Exchange a code for a seat (or a place to watch from); returns the phone and its token."""
        self._slow_down(address)
        if not hmac.compare_digest(code.strip().upper().encode(), self.code.encode()):
            self._failures.setdefault(address, deque()).append(time.monotonic())
            raise JoinRefused(403, "code")
        if seat is not None and self.at(seat) is not None:
            raise JoinRefused(409, "taken")
        token = chance.token_urlsafe(24)
        kind = "w" if seat is None else f"s{seat}"
        phone = Phone(f"phone-{kind}-{chance.token_hex(6)}", seat, name, language, _hash(token))
        if seat is not None:
            self._write(msgspec.to_builtins(phone))
            self.code = new_code()
        self.phones[phone.client] = phone
        return phone, token

    def again(self, token: str, address: str) -> Phone:
        """A phone that was here before takes its seat up again."""
        self._slow_down(address)
        wanted = _hash(token)
        for phone in self.phones.values():
            if hmac.compare_digest(phone.token, wanted):
                return phone
        self._failures.setdefault(address, deque()).append(time.monotonic())
        raise JoinRefused(403, "token")

    def _slow_down(self, address: str) -> None:
        """Guessing is made pointless: a million codes a year at best."""
        now = time.monotonic()
        failures = self._failures.get(address)
        if failures is None:
            return
        while failures and now - failures[0] > WINDOW:
            failures.popleft()
        if not failures:
            del self._failures[address]
        elif len(failures) >= TRIES:
            raise JoinRefused(429, "slow")

    def free(self, seat: int) -> Phone | None:
        """Take a seat back from its phone."""
        phone = self.at(seat)
        if phone is not None:
            self._write({"free": phone.client})
            del self.phones[phone.client]
        return phone

    def clear(self) -> list[Phone]:
        """The game is over: every phone leaves, every code and token is void."""
        gone = list(self.phones.values())
        self.phones.clear()
        self.code = new_code()
        if self._evening:
            self.journal.append(self._evening, "end", {})
            self._evening = ""
        return gone
