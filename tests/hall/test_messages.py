"""What the hall takes for a table's word, and what not."""

from __future__ import annotations

import msgspec
import pytest

from companion.wire.hall import PlayerResult, Result, TableScore
from companion.wire.messages import Health
from hall.messages import Said, heard, table_name

RESULT = Result(
    game="yacht", game_id="g-1", seq=9, began=1.0, ended=2.0, players=(PlayerResult(seat=0, name="Ada", points=7),)
)


def told(**more: object) -> bytes:
    """A result with something else in it."""
    return msgspec.json.encode(msgspec.to_builtins(RESULT) | more)


@pytest.mark.parametrize(
    ("topic", "message"),
    [
        ("tables/t-1/score", TableScore(phase="lobby")),
        ("tables/t-1/health/vision", Health(room="vision", status="offline")),
        ("tables/t-1/result", RESULT),
    ],
)
def test_a_tables_word_is_read_as_it_was_said(topic: str, message: msgspec.Struct) -> None:
    assert heard(topic, msgspec.json.encode(message)) == Said("t-1", topic.split("/")[2], message)
    assert heard(topic, b"") == Said("t-1", topic.split("/")[2], None)


def test_the_bridge_says_whether_its_table_is_there() -> None:
    assert heard("tables/t-1/here", b"1").message is True
    assert heard("tables/t-1/here", b"0").message is False


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("tables/t-1/state", b"{}"),
        ("tables/T 1/score", b"{}"),
        ("hall/t-1/call", b"{}"),
        ("tables/home-assistant/score", b'{"phase":"lobby"}'),
        ("tables/t-1/score", b'{"phase":"lobby","secret":1}'),
        ("tables/t-1/score", b'{"phase":"lobby","title":"' + b"x" * 2000 + b'"}'),
        ("tables/t-1/health/vision", msgspec.json.encode(Health(room="display", status="online"))),
        ("tables/t-1/health", b"{}"),
        ("tables/t-1/result/g-1", msgspec.json.encode(RESULT)),
        ("tables/t-1/score", b"\xff"),
        ("tables/t-1/score", '{"phase":"lobby","title":"\u202eevil"}'.encode()),
        ("tables/t-1/score", b'{"phase":"lobby","title":"\\u001b[2J"}'),
        ("tables/t-1/result", told(players=[{"seat": 0, "name": "a\nb", "points": 1}])),
        (
            "tables/t-1/result",
            told(players=[{"seat": 0, "name": "A", "points": 1}, {"seat": 0, "name": "B", "points": 1}]),
        ),
        ("tables/t-1/result", told(players=[{"seat": 0, "name": "A", "points": True}])),
        ("tables/t-1/result", told(players=[{"seat": 0, "name": "A", "points": 1e300}])),
        ("tables/t-1/result", told(players=[{"seat": 0, "name": "A" * 41, "points": 1}])),
        ("tables/t-1/result", told(players=[{"seat": n, "name": "A", "points": 1} for n in range(9)])),
        ("tables/t-1/result", told(seq=2**31)),
        ("tables/t-1/result", told(seq=-1)),
        ("tables/t-1/result", told(game_id="../../x")),
        ("tables/t-1/result", told(ended=1e18)),
        ("tables/t-1/result", told(stands="no")),
        ("tables/t-1/health/vision", b'{"room":"vision","status":"online","say":{"key":"' + b"x" * 400 + b'"}}'),
    ],
)
def test_anything_else_is_refused(topic: str, payload: bytes) -> None:
    with pytest.raises(ValueError, match=r"tables|hall"):
        heard(topic, payload)


@pytest.mark.parametrize("name", ["all", "hall", "", "-a", "Table", "a/b", "a+", "a#", "x" * 33, "a\n"])
def test_a_name_that_would_mean_something_else_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        table_name(name)
