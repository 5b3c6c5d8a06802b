"""Eight hours at the table at fifty times speed, with all rooms, 24 phones and 200 people who come and go.

`python scripts/soak/load.py [--hours 8] [--speed 50] [--watchers 221] [--report FILE]`

Bots play whole games of Skytopia, one after the other, with the virtual camera, the virtual dial and the screen; the bots'
phones hold the seats. Everybody else watches over the phones' own WebSocket; every second some leave (half of them without
a word) and others come in through the door; at the end of a game all are shown out. A move stands for 30 seconds of table
time: 960 moves are eight hours. Memory and open files of every room are noted; the last quarter must not need more than
the second.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import selectors
import statistics
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from companion.bench.phones import Phone
from companion.bench.stand import place, processes, running
from companion.config import Config
from companion.registry import pack
from companion.room import connection
from companion.virtual.demo import FAST, chooser
from companion.virtual.play import Demo, Result

ROOT = Path(__file__).resolve().parents[2]
MOVE = 30.0
"""Seconds of table time a move takes people."""
GROWTH = 0.05
SPARE_HANDLES = 2
SETTINGS = FAST | {
    "TABLESIDE_CAMERA_SOURCE": "virtual",
    "TABLESIDE_CAMERA_ROWS": "3",
    "TABLESIDE_DIAL_SOURCE": "virtual",
    "TABLESIDE_DISPLAY_DRIVER": "dummy",
    "TABLESIDE_DISPLAY_WELCOMED": "true",
}


def say(text: str) -> None:
    """Progress for whoever looks at the log."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")


class Players(threading.Thread):
    """Bots that play one game after the other until they are told to stop after the present move."""

    def __init__(self, config: Config, pause: float) -> None:
        super().__init__(name="players", daemon=True)
        self.config, self.pause = config, pause
        self.results: list[Result] = []
        self.demo: Demo | None = None
        self.enough = False

    @property
    def moves(self) -> int:
        """Made so far, in all games."""
        present = self.demo.result.moves if self.demo is not None else 0
        return sum(result.moves for result in self.results) + present

    @property
    def code(self) -> str:
        """What the screen shows to phones at this moment."""
        demo = self.demo
        seated = (
            demo is not None and demo.truth is not None
        )  # while the bots sit down every code is good for one of them
        return demo.join.code if demo is not None and seated and demo.join is not None else ""

    def run(self) -> None:
        """One game after the other."""
        while not self.enough:
            demo = Demo(
                self.config,
                pack("skytopia"),
                lambda user: connection(self.config, user),
                players=3,
                seed=len(self.results) + 1,
                options={},
                choose=chooser("greedy"),
                pause=self.pause,
            )
            self.demo = demo
            result = demo.play()
            self.demo = None
            self.results.append(result)
            say(f"game {len(self.results)}: {result.moves} moves, equal {result.equal} {result.problem}")
            self._end_game()

    def _end_game(self) -> None:
        """As at the screen: everybody leaves their seat before the next game."""
        from companion.messages import Admin

        bus = connection(self.config, "host")
        bus.start()
        answered: list[Any] = []
        bus.subscribe("answer/host", lambda topic, message: answered.append(message))
        end = time.monotonic() + 10
        sent = False
        while not answered and time.monotonic() < end:
            if bus.connected and not sent:
                bus.publish("admin", Admin(id="over", client="host", command="end game"))
                sent = True
            bus.pump(0.05)
        bus.stop()


COUNTS = ("watching", "joined", "left", "refused", "dropped", "deaf")


class Crowd:
    """The watchers, in a process of their own: the measuring stick must not slow down what it measures."""

    def __init__(self, config: Config, wanted: int) -> None:
        self._code = multiprocessing.Array("c", 16)
        self._counts = multiprocessing.Array("i", len(COUNTS))
        self._stop = multiprocessing.Event()
        arguments = (config, wanted, self._code, self._counts, self._stop)
        self._process = multiprocessing.Process(target=_come_and_go, args=arguments, daemon=True)
        self._process.start()

    def show(self, code: str) -> None:
        """The code on the screen; none between two games."""
        self._code.value = code.encode()

    def count(self, what: str) -> int:
        """How many did that so far."""
        return int(self._counts[COUNTS.index(what)])

    def end(self) -> None:
        """Everybody goes home."""
        self._stop.set()
        self._process.join(10)


