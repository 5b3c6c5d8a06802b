"""Our copy says otherwise, over the whole core: what a phone or the screen puts right is what the game goes on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from skytopia_table import table
from test_skytopia_by_hand import correct
from test_skytopia_edges import place
from test_skytopia_put_right import DIRECTION, START, last_round_due, our_copy

from companion.games.skytopia import pack
from tests.companion.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def put(desk: Desk, state: Any) -> None:
    """The game stands elsewhere."""
    assert desk.table.session is not None
    desk.table.session.state, desk.table.session._moment = state, None
    desk.table.publish(())


def position(desk: Desk) -> Any:
    """The game as the rules have it."""
    assert desk.table.session is not None
    return desk.table.session.state


def code(answer: Any) -> str:
    """Why not; empty when it was carried out."""
    return answer.refusal.code if answer.refusal else ""


def test_a_phone_puts_right_what_its_refusal_rests_on_and_is_not_refused_again(desk: Desk) -> None:
    """The build value follows, the dial stays where it stands, and the next game begins with it."""
    desk.new("skytopia", "Magda", "Louis")
    put(desk, table(round_=1, build=1, coins=(10, 5)))
    phone = desk.sit(0)
    refused = desk.move(phone, **place(0, "gold-1", 1))
    assert refused.refusal is not None
    assert (refused.refusal.code, refused.refusal.box) == ("skytopia/face-build", START)
    assert code(desk.move(phone, **our_copy(DIRECTION, 1))) == "table/at-the-screen", "only what was offered"
    assert desk.move(phone, **our_copy(START, 2)).ok
    assert (position(desk).build, pack.expect(position(desk)).dial) == (2, 0)
    assert desk.move(phone, **place(0, "gold-1", 1)).ok
    assert desk.table.owner.box("skytopia") == {START: 2}


@pytest.mark.parametrize(
    ("rounds", "key", "value", "build"), [(1, START, 2, 2), (3, START, 2, 6), (3, DIRECTION, 1, 3)]
)
def test_a_counted_game_is_put_right_on_the_screen(desk: Desk, rounds: int, key: str, value: int, build: int) -> None:
    """Light depth, in whatever round; told again from the journal it stands there, too."""
    desk.new("skytopia", "Magda", "Louis", depth="light")
    for _ in range(rounds - 1):
        for _ in range(2):
            assert desk.move(kind="end_turn", seat=position(desk).turn).ok
        assert desk.move(kind="turn_dial").ok
    dial = pack.expect(position(desk)).dial
    assert desk.move(**our_copy(key, value)).ok
    assert (position(desk).build, pack.expect(position(desk)).dial) == (build, dial)
    before = position(desk)
    desk.journal.close()
    assert position(Desk(desk.directory)) == before


def test_the_end_is_lifted_with_the_deck_that_was_miscounted(desk: Desk) -> None:
    """Over the screen, in mid-game."""
    desk.new("skytopia", "Magda", "Louis")
    put(desk, last_round_due())
    assert position(desk).last
    assert desk.move(**correct("deck", tower="gold", value=2)).ok
    assert (position(desk).last, pack.view(position(desk), None).rounds_left) == (0, None)
