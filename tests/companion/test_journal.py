"""The journal: nothing acknowledged is lost, every damage is seen, the longest valid prefix resumes."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from companion.journal.store import SCHEMA, Entry, Journal, JournalUnusableError, longest_prefix
from tests.journals import fill, left_behind, open_game


def test_rows_chain_and_come_back_in_order(tmp_path: Path) -> None:
    """Every row's checksum holds the one before it."""
    game, chains = fill(tmp_path)
    rows = Journal(tmp_path).rows(game)
    assert chains == [row.chain for row in rows]
    assert list(range(31)) == [row.seq for row in rows]


def test_a_changed_row_ends_the_valid_prefix(tmp_path: Path) -> None:
    """Somebody edits move 10 in the database and in the spare copy: only the moves before it are believed."""
    game, _ = fill(tmp_path)
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("UPDATE rows SET body = replace(body, '\"points\":9', '\"points\":99') WHERE seq = 10")
    spare = tmp_path / f"open-{game}.jsonl"
    spare.write_text(spare.read_text().replace('"points":9,', '"points":99,'))
    journal = Journal(tmp_path)
    assert len(journal.rows(game)) == 10
    assert journal.damage is not None
    assert journal.damage.lost == 21


def test_a_damaged_database_is_restored_from_its_spare_copy(tmp_path: Path) -> None:
    """One copy is enough: nothing is lost, and it is said."""
    game, chains = fill(tmp_path)
    (tmp_path / "journal.db").write_bytes(b"this is no database" * 100)
    journal = Journal(tmp_path)
    assert chains == [row.chain for row in journal.rows(game)]
    assert journal.damage is not None
    assert journal.damage.lost == 0
    assert (tmp_path / journal.damage.moved_to).exists()


def _check_prefix(directory: Path, chains: list[str]) -> None:
    """Whatever happened to the files: a prefix of what was acknowledged, and a loss that is said."""
    journal = Journal(directory)
    found = [row.chain for row in journal.rows("g1")]
    assert found == chains[: len(found)]
    if len(found) < len(chains):
        assert journal.damage is not None
        assert journal.damage.lost > 0
    if found:
        journal.append("g1", "move", {"kind": "points", "seat": 0, "points": 1})
        assert len(journal.rows("g1")) == len(found) + 1
    journal.close()


