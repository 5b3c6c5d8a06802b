"""A hand at a real X server: Xvfb with a screen of its own, and clicks through the XTEST extension."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import select
import struct
import subprocess
import time
from pathlib import Path

import pygame

from tests.conftest import PATIENCE


class XServer:
    """An Xvfb on a free display number."""

    def __init__(self, width: int, height: int, folder: Path) -> None:
        self.size, self.folder = (width, height), folder
        reads, writes = os.pipe()
        self.process = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(writes),
                "-screen",
                "0",
                f"{width}x{height}x24",
                "-nolisten",
                "tcp",
                "-fbdir",
                str(folder),
            ],
            pass_fds=(writes,),
            stderr=subprocess.DEVNULL,
        )
        os.close(writes)
        told = b""
        while not told.endswith(b"\n") and select.select([reads], [], [], PATIENCE)[0]:
            more = os.read(reads, 16)
            if not more:
                break
            told += more
        os.close(reads)  # not before the end of the line: writing to a closed pipe would end the server
        number = told.decode().strip()
        assert number, "Xvfb did not start"
        self.name = f":{number}"

    def picture(self) -> pygame.Surface:
        """What the screen shows now: the server keeps it in a file in xwd format."""
        data = (self.folder / "Xvfb_screen0").read_bytes()
        head = struct.unpack(">25I", data[:100])
        start = head[0] + head[19] * 12
        width, height = self.size
        return pygame.image.frombuffer(data[start : start + width * height * 4], self.size, "BGRA")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


class Hand:
    """Moves the pointer and presses its button, as a touch panel does."""

    def __init__(self, display: str) -> None:
        self._x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        self._test = ctypes.CDLL(ctypes.util.find_library("Xtst") or "libXtst.so.6")
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(display.encode()))
        assert self._display.value, f"no X server at {display}"

    def click(self, x: int, y: int, hold: float = 0.0) -> None:
        """Down and up at one point."""
        self._test.XTestFakeMotionEvent(self._display, -1, x, y, 0)
        self._test.XTestFakeButtonEvent(self._display, 1, 1, 0)
        self._x11.XFlush(self._display)
        time.sleep(hold)
        self._test.XTestFakeButtonEvent(self._display, 1, 0, 0)
        self._x11.XFlush(self._display)

    def close(self) -> None:
        self._x11.XCloseDisplay(self._display)
