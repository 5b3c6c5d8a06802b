"""A row of the journal, and the checksum that chains it to the one before."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Kind = Literal["new", "move", "undo", "seat", "end", "resume"]
Name = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9-]{1,80}\Z")]
"""What a game may be called: its spare copy is a file of that name."""
Number = Annotated[int, Meta(ge=0, le=2**53)]
Moment = Annotated[float, Meta(ge=0, le=253_402_300_799)]
"""Seconds since 1970, up to the year 9999."""


class Row(msgspec.Struct, frozen=True):
    """One line of a game: `new` opens it, `end` closes it, `resume` opens it again (without the rows from `without` on, if
    it says so), everything between is play."""

    game: Name
    seq: Number
    kind: Kind
    body: dict[str, Any]
    sender: str = ""
    cause: str = ""
    request: str = ""
    ts: Moment = 0.0
    chain: str = ""


to_json = msgspec.json.Encoder(order="deterministic")
from_json = msgspec.json.Decoder(Row)
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding a damaged row may raise."""


def chain_of(row: Row, before: str) -> str:
    """The checksum of a row that follows `before`."""
    plain = to_json.encode([before, row.game, row.seq, row.kind, row.body, row.sender, row.cause, row.request, row.ts])
    return hashlib.sha256(plain).hexdigest()[:32]


def longest_prefix(rows: list[Row]) -> list[Row]:
    """Rows from the first on while numbers and checksums fit."""
    before, valid = "", list[Row]()
    for seq, row in enumerate(rows):
        if row.seq != seq or row.chain != chain_of(row, before):
            break
        valid.append(row)
        before = row.chain
    return valid
