"""Chance between two rows: the power goes, or the disk is full, after a game was begun and before it was dealt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.session import Session
from companion.journal.store import Journal, Row
from companion.wire.messages import SeatInfo
from tests.companion.desk import Desk

SEATS = (SeatInfo(seat=0, name="Ada", colour="sun"), SeatInfo(seat=1, name="Ben", colour="leaf"))


def kinds(rows: list[Row]) -> list[str]:
    return [row.body.get("kind", row.kind) for row in rows]


def test_a_game_begun_and_not_dealt_is_dealt_at_the_next_start(tmp_path: Path) -> None:
    """The first row is on disk, the deal is not: the table deals when it is back, once."""
    journal = Journal(tmp_path / "games")
    game = Session.start(journal, "skyrise", {"depth": "full", "colours": ["sun", "leaf"]}, {}, SEATS).game
    journal.close()
    desk = Desk(tmp_path)
    assert kinds(desk.journal.rows(game)) == ["new", "deal"]
    assert desk.prompt.ask.text.key != "skyrise/ask/deal"
    desk.journal.close()
    assert kinds(Desk(tmp_path).journal.rows(game)) == ["new", "deal"]


def test_a_deal_taken_back_on_a_full_disk_is_dealt_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row that takes it back still fits, the new deal does not: the core goes on and deals with the next request."""
    desk = Desk(tmp_path)
    desk.new("skyrise")
    game = desk.state.game_id
    assert kinds(desk.journal.rows(game)) == ["new", "deal"]
    append = desk.journal._spare.append

    def nearly_full(row: Row, **more: Any) -> int:
        if row.kind == "move":
            raise OSError(28, "No space left on device")
        return append(row, **more)

    with monkeypatch.context() as patch:
        patch.setattr(desk.journal._spare, "append", nearly_full)
        assert desk.request(undo=True, consent=True).ok
        refused = desk.move(kind="pass")
        assert refused.refusal is not None
        assert refused.refusal.code == "table/disk"
    assert kinds(desk.journal.rows(game)) == ["new", "deal", "undo"]
    desk.move(kind="pass")
    assert kinds(desk.journal.rows(game))[:4] == ["new", "deal", "undo", "deal"]
    assert desk.prompt.ask.text.key != "skyrise/ask/deal"


def test_a_disk_full_at_the_start_is_no_reason_not_to_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is shown as it stands on disk, and dealt with the first request after there is room."""
    journal = Journal(tmp_path / "games")
    game = Session.start(journal, "skyrise", {"depth": "full", "colours": ["sun", "leaf"]}, {}, SEATS).game
    journal.close()

    def full(*row: Any, **more: Any) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("companion.journal.spare_copy.Spare.append", full)
        desk = Desk(tmp_path)
    assert desk.state.game_id == game
    assert kinds(desk.journal.rows(game)) == ["new"]
    desk.move(kind="pass")
    assert kinds(desk.journal.rows(game))[:2] == ["new", "deal"]
