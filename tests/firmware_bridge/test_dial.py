"""Counts become a place: hysteresis, settling, the zero, and what is not known after power-on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.dial import Dial, Memory, Shape
from firmware_bridge.troubles import trouble

SIX = Shape(counts_per_turn=96, positions=6)


def a_dial(shape: Shape = SIX, memory: Memory | None = None, power: str = "", counts: int = 0) -> Dial:
    dial = Dial(shape, memory)
    dial.power_on(0.0, power, counts)
    return dial


def a_zeroed_dial(shape: Shape = SIX) -> Dial:
    dial = a_dial(shape)
    dial.set_zero()
    return dial


def test_it_is_unconfirmed_until_somebody_says_so() -> None:
    """After power-on nobody knows where the dial stands, and it says what to do about it."""
    dial = Dial(SIX)
    assert dial.state == "starting"
    dial.power_on(0.0)
    seen = dial.seen()
    assert (seen.state, seen.confidence) == ("unconfirmed", 0.0)
    assert seen.say and seen.say.key == "dial/unconfirmed"
    dial.confirm()
    assert (dial.seen().state, dial.seen().confidence, dial.seen().say) == ("ready", 1.0, None)


def test_turning_settling_ready_follow_the_clock_of_the_edges() -> None:
    """Edges at 10.0; quiet for the settle time on their own clock makes it ready, no wall is asked."""
    dial = a_zeroed_dial()
    dial.moved(10.0, 16)
    assert (dial.state, dial.seen().position) == ("turning", 1)
    dial.tick(10.1)
    assert dial.state == "settling"
    dial.tick(10.24)
    assert dial.state == "settling"
    dial.tick(10.25)
    assert dial.state == "ready"


def test_between_notches_the_old_one_holds() -> None:
    """Half way is not yet there; coming back from just past the middle it is not yet left (hysteresis)."""
    dial = a_zeroed_dial()
    dial.moved(1.0, 9)
    assert dial.seen().position == 0
    dial.moved(1.1, 10)
    assert dial.seen().position == 1
    dial.moved(1.2, 7)
    assert dial.seen().position == 1
    dial.moved(1.3, 5)
    assert dial.seen().position == 0


def test_resting_between_two_notches_is_said() -> None:
    """It is not ready there, however long it rests, and one sentence says what to do."""
    dial = a_zeroed_dial()
    dial.moved(1.0, 8)
    dial.tick(5.0)
    seen = dial.seen()
    assert seen.say and seen.say.key == "dial/between"
    assert (seen.state, seen.angle) == ("settling", 0.5)
    assert seen.confidence <= 0.5


def test_a_trembling_hand_does_not_keep_it_from_settling() -> None:
    """One count to and fro, for ever: the dial settles all the same."""
    dial = a_zeroed_dial()
    dial.moved(1.0, 16)
    for i in range(40):
        dial.moved(1.0 + i * 0.02, 16 + i % 2)
    assert dial.state == "ready"


@given(st.integers(4, 2400), st.sampled_from([6, 12]), st.booleans(), st.lists(st.integers(-40, 40), max_size=12))
def test_any_encoder_under_any_dial_keeps_its_notches(
    cpr: int, positions: int, reverse: bool, turns: list[int]
) -> None:
    """Turned notch by notch to the nearest count, however oddly the counts divide, it never drifts."""
    shape = Shape(counts_per_turn=cpr * 1.0, positions=positions, reverse=reverse)
    if shape.notch < 4:
        return
    dial, raw, notch = a_zeroed_dial(shape), 0, 0
    for turn in turns:
        notch += turn
        raw = dial.counts_to(turn, raw)
        dial.moved(1.0, raw)
        assert (notch, notch % positions) == (dial.seen().turns, dial.seen().position)


def test_a_confirmed_place_becomes_the_middle_of_its_notch() -> None:
    """The player says 5: the nearest way there, and from now on that is where the notch is."""
    dial = a_zeroed_dial()
    dial.moved(1.0, 3)
    dial.confirm(5)
    assert (dial.seen().position, dial.seen().turns, dial.seen().angle) == (5, -1, 0.0)
    dial.confirm(2)
    assert (dial.seen().position, dial.seen().turns) == (2, 2)


def test_what_was_known_is_offered_after_power_on() -> None:
    """The last place is shown, unconfirmed, because a hand may have turned the dial in the dark."""
    before = a_zeroed_dial()
    before.moved(1.0, 32)
    dial = a_dial(memory=before.memory())
    assert (dial.seen().state, dial.seen().position) == ("unconfirmed", 2)


def test_a_board_that_stayed_powered_has_missed_nothing() -> None:
    """Same power-on, other counts: the turn made while the bridge was away is known, and nobody is asked."""
    before = a_dial(power="board-1", counts=100)
    before.set_zero()
    dial = a_dial(memory=before.memory(), power="board-1", counts=132)
    assert (dial.seen().state, dial.seen().position) == ("ready", 2)


def test_a_board_that_restarts_in_mid_game_is_asked_about() -> None:
    """Its counts begin anew: the place stays, but somebody must say that it is right."""
    dial = a_dial(power="board-1")
    dial.set_zero()
    dial.moved(1.0, 48)
    dial.power_on(0.0, "board-2", 0)
    seen = dial.seen()
    assert (seen.state, seen.position) == ("unconfirmed", 3)
    assert seen.say and seen.say.key == "dial/reset"
    dial.moved(1.0, 16)
    assert dial.seen().position == 4


def test_missed_edges_make_it_doubt_before_they_can_be_wrong() -> None:
    """One may stand for four counts of sixteen: less sure. Two may be half a notch: it asks."""
    dial = a_zeroed_dial()
    dial.moved(1.0, 16, impossible=1)
    dial.tick(9.0)
    assert (dial.seen().state, dial.seen().confidence, dial.seen().impossible) == ("ready", 0.75, 1)
    dial.moved(10.0, 32, impossible=2)
    dial.tick(19.0)
    seen = dial.seen()
    assert (seen.state, seen.confidence, seen.position) == ("unconfirmed", 0.0, 2)
    assert seen.say and seen.say.key == "dial/doubt"
    dial.confirm()
    assert (dial.seen().state, dial.seen().confidence) == ("ready", 1.0)


def test_a_learnt_index_confirms_and_corrects() -> None:
    """Passing the index once teaches its place; after the next power-on passing it again settles everything."""
    before = a_zeroed_dial()
    before.moved(1.0, 40)
    before.indexed(40)
    dial = a_dial(memory=before.memory())
    assert dial.state == "unconfirmed"
    dial.moved(2.0, 8)  # in truth the dial had been turned to 24 in the dark: the index comes after 16
    dial.moved(2.1, 16)
    dial.indexed(16)
    assert dial.confirmed
    assert pytest.approx(dial.seen().turns + dial.seen().angle) == 40 / 16


def test_away_it_says_why_and_keeps_what_it_knows() -> None:
    """Unplugged: no dial, with a sentence; the place is still there."""
    dial = a_zeroed_dial()
    dial.moved(1.0, 32)
    dial.lost(trouble("unplugged"))
    seen = dial.seen()
    assert (seen.state, seen.position, seen.confidence) == ("no dial", 2, 0.0)
    assert seen.say and seen.say.key == "dial/unplugged"


def test_another_game_another_number_of_notches() -> None:
    """The crane has twelve notches on the same encoder; the zero stays."""
    dial = a_zeroed_dial()
    dial.moved(1.0, 48)
    dial.reshape(Shape(counts_per_turn=96, positions=12))
    assert (dial.seen().position, dial.seen().positions) == (6, 12)
