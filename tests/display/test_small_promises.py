"""Small promises on the glass that a newcomer found broken."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benches import samples
from companion.game import Text
from companion.wire.messages import Undo
from tests.display.test_client import Table


def said(table: Table) -> str:
    return " ".join(label.text for label in table.screen.page.labels())


def test_a_lock_asks_for_its_pin_at_once(tmp_path: Path) -> None:
    """Newcomer D7: without a PIN it would lock nothing."""
    table = Table(tmp_path, (1280, 720))
    table.show(samples.table())
    table.client.put(scene="settings")
    table.pass_time()
    for _ in range(3):
        if any(touch.id == "lock=True" for touch in table.screen.page.touches()):
            break
        table.tap("settings-leaf")
    table.tap("lock=True")
    assert table.client.view.pick("scene") == "pin"


def test_the_way_back_from_the_code_is_called_so_in_mid_game(tmp_path: Path) -> None:
    """Newcomer D9: *Begin* only before the first move."""
    table, view = Table(tmp_path, (800, 480)), samples.table()
    assert view.state is not None
    for undo, word in ((None, "Begin"), (Undo(text=Text("display/undo")), "Back to the table")):
        table.show(msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, undo=undo)))
        table.client.put(scene="join")
        table.pass_time()
        assert word in said(table)
