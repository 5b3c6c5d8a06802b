"""A Pico on USB: the kernel's gadget driver plugs a serial line in, at whose other end the firmware runs under MicroPython."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tty
from pathlib import Path

from tools.lab.inside.dial import CYCLE

CONFIG = Path("/sys/kernel/config/usb_gadget/pico")
SAID = {
    "idVendor": "0x2e8a",
    "idProduct": "0x0005",
    "bDeviceClass": "0xef",
    "bDeviceSubClass": "2",
    "bDeviceProtocol": "1",
}
"""As MicroPython on a Pico says it, with its serial line as a function of a larger device."""
NAMES = {"manufacturer": "MicroPython", "product": "Board in FS mode", "serialnumber": "e6605838833f"}
FUNCTION, ENGLISH = "acm.0", "0x409"
LINE = Path("/dev/ttyGS0")
"""The board's end."""
FIRMWARE = "/opt/tableside/venv/lib/python3*/site-packages/firmware_bridge/pico"
"""As it is installed: what `tableside firmware flash` would copy."""
PYTHON = "micropython"
"""Beside `tools`, put there by whoever started this."""
OPEN = 0b1111
PRESSED = OPEN & ~4
A_FEW = 0.001
"""Seconds between two looks at which edges are due."""


class Board:
    """Has power while it is plugged in."""

    def __init__(self) -> None:
        self.at, self._pins = 0, -1
        self._firmware: subprocess.Popen[bytes] | None = None

    def plug(self) -> dict[str, float]:
        """Power on, and there is a device."""
        if not CONFIG.exists():
            _describe()
        self.unplug()  # also what others before us left in
        self._power_on()
        (CONFIG / "UDC").write_text(next(Path("/sys/class/udc").iterdir()).name)
        return {}

    def unplug(self) -> dict[str, float]:
        """Pulled out in mid-word; the power goes with it."""
        if (CONFIG / "UDC").read_text().strip():
            (CONFIG / "UDC").write_text("\n")
        if self._firmware is not None:
            self._firmware.kill()
            self._firmware.wait()
            os.close(self._pins)
            self._firmware, self.at = None, 0
        return {}

    def turn(self, counts: int, pace: float) -> dict[str, float]:
        """So many quarter steps at this pace. Those that are due are made at once, each an interrupt of its own, as on a board
        whose pins wait for nobody; how fast they really were.
        """
        step, done = (1 if counts > 0 else -1), 0
        start = time.monotonic()
        while done < abs(counts):
            due = min(abs(counts), int((time.monotonic() - start) * pace) + 1)
            os.write(self._pins, edges(self.at, step * (due - done)))
            self.at, done = self.at + step * (due - done), due
            time.sleep(max(A_FEW, start + done / pace - time.monotonic()))
        took = time.monotonic() - start
        return {"at": self.at, "edges_per_second": abs(counts) / took if took else 0.0}

    def press(self, seconds: float = 0.1) -> dict[str, float]:
        """The dial's button."""
        resting = edges(self.at - 1, 1)[0]
        os.write(self._pins, bytes([resting & PRESSED]))
        time.sleep(seconds)
        os.write(self._pins, bytes([resting]))
        return {}

    def _power_on(self) -> None:
        """The firmware from nothing. What it tells while nobody listens is lost, as on a board."""
        (folder,) = Path("/").glob(FIRMWARE[1:])
        theirs, self._pins = os.pipe()
        os.set_blocking(theirs, False)
        line = os.open(LINE, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        nothing = os.open(os.devnull, os.O_WRONLY)
        tty.setraw(line)
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path.cwd() / PYTHON),
            "MICROPYPATH": f"{folder}:{folder}/virtual:.frozen",
            "TABLESIDE_WORLD": str(theirs),
            "TABLESIDE_LIGHTS": str(nothing),
            "TABLESIDE_BOARD": NAMES["serialnumber"],
        }
        self._firmware = subprocess.Popen(
            [sys.executable, "-m", "micropython", f"{folder}/main.py"],
            stdin=line,
            stdout=line,
            pass_fds=(theirs, nothing),
            env=environment,
            cwd=folder,
        )
        for mine in (theirs, line, nothing):
            os.close(mine)
        os.write(self._pins, edges(self.at - 1, 1))


def edges(at: int, counts: int) -> bytes:
    """What the stand-in for the pins reads on the way from `at`: one byte a quarter step, A its lowest bit, B the next."""
    step = 1 if counts > 0 else -1
    stands = (CYCLE[(at + step * done) % 4] for done in range(1, abs(counts) + 1))
    return bytes(OPEN & ~3 | levels >> 1 | (levels & 1) << 1 for levels in stands)


def _describe() -> None:
    """What the board is; nobody sees it before it is plugged in."""
    for folder in (f"strings/{ENGLISH}", "configs/c.1", f"functions/{FUNCTION}"):
        (CONFIG / folder).mkdir(parents=True)
    for name, value in SAID.items():
        (CONFIG / name).write_text(value)
    for name, value in NAMES.items():
        (CONFIG / "strings" / ENGLISH / name).write_text(value)
    (CONFIG / "configs/c.1" / FUNCTION).symlink_to(CONFIG / "functions" / FUNCTION)
