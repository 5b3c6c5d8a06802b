"""The machine's devices, worked from outside: orders to `inside/hands.py`, which runs in there as root."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

from tools.lab.guest import SLOW, Guest
from tools.lab.machine import INSIDE
from tools.lab.place import ROOT, LabError

PROGRAMS = sorted((Path(__file__).parent / "inside").glob("*.py"))
PLACE = "/run/tableside-lab"
PINS = {"a": 17, "b": 27, "button": 23, "index": 22}
"""As in the machine's settings."""


class Devices:
    """Dial, touchscreen and camera of one machine."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self._line = self._start()
        self._file = self._line.makefile("rwb")

    def _start(self) -> socket.socket:
        self.guest.put((ROOT / "tools/__init__.py", ROOT / "tools/lab/__init__.py", *PROGRAMS), ROOT, PLACE)
        pins = ",".join(f"{name}={number}" for name, number in PINS.items())
        start = f"systemd-run --quiet --collect --unit=lab-hands --working-directory={PLACE}"
        self.guest.run(
            f"systemctl stop lab-hands 2>/dev/null; {start} python3 -m tools.lab.inside.hands {INSIDE['hands']} {pins}"
        )
        last = time.monotonic() + SLOW
        while True:
            try:  # QEMU takes every call; only what answers is there
                line = socket.create_connection(("127.0.0.1", self.guest.ports["hands"]), 300)
                line.sendall(b'{"do": "press", "name": "nothing"}\n')
                if line.recv(1000):
                    line.settimeout(SLOW)
                    return line
            except OSError:
                pass
            if time.monotonic() > last:
                raise LabError("the hands did not start: " + self.guest.run("journalctl -u lab-hands -n 5 --no-pager"))
            time.sleep(0.3)

    def do(self, what: str, frame: bytes = b"", **order: Any) -> dict[str, Any]:
        """One order, carried out when this returns."""
        self._file.write(json.dumps({"do": what, "length": len(frame), **order}).encode() + b"\n" + frame)
        self._file.flush()
        answer: dict[str, Any] = json.loads(self._file.readline() or b'{"ok": false, "why": "the line was cut"}')
        if not answer["ok"]:
            raise LabError(f"{what}: {answer['why']}")
        return answer

    def turn(self, counts: int, pace: float) -> dict[str, Any]:
        """The dial, as fast as this machine's kernel takes it."""
        return self.do("turn", counts=counts, pace=pace, ticks=self.guest.machine.ticks)

    def close(self) -> None:
        """Let go."""
        self._file.close()
        self._line.close()
