"""A panel that hangs upside down or upright shows the same picture, turned, and a finger means what it points at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygame
import pytest

from companion.wire.sections import DisplayConfig
from display.screen import Screen
from tests.display.test_client import Table
from tests.display.test_piecewise import pixels

PANELS = {0: (800, 480), 90: (480, 800), 180: (800, 480), 270: (480, 800)}
"""The panel as it is made, for a picture 800 pixels wide."""


@pytest.fixture(params=PANELS)
def turn(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def hung(table: Table, turn: int) -> Screen:
    """The same table on a panel that hangs otherwise."""
    panel = pygame.Surface(PANELS[turn])
    screen = Screen(panel, table.client, DisplayConfig(turn=turn))  # type: ignore[arg-type]
    screen.draw(0.0)
    return screen


def test_the_picture_is_the_same_but_for_the_turn(tmp_path: Path, turn: int) -> None:
    table = Table(tmp_path, (800, 480))
    straight = pixels(hung(table, 0).surface)
    turned = pixels(hung(table, turn).surface)
    assert np.array_equal(np.rot90(straight, -turn // 90), turned)


def touched(screen: Screen, across: float, down: float, panel: tuple[int, int]) -> list[tuple[int, int]]:
    """Where a finger, and then a mouse, at these shares of the panel is taken to be."""
    found: list[tuple[int, int]] = []
    screen.press = lambda at, now: found.append(at)  # type: ignore[method-assign]
    screen._event(pygame.event.Event(pygame.FINGERDOWN, x=across, y=down), 0.0)
    place = (round(across * panel[0]), round(down * panel[1]))
    screen._event(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=place), 0.0)
    return found


@pytest.mark.parametrize(
    ("turn", "across", "down"), [(0, 0.75, 0.25), (90, 0.75, 0.75), (180, 0.25, 0.75), (270, 0.25, 0.25)]
)
def test_a_finger_is_where_the_picture_under_it_is(tmp_path: Path, turn: int, across: float, down: float) -> None:
    """Three quarters to the right and a quarter down, as people see it."""
    screen = hung(Table(tmp_path, (800, 480)), turn)
    for x, y in touched(screen, across, down, PANELS[turn]):
        assert abs(x - 600) <= 1
        assert abs(y - 120) <= 1
