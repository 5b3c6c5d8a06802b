"""What can be asked of the hall's page, and how it is answered: files, words, the live line, and the organiser's three posts."""

from __future__ import annotations

import time
from functools import cache
from http import HTTPStatus
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from tornado.web import RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from companion.wire import announced
from companion.wire.words import LANGUAGES, catalogue, read_package
from hall.desk import AnyWish
from hall.store import StoreAwayError

if TYPE_CHECKING:
    from hall.page import Page

MAX_BODY = 65_536
BEHIND = 64
"""Messages somebody has not taken yet; who is further behind is hung up on, and comes back to the whole of it."""
LOOKING, PER_ADDRESS = 8000, 400
COOKIE = "tableside-hall"
TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8",
}
PAGES = ("/", "/organiser")


class PinTry(msgspec.Struct, forbid_unknown_fields=True):
    pin: str


@cache
def files() -> dict[str, bytes]:
    """The built page, read once: path -> content."""
    root = resources.files("companion") / "phone" / "dist"
    found: dict[str, bytes] = {}
    for folder, prefix in ((root / "hall", "/hall/"), (root, "/")):
        if folder.is_dir():
            found |= {prefix + one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}
    page = found.get("/hall/index.html", b"<!doctype html><title>Tableside</title><p>Run <code>make setup</code>.</p>")
    kept = {
        path: body for path, body in found.items() if path.startswith("/hall/") or path.endswith((".woff2", "/OFL.txt"))
    }
    return kept | dict.fromkeys(PAGES, page)


@cache
def words_json(language: str) -> bytes:
    """Every word the page may need: its own, and of games their names alone."""
    words = {**catalogue("en"), **read_package("hall.words", "en")}
    words |= {**catalogue(language), **read_package("hall.words", language)}
    games = set(announced.names())

    def needed(key: str) -> bool:
        first, _, rest = key.partition("/")
        return bool(key) and (first not in games or rest == "title")

    return msgspec.json.encode({key: said for key, said in words.items() if needed(key)})


class _Own:
    """Whose name it is: the page answers to its own names only."""

    page: Page
    request: Any

    def own_host(self) -> bool:
        from hall.page import valid_host

        stream = self.request.connection.stream if hasattr(self.request.connection, "stream") else None
        here = stream.socket.getsockname()[0] if stream is not None and stream.socket is not None else ""
        return valid_host(self.request.headers.get("Host", ""), here, self.page.names)

    def own_origin(self) -> bool:
        origin = self.request.headers.get("Origin")
        if origin is None:
            return True
        try:
            return bool(urlsplit(origin).netloc == self.request.headers.get("Host"))
        except ValueError:
            return False


