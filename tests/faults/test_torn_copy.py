"""A spare copy the power tore: it is mended at the next start, so that it is worth something at the next fault."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from companion.journal.rows import Row, to_json
from companion.journal.store import Journal
from tests.journals import left_behind


def _points(number: int) -> dict[str, object]:
    return {"kind": "points", "seat": 0, "points": number}


def _torn(folder: Path) -> tuple[bytes, bytes]:
    """A game of twelve moves left behind, and the line that the next move would have been."""
    left_behind(folder)
    journal = Journal(folder)
    whole = (folder / "open-g1.jsonl").read_bytes()
    copy = folder.with_name("next")
    shutil.copytree(folder, copy)
    line = to_json.encode(Journal(copy).append("g1", "move", _points(99))) + b"\n"
    journal.close()
    shutil.rmtree(copy)
    return whole, line


def _again(origin: Path, spare: bytes) -> tuple[Path, Journal]:
    copy = origin.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(origin, copy)
    (copy / "open-g1.jsonl").write_bytes(spare)
    return copy, Journal(copy)


def test_half_a_line_is_cut_off_before_the_next_is_written(tmp_path: Path) -> None:
    """Wherever it was torn: five moves more, then the database loses its tail, and the copy still tells all of them."""
    origin = tmp_path / "origin"
    whole, line = _torn(origin)
    for cut in range(1, len(line)):
        copy, journal = _again(origin, whole + line[:cut])
        assert journal.damage is None
        assert (copy / "open-g1.jsonl").read_bytes() == whole, cut
        database = (copy / "journal.db").read_bytes() if cut % 40 == 1 else b""
        for number in range(5):
            journal.append("g1", "move", _points(number))
        journal.close()
        if database:
            (copy / "journal.db").write_bytes(database)
        again = Journal(copy)
        assert [row.body["points"] for row in again.rows("g1")[-5:]] == [0, 1, 2, 3, 4], cut
        assert again.damage is None or again.damage.lost == 0
        again.close()


def test_a_second_cut_is_no_false_alarm(tmp_path: Path) -> None:
    """Torn twice, each time before anything was promised: nothing is called gone, nothing is set aside."""
    origin = tmp_path / "origin"
    whole, line = _torn(origin)
    for cut in range(1, len(line), 7):
        copy, journal = _again(origin, whole + line[:cut])
        journal.close()
        (copy / "open-g1.jsonl").write_bytes(
            (copy / "open-g1.jsonl").read_bytes() + line
        )  # written, and then the power
        again = Journal(copy)
        assert again.damage is None, cut
        assert len(again.rows("g1")) == 14
        again.close()


def test_a_line_with_a_sector_missing_was_never_promised(tmp_path: Path) -> None:
    """Its end arrived, its beginning did not: the disk shows zeros there. Nothing is gone."""
    origin = tmp_path / "origin"
    whole, line = _torn(origin)
    for first in range(0, len(line) - 1, 11):
        holed = line[:first] + bytes(min(60, len(line) - 1 - first)) + line[first + 60 :]
        _, journal = _again(origin, whole + (holed if holed.endswith(b"\n") else holed + b"\n"))
        assert journal.damage is None, first
        assert len(journal.rows("g1")) == 13
        journal.close()


def test_a_line_that_is_whole_and_wrong_is_damage(tmp_path: Path) -> None:
    """Somebody changed it: that is said, as ever."""
    origin = tmp_path / "origin"
    whole, line = _torn(origin)
    _, journal = _again(origin, whole + line.replace(b"99", b"98"))
    assert journal.damage is not None


def test_a_game_without_its_copy_gets_one_with_its_next_row(tmp_path: Path) -> None:
    """Wherever the copy went."""
    left_behind(tmp_path / "origin")
    journal = Journal(tmp_path / "origin")
    (tmp_path / "origin" / "open-g1.jsonl").unlink()
    row = journal.append("g1", "move", _points(1))
    assert len((tmp_path / "origin" / "open-g1.jsonl").read_bytes().splitlines()) == row.seq + 1


def test_a_line_the_disk_would_not_take_back_is_not_written_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full in mid-line and refuses even to be cut; with room again the next line stands on its own."""
    journal = Journal(tmp_path)
    journal.append("g1", "new", {"pack": "scorepad"})
    write = os.write

    def half(file: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return write(file, data[: len(data) // 2])

    def stuck(*where: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        patch.setattr(os, "truncate", stuck)
        with pytest.raises(Exception, match="could not be written"):
            journal.append("g1", "move", _points(1))
    rows: list[Row] = [journal.append("g1", "move", _points(2)), journal.append("g1", "move", _points(3))]
    lines = (tmp_path / "open-g1.jsonl").read_bytes().splitlines()
    assert [to_json.encode(row) for row in rows] == lines[1:]
