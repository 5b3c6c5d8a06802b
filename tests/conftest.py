"""What many tests stand on: free ports, a real broker, a running table, clients that behave and clients that do not."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from benches.stand import processes
from companion.machine.supervisor import BACKOFF
from companion.phone import build
from companion.virtual.own_table import OwnTable, apart, end
from companion.virtual.ports import some_ports
from companion.wire.bus import MqttBus
from companion.wire.config import Config
from companion.wire.messages import Admin, Answer, MoveRequest, State
from companion.wire.secrets import room_passwords, user_of
from tests import daily
from tests.begun import import_share, kept_for_good
from tests.chromium import CHROMIUM, shielded
from tests.reached import Reached

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
DEALT = Path(__file__).resolve().parent / "dealt"
"""On the path of processes that tests start: cards are dealt alike in every run."""

# what is started here must hear Ctrl-C and a closed terminal, also when this run itself does not (nohup, a background job)
for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

# the same examples in every run, on a busy machine too; `scripts/fuzz.py` is where chance looks for what nobody thought of
settings.register_profile("alike", derandomize=True, deadline=None)
settings.load_profile("alike")
# Hypothesis also tries numbers it finds in whichever of our modules are imported: in another order of the tests, other examples
providers._get_local_constants = lambda: providers._local_constants  # type: ignore[assignment]

PATIENCE = 90.0
"""Seconds after which something will not come any more. A busy machine is late, not wrong: whatever a test waits for has at least
this long, which costs nothing when all is well."""
ALONE = int(os.environ.get("TABLESIDE_KILLS", "0")) >= 100
"""`make soak` has the machine to itself: promises in seconds are held against a clock there, and only there."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hardware", action="store_true", help="also run on real pins and boards")
    parser.addoption("--reached", metavar="FOLDER", help="count which branches cheap tests reach")


def pytest_configure(config: pytest.Config) -> None:
    with kept_for_good():
        import_share(config, ROOT / "tests")
    if config.option.reached:
        config.pluginmanager.register(Reached(Path(config.option.reached).resolve()))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    with kept_for_good():
        return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what belongs to the daily round, and deal out what there is to the workers."""
    for item in items:
        for mark in daily.marks(item):
            item.add_marker(mark)
    counted = daily.first_cases(items)
    for item in counted:
        item.add_marker("counted")
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = dealt_out(items, workers, counted if config.option.reached else [])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[Any]:
    with daily.held_short(item.nodeid) if item.config.option.markexpr == "quick" else nullcontext():
        return (yield)


def seconds(item: pytest.Item) -> float:
    """How long a test takes that is marked as long, on two quiet cores."""
    mark = item.get_closest_marker("long")
    return float(mark.args[0]) if mark is not None and mark.args else 0.0


def dealt_out(items: list[pytest.Item], workers: int, first: Sequence[pytest.Item] = ()) -> list[pytest.Item]:
    """Each worker is given as many tests as the others, in this order, and begins with its share of the long ones: what is left
    for the end, and taken from one another, is short. `first` come before those: what is counted must not find done already what
    is done once in a process."""
    known = {id(item) for item in first}
    rest = [item for item in items if id(item) not in known]
    shares: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for item in sorted(filter(seconds, rest), key=seconds, reverse=True):
        min(shares, key=lambda share: sum(map(seconds, share))).append(item)
    early, others = list(first), [item for item in rest if not seconds(item)]
    ordered: list[pytest.Item] = []
    for left, share in zip(range(workers, 0, -1), shares, strict=True):
        share[:0] = early[: -(-len(early) // left)]
        del early[: -(-len(early) // left)]
        short = max(0, (len(items) - len(ordered)) // left - len(share))
        ordered += share + others[:short]
        del others[:short]
    return ordered + others


def until(condition: Callable[[], Any], seconds: float = PATIENCE, what: str = "") -> Any:
    """Wait for something to become true."""
    seconds = max(seconds, PATIENCE)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {what or condition}")


@pytest.fixture(autouse=True)
def dealt_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which cards somebody is dealt must not decide whether a test passes."""
    chance = random.Random(7)
    monkeypatch.setattr("secrets.SystemRandom", lambda: chance)


