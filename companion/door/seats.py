"""Who sits where: join codes, keys, and the phones the broker may let in.

A code is good for one seat and for one game: as soon as it was used, the screen shows another. A phone keeps a key in two
halves (one in the page, one in a cookie no script can read), so a reload or a dead battery costs nothing; at every return
it gets a new key and the old one is spent. Joins are journalled; the broker's users are derived from that.

Wrong codes are counted, by address and in all; the right one opens whatever was tried before it, because a guesser may sit
behind the same address as the guests. What keeps guessing pointless is the code itself: it grows while it is guessed at.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets as chance
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.game import Text
from companion.journal.store import RESTORED, Journal, JournalUnusableError
from companion.wire.messages import Refusal

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
TRIES, ALTOGETHER, WINDOW = 10, 100, 60.0
"""Wrong codes from one address, and from everywhere, in that many seconds; then whoever guesses is told to wait."""
ADDRESSES = 256
"""Above this number, those that have been quiet longest are forgotten first."""
MORE, SHORT_FOR, CALM = 4, 60.0, 600.0
"""Characters a code grows by when too many were tried altogether (a thousand guesses per second then take 26,000 years to all of
them); seconds for which it opens without them, for whoever has just scanned it; seconds without a guess until codes are short."""
WATCHERS = 300
"""People who may watch at once; nobody hears when one of them has gone home, so who came first makes room."""


Client = Annotated[str, Meta(pattern=r"\Aphone-(w|s[0-7])-[0-9a-z]{1,32}\Z")]
"""What a phone is called: its user on the broker, and a part of its topics."""


class Phone(msgspec.Struct, frozen=True):
    """A phone at the table; `seat` is `None` for a spectator."""

    client: Client
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

    def __init__(self, status: int, code: str, seat: int | None = None, **params: str) -> None:
        super().__init__(code)
        self.status = status
        self.seat = seat
        """The seat somebody else holds: its holder and the table should know."""
        say, do = Text(f"join/refuse/{code}", dict(params)), Text(f"join/do/{code}", dict(params))
        self.refusal = Refusal(code=f"join/{code}", say=say, do=do)


def new_code(length: int = 6) -> str:
    """Characters nobody mistakes for one another."""
    return "".join(chance.choice(ALPHABET) for _ in range(length))


def new_key() -> str:
    """Both halves of a phone's key, with a dot between them."""
    return f"{chance.token_urlsafe(24)}.{chance.token_urlsafe(24)}"


def _hashes(key: str) -> tuple[str, str]:
    page, _, cookie = key.partition(".")
    return hashlib.sha256(page.encode()).hexdigest(), hashlib.sha256(cookie.encode()).hexdigest()


def _all_of(tries: deque[float], now: float) -> bool:
    """As many as are counted, and none of them long ago."""
    return len(tries) == tries.maxlen and now - tries[0] <= WINDOW


