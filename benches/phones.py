"""Phones on one broker: how long a committed move takes to reach the last of them, and whether any message is lost."""

from __future__ import annotations

import itertools
import selectors
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from subprocess import Popen
from types import TracebackType
from typing import Any, cast

import msgspec

from benches.figures import Row, percentile, row
from companion.virtual.own_table import end, own_table
from companion.wire.caller import Caller
from companion.wire.messages import Admin, Answer, JoinInfo, Message, MoveRequest, Prompt, State
from companion.wire.room import connection

SEATS, PHONES, EVERYBODY, MOVES = 4, 24, 224, 150
"""24 phones around the table (4 of them hold a seat), then 200 more who watch."""
ADDRESSES = itertools.cycle(f"127.{net}.{host}.1" for net in range(1, 5) for host in range(250))
"""Every phone has one of its own, as in a real house: the gate counts them."""
BUDGETS = {PHONES: 100.0, EVERYBODY: 250.0}
PATIENCE = 90.0
"""Seconds after which a table will not answer any more, however busy its machine is."""
ANYBODYS = ssl._create_unverified_context()
"""Whose certificate a table of our own has does not matter."""


class NoTableError(Exception):
    """The table did not come up."""


class LiveTable:
    """A real broker and the real core in a directory of their own, and the screen's hand on both."""

    def __init__(self, table: str = "table", **settings: str) -> None:
        """`settings`: what is otherwise at this table, as its environment says it."""
        self._all = ExitStack()
        self.own = self._all.enter_context(own_table(TABLESIDE_TABLE_ID=table, **settings))
        self.config = self.own.config()
        self.url = f"{'https' if self.config.web.tls else 'http'}://127.0.0.1:{self.config.web.port}"
        self.state: State | None = None
        self.shown: JoinInfo | None = None
        self._broker: Popen[bytes] | None = None
        self._core: Popen[bytes] | None = None
        self._screen: Caller | None = None

    def __enter__(self) -> LiveTable:
        with self._all:
            self._broker = self._begun(self.own.start_broker())
            gate = self._begun(self.own.start("companion.machine.gate"))
            self.start_core()
            screen = connection(self.config, "display")
            screen.subscribe("state", lambda _, message: setattr(self, "state", message))
            screen.subscribe("join", lambda _, message: setattr(self, "shown", message))
            self._screen = Caller(screen, "display")
            screen.start()
            self._all.callback(screen.stop)
            self.until(lambda: self.state is not None and self.shown is not None, "the core")
            self.until(self._served, "the page")
            self.own.until_gate(gate)
            self._all = self._all.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self._all.close()

    def _begun(self, process: Popen[bytes]) -> Popen[bytes]:
        """It runs until we leave."""
        self._all.callback(end, process)
        return process

    def start_core(self) -> None:
        """Start (or start again) the core."""
        with (self.config.state_dir / "core.log").open("ab") as log:
            self._core = self._begun(self.own.start("companion", log=log))

    @property
    def processes(self) -> dict[str, int]:
        """Who runs here."""
        return {name: one.pid for name, one in (("core", self._core), ("broker", self._broker)) if one is not None}

    def kill_core(self) -> None:
        """As a power cut does."""
        if self._core is not None:
            self._core.kill()
            self._core.wait()

    def _served(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/table.json", timeout=1, context=ANYBODYS):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def pump(self, timeout: float = 0.02) -> None:
        """Hear what the table says."""
        assert self._screen is not None
        self._screen.bus.pump(timeout)

    def until(self, done: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
        """Listen until something holds."""
        assert self._screen is not None
        if not self._screen.listen(done, seconds):
            raise NoTableError(f"not within {seconds:.0f} s: {what}")

    def _ask(self, topic: str, make: Callable[[str], Message]) -> Answer:
        assert self._screen is not None
        answer = self._screen.ask(topic, make, PATIENCE)
        if answer is None:
            raise NoTableError(f"no answer on {topic}")
        return answer

    def order(self, command: Any, **args: Any) -> Answer:
        """What the touchscreen may order."""
        return self._ask("admin", lambda name: Admin(id=name, client="display", command=command, args=args))

    def new_game(self, game: str, names: list[str], **options: Any) -> str:
        """Set a game up as the screen does."""
        answer = self.order("new game", game=game, seats=[{"name": name} for name in names], options=options)
        if not answer.ok:
            raise NoTableError(f"{game} was not set up: {answer.refusal}")
        wanted = str(answer.result["game"])
        self.until(lambda: self.state is not None and self.state.game_id == wanted, "the new game")
        return wanted

    def settle(self) -> None:
        """Everything said so far is carried out: a question asked after it is answered, and what was said before is heard."""
        self.order("box list", game="scorepad")

    def move(self, move: dict[str, Any], **more: Any) -> Answer:
        """A move from the touchscreen."""
        return self._ask("move/display", lambda name: MoveRequest(id=name, move=move, cause="touch", **more))

    @property
    def prompt(self) -> Prompt | None:
        """What the screen asks now."""
        return self.state.prompt if self.state is not None else None

    @property
    def code(self) -> str:
        """The join code the screen shows now."""
        self.pump(0.0)
        assert self.shown is not None
        return self.shown.code

    def join(self, **body: Any) -> dict[str, Any]:
        """Knock at the door as a phone does."""
        return self.request("/join", body)

    def request(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Ask the page's server for something; a refusal comes back as it is."""
        request = urllib.request.Request(
            f"{self.url}{path}", msgspec.json.encode(body), {"Content-Type": "application/json"}, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE, context=ANYBODYS) as reply:
                return cast(dict[str, Any], msgspec.json.decode(reply.read()))
        except urllib.error.HTTPError as refused:
            return cast(dict[str, Any], msgspec.json.decode(refused.read())) | {"status": refused.code}

    def seat(self, seat: int | None, **more: Any) -> dict[str, Any]:
        """Let one phone in with the code on the screen; a code is good for one seat, so another one follows."""
        code = self.code
        session = self.join(code=code, seat=seat, **more)
        if "client" not in session:
            raise NoTableError(f"nobody was let in: {session}")
        if seat is not None:
            self.until(lambda: self.code != code, "the next code")
        return session


def mqtt_string(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(2, "big") + data


def mqtt_packet(kind: int, body: bytes) -> bytes:
    """One MQTT packet in one WebSocket frame; a mask of zeros leaves the content as it is."""
    length, rest = b"", len(body)
    while True:
        rest, low = divmod(rest, 128)
        length += bytes([low | (128 if rest else 0)])
        if not rest:
            break
    packet = bytes([kind]) + length + body
    size = bytes([0x80 | len(packet)]) if len(packet) < 126 else b"\xfe" + len(packet).to_bytes(2, "big")
    return b"\x82" + size + b"\0\0\0\0" + packet


class Phone:
    """A simulated phone, as light as can be: it subscribes as the page does, acknowledges and notes arrival times."""

    def __init__(self, session: dict[str, Any], port: int, heard: Callable[[int], None]) -> None:
        self.session, self._heard = session, heard
        self._frames, self._packets = b"", b""
        self.subscribed = False
        self.line = socket.create_connection(("127.0.0.1", port), source_address=(next(ADDRESSES), 0))
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        hello = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        hello += "Sec-WebSocket-Key: dGFibGVzaWRlLWJlbmNoIQ==\r\nSec-WebSocket-Version: 13\r\n"
        self.line.sendall(f"{hello}Sec-WebSocket-Protocol: mqtt\r\n\r\n".encode())
        reply = b""
        while b"\r\n\r\n" not in reply:
            reply += self._more(1024)
        self._frames = reply.split(b"\r\n\r\n", 1)[1]
        names = mqtt_string(session["client"]) + mqtt_string(session["user"]) + mqtt_string(session["password"])
        self.line.sendall(mqtt_packet(0x10, mqtt_string("MQTT") + b"\x04\xc2\x00\x00" + names))
        topics = b"".join(mqtt_string(session["base"] + topic) + b"\x01" for topic in ("state", "event/+"))
        self.line.sendall(mqtt_packet(0x82, b"\x00\x01" + topics))

    def read(self) -> None:
        """Take in what has arrived."""
        self._frames += self._more(65536)
        while (frame := self._frame()) is not None:
            self._packets += frame
        while (packet := self._next()) is not None:
            self._handle(*packet)

    def _more(self, most: int) -> bytes:
        more = self.line.recv(most)
        if not more:
            raise ConnectionResetError("hung up on")
        return more

    def _frame(self) -> bytes | None:
        data = self._frames
        if len(data) < 2:
            return None
        start, size = 2, data[1] & 127
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(data[2:start], "big")
        if len(data) < start + size:
            return None
        self._frames = data[start + size :]
        return data[start : start + size] if data[0] & 15 in (0, 2) else b""

    def _next(self) -> tuple[int, bytes] | None:
        size = shift = 0
        for at, byte in enumerate(self._packets[1:5], 2):
            size |= (byte & 127) << shift
            shift += 7
            if not byte & 128:
                if len(self._packets) < at + size:
                    return None
                kind, body = self._packets[0], self._packets[at : at + size]
                self._packets = self._packets[at + size :]
                return kind, body
        return None

    def _handle(self, kind: int, body: bytes) -> None:
        if kind & 0xF0 == 0x90:
            self.subscribed = True
        elif kind & 0xF0 == 0x30:
            end = 2 + int.from_bytes(body[:2], "big")
            if kind & 6:
                self.line.sendall(mqtt_packet(0x40, body[end : end + 2]))
                end_of_head = end + 2
            else:
                end_of_head = end
            if body[:end].endswith(b"/state") and not kind & 1:
                self._heard(msgspec.json.decode(body[end_of_head:], type=_Seq).seq)


class Crowd:
    """All phones in one thread: the measuring stick should not compete with what it measures."""

    def __init__(self, port: int) -> None:
        self._port, self._stop = port, False
        self._watch = selectors.DefaultSelector()
        self.phones: list[Phone] = []
        self.arrived: dict[int, list[float]] = {}
        self._thread = threading.Thread(target=self._run, name="crowd", daemon=True)
        self._thread.start()

    def add(self, session: dict[str, Any]) -> None:
        """One more phone."""
        self.phones.append(phone := self._call(session))
        self._watch.register(phone.line, selectors.EVENT_READ, phone)

    def _call(self, session: dict[str, Any]) -> Phone:
        """As phones do: again, when a gate on a busy machine hung up before the broker's welcome."""
        last = time.monotonic() + PATIENCE
        while True:
            try:
                return Phone(
                    session, self._port, lambda seq: self.arrived.setdefault(seq, []).append(time.perf_counter())
                )
            except ConnectionError:
                if self._stop or time.monotonic() > last:
                    raise
                time.sleep(0.1)

    def _run(self) -> None:
        while not self._stop:
            for key, _ in self._watch.select(0.05):
                try:
                    key.data.read()
                except ConnectionError:
                    self._watch.unregister(key.fileobj)
                    if not key.data.subscribed:
                        self._again(key.data)

    def _again(self, phone: Phone) -> None:
        """It was never let in, so it has missed nothing."""
        called = self._call(phone.session)
        self.phones[self.phones.index(phone)] = called
        self._watch.register(called.line, selectors.EVENT_READ, called)

    def heard_by(self, seq: int) -> int:
        """How many have this state."""
        return len(self.arrived.get(seq, ()))

    def leave(self) -> None:
        """Everybody hangs up."""
        self._stop = True
        self._thread.join()
        for phone in self.phones:
            phone.line.close()


class _Seq(msgspec.Struct):
    seq: int


def rows(everybody: int = EVERYBODY) -> list[Row]:
    """Commit moves on a real table with everybody listening."""
    found: list[Row] = []
    with LiveTable("bench") as table:
        table.new_game("skytopia", ["Ada", "Bo", "Cy", "Di"])
        crowd = Crowd(table.config.broker.websocket_port)
        began = time.perf_counter()
        for number in range(everybody):
            if number == PHONES:
                found += _measure(table, crowd)
            crowd.add(table.seat(number if number < SEATS else None))
            if number == PHONES - 1:
                joined = 1000.0 * (time.perf_counter() - began) / PHONES
        found += _measure(table, crowd)
        crowd.leave()
    return [*found, row("phones: one phone joins", joined, "ms", None, n=PHONES)]


def _measure(table: LiveTable, crowd: Crowd) -> list[Row]:
    """Each move is timed from the touch; the next one waits until all have heard of it."""
    phones = len(crowd.phones)
    table.until(lambda: all(phone.subscribed for phone in crowd.phones), "the last phone")
    sent: dict[int, float] = {}
    for number in range(MOVES):
        start = time.perf_counter()
        answer = table.move({"kind": "correct", "what": "coins", "seat": number % SEATS, "value": number % 100})
        sent[answer.seq] = start
        end = time.monotonic() + 3.0
        while crowd.heard_by(answer.seq) < phones and time.monotonic() < end:
            table.pump(0.005)
    times = {seq: [1000.0 * (at - start) for at in crowd.arrived.get(seq, ())] for seq, start in sent.items()}
    every = [value for values in times.values() for value in values]
    last = [max(values) for values in times.values() if values]
    who = f"phones: move to the last of {phones}"
    return [
        row(f"{who}, p99", percentile(last, 0.99), "ms", BUDGETS[phones], n=len(last)),
        row(f"phones: move to any of {phones}, median", percentile(every, 0.5), "ms", None, n=len(every)),
        row(f"phones: messages lost of {phones}", float(phones * MOVES - len(every)), "", 0.0, n=phones * MOVES),
    ]
