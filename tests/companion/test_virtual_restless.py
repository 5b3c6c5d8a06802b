"""Somebody at the demo who cannot keep still: the hands put right what they may, and the bots get on all the same."""

from __future__ import annotations

import time
from typing import Any

import pytest

from companion.virtual import gathering, play
from companion.virtual.play import Demo
from companion.wire.messages import MoveRequest, VirtualHand
from tests.companion import test_virtual_play
from tests.companion.test_virtual_play import World
from tests.conftest import PATIENCE

world = test_virtual_play.world
quick_thoughts = test_virtual_play.quick_thoughts


def _undo(world: World, name: str) -> None:
    world.desk.display.publish("move/display", MoveRequest(id=name, cause="touch", undo=True, consent=True))


def _steps_until_placed(demo: Demo, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while demo.truth.die is None or demo.following.moved:
        assert time.monotonic() < end, demo.truth
        demo.step()


@pytest.mark.usefixtures("quick_thoughts")
def test_what_a_person_takes_from_under_the_camera_is_laid_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's golem is dragged away before it was read: once that hand rests, ours puts it back, and nobody says anything."""
    monkeypatch.setattr(gathering, "HAND_GONE", 0.1)
    child = world.desk.broker.bus("child")
    child.start()

    def snatch(topic: str, truth: Any) -> None:
        if world.sensors.blind and truth.slots.get("gold-1", {}).get("dice") and truth.hand is None:
            child.publish("virtual/hand", VirtualHand(action="move", slot="gold-1"))
            world.sensors.blind = False

    demo = world.demo(attended=True)
    demo.begin()
    world.sensors.blind = True
    world.sensors.bus.subscribe("virtual/table", snatch)
    _steps_until_placed(demo)
    assert not world.sensors.blind, "somebody did snatch it"
    assert (demo.result.seen, demo.result.touched) == (1, 0)
    assert len(demo.pieces.slots["gold-1"][1]) == 1


@pytest.mark.usefixtures("quick_thoughts")
def test_what_was_taken_back_is_seen_gone_before_it_is_laid_once_more(world: World) -> None:
    """A camera that is a little late must not miss that the golem was away: the same look would be no news to it."""
    sensors, told = world.sensors, list[tuple[float, Any]]()
    sensors.bus.subscribe("virtual/table", lambda topic, truth: told.append((time.monotonic(), truth)))

    def late() -> None:
        """Only what has lain for a while is looked at."""
        if told and time.monotonic() - told[-1][0] > 0.15:
            sensors.blind = False
            sensors._look("virtual/table", told[-1][1])
            sensors.blind = True
            told.clear()

    sensors.blind = True
    demo = world.demo(attended=True)
    demo.people.attend = late
    demo.begin()
    _steps_until_placed(demo)
    assert (demo.result.seen, demo.result.touched) == (1, 0)
    _undo(world, "u1")
    demo.people.wait(lambda: demo.following.moved, 5)
    demo.step()
    _steps_until_placed(demo)
    assert (demo.result.seen, demo.result.touched) == (2, 0), "by the camera alone, the second time too"


@pytest.mark.usefixtures("quick_thoughts")
def test_hands_that_never_rest_are_waited_for_no_more_when_nothing_gets_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is taken back, again and again, with a hand on the pieces all the while: then the bots are quick."""
    monkeypatch.setattr(play, "WAITING", 2 * PATIENCE)
    demo = world.demo(attended=True)
    demo.begin()
    for number in range(3):
        _steps_until_placed(demo)
        _undo(world, f"u{number}")
        demo.people.wait(lambda: demo.following.moved, 5)
        demo.step()
    assert demo.following.hindered

    def fiddle() -> None:
        demo.people.touched_at = time.monotonic()

    demo.people.attend = fiddle
    began = time.monotonic()
    _steps_until_placed(demo)
    assert time.monotonic() - began < PATIENCE, "nobody waited for the hand"
    demo.people.attend = lambda: None
    demo.following.read()
    demo.step()  # the dial
    demo.following.read()
    assert not demo.following.hindered, "it is further than it ever was"


def test_a_hand_among_the_pieces_while_colours_are_taught_changes_nothing(world: World) -> None:
    """What is learnt then holds for the whole game: a colour under somebody's hand, a zero one notch off."""
    child = world.desk.broker.bus("child")
    child.start()
    ordered = list[str]()

    def meddle(topic: str, message: Any) -> None:
        ordered.append(message.command)
        child.publish("virtual/hand", VirtualHand(action="dial", steps=1))
        child.publish("virtual/hand", VirtualHand(action="move", slot="gold-1"))

    world.sensors.bus.subscribe("do/+", meddle)
    demo = world.demo(attended=True)
    shown = list[Any]()
    world.sensors.bus.subscribe("virtual/table", lambda topic, truth: shown.append(truth))
    demo.begin()
    assert ordered == ["confirm", "calibrate"]
    assert all(truth.hand is None and truth.dial == 0 for truth in shown)
    assert demo.pieces.turns == demo.pieces.start == 0
    demo.people._touched("virtual/hand", VirtualHand(action="dial", steps=1))
    assert demo.pieces.turns == 1, "afterwards it counts"
