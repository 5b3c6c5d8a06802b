"""No single message ends the core: each gets one clear answer, nothing has changed, and the next good one counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.wire.messages import Answer
from tests.companion import toy
from tests.companion.desk import Desk, a_die, a_market
from tests.views import view_of


def deep(levels: int) -> Any:
    """A list in a list in a list."""
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


def say(desk: Desk, topic: str, **fields: Any) -> Answer | None:
    """Something on the wire as it is, and the table's answer, if there is one."""
    desk.display.publish(topic, nested(fields))
    desk.pump()
    return next((m for _, m in reversed(desk.heard) if isinstance(m, Answer) and m.id == fields["id"]), None)


def nested(value: Any) -> bytes:
    """JSON, however deep: Python's own writer gives up long before a stranger would."""
    if isinstance(value, dict):
        return b"{" + b",".join(json.dumps(key).encode() + b":" + nested(one) for key, one in value.items()) + b"}"
    levels = 0
    while isinstance(value, list) and len(value) == 1:
        value, levels = value[0], levels + 1
    return b"[" * levels + json.dumps(value).encode() + b"]" * levels


CRASHERS: list[tuple[str, dict[str, Any]]] = [
    ("scorepad", {"kind": "score", "values": {"p" + "1" * 5000: 1}}),
    ("scorepad", {"kind": "score", "values": {"p" + "1" * 3000: 1}}),
    ("skyrise", {"kind": "correct", "objectives": 5, "values": {"kind": "reveal", "objectives-0": "yellow"}}),
    ("skyrise", {"kind": "reveal", "objectives": 5, "values": {"objectives-0": "yellow"}}),
    ("skytopia", {"kind": "box", "key": "setup.coins", "value": deep(985)}),
    ("skytopia", {"kind": "box", "key": "effects.B4.tiers", "value": deep(700)}),
    ("praga", {"kind": "box", "key": "crane.red.1", "value": deep(985)}),
    ("skyrise", {"kind": "box", "key": "score.control", "value": deep(985)}),
    ("skyrise", {"kind": "box", "key": "score.control", "value": deep(50_000)}),
    ("skyrise", {"kind": "box", "key": "patrons.values", "value": [10**30, 1, 2, 3]}),
    ("skytopia", {"kind": "correct", "what": "coins", "seat": 0, "value": 10**18}),
    ("scorepad", {"kind": "points", "seat": 10**17, "points": 1}),
    ("scorepad", {"kind": ["points"], "seat": {}, "points": None}),
    ("praga", {"kind": "note", "seat": 0, "values": {"points": deep(40)}}),
    ("praga", {"kind": "note", "seat": 0, "values": deep(3)}),
]


@pytest.mark.parametrize(("game", "move"), CRASHERS, ids=[f"{game}-{i}" for i, (game, _) in enumerate(CRASHERS)])
@pytest.mark.parametrize("sender", ["phone", "display"])
def test_whatever_a_move_contains_the_answer_is_a_refusal(
    desk: Desk, game: str, move: dict[str, Any], sender: str
) -> None:
    """A wrong type, five thousand digits, lists within lists: refused in words, and the game is where it was."""
    desk.new(game)
    client = desk.sit(0) if sender == "phone" else "display"
    before, seq = desk.table.session.state, desk.state.seq  # type: ignore[union-attr]
    answer = say(desk, f"move/{client}", id="bad", move=move, seq=seq)
    assert answer is not None
    assert not answer.ok
    assert answer.refusal is not None
    assert desk.table.session.state is before  # type: ignore[union-attr]
    assert desk.state.seq == seq
    desk.new()
    assert desk.move(kind="points", seat=0, points=3).ok


def test_what_is_too_much_to_read_is_said_to_be(desk: Desk) -> None:
    """Depth, length and size have bounds far beyond what anybody enters; who asked hears it."""
    desk.new()
    for field in (deep(13), "x" * 5000, 10**17, {"x" * 5000: 1}, {str(i): "x" * 100 for i in range(1000)}):
        answer = say(desk, "move/display", id="much", move={"kind": "points", "x": field})
        assert answer is not None and answer.refusal is not None
        assert answer.refusal.code == "table/unreadable"
        order = say(desk, "admin", id="order", client="display", command="box", args={"game": "praga", "values": field})
        assert order is not None and order.refusal is not None
        assert order.refusal.code == "table/unreadable"
    assert desk.core.refused == 10


def test_what_names_nobody_to_answer_is_passed_over(desk: Desk) -> None:
    """Noise that says neither who nor what: left out and counted."""
    desk.new()
    heard = len(desk.heard)
    for noise in (b"\xff", b"[]", b'{"id":7}', b"[" * 50_000, b"{" * 9):
        desk.display.publish("move/display", noise)
    desk.pump()
    assert len(desk.heard) == heard
    assert desk.core.refused == 5
    assert desk.move(kind="points", seat=0, points=3).ok


@pytest.mark.parametrize("command", ["new game", "resume", "free seat", "name seat", "box", "box list"])
@pytest.mark.parametrize("wrong", [deep(9), "9" * 3999, -(2**53), None, {"a": deep(8)}, True], ids=str)
def test_whatever_an_order_contains_it_is_answered(desk: Desk, command: str, wrong: Any) -> None:
    """Orders come from the screen, but the screen is a program too."""
    desk.new()
    for args in (
        {"game": wrong, "seats": [{"name": "x"}], "seat": 0, "name": "x", "values": {}},
        {"game": "scorepad", "seats": wrong, "seat": wrong, "name": "x", "values": wrong},
        {"game": "skytopia", "seats": [{"name": "x"}, {"name": "y"}], "options": {"rows": wrong, "names": wrong}},
    ):
        assert say(desk, "admin", id="odd", client="display", command=command, args=args) is not None
    desk.new()
    assert desk.move(kind="points", seat=0, points=3).ok


def test_whatever_the_rules_do_the_table_answers_and_plays_on(toys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake nobody thought of costs one request, not the table."""
    toys.new("toy")
    with monkeypatch.context() as broken:
        broken.setattr(toy.pack, "play", lambda state, move: 1 / 0, raising=False)
        answer = toys.move(kind="place", seat=0, face=4)
    assert answer.refusal is not None
    assert answer.refusal.code == "table/pack-failed"
    assert view_of(toys.state)["die"] is None
    assert toys.move(kind="place", seat=0, face=4).ok


def test_what_is_on_disk_is_not_said_to_be_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move was saved, then telling the world failed: it counts, and its answer says so."""
    desk.new()
    with monkeypatch.context() as broken:
        broken.setattr(desk.table.announcer, "publish", lambda events: 1 / 0)
        assert desk.move(kind="points", seat=0, points=3).ok
    assert desk.move(kind="points", seat=0, points=4).ok
    assert desk.points() == [7, 0]


def test_a_reading_nobody_can_judge_is_passed_over(toys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sensors ask for no answer; the next reading is looked at again."""
    toys.new("toy")
    with monkeypatch.context() as broken:
        broken.setattr(toys.table.readings, "judge", lambda session: 1 / 0)
        toys.display.publish("sensor/market", a_market(a_die("sun", 4)))
        assert view_of(toys.state)["die"] is None
    toys.display.publish("sensor/market", a_market(a_die("sun", 4), ts=2.0))
    assert view_of(toys.state)["die"] == {"owner": 0, "face": 4}
