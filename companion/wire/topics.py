"""The corridor: which message travels on which topic, how it is written down, and whether the broker keeps it.

`python -m companion.wire.topics` prints the schema of all of it: `docs/messages.json`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from companion.wire.game_log import LogPage
from companion.wire.hall import Call, HallHere, HallMessage, Pairing, Result, Stored, TableScore
from companion.wire.messages import (
    Admin,
    Answer,
    DialSeen,
    Do,
    Happened,
    Health,
    JoinInfo,
    Knob,
    Lamp,
    MarketSeen,
    Message,
    MoveRequest,
    Private,
    State,
    VirtualHand,
    VirtualTruth,
)
from companion.wire.presence import Here, Knock


class Topic(msgspec.Struct, frozen=True):
    """Where a message travels and whether the broker keeps it."""

    pattern: str
    message: type[Message] | None
    retained: bool = False
    qos: int = 1


TOPICS: tuple[Topic, ...] = (
    Topic("health/+", Health, retained=True),
    Topic("state", State, retained=True),
    Topic("join", JoinInfo, retained=True),
    Topic("seat/+/private", Private),
    Topic("here/+", Here),
    Topic("knock/+", Knock),
    Topic("event/+", Happened),
    Topic("log/+", LogPage, retained=True),
    Topic("sensor/dial", DialSeen, retained=True),
    Topic("sensor/knob", Knob, retained=True),
    Topic("sensor/market", MarketSeen, retained=True),
    Topic("move/+", MoveRequest),
    Topic("answer/+", Answer),
    Topic("do/+", Do),
    Topic("admin", Admin),
    Topic("picture/+", None, qos=0),
    Topic("lamp", Lamp, retained=True),
    Topic("score", TableScore, retained=True),
    Topic("result", Result, retained=True),
    Topic("hall/here", HallHere, retained=True),
    Topic("hall/stored", Stored),
    Topic("hall/pairing", Pairing, retained=True),
    Topic("hall/call", Call, retained=True),
    Topic("hall/message", HallMessage, retained=True),
    Topic("virtual/hand", VirtualHand),
    Topic("virtual/+", VirtualTruth, retained=True),
)


@lru_cache(maxsize=512)
def matches(pattern: str, topic: str) -> bool:
    """An MQTT topic filter fits a topic; a table has few of either, and asks for every message it hears."""
    wanted, given = pattern.split("/"), topic.split("/")
    for i, part in enumerate(wanted):
        if part == "#":
            return True
        if i >= len(given) or part not in ("+", given[i]):
            return False
    return len(wanted) == len(given)


def topic_of(topic: str) -> Topic:
    """The row of `TOPICS` a relative topic belongs to; `KeyError` when there is none."""
    for row in _BY_FIRST_WORD.get(topic.partition("/")[0], ()):
        if matches(row.pattern, topic):
            return row
    raise KeyError(topic)


_BY_FIRST_WORD: dict[str, list[Topic]] = {}
for _row in TOPICS:
    _BY_FIRST_WORD.setdefault(_row.pattern.partition("/")[0], []).append(_row)


LARGEST_REQUEST = 64 * 1024
DEEPEST, LONGEST_WORD, LARGEST_NUMBER = 12, 4000, 2**53
"""How far what people enter may be nested, how many characters a word of it may have, and how large a number may be."""

_encoder = msgspec.json.Encoder()
_decoders: dict[type[Message], msgspec.json.Decoder[Any]] = {}


def encode(message: Message) -> bytes:
    """A message as it travels."""
    return _encoder.encode(message)


def decode(topic: str, payload: bytes) -> Message | bytes:
    """The message on a relative topic; raises `msgspec.DecodeError` (or its `ValidationError`) on anything else."""
    kind = topic_of(topic).message
    if kind is None:
        return payload
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind)
    message: Message = decoder.decode(payload)
    if isinstance(message, MoveRequest | Admin):
        if len(payload) > LARGEST_REQUEST:
            raise msgspec.ValidationError(f"{len(payload)} bytes are more than anybody enters")
        _enterable(message.move if isinstance(message, MoveRequest) else message.args, DEEPEST)
    return message


def _enterable(value: Any, depth: int) -> None:
    """Refuse what nobody enters: these fields hold anything, and rules, journal and log all take it apart again."""
    if isinstance(value, dict | list):
        if not depth:
            raise msgspec.ValidationError(f"Nested deeper than {DEEPEST}")
        for item in (*value, *value.values()) if isinstance(value, dict) else value:
            _enterable(item, depth - 1)
    elif isinstance(value, str):
        if len(value) > LONGEST_WORD:
            raise msgspec.ValidationError(f"A word of {len(value)} characters")
    elif isinstance(value, int) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise msgspec.ValidationError("A number out of all bounds")


_ID = re.compile(rb'"id"\s*:\s*"([^"\\\x00-\x1f]{1,64})"')
_CLIENT = re.compile(rb'"client"\s*:\s*"([a-z0-9-]{1,64})"')


def who_asks(topic: str, payload: bytes) -> tuple[str, str] | None:
    """Client and id of a request that cannot be read, as far as it can be; nothing where it does not even say these.

    They are looked for, not decoded: what is nested too deep for any reader still says who asked.
    """
    kind, _, client = topic.partition("/")
    named = _CLIENT.search(payload) if kind == "admin" else None
    asked = _ID.search(payload) if kind in ("move", "admin") else None
    client = named[1].decode() if named else client
    return (client, asked[1].decode(errors="replace")) if asked and client else None


def json_schema() -> dict[str, Any]:
    """Every message as JSON Schema, for `docs/messages.json`."""
    kinds = [row.message for row in TOPICS if row.message is not None]
    _, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    topics = {
        row.pattern: {
            "message": row.message.__name__ if row.message else "JPEG",
            "retained": row.retained,
            "qos": row.qos,
        }
        for row in TOPICS
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tableside messages",
        "topics": topics,
        "$defs": definitions,
    }


if __name__ == "__main__":
    import sys

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode() + "\n")
