"""A Pico on a line: the real firmware under MicroPython, on a serial line of the native machine, read through the bridge's unit.

The line is a pseudo terminal of this computer and a plain `ttyS0` in there, where a Pi has a `ttyACM0` on USB: the unit is
told of that one device more, and of nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.wire.messages import DialSeen
from companion.wire.room import connection
from firmware_bridge.virtual_board import VirtualBoard, board_levels
from tools.lab.guest import SLOW, Guest
from tools.lab.inside.dial import CYCLE
from tools.lab.native import Native
from tools.lab.place import LabError
from tools.lab.world import heard, lent

UNIT = "/run/systemd/system/tableside-bridge.service.d/pico.conf"
TOLD = """[Service]
Environment=TABLESIDE_DIAL_SOURCE=serial TABLESIDE_DIAL_PORT=/dev/ttyS0
DeviceAllow=/dev/ttyS0 rw
"""
PACE, EDGES = 200.0, 2000


def pico(guest: Guest) -> dict[str, Any]:
    """Turned, torn off, put back in, turned on."""
    if not isinstance(guest.machine, Native):
        raise LabError("only the native machine has a serial line to spare")
    seen: list[DialSeen] = []
    with _board(guest.machine.serial) as board, _told(guest), lent(guest) as config:
        bus = connection(config, "host")
        bus.subscribe("sensor/dial", lambda topic, message: seen.append(message))
        bus.start()
        heard(bus, lambda: seen and seen[-1].state != "no dial", SLOW, "the Pico")
        first = _turned(board, bus, seen)
        board.cable.unplug()
        heard(bus, lambda: seen[-1].state == "no dial", SLOW, "that the cable is out")
        board.cable.plug()
        _join(guest.machine.serial, board)
        heard(bus, lambda: seen[-1].state != "no dial", SLOW, "the Pico again")
        second = _turned(board, bus, seen)
        bus.stop()
    return {"ok": first == second == 0, "edges": EDGES, "pace": PACE, "lost": first + second}


def _turned(board: VirtualBoard, bus: Any, seen: list[DialSeen]) -> int:
    """Edges that did not arrive."""
    aim, at, due = seen[-1].counts + EDGES, board_at(board), time.monotonic()
    for _ in range(EDGES):
        at += 1
        board.drive([board_levels(CYCLE[at % 4])])
        due += 1 / PACE
        bus.pump(max(0.0, due - time.monotonic()))
    heard(bus, lambda: seen[-1].counts >= aim, 60, "every edge")
    return abs(aim - seen[-1].counts)


def board_at(board: VirtualBoard) -> int:
    """Where in a cycle its contacts stand."""
    return next(at for at, levels in enumerate(CYCLE) if board_levels(levels) == board.levels)


@contextmanager
def _board(line: Path) -> Iterator[VirtualBoard]:
    board = VirtualBoard()
    try:
        _join(line, board)
        yield board
    finally:
        line.unlink(missing_ok=True)
        board.close()


def _join(line: Path, board: VirtualBoard) -> None:
    """Where the machine looks for the other end of its line."""
    line.unlink(missing_ok=True)
    line.symlink_to(Path(board.cable.port).readlink())


@contextmanager
def _told(guest: Guest) -> Iterator[None]:
    """The bridge looks there instead of at the pins."""
    again = "systemctl daemon-reload && systemctl restart tableside-bridge.service"
    guest.run(f"mkdir -p $(dirname {UNIT}) && cat > {UNIT} && {again}", given=TOLD)
    try:
        yield
    finally:
        guest.run(f"rm {UNIT} && {again}")
