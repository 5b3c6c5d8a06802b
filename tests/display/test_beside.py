"""The virtual table beside the screen: pieces are taken, turned and put down with the mouse."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pygame
import pytest

from benches import samples
from companion.game import Ask, Text
from companion.virtual.pieces import Pieces
from companion.wire.config import load
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Health, Notice, Prompt, SeatInfo, State, VirtualHand, VirtualTruth
from display.beside import WIDE, Beside
from display.desktop import BESIDE as SIZE
from display.desktop import side_by_side
from display.fonts import width
from display.status import worst
from display.view import View
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
        VirtualHand(action="move", slot="gold-1", die=0, colour="sun", face=5, to="red-2", x=0.5, y=0.5)
    ]


def test_a_die_dragged_off_the_table_goes_home(stand: Stand) -> None:
    """Anywhere but a card."""
    start = stand.window.die_spots()[0].start
    assert stand.mouse(start, (620, 100)) == [VirtualHand(action="move", slot="gold-1", die=0)]


def test_a_click_turns_a_die_and_the_dial(stand: Stand) -> None:
    """Right of the middle is forwards, left is back."""
    start = stand.window.die_spots()[0].start
    assert stand.mouse(start) == [VirtualHand(action="turn", slot="gold-1", die=0)]
    x, y, _ = WIDE.dial
    assert [hand.steps for hand in (*stand.mouse((x + 20, y)), *stand.mouse((x - 20, y)))] == [1, -1]


def test_a_die_comes_from_the_supply(stand: Stand) -> None:
    """Every player at the table has one to take."""
    supply = [one for one in stand.window.die_spots() if not one.slot]
    assert [one.colour for one in supply] == ["sun", "leaf"]
    (told,) = stand.mouse(supply[1].start, stand.window.slot_box("blue-1").center)
    assert (told.slot, told.colour, told.to) == ("", "leaf", "blue-1")


def test_the_wheel_turns_what_the_mouse_is_on(stand: Stand) -> None:
    """Newcomer E5: a face forwards or back, or the dial by a notch; over nothing it does nothing."""

    def wheel(place: tuple[int, int], y: int) -> list[VirtualHand]:
        stand.window.event(pygame.event.Event(pygame.MOUSEMOTION, pos=place, buttons=(0, 0, 0)))
        stand.window.event(pygame.event.Event(pygame.MOUSEWHEEL, y=y))
        stand.other.pump(0)
        told, stand.hands = stand.hands, []
        return told

    start = stand.window.die_spots()[0].start
    assert wheel(start, -1) == [VirtualHand(action="turn", slot="gold-1", die=0, steps=-1)]
    assert wheel(stand.window.dial[:2], 1) == [VirtualHand(action="dial", steps=1)]
    assert wheel((5, 5), 1) == []


def test_cards_show_what_they_give_and_no_invented_number(stand: Stand) -> None:
    """Newcomer E5: the plan draws what this copy's card gives, as the table's own screen does; nothing before a game."""
    box = stand.window.slot_box("gold-1")
    bare, drawn = pygame.Surface(SIZE), pygame.Surface(SIZE)
    stand.other.publish("virtual/table", VirtualTruth(ts=2.0, slots=SLOTS | {"gold-1": {"card": "G1a", "dice": []}}))
    stand.bus.pump(0)
    stand.window.draw(bare)
    table = samples.table("en").state
    assert table is not None
    stand.other.publish("state", table)
    stand.bus.pump(0)
    stand.window.draw(drawn)
    assert pygame.image.tobytes(bare.subsurface(box), "RGB") != pygame.image.tobytes(drawn.subsurface(box), "RGB")


def test_the_window_says_who_you_are_and_what_is_asked(stand: Stand) -> None:
    """Newcomer E4: your name and colour, and the question everybody waits for; differences come first."""
    assert stand.window.who().key == "beside/watch"
    stand.other.publish("virtual/table", VirtualTruth(ts=2.0, slots=SLOTS, you=(1,)))
    stand.bus.pump(0)
    assert stand.window.words.say(stand.window.who()).startswith("You play green")
    ask = Prompt(ask=Ask(1, Text("skytopia/ask/dial")))
    wrong = Notice(id="differs-gold-1", text=Text("beside/title"), kind="warn")
    seats = stand.window.state.seats if stand.window.state else ()
    for notices, said in (((), "skytopia/ask/dial"), ((wrong,), "beside/title")):
        state = State(table="t", phase="playing", seq=2, seats=seats, prompt=ask, notices=notices)
        stand.other.publish("state", state)
        stand.bus.pump(0)
        assert stand.window.what().key == said


def test_a_demo_that_stands_still_says_why_on_both_windows(stand: Stand) -> None:
    """Newcomer A1: what the hands wait for stands where the question stood, and on the screen's chip, in every language."""
    state = State(table="t", phase="playing", seq=2, prompt=Prompt(ask=Ask(1, Text("skytopia/ask/dial"))))
    stand.other.publish("state", state)
    for why in ("camera", "hand", "table"):
        health = Health(room="virtual", status="online", say=Text(f"demo/waits/{why}"))
        stand.other.publish("health/virtual", health)
        stand.bus.pump(0)
        assert stand.window.what() == health.say
        chip = worst(View(state=state, connected=True, health={"virtual": health}))
        for language in ("en", "pl", "fr"):
            words = Wording(language)
            assert words.say(chip.say) != chip.say.key
            assert words.say(chip.short) != chip.short.key
    stand.other.publish("health/virtual", Health(room="virtual", status="online"))
    stand.bus.pump(0)
    assert stand.window.what().key == "skytopia/ask/dial"


