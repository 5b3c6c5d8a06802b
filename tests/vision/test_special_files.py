"""What lies where a picture was expected: nothing waits for it, nothing unpacks it, and it is said."""

from __future__ import annotations

import logging
import os
import resource
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import cv2
import numpy as np
import pytest

from tests.vision.test_read_files import png
from vision.camera.folder import FolderSource
from vision.cards import album as card_album
from vision.terminal import calibrate as calibrate_command
from vision.terminal import cards as cards_command
from vision.terminal import check as check_command
from vision.terminal import read as read_command

Command = Callable[[list[str]], int]
COMMANDS: dict[str, tuple[Command, list[str]]] = {
    "read": (read_command.main, []),
    "check": (check_command.main, ["--photo"]),
    "calibrate": (calibrate_command.main, ["--photo"]),
    "cards by photo": (cards_command.main, ["teach", "--yes", "B1a", "--photo"]),
    "cards by list": (cards_command.main, ["teach", "--yes", "--file"]),
}


@pytest.fixture(autouse=True)
def promptly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever waits for a pipe is woken with a failure."""

    def late(number: int, frame: FrameType | None) -> None:
        raise AssertionError("it is still waiting")

    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _special(folder: Path, kind: str) -> Path:
    """Something in a picture's place."""
    path = folder / f"{kind}.png"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "endless":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "bomb":
            path.write_bytes(png(30_000, 30_000, rows=False))
    return path


@pytest.mark.parametrize("kind", ["pipe", "endless", "folder", "bomb"])
@pytest.mark.parametrize(("command", "words"), COMMANDS.values(), ids=COMMANDS.keys())
def test_a_command_says_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: Command, words: list[str], kind: str
) -> None:
    """Exit code 1 and the file's name."""
    path = _special(tmp_path, kind)
    assert command([*words, str(path)]) == 1
    said = capsys.readouterr().err
    assert said.count(path.name) == 1 and "Traceback" not in said


def test_a_folder_of_pictures_passes_over_what_is_none_and_says_which(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The picture after a pipe, an endless file and 30,000 x 30,000 pixels is seen; their memory is never taken."""
    for kind in ("pipe", "endless", "folder", "bomb"):
        _special(tmp_path, kind)
    cv2.imwrite(str(tmp_path / "table.png"), np.full((240, 320, 3), 200, np.uint8))
    source = FolderSource(tmp_path)
    source.open()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with caplog.at_level(logging.WARNING):
        frame = source.read()
    assert frame is not None and frame.image.shape == (240, 320, 3)
    for kind in ("pipe", "endless", "folder", "bomb"):
        assert f"{kind}.png" in caplog.text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000, "kilobytes"


def test_a_taught_card_that_is_a_pipe_is_damaged(tmp_path: Path) -> None:
    """The album opens all the same."""
    _special(tmp_path, "pipe")
    book, damaged = card_album.read_book(tmp_path)
    assert (len(book), damaged) == (0, ("pipe",))
