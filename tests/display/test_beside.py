"""The virtual table beside the screen: pieces are taken, turned and put down with the mouse."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.virtual.pieces import Pieces
from companion.wire.bus import MemoryBroker
from companion.wire.config import load
from companion.wire.messages import SeatInfo, State, VirtualHand, VirtualTruth
from display.beside import DIAL, SIZE, Beside
from display.fonts import width
from display.wording import Wording

DIE = {"colour": "sun", "face": 5, "x": 0.3, "y": 0.4, "angle": 20.0}
SLOTS = {f"{column}-{row}": {"card": "X", "dice": []} for row in (1, 2) for column in ("blue", "gold", "red", "violet")}


class Stand:
    """The window, the table that holds the truth, and a hand on the mouse."""

    def __init__(self) -> None:
        broker = MemoryBroker()
        self.bus = broker.bus("beside")
        self.bus.start()
        self.window = Beside(self.bus, load())
        self.hands: list[VirtualHand] = []
        self.other = broker.bus("truth")
        self.other.start()
        self.other.subscribe("virtual/hand", lambda topic, message: self.hands.append(message))
        self.other.publish(
            "virtual/table", VirtualTruth(ts=1.0, slots=SLOTS | {"gold-1": {"card": "G", "dice": [DIE]}})
        )
        seats = (SeatInfo(seat=0, name="Ada", colour="sun"), SeatInfo(seat=1, name="Ben", colour="leaf"))
        self.other.publish("state", State(table="t", phase="playing", seq=1, seats=seats))
        self.bus.pump(0)

    def mouse(self, *places: tuple[int, int]) -> list[VirtualHand]:
        """Press at the first place, drag over the others, let go at the last; returns what the table was told."""
        self._event(pygame.MOUSEBUTTONDOWN, places[0])
        for place in places[1:]:
            self._event(pygame.MOUSEMOTION, place)
        self._event(pygame.MOUSEBUTTONUP, places[-1])
        self.other.pump(0)
        told, self.hands = self.hands, []
        return told

    def _event(self, kind: int, place: tuple[int, int]) -> None:
        self.window.event(pygame.event.Event(kind, pos=place, button=1))


@pytest.fixture
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path))
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    pygame.font.init()
    return Stand()


def test_a_die_is_dragged_to_another_card(stand: Stand) -> None:
    """It is put down where the button is let go."""
    start = stand.window.die_spots()[0].start
    box = stand.window.slot_box("red-2")
    assert stand.mouse(start, (200, 500), box.center) == [
        VirtualHand(action="move", slot="gold-1", die=0, colour="sun", to="red-2", x=0.5, y=0.5)
    ]


def test_a_die_dragged_off_the_table_goes_home(stand: Stand) -> None:
    """Anywhere but a card."""
    start = stand.window.die_spots()[0].start
    assert stand.mouse(start, (620, 100)) == [VirtualHand(action="move", slot="gold-1", die=0)]


def test_a_click_turns_a_die_and_the_dial(stand: Stand) -> None:
    """Right of the middle is forwards, left is back."""
    start = stand.window.die_spots()[0].start
    assert stand.mouse(start) == [VirtualHand(action="turn", slot="gold-1", die=0)]
    x, y, _ = DIAL
    assert [hand.steps for hand in (*stand.mouse((x + 20, y)), *stand.mouse((x - 20, y)))] == [1, -1]


def test_a_die_comes_from_the_supply(stand: Stand) -> None:
    """Every player at the table has one to take."""
    supply = [one for one in stand.window.die_spots() if not one.slot]
    assert [one.colour for one in supply] == ["sun", "leaf"]
    (told,) = stand.mouse(supply[1].start, stand.window.slot_box("blue-1").center)
    assert (told.slot, told.colour, told.to) == ("", "leaf", "blue-1")


def test_a_click_beside_everything_does_nothing(stand: Stand) -> None:
    """And damaged pictures are left out."""
    assert stand.mouse((5, 5)) == []
    stand.other.publish("picture/live", b"\xff\xd8 half")
    stand.bus.pump(0)
    surface = pygame.Surface(SIZE)
    stand.window.draw(surface)
    assert stand.window.picture is None


def test_the_pieces_do_what_the_hand_did() -> None:
    """Moved, turned, taken home, brought from the supply; what is not there cannot be taken."""
    pieces = Pieces(["sun", "leaf"], random.Random(1), 4)
    pieces.slots = {"gold-1": ("G1a", []), "red-1": ("R1a", [])}

    def look() -> dict[str, Any]:
        return {
            name: [(one["colour"], one["face"]) for one in slot["dice"]] for name, slot in pieces.truth().slots.items()
        }

    assert pieces.touched(VirtualHand(action="move", colour="leaf", to="gold-1"))
    assert pieces.touched(VirtualHand(action="turn", slot="gold-1", steps=3))
    assert look() == {"gold-1": [("leaf", 4)], "red-1": []}
    assert pieces.touched(VirtualHand(action="move", slot="gold-1", to="red-1", x=0.2, y=0.9))
    assert look() == {"gold-1": [], "red-1": [("leaf", 4)]}
    assert not pieces.touched(VirtualHand(action="move", slot="gold-1", to="red-1"))
    assert not pieces.touched(VirtualHand(action="move", slot="red-1", to="nowhere-9"))
    assert not pieces.touched(VirtualHand(action="move", colour="plum", to="red-1"))
    assert pieces.touched(VirtualHand(action="move", slot="red-1"))
    assert look() == {"gold-1": [], "red-1": []}


def test_words_fit_in_three_languages() -> None:
    """At their smallest, on two lines."""
    for language in ("en", "pl", "fr"):
        said = Wording(language).say("beside/how")
        assert said != "beside/how"
        assert width(said, "sans", 9) <= 2 * (SIZE[0] - 240)
