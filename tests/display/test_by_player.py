"""Newcomer B6 on the screen: one player's fields at a time, back and forth by their names, never two players on one leaf."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from companion.game import Text
from companion.wire.messages import Refusal
from display.touch import Put
from tests.display.test_client import Table
from tests.display.views import VIEWS, drawn


@pytest.mark.parametrize("size", [(1280, 720), (800, 480), (480, 320), (480, 800)])
def test_only_the_open_player_has_fields(size: tuple[int, int]) -> None:
    touches = {touch.id for touch in drawn(VIEWS["counted by player"]("en"), *size).touches()}
    assert {"tab 0", "tab 1", "tab 2"} <= touches
    fields = {name.split("/")[0] for name in touches if name.startswith("form:")}
    assert fields == {"form:p0"}


def test_a_tab_opens_its_player_and_what_was_entered_stays(tmp_path: Path) -> None:
    table = Table(tmp_path, (1280, 720))
    table.show(VIEWS["counted by player"]("en"))
    table.tap("form:p0/coins+")
    table.tap("tab 2")
    table.tap("form:p2/coins+")
    table.tap("tab 0")
    assert {"p0/coins", "p2/coins"} == set(table.client.view.pick("form"))


@pytest.mark.parametrize("size", [(1280, 720), (800, 480)])
def test_the_field_that_was_refused_is_open_and_lit_until_it_is_mended(tmp_path: Path, size: tuple[int, int]) -> None:
    """Newcomer B5: another player's, and on a later leaf where the screen is small."""
    table = Table(tmp_path, size)
    view = VIEWS["counted by player"]("en")
    table.show(view)
    table.tap("tab 1")
    last = [field for field in view.prompt.ask.form.fields if field.seat == 2][-1]
    table.tap("form-send")
    table.answer(ok=False, refusal=Refusal(code="x", say=Text("x"), do=Text("x"), field=last.id))
    touches = {touch.id for touch in table.screen.page.touches()}
    assert f"form:{last.id}+" in touches
    assert not any(name.startswith("form:p1") for name in touches)
    assert _reds(table) > 200
    table.tap(f"form:{last.id}+")
    assert _reds(table) < 20
    table.tap("tab 0")
    assert any(touch.id.startswith("form:p0") for touch in table.screen.page.touches()), "one may go elsewhere"


def _reds(table: Table) -> int:
    """Points drawn in the colour of what is wrong, once the banner is put away."""
    table.client.perform(Put({"banner": None}))
    table.pass_time()
    page = table.screen.page
    return pygame.mask.from_threshold(page.surface, page.c.bad, (10, 10, 10, 255)).count()
