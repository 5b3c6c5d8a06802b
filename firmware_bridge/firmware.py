"""Puts the firmware on the dial's board, and asks the board how it is."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import serial

from firmware_bridge.backend import Lost, Moved, PoweredOn, Report
from firmware_bridge.pico import frames
from firmware_bridge.serial_link import BAUD, SerialDial, find_port, why_not

PICO = Path(__file__).parent / "pico"
# main.py last: a copy that was cut off leaves a board that still waits for its program
MODULES = ("frames.py", "quadrature.py", "board.py", "settings.py", "main.py")
PINS = ("PIN_A", "PIN_B", "PIN_BUTTON", "PIN_INDEX", "PIN_LEDS")
BOARD_SECONDS = 5.0

Runner = Callable[[Sequence[str]], int]


class Failed(Exception):  # noqa: N818 - said as a person would say it
    """It could not be done; the text says why and what to do."""


def settings(pins: Sequence[int] | None, leds: int | None) -> str:
    """The board's `settings.py`, with what was asked for instead of what is shipped."""
    lines = []
    wanted = dict(zip(PINS, pins or (), strict=False)) | ({"LEDS": leds} if leds is not None else {})
    for line in (PICO / "settings.py").read_text(encoding="utf-8").splitlines():
        name = line.partition(" = ")[0]
        lines.append(f"{name} = {wanted[name]}" if name in wanted else line)
    return "\n".join(lines) + "\n"


def gather(folder: Path, pins: Sequence[int] | None = None, leds: int | None = None) -> list[Path]:
    """Lay the files the board needs into a folder."""
    laid = []
    for name in MODULES:
        target = folder / name
        if name == "settings.py":
            target.write_text(settings(pins, leds), encoding="utf-8")
        else:
            shutil.copyfile(PICO / name, target)
        laid.append(target)
    return laid


def flash(
    port: str = "",
    to: str = "",
    pins: Sequence[int] | None = None,
    leds: int | None = None,
    run: Runner | None = None,
) -> str:
    """Copy the firmware to a mounted folder, or over the serial line with mpremote; says what was done."""
    if to:
        folder = Path(to)
        if not folder.is_dir():
            raise Failed(f"{to} is not a folder. Name the folder the board is mounted on.")
        try:
            gather(folder, pins, leds)
        except OSError as wrong:
            raise Failed(f"{to} cannot be written: {wrong.strerror}. Check that the board is mounted.") from wrong
        return f"firmware {version()} copied to {to}"
    found = one_port(port)
    if run is None and importlib.util.find_spec("mpremote") is None:
        raise Failed("mpremote is missing. Type: pip install 'tableside[firmware]'")
    release(found)
    with tempfile.TemporaryDirectory() as folder_name:
        command = [sys.executable, "-m", "mpremote", "connect", found]
        for file in gather(Path(folder_name), pins, leds):
            command += ["fs", "cp", str(file), f":{file.name}", "+"]
        command.append("reset")
        if (run or _run)(command) != 0:
            raise Failed(
                f"mpremote could not copy to {found}. "
                "Hold BOOTSEL while plugging the board in, put MicroPython on it, and try again."
            )
    return f"firmware {version()} copied to the board on {found}"


def _run(command: Sequence[str]) -> int:
    return subprocess.run(command, check=False, stdout=sys.stderr).returncode


def version() -> str:
    """The firmware this table ships."""
    return ".".join(map(str, frames.FIRMWARE))


def one_port(port: str) -> str:
    """The one board there is; two are one too many to write to by guess."""
    found, remark = find_port(port)
    if remark is not None:
        raise Failed(remark.line)
    return found


def release(port: str) -> None:
    """Ask a running firmware to leave, so that the board listens to mpremote again."""
    try:
        with serial.Serial(port, BAUD, timeout=0.3, write_timeout=1, exclusive=True) as line:
            for number in range(3):
                line.write(frames.frame(frames.LEAVE, number))
                line.flush()
                time.sleep(0.1)
    except OSError as wrong:
        raise Failed(why_not(port, wrong).line) from wrong


def check(port: str = "", patience: float = BOARD_SECONDS) -> list[str]:
    """Talk to the board for a moment; one line per fact."""
    link = SerialDial(port)
    link.start()
    try:
        return _ask(link, patience)
    finally:
        link.stop()


def _ask(link: SerialDial, patience: float) -> list[str]:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        for report in link.poll():
            if isinstance(report, PoweredOn) and link.board:
                return _facts(link, report)
            if isinstance(report, Lost):
                raise Failed(report.trouble.line)
        time.sleep(0.02)
    raise Failed("The board did not answer. Type: tableside firmware flash")


def _facts(link: SerialDial, report: Report) -> list[str]:
    board = link.board
    if board is None or not isinstance(report, PoweredOn | Moved):
        raise Failed("The board did not answer. Type: tableside firmware flash")
    theirs = ".".join(map(str, board.firmware))
    age = "up to date" if board.firmware == frames.FIRMWARE else f"this table has {version()}; tableside firmware flash"
    return [
        f"board {board.board}",
        f"firmware {theirs} ({age}), protocol {frames.PROTOCOL}",
        f"counts {report.counts}, impossible transitions {report.impossible}",
        f"lights {board.leds}",
    ]
