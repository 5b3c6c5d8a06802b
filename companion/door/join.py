"""The door: exchanges a join code (or a phone's key) for credentials of its own, and guards the seats that are taken.

A key alone does not take a seat over. When a phone comes back while its seat is alive, the one who sits there is asked first
(`knock/<client>`); only when nobody answers has the phone really been away. Two windows of one browser settle it between
themselves before they knock.
"""

from __future__ import annotations

import contextlib
from concurrent.futures import Future
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from companion.core.guard import PackFailedError
from companion.core.naming import rename
from companion.core.table import Table
from companion.door.pace import Pace
from companion.door.presence import Presence
from companion.door.seats import TRIES, WINDOW, JoinRefused, Phone
from companion.game import Text
from companion.journal.store import JournalUnusableError
from companion.machine import broker
from companion.past.told import past
from companion.wire.bus import later
from companion.wire.names import clean
from companion.wire.words import LANGUAGES

T = TypeVar("T")

TOLD_FOR = 90.0
"""Seconds a notice about somebody at the door stays."""
WATCH_AT_ONCE, WATCH_A_SECOND, WATCH_FROM_ONE, WATCH_LATER = 30, 20.0, 10.0, 3.0
"""Watchers let in: this many together, then this many per second from everywhere and from one address, each in turn, if that is
within seconds. Each costs the broker some milliseconds in which it hears nobody (it writes all its users down): a crowd
at the door may not come in faster than those who play can do without it."""
BACK_AT_ONCE, BACK_A_SECOND = 10, 0.5
"""Returns of one phone: each is a row in the journal and a user made anew at the broker."""
LOOK_AT_ONCE, LOOK_A_SECOND = 8, 3.0
"""Moments of the log one phone may look back at: the core itself draws them; fingers are slower, floods are not."""


class JoinRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What the phone page posts."""

    code: Annotated[str, Meta(max_length=32)] = ""
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    name: Annotated[str, Meta(max_length=40)] = ""
    language: Annotated[str, Meta(max_length=8)] = "en"
    token: Annotated[str, Meta(max_length=128)] = ""
    """The page's half of the key."""


class CodeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A phone at the door asks who sits where."""

    code: Annotated[str, Meta(max_length=32)] = ""


class KeyRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A phone at the table asks for something that is for nobody else."""

    token: Annotated[str, Meta(max_length=128)] = ""


class ThenRequest(KeyRequest, forbid_unknown_fields=True, kw_only=True):
    """How did the table stand after this move?"""

    seq: Annotated[int, Meta(ge=0, le=1_000_000)]


class Joined(msgspec.Struct, frozen=True, omit_defaults=True):
    """What it gets back; the cookie's half travels in the answer's head, where no script reads it."""

    client: str
    user: str
    password: str
    base: str
    seat: int | None
    role: str
    token: str
    name: str
    ws: str = ""
    cookie: str = ""


Answered = Future[Joined | JoinRefused]