@pytest.fixture
def blank_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only places and words count here, not how they look."""
    from display.paint.sprite import drawing

    monkeypatch.setitem(drawing, "on", False)


class Place(OwnTable):
    """A table of its own in a test's folder; cards are dealt alike in every run."""

    def __init__(self, root: Path, ports: Mapping[str, str]) -> None:
        self.root = root
        super().__init__(
            apart(root)
            | ports
            | {
                "PYTHONPATH": os.pathsep.join(filter(None, (str(DEALT), os.environ.get("PYTHONPATH")))),
                "TABLESIDE_STATE_DIR": str(root / "state"),
                "TABLESIDE_TABLE_ID": "table",
            }
        )

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """`python -m ARGUMENTS` here, until it ends."""
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            env=self.full_environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )


class Client:
    """A room's or phone's connection that remembers what it heard."""

    def __init__(self, config: Config, user: str, password: str, **more: Any) -> None:
        self.bus = MqttBus(table=config.table.id, user=user, password=password, port=config.broker.port, **more)
        self.heard: list[tuple[str, Any]] = []
        self.name = user
        self.numbers = iter(range(1, 1_000_000))

    @classmethod
    def room(cls, config: Config, room: str) -> Client:
        passwords = room_passwords(config.state_dir)
        client = cls(config, user_of(config.table.id, room), passwords[room], controls=room == "companion")
        client.name = room
        return client

    def listen(self, *patterns: str) -> Client:
        for pattern in patterns:
            self.bus.subscribe(pattern, lambda topic, message: self.heard.append((topic, message)))
        return self

    def start(self) -> Client:
        self.bus.start()
        self.until(lambda: self.bus.connected, what="connection")
        return self

    def until(self, condition: Callable[[], Any], seconds: float = PATIENCE, what: str = "") -> Any:
        seconds = max(seconds, PATIENCE)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.bus.pump(0.02)
            found = condition()
            if found:
                return found
        raise AssertionError(f"{self.name}: not within {seconds} s: {what or condition}")

    def last(self, kind: type[Any]) -> Any:
        return next((message for _, message in reversed(self.heard) if isinstance(message, kind)), None)

    def answer(self, request: str, seconds: float = PATIENCE) -> Answer:
        def found() -> Answer | None:
            return next((m for _, m in self.heard if isinstance(m, Answer) and m.id == request), None)

        return self.until(found, seconds, f"answer to {request}")

    def ask(self, topic: str, message: Any, seconds: float = PATIENCE) -> Answer:
        self.bus.publish(topic, message)
        return self.answer(message.id, seconds)

    def move(self, move: dict[str, Any], **more: Any) -> Answer:
        name = f"{self.name}-{next(self.numbers)}"
        return self.ask(f"move/{self.name}", MoveRequest(id=name, move=move, **more))

    def insist(self, name: str, move: dict[str, Any], seconds: float = PATIENCE, **more: Any) -> int:
        """Send a move until it is acknowledged, as a phone does: the same request, again and again."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.bus.publish(f"move/{self.name}", MoveRequest(id=name, move=move, **more))
            wait = time.monotonic() + 0.5
            while time.monotonic() < wait:
                self.bus.pump(0.05)
                if any(isinstance(m, Answer) and m.id == name and m.ok for _, m in self.heard):
                    return 1
        said = [message for _, message in self.heard if isinstance(message, Answer) and message.id == name]
        raise AssertionError(f"{name} was never acknowledged: {said[-1:]}, connected: {self.bus.connected}")

    def new_game(self, game: str, names: tuple[str, ...] = ("Ada", "Ben"), **options: Any) -> Answer:
        self.until(lambda: self.last(State), what="a core that listens")
        args = {"game": game, "seats": [{"name": name} for name in names], "options": options}
        request = Admin(id=f"new-{time.monotonic_ns()}", client=self.name, command="new game", args=args)
        answer = self.ask("admin", request)
        assert answer.ok, answer
        self.until(lambda: self.last(State) and self.last(State).game == game)
        return answer


class Run:
    """A supervised table in processes of its own."""

    def __init__(self, place: Place, *arguments: str) -> None:
        self.place, self.arguments = place, arguments
        self.log = place.root / "run.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.clients: list[Client] = []

    def start(self) -> Run:
        with self.log.open("ab") as log:
            began = log.tell()  # what a table before this one wrote says nothing about this one
            self.process = self.place.start("companion.cli", "run", *self.arguments, log=log)
        try:
            until(lambda: all(f"{one} is ready".encode() in self.said(began) for one in ("companion", "gate")))
        except AssertionError as late:
            self.process.kill()  # a table that came too late must not outlive its test
            raise AssertionError(f"the table is not ready: {self.log.read_text()}") from late
        return self

    def said(self, since: int = 0) -> bytes:
        """The log, from one place on."""
        return self.log.read_bytes()[since:]

    def begun_again(self, room: str) -> int:
        """How often a room was started again, each time as soon as the supervisor promises."""
        ended = re.findall(rf"{room} ended \(.*?\); starting it again in ([\d.]+) s", self.said().decode())
        for number, delay in enumerate(map(float, ended), 1):
            assert delay <= BACKOFF[min(number, len(BACKOFF) - 1)], f"{room}, time {number}: {ended}"
        return len(ended)

    def client(self, room: str = "display") -> Client:
        client = Client.room(self.place.config(), room)
        client.listen("state", "join", "event/+", f"answer/{room}").start()
        self.clients.append(client)
        return client

    def children(self) -> dict[str, int]:
        """Process ids by room, asked of the kernel."""
        assert self.process is not None
        return processes(self.process.pid)

    def stop(self) -> int:
        for client in self.clients:
            client.bus.stop()
        if self.process is None or self.process.poll() is not None:
            return 0 if self.process is None else self.process.returncode
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


@pytest.fixture
def ports() -> Iterator[Mapping[str, str]]:
    """Ports that are this test's alone until it ends, as settings."""
    with some_ports() as found:
        yield found


