"""Serves the phone page and the door. Standard library only: four routes need no framework."""

from __future__ import annotations

import fcntl
import gzip
import logging
import re
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooSlow
from functools import cache, lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeVar

import msgspec

from companion.door.join import Joined, JoinRequest, KeyRequest, refused_body
from companion.door.seats import JoinRefused
from companion.wire.config import Config
from companion.wire.words import LANGUAGES, catalogue, read_package

log = logging.getLogger("tableside.web")

T = TypeVar("T")

MAX_BODY = 4096
MAX_LINES = 128
"""Connections served at once; more wait their turn."""
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
COOKIE_AGE = 12 * 3600
"""Seconds; an evening. Long before that the table has made the key worthless."""


class Desk(Protocol):
    """What the page's server may ask of the core. Answers with a future come from the core's own thread; `describe` is
    asked in the page's threads and only looks."""

    def join(self, request: JoinRequest, cookie: str, address: str, answer: Future[Joined | JoinRefused]) -> None: ...
    def leave(self, token: str, cookie: str, address: str, answer: Future[bytes | JoinRefused]) -> None: ...
    def past(self, token: str, cookie: str, address: str, answer: Future[bytes | JoinRefused]) -> None: ...
    def describe(self) -> bytes: ...


def own_address() -> str:
    """This machine's address on the local network, asked of the kernel, not of the network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for _, name in socket.if_nameindex():
            if name.startswith(("lo", "docker", "veth", "br-")):
                continue
            try:
                answer = fcntl.ioctl(any_socket, 0x8915, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue
            return socket.inet_ntoa(answer[20:24])
    return "127.0.0.1"


@cache
def page_files() -> dict[str, bytes]:
    """The built phone page, read once: path -> content."""
    files: dict[str, bytes] = {}

    def walk(place: Traversable, prefix: str) -> None:
        for entry in place.iterdir():
            if entry.is_dir():
                walk(entry, f"{prefix}{entry.name}/")
            else:
                files[f"{prefix}{entry.name}"] = entry.read_bytes()

    root = resources.files("companion") / "phone" / "dist"
    if root.is_dir():
        walk(root, "/")
    if "/index.html" not in files:
        text = "<!doctype html><title>Tableside</title><p>The phone page is not built. Run <code>make setup</code>.</p>"
        files["/index.html"] = text.encode()
    return files


ELSEWHERE = re.compile(r"(vision|dial|display|config|doctor)/|[a-z]+/(box|option|edit)/")
"""Words of cameras, settings and printed values: a phone rarely needs them and fetches them then."""


@cache
def words_json(language: str, *, rest: bool = False) -> bytes:
    """Every word the phone needs from the start, in one file; `rest`: those it seldom needs."""
    words = {**catalogue("en"), **read_package("companion.phone.words", "en")}
    words |= {**catalogue(language), **read_package("companion.phone.words", language)}
    words.pop("", None)
    return msgspec.json.encode({key: said for key, said in words.items() if bool(ELSEWHERE.match(key)) == rest})


PACKED = (".html", ".js", ".css", ".json", ".svg", ".txt")


@lru_cache(maxsize=32)
def packed(body: bytes) -> bytes:
    """Compressed once, sent often."""
    return gzip.compress(body, 9, mtime=0)


class _Handler(BaseHTTPRequestHandler):
    server: Web
    protocol_version = "HTTP/1.1"
    server_version = "Tableside"
    sys_version = ""
    timeout = 10

    def do_GET(self) -> None:
        path = self.path.split("?", 1)[0]
        if path == "/table.json":
            self._send(HTTPStatus.OK, self.server.desk.describe(), ".json")
        elif path.startswith("/words/") and (name := path[7:].removesuffix(".json")).removesuffix("-rest") in LANGUAGES:
            language, rest = name.removesuffix("-rest"), name.endswith("-rest")
            self._send(HTTPStatus.OK, words_json(language, rest=rest), ".json")
        else:
            self._file("/index.html" if path == "/" or path.startswith("/j/") else path)

    do_HEAD = do_GET  # noqa: N815 - named by the standard library

    def _file(self, path: str) -> None:
        content = page_files().get(path)
        if content is None:
            self._send(HTTPStatus.NOT_FOUND, b"There is nothing here.", ".txt")
            return
        hashed = re.search(r"[.-][0-9A-Za-z]{8,}\.", path) is not None
        self._send(HTTPStatus.OK, content, "." + path.rpartition(".")[2], keep=hashed)

    def do_POST(self) -> None:
        desk, cookie, address = self.server.desk, self._cookie(), str(self.client_address[0])
        try:
            if self.path == "/join":
                wish = self._body(JoinRequest)
                self._joined(self._asked(lambda answer: desk.join(wish, cookie, address, answer)))
            elif self.path == "/leave":
                key = self._body(KeyRequest)
                self._told(self._asked(lambda answer: desk.leave(key.token, cookie, address, answer)), cookie="")
            elif self.path == "/past":
                key = self._body(KeyRequest)
                self._told(self._asked(lambda answer: desk.past(key.token, cookie, address, answer)))
            else:
                self._send(HTTPStatus.NOT_FOUND, b"There is nothing here.", ".txt")
        except TooSlow:
            self._told(JoinRefused(503, "later"))
        except (ValueError, UnicodeDecodeError, RecursionError):
            self.close_connection = True
            self._told(JoinRefused(400, "bad"))

    def _body(self, kind: type[T]) -> T:
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= MAX_BODY:
            raise ValueError("too long")
        return msgspec.json.decode(self.rfile.read(length), type=kind)

    def _asked(self, ask: Callable[[Future[T]], None]) -> T:
        """The core's answer; it has a thread of its own and may have its hands full."""
        answer: Future[T] = Future()
        ask(answer)
        try:
            return answer.result(timeout=5)
        except TooSlow:
            answer.cancel()
            raise

    def _joined(self, result: Joined | JoinRefused) -> None:
        if isinstance(result, JoinRefused):
            # a key that opens nothing need not stay in the phone; one that is held may be a second window's
            self._told(result, cookie="" if result.status == HTTPStatus.FORBIDDEN else None)
            return
        welcome = msgspec.structs.replace(result, ws=self._socket_url(), cookie="")
        self._send(HTTPStatus.OK, msgspec.json.encode(welcome), ".json", cookie=result.cookie)

    def _told(self, result: bytes | JoinRefused, *, cookie: str | None = None) -> None:
        if isinstance(result, JoinRefused):
            self._send(HTTPStatus(result.status), refused_body(result.refusal), ".json", cookie=cookie)
        else:
            self._send(HTTPStatus.OK, result, ".json", cookie=cookie)

    @property
    def _cookie_name(self) -> str:
        """Cookies know no ports: two tables on one machine must not overwrite each other's."""
        return f"tableside-{self.server.config.table.id}"

    def _cookie(self) -> str:
        for part in (self.headers.get("Cookie") or "")[:MAX_BODY].split(";"):
            name, _, value = part.strip().partition("=")
            if name == self._cookie_name:
                return value[:128]
        return ""

    def _socket_url(self) -> str:
        scheme = "wss" if self.server.config.broker.tls else "ws"
        return f"{scheme}://{self._host()}:{self.server.config.broker.websocket_port}/"

    def _host(self) -> str:
        host = self.headers.get("Host") or ""
        found = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]{1,253})(:\d+)?", host)
        return found.group(1) if found else "127.0.0.1"

    def _send(
        self, status: HTTPStatus, body: bytes, kind: str, *, keep: bool = False, cookie: str | None = None
    ) -> None:
        """`cookie`: the phone's half of its key from now on; an empty one is taken away."""
        self.send_response(status)
        if cookie is not None:
            age = COOKIE_AGE if cookie else 0
            secure = "; Secure" if self.server.config.web.tls else ""
            held = f"{self._cookie_name}={cookie}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}"
            self.send_header("Set-Cookie", held)
        if kind in PACKED and len(body) > 1000 and "gzip" in (self.headers.get("Accept-Encoding") or ""):
            body = packed(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("Content-Type", TYPES.get(kind, "application/octet-stream"))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if keep else "no-cache")
        policy = f"default-src 'self'; connect-src 'self' {self._socket_url()}; img-src 'self' data: blob:"
        policy += "; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        self.send_header("Content-Security-Policy", policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged: a join address holds a code."""


class Web(ThreadingHTTPServer):
    """The page's server, in threads of its own; it touches the core only through its desk."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, config: Config, desk: Desk) -> None:
        self.config, self.desk = config, desk
        self._lines = threading.BoundedSemaphore(MAX_LINES)
        super().__init__((config.web.host, config.web.port), _Handler)
        if config.web.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(config.broker.cert_file, config.broker.key_file)
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def process_request(self, request: Any, client_address: Any) -> None:
        """One thread a connection, but not without end."""
        self._lines.acquire()
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # the machine has no thread to give: this caller goes, its line does not
            self._lines.release()
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._lines.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A phone that hangs up in mid-sentence is no news."""

    @property
    def address(self) -> str:
        """What the QR code says."""
        scheme = "https" if self.config.web.tls else "http"
        return f"{scheme}://{self.config.web.address or own_address()}:{self.config.web.port}"

    def start(self) -> None:
        """Serve in the background."""
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 1.0}, name="web", daemon=True).start()
