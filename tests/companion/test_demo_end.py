"""However a demo ends, nothing of it stays behind: no process, no folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.core.registry import pack as find_pack
from companion.virtual import folder
from tests.conftest import PATIENCE, Place, until

WAITING = ("demo", "--game", "scorepad", "--players", "2", "--human", "1", "--fast", "--headless")
"""A demo that waits for a person for as long as it is let."""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def demo(place: Place, shelf: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A demo whose table is up, in a session of its own."""
    environment = {k: v for k, v in place.full_environment.items() if k != "TABLESIDE_STATE_DIR"}
    with (tmp_path / "talk").open("wb") as talk:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", *WAITING],
            env=environment | {"TMPDIR": str(shelf)},
            stdout=talk,
            stderr=talk,
            start_new_session=True,
        )
        try:
            until(lambda: "companion is ready" in (tmp_path / "talk").read_text(), 30, "the table")
            yield process
        finally:
            process.kill()
            process.wait()


def session_of(process: subprocess.Popen[bytes]) -> set[int]:
    """Everything the demo started that still runs."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(session) == process.pid and state != "Z":
            found.add(int(stat.parent.name))
    return found


@pytest.mark.parametrize(
    ("number", "code", "send"),
    [
        (signal.SIGTERM, 143, os.kill),
        (signal.SIGHUP, 129, os.kill),
        (signal.SIGINT, 0, os.killpg),
    ],
)
def test_a_demo_that_is_stopped_takes_its_table_along(
    demo: subprocess.Popen[bytes],
    shelf: Path,
    tmp_path: Path,
    number: signal.Signals,
    code: int,
    send: Callable[[int, int], None],
) -> None:
    """By a service manager, by closing the terminal, by Ctrl-C, which a terminal sends to all it can reach."""
    assert len(session_of(demo)) >= 4, "demo, supervisor, broker, core"
    send(demo.pid, number)
    assert demo.wait(PATIENCE) == code, (tmp_path / "talk").read_text()
    until(lambda: session_of(demo) == set(), 10, "the whole table has ended")
    assert list(shelf.iterdir()) == []
    talk = (tmp_path / "talk").read_text()
    assert "Traceback" not in talk
    assert "starting it again" not in talk


def test_a_signal_in_the_middle_of_a_game_s_code_is_not_the_game_s_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_pack("scorepad")
    monkeypatch.setattr(game, "pack", SimpleNamespace(over=lambda state: os.kill(os.getpid(), signal.SIGTERM)))
    with pytest.raises(SystemExit) as ended, folder.kindly():
        game.over(None)
    assert ended.value.code == 143


def test_a_demo_that_is_killed_outright_leaves_no_process(demo: subprocess.Popen[bytes]) -> None:
    """It cannot clear up any more: the kernel tells its table."""
    assert len(session_of(demo)) >= 4, "demo, supervisor, broker, core"
    demo.kill()
    until(lambda: session_of(demo) <= {demo.pid}, 10, "everything gone")
    demo.wait()
    assert session_of(demo) == set()


def test_the_next_demo_clears_up_after_one_that_was_killed(shelf: Path) -> None:
    """A folder nobody holds is taken away, one in use and one just made are not; strange ones are not touched."""
    for name in ("tableside-demo-dead", "tableside-demo-young", "something-else"):
        (shelf / name).mkdir()
        (shelf / name / folder.LOCK).touch()
    long_ago = time.time() - 2 * folder.YOUNG
    for name in ("tableside-demo-dead", "something-else"):
        os.utime(shelf / name / folder.LOCK, (long_ago, long_ago))
    with folder.own_folder() as first:
        os.utime(first / folder.LOCK, (long_ago, long_ago))
        with folder.own_folder() as second:
            there = {path.name for path in shelf.iterdir()}
            assert there == {"tableside-demo-young", "something-else", first.name, second.name}
    assert {path.name for path in shelf.iterdir()} == {"tableside-demo-young", "something-else"}


def test_the_folder_of_another_person_s_demo_is_left_alone(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by root, who could take it away."""
    (shelf / "tableside-demo-theirs").mkdir()
    lock = shelf / "tableside-demo-theirs" / folder.LOCK
    lock.touch()
    long_ago = time.time() - 2 * folder.YOUNG
    os.utime(lock, (long_ago, long_ago))
    monkeypatch.setattr(os, "geteuid", lambda: lock.stat().st_uid + 1)
    with folder.own_folder():
        assert lock.exists()