def test_after_a_game_the_window_says_how_to_play_again(stand: Stand) -> None:
    """Newcomer E6: whatever the hands waited for last, nobody waits for them any more."""
    health = Health(room="virtual", status="online", say=Text("demo/waits/table"))
    stand.other.publish("health/virtual", health)
    over = Prompt(ask=Ask(None, Text("skytopia/ask/over")))
    for state, said in (
        (State(table="t", phase="over", seq=9, prompt=over), "beside/over"),
        (State(table="t", phase="lobby", seq=0), "beside/start"),
    ):
        stand.other.publish("state", state)
        stand.bus.pump(0)
        assert stand.window.what().key == said


def test_the_camera_s_picture_lies_as_the_plan_does(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newcomer E5: with more than two rows the mat lies sideways before the camera; its picture is turned back."""
    camera = pygame.Surface((192, 108))
    camera.fill((0, 0, 200))
    camera.fill((200, 0, 0), (0, 0, 96, 108))
    for rows, place in ((2, "midleft"), (3, "midtop")):
        monkeypatch.setattr(Beside, "rows", rows)
        stand.window.picture = camera
        surface = pygame.Surface(SIZE)
        stand.window._camera(surface)
        red, blue = (
            pygame.Rect(*pygame.mask.from_threshold(surface, ink, (9, 9, 9)).get_bounding_rects()[:1])
            for ink in ((200, 0, 0), (0, 0, 200))
        )
        assert getattr(red.union(blue), place) == getattr(red, place)


@pytest.mark.parametrize("desktop", [(1366, 768), (1440, 900), (1536, 864), (1600, 1000), (1920, 1080), (1024, 768)])
def test_both_windows_fit_the_desktop_beside_each_other(desktop: tuple[int, int]) -> None:
    """Newcomer E1: nothing over the edge, nothing over each other, both in their own proportions."""
    screen, beside = (pygame.Rect(place) for place in side_by_side(desktop))
    whole = pygame.Rect(0, 0, *desktop)
    assert whole.contains(screen)
    assert whole.contains(beside)
    assert not screen.colliderect(beside)
    assert max(screen.height, beside.height) <= desktop[1] - 72
    assert screen.width / screen.height == pytest.approx(16 / 9, abs=0.02)


@pytest.mark.parametrize("size", [(640, 720), (455, 512), (340, 383)])
def test_pieces_are_where_they_are_drawn_at_any_size(stand: Stand, size: tuple[int, int]) -> None:
    """A small window has small cards: dice are taken and put down on them all the same."""
    window = stand.window
    window.size, window.k = size, size[0] / SIZE[0]
    inside = pygame.Rect(0, 0, *size)
    assert all(inside.contains(window.slot_box(slot)) for slot in SLOTS)
    assert all(inside.collidepoint(one.start) for one in window.die_spots())
    window.draw(pygame.Surface(size))
    assert stand.mouse(window.die_spots()[0].start) == [VirtualHand(action="turn", slot="gold-1", die=0)]


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
