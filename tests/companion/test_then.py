"""A line of the log brings back how the table stood after that move: what everybody could see then, and nothing to answer."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from companion.shown.skyrise import SkyriseView
from companion.wire.messages import State
from tests.companion.desk import Desk


def told(desk: Desk, seq: int) -> State:
    """As it travels."""
    return msgspec.json.decode(msgspec.json.encode(desk.admin("then", seq=seq).result["state"]), type=State)


def test_every_line_of_the_log_has_its_position(tmp_path: Path) -> None:
    desk, chance = Desk(tmp_path), random.Random(2)
    desk.new("skytopia", "Ada", "Ben", depth="full")
    session = desk.table.session
    assert session is not None
    stood: dict[int, State] = {}
    for _ in range(25):
        assert desk.move(**session.pack.encode(chance.choice(session.pack.moves(session.state)))).ok
        stood[session.done[-1].row.seq] = desk.state
    for seq, state in stood.items():
        found = told(desk, seq)
        assert (found.view, found.panels, found.seq) == (state.view, state.panels, seq)
        assert found.prompt is not None
        assert found.prompt.ask.choices == ()
    assert not desk.admin("then", seq=999).ok
    assert desk.state.seq == session.seq, "looking back changes nothing"


def test_nobodys_secret_is_in_it(tmp_path: Path) -> None:
    desk, chance = Desk(tmp_path), random.Random(2)
    desk.new("skyrise", "Ada", "Ben", depth="full", deal="digital", board="drawn", auction="full")
    session = desk.table.session
    assert session is not None
    assert desk.move(**session.pack.encode(chance.choice(session.pack.moves(session.state)))).ok
    view = msgspec.json.decode(told(desk, session.done[-1].row.seq).view, type=SkyriseView)
    assert view.secret is None
    assert view.ask is None
