"""What an eye would find: lone letters at line ends, words beside the middle, names of different sizes, lost figures."""

from __future__ import annotations

import msgspec
import pygame
import pytest

from benches import samples
from display import fonts
from display.page import Page
from display.scenes.qr import put_qr
from display.theme import Theme
from display.touch import Put
from display.view import Banner
from display.widgets import button
from display.wording import Wording
from tests.display.views import VIEWS, drawn

SENTENCE = "Połóż z powrotem kość i obróć ją o jedno pole, a potem w domu w spokoju policz"


@pytest.mark.parametrize("room", range(120, 420, 20))
def test_no_line_ends_with_a_lone_letter(room: int) -> None:
    """Polish keeps its one-letter words with the next."""
    lines, _, _ = fonts.fit((fonts.clean(SENTENCE),), "sans", 20, (room, 400), 12, 0.8)
    assert " ".join(lines).replace("\u00a0", " ") == SENTENCE
    assert [line for line in lines[:-1] if len(line.replace("\u00a0", " ").split()[-1]) == 1] == []


def test_sign_and_words_of_a_button_stand_in_its_middle() -> None:
    """As much room left of the sign as right of the words."""
    page = Page(pygame.Surface((800, 100)), Theme(800, 480), Wording("en"))
    page.begin(0.0)
    page.piece("b", (0, 0, 800, 100), "", lambda: button(page, "b", (0, 0, 800, 100), "Back", Put({}), sign="left"))
    page.finish()
    x, _, w, _ = page.labels()[0].box
    assert 400 < x + w / 2 < 430


def test_names_in_a_row_have_one_size() -> None:
    """A long name makes the others a little smaller, not a line of six sizes."""
    names = {"Małgosia", "Tomek", "Łucja", "Zdzisław"}
    for view in ("score pad", "generic"):
        labels = drawn(VIEWS[view]("pl"), 800, 480, "pl").labels()
        assert len({label.box[3] for label in labels if label.text in names and label.box[1] > 60}) == 1, view


def test_every_stepper_shows_its_number() -> None:
    """Two columns of them would leave no room for the figures on an upright panel."""
    labels = drawn(VIEWS["box, a list"]("pl"), 720, 1280, "pl").labels()
    assert [label.text for label in labels if label.text.isdigit()] == ["1", "1", "3", "2", "5", "3"]


def test_the_card_of_a_code_keeps_its_round_corners() -> None:
    """The code's own paper does not stick out."""
    page = Page(pygame.Surface((260, 260)), Theme(800, 480), Wording("en"))
    page.surface.fill((0, 0, 0))
    put_qr(page, "http://127.0.0.1/#ABCDEF", (0, 0, 256, 256))
    assert max(page.surface.get_at((1, 1))[:3]) < 100
    assert min(page.surface.get_at((128, 3))[:3]) > 200


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280)])
def test_what_just_happened_hides_no_card(size: tuple[int, int]) -> None:
    """While the undo is offered, every card of the market can still be touched."""
    still = samples.table("pl")
    said = Banner("Zdzisław kładzie Golema 5: złota kolumna, rząd 3", undo=True, seconds=6.0)
    touched = {touch.id for touch in drawn(still, *size, "pl").touches() if "-" in touch.id}
    page = drawn(msgspec.structs.replace(still, banner=said), *size, "pl")
    assert len(touched) >= 16
    assert touched <= {touch.id for touch in page.touches()}
    assert [label.text for label in page.labels() if not label.fits] == []


def test_a_long_notice_takes_the_wide_place_under_the_band() -> None:
    """Aside it would be small print."""
    said = Banner(
        "Czerwona kolumna, rząd 2: " + "widać 4 gracza Małgosia, " * 3, "Popraw na ekranie.", "warn", seconds=0
    )
    page = drawn(msgspec.structs.replace(samples.table("pl"), banner=said), 800, 480, "pl")
    x, _, w, _ = next(touch.box for touch in page.touches() if touch.id == "banner")
    assert w > 400
    assert x + w / 2 == pytest.approx(400, abs=1)


def test_nothing_shines_through_a_banner() -> None:
    """What it covers is not half readable below its words."""
    said = Banner("", "", "info", since=0.0, seconds=0.0)
    page = drawn(msgspec.structs.replace(samples.table("en"), banner=said), 1280, 720, "en")
    x, y, w, h = next(touch.box for touch in page.touches() if touch.id == "banner")
    edge = 12
    seen = {
        tuple(page.surface.get_at((px, py)))[:3]
        for px in range(round(x) + edge, round(x + w) - edge)
        for py in (round(y) + edge, round(y + h / 2), round(y + h) - edge)
    }
    assert seen == {page.c.raised}
