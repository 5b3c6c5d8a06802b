"""Who sits where: join codes, keys, and the phones the broker may let in.

A code is good for one seat and for one game: as soon as it was used, the screen shows another. A phone keeps a key in two
halves (one in the page, one in a cookie no script can read), so a reload or a dead battery costs nothing; at every return
it gets a new key and the old one is spent. Joins are journalled; the broker's users are derived from that.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets as chance
import time
from collections import deque
from collections.abc import Collection
from typing import Any

import msgspec

from companion.game import Text
from companion.journal.store import Journal, JournalFullError
from companion.wire.messages import Refusal

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
TRIES, WINDOW = 10, 60.0
"""Wrong codes from one address in that many seconds, before it has to wait."""
ADDRESSES = 256
"""From so many on, those that have been quiet since are forgotten first."""


WATCHERS = 1000
"""People who may have come to watch since the game began; nobody hears when one of them has gone home."""


class Phone(msgspec.Struct, frozen=True):
    """A phone at the table; `seat` is `None` for a spectator."""

    client: str
    seat: int | None
    name: str
    language: str
    token: str
    """Only hashes are kept: of the page's half of its key,"""
    cookie: str = ""
    """and of the cookie's."""
    before: tuple[str, str] = ("", "")
    """Both halves of the key before. They stay good, also one of each, until the present key is known to have arrived:
    an answer that got lost on the way, or of which only the cookie was kept, locks nobody out."""
    turn: int = 0
    """How often it has come back: its password on the broker changes with it."""
    game: str = ""
    """The game it sits at; phones that sat down under an older version do not say, and sit at the one that was open."""

    def opens(self, page: str, cookie: str) -> bool:
        """Hashes of two halves that are this phone's."""
        pages = hmac.compare_digest(self.token, page) | hmac.compare_digest(self.before[0], page)
        return pages & (hmac.compare_digest(self.cookie, cookie) | hmac.compare_digest(self.before[1], cookie))

    @property
    def login(self) -> str:
        """What its password is made of."""
        return f"{self.client}#{self.turn}" if self.turn else self.client


class JoinRefused(Exception):  # noqa: N818 - said as the door would say it
    """No entry, with what to do."""

    def __init__(self, status: int, code: str, seat: int | None = None) -> None:
        super().__init__(code)
        self.status = status
        self.seat = seat
        """The seat somebody else holds: its holder and the table should know."""
        self.refusal = Refusal(code=f"join/{code}", say=Text(f"join/refuse/{code}"), do=Text(f"join/do/{code}"))


def new_code() -> str:
    """Six characters nobody mistakes for another."""
    return "".join(chance.choice(ALPHABET) for _ in range(6))


def new_key() -> str:
    """Both halves of a phone's key, with a dot between them."""
    return f"{chance.token_urlsafe(24)}.{chance.token_urlsafe(24)}"


def _hashes(key: str) -> tuple[str, str]:
    page, _, cookie = key.partition(".")
    return hashlib.sha256(page.encode()).hexdigest(), hashlib.sha256(cookie.encode()).hexdigest()


