"""A hall with a thousand tables: how long a score takes to the big screen, and what brokers, hall and PostgreSQL need for it.

Fifty tables are real cores with brokers of their own; the others are Mosquitto's own bridges, a hundred tables in one process,
each with its user, its prefix and its two TLS connections, and five phones that hear each of its states.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from tornado.ioloop import IOLoop
from tornado.websocket import websocket_connect

from benches.figures import Row, percentile, row
from benches.quick_table import QuickTable
from companion.machine.bridge import connections
from companion.machine.broker import prepare
from companion.machine.supervisor import processor_time
from companion.wire.bus import hang_up
from companion.wire.config import Config, HallConfig, TableConfig
from companion.wire.hall import PlayerResult, Result, SeatScore, TableScore
from companion.wire.mosquitto import find_mosquitto
from companion.wire.process import dies_with, hold
from hall.brokers import hashed
from hall.joining import join
from hall.settings import FILE, Settings, load
from hall.supervisor import Supervisor
from hall.terminal import invitation
from hall.virtual import end_all

TABLES, CORES, PHONES, EACH = 1000, 50, 5, 100
MOVES = 330
"""A second: ten times what a thousand tables make."""
SECONDS = 30.0
PATIENCE = 300.0
STATE = json.dumps({"view": "x" * 4000}).encode()
"""As large as a state usually is."""


class CoreTable(QuickTable):
    """A real table; its broker's files are written here, without a process for each."""

    def write_broker_files(self) -> None:
        """The same files."""
        prepare(self.settled())


