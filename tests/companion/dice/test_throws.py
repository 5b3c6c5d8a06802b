"""Loose dice become moves: committed when sure, asked when not, never twice, never after an undo."""

from __future__ import annotations

from typing import Any

import pytest

from companion.game import Game, RuleBroken
from companion.games.farkle import pack as farkle
from companion.games.farkle.rules import Keep as PutAside
from companion.games.farkle.rules import Throw as Cast
from companion.games.yacht import pack as yacht
from companion.games.yacht.rules import Keep, Throw
from companion.senses.throws import Throws
from companion.wire.messages import DieSeen, MarketSeen, SlotSeen


def die(face: int, share: float = 0.999, second: int = 0) -> DieSeen:
    """A die the camera sees, perhaps with a second thought."""
    faces = [(1 - share) / 5] * 6
    faces[face - 1] = share
    if second:
        faces = [0.0] * 6
        faces[face - 1], faces[second - 1] = share, 1 - share
    return DieSeen(owner="", owner_share=1.0, faces=tuple(faces), x=0.1 * face, y=0.5)  # type: ignore[arg-type]


def market(*dice: DieSeen, state: Any = "ready", aside: tuple[DieSeen, ...] = ()) -> MarketSeen:
    """A tray with these dice, and others in the strip beside it."""
    return MarketSeen(state=state, ts=1.0, slots=(SlotSeen(slot="tray", dice=dice), SlotSeen(slot="aside", dice=aside)))


class Table:
    """One game and what its camera says."""

    def __init__(self, pack: Game = yacht) -> None:
        self.pack, self.throws, self.state = pack, Throws(), pack.new({"names": ["Ada"]}, {})

    def see(self, seen: MarketSeen) -> Any:
        """What the table makes of it."""
        reading = self.throws.look(seen, self.pack.mat(1))
        return None if reading is None else self.throws.explain(self.pack, self.state, seen, reading)

    def play(self, move: Any) -> None:
        """Somebody says a move, or the table has believed it."""
        self.state = self.pack.play(self.state, move).state
        self.throws.moved_on(self.pack.expect(self.state).loose)


FIVE = tuple(die(face) for face in (1, 2, 3, 4, 6))


def test_a_sure_throw_is_found_and_not_found_again() -> None:
    """Once the game has moved, what lies there has been dealt with; an undo does not bring it back."""
    table = Table()
    assert table.see(market()) is None
    found = table.see(market(*FIVE))
    assert found.kind == "found"
    assert found.candidates[0].moves == (Throw(0, (1, 2, 3, 4, 6)),)
    table.throws.moved_on()
    assert table.see(market(*FIVE)) is None


def test_dice_that_lay_there_at_first_are_no_throw() -> None:
    """They must be picked up before."""
    table = Table()
    assert table.see(market(*FIVE)) is None
    assert table.see(market()) is None
    assert table.see(market(*FIVE)).kind == "found"


def test_a_die_that_stands_on_edge_is_asked_about() -> None:
    """Both ways it may be read are offered, the likelier first; "look again" is respected until something changes."""
    table = Table()
    table.see(market())
    cocked = market(*FIVE[:4], die(6, 0.7, second=2))
    asked = table.see(cocked)
    assert asked.kind == "question"
    assert [one.moves[0].dice for one in asked.candidates] == [(1, 2, 3, 4, 6), (1, 2, 2, 3, 4)]
    table.throws.denied(cocked)
    assert table.see(cocked) is None
    assert table.see(market(*FIVE)).kind == "found"


def test_other_faces_without_a_hand_are_asked_about() -> None:
    """A die knocked over is no throw until somebody says so."""
    table = Table()
    table.see(market())
    table.see(market(*FIVE))
    table.play(Throw(0, (1, 2, 3, 4, 6)))
    assert table.see(market(*FIVE[:4], die(5))).kind == "question"


def test_a_die_too_few_is_said_and_a_moving_hand_is_waited_for() -> None:
    """Two dice that lean on each other may look like one."""
    table = Table()
    table.see(market())
    assert table.see(market(*FIVE, state="hand")) is None
    assert isinstance(table.see(market(*FIVE[:4])), RuleBroken)


