"""Pipes, devices, folders and sockets where a file was expected: one line, at once, whichever command meets them."""

from __future__ import annotations

import os
import signal
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from companion.journal.store import Journal
from companion.machine import backup
from companion.wire.config import Config, load
from companion.wire.files import open_file, read_file, read_text
from tests.companion.test_commands import Tableside, assert_refused, tableside

__all__ = ["tableside"]
COMMANDS = {
    "tally": ["tally", "skytopia"],
    "replay": ["replay"],
    "restore": ["restore", "--yes"],
    "bundle": ["bundle", "-o", "/dev/null", "--picture"],
}


@pytest.fixture(autouse=True)
def promptly() -> Iterator[None]:
    """Whoever waits for a pipe is woken with a failure."""

    def late(number: int, frame: FrameType | None) -> None:
        raise AssertionError("it is still waiting")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=["pipe", "device", "endless", "folder", "socket", "too large"])
def special(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Something in a file's place."""
    path = tmp_path / "special"
    match request.param:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/tty")
        case "endless":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "socket":
            with socket.socket(socket.AF_UNIX) as line:
                line.bind(str(path))
        case "too large":
            with path.open("wb") as file:
                file.truncate(5_000_000_000)
    return path


def test_it_is_refused_with_a_sentence_and_its_name(special: Path) -> None:
    """The error's own words can be shown as they are."""
    for way in (read_file, read_text, lambda path: open_file(path, 1_000_000)):
        with pytest.raises(OSError, match="it is ") as refused:
            way(special)
        assert refused.value.filename == str(special)


def test_a_link_to_a_file_is_a_file(tmp_path: Path) -> None:
    """People link their settings."""
    (tmp_path / "there").write_text("here")
    (tmp_path / "link").symlink_to(tmp_path / "there")
    assert read_text(tmp_path / "link") == "here"


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_command_says_so_in_one_line(tableside: Tableside, special: Path, words: list[str]) -> None:
    """It neither waits, nor reads for ever, nor shows the program's inside."""
    assert_refused(tableside(*words, special), str(special), "it is ")


def test_settings_that_are_none_are_said_and_the_table_starts(
    special: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner's file, and what was changed on the screen."""
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    for path in (tmp_path / "config" / "tableside.toml", tmp_path / "state" / "settings.toml"):
        path.parent.mkdir()
        path.symlink_to(special)
        (problem,) = load().problems
        assert f"{path}: cannot be read: it is " in problem
        path.unlink()


def test_a_bundle_of_a_damaged_journal_says_that_it_is_damaged(tmp_path: Path) -> None:
    """That may be why help is asked for."""
    config = Config(state_dir=tmp_path / "state", config_dir=tmp_path / "config")
    journal = Journal(config.state_dir / "games")
    for number in range(200):
        journal.append("g1", "new" if not number else "move", {"kind": "points", "why": "x" * 200})
    journal.close()
    path = config.state_dir / "games" / "journal.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with zipfile.ZipFile(backup.bundle(config, tmp_path / "b.zip")) as bundle:
        assert b"cannot be read" in bundle.read("journal.json")


@pytest.mark.parametrize("depth", [300, 900, 5_000, 100_000])
def test_a_printed_value_nested_without_end_is_one_line(tableside: Tableside, depth: int) -> None:
    """`box --set` takes JSON; nothing printed is a list in a list in a list."""
    assert_refused(tableside("box", "skytopia", "--set", f"setup.coins={'[' * depth}{']' * depth}"), "setup.coins")
