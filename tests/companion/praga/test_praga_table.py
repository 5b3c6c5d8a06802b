"""Praga at the core: the wheel is read from the dial, moves go to disk, a wrong turn changes nothing."""

from __future__ import annotations

import pytest

from companion.games.praga import pack
from companion.wire.messages import DialSeen
from tests.companion.desk import Desk


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def see(desk, station, state="ready", ts=[0.0]):  # noqa: B006 - the edges' clock goes on through all readings
    """The encoder reports the arrow at a station."""
    ts[0] += 1.0
    desk.display.publish("sensor/dial", DialSeen(state=state, ts=ts[0], position=station - 1, positions=12))
    desk.pump()


def position(desk):
    return desk.table.session.state


def choose(desk):
    """The player in turn touches a tile that costs nothing."""
    if desk.prompt.ask.phase == "layout":
        assert desk.move(kind="hang", skip=True).ok
    choices = [c for c in desk.prompt.ask.choices if c.group == "tile" and c.off is None]
    assert desk.move(**choices[-1].move).ok


@pytest.mark.parametrize("players", [1, 2, 3])
def test_a_whole_game_in_which_the_wheel_ends_every_turn(desk, players):
    """No button is needed: a chosen tile and a turned wheel are a turn, the dummy's turn is the wheel alone."""
    desk.new("praga", *["Ada", "Ben", "Cy"][:players], depth="light")
    see(desk, position(desk).crane.box)
    turns = 0
    while not position(desk).played_out:
        if not position(desk).dummy:
            choose(desk)
        see(desk, position(desk).crane.next_box, "turning")
        assert position(desk).turn == turns, "a wheel in motion decides nothing"
        see(desk, position(desk).crane.next_box)
        turns += 1
        assert position(desk).turn == turns

    assert turns == 16 * max(2, players)
    for seat in range(players):
        assert desk.move(kind="sheet", seat=seat, values={"track": 50 + seat}).ok
    assert desk.state.phase == "over"
    assert desk.state.tally.winners == (players - 1,)


def test_a_wrong_turn_of_the_wheel_changes_nothing_and_is_told(desk):
    """Five notches at once after a chosen tile, and one before any: the game stands, the table is told."""
    desk.new("praga", "Ada", "Ben")
    start = position(desk).crane.box
    see(desk, start)
    before = position(desk)
    see(desk, before.crane.next_box)
    assert position(desk) == before
    see(desk, start)
    choose(desk)
    chosen = position(desk)
    see(desk, (chosen.crane.box + 4) % 12 + 1)
    assert position(desk) == chosen
    assert desk.state.notices or desk.prompt.question is not None
    see(desk, chosen.crane.next_box)
    assert position(desk).held
    assert desk.move(kind="later").ok
    assert position(desk).turn == 1
    see(desk, position(desk).crane.box)
    assert not [notice for notice in desk.state.notices if notice.id.startswith("differs")]


def test_undo_takes_the_turn_back_and_says_where_the_arrow_belongs(desk):
    """Box, slots, flags and clock come back together."""
    desk.new("praga", "Ada", "Ben")
    see(desk, position(desk).crane.box)
    choose(desk)
    before = position(desk)
    see(desk, before.crane.next_box)
    assert position(desk).held
    assert desk.request(undo=True).ok

    assert position(desk) == before
    assert pack.expect(position(desk)).dial == before.crane.box - 1


def test_a_refusal_names_the_printed_value_it_rests_on(desk):
    """Our copy says otherwise: the correction is a move like any other, and the tile can then be taken."""
    desk.new("praga", "Ada", "Ben", depth="full")
    tile = position(desk).crane.at(1)
    assert desk.move(kind="correct", seat=0, values={"gold": 1}).ok
    answer = desk.move(kind="choose", tile=tile, seat=0)
    assert (answer.ok, answer.refusal.box) == (False, "crane.red.1")
    assert desk.move(kind="box", key="crane.red.1", value=1).ok
    assert desk.move(kind="choose", tile=tile, seat=0).ok


def test_a_technology_is_picked_on_the_owners_phone_while_another_plays(desk):
    """The pick waits on that phone alone, and that phone decides nothing else in the other's turn."""
    desk.new("praga", "Ada", "Ben", depth="full")
    ada, ben = desk.sit(0), desk.sit(1)
    assert desk.move(kind="correct", seat=0, values={"technology": 5}).ok
    assert desk.move(kind="note", seat=0, values={"technology": 1}).ok
    choose(desk)
    assert desk.move(kind="act", action="mines", branch="dig").ok
    assert desk.move(kind="turn").ok
    assert position(desk).active == 1
    assert (desk.prompt.ask.seat, desk.prompt.ask.waiting) == (1, (0,))
    pick = pack.view(position(desk), 0).ask
    assert {choice.move["kind"] for choice in pick.choices} == {"learn"}
    assert pack.view(position(desk), 1).ask is None
    tile = position(desk).crane.at(12)
    for wrong in ({"kind": "choose", "tile": tile}, {"kind": "choose", "tile": tile, "seat": 0}, {"kind": "turn"}):
        assert not desk.move(ada, **wrong).ok, wrong
    assert not desk.move(ben, **pick.choices[0].move).ok
    assert desk.move(ada, **pick.choices[0].move).ok
    assert len(position(desk).boards[0].technologies) == 1
    assert desk.prompt.ask.waiting == ()
    assert not desk.move(ada, **pick.choices[1].move).ok, "picked once"
