"""Floods of the phones' gate and the broker, each in a process of its own, without end until told to stop. Loopback only.

A line that is hung up on is opened again, so that a flood goes on and does not merely begin.
"""

from __future__ import annotations

import json
import multiprocessing
import selectors
import socket
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from benches.phones import Phone, mqtt_packet, mqtt_string

HERE = "127.0.0.1"
GREETING = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
)
ENDLESS = b"\x82\xff" + (2**40).to_bytes(8, "big") + b"\0\0\0\0"
"""The head of a frame with room for everything."""
NOISE = b"x" * 60_000
AHEAD = 20
"""Rows a flood of moves names beyond the present one."""


class Target(NamedTuple):
    """The table, as those who flood it know it."""

    page: int
    phones: int
    """Its ports."""
    seat: dict[str, Any]
    watcher: dict[str, Any]
    """Sessions of a phone at a seat and of one that watches."""


class Shared:
    """What a flood's process and the one that measures have in common."""

    def __init__(self) -> None:
        self.stop, self.ready = multiprocessing.Event(), multiprocessing.Event()
        """`ready`: it has begun in earnest."""
        self._code = multiprocessing.Array("c", 32)
        self._counts = multiprocessing.Array("l", 3)

    @property
    def code(self) -> str:
        """What the screen shows."""
        return self._code.value.decode()

    @code.setter
    def code(self, code: str) -> None:
        self._code.value = code.encode()

    @property
    def seq(self) -> int:
        """The row the game stands at."""
        return self._counts[2]

    @seq.setter
    def seq(self, seq: int) -> None:
        self._counts[2] = seq

    @property
    def done(self) -> int:
        """Lines opened."""
        return self._counts[0]

    @property
    def hung_up(self) -> int:
        """Lines the table closed."""
        return self._counts[1]

    def note(self, *, done: bool) -> None:
        """One more."""
        self._counts[0 if done else 1] += 1


Flood = Callable[[Target, Shared, int], None]


def idle(target: Target, shared: Shared, size: int) -> None:
    """Lines that never say a word."""
    lines: list[socket.socket | None] = [None] * size
    while not shared.stop.is_set():
        until = time.monotonic() + 1.0
        for at, line in enumerate(lines):
            lines[at] = _still_there(line, shared) if line is not None else _open(target, shared, 0.5)
        shared.ready.set()
        shared.stop.wait(max(0.05, until - time.monotonic()))


def claims(target: Target, shared: Shared, size: int) -> None:
    """CONNECT of 268 MB, nobody's, on each line as much of it as is taken."""
    _pour(target, shared, size, lambda line: line.sendall(GREETING + ENDLESS + b"\x10\xff\xff\xff\x7f"))


