"""Only what changed is painted, and what lies over something else stays over it."""

from __future__ import annotations

import pygame

from companion.game import Text
from display.motion import Motion
from display.page import Page
from display.theme import Theme, rgb
from display.touch import Put
from display.wording import Wording

RED, BLUE = rgb("FF0000"), rgb("0000FF")


def _page() -> Page:
    return Page(pygame.Surface((200, 100)), Theme(200, 100), Wording("en"))


def _frame(page: Page, now: float, *, left: tuple[int, int, int], over: bool = False) -> list[pygame.Rect]:
    page.begin(now)
    page.piece("left", (0, 0, 50, 100), left, lambda: page.surface.fill(left, (0, 0, 50, 100)))
    page.piece("right", (100, 0, 50, 100), "x", lambda: page.surface.fill(BLUE, (100, 0, 50, 100)))
    if over:
        page.piece(
            "over", (25, 25, 100, 50), "", lambda: page.surface.fill(rgb("00FF00"), (25, 25, 100, 50)), cover=True
        )
    return page.finish()


def test_an_unchanged_frame_paints_nothing() -> None:
    """Idle is idle."""
    page = _page()
    assert _frame(page, 0, left=RED)
    assert _frame(page, 1, left=RED) == []


def test_a_changed_piece_is_painted_alone_and_under_what_lies_over_it() -> None:
    """The cover stays on top, and what it uncovers comes back when it goes."""
    page = _page()
    _frame(page, 0, left=RED, over=True)
    painted = _frame(page, 1, left=BLUE, over=True)
    assert painted == [pygame.Rect(0, 0, 50, 100)]
    assert page.surface.get_at((30, 50))[:3] == rgb("00FF00")
    assert page.surface.get_at((10, 10))[:3] == BLUE
    _frame(page, 2, left=BLUE)
    assert page.surface.get_at((30, 50))[:3] == BLUE
    assert page.surface.get_at((110, 50))[:3] == BLUE


def test_touches_under_a_modal_piece_are_out_of_reach() -> None:
    """Only what is on top is felt; a higher layer wins even when it was laid first."""
    page = _page()
    page.begin(0)
    page.piece(
        "sheet", (0, 0, 200, 100), "", lambda: page.touch("close", (0, 0, 200, 100), Put({})), modal=True, layer=1
    )
    page.piece("button", (0, 0, 50, 50), "", lambda: page.touch("go", (0, 0, 50, 50), Put({})))
    page.finish()
    found = page.touch_at(10, 10)
    assert found is not None and found.id == "close"


def test_a_value_on_its_way_arrives_and_rests() -> None:
    """Motion ends by itself, and a touch ends it at once."""
    motion = Motion()
    motion.frame(0)
    assert motion.toward("x", 0, 400) == 0
    motion.frame(1)
    motion.toward("x", 10, 400)
    motion.frame(1.2)
    assert 0 < motion.toward("x", 10, 400) < 10 and motion.active
    motion.skip()
    motion.frame(1.21)
    assert motion.toward("x", 10, 400) == 10 and not motion.active


def test_the_shorter_form_is_taken_before_small_print() -> None:
    """A catalogue's short form gives way before the letters do."""
    page = _page()
    page.begin(0)
    wide: list[pygame.Rect] = []
    text = Text("display/demo/short", {"n": 3})
    page.piece("t", (0, 0, 200, 40), "", lambda: wide.append(page.text(text, (0, 0, 60, 30), size=20)))
    page.finish()
    assert page.labels()[0].text == "short 3"