class Door:
    """Lets phones in and out, in the core's own thread."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.presence = Presence(table)
        self._watching = Pace(WATCH_AT_ONCE, WATCH_A_SECOND, WATCH_LATER)
        self._watching_from = Pace(WATCH_AT_ONCE, WATCH_FROM_ONE, WATCH_LATER)
        self._returning = Pace(BACK_AT_ONCE, BACK_A_SECOND)
        self._knocking = Pace(TRIES, TRIES / WINDOW)
        self._looking = Pace(LOOK_AT_ONCE, LOOK_A_SECOND)
        table.seats.grown = lambda: table.publish(())
        table.bus.on_flood(self._show_out)

    # looking ---------------------------------------------------------------------------------------------------

    def describe(self, *, names: bool = False) -> bytes:
        """The table for somebody who has not joined yet; who plays is for those with a code. Only looks: any thread may ask."""
        session, config = self.table.session, self.table.config
        playing = session if session is not None and not session.ended else None
        seats = [
            {
                "seat": seat.seat,
                "name": seat.name if names else "",
                "colour": seat.colour,
                "taken": bool(seat.bot) or self.table.seats.at(seat.seat) is not None,
            }
            for seat in (playing.seats if playing else ())
        ]
        return msgspec.json.encode(
            {
                "table": config.table.id,
                "name": config.table.name,
                "game": playing.pack.id if playing else "",
                "seats": seats,
                "ws_port": config.broker.websocket_port,
                "languages": LANGUAGES,
                "language": config.table.language,
            }
        )

    def look(self, code: str, address: str, answer: Future[bytes | JoinRefused]) -> None:
        """The same for somebody who says they have a code; a wrong one is a guess like any other."""
        if not answer.cancelled():
            _tell(answer, self.describe(names=self.table.seats.knows(code, address)))

    # coming ----------------------------------------------------------------------------------------------------

    def join(self, request: JoinRequest, cookie: str, address: str, answer: Answered) -> None:
        """Decide, journal, tell the broker; then the phone hears of it."""
        if answer.cancelled():
            return  # nobody waits any more: a seat given now would be taken by nobody
        try:
            if request.token:
                self._again(f"{request.token}.{cookie}", address, answer)
            else:
                self._in_turn(*self._sit(request, address), address, answer)
        except JoinRefused as refused:
            self._refuse(refused, answer)
        except JournalUnusableError:
            self._refuse(JoinRefused(503, "later"), answer)

    def _sit(self, request: JoinRequest, address: str) -> tuple[Phone, str]:
        table, session = self.table, self.table.session
        if request.seat is not None and (session is None or session.ended or request.seat >= len(session.seats)):
            raise JoinRefused(409, "no-seat")
        if request.seat is not None and session is not None and session.seats[request.seat].bot:
            raise JoinRefused(409, "taken")  # a robot's hand is nobody's to look at
        language = request.language if request.language in LANGUAGES else table.config.table.language
        phone, key = table.seats.join(
            code=request.code,
            seat=request.seat,
            name=self._own_name(clean(request.name), request.seat),
            language=language,
            address=address,
            game=session.game if session is not None else "",
        )
        if phone.seat is not None and session is not None and phone.name:
            with contextlib.suppress(JournalUnusableError):  # the seat is taken all the same, under the name it had
                rename(table, phone.seat, name=phone.name, language=language, sender=phone.client)
        return phone, key

    def _own_name(self, name: str, seat: int | None) -> str:
        """Nobody sits down under a name another chair has: the next game finds people by their names."""
        session = self.table.session
        others = {one.name.casefold() for one in (session.seats if session is not None else ()) if one.seat != seat}
        others |= {one.name.casefold() for one in self.table.seats.phones.values() if one.seat not in (None, seat)}
        if seat is None or not name or name.casefold() not in others:
            return name
        return next(new for n in range(2, 99) if (new := f"{name[:36]} {n}").casefold() not in others)

    def _again(self, key: str, address: str, answer: Answered) -> None:
        """A phone that was here before takes its seat up again, unless somebody sits there now."""
        phone = self.table.seats.again(key, address)
        if phone.client not in self.presence.heard:
            self._come_back(phone, key, address, answer)
            return
        if self._knocking.wait(f"{phone.client} {address}") is None:
            raise JoinRefused(429, "slow")

        def settled(there: bool | None) -> None:
            if there is None:
                self._refuse(JoinRefused(503, "later"), answer)  # the same phone knocks again
            elif there:
                self._refuse(JoinRefused(409, "held", phone.seat), answer)
            elif self.table.seats.phones.get(phone.client) != phone:
                self._refuse(JoinRefused(503, "later"), answer)  # freed or renewed while we waited
            else:
                self.presence.forget(phone.client)
                self._come_back(phone, key, address, answer)

        self.presence.knock(phone.client, settled)

    def _come_back(self, phone: Phone, key: str, address: str, answer: Answered) -> None:
        if self._returning.wait(phone.client) is None:
            self._refuse(JoinRefused(503, "later"), answer)
            return
        try:
            renewed, fresh = self.table.seats.renew(phone, key)
        except JournalUnusableError:
            self._refuse(JoinRefused(503, "later"), answer)
            return
        self._in_turn(renewed, fresh, address, answer)

    def _in_turn(self, phone: Phone, key: str, address: str, answer: Answered) -> None:
        """Who plays comes in at once; who watches, at the pace the broker bears."""
        if phone.seat is not None:
            self._admit(phone, key, answer)
            return
        alone = self._watching_from.wait(address)
        among_all = self._watching.wait() if alone is not None else None
        if alone is None or among_all is None:
            self._turn_away(phone)
            self._refuse(JoinRefused(503, "later"), answer)
        elif (wait := max(alone, among_all)) > 0:
            later(self.table.bus, wait, lambda: self._admit(phone, key, answer))
        else:
            self._admit(phone, key, answer)

    def _admit(self, phone: Phone, key: str, answer: Answered) -> None:
        if phone.seat is None and answer.cancelled():
            self._turn_away(phone)
            return
        config = self.table.config
        password = broker.phone_password(config.state_dir, phone.login)
        page, _, cookie = key.partition(".")

        def done() -> None:
            if phone.seat is not None:  # one more who watches changes nothing that the others could see
                self.table.publish(())
            _tell(answer, _welcome(self.table, phone, password, page, cookie))

        commands = [c for gone in self.table.seats.crowded_out() for c in broker.dismiss(config.table.id, gone.client)]
        commands += broker.admit(config.table.id, phone.client, phone.seat, password, phone.turn > 0)
        self.table.bus.control(commands, done)

    def _turn_away(self, phone: Phone) -> None:
        """Somebody who came to watch and did not get in; one who was in before may try again with the key they have."""
        if phone.turn == 0:
            self.table.seats.leave(phone)

    def _refuse(self, refused: JoinRefused, answer: Answered) -> None:
        if refused.seat is not None:
            self._warn(refused.seat, "knocked")
        _tell(answer, refused)

    def readmit(self) -> None:
        """After a new connection: a broker that was started anew knows no phones; one that outlived us knows some we do not."""
        self.table.bus.users(self._agree_with)

    def _agree_with(self, users: list[dict[str, Any]]) -> None:
        """Tell the broker who sits here. Of those it knows beside them, who watches the present game stays until it ends: their
        keys were never written down, but what they hear they may hear; everybody else goes."""
        table, seats, session = self.table.config.table.id, self.table.seats, self.table.session
        roles = {str(user.get("username")): {role.get("rolename") for role in user.get("roles", ())} for user in users}
        commands: list[dict[str, Any]] = []
        for client, held in roles.items():
            if client in seats.phones or not held & {f"{table}-spectator", f"{table}-{client}"}:
                continue
            if f"{table}-spectator" in held and session is not None and not session.ended:
                seats.adopt(client)
            else:
                commands += broker.dismiss(table, client)
        for phone in seats.phones.values():
            if phone.client not in roles:
                password = broker.phone_password(self.table.config.state_dir, phone.login)
                commands += broker.admit(table, phone.client, phone.seat, password)
        if commands:
            self.table.bus.control(commands, lambda: None)

    # going -----------------------------------------------------------------------------------------------------

    def leave(self, token: str, cookie: str, address: str, answer: Future[bytes | JoinRefused]) -> None:
        """Standing up: the seat is free at once, for anybody with the code on the screen."""
        phone = self._at_the_table(token, cookie, address, answer)
        if phone is None:
            return  # a phone that was told to try later still sits here
        try:
            self.table.seats.leave(phone)
        except JournalUnusableError:
            _tell(answer, JoinRefused(503, "later"))
            return
        self._gone(phone)
        if phone.seat is not None:  # one who watched leaves as unseen as they came
            self.table.publish(())
        _tell(answer, b"{}")

    def _gone(self, phone: Phone) -> None:
        self.presence.forget(phone.client)
        self.table.bus.control(broker.dismiss(self.table.config.table.id, phone.client), lambda: None)

    def _show_out(self, client: str) -> None:
        """No person says this much: the broker hears that phone no more, and its seat is free for whoever has the code."""
        phone = self.table.seats.phones.get(client)
        if phone is None:
            return
        try:
            self.table.seats.leave(phone)
        except JournalUnusableError:
            self.table.seats.phones.pop(client, None)  # after a restart it may come back, which is soon enough
        self._gone(phone)
        if phone.seat is not None:
            self._warn(phone.seat, "flooded")

    def past(self, token: str, cookie: str, address: str, answer: Future[bytes | JoinRefused]) -> None:
        """Finished games, for phones at the table: who played when is nobody else's business. Looked up elsewhere."""
        phone = self._at_the_table(token, cookie, address, answer)
        if phone is not None:
            self.table.archive.ask(
                phone.client,
                "phone",
                lambda finished: msgspec.json.encode(past(finished, self.table.packs)),
                lambda told: _tell(answer, told or JoinRefused(503, "later")),
                answer.cancelled,
            )

    def then(self, wanted: ThenRequest, cookie: str, address: str, answer: Future[bytes | JoinRefused]) -> None:
        """A moment of the game on the table as everybody could see it, for phones that sit or watch here."""
        phone = self._at_the_table(wanted.token, cookie, address, answer)
        if phone is None:
            return
        found, session = None, self.table.session
        if session is not None and self._looking.wait(phone.client) is not None:
            with contextlib.suppress(PackFailedError):
                found = self.table.announcer.then(session, wanted.seq)
        _tell(answer, msgspec.json.encode(found) if found is not None else JoinRefused(503, "later"))

    def _at_the_table(self, token: str, cookie: str, address: str, answer: Future[bytes | JoinRefused]) -> Phone | None:
        """The phone with this key, while it still waits; a stranger is told so."""
        if answer.cancelled():
            return None
        try:
            return self.table.seats.again(f"{token}.{cookie}", address)
        except JoinRefused as refused:
            _tell(answer, refused)
            return None

    def _warn(self, seat: int, what: str) -> None:
        """The table and the one who sits there learn that somebody tried, or was shown out."""
        text = Text(f"join/notice/{what}", {"seat": Text("seat", {"n": seat})})
        notice = self.table.notice(f"{what}-{seat}", text, "warn", Text(f"join/notice/{what}-do"))
        self.table.publish(())

        def forget() -> None:
            self.table.notices = tuple(one for one in self.table.notices if one is not notice)
            self.table.publish(())

        later(self.table.bus, TOLD_FOR, forget)


def _tell(answer: Future[T], result: T) -> None:
    """Answer whoever still waits; the page's thread may give up at this very moment, which is not the core's fault."""
    if answer.set_running_or_notify_cancel():
        answer.set_result(result)


def _welcome(table: Table, phone: Phone, password: str, token: str, cookie: str) -> Joined:
    return Joined(
        client=phone.client,
        user=phone.client,
        password=password,
        base=f"tableside/{table.config.table.id}/",
        seat=phone.seat,
        role="spectator" if phone.seat is None else "seat",
        token=token,
        name=phone.name,
        cookie=cookie,
    )
