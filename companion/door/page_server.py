"""Serves the phone page: its files and words, what the table is, and the door's answers (join, leave, past, then).

Tornado's protocol and lines, no framework: everything there is to ask for stands in `Web.answer`.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import resource
import socket
import ssl
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache, lru_cache, partial
from http import HTTPStatus
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from tornado.netutil import bind_sockets

from companion.door.join import CodeRequest, Door, Joined, JoinRequest, KeyRequest, ThenRequest
from companion.door.lines import LINES, Answer, Lines, Request
from companion.door.seats import JoinRefused
from companion.wire import announced, rules
from companion.wire.config import Config
from companion.wire.process import own_address
from companion.wire.words import LANGUAGES, Words, catalogue, read_package

T = TypeVar("T")

MAX_BODY = 4096
CORE_SECONDS = 5.0
"""Seconds the core has for an answer; it has a thread of its own and may have its hands full."""
AT_THE_CORE = 200
"""Questions to it at once; further ones wait here. Well below what makes it stop reading moves (`bus.WAITING`)."""
HELD_BACK, REFUSED = 0.5, (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
"""Seconds for which the door's refusals are held back: nobody who is let in waits, and who asks again at once asks seldom."""
OTHERS = 200
"""Handles this process needs for everything but its lines."""
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
HOST = re.compile(r"(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:\d{1,5})?")


def host_name(table: str) -> str:
    """On the local network: `tableside.local.` for the only table of a house, `tableside-<id>.local.` among several."""
    return "tableside.local." if table == "table" else f"tableside-{table}.local."


def own_names(config: Config) -> frozenset[str]:
    """What this table may be called in an address, beside the address it is reached at."""
    machine = socket.gethostname()
    known = (
        "localhost",
        machine,
        f"{machine}.local",
        host_name(config.table.id),
        config.web.address,
        *config.web.names,
    )
    return frozenset(name.strip("[].").lower() for name in known if name)


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


ELSEWHERE = re.compile(
    r"(vision|dial|display|config|doctor|speech|care|lesson|hint|wish|demo|journal)/|phone/(past/|later/|correct-)"
    r"|(?!join/|table/|phone/)[a-z]+/(box|option|edit|restore|refuse|do|line|tally|tie|reason|lesson|move|grid|strip|entry)/"
    r"|.*@short$"
    r"|skyrise/(form|auction|deal|board|depth|wonder-effect)/"
)
"""Words of cameras, settings, voices, lessons, disks, printed values, refusals and tallies, and the screen's short forms: a phone
fetches them once seated."""


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


