"""A demo that cannot go on says so, and nothing it waits for is waited for without end."""

from __future__ import annotations

import time

import pytest

from companion.core.guard import Guarded
from companion.game import Expected
from companion.virtual import gathering
from companion.virtual.gathering import StalledError
from companion.virtual.result import Result
from tests.companion import test_virtual_play, toy
from tests.companion.test_virtual_play import World

world = test_virtual_play.world


def test_a_bot_takes_its_time_when_people_watch(world: World) -> None:
    """A pause after each move; the limit ends the demo as asked."""
    started = time.monotonic()
    result = world.demo(limit=2, pause=0.15).play()
    assert time.monotonic() - started >= 0.3
    assert result.moves == 2


def test_a_dial_that_never_answers_stalls_the_demo(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report says what was not there; a camera that will not learn is left alone."""
    world.sensors.obeys = False
    monkeypatch.setattr(gathering.time, "sleep", lambda seconds: None)
    result = world.demo().play()
    assert result.problem == "the dial could not be confirmed"
    assert not result.equal


def test_a_game_the_core_refuses_is_said(world: World) -> None:
    """Nothing is played, and the reason stands in the report."""
    world.desk.new("toy")
    demo = world.demo()
    demo.options = {"names": 5}
    demo.pack = Guarded("nosuch", _Renamed)
    assert "refused" in demo.play().problem


class _Renamed(toy.Toy):
    """A game the core does not have."""

    id = "nosuch"


def test_a_move_the_core_refuses_stalls_with_its_words(world: World) -> None:
    """By phone and by touch alike."""
    demo = world.demo(camera="none", dial="none")
    demo.begin()
    wrong = toy.Place(1, 4)
    after = toy.pack.play(demo.truth, toy.Place(0, 4)).state
    with pytest.raises(StalledError, match="refused"):
        demo._by_phone(wrong, after)
    with pytest.raises(StalledError, match="neither seen nor accepted"):
        demo._by_touch(wrong, after)


def test_a_core_that_is_silent_is_not_waited_for_without_end(world: World) -> None:
    """Every wait has a limit and a name."""
    demo = world.demo()
    with pytest.raises(StalledError, match="a miracle"):
        demo.people.need(lambda: False, 0.01, "a miracle")
    assert demo.join is None
    assert demo._answer_question(toy.Turn()) is None


def test_pieces_lie_where_the_game_wants_them_before_a_hand_comes(world: World) -> None:
    """Nothing differs, so nothing is moved."""
    demo = world.demo()
    demo.begin()
    wanted = Expected(toy.pack.expect(demo.truth).slots, 0, 6)
    assert demo.pieces.differing(wanted) == []
    assert isinstance(demo.result, Result)