def _come_and_go(config: Config, wanted: int, code: Any, counts: Any, stop: Any) -> None:
    crowd = Watchers(config, wanted)
    while not stop.is_set():
        crowd.code = code.value.decode()
        crowd.come(max(5, wanted // 40))
        crowd.listen(1.0)
        if len(crowd.here) >= 0.9 * wanted:
            crowd.go(wanted // 40)
        for at, what in enumerate(COUNTS):
            counts[at] = len(crowd.here) if what == "watching" else getattr(crowd, what)


class Watchers:
    """People with phones who come and go."""

    def __init__(self, config: Config, wanted: int) -> None:
        self.config, self.wanted = config, wanted
        self.code = ""
        self.chance = random.Random(1)
        self.here: list[tuple[Phone, float]] = []
        self.heard: dict[int, int] = {}
        self.joined = self.left = self.refused = self.dropped = self.deaf = 0
        self._watch = selectors.DefaultSelector()

    def listen(self, seconds: float) -> None:
        """Take in what arrives."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            for key, _ in self._watch.select(rest):
                try:
                    key.data.read()
                    alive = key.data.line.fileno() >= 0
                except (OSError, ValueError, IndexError):
                    alive = False
                if not alive or self._hung_up(key.data):
                    self._forget(key.data)
                    self.dropped += 1

    @staticmethod
    def _hung_up(phone: Phone) -> bool:
        """The table showed this phone the door (a game ended)."""
        try:
            return phone.line.recv(1, 0x42) == b""  # MSG_PEEK | MSG_DONTWAIT
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _forget(self, phone: Phone) -> None:
        self._watch.unregister(phone.line)
        phone.line.close()
        self.here = [(one, since) for one, since in self.here if one is not phone]
        self.heard.pop(id(phone), None)

    def come(self, count: int) -> None:
        """Some more, as far as there is room for them."""
        for _ in range(min(count, self.wanted - len(self.here))):
            if not self.code:
                return
            session = self._knock(self.code)
            if session is None:
                self.refused += 1
                return  # the code is another by now; guessing on would be slowed down, as it should be
            numbers: list[Phone] = []
            try:
                phone = Phone(session, self.config.broker.websocket_port, lambda seq, n=numbers: self._hears(n))
            except OSError:
                self.refused += 1
                continue
            numbers.append(phone)
            self.here.append((phone, time.monotonic()))
            self.heard[id(phone)] = 0
            self._watch.register(phone.line, selectors.EVENT_READ, phone)
            self.joined += 1

    def _hears(self, phone: list[Phone]) -> None:
        for one in phone:
            self.heard[id(one)] = self.heard.get(id(one), 0) + 1

    def _knock(self, code: str) -> dict[str, Any] | None:
        body = json.dumps({"code": code, "seat": None, "name": "", "language": "pl"}).encode()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.config.web.port}/join", body, timeout=10) as answer:
                return dict(json.loads(answer.read()))
        except (urllib.error.URLError, OSError):
            return None

    def go(self, count: int) -> None:
        """Some leave, half of them without a word."""
        for phone, since in self.chance.sample(self.here, min(count, len(self.here))):
            if time.monotonic() - since > 20 and not self.heard.get(id(phone)):
                self.deaf += 1
            if self.chance.random() < 0.5:
                try:
                    phone.line.sendall(b"\x82\x82\0\0\0\0\xe0\0")
                except OSError:
                    self.dropped += 1
            self._forget(phone)
            self.left += 1


class Figures:
    """What every room needs, noted again and again."""

    def __init__(self, table: subprocess.Popen[bytes]) -> None:
        self.table = table
        self.rooms = processes(table.pid) | {"supervisor": table.pid}
        self.notes: list[dict[str, tuple[int, int]]] = []
        self.restarted: list[str] = []

    def note(self, watching: int) -> None:
        """Memory in kB and open files of each room; the broker's connections to watchers are their business."""
        now: dict[str, tuple[int, int]] = {}
        for room, pid in (processes(self.table.pid) | {"supervisor": self.table.pid}).items():
            if not room:
                continue  # ended, and not yet taken note of by its parent
            if self.rooms.setdefault(room, pid) != pid:
                self.restarted.append(room)
                self.rooms[room] = pid
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
            except OSError:
                continue
            if "VmRSS:" not in status:
                continue  # it has just ended; who is started again is noted next time
            memory = int(status.split("VmRSS:")[1].split()[0])
            now[room] = (memory, files - (watching if room == "broker" else 0))
        self.notes.append(now)

    def judged(self) -> dict[str, dict[str, float]]:
        """The second quarter beside the last one, a room each."""
        count = len(self.notes)
        early, late = self.notes[count // 4 : count // 2], self.notes[3 * count // 4 :]
        found: dict[str, dict[str, float]] = {}
        for room in self.rooms:
            before = [note[room] for note in early if room in note]
            after = [note[room] for note in late if room in note]
            if not before or not after:
                continue
            memory = statistics.median(m for m, _ in before), statistics.median(m for m, _ in after)
            found[room] = {
                "mb_early": round(memory[0] / 1000, 1),
                "mb_late": round(memory[1] / 1000, 1),
                "growth_percent": round(100 * (memory[1] / memory[0] - 1), 2),
                "handles_early": max(f for _, f in before),
                "handles_late": max(f for _, f in after),
            }
        return found


def load(hours: float, speed: float, watchers: int) -> dict[str, Any]:
    """One run; the report says what happened and what was wrong with it."""
    wanted = round(hours * 3600 / MOVE)
    with place(**SETTINGS) as config, running(config) as table:
        began = time.monotonic()
        crowd = Crowd(config, watchers)
        players = Players(config, pause=0.35 * MOVE / speed)
        players.start()
        figures = Figures(table)
        noted = told = began
        while players.moves < wanted and table.poll() is None and players.is_alive():
            time.sleep(0.2)
            crowd.show(players.code)
            now = time.monotonic()
            if now - noted >= 3.0:
                noted = now
                figures.note(crowd.count("watching"))
            if now - told >= 60.0:
                told = now
                here, came = crowd.count("watching"), crowd.count("joined")
                say(f"{players.moves} of {wanted} moves, {here} watch, {came} came, {figures.notes[-1]}")
        wall = time.monotonic() - began
        players.enough = True
        crowd.end()
        log = (config.state_dir / "run.log").read_text(errors="replace")
        finished = [result for result in players.results if not result.problem]
        rooms = figures.judged()
        report = {
            "table_hours": round(players.moves * MOVE / 3600, 2),
            "wall_seconds": round(wall, 1),
            "speed": round(players.moves * MOVE / wall, 1),
            "moves": players.moves,
            "games": len(players.results),
            "games_equal": sum(result.equal for result in finished),
            "joined": crowd.count("joined"),
            "left": crowd.count("left"),
            "dismissed_at_the_end_of_a_game": crowd.count("dropped"),
            "turned_away_by_a_code_just_used": crowd.count("refused"),
            "rooms": rooms,
        }
        report["wrong"] = _wrong(players, crowd, figures, rooms, log)
        return report


def _wrong(players: Players, crowd: Crowd, figures: Figures, rooms: dict[str, dict[str, float]], log: str) -> list[str]:
    """Everything that must not be."""
    wrong = [f"game {result.seed}: {result.problem}" for result in players.results if result.problem]
    wrong += [f"game {result.seed}: the tallies differ" for result in players.results if not result.equal]
    wrong += [f"{room} was started again" for room in figures.restarted]
    wrong += [
        f"{room}: memory grew by {row['growth_percent']} %"
        for room, row in rooms.items()
        if row["growth_percent"] > 100 * GROWTH
    ]
    wrong += [
        f"{room}: {row['handles_early']} handles became {row['handles_late']}"
        for room, row in rooms.items()
        if row["handles_late"] > row["handles_early"] + SPARE_HANDLES
    ]
    if deaf := crowd.count("deaf"):
        wrong.append(f"{deaf} watchers heard nothing for 20 seconds and more")
    if "Traceback" in log:
        wrong.append("a room ended with a traceback: " + log[log.index("Traceback") :][:2000])
    return wrong


def main() -> int:
    """Run, write the report, judge."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--hours", type=float, default=8.0, help="of table time")
    ask.add_argument("--speed", type=float, default=50.0)
    ask.add_argument("--watchers", type=int, default=221, help="phones beside the bots' three")
    ask.add_argument("--report", type=Path, default=ROOT / "out" / "soak" / "load.json")
    asked = ask.parse_args()
    report = load(asked.hours, asked.speed, asked.watchers)
    asked.report.parent.mkdir(parents=True, exist_ok=True)
    asked.report.write_text(json.dumps(report, indent=2) + "\n")
    sys.stdout.write(json.dumps(report, indent=2) + "\n")
    return 1 if report["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
