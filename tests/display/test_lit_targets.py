"""Newcomer A5, B1: on the Skytopia screen the cards that are an answer are lit, and what hands do stands under the ring."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pygame
import pytest

from companion.core.registry import pack as find_pack
from companion.shown.skytopia import SkytopiaView
from companion.wire.messages import DieSeen, MarketSeen, Prompt, SeatInfo, SlotSeen, State
from display.page import Page
from display.tables.skytopia import table
from display.theme import Theme
from display.view import View
from display.wording import Wording

SIZES = ((1280, 720), (800, 480), (480, 320))
NAMES = ("Ada", "Ben", "Cleo")


def moments() -> Iterator[View]:
    """A game of three by chance, question after question."""
    pack, chance = find_pack("skytopia"), random.Random(4)
    colours = ["sun", "leaf", "sky"]
    seats = tuple(SeatInfo(seat=i, name=name, colour=colours[i]) for i, name in enumerate(NAMES))
    state = pack.new({"depth": "full", "names": NAMES, "colours": colours}, {})
    while not pack.over(state):
        told = State(table="t", phase="playing", game="skytopia", game_id="g", seq=1, seats=seats)
        shown = msgspec.Raw(pack.sight(state, None).json)
        yield View(state=msgspec.structs.replace(told, view=shown, prompt=Prompt(ask=pack.ask(state))))
        state = pack.play(state, chance.choice(list(pack.moves(state)))).state


@pytest.fixture(scope="module")
def views() -> dict[str, View]:
    """The first question of each kind that has places for answers, and no price."""
    found: dict[str, View] = {}
    for view in moments():
        ask = view.prompt.ask if view.prompt else None
        if ask is not None and len(table.groups(ask)) > 1 and not table._placing(ask):
            found.setdefault(ask.text.key, view)
    return found


def drawn(view: View, size: tuple[int, int]) -> Page:
    page = Page(pygame.Surface(size), Theme(*size), Wording("en", dict(enumerate(NAMES))))
    page.motion.still = True
    page.begin(0.0)
    table.draw(page, view)
    page.finish()
    return page


def brass(page: Page) -> int:
    """How much of the screen is brass."""
    return pygame.mask.from_threshold(page.surface, page.c.brass, (8, 8, 8)).count()


@pytest.mark.parametrize("size", SIZES)
def test_every_card_that_is_an_answer_is_lit_and_no_other(
    views: dict[str, View], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frame of brass around each; none where every card is an answer."""
    assert {"skytopia/ask/start", "skytopia/ask/effect"} <= set(views)
    real, framed = table.parts.card, set[str]()

    def card(*what: Any, lit: bool, **more: Any) -> None:
        if lit:
            framed.add(what[3].slot)
        real(*what, lit=lit, **more)

    monkeypatch.setattr(table.parts, "card", card)
    for key, view in views.items():
        framed.clear()
        with_frames = brass(drawn(view, size))
        ask = view.prompt.ask if view.prompt else None
        legal = {slot for slot, all_ in table.groups(ask).items() if any(choice.off is None for choice in all_)}
        cards = {one.slot for one in view.shown(SkytopiaView).market.slots if one.card != ""}
        assert framed == (legal if cards - legal else set()), key
        if framed:
            with monkeypatch.context() as plain:
                plain.setattr(table, "lit", lambda ask, lying: set())
                assert with_frames > brass(drawn(view, size)), key


def test_skip_never_stands_alone_while_cards_are_lit(views: dict[str, View]) -> None:
    """Beside it stands that a lit card is an answer too."""
    skipped = [view for view in views.values() if view.prompt and any(c.id == "skip" for c in view.prompt.ask.choices)]
    assert skipped
    for view in skipped:
        said = {label.text for label in drawn(view, (800, 480)).labels()}
        assert any("lit card" in sentence for sentence in said)


@pytest.mark.parametrize("size", SIZES)
def test_what_hands_do_stands_under_the_ring(views: dict[str, View], size: tuple[int, int]) -> None:
    """Every line of it, as on the phones."""
    view = views["skytopia/ask/start"]
    assert view.prompt is not None
    words = Wording("en", dict(enumerate(NAMES)))
    said = " ".join(label.text for label in drawn(view, size).labels())
    for line in view.prompt.ask.change:
        assert all(word in said.casefold() for word in words.say(line).casefold().split())


@pytest.mark.parametrize("size", SIZES)
def test_the_first_golem_is_a_ghost_on_its_card(views: dict[str, View], size: tuple[int, int]) -> None:
    """Newcomer B8: what is expected is drawn where it belongs, in its owner's colour, until the camera sees it."""
    view = views["skytopia/ask/start"]
    assert view.prompt is not None
    firsts = table.first_golems(view.prompt.ask)
    assert len(firsts) == len(NAMES)
    plain = msgspec.structs.replace(view.prompt.ask, phase="play")
    without = _with(view, prompt=Prompt(ask=plain))
    for slot, golem in firsts.items():
        place = next(one for one in view.shown(SkytopiaView).market.slots if one.slot == slot)
        assert [(ghost.owner, ghost.face) for ghost in table.parts.awaited(view, place, golem)] == [
            (golem.owner, golem.face)
        ]
        pages = drawn(view, size), drawn(without, size)
        box = next(touch.box for touch in pages[0].touches() if touch.id == slot)
        one, other = (pygame.image.tobytes(page.surface.subsurface(pygame.Rect(box)), "RGB") for page in pages)
        assert one != other
        seen = _camera(view, slot, ((view.colour(golem.owner), golem.face),))
        assert table.parts.awaited(seen, place, golem) == ()


def test_a_golem_the_table_has_and_the_camera_does_not_see_is_a_ghost() -> None:
    view = next(one for one in moments() if any(slot.dice for slot in one.shown(SkytopiaView).market.slots))
    place = next(slot for slot in view.shown(SkytopiaView).market.slots if slot.dice)
    assert table.parts.awaited(view, place, None) == (), "without a camera it is simply there"
    assert table.parts.awaited(_camera(view, place.slot, ()), place, None) == place.dice
    there = tuple((view.colour(die.owner), die.face) for die in place.dice)
    assert table.parts.awaited(_camera(view, place.slot, there), place, None) == ()


def _with(view: View, **changes: Any) -> View:
    assert view.state is not None
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, **changes))


def _camera(view: View, slot: str, dice: tuple[tuple[str, int], ...]) -> View:
    """It stands still and is sure of what lies there."""
    read = tuple(
        DieSeen(owner=colour, owner_share=1.0, faces=tuple(float(face == one) for one in range(1, 7)), x=0.5, y=0.5)
        for colour, face in dice
    )
    return msgspec.structs.replace(
        view, market=MarketSeen(state="ready", slots=(SlotSeen(slot=slot, dice=read, sure=True),), ts=1.0)
    )
