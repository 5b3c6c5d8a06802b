"""Lists of the box are told by touch: pairs of actions by their pictures, rows of numbers one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
import pytest

from display import scenes
from display.page import Page
from display.paint.sprite import drawing
from display.scenes.box import opened
from display.scenes.box_lists import untold
from display.theme import Theme
from display.touch import Put, Touch
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


def touches(stage: Stage) -> list[Touch]:
    """What can be touched now."""
    page = Page(pygame.Surface(SIZE), Theme(*SIZE), Wording("en", {}))
    page.motion.still = True
    page.begin(0.0)
    scenes.draw(page, stage.client.view)
    page.finish()
    return page.touches()


def touch(stage: Stage, name: str, which: int = 0) -> None:
    """Touch what begins with this name."""
    stage.do([one for one in touches(stage) if one.id.startswith(name)][which].act)


def told(stage: Stage, key: str) -> dict[str, Any]:
    """What the core says about a printed value."""
    return next(one for one in stage.client.view.told["box"]["values"] if one["key"] == key)


def test_the_two_actions_of_a_tile_are_touched_as_they_are_drawn(stage: Stage) -> None:
    """F4: one row of pictures for each of them; half a pair cannot be kept."""
    stage.do(Put({"box-open": "tiles.a.1"}))
    pictures = [one for one in touches(stage) if one.id.startswith(("wall ", "road "))]
    assert len(pictures) == 4 and all(min(one.box[2:]) >= Theme(*SIZE).touch for one in pictures)
    touch(stage, "wall ", 0)
    assert not [one for one in touches(stage) if one.id == "box-list-keep"]
    touch(stage, "road ", 1)
    touch(stage, "box-list-keep")
    assert (told(stage, "tiles.a.1")["value"], told(stage, "tiles.a.1")["confirmed"]) == (["wall", "road"], True)


def test_the_rows_of_a_grid_are_entered_one_after_the_other(stage: Stage) -> None:
    """F4: there may be as many as the board has."""
    stage.do(Put({"box-open": "grid.wall.base-rows"}))
    touch(stage, "box-more")
    touch(stage, "box-more")
    touch(stage, "box-fewer")
    touch(stage, "box-part:grid.wall.base-rows#1+")
    touch(stage, "box-list-keep")
    assert told(stage, "grid.wall.base-rows")["value"] == [0, 1]


def test_what_nobody_said_is_never_confirmed_as_shown(stage: Stage) -> None:
    """F4: an empty list and a pair of unknown actions are nobody's word."""
    empty = {one["key"] for one in stage.client.view.told["box"]["values"] if untold(one["value"])}
    assert {"tiles.a.1", "grid.wall.base-rows"} <= empty
    leaf = 0
    while not any(one.id == "box-open tiles.a.1" for one in touches(stage)):
        leaf += 1
        stage.do(Put({"box-leaf": leaf}))
    assert not {one.id.removeprefix("box-keep ") for one in touches(stage)} & empty
    for one in touches(stage):
        if one.id == "box-all":
            stage.do(one.act)
    assert not told(stage, "tiles.a.1")["confirmed"]


def test_a_place_of_the_crane_is_picked_by_name(stage: Stage) -> None:
    """F8: nobody reads a station's number off the board."""
    stage.do(Put({"box-filter": "first", "box-leaf": 0}))
    control = [one for one in touches(stage) if one.id.startswith("box-edit:crane.hole")]
    assert [one.id for one in control] == ["box-edit:crane.hole"], "no stepper"
    stage.do(control[0].act)
    picks = [one for one in touches(stage) if one.id.startswith("pick")]
    assert len(picks) >= 6, "its places are listed"
