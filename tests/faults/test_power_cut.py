"""The power goes while the journal is written: nothing acknowledged is lost, nothing is told twice, nothing is damage."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal.store import Journal
from tests.journals import left_behind, open_game

KILLS = int(os.environ.get("TABLESIDE_KILLS", "25"))
STEP = int(os.environ.get("TABLESIDE_CUT_STEP", "97"))
"""Bytes between two cuts; `make soak` tries every one."""
PAGES = 2 * 4096


@pytest.mark.timeout(7200)
def test_killed_at_random_while_it_writes(tmp_path: Path) -> None:
    """A writer killed again and again in mid-sentence; each next one goes on where the last acknowledged move stands."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.power_cut", str(tmp_path), str(KILLS), "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=7000,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["moves"] > KILLS
    assert told["damaged"] == 0
    assert told["unclean"] == KILLS


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("victim", ["journal.db", "journal.db-wal", "open-g1.jsonl"])
def test_cut_at_every_byte_of_its_last_pages(tmp_path: Path, victim: str) -> None:
    """Wherever one file ends, the other tells the whole game, and the next move counts."""
    chains = left_behind(tmp_path / "origin")
    whole = (tmp_path / "origin" / victim).read_bytes()
    copy = tmp_path / "copy"
    for cut in sorted({*range(max(0, len(whole) - PAGES), len(whole), STEP), len(whole) - 1}):
        shutil.copytree(tmp_path / "origin", copy)
        (copy / victim).write_bytes(whole[:cut])
        journal = Journal(copy)
        assert chains == [row.chain for row in journal.rows("g1")], f"{victim} cut at {cut} of {len(whole)}"
        journal.append("g1", "move", {"kind": "points", "seat": 1, "points": 99})
        assert len(journal.rows("g1")) == len(chains) + 1
        journal.close()
        shutil.rmtree(copy)


def test_the_power_goes_in_the_middle_of_a_rebuild(tmp_path: Path) -> None:
    """The new file is made beside the damaged one: whichever step is the last, no game is lost."""
    journal = Journal(tmp_path)
    journal.append("done", "new", {"pack": "scorepad"})
    journal.append("done", "end", {"tally": {}, "over": True})
    journal.append("g1", "new", {"pack": "scorepad"})
    journal.append("g1", "move", {"kind": "points", "seat": 0, "points": 3})
    journal.close()
    (tmp_path / "journal.db").rename(tmp_path / "journal.rebuilt.db")  # the very last step did not happen
    again = Journal(tmp_path)
    assert [first.game for first, _ in again.games()] == ["g1", "done"]
    again.close()
    (tmp_path / "journal.rebuilt.db").write_bytes(b"half a file")  # an earlier one did not finish
    data = bytearray((tmp_path / "journal.db").read_bytes())
    data[100:200] = bytes(100)
    (tmp_path / "journal.db").write_bytes(data)
    mended = Journal(tmp_path)
    assert mended.damage is not None
    assert [row.seq for row in mended.rows("g1")] == [0, 1]
    assert not (tmp_path / "journal.rebuilt.db").exists()


def test_several_damaged_files_are_all_kept(tmp_path: Path) -> None:
    """Two damages in one second, or with the clock gone back: no file set aside overwrites another."""
    for _ in range(3):
        journal = Journal(tmp_path)
        if not journal.rows("g1"):
            journal.append("g1", "new", {"pack": "scorepad"})
        journal.close()
        (tmp_path / "journal.db").write_bytes(b"no database")
    Journal(tmp_path).close()
    assert len(list(tmp_path.glob("journal.damaged-*.db"))) == 3


def test_an_ended_games_spare_copy_is_gone_after_the_next_start(tmp_path: Path) -> None:
    """The power went between the last row and the throwing away of its copy."""
    journal = Journal(tmp_path)
    journal.append("g1", "new", {"pack": "scorepad"})
    copy = (tmp_path / "open-g1.jsonl").read_bytes()
    end = journal.append("g1", "end", {"tally": {}})
    from companion.journal.rows import to_json

    (tmp_path / "open-g1.jsonl").write_bytes(copy + to_json.encode(end) + b"\n")
    assert open_game(Journal(tmp_path)) is None
    assert not list(tmp_path.glob("open-*"))
