"""A full disk and a read-only one: the move is refused with what to do, nothing acknowledged is lost, nothing refused counts."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from companion.journal.store import Journal, disk_refuses
from companion.wire.words import LANGUAGES, Words
from tests.companion.desk import Desk
from tests.faults import disk


def test_a_disk_that_fills_up_refuses_moves_and_loses_none(tmp_path: Path) -> None:
    """Wherever in a move the last byte falls: what was accepted is there after a restart, what was refused is not."""
    seen = disk.run("full_while_playing", tmp_path / "disk")
    assert seen["accepted"] == seen["live"] == seen["resumed"]
    assert not seen["damage"]
    assert set(seen["answers"][20:28]) == {"disk"}
    assert seen["answers"][:20] == ["ok"] * 20
    assert seen["answers"][28:] == ["ok"] * 4, "with room again the game goes on"


def test_a_table_started_on_a_full_disk_takes_nothing_for_damage(tmp_path: Path) -> None:
    """No file is set aside, finished games stay in the history, and the open game goes on when there is room."""
    seen = disk.run("full_at_the_start", tmp_path / "disk")
    assert "ok" not in seen["codes"]
    assert seen["aside"] == []
    assert seen["games"] == ["g1", "done"]
    assert seen["told"] == list(range(10))
    assert seen["next"] == "ok"
    assert not seen["damage"]


def test_a_read_only_file_system_is_named_and_the_journal_left_alone(tmp_path: Path) -> None:
    """The card went bad and came back read-only: what is there stays there."""
    folder = tmp_path / "disk"
    journal = Journal(folder / "games")
    journal.append("g1", "new", {"pack": "scorepad"})
    journal.append("g1", "move", {"kind": "points", "seat": 0, "points": 7})
    journal.close()
    before = {path.name: path.read_bytes() for path in (folder / "games").iterdir()}
    if not disk.namespaces():
        for path in (folder / "games", folder):
            path.chmod(0o500)
        for path in (folder / "games").iterdir():
            path.chmod(0o400)
    seen = disk.run("read_only", folder, read_only=True)
    assert seen["code"] == "card", seen
    assert before == {path.name: path.read_bytes() for path in (folder / "games").iterdir()}
    for path in (folder, folder / "games", *(folder / "games").iterdir()):
        path.chmod(0o700)
    assert len(Journal(folder / "games").rows("g1")) == 2


def test_a_card_that_turns_read_only_in_play_is_said_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ "Free some space" would be the wrong advice; the game stands and goes on once it can be written again."""
    desk = Desk(tmp_path)
    desk.new()
    assert desk.move(kind="points", seat=0, points=5).ok

    def refused(descriptor: int, data: bytes) -> int:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr("companion.journal.spare_copy.os.write", refused)
        answer = desk.move(kind="points", seat=0, points=6)
    assert not answer.ok
    assert answer.refusal is not None
    assert answer.refusal.code == "table/card"
    desk.journal._db.execute("PRAGMA query_only=ON")
    again = desk.move(kind="points", seat=0, points=6)
    assert again.refusal is not None
    assert again.refusal.code == "table/card"
    desk.journal._db.execute("PRAGMA query_only=OFF")
    assert desk.move(kind="points", seat=0, points=7).ok
    assert [row.body["points"] for row in Journal(tmp_path / "games").rows(desk.table.session.game)[1:]] == [5, 7]  # type: ignore[union-attr]


def test_every_refusal_of_the_disk_has_words() -> None:
    """In all languages, with what to do."""
    for language in LANGUAGES:
        words = Words(language)
        for code in ("disk", "card", "newer"):
            assert words.knows(f"table/refuse/{code}")
            assert words.knows(f"table/do/{code}")
        assert words.knows("table/refuse/closed")


@pytest.mark.parametrize(
    ("error", "refuses"),
    [
        ("SQLITE_FULL", True),
        ("SQLITE_READONLY_DBMOVED", True),
        ("SQLITE_CANTOPEN_ISDIR", True),
        ("SQLITE_IOERR_SHMSIZE", True),
        ("SQLITE_IOERR_WRITE", True),
        ("SQLITE_IOERR_SHORT_READ", False),
        ("SQLITE_CORRUPT", False),
        ("SQLITE_NOTADB", False),
        ("", False),
    ],
)
def test_which_errors_speak_of_the_disk_and_which_of_the_file(error: str, refuses: bool) -> None:
    """Only the second kind sets a journal aside."""
    wrong = sqlite3.DatabaseError("x")
    wrong.sqlite_errorname = error
    assert disk_refuses(wrong) is refuses


def test_what_is_only_convenient_never_stops_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names for next time and corrections for the next game cannot be kept: this game goes on."""
    desk = Desk(tmp_path)

    def full(path: Path, data: bytes) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("companion.box.owner.write_private", full)
    desk.new("skytopia", depth="light")
    args: dict[str, Any] = {"game": "skytopia", "values": {"setup.coins": 6}}
    answer = desk.admin("box", **args)
    assert answer.refusal is not None
    assert answer.refusal.code == "table/disk"