@pytest.mark.parametrize("victim", ["journal.db", "journal.db-wal", "open-g1.jsonl"])
def test_cut_anywhere_one_copy_still_tells_the_whole_game(tmp_path: Path, victim: str) -> None:
    """A file cut at any place: the other one has it all."""
    origin = tmp_path / "origin"
    chains = left_behind(origin) if victim.endswith("-wal") else fill(origin, 12)[1]
    size = (origin / victim).stat().st_size
    places = sorted({*range(0, size, max(1, size // 20)), *range(max(0, size - 12), size)})
    for cut in places:
        copy = tmp_path / "copy"
        shutil.copytree(origin, copy)
        with (copy / victim).open("r+b") as file:
            file.truncate(cut)
        journal = Journal(copy)
        assert chains == [row.chain for row in journal.rows("g1")], f"cut at {cut}"
        journal.close()
        shutil.rmtree(copy)


@pytest.mark.parametrize("seed", range(3))
def test_flipped_anywhere_in_both_copies_a_valid_prefix_resumes(tmp_path: Path, seed: int) -> None:
    """Bytes flipped at random in both files: detected, the longest valid prefix resumes, the loss is said."""
    chance = random.Random(seed)
    origin = tmp_path / "origin"
    _, chains = fill(origin, 20)
    for _ in range(15):
        copy = tmp_path / "copy"
        shutil.copytree(origin, copy)
        for victim in ("journal.db", "open-g1.jsonl"):
            data = bytearray((copy / victim).read_bytes())
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            (copy / victim).write_bytes(data)
        _check_prefix(copy, chains)
        shutil.rmtree(copy)


def test_a_swapped_or_missing_row_is_seen(tmp_path: Path) -> None:
    """Order is part of the chain."""
    game, _ = fill(tmp_path, 6)
    rows = Journal(tmp_path).rows(game)
    assert len(longest_prefix([*rows[:3], rows[4], rows[3], *rows[5:]])) == 3
    assert len(longest_prefix([*rows[:2], *rows[3:]])) == 2


def test_an_ended_game_has_no_spare_copy_and_is_not_open(tmp_path: Path) -> None:
    """The spare copy is for the game in play."""
    game, _ = fill(tmp_path)
    journal = Journal(tmp_path)
    assert game == open_game(journal)
    journal.append(game, "end", {"tally": {}})
    assert open_game(journal) is None
    assert not list(tmp_path.glob("open-*"))


def test_a_file_from_the_future_is_refused_untouched(tmp_path: Path) -> None:
    """A newer schema is not half understood."""
    fill(tmp_path)
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
        db.execute("UPDATE meta SET schema = ?", (SCHEMA + 1,))
    with pytest.raises(JournalUnusableError, match="newer"):
        Journal(tmp_path)


def test_unclean_shutdowns_are_counted(tmp_path: Path) -> None:
    """A journal left without farewell is remembered."""
    Journal(tmp_path)
    assert Journal(tmp_path).unclean == 1
    second = Journal(tmp_path)
    second.close()
    assert Journal(tmp_path).unclean == 2


def test_whoever_only_reads_leaves_the_mark_of_the_one_who_writes(tmp_path: Path) -> None:
    """Looked at beside a running core and closed: the core that is killed later is still counted."""
    game, _ = fill(tmp_path)
    core = Journal(tmp_path)
    beside = Journal.reading(tmp_path)
    assert beside.rows(game)
    beside.close()
    assert (tmp_path / "running").exists()
    core.close()
    assert not (tmp_path / "running").exists()


def test_a_game_of_a_thousand_moves_opens_whole(tmp_path: Path) -> None:
    """Opening verifies every row (how quickly is in `tableside bench core`)."""
    journal = Journal(tmp_path)
    with journal.unsynced():
        journal.append("g1", "new", {"pack": "scorepad"})
        for i in range(1000):
            journal.append("g1", "move", {"kind": "points", "seat": i % 2, "points": 1})
    journal.close()
    assert len(Journal(tmp_path).rows("g1")) == 1001


def test_rows_of_two_games_follow_the_rows_each_has(tmp_path: Path) -> None:
    """Several of one game in one step, too: their checksums chain."""
    journal = Journal(tmp_path)
    journal.append("a", "new", {})
    rows = journal.together(Entry("a", "resume", {"without": 1}), Entry("a", "end", {}), Entry("b", "new", {}))
    assert [(row.game, row.seq) for row in rows] == [("a", 1), ("a", 2), ("b", 0)]
    again = Journal(tmp_path)
    assert (len(again.rows("a")), len(again.rows("b"))) == (3, 1)


@pytest.mark.parametrize(
    "foreign",
    [
        "CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM rows; END",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TABLE guest (x)",
    ],
)
def test_a_database_that_does_work_of_its_own_is_set_aside(tmp_path: Path, foreign: str) -> None:
    """Nothing a file brings along runs when we write: its rows are taken over into a journal of ours."""
    game, chains = fill(tmp_path)
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute(foreign)
    journal = Journal(tmp_path)
    assert journal.damage is not None
    assert journal.damage.lost == 0
    journal.append(game, "move", {"kind": "points", "seat": 0, "points": 1})
    assert [row.chain for row in journal.rows(game)][:-1] == chains


@pytest.mark.parametrize("special", ["pipe", "folder", "view"])
def test_what_is_no_journal_is_never_waited_for(tmp_path: Path, special: str) -> None:
    """A pipe would not answer, a view could count for ever: the games are read from their copies."""
    game, chains = fill(tmp_path)
    (tmp_path / "journal.db").unlink()
    if special == "pipe":
        os.mkfifo(tmp_path / "journal.db")
    elif special == "folder":
        (tmp_path / "journal.db").mkdir()
    else:
        with sqlite3.connect(tmp_path / "journal.db") as db:
            endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
            db.execute(f"CREATE VIEW rows AS {endless}")
    with pytest.raises(JournalUnusableError, match="cannot be read"):
        Journal.reading(tmp_path)
    journal = Journal(tmp_path)
    assert [row.chain for row in journal.rows(game)] == chains


def test_nobody_else_reads_the_journal(tmp_path: Path) -> None:
    """Dealt cards and names are the table's alone, whatever the system's habits, also where an earlier version wrote them."""
    before = os.umask(0o022)
    try:
        journal = Journal(tmp_path / "games")
        journal.append("g1", "new", {"pack": "scorepad"})
        for path in tmp_path.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        journal.close()
        again = Journal(tmp_path / "games")
        again.append("g1", "move", {"kind": "points", "seat": 0, "points": 1})
        files = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "games").iterdir()}
    finally:
        os.umask(before)
    assert (tmp_path / "games").stat().st_mode & 0o777 == 0o700
    del files["running"]
    assert set(files.values()) == {0o600}, files
    assert {"journal.db", "journal.db-wal", "open-g1.jsonl"} <= set(files)
