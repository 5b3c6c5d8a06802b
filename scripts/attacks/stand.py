"""A checkout under attack: its commands, its table, its phones. Nothing of the product is imported, so that any will do."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

HERE = "127.0.0.1"
SOON = 40.0
"""Seconds a table may take to come up, or back, on a busy machine."""


class Ended(NamedTuple):
    """How a command ended; `code` is `None` when it had to be stopped."""

    code: int | None
    said: str
    seconds: float
    megabytes: int

    @property
    def badly(self) -> str:
        """In a few words, when no command may end so."""
        if self.code is None:
            return f"it was still busy after {self.seconds:.0f} s"
        if "Traceback" in self.said:
            return f"a traceback: {self.said.strip().splitlines()[-1][:120]}"
        return f"it took {self.megabytes} MB" if self.megabytes > 600 else ""


class Checkout:
    """One version of the product, with its own `.venv`, in an own corner of the machine."""

    def __init__(self, root: Path, corner: Path) -> None:
        self.root, self.corner = root, corner
        self.python = root / ".venv" / "bin" / "python"
        self.state = corner / "state"
        page, sockets, rooms = _free_ports(3)
        self.page, self.sockets, self.rooms = page, sockets, rooms
        self.settings = {
            "TABLESIDE_STATE_DIR": str(self.state),
            "TABLESIDE_CONFIG_DIR": str(corner / "config"),
            "TABLESIDE_TABLE_ID": "table",
            "TABLESIDE_WEB_PORT": str(page),
            "TABLESIDE_WEB_HOST": HERE,
            "TABLESIDE_WEB_ADDRESS": HERE,
            "TABLESIDE_WEB_MDNS": "false",
            "TABLESIDE_BROKER_PORT": str(rooms),
            "TABLESIDE_BROKER_WEBSOCKET_PORT": str(sockets),
            "TABLESIDE_BROKER_WEBSOCKET_HOST": HERE,
            "TABLESIDE_DISPLAY_DRIVER": "dummy",
            "TABLESIDE_PRINT_JOIN": "",
        }
        for folder in (self.state, corner / "config", corner / "here"):
            folder.mkdir(parents=True, exist_ok=True)

    def environment(self, **more: str) -> dict[str, str]:
        """What its processes find around them."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("TABLESIDE_", "PYTHON"))}
        return {k: v for k, v in (kept | self.settings | more).items() if v != "(not set)"}

    def command(self, *words: str, patience: float = 30.0, **more: str) -> Ended:
        """`tableside WORDS`, from a folder of its own."""
        return self.start_python("companion.cli", *words, patience=patience, **more)

    def start_python(self, *module: str, patience: float = 30.0, said_to: str = "", **more: str) -> Ended:
        """`python -m MODULE...`, until it ends or has to be stopped; how much memory it took at most."""
        began, most = time.monotonic(), 0
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(
                [str(self.python), "-P", "-m", *module],
                env=self.environment(**more),
                cwd=self.corner / "here",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
            while process.poll() is None and time.monotonic() < began + patience:
                most = max(most, resident(process.pid))
                if most > 2500:
                    break
                time.sleep(0.02)
            code = process.poll()
            if code is None:
                process.kill()
                process.wait()
            log.seek(0)
            said = log.read().decode(errors="replace")
        return Ended(code, said, time.monotonic() - began, most)

    def script(self, source: str, patience: float = 60.0) -> str:
        """What a few lines of Python print when they run inside this version."""
        done = subprocess.run(
            [str(self.python), "-c", source],
            env=self.environment(),
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=patience,
            check=False,
        )
        return (done.stdout + done.stderr).strip()

    def password(self, room: str) -> str:
        """As this version keeps it."""
        kept = self.state / "secrets" / room
        if kept.exists():
            return kept.read_text().strip()
        return str(json.loads((self.state / "secrets.json").read_text())[room])

    @contextmanager
    def table(self, **more: str) -> Iterator[Table]:
        """`tableside run` with the core alone."""
        table = Table(self, more)
        try:
            table.wait()
            yield table
        finally:
            table.end()


class Line:
    """A client of the broker that remembers what it heard."""

    def __init__(self, port: int, user: str, password: str, base: str, name: str, *, web: bool) -> None:
        self.base, self.name = base, name
        self.heard: list[tuple[str, Any]] = []
        self.entered: list[Any] = []
        transport: Any = "websockets" if web else "tcp"
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, transport=transport)
        self.client.max_queued_messages_set(0)
        self.client.max_inflight_messages_set(0)  # as many at once as there are
        self.client.username_pw_set(user, password)
        self.client.on_connect = self._in
        self.client.on_message = self._hear
        self.topics: list[str] = []
        self.client.connect_async(HERE, port)
        self.client.loop_start()
        self._numbers = itertools.count(time.monotonic_ns() % 10**9)

    def _in(self, client: Any, userdata: Any, flags: Any, code: Any, properties: Any) -> None:
        self.entered.append(code)
        for topic in self.topics:
            self.client.subscribe(self.base + topic, 1)

    def _hear(self, client: Any, userdata: Any, message: mqtt.MQTTMessage) -> None:
        with suppress(ValueError):
            self.heard.append((message.topic.removeprefix(self.base), json.loads(message.payload or b"null")))

    def listen(self, *topics: str) -> Line:
        """To these from now on, after a reconnection too."""
        self.topics += topics
        if self.client.is_connected():
            for topic in topics:
                self.client.subscribe(self.base + topic, 1)
        return self

    def say(self, topic: str, message: Any) -> None:
        """In this table's name for it."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.client.publish(self.base + topic, body, 1)

    def last(self, topic: str) -> Any:
        """The newest of what was heard there."""
        return next((body for at, body in reversed(self.heard) if at == topic), None)

    def ask(self, topic: str, patience: float = 10.0, **message: Any) -> dict[str, Any] | None:
        """A request and its answer; `None` when there is none."""
        name = f"{self.name}-{next(self._numbers)}"
        self.say(topic, {"v": 1, "id": name, **message})
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for at, body in reversed(self.heard):
                if at.startswith("answer/") and isinstance(body, dict) and body.get("id") == name:
                    return dict(body)
            time.sleep(0.01)
        return None

    def move(self, move: Any, patience: float = 10.0, **more: Any) -> dict[str, Any] | None:
        """A move, answering the newest prompt."""
        stands = self.last("state") or {}
        more.setdefault("seq", stands.get("seq"))
        return self.ask(f"move/{self.name}", patience, move=move, **more)

    def leave(self) -> None:
        """Hang up."""
        self.client.disconnect()
        with suppress(AttributeError):  # paho looks at its thread twice, and it may have ended in between
            self.client.loop_stop()


class Table:
    """A running table, seen by its host."""

    def __init__(self, checkout: Checkout, more: dict[str, str]) -> None:
        self.checkout = checkout
        self.log = checkout.corner / "run.log"
        self.lines: list[Line] = []
        words = ("run", "--without", "vision,display,firmware_bridge")
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [str(checkout.python), "-P", "-m", "companion.cli", *words],
                env=checkout.environment(**more),
                cwd=checkout.corner / "here",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.host: Line

    def wait(self) -> None:
        """Until somebody can play."""
        self.until(lambda: _listens(self.checkout.rooms) and _listens(self.checkout.page), "a table that listens")
        password = self.checkout.password("host")
        kept_apart = (self.checkout.state / "secrets").is_dir()
        name = "room:table-host" if kept_apart else "table-host"  # how a room is known to its version
        self.host = Line(self.checkout.rooms, "table-host", password, "tableside/table/", name, web=False)
        self.host.name = "host"
        self.lines.append(self.host)
        self.host.listen("state", "prompt", "join", "answer/host")
        self.until(lambda: self.host.last("join") and self.host.last("state"), "a core that speaks")

    def until(self, done: Callable[[], Any], what: str, seconds: float = SOON) -> Any:
        """Wait for a fact."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = done()
            if found:
                return found
            time.sleep(0.05)
        raise TimeoutError(f"{what}; the table said: {self.log.read_text(errors='replace')[-600:]}")

    @property
    def pids(self) -> dict[str, int]:
        """Its processes by room."""
        return {
            name: pid for name, pid in children(self.process.pid).items() if name in ("companion", "broker", "gate")
        }

    @property
    def megabytes(self) -> int:
        """All of them together."""
        return sum(resident(pid) for pid in self.pids.values())

    def order(self, command: str, patience: float = 10.0, **args: Any) -> dict[str, Any] | None:
        """Something only the table's own screen may ask for."""
        return self.host.ask("admin", patience, client="host", command=command, args=args)

    def begin(self, game: str, players: int = 2, **options: Any) -> None:
        """A new game."""
        seats = [{"name": name} for name in ("Ada", "Ben", "Cy", "Di")[:players]]
        answer = self.order("new game", game=game, seats=seats, options=options)
        if not answer or not answer["ok"]:
            raise TimeoutError(f"no game: {answer}")
        self.until(lambda: self.host.last("state").get("game") == game, "the game")

    def join(self, seat: int | None, name: str = "") -> dict[str, Any]:
        """A phone comes in with the code on the screen."""
        code = self.host.last("join")["code"]
        status, me, cookie = self.post("/join", {"code": code, "seat": seat, "name": name, "language": "en"})
        if status != http.HTTPStatus.OK:
            raise TimeoutError(f"not let in: {status} {me}")
        if seat is not None:
            self.until(lambda: self.host.last("join")["code"] != code, "the next code")
        return dict(me) | {"cookie": cookie}

    def phone(self, me: dict[str, Any]) -> Line:
        """Its line."""
        line = Line(self.checkout.sockets, me["user"], me["password"], me["base"], me["client"], web=True)
        private = (f"seat/{me['seat']}/private",) if me["seat"] is not None else ()
        line.listen("state", "prompt", f"answer/{me['client']}", *private)
        self.lines.append(line)
        self.until(lambda: line.last("state"), "a phone that hears")
        return line

    def seated(self, seat: int | None) -> Line:
        """A phone at a seat, its line open."""
        return self.phone(self.join(seat))

    def post(self, path: str, body: Any, cookie: str = "", patience: float = 15.0) -> tuple[int, Any, str]:
        """Status, answer and the cookie's half of a key."""
        head = {"Cookie": f"tableside-table={cookie}"} if cookie else {}
        request = urllib.request.Request(f"http://{HERE}:{self.checkout.page}{path}", json.dumps(body).encode(), head)
        try:
            with urllib.request.urlopen(request, timeout=patience) as answer:
                given = str(answer.headers.get("Set-Cookie") or "").partition(";")[0].partition("=")[2]
                return answer.status, json.loads(answer.read()), given
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode(errors="replace"), ""

    def works(self, patience: float = 5.0) -> bool:
        """The host's next word is answered."""
        return (
            self.host.ask("admin", patience, client="host", command="box list", args={"game": "skytopia"}) is not None
        )

    def end(self) -> None:
        """Everybody goes home."""
        for line in self.lines:
            line.leave()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def kill(self) -> None:
        """The power goes."""
        for line in self.lines:
            line.leave()
        pids = [self.process.pid, *children(self.process.pid).values()]
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()


def children(parent: int) -> dict[str, int]:
    """Rooms of a supervisor."""
    found: dict[str, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        with suppress(OSError, IndexError, ValueError):
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                words = (entry / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
                name = "broker" if b"mosquitto" in words[0] else words[-1].decode().rpartition(".")[2]
                found[name] = int(entry.name)
    return found


def resident(pid: int) -> int:
    """Megabytes of a process that are in memory."""
    with suppress(OSError, IndexError, ValueError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 // 1_000_000
    return 0


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection((HERE, port), 1):
        return True
    return False


def _free_ports(count: int) -> list[int]:
    held = [socket.create_server((HERE, 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in held]
    for one in held:
        one.close()
    return ports
