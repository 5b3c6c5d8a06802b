"""The first game on the screen: its sentence is read large, then the table is there; leaving it is a touch."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benches import samples
from companion.game import Text
from companion.wire.messages import Notice
from display.view import View
from tests.display.test_client import Table


def taught(language: str = "en") -> View:
    view = samples.table(language)
    assert view.state is not None
    text = Text("skytopia/lesson/share", {"do": Text("skytopia/choice/use")})
    notice = Notice(id="lesson-3", text=text, do=Text("lesson/step", {"i": 3, "of": 11}))
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, notices=(notice,)))


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_a_sentence_is_read_then_the_table_is_there(tmp_path: Path, size: tuple[int, int]) -> None:
    table = Table(tmp_path, size)
    table.show(taught())
    shown = [label.text for label in table.screen.page.labels()]
    assert any("Several golems may lie on one card" in text for text in shown)
    assert all(label.fits for label in table.screen.page.labels())
    table.tap("lesson-on")
    assert "lesson-on" not in {touch.id for touch in table.screen.page.touches()}
    assert "menu" in {touch.id for touch in table.screen.page.touches()}


def test_it_is_left_by_a_touch(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.show(taught())
    table.tap("lesson-leave")
    assert table.heard[-1].command == "leave lesson"
