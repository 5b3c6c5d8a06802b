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
from companion.wire.messages import Prompt, SeatInfo, State
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
