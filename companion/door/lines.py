"""The lines to the page: how many there are, how long a request may take, and who makes room for whom.

Tornado holds all of them in one thread's selector, also those that say nothing, say it slowly or never finish their TLS
handshake: none costs a thread and none keeps another waiting. Where the limit is reached the line that has been idle
for longest goes, of the address that has most: a flood displaces itself, and whoever comes with a request is heard.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec
from tornado.http1connection import HTTP1Connection, HTTP1ConnectionParameters, HTTP1ServerConnection
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import IOStream, SSLIOStream
from tornado.netutil import add_accept_handler

from companion.door.pace import Pace

if TYPE_CHECKING:
    from tornado.concurrent import Future

LINES, PER_ADDRESS = 1000, 500
"""At once, in all and from one address. A browser holds six; but a proxy in front of us holds everybody's, and a guest may share
an address with a flood: the more lines it takes to displace theirs, the surer it is answered first."""
HEAD, BODY, ANSWER = 10.0, 5.0, 20.0
"""Seconds, each for the whole of it and not for a byte: until a request's head is there (a line may idle as long), its
body, and its answer, made and taken."""
READ = 65536
"""Bytes of a head or a body that are read at all; who sends more is hung up on."""
SMALL = 2048
"""Bytes of a body that travel with its head."""
AT_ONCE, A_SECOND = 300, 100.0
"""Requests from one address: a houseful of phones that open the page together; further ones wait for their turn."""
BARE = b"HTTP/1.1 400 Bad Request\r\n\r\n"
"""What Tornado says to a caller who speaks no HTTP."""


class Request(msgspec.Struct, frozen=True):
    """What somebody asks for."""

    method: str
    path: str
    headers: HTTPHeaders
    body: bytes
    address: str
    """Who asks,"""
    here: str
    """and at which of this machine's addresses."""


class Answer(msgspec.Struct, frozen=True):
    """What they get."""

    status: HTTPStatus
    headers: dict[str, str]
    body: bytes
    after: float = 0.0
    """Seconds it is held back."""

    def raw(self) -> bytes:
        """For a caller who is hung up on with it."""
        head = [
            f"HTTP/1.1 {self.status} {self.status.phrase}",
            *(f"{name}: {what}" for name, what in self.headers.items()),
        ]
        return "\r\n".join([*head, "Connection: close", "", ""]).encode() + self.body


class Lines(HTTPServerConnectionDelegate):
    """Everybody who is connected; in the page's own thread."""

    def __init__(
        self,
        answer: Callable[[Request], Awaitable[Answer]],
        no_http: Answer,
        busy: Answer,
        tls: ssl.SSLContext | None,
        most: int,
    ) -> None:
        """`no_http`: said to whoever speaks something else; `busy`: to whoever finds all the lines that may be in use."""
        self.answer, self.busy = answer, busy
        self.pace = Pace(AT_ONCE, A_SECOND, ANSWER)
        self.tasks: set[asyncio.Task[None]] = set()
        self._no_http, self._tls, self._most = no_http.raw(), tls, most
        self._open: dict[str, dict[HTTP1ServerConnection, bool]] = {}
        """By address, with whether it is being answered; first the one that has been idle for longest."""
        self._limits = HTTP1ConnectionParameters(
            chunk_size=READ, max_header_size=READ, max_body_size=READ, header_timeout=HEAD, body_timeout=BODY
        )
        # what strangers do to their lines is not news, and who asks for what is nobody's business: a join address holds a code
        logging.getLogger("tornado.general").setLevel(logging.ERROR)

    def listen(self, door: socket.socket) -> Callable[[], None]:
        """Take calls; gives what ends that."""
        return add_accept_handler(door, self._called)

    def close(self) -> None:
        """Hang up on everybody."""
        for lines in list(self._open.values()):
            for line in list(lines):
                self._drop(line)

    def _called(self, caller: socket.socket, peer: tuple[str, int]) -> None:
        address = peer[0]
        try:
            if self._tls is not None:
                caller = self._tls.wrap_socket(caller, server_side=True, do_handshake_on_connect=False)
            stream = (_Plain if self._tls is None else _Secure)(caller, max_buffer_size=2 * READ)
        except OSError:  # gone before it was here
            caller.close()
            return
        stream.no_http = self._no_http
        if not self._room_for(address):
            if self._tls is None:
                stream.write(self.busy.raw())
            stream.close()
            return
        line = HTTP1ServerConnection(stream, self._limits, address)
        self._open.setdefault(address, {})[line] = False
        line.start_serving(self)

    def _room_for(self, address: str) -> bool:
        """There is a line for one more from there, if need be another's."""
        if len(self._open.get(address, ())) >= PER_ADDRESS:
            return self._displaced(address)
        if sum(map(len, self._open.values())) >= self._most:
            return self._displaced(max(self._open, key=lambda one: len(self._open[one])))
        return True

    def _displaced(self, address: str) -> bool:
        """The longest idle line goes, else one whose caller does not take the answer; never one that is being answered."""
        idle = [line for line, busy in self._open[address].items() if not busy]
        gone = next((line for line in idle if not line.stream.writing()), next(iter(idle), None))
        if gone is not None:
            self._drop(gone)
        return gone is not None

    def _drop(self, line: HTTP1ServerConnection) -> None:
        self.on_close(line)
        line.stream.close()

    def mark(self, line: HTTP1ServerConnection, *, busy: bool) -> None:
        """A line that is being answered is not displaced; one that has just been is the last to be."""
        lines = self._open.get(str(line.context), {})
        if lines.pop(line, None) is not None:
            lines[line] = busy

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        """A line is ready for its next request."""
        assert isinstance(server_conn, HTTP1ServerConnection)
        assert isinstance(request_conn, HTTP1Connection)
        return _Exchange(self, server_conn, request_conn)

    def on_close(self, server_conn: object) -> None:
        """A line is gone."""
        assert isinstance(server_conn, HTTP1ServerConnection)
        address = str(server_conn.context)
        lines = self._open.get(address, {})
        lines.pop(server_conn, None)
        if not lines:
            self._open.pop(address, None)