@pytest.mark.parametrize("covered", [True, False])
def test_a_covered_tray_is_not_read(covered: bool) -> None:
    """What lies under an arm may be anything."""
    table = Table()
    table.see(market())
    slots = (SlotSeen(slot="tray", dice=FIVE, covered=covered), SlotSeen(slot="aside"))
    assert (table.see(MarketSeen(state="ready", ts=1.0, slots=slots)) is None) == covered


def test_what_was_said_by_hand_is_not_counted_again_when_it_is_seen() -> None:
    """Two dice leaned on each other, the throw was entered, then they were parted."""
    table = Table()
    table.see(market())
    table.see(market(*FIVE[:4]))
    table.play(Throw(0, (1, 2, 3, 4, 6)))
    assert table.see(market(*FIVE)) is None


def test_nobody_is_asked_again_about_a_die_that_was_not_touched() -> None:
    """It lies aside, hard to read, while the others are thrown."""
    table = Table()
    table.see(market())
    aside = SlotSeen(slot="aside", dice=(die(3, 0.8, second=5),))

    def seen(*dice: DieSeen) -> MarketSeen:
        return MarketSeen(state="ready", ts=1.0, slots=(SlotSeen(slot="tray", dice=dice), aside))

    table.state = yacht.play(table.state, Throw(0, (1, 2, 3, 4, 6))).state
    table.see(seen(*(die(face) for face in (1, 2, 4, 6))))
    table.throws.moved_on()
    table.state = yacht.play(table.state, Keep(0, (3,))).state
    table.see(seen())
    found = table.see(seen(*(die(face) for face in (5, 5, 5, 6))))
    assert found.kind == "found"
    assert found.candidates[0].moves == (Throw(0, (3, 5, 5, 5, 6)),)


def test_a_die_that_was_only_moved_shows_what_it_showed() -> None:
    """Put aside, it is hard to read: nobody picked the dice up, so it is the three it was, also while the others are thrown."""
    table = Table()
    table.see(market())
    table.see(market(*FIVE))
    table.play(Throw(0, (1, 2, 3, 4, 6)))
    aside = SlotSeen(slot="aside", dice=(die(5, 0.7, second=3),))

    def seen(*faces: int) -> MarketSeen:
        tray = SlotSeen(slot="tray", dice=tuple(die(face) for face in faces))
        return MarketSeen(state="ready", ts=1.0, slots=(tray, aside))

    found = table.see(seen(1, 2, 4, 6))
    assert found.kind == "found"
    assert found.candidates[0].moves == (Keep(0, (3,)),)
    table.play(Keep(0, (3,)))
    assert table.see(seen()) is None
    again = table.see(seen(2, 2, 2, 6))
    assert again.candidates[0].moves == (Throw(0, (2, 2, 2, 3, 6)),)


@pytest.mark.parametrize(
    "camera", [(1, 1, 1, 3, 5), (), (1, 1, 1, 2, 3, 5)], ids=["overlooks one", "is late", "misreads one"]
)
def test_a_throw_that_was_told_is_what_lies_there_whatever_the_camera_said(camera: tuple[int, ...]) -> None:
    """Five of the dice are put aside then: the sixth lies where it fell and was not thrown again."""
    table = Table(farkle)
    table.see(market())
    table.see(market(*map(die, camera)))
    table.play(Cast(0, (1, 1, 1, 1, 3, 5)))
    assert table.see(market(*map(die, camera))) is None
    found = table.see(market(die(3), aside=tuple(map(die, (1, 1, 1, 1, 5)))))
    assert (found.kind, found.candidates[0].moves) == ("found", (PutAside(0, (1, 1, 1, 1, 5)),))


def test_dice_picked_up_after_a_throw_that_was_told_are_thrown_again() -> None:
    """The empty tray the camera still reported when the throw was said is seen anew once it has looked."""
    table = Table(farkle)
    table.see(market())
    table.play(Cast(0, (1, 1, 1, 1, 3, 5)))
    aside = tuple(map(die, (1, 1, 1, 1, 5)))
    assert table.see(market(*map(die, (1, 1, 1, 1, 3, 5)))) is None
    table.play(PutAside(0, (1, 1, 1, 1, 5)))
    table.see(market(die(3), aside=aside))
    table.see(market(aside=aside))
    assert table.see(market(die(3), aside=aside)).candidates[0].moves == (Cast(0, (3,)),)
