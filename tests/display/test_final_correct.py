"""Newcomer B4: *Correct* on the final screen opens the table as it ended; nothing is taken back unasked."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benches import samples
from companion.wire.messages import MoveRequest
from tests.display.test_client import Table


@pytest.mark.parametrize("size", [(480, 320), (800, 480), (1280, 720)])
def test_correct_shows_the_table_and_takes_nothing_back(tmp_path: Path, size: tuple[int, int]) -> None:
    table = Table(tmp_path, size)
    final = samples.tally()
    assert final.state is not None
    shown = msgspec.structs.replace(final.state, view=samples.written(samples.skytopia()))
    table.show(msgspec.structs.replace(final, state=shown))
    table.pass_time(20)
    table.tap("correct")
    assert not table.heard, "no move is taken back"
    assert table.screen.scene == "display.scenes.tally.correcting:draw"
    table.tap("player 0")
    table.tap("coins+")
    (sent,) = (message for message in table.heard if isinstance(message, MoveRequest))
    assert (sent.undo, sent.move["kind"], sent.move["what"]) == (False, "correct", "coins")
    table.answer()
    table.client.put(sheet=None)
    table.pass_time()
    table.tap("correct-done")
    assert table.screen.scene == "display.scenes.tally.tally:draw"