class Web:
    """The page's server, in a thread of its own; it touches the core only through the door."""

    def __init__(self, config: Config, door: Door, call: Callable[[Callable[[], None]], None]) -> None:
        """`call`: runs something in the core's own thread."""
        self.config, self.door, self._call = config, door, call
        self._names = own_names(config)
        self._cookie = f"tableside-{config.table.id}"
        """Cookies know no ports: two tables on one machine must not overwrite each other's."""
        self._tls: ssl.SSLContext | None = None
        if config.web.tls:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(config.broker.cert_file, config.broker.key_file)
        family = socket.AF_UNSPEC if config.web.host else socket.AF_INET
        self._core = asyncio.Semaphore(AT_THE_CORE)
        self._doors = bind_sockets(config.web.port, config.web.host, family)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def address(self) -> str:
        """What the QR code says."""
        scheme = "https" if self.config.web.tls else "http"
        return f"{scheme}://{self.config.web.address or own_address()}:{self.config.web.port}"

    # its thread ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Serve in the background."""
        ready = threading.Event()

        def serve() -> None:
            try:
                asyncio.run(self._serve(ready))
            finally:
                ready.set()

        self._thread = threading.Thread(target=serve, name="web", daemon=True)
        self._thread.start()
        ready.wait()

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        bad, busy = (self._told("", JoinRefused(status, code)) for status, code in ((400, "bad"), (503, "later")))
        lines = Lines(self.answer, no_http=bad, busy=busy, tls=self._tls, most=_handles(LINES + OTHERS) - OTHERS)
        ends = [lines.listen(door) for door in self._doors]
        ready.set()
        await self._over.wait()
        for end in ends:
            end()
        lines.close()

    def stop(self) -> None:
        """Hang up on everybody and close."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join()
        for door in self._doors:
            door.close()

    # what there is to ask for ----------------------------------------------------------------------------------

    async def answer(self, request: Request) -> Answer:
        """Everything anybody may ask; a table answers to its own names only, so that no foreign page speaks through a browser."""
        host = self._host(request)
        if not host:
            return self._stranger(request)
        path = request.path.split("?", 1)[0]
        if request.method in ("GET", "HEAD"):
            if path == "/table.json":
                return self._answer(host, HTTPStatus.OK, self.door.describe(), ".json", request)
            return self._page(host, path, request)
        if request.method != "POST":
            return self._answer(host, HTTPStatus.METHOD_NOT_ALLOWED, b"GET or POST.", ".txt")
        if not self._same_origin(request):
            return self._told(host, JoinRefused(403, "origin"))
        try:
            answer = await self._posted(host, path, request)
            return msgspec.structs.replace(answer, after=HELD_BACK) if answer.status in REFUSED else answer
        except TimeoutError:
            return self._told(host, JoinRefused(503, "later"))
        except (ValueError, UnicodeDecodeError, RecursionError):
            return self._told(host, JoinRefused(400, "bad"))

    def _page(self, host: str, path: str, request: Request) -> Answer:
        name = path.removeprefix("/words/").removesuffix(".json")
        if path.startswith("/words/") and name.removesuffix("-rest") in LANGUAGES:
            words = words_json(name.removesuffix("-rest"), rest=name.endswith("-rest"))
            return self._answer(host, HTTPStatus.OK, words, ".json", request)
        game, _, language = path.removeprefix("/rules/").removesuffix(".json").partition("/")
        if path.startswith("/rules/") and game in announced.names() and language in LANGUAGES:
            return self._answer(host, HTTPStatus.OK, rules.told(game, language), ".json", request)
        if path == "/" or path.startswith("/j/"):
            path = "/index.html"
        content = page_files().get(path)
        if content is None:
            return self._nothing(host)
        hashed = re.search(r"[.-][0-9A-Za-z]{8,}\.", path) is not None
        return self._answer(host, HTTPStatus.OK, content, "." + path.rpartition(".")[2], request, keep=hashed)

    async def _posted(self, host: str, path: str, request: Request) -> Answer:
        door, cookie, address = self.door, self._cookie_of(request), request.address
        if path == "/join":
            wish = _read(request, JoinRequest)
            return self._joined(host, await self._decided(partial(door.join, wish, cookie, address)))
        if path == "/leave":
            token = _read(request, KeyRequest).token
            return self._told(host, await self._decided(partial(door.leave, token, cookie, address)), cookie="")
        if path == "/past":
            token = _read(request, KeyRequest).token
            return self._told(host, await self._decided(partial(door.past, token, cookie, address)), request)
        if path == "/then":
            wanted = _read(request, ThenRequest)
            return self._told(host, await self._decided(partial(door.then, wanted, cookie, address)), request)
        if path == "/table.json":
            code = _read(request, CodeRequest).code
            return self._told(host, await self._decided(partial(door.look, code, address)))
        return self._nothing(host)

    async def _decided(self, ask: Callable[[Future[T]], None]) -> T:
        """The core's answer; who gives up waiting, or has gone, is not answered by it."""
        answer: Future[T] = Future()
        async with asyncio.timeout(CORE_SECONDS), self._core:
            self._call(lambda: ask(answer))
            return await asyncio.wrap_future(answer)

    # whose name it is ------------------------------------------------------------------------------------------

    def _host(self, request: Request) -> str:
        """The name this table was called by; empty when it is not one of its own."""
        found = HOST.fullmatch(request.headers.get("Host") or "")
        if found is None:
            return ""
        name = found.group(1).strip("[].").lower()
        return found.group(1) if name in self._names or name == request.here.partition("%")[0] else ""

    def _same_origin(self, request: Request) -> bool:
        """A browser says which page a request comes from: ours, also behind a proxy that changes the host."""
        origin = request.headers.get("Origin")
        if origin is None:
            return True
        try:
            page = urlsplit(origin)
        except ValueError:
            return False
        return page.netloc == request.headers.get("Host") or (page.hostname or "") in self.config.web.names

    def _stranger(self, request: Request) -> Answer:
        refused = JoinRefused(421, "host", address=self.address)
        if request.method == "POST":
            return self._told("", refused)
        words = Words(self.config.table.language)
        said = f"{words.say(refused.refusal.say)}\n{words.say(refused.refusal.do)}\n"
        return self._answer("", HTTPStatus.MISDIRECTED_REQUEST, said.encode(), ".txt")

    def _cookie_of(self, request: Request) -> str:
        for part in (request.headers.get("Cookie") or "")[:MAX_BODY].split(";"):
            name, _, value = part.strip().partition("=")
            if name == self._cookie:
                return value[:128]
        return ""

    # how it is said --------------------------------------------------------------------------------------------

    def _joined(self, host: str, result: Joined | JoinRefused) -> Answer:
        if isinstance(result, JoinRefused):
            # a key that opens nothing need not stay in the phone; one that is held may be a second window's
            return self._told(host, result, cookie="" if result.status == HTTPStatus.FORBIDDEN else None)
        welcome = msgspec.structs.replace(result, ws=self._socket_url(host), cookie="")
        return self._answer(host, HTTPStatus.OK, msgspec.json.encode(welcome), ".json", cookie=result.cookie)

    def _told(
        self, host: str, result: bytes | JoinRefused, request: Request | None = None, *, cookie: str | None = None
    ) -> Answer:
        if isinstance(result, JoinRefused):
            body = msgspec.json.encode({"refusal": result.refusal})
            return self._answer(host, HTTPStatus(result.status), body, ".json", cookie=cookie)
        return self._answer(host, HTTPStatus.OK, result, ".json", request, cookie=cookie)

    def _nothing(self, host: str) -> Answer:
        return self._answer(host, HTTPStatus.NOT_FOUND, b"There is nothing here.", ".txt")

    def _socket_url(self, host: str) -> str:
        scheme = "wss" if self.config.broker.tls else "ws"
        return f"{scheme}://{host}:{self.config.broker.websocket_port}/"

    def _answer(
        self,
        host: str,
        status: HTTPStatus,
        body: bytes,
        kind: str,
        request: Request | None = None,
        *,
        keep: bool = False,
        cookie: str | None = None,
    ) -> Answer:
        """`request`: who can unpack gets it packed; `cookie`: the phone's half of its key, an empty one is taken away."""
        ours = f" {self._socket_url(host)}" if host else ""
        policy = f"default-src 'self'; connect-src 'self'{ours}; img-src 'self' data: blob:"
        policy += "; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        headers = {
            "Content-Type": TYPES.get(kind, "application/octet-stream"),
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "public, max-age=31536000, immutable" if keep else "no-cache",
            "Vary": "Accept-Encoding",
        }
        if cookie is not None:
            age, secure = COOKIE_AGE if cookie else 0, "; Secure" if self.config.web.tls else ""
            headers["Set-Cookie"] = f"{self._cookie}={cookie}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}"
        unpacks = request is not None and "gzip" in (request.headers.get("Accept-Encoding") or "")
        if unpacks and kind in PACKED and len(body) > 1000:
            body = packed(body)
            headers["Content-Encoding"] = "gzip"
        return Answer(status, headers, body)


def _handles(wanted: int) -> int:
    """Files this process may have open, no more than wanted; the usual limit is raised where nothing stands against it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def _read(request: Request, kind: type[T]) -> T:
    if not 0 < len(request.body) <= MAX_BODY:
        raise ValueError("too long")
    return msgspec.json.decode(request.body, type=kind)
