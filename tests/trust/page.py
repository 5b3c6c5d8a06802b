"""The page's server alone, with a door that answers, refuses or keeps silent; and callers with and without manners."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from companion.door import page_server
from companion.door.join import Joined, JoinRequest
from companion.wire.config import BrokerConfig, Config, WebConfig
from companion.wire.process import hold
from tests.conftest import PATIENCE

WELCOME = Joined("phone-1", "phone-1", "secret", "tableside/table/", 0, "seat", "half", "Ada", cookie="other-half")


class Door:
    """Answers as it is told to."""

    def __init__(self) -> None:
        self.answer: Any = WELCOME
        self.asked: list[tuple[Any, ...]] = []
        self.waiting: list[Future[Any]] = []

    def join(self, request: JoinRequest, cookie: str, address: str, answer: Future[Any]) -> None:
        self._say(("join", request.code, cookie), answer)

    def leave(self, token: str, cookie: str, address: str, answer: Future[Any]) -> None:
        self._say(("leave", token, cookie), answer)

    def past(self, token: str, cookie: str, address: str, answer: Future[Any]) -> None:
        self._say(("past", token, cookie), answer)

    def look(self, code: str, address: str, answer: Future[Any]) -> None:
        self._say(("look", code), answer)

    def _say(self, asked: tuple[Any, ...], answer: Future[Any]) -> None:
        self.asked.append(asked)
        if self.answer is None:
            self.waiting.append(answer)
        else:
            answer.set_result(self.answer)

    def describe(self) -> bytes:
        return b'{"table":"table"}'


@contextmanager
def serving(door: Any, broker: BrokerConfig | None = None, **settings: Any) -> Iterator[int]:
    """A running page server; gives its port."""
    with hold() as held:
        port = held.getsockname()[1]
        config = Config(web=WebConfig(host="127.0.0.1", port=port, **settings), broker=broker or BrokerConfig())
        server = page_server.Web(config, door, lambda work: work())
        server.start()
        try:
            yield port
        finally:
            server.stop()


class Slow(threading.Thread):
    """Many lines that send a beginning and then a byte now and then; what is closed is opened again."""

    def __init__(self, port: int, count: int, opening: bytes, drip: bytes, every: float = 1.0) -> None:
        super().__init__(daemon=True)
        self.port, self.count, self.opening, self.drip, self.every = port, count, opening, drip, every
        self.lines: list[socket.socket] = []
        self.over, self.all_here = threading.Event(), threading.Event()

    def run(self) -> None:
        while not self.over.is_set():
            self.lines = [line for line in self.lines if self._goes_on(line)]
            while len(self.lines) < self.count and not self.over.is_set():
                line = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
                line.sendall(self.opening)
                line.setblocking(False)
                self.lines.append(line)
            self.all_here.set()
            self.over.wait(self.every)
        for line in self.lines:
            line.close()

    def _goes_on(self, line: socket.socket) -> bool:
        try:
            if self.drip:
                line.send(self.drip)
            if line.recv(65536):
                return True
        except BlockingIOError:
            return True
        except OSError:
            pass
        line.close()
        return False

    def __enter__(self) -> Slow:
        self.start()
        assert self.all_here.wait(PATIENCE)
        return self

    def __exit__(self, *wrong: Any) -> None:
        self.over.set()
        self.join()


def raw(port: int, said: bytes, seconds: float = PATIENCE) -> bytes:
    """What comes back on one line until it is closed."""
    with socket.create_connection(("127.0.0.1", port), seconds) as line:
        line.sendall(said)
        return heard(line, seconds)


def heard(line: socket.socket, seconds: float = PATIENCE) -> bytes:
    """Everything until the other side closes the line."""
    end, found = time.monotonic() + seconds, b""
    while True:
        line.settimeout(max(0.01, end - time.monotonic()))
        try:
            more = line.recv(65536)
        except ConnectionResetError:
            return found
        if not more:
            return found
        found += more
