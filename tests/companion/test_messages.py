"""The corridor's messages: strict, versioned, listed once."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.wire.messages import DialSeen, Health, MoveRequest
from companion.wire.topics import TOPICS, decode, encode, json_schema, matches, topic_of
from tests.conftest import ROOT


def test_an_unknown_field_is_refused() -> None:
    """Strict means strict: nothing is guessed, nothing is dropped silently."""
    with pytest.raises(msgspec.ValidationError):
        decode("lamp", b'{"v":1,"colour":"sun","glitter":true}')


def test_another_version_is_refused() -> None:
    """A message of a later schema is not half understood."""
    with pytest.raises(msgspec.ValidationError):
        decode("lamp", b'{"v":2}')


def test_a_message_survives_the_journey() -> None:
    """What is said is what is heard."""
    seen = DialSeen(state="ready", ts=1.5, position=3, turns=-3)
    assert seen == decode("sensor/dial", encode(seen))


def test_secrets_and_requests_are_never_retained() -> None:
    """docs/design.md §5: private views, moves and commands are gone when heard."""
    for topic in ("seat/0/private", "move/x", "do/vision", "admin", "answer/x"):
        assert not topic_of(topic).retained
    for topic in ("state", "health/vision", "sensor/dial", "sensor/market", "lamp"):
        assert topic_of(topic).retained


def test_the_published_schema_is_the_real_one() -> None:
    """docs/messages.json is what the code says; `python -m companion.wire.topics` prints it."""
    written = json.loads((ROOT / "docs" / "messages.json").read_text())
    assert json.loads(msgspec.json.encode(json_schema())) == written
    listed = {row.message.__name__ for row in TOPICS if row.message}
    assert listed <= set(written["$defs"])


def test_the_design_lists_every_topic_and_no_other() -> None:
    """docs/design.md §5: a reader finds there what travels, and what the broker keeps."""
    table = (ROOT / "docs" / "design.md").read_text().partition("## 5. Topics")[2].partition("## 6.")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    listed = {
        re.sub(r"<\w+>", "+", topic): kept.strip().startswith("yes")
        for _, topics, kept, *_ in rows
        for topic in re.findall(r"`(.+?)`", topics)
    }
    assert listed == {row.pattern: row.retained for row in TOPICS}


@given(st.binary(max_size=200), st.sampled_from([row.pattern.replace("+", "x") for row in TOPICS if row.message]))
@example(b"{}", "lamp")
@example(b'{"figures":{"\xff":1}}', "health/x")
def test_noise_is_refused_not_fatal(payload: bytes, topic: str) -> None:
    """Whatever arrives, decoding answers with a whole message of that topic or with one kind of error."""
    kind = topic_of(topic).message
    assert kind is not None
    try:
        heard = decode(topic, payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
            msgspec.json.decode(payload, type=kind)
        return
    assert isinstance(heard, kind)
    assert heard == decode(topic, encode(heard))


@pytest.mark.parametrize(
    ("pattern", "topic", "fits"),
    [
        ("health/+", "health/vision", True),
        ("health/+", "health", False),
        ("health/+", "health/a/b", False),
        ("#", "anything/at/all", True),
        ("seat/+/private", "seat/2/private", True),
        ("state", "states", False),
    ],
)
def test_topic_filters(pattern: str, topic: str, fits: bool) -> None:
    """MQTT's own matching."""
    assert fits == matches(pattern, topic)


def test_a_request_id_is_bounded() -> None:
    """A client cannot make us remember a novel."""
    with pytest.raises(msgspec.ValidationError):
        decode("move/x", encode(MoveRequest(id="x" * 65)))


def test_a_will_says_offline() -> None:
    """The last will is a complete health message."""
    assert Health(room="vision", status="offline") == decode(
        "health/vision", encode(Health(room="vision", status="offline"))
    )