def publishes(target: Target, shared: Shared, size: int) -> None:
    """A packet of 250 MB: one line each by somebody who watches (and may say nothing) and by somebody at a seat."""
    sessions = [target.watcher, target.seat] * (size // 2)
    begun = iter(range(10**9))

    def begin(line: socket.socket) -> None:
        me = sessions[next(begun) % len(sessions)]
        topic = mqtt_string(f"{me['base']}move/{me['client']}")
        _enter(line, me)
        line.sendall(ENDLESS + b"\x30\x80\xe5\x9a\x77" + topic)

    _pour(target, shared, size, begin)


def subscriptions(target: Target, shared: Shared, size: int) -> None:
    """Somebody who watches asks for topics of 60 kB that fit `event/+`, as many as there is time for."""
    me = target.watcher

    def begin(line: socket.socket) -> None:
        _enter(line, me)
        for number in range(size):
            topic = f"{me['base']}event/{number:07}" + "x" * 60_000
            line.sendall(mqtt_packet(0x82, b"\0\1" + mqtt_string(topic) + b"\1"))

    _pour(target, shared, 1, begin)


def moves(target: Target, shared: Shared, size: int) -> None:
    """All at once from one phone at a seat, well-formed and its own; they name rows to come, so that many of them count."""
    me = target.seat

    def begin(line: socket.socket) -> None:
        _enter(line, me)
        shared.ready.set()
        topic = mqtt_string(f"{me['base']}move/{me['client']}")
        for number in range(size):
            move = {"kind": "points", "seat": me["seat"], "points": 1}
            seq, name = shared.seq + number % AHEAD, f"f{time.monotonic_ns()}"
            body = json.dumps({"v": 1, "id": name, "seq": seq, "move": move, "cause": "phone"}).encode()
            line.sendall(mqtt_packet(0x32, topic + (number % 65_535 + 1).to_bytes(2, "big") + body))

    _pour(target, shared, 1, begin)


def here(target: Target, shared: Shared, size: int) -> None:
    """All at once from one phone at a seat: that it is there, each time on another line."""
    me = target.seat

    def begin(line: socket.socket) -> None:
        _enter(line, me)
        shared.ready.set()
        topic = mqtt_string(f"{me['base']}here/{me['client']}")
        for number in range(size):
            body = json.dumps({"v": 1, "here": True, "line": f"l{number}"}).encode()
            line.sendall(mqtt_packet(0x32, topic + (number % 65_535 + 1).to_bytes(2, "big") + body))

    _pour(target, shared, 1, begin)


def watchers(target: Target, shared: Shared, size: int) -> None:
    """People who watch and hear everything."""
    _watch(target, shared, size, awake=True)


def sleepers(target: Target, shared: Shared, size: int) -> None:
    """People who watch and never take in what is said to them."""
    _watch(target, shared, size, awake=False)


# how ---------------------------------------------------------------------------------------------------------------


def _open(target: Target, shared: Shared, timeout: float) -> socket.socket | None:
    try:
        line = socket.create_connection((HERE, target.phones), timeout)
    except OSError:
        return None
    shared.note(done=True)
    line.setblocking(False)
    return line


def _still_there(line: socket.socket, shared: Shared) -> socket.socket | None:
    try:
        if line.recv(4096) != b"":
            return line
    except BlockingIOError:
        return line
    except OSError:
        pass
    line.close()
    shared.note(done=False)
    return None


def _enter(line: socket.socket, me: dict[str, Any]) -> None:
    """As a phone that is known here."""
    names = mqtt_string(me["client"]) + mqtt_string(me["user"]) + mqtt_string(me["password"])
    line.sendall(GREETING + mqtt_packet(0x10, mqtt_string("MQTT") + b"\x04\xc2\0\0" + names))
    heard = b""
    while b"\x20\x02\0\0" not in heard:
        more = line.recv(4096)
        if not more:
            raise ConnectionResetError
        heard += more


def _pour(target: Target, shared: Shared, size: int, begin: Callable[[socket.socket], None]) -> None:
    """So many lines, one after the other begun and then filled as far as they go; again and again."""
    while not shared.stop.is_set():
        lines = []
        for _ in range(size):
            with suppress(OSError):
                line = socket.create_connection((HERE, target.phones), 5)
                lines.append(line)
                shared.note(done=True)
                begin(line)
                line.settimeout(0.2)
        shared.ready.set()
        while lines and not shared.stop.is_set():
            for line in list(lines):
                try:
                    line.sendall(NOISE)
                except TimeoutError:
                    shared.stop.wait(0.1)  # it takes no more: that is an answer, too
                except OSError:
                    lines.remove(line)
                    line.close()
                    shared.note(done=False)
        for line in lines:
            line.close()
        shared.stop.wait(0.1)


def _watch(target: Target, shared: Shared, size: int, *, awake: bool) -> None:
    watch = selectors.DefaultSelector()
    here: list[Phone] = []
    while not shared.stop.is_set():
        if len(here) < size:
            try:
                here.append(Phone(_join(target, shared.code), target.phones, lambda seq: None))
            except OSError:
                shared.stop.wait(0.2)  # a code just used: another one is on the screen in a moment
                continue
            shared.note(done=True)
            if awake:
                watch.register(here[-1].line, selectors.EVENT_READ, here[-1])
        else:
            shared.ready.set()
        for key, _ in watch.select(0.0 if len(here) < size else 0.2):
            try:
                key.data.read()
            except OSError:
                watch.unregister(key.fileobj)
                here.remove(key.data)
                shared.note(done=False)
        if not awake and len(here) == size:
            shared.stop.wait(0.2)


def _join(target: Target, code: str) -> dict[str, Any]:
    body = json.dumps({"code": code, "seat": None, "name": "", "language": "en"}).encode()
    with urllib.request.urlopen(f"http://{HERE}:{target.page}/join", body, timeout=60) as answer:
        return dict(json.loads(answer.read()))