class Seats:
    """The chairs of one table."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.code = new_code()
        self.phones: dict[str, Phone] = {}
        self._spent: dict[str, str] = {}
        """Hashes of page halves that were replaced -> the client they belonged to."""
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
            # a row of another version is no reason not to start: that phone scans the code again
            with contextlib.suppress(msgspec.ValidationError):
                self._seat(msgspec.convert(body, Phone))

    def _seat(self, phone: Phone) -> None:
        known = self.phones.get(phone.client)
        if known is not None:
            good = {phone.token, phone.before[0], ""}
            self._spent |= dict.fromkeys({known.token, known.before[0]} - good, phone.client)
        self.phones[phone.client] = phone

    def _write(self, body: dict[str, Any]) -> None:
        if not self._evening:
            self._evening = f"seats-{time.strftime('%Y%m%d-%H%M%S')}-{chance.token_hex(3)}"
            self.journal.append(self._evening, "new", {"pack": "", "options": {}, "box": {}, "seats": []})
        self.journal.append(self._evening, "seat", body)

    def at(self, seat: int) -> Phone | None:
        """The phone at a seat."""
        # a copy: the page's threads ask too, and somebody may sit down while they look
        return next((phone for phone in list(self.phones.values()) if phone.seat == seat), None)

    def join(
        self, *, code: str, seat: int | None, name: str, language: str, address: str, game: str = ""
    ) -> tuple[Phone, str]:
        """Exchange a code for a seat of this game (or a place to watch from); returns the phone and its key."""
        self._slow_down(address)
        if not hmac.compare_digest(code.strip().upper().encode(), self.code.encode()):
            self.failed(address)
            raise JoinRefused(403, "code")
        if seat is not None and self.at(seat) is not None:
            raise JoinRefused(409, "taken")
        key = new_key()
        kind = "w" if seat is None else f"s{seat}"
        phone = Phone(f"phone-{kind}-{chance.token_hex(6)}", seat, name, language, *_hashes(key), game=game)
        if seat is not None:
            self._write(msgspec.to_builtins(phone))
            self.code = new_code()
        self.phones[phone.client] = phone
        return phone, key

    def crowded_out(self) -> list[Phone]:
        """Watchers beyond the limit, those who came first; they may come in again."""
        watchers = [phone for phone in self.phones.values() if phone.seat is None]
        gone = watchers[: max(0, len(watchers) - WATCHERS)]
        for phone in gone:
            del self.phones[phone.client]
        return gone

    def again(self, key: str, address: str) -> Phone:
        """The phone whose key this is, coming back; a spent key is somebody's copy, and says whose seat it wanted."""
        self._slow_down(address)
        page, cookie = _hashes(key)
        for phone in self.phones.values():
            if phone.opens(page, cookie):
                return phone
        self.failed(address)
        whose = self.phones.get(self._spent.get(page, ""))
        if whose is not None:
            raise JoinRefused(403, "spent", whose.seat)
        raise JoinRefused(403, "token")

    def renew(self, phone: Phone, used: str) -> tuple[Phone, str]:
        """A phone is back: it gets a new key and a new password; only seats are worth a line in the journal."""
        key = new_key()
        page, cookie = _hashes(key)
        changed = msgspec.structs.replace(phone, token=page, cookie=cookie, before=_hashes(used), turn=phone.turn + 1)
        if phone.seat is not None:
            self._write(msgspec.to_builtins(changed))
        self._seat(changed)
        return changed, key

    def arrived(self, client: str) -> None:
        """The phone is heard with its present password, so its key has arrived: the one before is spent."""
        phone = self.phones.get(client)
        if phone is not None and phone.before[0]:
            self._seat(msgspec.structs.replace(phone, before=("", "")))

    def failed(self, address: str) -> None:
        """One more wrong try from there."""
        now = time.monotonic()
        if len(self._failures) >= ADDRESSES:
            self._failures = {one: tries for one, tries in self._failures.items() if now - tries[-1] <= WINDOW}
        self._failures.setdefault(address, deque(maxlen=TRIES)).append(now)

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
            self.leave(phone)
        return phone

    def leave(self, phone: Phone) -> None:
        """This phone is no longer at the table; its key opens nothing."""
        if phone.seat is not None:
            self._write({"free": phone.client})
        self.phones.pop(phone.client, None)

    def follow(self, game: str, chairs: Collection[int]) -> list[Phone]:
        """Another game is on the table: phones at these chairs sit on, the others are returned and sit here no longer."""
        gone = []
        for phone in [phone for phone in self.phones.values() if phone.seat is not None and phone.game != game]:
            try:
                if phone.seat in chairs:
                    changed = msgspec.structs.replace(phone, game=game)
                    self._write(msgspec.to_builtins(changed))
                    self.phones[phone.client] = changed
                    continue
                self.leave(phone)
            except JournalFullError:  # the game goes on; after a restart its row says that it sat at another one
                self.phones.pop(phone.client, None)
            gone.append(phone)
        return gone

    def come_back_to(self, game: str) -> None:
        """The core starts again with this game: whoever the power cut left sitting at another one sits nowhere."""
        self.follow(game, [phone.seat for phone in self.phones.values() if phone.seat is not None and not phone.game])

    def clear(self) -> list[Phone]:
        """The game is over: every phone leaves, every code and key is void."""
        gone = list(self.phones.values())
        self.phones.clear()
        self._spent.clear()
        self.code = new_code()
        if self._evening:
            self.journal.append(self._evening, "end", {})
            self._evening = ""
        return gone
