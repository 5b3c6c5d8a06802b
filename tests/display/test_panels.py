"""Declared panels on the screen: every size and theme, nothing outside its box, rows that answer when touched."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import msgspec
import pygame
import pytest

from companion.game import Ask, Choice, Text
from companion.panels import (
    Card,
    Cards,
    Cell,
    Clock,
    Column,
    Dice,
    Figure,
    Figures,
    Marker,
    Panel,
    Row,
    ShownDie,
    Spot,
    Spots,
    Table,
    Track,
)
from companion.wire.messages import Prompt, SeatInfo, State
from display import fonts, scenes
from display.page import Page
from display.theme import Theme
from display.touch import Play
from display.view import View
from display.wording import Wording

SIZES = [(1280, 720), (800, 480), (720, 1280)]
SEATS = tuple(SeatInfo(seat=i, name=name, colour=c) for i, (name, c) in enumerate([("Ada", "sun"), ("Élodie", "sky")]))
ROWS = 12


def sheet() -> Table:
    """Twelve rows that can be chosen, and a total."""
    rows = [Row(f"Row {i}", (Cell(i, "best" if i == 3 else "hint"), Cell(2)), choice=f"row-{i}") for i in range(ROWS)]
    return Table((Column(seat=0), Column(seat=1)), (*rows, Row("Total", (Cell(40), Cell(38)), strong=True)))


SMALL: tuple[Panel, ...] = (
    Dice((ShownDie(3, kept=True), ShownDie(5), ShownDie(0)), note=Text("throw again")),
    Clock(4, 12, Text("round 5"), Text("8 to go"), stops=(6, 12), mark=6, mark_text=Text("half"), end_text=Text("end")),
    Figures((Figure(Text("pot"), 12), Figure(Text("gold"), 3, 0))),
    Track(0, 50, (Marker(3, 0), Marker(3, 1)), Text("road"), goal=40),
    Cards((Card(Text("wheat"), Text("2")), Card(Text("sheep"), seat=1, choice="row-1"), Card())),
    Spots((Spot(0, 0, "A"), Spot(1, 1, seat=0, choice="row-2")), ((0, 1), (0, 9)), title=Text("island")),
)


def drawn(size: tuple[int, int], *panels: Panel, light: bool = False, text_size: int = 100) -> Page:
    """The generic table with these panels, still."""
    choices = tuple(Choice(f"row-{i}", Text(f"Row {i}"), {"kind": "write", "row": i}) for i in range(ROWS))
    ask = Ask(0, Text("write"), (*choices, Choice("again", Text("again"), {"kind": "again"}, primary=True)))
    state = State(
        table="t", phase="playing", game="guest", game_id="g", seq=1, seats=SEATS, prompt=Prompt(ask=ask), panels=panels
    )
    if not pygame.display.get_init():
        pygame.display.init()
        pygame.display.set_mode((64, 64))
    page = Page(pygame.Surface(size), Theme(*size, text_size, light), Wording("en", {0: "Ada", 1: "Élodie"}))
    page.motion.still = True
    page.begin(0.0)
    scenes.draw(page, View(state=state))
    page.finish()
    return page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("text_size", [100, 150])
def test_every_panel_stays_on_the_screen_and_can_be_read(size: tuple[int, int], light: bool, text_size: int) -> None:
    """All kinds at once, and a sheet with dice: words fit their boxes, boxes fit the panel."""
    for panels in ((SMALL[0], sheet()), SMALL[:5], (SMALL[1], SMALL[5])):
        page = drawn(size, *panels, light=light, text_size=text_size)
        said = [label.text for label in page.labels()]
        assert "Ada" in " ".join(said)
        for label in page.labels():
            x, y, w, h = label.box
            assert label.fits or label.typed, label
            assert x >= -1, label
            assert y >= -1, label
            assert x + w <= size[0] + 1, label
            assert y + h <= size[1] + 1, label


@pytest.mark.parametrize("size", SIZES)
def test_every_answer_can_be_given_once_and_rows_high_enough_for_a_finger_give_it(size: tuple[int, int]) -> None:
    """A choice is on the sheet or in the bar, never lost; a touched row is the answer."""
    page = drawn(size, SMALL[0], sheet())
    acts = {touch.id: touch for touch in page.touches() if isinstance(touch.act, Play)}
    assert "again" in acts
    rows = [touch for name, touch in acts.items() if name.startswith("row-")]
    assert len(rows) == ROWS
    assert all(touch.box[3] >= page.theme.touch - page.theme.gap for touch in rows)


def test_a_map_leaves_out_roads_that_lead_nowhere_and_feels_its_spots() -> None:
    """A spot that stands for a choice is touched like any button."""
    page = drawn((1280, 720), SMALL[5])
    assert any(touch.id == "row-2" for touch in page.touches())


def test_many_points_do_not_squeeze_the_names_beside_them() -> None:
    """Five digits on a small panel: the name stands above them, as large as words are meant to be read."""
    players = [{"seat": i, "name": name, "points": 10450 + i} for i, name in enumerate(("Magda", "Élodie"))]
    state = State(
        table="t", phase="playing", game="guest", game_id="g", seq=1, seats=SEATS, panels=(SMALL[2],),
        prompt=Prompt(ask=Ask(0, Text("write"))), view=msgspec.Raw(msgspec.json.encode({"players": players, "turn": 0})),
    )  # fmt: skip
    page = Page(pygame.Surface((800, 480)), Theme(800, 480, 100, False), Wording("en", {0: "Magda", 1: "Élodie"}))
    page.begin(0.0)
    scenes.draw(page, View(state=state))
    page.finish()
    named = [label for label in page.labels() if label.text in ("Magda", "Élodie") and label.box[0] > 400]
    assert len(named) == 2
    least = round(page.theme.size("label"))
    assert all(label.box[2] >= fonts.width(label.text, page.theme.face("body"), least) for label in named)
