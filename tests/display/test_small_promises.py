"""Small promises on the glass that a newcomer found broken."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pygame
import pytest

from benches import samples
from companion.game import Text
from companion.wire.messages import Notice, Undo
from display.page import Page
from display.paint.shapes import mark
from display.scenes import undo as putting_back
from display.theme import Theme
from display.wording import Wording
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


@pytest.mark.parametrize("size", [(1280, 720), (800, 480), (480, 320), (720, 1280)])
def test_the_large_code_says_how_it_is_left(tmp_path: Path, size: tuple[int, int]) -> None:
    """Newcomer D9: any touch closed it, and nothing said so."""
    table, view = Table(tmp_path, size), samples.tally()
    assert view.state is not None
    state = msgspec.structs.replace(view.state, play_link="https://app.bgstatsapp.com/x")
    table.show(msgspec.structs.replace(view, state=state))
    table.client.put(sheet="link", revealed=True)
    table.pass_time(20)
    assert "Back" in said(table)
    table.tap("qr-back")
    assert table.client.view.pick("sheet") is None
    assert "qr-back" not in {touch.id for touch in table.screen.page.touches()}


def test_only_the_dial_carries_the_sign_of_the_dial() -> None:
    """Newcomer B13: coins and golems in the list after an undo carry the sign of whose they are."""
    view, theme = samples.table(), Theme(800, 480)
    page = Page(pygame.Surface((800, 480)), theme, Wording("en"))
    coins = Text("skytopia/restore/coins", {"seat": Text("seat", {"n": 2})})
    lines = {
        "dial": Notice(id="restore-0", text=Text("restore/dial", {"notch": 2}), kind="todo", slot="dial"),
        "coins": Notice(id="restore-1", text=coins, kind="todo"),
        "deck": Notice(id="restore-2", text=Text("event/undone"), kind="todo"),
    }
    signs = {
        name: pygame.image.tobytes(putting_back._sign(page, view, line, 12), "RGBA") for name, line in lines.items()
    }
    assert len(set(signs.values())) == 3
    assert signs["coins"] == pygame.image.tobytes(mark(theme.player(view.colour(2)), 12, theme), "RGBA")
