"""What people type by mistake, and machines that refuse: one clear line, no trace of the program's inside, nothing lost."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.commands import writable
from companion.core.chance import supply
from companion.core.session import Session
from companion.journal.store import Journal
from companion.virtual import demo as virtual
from companion.wire.messages import SeatInfo
from tests.companion.test_commands import GAMES, Tableside, assert_refused, finished_pad, played, tableside
from tests.conftest import PATIENCE, Place

__all__ = ["played", "tableside"]
PRAGA = GAMES / "praga" / "two-players-light.jsonl"


def command(place: Place, *words: str | Path, **more: str) -> list[str]:
    return [sys.executable, "-m", "companion.cli", *map(str, words)]


@pytest.mark.parametrize("words", [["tally", "skytopia", "none.json"], ["replay", PRAGA]])
def test_a_language_nobody_speaks_is_wrong_usage(tableside: Tableside, words: list[str]) -> None:
    """It is not quietly taken for English."""
    result = tableside(*words, "--language", "de")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "languages are en, pl, fr" in result.stderr


def test_the_table_s_language_is_spoken_unless_another_is_asked_for(
    tableside: Tableside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Polish table tells its games in Polish on the command line, too."""
    polish = tableside("replay", PRAGA, "--language", "pl").stdout
    assert tableside("replay", PRAGA).stdout != polish
    monkeypatch.setenv("TABLESIDE_TABLE_LANGUAGE", "pl")
    assert tableside("replay", PRAGA).stdout == polish


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["demo", "--game", "skytopia", "--players", "1"], "skytopia is for 2 to 4 players"),
        (["demo", "--players", "2", "--human", "3"], "seats are 1 to 2"),
        (["demo", "--human", "0"], "seats are 1 to 3"),
        (["run", "--set", "dail.reverse=true"], "sections are table"),
        (["bench", "rules", "--games", "-1"], "-1 is not in the range"),
    ],
)
def test_what_no_table_can_do_is_wrong_usage(tableside: Tableside, words: list[str], said: str) -> None:
    """Before anything is started."""
    result = tableside(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_report_that_cannot_be_written_is_said_before_the_game(
    tableside: Tableside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody watches a whole game to hear that its report has no place."""

    def run(*anything: object, **how: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr(virtual, "run", run)
    assert_refused(tableside("demo", "--headless", "--report", tmp_path), "is a folder")
    assert_refused(tableside("demo", "--headless", "--report", tmp_path / "no" / "r.json"), "no folder")
    assert_refused(tableside("bench", "vision", "--photos", tmp_path / "none"), "no such folder")


def test_a_place_without_rights_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else's folder."""
    monkeypatch.setattr(os, "access", lambda path, how: False)
    with pytest.raises(Exception, match="1"):
        writable(tmp_path / "mine.json")


def test_a_folder_that_may_not_be_looked_into_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Root's own, asked for by the table's user."""

    def closed(path: Path, **how: object) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", closed)
    with pytest.raises(Exception, match="1"):
        writable(tmp_path / "mine.json")
    assert "mine.json: cannot be written: Permission denied" in capsys.readouterr().err


def test_exports_and_plots_need_a_place(tableside: Tableside, played: str, tmp_path: Path) -> None:
    """A folder instead of a file, a file instead of a folder, a folder that is not there."""
    (tmp_path / "file").write_text("")
    assert_refused(tableside("export", "csv", "-o", tmp_path), "is a folder")
    assert_refused(tableside("export", "csv", "-o", tmp_path / "none" / "x.csv"), "no folder")
    assert_refused(tableside("history", "--plots", tmp_path / "file"), "cannot be written")
    assert_refused(tableside("export", "csv", "-o", "/dev/full"), "No space left")


def test_an_empty_file_is_called_empty(tableside: Tableside, tmp_path: Path) -> None:
    """And the way to a filled one is named."""
    (tmp_path / "empty.json").write_text("\n")
    assert_refused(tableside("tally", "skytopia", tmp_path / "empty.json"), "empty", "--example")


def test_a_file_without_an_end_is_not_read_to_its_end(tableside: Tableside) -> None:
    """It is looked at before it is opened."""
    assert_refused(tableside("tally", "skytopia", "/dev/zero"), "/dev/zero: cannot be read: it is a pipe or a device")


def test_a_recorded_game_that_cannot_begin_is_refused(tableside: Tableside, tmp_path: Path) -> None:
    """Options of another game, or of none."""
    head = {"format": "tableside-game-1", "game": "praga", "options": {"players": "many"}, "box": {}}
    (tmp_path / "a.jsonl").write_text(json.dumps(head) + "\n")
    assert_refused(tableside("replay", tmp_path / "a.jsonl"), "line 1: the game cannot begin")


@pytest.mark.parametrize("what", ["history", "export csv", "export json", "export GAME"])
@pytest.mark.parametrize("body", ["{", "[1]", '{"pack": "gone"}', "\xff"])
def test_a_damaged_game_does_not_take_the_others_with_it(
    tableside: Tableside, played: str, tmp_path: Path, what: str, body: str
) -> None:
    """It is left out and named, or refused when it was asked for; never with the program's inside."""
    games = tmp_path / "state" / "games"
    other = finished_pad(games, "Ola", "Jan")
    with sqlite3.connect(games / "journal.db") as db:
        db.execute("UPDATE rows SET body = ? WHERE seq = 0 AND game = ?", (body, played))
    result = tableside(*what.replace("GAME", played).split())
    if what.endswith("GAME"):
        assert_refused(result, played)
    else:
        assert result.exit_code == 0
        assert "Ola" in result.stdout
    journal = Journal(games)
    assert other in {first.game for first, _ in journal.games()}, "the table itself starts, too"
    journal.close()


def test_games_of_somebody_else_are_not_ours_to_read(
    tableside: Tableside, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is named with the system's reason; so is a backup that lies in somebody else's home."""

    def shut(path: Path, **how: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "exists", shut)
        assert_refused(tableside("history"), "journal.db: cannot be read: Permission denied")
    monkeypatch.setattr(Path, "stat", shut)
    assert_refused(tableside("restore", "theirs.zip", "--yes"), "theirs.zip", "copy it to /tmp")


def test_looking_at_games_leaves_the_mark_of_a_running_table(tableside: Tableside, played: str, tmp_path: Path) -> None:
    """The mark is how a power cut is told from a clean end."""
    journal = Journal(tmp_path / "state" / "games")
    assert tableside("history").exit_code == 0
    Journal.reading(tmp_path / "state" / "games").close()
    assert (tmp_path / "state" / "games" / "running").exists()
    journal.close()


def test_a_table_with_open_games_only_says_so(tableside: Tableside, tmp_path: Path) -> None:
    """Instead of nothing at all."""
    Journal(tmp_path / "state" / "games").close()
    result = tableside("history")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "played to its end" in result.stderr


def test_corrections_that_cannot_be_written_are_said(tableside: Tableside, tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "box").write_text("")
    key = next(iter(json.loads(tableside("box", "skytopia", "--json").stdout)))
    value = json.loads(tableside("box", "skytopia", "--json").stdout)[key]["value"]
    assert_refused(tableside("box", "skytopia", "--set", f"{key}={json.dumps(value)}"), "cannot be written")


def test_an_open_game_with_secrets_says_what_its_export_lacks(tableside: Tableside, tmp_path: Path) -> None:
    """What is dealt stays hidden until the end; a game without secrets needs no such word."""
    journal = Journal(tmp_path / "state" / "games")
    seats = (SeatInfo(seat=0, name="Ola"), SeatInfo(seat=1, name="Jan"))
    secret, plain = (Session.start(journal, game, {}, {}, seats) for game in ("skyrise", "scorepad"))
    owed = secret.pack.deal(secret.state)
    assert owed is not None
    secret.play(supply(owed), sender="companion", cause="table")
    journal.close()
    assert "still secret" in tableside("export", secret.game).stderr
    assert tableside("export", plain.game).stderr == ""


# as a process --------------------------------------------------------------------------------------------------


def test_a_full_disk_behind_the_output_is_said(place: Place) -> None:
    """`tableside config show > file` on a full card: one line, exit code 1."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(place, "config", "show"),
            env=place.full_environment,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"No space left" in done.stderr


def test_a_reader_who_has_seen_enough_hears_no_complaint(place: Place) -> None:
    """`tableside replay GAME | head -1`."""
    process = subprocess.Popen(
        command(place, "replay", PRAGA), env=place.full_environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(PATIENCE) == 0


def test_a_folder_called_like_a_room_is_not_the_room(place: Place, tmp_path: Path) -> None:
    """Standing in the sources of another version, or in a stranger's folder, changes nothing."""
    (tmp_path / "vision").mkdir()
    (tmp_path / "vision" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    done = subprocess.run(
        [Path(sys.executable).with_name("tableside"), "mat", "--help"],
        env=place.full_environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "--paper" in done.stdout


def test_a_terminal_without_the_letters_shows_a_question_mark(place: Place) -> None:
    """An old serial console knows ASCII only; the points are told all the same."""
    done = subprocess.run(
        command(place, "replay", PRAGA, "--language", "pl"),
        env=place.full_environment | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout
