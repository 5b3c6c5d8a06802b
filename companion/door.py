"""The door: exchanges a join code (or a phone's token) for credentials of its own."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion import broker
from companion.messages import Refusal
from companion.seats import JoinRefused, Phone
from companion.table import Table
from companion.words import LANGUAGES


class JoinRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What the phone page posts."""

    code: Annotated[str, Meta(max_length=32)] = ""
    seat: Annotated[int, Meta(ge=0, le=7)] | None = None
    name: Annotated[str, Meta(max_length=40)] = ""
    language: Annotated[str, Meta(max_length=8)] = "en"
    token: Annotated[str, Meta(max_length=128)] = ""


class Joined(msgspec.Struct, frozen=True):
    """What it gets back."""

    client: str
    user: str
    password: str
    base: str
    seat: int | None
    role: str
    token: str
    name: str
    ws: str = ""


def join(table: Table, request: JoinRequest, address: str, answer: Future[Joined | JoinRefused]) -> None:
    """In the core's own thread: decide, journal, tell the broker; then the phone hears of it."""
    try:
        phone, token = _decide(table, request, address)
    except JoinRefused as refused:
        answer.set_result(refused)
        return
    password = broker.phone_password(table.config.state_dir, phone.client)

    def done() -> None:
        table.publish(())
        if phone.seat is not None and table.session is not None:
            table.send_private(table.session, phone.seat, again=True)
        if not answer.cancelled():
            answer.set_result(_welcome(table, phone, password, token))

    table.bus.control(broker.admit(table.config.table.id, phone.client, phone.seat, password), done)


def _decide(table: Table, request: JoinRequest, address: str) -> tuple[Phone, str]:
    if request.token:
        return table.seats.again(request.token, address), request.token
    session = table.session
    if request.seat is not None and (session is None or session.ended or request.seat >= len(session.seats)):
        raise JoinRefused(409, "no-seat")
    language = request.language if request.language in LANGUAGES else table.config.table.language
    phone, token = table.seats.join(
        code=request.code, seat=request.seat, name=request.name.strip(), language=language, address=address
    )
    if phone.seat is not None and session is not None and phone.name:
        seats = list(session.seats)
        seats[phone.seat] = msgspec.structs.replace(seats[phone.seat], name=phone.name, language=language)
        session.seats = tuple(seats)
    return phone, token


def _welcome(table: Table, phone: Phone, password: str, token: str) -> Joined:
    return Joined(
        client=phone.client,
        user=phone.client,
        password=password,
        base=f"tableside/{table.config.table.id}/",
        seat=phone.seat,
        role="spectator" if phone.seat is None else "seat",
        token=token,
        name=phone.name,
    )


def readmit(table: Table) -> None:
    """After the broker started anew it knows no phones: tell it who sits here."""
    commands: list[dict[str, Any]] = []
    for phone in table.seats.phones.values():
        password = broker.phone_password(table.config.state_dir, phone.client)
        commands += broker.admit(table.config.table.id, phone.client, phone.seat, password)
    if commands:
        table.bus.control(commands, lambda: None)


def refused_body(refusal: Refusal) -> bytes:
    """A refusal as the page reads it."""
    return msgspec.json.encode({"refusal": refusal})