class Rig:
    """All of it, in one folder."""

    def __init__(self, place: Path, held: ExitStack, tables: int, cores: int) -> None:
        self.place, self.held = place, held
        ports = [held.enter_context(hold()).getsockname()[1] for _ in range(3)]
        folder = place / "hall"
        folder.mkdir()
        text = f'addresses = ["127.0.0.1"]\nhost = "127.0.0.1"\nports = {ports[:2]}\nweb_host = "127.0.0.1"\n'
        (folder / FILE).write_text(f"{text}web_port = {ports[2]}\n")
        self.settings: Settings = load(folder)
        self.supervisor = Supervisor(self.settings, folder)
        self.cores: list[QuickTable] = []
        self.simulated = [f"t-{number}" for number in range(tables - cores)]
        self._real = [f"core-{number}" for number in range(cores)]
        self.lines: list[mqtt.Client] = []
        self.phones = 0
        self.processes: list[subprocess.Popen[bytes]] = []
        self.step_until(self.supervisor.ready, "the hall")

    def step_until(self, done: Any, what: str) -> None:
        """Go on until something holds."""
        last = time.monotonic() + PATIENCE
        while not done():
            self.step()
            if time.monotonic() > last:
                raise TimeoutError(f"not within {PATIENCE:.0f} s: {what}")

    def step(self) -> None:
        """Keep the hall alive, and let the real tables play."""
        self.supervisor.step()
        now = time.monotonic()
        for core in self.cores:
            core.look(now)
        time.sleep(0.005)

    def gather(self) -> None:
        """Everybody is invited and comes."""
        made = {
            name: invitation(self.settings, self.supervisor.folder, name) for name in (*self.simulated, *self._real)
        }
        for name, one in made.items():
            self.supervisor.store.invite(name, hashed(one.key))
        self.supervisor.step()
        first = self.simulated[0]
        config = Config(state_dir=self.place / "pinned", table=TableConfig(id=first))
        join(config, made[first])
        pinned = str(self.place / "pinned" / "hall.pem")
        for start in range(0, len(self.simulated), EACH):
            some = self.simulated[start : start + EACH]
            configs = []
            for name in some:
                hall = HallConfig(name=name, key=made[name].key, addresses=made[name].addresses, certificate=pinned)
                configs.append(Config(state_dir=self.place, table=TableConfig(id=name), hall=hall))
            self._bridges(start // EACH, configs)
        for name in self._real:
            core = CoreTable(name, self.place / name, self.held, pace=2.0)
            core.join(made[name])
            self.cores.append(core)
            sys.stderr.write(f"\rreal tables: {len(self.cores)} of {len(self._real)} ")
            self.step_until(lambda: sum(one.state is None for one in self.cores) < 4, "the real tables")
        sys.stderr.write("\n")

    def _bridges(self, number: int, configs: list[Config]) -> None:
        """One Mosquitto with the bridges of many tables."""
        port = self.held.enter_context(hold()).getsockname()[1]
        text = f"listener {port} 127.0.0.1\nuser {getpass.getuser()}\n"
        text += "allow_anonymous true\nlog_type error\nset_tcp_nodelay true\n"
        for config in configs:
            text += connections(config).replace(" hall-", f" {config.table.id}-")
        path = self.place / f"bridges-{number}.conf"
        path.write_text(text)
        path.chmod(0o600)
        self._start([find_mosquitto()[0], "-c", str(path)])
        line = mqtt.Client(CallbackAPIVersion.VERSION2)
        line.max_inflight_messages_set(2000)
        while line.socket() is None:
            with contextlib.suppress(OSError):
                line.connect("127.0.0.1", port)
            self.step()
        line.loop_start()
        self.lines.append(line)
        names = ",".join(config.table.id for config in configs)
        each = PHONES + (number < 3)  # the real tables' phones are at the first tables here
        self.phones += each * len(configs)
        self._start([sys.executable, "-m", "benches.hall_phones", str(port), names, str(each)])

    def _start(self, command: list[str]) -> None:
        ending = dies_with(os.getpid())
        quiet = subprocess.DEVNULL
        self.processes.append(subprocess.Popen(command, stdout=quiet, stderr=quiet, preexec_fn=ending))  # noqa: PLW1509

    def say(self, number: int, count: int) -> None:
        """A move at one of the simulated tables: its score to the hall, its state to its phones."""
        name, line = self.simulated[number], self.lines[number // EACH]
        seats = tuple(SeatScore(name=who, points=count) for who in ("Ada", "Ben", "Chloé"))
        score = TableScore(
            phase="playing", game="yacht", game_id="g", seq=count, round=count, seats=seats, ts=time.time()
        )
        line.publish(f"tableside/{name}/score", msgspec.json.encode(score), 1, retain=True)
        line.publish(f"tableside/{name}/state", STATE, 0)

    def result(self, number: int) -> None:
        """A game ends there."""
        players = (PlayerResult(seat=0, name="Ada", points=1, won=True),)
        told = Result(game="yacht", game_id="g", seq=1, began=1.0, ended=2.0, players=players)
        self.lines[number // EACH].publish(
            f"tableside/{self.simulated[number]}/result", msgspec.json.encode(told), 1, True
        )

    def end(self) -> None:
        """Everything."""
        for line in self.lines:
            hang_up(line)
        for process in self.processes:
            process.kill()
        end_all(self.cores)
        self.supervisor.end()


class Screen(threading.Thread):
    """Somebody looks at the big screen: the page's own live line."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._url = f"ws://127.0.0.1:{port}/live"
        self.seen: dict[tuple[str, int], float] = {}
        self.tables: set[str] = set()
        self.wrong = ""

    def run(self) -> None:
        """For as long as the bench lives."""
        try:
            IOLoop().run_sync(self._look)
        except OSError as wrong:
            self.wrong = f"the hall's page does not answer: {wrong}"

    async def _look(self) -> None:
        line = await websocket_connect(self._url, max_message_size=20_000_000)
        while (text := await line.read_message()) is not None:
            now = time.monotonic()
            for name, shown in json.loads(text).get("tables", {}).items():
                if shown and shown.get("here"):
                    self.tables.add(name)
                if shown and shown.get("round"):
                    self.seen.setdefault((name, shown["round"]), now)


def rows(tables: int = TABLES, cores: int = CORES, moves: int = MOVES, seconds: float = SECONDS) -> list[Row]:
    """The figures of a whole hall on this machine."""
    with tempfile.TemporaryDirectory(prefix="tableside-bench-hall-") as place, ExitStack() as held:
        Path(place).chmod(0o711)
        rig = Rig(Path(place), held, tables, cores)
        try:
            rig.gather()
            screen = Screen(rig.settings.web_port)
            screen.start()
            rig.step_until(lambda: screen.wrong or len(screen.tables) >= tables, f"{tables} tables on the screen")
            if screen.wrong:
                raise TimeoutError(screen.wrong)
            return _measured(rig, screen, moves, seconds)
        except TimeoutError as wrong:
            sys.stderr.write(f"hall: {wrong}\n")
            return [{"name": "hall", "value": None, "unit": "", "budget": None, "ok": False, "n": 0, "peers": {}}]
        finally:
            rig.end()


def _measured(rig: Rig, screen: Screen, moves: int, seconds: float) -> list[Row]:
    chance, said = random.Random(1), dict[tuple[str, int], float]()
    watched = _watched(rig)
    before = {name: processor_time(pid) for name, pid in watched.items()}
    played = sum(core.moves for core in rig.cores)
    begin, count, ended_games = time.monotonic(), 0, set[str]()
    while (now := time.monotonic()) < begin + seconds:
        while count < (now - begin) * moves:
            number, count = chance.randrange(len(rig.simulated)), count + 1
            said[rig.simulated[number], count] = time.monotonic()
            rig.say(number, count)
            if count % 30 == 0:
                rig.result(number)
                ended_games.add(rig.simulated[number])
        rig.step()
    ended = time.monotonic() + 5
    while time.monotonic() < ended:
        rig.step()
    used = {name: (processor_time(pid) - before[name]) / (seconds + 5) * 100 for name, pid in watched.items()}
    waits, waiting = [], dict[str, list[tuple[int, float]]]()
    for (name, number), at in screen.seen.items():
        waiting.setdefault(name, []).append((number, at))
    for (name, number), at in said.items():  # a move that the next one overtook is on the screen with it
        known = [when for other, when in waiting.get(name, ()) if other >= number]
        waits.append(min(known) - at if known else seconds)
    lost = ended_games - {held.table for held in rig.supervisor.store.results()}
    told = {
        "tables": len(rig.simulated) + len(rig.cores),
        "cores": len(rig.cores),
        "phones": rig.phones,
    }
    told["core_moves"] = sum(core.moves for core in rig.cores) - played
    n = len(waits)
    return [
        row("hall: score to big screen p99", percentile(waits, 0.99), "s", 1.0, n=n, peers=told),
        row("hall: score to big screen p50", percentile(waits, 0.5), "s", None, n=n),
        row("hall: moves a second", n / seconds, "/s", moves * 0.98, n=n, least=True),
        row("hall: results lost", len(lost), "", 0, n=len(ended_games)),
        *(row(f"hall: processor of {name}", share, "%", None, n=1) for name, share in used.items()),
        *(row(f"hall: memory of {name}", _memory(pid), "MB", None, n=1) for name, pid in watched.items()),
    ]


def _watched(rig: Rig) -> dict[str, int]:
    return {child.name: child.process.pid for child in rig.supervisor.children if child.process is not None}


def _memory(pid: int) -> float:
    """Megabytes that are this process's alone or shared in part (PostgreSQL's: of its first process)."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0
