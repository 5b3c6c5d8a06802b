"""Newcomer B13: the list after an undo stays whole until all of it is done; what is ticked off stays there to be seen."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.game import Text
from companion.wire.messages import Notice
from tests.companion.desk import Desk


def test_a_ticked_line_stays_until_the_list_is_done(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.new()
    seen = Notice(id="restore-0", text=Text("event/undone"), kind="todo", slot="gold-1", done=True)
    unseen = Notice(id="restore-1", text=Text("event/undone"), kind="todo")
    desk.table.notices = (seen, unseen)
    desk.table.senses._all_right()
    assert desk.table.notices == (seen, unseen)
    desk.table.notices = (seen, msgspec.structs.replace(unseen, done=True))
    desk.table.senses._all_right()
    assert desk.table.notices == ()
