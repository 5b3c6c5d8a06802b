"""What a finger means is what was shown when it came down, whatever is drawn before it goes up."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benches import samples
from display.touch import Play, TakeBack
from display.view import View
from tests.display.test_client import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A screen on a bus in memory."""
    return Table(tmp_path)


def test_a_finger_means_the_row_it_came_down_on(table: Table) -> None:
    """The same buttons are drawn for the next row before the finger goes up: the request names the row it saw."""
    table.show(samples.pad())
    touch = next(t for t in table.screen.page.touches() if t.id == "end")
    at = (touch.box[0] + touch.box[2] // 2, touch.box[1] + touch.box[3] // 2)
    table.screen.press(at, table.now)
    state = samples.pad().state
    assert state is not None
    table.show(View(state=msgspec.structs.replace(state, seq=state.seq + 1)))
    table.screen.release(at)
    table.pass_time()
    table.tap("end")
    assert [(sent.game, sent.seq) for sent in table.heard] == [("pad", state.seq), ("pad", state.seq + 1)]


def test_a_correction_names_its_game_and_no_row(table: Table) -> None:
    """It says itself what it changes, so it stands whatever was played meanwhile; an undo means the row that is shown."""
    table.client.view = samples.table()
    table.client.perform(Play({"kind": "correct", "what": "coins", "seat": 0, "value": 7}))
    table.client.perform(TakeBack())
    table.pass_time()
    assert [(sent.game, sent.seq) for sent in table.heard] == [("demo", None), ("demo", 41)]
