"""Floods of the page, each in a process of its own: what strangers and bad guests do to a table, without end until told to stop.

Loopback only. A line the table closes is opened again a second later, so that a flood goes on and does not merely begin.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

HERE = "127.0.0.1"
CONTEXT = multiprocessing.get_context("spawn")
"""A process that inherits nothing: no thread of the one that measures, and none of its locks."""
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


class Target(NamedTuple):
    """The table, as those who flood it know it."""

    page: int
    """Its ports."""
    sockets: int
    tls: bool
    cookie: str
    key: tuple[str, str] = ("", "")
    """Both halves of the key of somebody who watches."""


class Shared:
    """What a flood's process and the one that measures have in common."""

    def __init__(self) -> None:
        self.stop = CONTEXT.Event()
        self._code = CONTEXT.Array("c", 32)
        self._done, self._refused = CONTEXT.Value("l", 0), CONTEXT.Value("l", 0)

    @property
    def code(self) -> str:
        """What the screen shows."""
        return self._code.value.decode()

    @code.setter
    def code(self, code: str) -> None:
        self._code.value = code.encode()

    @property
    def done(self) -> int:
        """Lines opened, or requests answered with what was asked for."""
        return self._done.value

    @property
    def refused(self) -> int:
        """Lines the table closed, or requests it refused."""
        return self._refused.value

    def note(self, *, done: bool) -> None:
        """One more."""
        count = self._done if done else self._refused
        with count.get_lock():
            count.value += 1


Flood = Callable[[Target, Shared, int], None]


def keepalive(target: Target, shared: Shared, size: int) -> None:
    """Well-behaved lines that ask once and stay."""
    _hold(target, shared, size, f"GET /table.json HTTP/1.1\r\nHost: {HERE}\r\n\r\n".encode(), b"")


def slow_head(target: Target, shared: Shared, size: int) -> None:
    """A head that comes a byte a second."""
    _hold(target, shared, size, f"GET / HTTP/1.1\r\nHost: {HERE}\r\nX-Slow: ".encode(), b"x")


def slow_body(target: Target, shared: Shared, size: int) -> None:
    """A body that comes a byte a second."""
    head = f"POST /join HTTP/1.1\r\nHost: {HERE}\r\nContent-Length: 3000\r\n\r\n"
    _hold(target, shared, size, head.encode(), b" ")


def silent(target: Target, shared: Shared, size: int) -> None:
    """Lines that never say a word, not even hello in TLS."""
    _hold(target, shared, size, b"", b"")


def past(target: Target, shared: Shared, size: int) -> None:
    """Somebody who watches asks for the finished games, on all lines and again and again."""
    cookie = {"Cookie": f"{target.cookie}={target.key[1]}"}
    _all_at_once([lambda: _ask(target, shared, "/past", lambda: {"token": target.key[0]}, cookie) for _ in range(size)])


def joins(target: Target, shared: Shared, size: int) -> None:
    """People who come to watch, one after the other on each line."""
    wish = {"seat": None, "name": "", "language": "en"}
    _all_at_once([lambda: _ask(target, shared, "/join", lambda: wish | {"code": shared.code}) for _ in range(size)])


def guesses(target: Target, shared: Shared, size: int) -> None:
    """Wrong codes, from as many addresses and from the one the guests have."""

    def guess() -> dict[str, Any]:
        return {"code": "".join(random.choices(ALPHABET, k=len(shared.code) or 6)), "seat": None}

    def strangers(first: int) -> None:
        addresses = [f"127.0.{at // 250}.{at % 250 + 2}" for at in range(first, size, 16)]
        while addresses and not shared.stop.is_set():
            for address in addresses:
                _ask(target, shared, "/join", guess, address=address, times=3)

    neighbours = [lambda: _ask(target, shared, "/join", guess) for _ in range(4)]
    _all_at_once([*neighbours, *(lambda first=first: strangers(first) for first in range(16))])


# how ---------------------------------------------------------------------------------------------------------------


def _hold(target: Target, shared: Shared, size: int, opening: bytes, drip: bytes) -> None:
    lines: list[socket.socket | None] = [None] * size
    while not shared.stop.is_set():
        until = time.monotonic() + 1.0
        for at, line in enumerate(lines):
            lines[at] = _go_on(line, drip, shared) if line is not None else _begin(target, opening, shared)
        shared.stop.wait(max(0.05, until - time.monotonic()))


def _begin(target: Target, opening: bytes, shared: Shared) -> socket.socket | None:
    try:
        line = socket.create_connection((HERE, target.page), 0.5)
        line.setblocking(False)
        line.send(opening)
    except OSError:
        return None
    shared.note(done=True)
    return line


def _go_on(line: socket.socket, drip: bytes, shared: Shared) -> socket.socket | None:
    try:
        if drip:
            line.send(drip)
        if line.recv(65536) != b"":
            return line
    except BlockingIOError:
        return line
    except OSError:
        pass
    line.close()
    shared.note(done=False)
    return None


def _all_at_once(work: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=one, daemon=True) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _ask(
    target: Target,
    shared: Shared,
    path: str,
    body: Callable[[], dict[str, Any]],
    head: dict[str, str] | None = None,
    *,
    address: str = HERE,
    times: int = 0,
) -> None:
    """The same request on one line, `times` or without end."""
    count = 0
    while not shared.stop.is_set() and (not times or count < times):
        line = _line(target, address)
        with suppress(OSError, http.client.HTTPException):
            while not shared.stop.is_set() and (not times or count < times):
                count += 1
                line.request("POST", path, json.dumps(body()), head or {})
                answer = line.getresponse()
                answer.read()
                shared.note(done=answer.status == http.HTTPStatus.OK)
        line.close()
        if not times:
            shared.stop.wait(0.05)


def _line(target: Target, address: str) -> http.client.HTTPConnection:
    more: dict[str, Any] = {"timeout": 10, "source_address": (address, 0)}
    if target.tls:
        return http.client.HTTPSConnection(HERE, target.page, context=ssl._create_unverified_context(), **more)
    return http.client.HTTPConnection(HERE, target.page, **more)
