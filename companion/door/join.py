"""The door: exchanges a join code (or a phone's key) for credentials of its own, and guards the seats that are taken.

A key alone does not take a seat over. When a phone comes back while its seat is alive, the one who sits there is asked first
(`knock/<client>`); only when nobody answers has the phone really been away. Two windows of one browser settle it between
themselves before they knock.
"""

from __future__ import annotations

import secrets as chance
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from companion.core.admin import dismiss_strangers
from companion.core.table import Table
from companion.door.finished_games import past
from companion.door.seats import JoinRefused, Phone
from companion.game import Text
from companion.journal.store import JournalFullError
from companion.machine import broker
from companion.wire.messages import Here, Knock, Notice, Refusal
from companion.wire.words import LANGUAGES

T = TypeVar("T")

PATIENCE = 1.5
"""Seconds a phone that is there has to say so; one that fell silent is not waited for longer."""
TOLD_FOR = 90.0
"""Seconds a notice about somebody at the door stays."""


class JoinRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What the phone page posts."""

    code: Annotated[str, Meta(max_length=32)] = ""
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    name: Annotated[str, Meta(max_length=40)] = ""
    language: Annotated[str, Meta(max_length=8)] = "en"
    token: Annotated[str, Meta(max_length=128)] = ""
    """The page's half of the key."""


class KeyRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A phone at the table asks for something that is for nobody else."""

    token: Annotated[str, Meta(max_length=128)] = ""


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
        self._alive: dict[str, str] = {}
        """Client -> the connection it was last heard on."""
        self._knocks: dict[str, tuple[str, Callable[[bool | None], None]]] = {}
        """Client -> what was asked, and what follows from its answer."""
        table.bus.subscribe("here/+", self._on_here)

    # coming ----------------------------------------------------------------------------------------------------

    def join(self, request: JoinRequest, cookie: str, address: str, answer: Answered) -> None:
        """Decide, journal, tell the broker; then the phone hears of it."""
        if answer.cancelled():
            return  # nobody waits any more: a seat given now would be taken by nobody
        try:
            if request.token:
                self._again(f"{request.token}.{cookie}", address, answer)
            else:
                self._admit(*self._sit(request, address), answer)
        except JoinRefused as refused:
            self._refuse(refused, answer)
        except JournalFullError:
            self._refuse(JoinRefused(503, "later"), answer)

    def _sit(self, request: JoinRequest, address: str) -> tuple[Phone, str]:
        table, session = self.table, self.table.session
        if request.seat is not None and (session is None or session.ended or request.seat >= len(session.seats)):
            raise JoinRefused(409, "no-seat")
        language = request.language if request.language in LANGUAGES else table.config.table.language
        phone, key = table.seats.join(
            code=request.code,
            seat=request.seat,
            name=request.name.strip(),
            language=language,
            address=address,
            game=session.game if session is not None else "",
        )
        if phone.seat is not None and session is not None and phone.name:
            seats = list(session.seats)
            seats[phone.seat] = msgspec.structs.replace(seats[phone.seat], name=phone.name, language=language)
            session.seats = tuple(seats)
        for gone in table.seats.crowded_out():
            table.bus.control(broker.dismiss(table.config.table.id, gone.client), lambda: None)
        return phone, key

    def _again(self, key: str, address: str, answer: Answered) -> None:
        """A phone that was here before takes its seat up again, unless somebody sits there now."""
        phone = self.table.seats.again(key, address)
        if phone.client not in self._alive:
            self._come_back(phone, key, answer)
            return

        def settled(there: bool | None) -> None:
            if there is None:
                self._refuse(JoinRefused(503, "later"), answer)  # the same phone knocks again
            elif there:
                self.table.seats.failed(address)
                self._refuse(JoinRefused(409, "held", phone.seat), answer)
            elif self.table.seats.phones.get(phone.client) != phone:
                self._refuse(JoinRefused(503, "later"), answer)  # freed or renewed while we waited
            else:
                self._alive.pop(phone.client, None)
                self._come_back(phone, key, answer)

        self._knock(phone.client, settled)

    def _come_back(self, phone: Phone, key: str, answer: Answered) -> None:
        try:
            renewed, fresh = self.table.seats.renew(phone, key)
        except JournalFullError:
            self._refuse(JoinRefused(503, "later"), answer)
            return
        self._admit(renewed, fresh, answer)

    def _admit(self, phone: Phone, key: str, answer: Answered) -> None:
        config = self.table.config
        password = broker.phone_password(config.state_dir, phone.login)
        page, _, cookie = key.partition(".")

        def done() -> None:
            if phone.seat is not None:  # one more who watches changes nothing that the others could see
                self.table.publish(())
            _tell(answer, _welcome(self.table, phone, password, page, cookie))

        self.table.bus.control(broker.admit(config.table.id, phone.client, phone.seat, password, phone.turn > 0), done)

    def _refuse(self, refused: JoinRefused, answer: Answered) -> None:
        if refused.seat is not None:
            self._warn(refused.seat)
        _tell(answer, refused)

    def readmit(self) -> None:
        """After the broker started anew it knows no phones: tell it who sits here, and who does no longer."""
        config = self.table.config
        commands: list[dict[str, Any]] = []
        for phone in self.table.seats.phones.values():
            password = broker.phone_password(config.state_dir, phone.login)
            commands += broker.admit(config.table.id, phone.client, phone.seat, password)
        if commands:
            self.table.bus.control(commands, lambda: None)
        dismiss_strangers(self.table, "phone-s")

    # going -----------------------------------------------------------------------------------------------------

    def leave(self, token: str, cookie: str, address: str, answer: Future[bytes | JoinRefused]) -> None:
        """Standing up: the seat is free at once, for anybody with the code on the screen."""
        if answer.cancelled():
            return  # the phone was told to try later: it still sits here
        try:
            phone = self.table.seats.again(f"{token}.{cookie}", address)
            self.table.seats.leave(phone)
        except JoinRefused as refused:
            _tell(answer, refused)
            return
        except JournalFullError:
            _tell(answer, JoinRefused(503, "later"))
            return
        self._alive.pop(phone.client, None)
        self.table.bus.control(broker.dismiss(self.table.config.table.id, phone.client), lambda: None)
        if phone.seat is not None:  # one who watched leaves as unseen as they came
            self.table.publish(())
        _tell(answer, b"{}")

    def past(self, token: str, cookie: str, address: str, answer: Future[bytes | JoinRefused]) -> None:
        """Finished games, for phones at the table: who played when is nobody else's business."""
        try:
            self.table.seats.again(f"{token}.{cookie}", address)
        except JoinRefused as refused:
            _tell(answer, refused)
            return
        _tell(answer, past(self.table.journal))

    # who is there ----------------------------------------------------------------------------------------------

    def _on_here(self, topic: str, message: Any) -> None:
        client, here = topic.removeprefix("here/"), message
        phone = self.table.seats.phones.get(client)
        if not isinstance(here, Here) or phone is None:
            return
        if not here.here:
            if self._alive.get(client) == here.line:
                del self._alive[client]
                self._settle(client, there=False)
            return
        asked = self._knocks.get(client)
        if here.knock:
            if asked is not None and asked[0] == here.knock:
                self._settle(client, there=True)
            return
        self._settle(client, there=True)
        # who was shown out cannot say goodbye: their will is refused with everything else
        self._alive = {one: line for one, line in self._alive.items() if one in self.table.seats.phones}
        self._alive[client] = here.line
        self.table.seats.arrived(client)
        if phone.seat is not None:
            self.table.announcer.tell_again(phone.seat)

    def _knock(self, client: str, settled: Callable[[bool | None], None]) -> None:
        self._settle(client, there=None)
        nonce = chance.token_hex(8)
        self._knocks[client] = (nonce, settled)
        self.table.bus.publish(f"knock/{client}", Knock(knock=nonce))

        def silence() -> None:
            asked = self._knocks.get(client)
            if asked is not None and asked[0] == nonce:
                self._settle(client, there=False)

        self._later(PATIENCE, silence)

    def _settle(self, client: str, *, there: bool | None) -> None:
        asked = self._knocks.pop(client, None)
        if asked is not None:
            asked[1](there)

    def _warn(self, seat: int) -> None:
        """The table and the one who sits there learn that somebody tried."""
        name = f"knocked-{seat}"
        here = Text("seat", {"n": seat})
        notice = Notice(
            id=name, text=Text("join/notice/knocked", {"seat": here}), do=Text("join/notice/knocked-do"), kind="warn"
        )
        self.table.notices = (*(one for one in self.table.notices if one.id != name), notice)
        self.table.publish(())

        def forget() -> None:
            self.table.notices = tuple(one for one in self.table.notices if one is not notice)
            self.table.publish(())

        self._later(TOLD_FOR, forget)

    def _later(self, seconds: float, work: Callable[[], None]) -> None:
        timer = threading.Timer(seconds, self.table.bus.call, (work,))
        timer.daemon = True
        timer.start()


def _tell(answer: Future[T], result: T) -> None:
    """Answer whoever still waits; the page's thread may give up at this very moment, which is no fault of the core."""
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


def refused_body(refusal: Refusal) -> bytes:
    """A refusal as the page reads it."""
    return msgspec.json.encode({"refusal": refusal})
