"""The virtual dial under the arrow keys of a terminal."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from types import TracebackType

from firmware_bridge.backend import Turnable
from firmware_bridge.room import Bridge

HELP = "← → one notch · ↑ ↓ one count · Enter the button · q the end\n"
NOTCHES = {"\x1b[D": -1, "\x1b[C": 1, "h": -1, "l": 1}
COUNTS = {"\x1b[A": 1, "\x1b[B": -1, "k": 1, "j": -1}


def split_keys(text: str) -> list[str]:
    """Arrow keys come as three characters, all others as one."""
    keys = []
    while text:
        size = 3 if text.startswith("\x1b[") and len(text) >= 3 else 1
        keys.append(text[:size])
        text = text[size:]
    return keys


def press_key(bridge: Bridge, key: str) -> bool:
    """Do what a key stands for; false ends it."""
    backend = bridge.backend
    if key in ("q", "\x04"):
        return False
    if key in NOTCHES:
        bridge.turn(NOTCHES[key])
    elif isinstance(backend, Turnable):
        if key in COUNTS:
            backend.nudge(COUNTS[key])
        elif key in ("\r", "\n", " "):
            backend.press()
    return True


class Keyboard:
    """A terminal that hands over each key at once."""

    def __enter__(self) -> Keyboard:
        self._before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def waiting(self) -> list[str]:
        """Keys pressed since."""
        ready = select.select((sys.stdin,), (), (), 0)[0]
        return split_keys(os.read(sys.stdin.fileno(), 64).decode(errors="ignore")) if ready else []
