"""Newcomer D1, over real processes: a dial chosen on the screen is there a moment later, and no file was edited by hand."""

from __future__ import annotations

from companion.wire.messages import DialSeen, Do
from display.settings import Settings
from tests.conftest import Client, Place, Run


def test_the_dial_s_room_starts_again_with_the_dial_that_was_chosen(place: Place) -> None:
    place.environment.pop("TABLESIDE_DIAL_SOURCE", None)
    run = Run(place, "--without", "vision,display").start()
    try:
        screen = Client.room(place.config(), "display").listen("sensor/dial", "answer/display").start()
        screen.until(lambda: (seen := screen.last(DialSeen)) is not None and seen.state == "no dial", 20, "no dial")
        Settings(place.config()).keep({"firmware_bridge": "virtual"})
        assert screen.ask("do/firmware_bridge", Do(id="r1", client="display", command="restart")).ok
        screen.until(lambda: screen.last(DialSeen).state not in ("no dial", "starting"), 30, "the dial that was chosen")
        screen.bus.stop()
    finally:
        assert run.stop() == 0
