"""What is printed is told by touch on pictures: the two actions of a tile, the grids of the board, the plazas."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
import pytest

from companion.game import Grid
from companion.shown.praga import PragaView
from companion.wire.replies import BoxList, BoxValue
from display import fonts, scenes
from display.page import Page
from display.paint.sprite import drawing
from display.scenes import grids
from display.scenes.box import opened
from display.scenes.box_lists import untold
from display.tables import screen_of
from display.theme import Theme
from display.touch import Go, Play, Put, Touch
from display.wording import Wording
from tools.stage import Stage

SIZE = (800, 480)


@pytest.fixture
def stage() -> Iterator[Stage]:
    """A table whose box nobody has checked, with Praga's open before us."""
    pygame.display.init()
    pygame.font.init()
    if pygame.display.get_surface() is None:
        pygame.display.set_mode((64, 64))
    one = Stage("en", sensors=False)
    one.do(opened("praga"), Put({"box-filter": "open"}))
    drawing["on"] = False  # only places count here
    yield one
    drawing["on"] = True
    one.close()


def drawn(stage: Stage, language: str = "en", size: tuple[int, int] = SIZE, zoom: int = 100) -> Page:
    """What is seen now."""
    names = {seat.seat: seat.name for seat in stage.client.view.seats}
    page = Page(pygame.Surface(size), Theme(*size, zoom, language=language), Wording(language, names))
    page.motion.still = True
    page.begin(0.0)
    scenes.draw(page, stage.client.view)
    page.finish()
    return page


def touches(stage: Stage) -> list[Touch]:
    """What can be touched now."""
    return drawn(stage).touches()


def smallest(page: Page) -> tuple[int, str]:
    """The height of the smallest print, and what it says."""
    return min((round(one.box[3] / (1 + fonts.LINE * one.text.count(" / "))), one.text) for one in page.labels())


def touch(stage: Stage, name: str, which: int = 0) -> None:
    """Touch what begins with this name."""
    stage.do([one for one in touches(stage) if one.id.startswith(name)][which].act)


def box(stage: Stage) -> BoxList:
    """What the core says about the owner's copy."""
    found = stage.client.view.told.box
    assert found is not None
    return found


def told(stage: Stage, key: str) -> BoxValue:
    """What the core says about a printed value."""
    return next(one for one in box(stage).values if one.key == key)


def test_the_two_actions_of_a_tile_are_touched_as_they_are_drawn(stage: Stage) -> None:
    """F4: one row of pictures for each of them; half a pair cannot be kept."""
    stage.do(Put({"box-open": "tiles.a.1"}))
    pictures = [one for one in touches(stage) if one.id.startswith(("wall ", "road "))]
    assert len(pictures) == 4 and all(min(one.box[2:]) >= Theme(*SIZE).touch for one in pictures)
    touch(stage, "wall ", 0)
    assert not [one for one in touches(stage) if one.id == "box-list-keep"]
    touch(stage, "road ", 1)
    touch(stage, "box-list-keep")
    assert (told(stage, "tiles.a.1").value, told(stage, "tiles.a.1").confirmed) == (["wall", "road"], True)


def grid_of(stage: Stage, id: str) -> Grid:
    """What the core says about a part of the board."""
    return next(one for one in box(stage).grids if one.id == id)


def shown(stage: Stage, id: str) -> dict[tuple[int, int], Any]:
    """What was told of a part of the board, by row and column."""
    return {(one.row, one.column): one.shows for one in grid_of(stage, id).spaces}


def test_a_grid_is_told_on_its_picture(stage: Stage) -> None:
    """F4, F6: a place of the drawn Hunger Wall is touched and set; the numbers beside the rows are typed."""
    leaf = 0
    while not any(one.id == "box-open grid wall.base" for one in touches(stage)):
        leaf += 1
        stage.do(Put({"box-leaf": leaf}))
    assert not any(one.id.startswith("box-open grid.") for one in touches(stage)), "no list of numbers any more"
    touch(stage, "box-open grid wall.base")
    places = [one for one in touches(stage) if one.id.removeprefix("grid ")[0].isdecimal()]
    assert len(places) == 4 * 5 + 4 + 5
    assert all(min(one.box[2:]) >= Theme(*SIZE).touch - 1 for one in touches(stage))
    assert not [one for one in touches(stage) if one.id == "grid-keep"], "nothing was told yet"
    for one in ("grid 3 0", "grid-1", "grid-3", "grid-border-0", "grid 0 2", "grid-2", "grid 3 2", "grid-up"):
        touch(stage, one)
    touch(stage, "grid-rows+1")
    touch(stage, "grid-keep")
    told_of = grid_of(stage, "wall.base")
    assert (told_of.rows, told_of.columns, told_of.borders) == (5, 5, (3, 0))
    assert shown(stage, "wall.base") == {(3, 0): 13, (0, 2): 2, (3, 2): "up"}
    assert told(stage, "grid.wall.base-rows").value == [-1, -1, 13, -1, -1], "no zero that nobody said"
    assert told(stage, "grid.wall.base-columns").value == [], "nobody said how many there are"


