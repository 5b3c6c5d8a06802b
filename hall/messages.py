"""Topics at the hall's brokers. The messages themselves are `companion.wire.hall`, because tables speak them too.

Said by a table, and by nobody else in its name (its user may write below `tables/<name>/` alone):
    tables/<name>/score            TableScore, retained
    tables/<name>/health/<room>    companion.wire.messages.Health, retained, with its last will
    tables/<name>/result           Result, retained until stored; then the table's next
    tables/<name>/here             b"1" or b"0", retained: the bridge itself, with its last will

Said by the hall; a table hears its own and `all`:
    hall/all/here                  HallHere, retained
    hall/<name>/stored             Stored
    hall/<name>/pairing            Pairing, retained
    hall/<name>/call               Call, retained
    hall/<name>/message            HallMessage, retained
    hall/all/message               HallMessage, retained, to every table

Both brokers of the pair carry everything; whoever listens hears it twice, and keeps what is newer.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from companion.wire.hall import LARGEST_SCORE, Result, TableName, TableScore
from companion.wire.messages import Health
from companion.wire.names import printable

ALL = "all"
"""No table may have this name."""
HOME = "home-assistant"
"""Invited like a table, and none: whatever it says is left out."""
LARGEST_RESULT, LARGEST_HEALTH, LARGEST_TROUBLE = 8_000, 16_000, 300
SAID = re.compile(r"tables/([a-z0-9-]{1,32})/(score|here|result|health)(?:/([a-z_]{1,20}))?")
HEARD = ("tables/+/score", "tables/+/health/+", "tables/+/result", "tables/+/here")
"""What the hall subscribes to."""


class Said(msgspec.Struct, frozen=True):
    """What one table said: `what` is `score`, `here`, `health` or `result`."""

    table: str
    what: str
    message: TableScore | Health | Result | bool | None
    """`None`: taken back."""


def table_name(name: str) -> str:
    """A name a table may have at the hall; `ValueError` says what is wrong with another."""
    try:
        found: str = msgspec.convert(name, TableName)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"{name!r} is not a name for a table: use a to z, 0 to 9 and -, at most 32 of them") from wrong
    if found in (ALL, "hall"):
        raise ValueError(f"{name!r} means something else here: choose another name")
    return found


_KINDS: dict[str, tuple[int, msgspec.json.Decoder[Any]]] = {
    "score": (LARGEST_SCORE + 24, msgspec.json.Decoder(TableScore)),
    "health": (LARGEST_HEALTH, msgspec.json.Decoder(Health)),
    "result": (LARGEST_RESULT, msgspec.json.Decoder(Result)),
}


def heard(topic: str, payload: bytes) -> Said:
    """What a table said; `ValueError` when that is nothing a table says."""
    match = SAID.fullmatch(topic)
    if match is None or match[1] == HOME or (match[2] == "health") != (match[3] is not None):
        raise ValueError(f"{topic[:80]}: no table speaks there")
    table, kind = match[1], match[2]
    if kind == "here":
        return Said(table, kind, payload == b"1")
    if not payload:
        return Said(table, kind, None)
    largest, decoder = _KINDS[kind]
    if len(payload) > largest:
        raise ValueError(f"{topic}: {len(payload)} bytes are more than a table says")
    try:
        message = decoder.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise ValueError(f"{topic}: {wrong}") from wrong
    if not _written(msgspec.to_builtins(message)):
        raise ValueError(f"{topic}: it holds characters nobody writes")
    if isinstance(message, Health):
        if message.room != match[3]:
            raise ValueError(f"{topic}: it tells of another room")
        if message.say is not None and len(msgspec.json.encode(message.say)) > LARGEST_TROUBLE:
            raise ValueError(f"{topic}: a trouble is told in a line")
    if isinstance(message, Result) and len({player.seat for player in message.players}) < len(message.players):
        raise ValueError(f"{topic}: two people sit in one seat")
    return Said(table, kind, message)


def _written(value: object) -> bool:
    """Whether every text in it could be written by a pen: nothing that steers a terminal or turns what stands around it."""
    if isinstance(value, str):
        return printable(value, but="") == value
    if isinstance(value, dict):
        return all(map(_written, (*value, *value.values())))
    return all(map(_written, value)) if isinstance(value, list | tuple) else True
