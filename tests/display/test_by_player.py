"""Newcomer B6 on the screen: one player's fields at a time, back and forth by their names, never two players on one leaf."""

from __future__ import annotations

from pathlib import Path

import pytest

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