def test_what_was_told_of_a_grid_can_be_taken_back(stage: Stage) -> None:
    """A number typed again begins anew, one too large does not grow, and a place may be unknown again."""
    stage.do(grids.opened("cathedral.a"))
    for one in ("grid 1 0", "grid-9", "grid-9", "grid-keep"):
        touch(stage, one)
    assert shown(stage, "cathedral.a") == {(1, 0): 9}
    stage.do(grids.opened("cathedral.a"))
    for one in ("grid 1 0", "grid-4", "grid-0", "grid-keep"):
        touch(stage, one)
    assert shown(stage, "cathedral.a") == {(1, 0): 40}
    stage.do(grids.opened("cathedral.a"))
    for one in ("grid 1 0", "grid-clear", "grid-keep"):
        touch(stage, one)
    assert shown(stage, "cathedral.a") == {}


def test_the_plazas_are_laid_out_before_a_game(stage: Stage) -> None:
    """Each goes to the place that is touched, and lies at one only."""
    for place, number in ("grid 4 1", 3), ("grid 2 5", 3), ("grid 1 1", 4):
        stage.do(grids.opened("city"))
        for one in (place, f"grid-{number}", "grid-keep"):
            touch(stage, one)
    assert shown(stage, "city") == {(2, 5): 3, (1, 1): 4}


def test_f6_a_number_of_the_final_form_is_read_on_the_picture(stage: Stage) -> None:
    """The form leads to the building while a number of it is missing; what was told there stands in the form."""
    stage.new("praga", ["Magda"], tiles=[1, 2, 3, 4, 5, 6])
    stage.do(Go(""), Play({"kind": "box", "key": "clock.turns", "value": 1}))
    acts = {"kind": "act", "action": "mines", "branch": "dig"}
    for move in ({"kind": "choose", "tile": 5}, acts, {"kind": "turn"}, {"kind": "turn"}):
        stage.do(Play(move))
    stage.view()  # once the banner is gone
    assert {"grid-wall.base", "grid-cathedral.base"} <= {one.id for one in touches(stage)}
    touch(stage, "grid-wall.base")
    for one in ("grid 1 0", "grid-7", "grid 0 1", "grid-2", "grid-keep"):
        touch(stage, one)
    assert stage.ask is not None and stage.ask.form is not None
    assert {"wall_row", "wall_column"}.isdisjoint(field.id for field in stage.ask.form.fields), (
        "nothing is left to read"
    )
    assert "grid-wall.base" not in {one.id for one in touches(stage)}


def test_f8_a_place_of_the_crane_is_drawn_beside_its_value() -> None:
    """Its station is lit on a small crane: with its own value where the value is a place."""
    page = Page(pygame.Surface(SIZE), Theme(*SIZE), Wording("en", {}))
    drawn = {key: screen_of("praga").box_sign(page, key, value, 50, 50, 20) for key, value in CRANE.items()}
    assert drawn == {key: key.startswith("crane.") and "overflow" not in key for key in CRANE}


CRANE = {
    "crane.red.3": 1,
    "crane.blue.8": 1,
    "crane.bonus.11": "stone",
    "crane.hole": 9,
    "crane.start.2": 10,
    "crane.overflow.green": "lowest",
    "track.mines_top": 8,
}


def test_f8_the_crane_is_seen_while_its_places_are_put_right(stage: Stage) -> None:
    """Whoever reads "third red place" finds it beside the form."""
    stage.new("praga", ["Magda", "Tomek"], tiles=[1, 2, 3, 4, 5, 6])
    stage.do(Go(""), Put({"slot": "crane"}))
    stage.view()
    found = {one.id: one.box for one in touches(stage)}
    wheel, arrow = found["crane"], found["form:box"]
    assert wheel[0] + wheel[2] <= arrow[0], "beside each other"


def test_in_a_game_a_cube_is_put_where_it_stands(stage: Stage) -> None:
    """The picture has everybody's cube; a touched place is where one of them stands, and what it shows is a move."""
    stage.new("praga", ["Magda", "Tomek", "Élodie", "Sam"], tiles=[1, 2, 3, 4, 5, 6])
    stage.do(Go(""), Put({"slot": "also"}))
    touch(stage, "grid-wall.base")
    touch(stage, "grid 2 3")
    assert all(min(one.box[2:]) >= Theme(*SIZE).touch - 1 for one in touches(stage))
    touch(stage, "grid-stands-1")
    board = stage.client.view.shown(PragaView).players[1]
    assert (board.wall_row, board.wall_column) == (2, 3)
    for one in ("grid-left", "grid-keep"):
        touch(stage, one)
    (space,) = stage.client.view.shown(PragaView).grids[0].spaces
    assert (space.row, space.column, space.shows) == (2, 3, "left")
    assert not any(one.id.startswith("grid ") for one in touches(stage)), "the table is back"