class Answering(_Own, RequestHandler):
    """The base of what is asked and answered."""

    def initialize(self, page: Page) -> None:
        self.page = page

    def prepare(self) -> None:
        if not self.own_host():
            self.answer(HTTPStatus.MISDIRECTED_REQUEST, b"This page is called by the hall's own address.", "txt")
        elif self.request.method == "POST" and not self.own_origin():
            self.answer(HTTPStatus.FORBIDDEN, b"That comes from another page.", "txt")

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        host = self.request.headers.get("Host", "")
        live = f" ws://{host} wss://{host}" if host.replace(".", "").replace(":", "").replace("-", "").isalnum() else ""
        self.set_header(
            "Content-Security-Policy",
            f"default-src 'self'; connect-src 'self'{live}; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'",
        )
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-cache")

    def answer(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.set_status(status)
        self.set_header("Content-Type", TYPES.get(kind, "application/json"))
        self.finish(body)

    def write_error(self, status_code: int, **_: Any) -> None:
        """Nothing of how it is made is told."""
        self.set_header("Content-Type", TYPES["txt"])
        self.finish(HTTPStatus(status_code).phrase.encode())

    def within(self) -> bool:
        """Whether the organiser asks; a stranger is told to enter the PIN."""
        if self.page.pin.knows(self.get_cookie(COOKIE) or ""):
            return True
        self.answer(HTTPStatus.UNAUTHORIZED, b"{}", "json")
        return False


class Files(Answering):
    """The page and its files."""

    def get(self, path: str) -> None:
        body = files().get(path)
        if body is None:
            self.answer(HTTPStatus.NOT_FOUND, b"There is nothing here.", "txt")
        else:
            self.answer(HTTPStatus.OK, body, "html" if path in PAGES else path.rpartition(".")[2])

    head = get


class WordsFile(Answering):
    """All words of one language."""

    def get(self, language: str) -> None:
        self.answer(HTTPStatus.OK, words_json(language), "json")


class Enter(Answering):
    """The PIN, and out again."""

    async def post(self, way: str) -> None:
        pin, address = self.page.pin, self.request.remote_ip or ""
        if way == "leave":
            pin.leave(self.get_cookie(COOKIE) or "")
            self.clear_cookie(COOKIE)
            self.answer(HTTPStatus.OK, b"{}", "json")
            return
        wait = pin.wait(address)
        if wait > 0:
            self.answer(HTTPStatus.TOO_MANY_REQUESTS, msgspec.json.encode({"wait": round(wait, 1)}), "json")
            return
        try:
            tried = msgspec.json.decode(self.request.body, type=PinTry)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.answer(HTTPStatus.BAD_REQUEST, b"{}", "json")
            return
        key = pin.enter(tried.pin[:64], address)
        if key is None:
            self.answer(HTTPStatus.FORBIDDEN, msgspec.json.encode({"wait": round(pin.wait(address), 1)}), "json")
            return
        secure = self.request.protocol == "https"
        self.set_cookie(COOKIE, key, httponly=True, samesite="Strict", secure=secure, max_age=12 * 3600)
        self.answer(HTTPStatus.OK, b"{}", "json")


class ActHere(Answering):
    """What the organiser wishes, and what there is to know for it."""

    async def get(self) -> None:
        if not self.within():
            return
        try:
            self.answer(HTTPStatus.OK, await self.page.told(), "json")
        except StoreAwayError:
            self.answer(HTTPStatus.SERVICE_UNAVAILABLE, b"{}", "json")

    async def post(self) -> None:
        if not self.within():
            return
        try:
            wish: AnyWish = msgspec.json.decode(self.request.body, type=AnyWish)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.answer(HTTPStatus.BAD_REQUEST, msgspec.json.encode({"say": {"key": "hall/refuse/bad"}}), "json")
            return
        status, told = await self.page.act(wish)
        self.answer(status, msgspec.json.encode(told), "json")


class Live(_Own, WebSocketHandler):
    """Somebody who looks: everything at first, then what changes. Nothing they say is listened to."""

    def initialize(self, page: Page) -> None:
        self.page, self._behind, self._counted = page, 0, False

    def prepare(self) -> None:
        mine = sum(one.request.remote_ip == self.request.remote_ip for one in self.page.looking)
        if not self.own_host():
            self.set_status(HTTPStatus.MISDIRECTED_REQUEST)
            self.finish()
        elif len(self.page.looking) >= LOOKING or mine >= PER_ADDRESS:
            self.set_status(HTTPStatus.SERVICE_UNAVAILABLE)
            self.finish()

    def check_origin(self, origin: str) -> bool:
        return self.own_origin()

    def open(self, *_: str, **__: str) -> None:
        self.set_nodelay(True)
        self.page.looking.add(self)
        self.tell(msgspec.json.encode(self.page.board.whole(time.time())))

    def on_message(self, message: str | bytes) -> None:
        """Nobody who looks has anything to say."""

    def on_close(self) -> None:
        self.page.looking.discard(self)

    def tell(self, line: bytes) -> None:
        """One more message, unless there are too many on the way."""
        if self._behind >= BEHIND:
            self.page.looking.discard(self)
            self.close(1013)
            return
        try:
            sent = self.write_message(line.decode())
        except WebSocketClosedError:
            self.page.looking.discard(self)
            return
        self._behind += 1
        sent.add_done_callback(self._taken)

    def _taken(self, sent: Any) -> None:
        self._behind -= 1
        sent.exception()  # a line that broke is closed by now


def routes(page: Page) -> list[tuple[str, type[RequestHandler], dict[str, Page]]]:
    """Everything there is to ask for."""
    mine = {"page": page}
    return [
        ("/live", Live, mine),
        (rf"/words/({'|'.join(LANGUAGES)})\.json", WordsFile, mine),
        ("/(pin|leave)", Enter, mine),
        ("/desk", ActHere, mine),
        ("(/.*)", Files, mine),
    ]
