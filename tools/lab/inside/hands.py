"""Does at the machine's devices what it is told over a line: one JSON object per line, one answer each.

usage: python3 -m tools.lab.inside.hands PORT PINS      pins as "a=17,b=18,button=27,index=22"
"""

from __future__ import annotations

import json
import socketserver
import sys
from collections.abc import Callable
from typing import Any

from tools.lab.inside.board import Board
from tools.lab.inside.camera import Camera
from tools.lab.inside.dial import Dial
from tools.lab.inside.touch import Finger


class Hands:
    """Everything that can be touched."""

    def __init__(self, pins: dict[str, int]) -> None:
        self.dial, self.finger, self.camera, self.board = Dial(pins), Finger(), Camera(), Board()

    def do(self, order: dict[str, Any], frame: bytes) -> dict[str, float]:
        """One order."""
        what = order.pop("do")
        order.pop("length", None)
        deeds: dict[str, Callable[..., dict[str, float]]] = {
            "turn": self.dial.turn,
            "press": self.dial.press,
            "touch": self.finger.touch,
            "plug": self.camera.plug,
            "unplug": self.camera.unplug,
            "plug board": self.board.plug,
            "unplug board": self.board.unplug,
            "turn board": self.board.turn,
            "press board": self.board.press,
        }
        if what == "show":
            return self.camera.show(frame)
        return deeds[what](**order)


class Line(socketserver.StreamRequestHandler):
    """One who gives orders."""

    hands: Hands

    def handle(self) -> None:
        while line := self.rfile.readline():
            order = json.loads(line)
            frame = self.rfile.read(order.get("length", 0))
            try:
                answer: dict[str, Any] = {"ok": True, **self.hands.do(order, frame)}
            except (OSError, RuntimeError, KeyError, TypeError) as wrong:
                answer = {"ok": False, "why": f"{type(wrong).__name__}: {wrong}"}
            self.wfile.write(json.dumps(answer).encode() + b"\n")


def main(port: str, pins: str) -> None:
    """Until killed."""
    Line.hands = Hands({name: int(number) for name, _, number in (pin.partition("=") for pin in pins.split(","))})
    socketserver.TCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer(("", int(port)), Line) as server:
        server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