def test_what_nobody_said_is_never_confirmed_as_shown(stage: Stage) -> None:
    """F4: an empty list and a pair of unknown actions are nobody's word."""
    empty = {one.key for one in box(stage).values if untold(one.value)}
    assert {"tiles.a.1", "grid.wall.base-rows"} <= empty
    leaf = 0
    while not any(one.id == "box-open tiles.a.1" for one in touches(stage)):
        leaf += 1
        stage.do(Put({"box-leaf": leaf}))
    assert not {one.id.removeprefix("box-keep ") for one in touches(stage)} & empty
    for one in touches(stage):
        if one.id == "box-all":
            stage.do(one.act)
    assert not told(stage, "tiles.a.1").confirmed


def test_a_place_of_the_crane_is_picked_by_name(stage: Stage) -> None:
    """F8: nobody reads a station's number off the board."""
    stage.do(Put({"box-filter": "first", "box-leaf": 0}))
    control = [one for one in touches(stage) if one.id.startswith("box-edit:crane.hole")]
    assert [one.id for one in control] == ["box-edit:crane.hole"], "no stepper"
    stage.do(control[0].act)
    picks = [one for one in touches(stage) if one.id.startswith("pick")]
    assert len(picks) >= 6, "its places are listed"


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
def test_nothing_in_an_editor_is_small_print(stage: Stage, language: str) -> None:
    """Whole sentences on keys too: where a level begins, who stands here; the crane's places on a large panel."""
    for size, least in ((800, 480), 12), ((1280, 720), 16):
        for part, place in ("wall.base", "grid 3 0"), ("cathedral.a", "grid 2 2"), ("city", "grid 4 1"):
            stage.do(opened("praga"), grids.opened(part))
            touch(stage, place)
            assert smallest(drawn(stage, language, size)) >= (least, "")
    stage.new("praga", ["Magda", "Tomek", "Élodie", "Konstanty"], tiles=[1, 2, 3, 4, 5, 6])
    stage.do(Go(""), Put({"slot": "also"}))
    for key in ("grid-wall.base", "grid 2 3"):
        touch(stage, key)
    assert smallest(drawn(stage, language)) >= (12, "")
    stage.do(grids.CLOSED, Put({"slot": "crane"}))
    stage.view()
    for leaf in range(3):
        stage.do(Put({"form-leaf": leaf}))
        assert smallest(drawn(stage, language, (1280, 720))) >= (16, ""), "beside the crane"


def test_an_upright_panel_shows_the_crane_above_what_is_asked(stage: Stage) -> None:
    """Which tile hangs where is seen, not only said; what is typed is not lost by a touch on the wheel; no key is cut short."""
    tall = (720, 1280)
    stage.new("praga", ["Magda", "Tomek"])
    stage.do(Go(""))
    for act, opens in (Put({}), False), (Play({"kind": "hang", "skip": True}), True), (Put({"slot": "crane"}), False):
        stage.do(act)
        stage.view()
        page = drawn(stage, "pl", tall)
        assert "TURA" in [one.text for one in page.labels()]
        assert ("crane" in {one.id for one in page.touches()}) == opens
    stage.do(grids.opened("wall.base"))
    for one in ("grid 2 0", "grid-1"):
        touch(stage, one)
    assert not [one.text for one in drawn(stage, "pl", tall).labels() if "…" in one.text]


def test_large_words_are_larger_everywhere(stage: Stage) -> None:
    """Who wants words half as large again finds none of Praga's table smaller than others see them, reminders too."""
    stage.new("praga", ["Magda", "Tomek", "Élodie", "Sam"], tiles=[1, 2, 3, 4, 5, 6])
    stage.do(Go(""))
    stage.view()
    pages = [drawn(stage, "fr", zoom=zoom) for zoom in (100, 150)]
    reminder = [next(one.box[3] for one in page.labels() if "Placez" in one.text) for page in pages]
    assert all(smallest(page) >= (12, "") for page in pages)
    assert reminder[1] > reminder[0]


def test_what_a_player_has_many_of_can_be_read(stage: Stage) -> None:
    """Two digits have the room of two, however many things there are."""
    stage.new("praga", ["Magda", "Tomek", "Élodie", "Sam"], tiles=[1, 2, 3, 4, 5, 6])
    put = {"eggs": 14, "silver_windows": 14, "gold_windows": 1, "gold": 5, "stone": 5}
    stage.do(Go(""), Play({"kind": "correct", "seat": 1, "values": put}))
    stage.view()
    assert [one.text for one in drawn(stage).labels()].count("14") == 2
    assert smallest(drawn(stage)) >= (12, "")