class Seats:
    """The chairs of one table."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._failures: dict[str, deque[float]] = {}
        self._guesses: deque[float] = deque(maxlen=ALTOGETHER)
        """The same from everywhere."""
        self._more = ""
        self.grown: Callable[[], None] = lambda: None
        """What follows when the code has grown: somebody has to show it."""
        self.code = new_code()
        self.phones: dict[str, Phone] = {}
        self._spent: dict[str, str] = {}
        """Hashes of page halves that were replaced -> the client they belonged to."""
        self._evening = ""
        with contextlib.suppress(JournalUnusableError):  # nobody sits here then, and the next start tries again
            self._take_up_evening()

    def _take_up_evening(self) -> None:
        """Whoever sat here when the core ended sits here again. Not so after a restore: a key is a secret, and those in a backup
        may be anybody's."""
        restored = self.journal.directory / RESTORED
        for first, end in self.journal.games():
            if not first.game.startswith("seats-") or end is not None:
                continue
            if restored.exists():
                self.journal.append(first.game, "end", {})
                continue
            self._evening = first.game
            for row in self.journal.rows(first.game)[1:]:
                self._replay(row.body)
            return
        with contextlib.suppress(OSError):
            restored.unlink(missing_ok=True)

    def _replay(self, body: dict[str, Any]) -> None:
        # a row of another version is no reason not to start: that phone scans the code again
        with contextlib.suppress(msgspec.ValidationError):
            if "free" in body:
                self.phones.pop(msgspec.convert(body["free"], Client), None)
            else:
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

    @property
    def code(self) -> str:
        """What opens a seat, or a place to watch from."""
        return self._code + self._more

    @code.setter
    def code(self, code: str) -> None:
        self._code, self._short_until = code, 0.0
        if self._guesses and time.monotonic() - self._guesses[-1] > CALM:
            self._more = ""

    def knows(self, code: str, address: str) -> bool:
        """It is the present code; a wrong one is counted."""
        given = code.strip().upper().encode()
        short = bool(self._more) and time.monotonic() < self._short_until
        right = hmac.compare_digest(given, self.code.encode())
        if right | (short & hmac.compare_digest(given, self._code.encode())):
            return True
        self.failed(address)
        return False

    def join(
        self, *, code: str, seat: int | None, name: str, language: str, address: str, game: str = ""
    ) -> tuple[Phone, str]:
        """Exchange a code for a seat of this game (or a place to watch from); returns the phone and its key."""
        slow = self._tired_of(address)
        if not self.knows(code, address):
            raise JoinRefused(429, "slow") if slow else JoinRefused(403, "code")
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

    def adopt(self, client: str) -> None:
        """Somebody who watches and whose key is forgotten, because the core was started anew: they leave with the others."""
        self.phones.setdefault(client, Phone(client, None, "", "", ""))

    def crowded_out(self) -> list[Phone]:
        """Watchers beyond the limit, those who came first; they may come in again."""
        watchers = [phone for phone in self.phones.values() if phone.seat is None]
        gone = watchers[: max(0, len(watchers) - WATCHERS)]
        for phone in gone:
            del self.phones[phone.client]
        return gone

    def again(self, key: str, address: str) -> Phone:
        """The phone whose key this is, coming back; a spent key is somebody's copy, and says whose seat it wanted."""
        page, cookie = _hashes(key)
        for phone in self.phones.values():
            if page in (phone.token, phone.before[0]) and phone.opens(page, cookie):
                return phone
        slow = self._tired_of(address)
        self.failed(address)
        if slow:
            raise JoinRefused(429, "slow")
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
        """One more wrong try from there. When there are too many from everywhere, the code grows."""
        now = time.monotonic()
        if len(self._failures) >= ADDRESSES:
            self._failures = {one: tries for one, tries in self._failures.items() if now - tries[-1] <= WINDOW}
        if address in self._failures or len(self._failures) < ADDRESSES:  # else there are too many altogether anyway
            self._failures.setdefault(address, deque(maxlen=TRIES)).append(now)
        self._guesses.append(now)
        if not self._more and _all_of(self._guesses, now):
            self._more, self._short_until = new_code(MORE), now + SHORT_FOR
            self.grown()

    def _tired_of(self, address: str) -> bool:
        """So many wrong tries from there, or from everywhere, that the next one only hears that it has to wait."""
        now = time.monotonic()
        failures = self._failures.get(address, deque())
        while failures and now - failures[0] > WINDOW:
            failures.popleft()
        if not failures:
            self._failures.pop(address, None)
        return _all_of(failures, now) or _all_of(self._guesses, now)

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
        self._close_empty_evening()

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
            except JournalUnusableError:  # the game goes on; after a restart its row says that it sat at another one
                self.phones.pop(phone.client, None)
            gone.append(phone)
        return gone

    def come_back_to(self, game: str, chairs: int) -> None:
        """The core starts again with this game: whoever the power cut left sitting at another one sits nowhere."""
        unsaid = [phone.seat for phone in self.phones.values() if phone.seat is not None and not phone.game]
        self.follow(game, [seat for seat in unsaid if seat < chairs])

    def rest(self) -> list[Phone]:
        """No game is on the table: who sits stays for the next one, who watched is returned and leaves; the code is another."""
        gone = [phone for phone in self.phones.values() if phone.seat is None]
        for phone in gone:
            del self.phones[phone.client]
        self.code = new_code()
        return gone

    def _close_empty_evening(self) -> None:
        """Nobody sits here any more: the list of who did ends, and spent keys are nobody's."""
        if self._evening and all(phone.seat is None for phone in self.phones.values()):
            self.journal.append(self._evening, "end", {})
            self._evening = ""
            self._spent.clear()
