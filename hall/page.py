"""The hall's page: the big screen, the phone of whoever wanders about, and the organiser's desk behind a PIN.

In a thread of its own. What tables say is queued here (`hear`), shown at the next tick and sent to everybody as one message,
encoded once. The store is asked in another thread: PostgreSQL may be slow or away, the page goes on with what it knows.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from companion.wire import announced
from hall import web
from hall.board import Board
from hall.desk import AnyWish, Desk, RefusedError, Told
from hall.messages import Said
from hall.pin import Pin
from hall.store import ChangedMeanwhileError, NotKeptError, StoreAwayError

if TYPE_CHECKING:
    from hall.database import Database

log = logging.getLogger("tableside.hall.page")

T = TypeVar("T")

TICK = 0.03
"""Seconds between two messages to who looks; with many who look it is longer."""
CLIENTS_A_SECOND = 1500
"""Messages to people who look, all together: one who looks gets one every tick, a thousand get one every second."""
READ = 10.0
"""Seconds after which the store is read again, if nobody says that it has changed."""
QUEUE = 50_000


class Page:
    """The page's server."""

    def __init__(
        self,
        store: Database,
        *,
        port: int,
        pin: str,
        host: str = "",
        name: str = "",
        names: tuple[str, ...] = (),
    ) -> None:
        """`store`: one for this page alone; `names`: what this machine is called beside its address."""
        self.board, self.pin = Board(name), Pin(pin)
        self.desk = Desk(store, self._tables_here)
        self.names = frozenset(
            one.strip("[].").lower()
            for one in ("localhost", socket.gethostname(), f"{socket.gethostname()}.local", *names)
        )
        self._store = store
        self._heard: deque[Said] = deque(maxlen=QUEUE)
        self._gone: deque[str] = deque()
        self._doors = bind_sockets(port, host or None, socket.AF_UNSPEC if host else socket.AF_INET)
        self.port: int = self._doors[0].getsockname()[1]
        self.looking: set[web.Live] = set()
        self._one = ThreadPoolExecutor(1, "hall-store")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    # from other threads ----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Serve in the background."""
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(ready)), name="hall-page", daemon=True)
        self._thread.start()
        ready.wait()

    def stop(self) -> None:
        """Hang up on everybody."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join()
        self._one.shutdown()

    def hear(self, said: Said) -> None:
        """A table spoke; from any thread, without waiting."""
        self._heard.append(said)

    def forget(self, table: str) -> None:
        """Its invitation was taken back; from any thread."""
        self._gone.append(table)

    def changed(self) -> None:
        """The store has something new; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._read_now.set)

    # its own thread --------------------------------------------------------------------------------------------

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._over, self._read_now = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        server = HTTPServer(
            Application(
                web.routes(self), compress_response=True, websocket_ping_interval=20, websocket_max_message_size=256
            ),
            max_header_size=16_384,
            max_body_size=web.MAX_BODY,
            max_buffer_size=4 * web.MAX_BODY,
            idle_connection_timeout=30,
            body_timeout=5,
        )
        logging.getLogger("tornado.general").setLevel(logging.ERROR)
        logging.getLogger("tornado.access").setLevel(logging.ERROR)
        server.add_sockets(self._doors)
        ready.set()
        tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._read())]
        over = asyncio.create_task(self._over.wait())
        await asyncio.wait([over, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if (
                task.done() and task.exception() is not None
            ):  # a page that stands still looks alive: the hall starts anew
                log.critical("the page cannot go on", exc_info=task.exception())
                os.kill(os.getpid(), signal.SIGTERM)
        for task in tasks:
            task.cancel()
        server.stop()
        for one in list(self.looking):
            one.close(1001)
        await server.close_all_connections()

    async def _tell(self) -> None:
        """Every tick, what has changed, to everybody."""
        while True:
            await asyncio.sleep(max(TICK, len(self.looking) / CLIENTS_A_SECOND))
            while self._gone:
                self.board.forget(self._gone.popleft())
            for _ in range(len(self._heard)):
                self.board.hear(self._heard.popleft())
            news = self.board.news(time.time())
            if news is not None:
                line = msgspec.json.encode(news)
                for one in list(self.looking):
                    one.tell(line)

    async def _read(self) -> None:
        while True:
            try:
                await self.ask(self._keep)
            except StoreAwayError as wrong:
                log.warning("PostgreSQL is away, the page shows what it knows: %s", wrong)
            try:
                async with asyncio.timeout(READ):
                    await self._read_now.wait()
            except TimeoutError:
                pass
            self._read_now.clear()

    async def ask(self, what: Callable[[], T]) -> T:
        """Something of the store, in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._one, what)

    def _keep(self) -> None:
        store = self._store
        events = [event for event, _ in store.events()]
        held = store.results() if events else []
        sayings = store.sayings()
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self.board.keep, events, held, sayings)

    def _tables_here(self) -> list[str]:
        # copied in one step: making a list of pairs can be interrupted by another thread
        return [name for name, shown in self.board.shown.copy().items() if shown.here]

    # the organiser ---------------------------------------------------------------------------------------------

    async def act(self, wish: AnyWish) -> tuple[HTTPStatus, dict[str, Any]]:
        """Do it; what it came to, as the page's answer."""

        def done() -> int:
            number = self.desk.do(wish)
            self._keep()
            return number

        try:
            number = await self.ask(done)
        except RefusedError as refused:
            return HTTPStatus.CONFLICT, {"say": {"key": refused.key, "params": refused.params}}
        except ChangedMeanwhileError:
            return HTTPStatus.CONFLICT, {"say": {"key": "hall/refuse/changed"}}
        except KeyError:
            return HTTPStatus.CONFLICT, {"say": {"key": "hall/refuse/no-result"}}
        except NotKeptError:
            return HTTPStatus.CONFLICT, {"say": {"key": "hall/refuse/bad"}}
        except StoreAwayError:
            return HTTPStatus.SERVICE_UNAVAILABLE, {"say": {"key": "hall/refuse/store"}}
        return HTTPStatus.OK, {"act": number}

    async def told(self) -> bytes:
        """What the organiser's page shows besides."""
        acts = await self.ask(lambda: self._store.trail(100))
        undone = tuple(act.undoes for act in acts if act.undoes is not None)
        mine = tuple(act for act in acts if act.who != "hall")
        return msgspec.json.encode(Told(mine, tuple(announced.names()), undone))


def valid_host(header: str, here: str, names: frozenset[str]) -> bool:
    """Whether the page was called by one of its own names: no foreign page speaks through a browser."""
    found = re.fullmatch(r"(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:\d{1,5})?", header)
    if found is None:
        return False
    name = found.group(1).strip("[].").lower()
    return name in names or name == here.partition("%")[0]