class _Exchange(HTTPMessageDelegate):
    """One request and its answer. A body is read to its end, whoever asked for what: it is never the next request."""

    def __init__(self, lines: Lines, line: HTTP1ServerConnection, connection: HTTP1Connection) -> None:
        self._lines, self._line, self._connection = lines, line, connection
        self._body = bytearray()

    def headers_received(self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders) -> None:
        assert isinstance(start_line, RequestStartLine)
        self._start, self._headers = start_line, headers

    def data_received(self, chunk: bytes) -> None:
        self._body += chunk

    def finish(self) -> None:
        task = asyncio.create_task(self._serve())
        self._lines.tasks.add(task)
        task.add_done_callback(self._lines.tasks.discard)

        def gone() -> None:
            """Nobody waits for the answer any more."""
            task.cancel()

        self._connection.set_close_callback(gone)

    async def _serve(self) -> None:
        """Answer while there is time; if that fails the line is closed, it does not hang."""
        done = False
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(ANSWER):
                    answer = await self._answer()
                    if answer.after:
                        await asyncio.sleep(answer.after)
                    await self._write(answer)
                    done = True
        finally:
            if not done:
                self._line.stream.close()

    async def _answer(self) -> Answer:
        address = str(self._line.context)
        wait = self._lines.pace.wait(address)
        if wait is None:
            return self._lines.busy
        if wait > 0:
            await asyncio.sleep(wait)
        here = self._line.stream.socket.getsockname()[0]
        method, path, _ = self._start
        self._lines.mark(self._line, busy=True)
        try:
            return await self._lines.answer(Request(method, path, self._headers, bytes(self._body), address, here))
        finally:
            self._lines.mark(self._line, busy=False)

    async def _write(self, answer: Answer) -> None:
        """A body of any size goes after its head: every line that is slow to read holds the same one, not a copy of its own."""
        start = ResponseStartLine("HTTP/1.1", answer.status, answer.status.phrase)
        headers = HTTPHeaders(answer.headers | {"Content-Length": str(len(answer.body))})
        body = b"" if self._start.method == "HEAD" else answer.body
        written = self._connection.write_headers(start, headers, body if len(body) <= SMALL else None)
        if len(body) > SMALL:
            written = self._connection.write(body)
        self._connection.finish()
        await written


class _Plain(IOStream):
    """A line whose answers all have our headers, Tornado's own one too."""

    no_http = BARE

    def write(self, data: bytes | memoryview) -> Future[None]:
        return super().write(self.no_http if data == BARE else data)


class _Secure(SSLIOStream):
    """The same over TLS."""

    no_http = BARE

    def write(self, data: bytes | memoryview) -> Future[None]:
        return super().write(self.no_http if data == BARE else data)