@pytest.fixture
def place(tmp_path: Path, ports: Mapping[str, str]) -> Place:
    """A folder and ports that are this test's alone until it ends."""
    return Place(tmp_path, ports)


@pytest.fixture
def broker(place: Place) -> Iterator[Config]:
    """A real Mosquitto with this table's access rules."""
    process = place.start_broker()
    yield place.config()
    end(process)


@contextmanager
def core_alone(place: Place) -> Iterator[Run]:
    """`tableside run` without the other rooms."""
    run = Run(place, "--without", "vision,display,firmware_bridge").start()
    try:
        yield run
    finally:
        run.stop()


@pytest.fixture
def table(place: Place) -> Iterator[Run]:
    """`tableside run` with the core alone."""
    with core_alone(place) as run:
        yield run


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The same for all tests of a file that leave a table as they found it."""
    with some_ports() as found, core_alone(Place(tmp_path_factory.mktemp("standing"), found)) as run:
        yield run


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium a worker, for every page of every test: a second Playwright in one process is refused."""
    from playwright.sync_api import sync_playwright

    build.build()  # the pages fit their sources
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=shielded(tmp_path_factory.mktemp("browser")), args=CHROMIUM)
        yield chromium
        chromium.close()


@pytest.fixture(autouse=True)
def pages_are_closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """No page a test has left open goes on calling a table that is gone; and tests without pages do not find themselves inside
    the loop that Playwright keeps running in this thread."""
    if "browser" in request.fixturenames:
        shared = list(request.getfixturevalue("browser").contexts)  # phones that stay from one test to the next
        yield
        for context in request.getfixturevalue("browser").contexts:
            if context not in shared:
                context.close()
        return
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


def post(config: Config, path: str, body: Any) -> tuple[int, Any]:
    """POST to the page's server."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{config.web.port}{path}", data)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read() or b"null")
