"""What a newcomer reads off the Skytopia screen: the dial, the card, whose turn it is, and banners that cover none of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pygame
import pytest

from benches import samples
from companion.game import Choice, Text
from companion.shown.skytopia import SkytopiaView
from companion.wire.messages import DialSeen, Notice
from display.tables.skytopia.table import belongs_at_symbol, shown_on_dial
from display.view import Banner, View
from tests.display.views import VIEWS, drawn

SIZES = [(1280, 720), (800, 480), (480, 320)]


def with_dial(view: View, position: int, state: Any = "ready") -> View:
    return msgspec.structs.replace(view, dial=DialSeen(state=state, position=position, positions=6, ts=1.0))


def asked(view: View, **changes: Any) -> View:
    assert view.state is not None
    assert view.state.prompt is not None
    ask = msgspec.structs.replace(view.state.prompt.ask, **changes)
    prompt = msgspec.structs.replace(view.state.prompt, ask=ask)
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, prompt=prompt))


def words(view: View, size: tuple[int, int]) -> str:
    return " | ".join(label.text for label in drawn(view, *size).labels())


@pytest.mark.parametrize("size", SIZES)
def test_the_ring_is_the_games_and_a_dial_left_behind_is_said(size: tuple[int, int]) -> None:
    """Newcomer B9: "the dial is turned" was touched and it was not; prices go by the game's value."""
    table = samples.table("en")
    behind = drawn(with_dial(table, 3), *size)
    assert shown_on_dial(with_dial(table, 3)) == 4
    assert any("4" in label.text and "dial" in label.text for label in behind.labels())
    ring = next(touch.box for touch in behind.touches() if touch.id == "ring")
    upper = pygame.Rect(ring[0], ring[1], ring[2], ring[3] // 3)
    right = drawn(with_dial(table, 2), *size)
    assert shown_on_dial(with_dial(table, 2)) is None
    one, other = (pygame.image.tobytes(page.surface.subsurface(upper), "RGB") for page in (behind, right))
    assert one == other


def test_a_dial_that_is_asked_for_is_followed_as_it_stands() -> None:
    turn = (Choice("turn_dial", Text("x"), {"kind": "turn_dial"}),)
    assert shown_on_dial(asked(with_dial(samples.table("en"), 3), choices=turn)) is None
    assert shown_on_dial(with_dial(samples.table("en"), 3, "turning")) is None


@pytest.mark.parametrize("size", SIZES)
def test_a_dial_turned_the_wrong_way_shows_what_belongs_at_the_symbol(size: tuple[int, int]) -> None:
    """Newcomer B8: the face glows where it stands, and its ghost waits at the symbol; at rest, and only while it is asked."""
    turn = (Choice("turn_dial", Text("x"), {"kind": "turn_dial"}),)
    table = asked(with_dial(samples.table("en"), 1), choices=turn)
    assert table.state is not None
    face = table.shown(SkytopiaView).dial.faces[-1]
    told = Notice(id="differs-dial", text=Text("x", {"face": face}), kind="warn", slot="dial")
    wrong = msgspec.structs.replace(table, state=msgspec.structs.replace(table.state, notices=(told,)))
    assert (belongs_at_symbol(table), belongs_at_symbol(wrong)) == (None, face)
    assert belongs_at_symbol(with_dial(wrong, 1, "turning")) is None
    assert belongs_at_symbol(with_dial(wrong, 3)) is None, "it stands there by now"
    assert belongs_at_symbol(asked(wrong, choices=())) is None
    pages = drawn(wrong, *size), drawn(table, *size)
    ring = next(touch.box for touch in pages[1].touches() if touch.id == "ring")
    box = pygame.Rect(ring)
    at_symbol = pygame.Rect(box.centerx - box.w // 12, box.centery - round(box.h * 0.32), box.w // 6, box.h // 8)
    dark = [
        pygame.mask.from_threshold(page.surface.subsurface(at_symbol), (28, 21, 17), (90, 80, 60)).count()
        for page in pages
    ]
    assert dark[0] > 2 * dark[1], "a ghost is an outline on the dial, not a die"


@pytest.mark.parametrize("size", SIZES)
def test_a_touched_card_says_what_it_does_above_its_prices(size: tuple[int, int]) -> None:
    """Newcomer B11: without a second touch; the keys under a die have words."""
    table = samples.table("en")
    chosen = str(table.pick("slot"))
    does = next(one for one in samples.skytopia().market.slots if one.slot == chosen).effect
    sentence = drawn(table, *size).say(samples.skytopia().effects[does].text)
    assert sentence in words(table, size)
    sheet = msgspec.structs.replace(table, local={"sheet": "card blue-1"})
    assert "Take off" in words(sheet, size)


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
@pytest.mark.parametrize("size", [(1280, 720), (800, 480)])
@pytest.mark.parametrize(
    "banner",
    [
        Banner("Magda sets a 5 on red", undo=True),
        Banner("It is Tomek's turn", "Take it off", "bad"),
        Banner("Cela coûte 10 ; il manque 8 pièces.", "Choisissez moins cher ; la face gratuite reste possible.", "bad", box="x"),
        Banner("Tomek would write 15 coins instead of 5 for Magda", kind="warn", wish="wish-1"),
    ],
    ids=["undo", "refused", "printed number", "wish"],
)  # fmt: skip
def test_a_banner_covers_neither_the_market_nor_the_answers(
    size: tuple[int, int], banner: Banner, language: str
) -> None:
    """Newcomer B12: it stands aside, where there is room to read it, and its button with it."""
    page = drawn(msgspec.structs.replace(samples.table(language), banner=banner), *size, language)
    touches = {touch.id: pygame.Rect(touch.box) for touch in page.touches()}
    over = touches["banner"]
    parts = [box for name, box in touches.items() if name.startswith(("banner", "wish-"))]
    market = [box for name, box in touches.items() if name.split("-")[0] in ("blue", "gold", "red", "violet")]
    assert len(market) == 16
    answers = [box for name, box in touches.items() if name.startswith("place/")]
    assert not any(part.colliderect(box) for part in parts for box in (*market, *answers))
    assert not [label.text for label in page.labels() if over.contains(label.box) and not label.fits]


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
@pytest.mark.parametrize("size", [(1280, 720), (800, 480)])
@pytest.mark.parametrize("name", ["taken otherwise", "taken in two other ways"])
def test_how_a_move_was_taken_covers_neither_the_market_nor_the_answers(
    size: tuple[int, int], name: str, language: str
) -> None:
    page = drawn(VIEWS[name](language), *size, language)
    touches = {touch.id: pygame.Rect(touch.box) for touch in page.touches()}
    over = touches["banner"]
    assert over.contains(touches["otherwise"])
    free = [box for key, box in touches.items() if key.split("-")[0] in ("blue", "gold", "red", "violet")]
    free += [box for key, box in touches.items() if key == "undo" or key.startswith("place/")]
    assert len(free) > 12
    assert not any(over.colliderect(box) for box in free)
    assert not [label.text for label in page.labels() if over.contains(label.box) and not label.fits]


def test_the_outline_is_who_is_asked() -> None:
    """Newcomer B17: at the end of a round one player turns the dial while another begins: band and panel say the same."""
    table = asked(samples.table("en"), seat=2)
    page = drawn(table, 1280, 720)
    boxes = {touch.id: pygame.Rect(touch.box) for touch in page.touches() if touch.id.startswith("player ")}
    plain = drawn(asked(samples.table("en"), seat=0), 1280, 720)

    def looks(of: Any, seat: int) -> bytes:
        return pygame.image.tobytes(of.surface.subsurface(boxes[f"player {seat}"]), "RGB")

    assert looks(page, 0) != looks(plain, 0)
    assert looks(page, 2) != looks(plain, 2)
    assert looks(page, 1) == looks(plain, 1)


@pytest.mark.parametrize("size", SIZES)
def test_light_play_shows_points_and_nothing_nobody_follows(size: tuple[int, int]) -> None:
    """Newcomer C8: on the screen as on the phones."""
    table = samples.table("en")
    assert table.state is not None
    light = msgspec.structs.replace(table, state=msgspec.structs.replace(table.state, depth="light"))
    coins = {str(player.coins) for player in samples.skytopia().players}
    points = {str(player.points) for player in samples.skytopia().players}

    def numbers(view: Any) -> set[str]:
        panels = [pygame.Rect(touch.box) for touch in drawn(view, *size).touches() if touch.id.startswith("player ")]
        return {one.text for one in drawn(view, *size).labels() if any(box.contains(one.box) for box in panels)}

    assert coins | points <= numbers(table)
    assert points <= numbers(light)
    assert not (coins - points) & numbers(light)
