"""What a flood of the phones' gate does to a table while it goes on: to a seated phone's moves, to a phone that comes, to memory.

`python scripts/soak/broker_floods.py [NAME...] [--seconds 30] [--report FILE] [--again]`      no name: all of them

A real `tableside run` (broker, gate, core) on loopback. One phone holds a seat and moves ten times a second; every second or
so another one sits down, hears the state over its own socket and stands up again, from the very address the flood comes from.
Must hold: moves p99 at most 250 ms, a new phone in within 5 s, broker, gate and core at most 100 MB above rest, none of them
started again; afterwards the lines are gone and all is as before.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import statistics
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import broker_flood_kinds as kinds
import flood_report
import msgspec
from seated_phone import SeatedPhone
from upkeep import Need, need_of

from benches.figures import percentile
from benches.stand import processes, running
from companion.game import View
from companion.virtual.own_table import own_table
from companion.wire.bus import MqttBus
from companion.wire.config import Config
from companion.wire.messages import Admin, Answer, JoinInfo, State
from companion.wire.room import connection

ROOT = Path(__file__).resolve().parents[2]
MOVE_EVERY, COME_EVERY = 0.1, 1.0
SETTLED = 30.0
"""Seconds within which everything is as before; a phone that takes nothing in has twenty of them."""
HANDLES = 1024
"""The usual limit of a login, and of systemd."""
PLAYER, FLOODER, NEWCOMER = range(3)
"""Who sits where."""


class Kind(NamedTuple):
    """One flood."""

    flood: kinds.Flood
    size: int


FLOODS = {
    "connect-268mb": Kind(kinds.claims, 6),
    "publish-250mb": Kind(kinds.publishes, 2),
    "subscriptions-10000": Kind(kinds.subscriptions, 10_000),
    "idle-2500": Kind(kinds.idle, 2500),
    "moves-100000": Kind(kinds.moves, 100_000),
    "here-20000": Kind(kinds.here, 20_000),
    "watchers-300": Kind(kinds.watchers, 300),
    "sleepers-300": Kind(kinds.sleepers, 300),
}


class Stand:
    """A table in play, with a phone at two of its seats and one that watches."""

    def __init__(self, config: Config, supervisor: int) -> None:
        self.config, self._supervisor = config, supervisor
        self.code = ""
        self.points: list[int] = []
        """Of each seat: a move is one of them."""
        self.seq = 0
        self._answers: list[Answer] = []
        self._host: MqttBus = connection(config, "host")
        self._host.subscribe("join", self._shown)
        self._host.subscribe("state", self._stands)
        self._host.subscribe("answer/host", lambda topic, answer: self._answers.append(answer))
        self._host.start()
        self.until(lambda: self._host.connected and self.code, "the core")
        names = [{"name": name} for name in ("Ada", "Bo", "Cy")]
        order = {"game": "scorepad", "seats": names, "options": {"rounds": 0}}
        self._host.publish("admin", Admin(id="new", client="host", command="new game", args=order))
        self.until(lambda: self._answers and self._answers[-1].ok and self.points, "a game")
        me = self.sit(PLAYER)
        self.player = SeatedPhone(me, config.broker.websocket_port)
        self.until(self.player.ready.is_set, "the seated phone")
        self.target = kinds.Target(config.web.port, config.broker.websocket_port, self.sit(FLOODER), self.sit(None))
        self.pids = self._pids()

    def _shown(self, topic: str, join: Any) -> None:
        if isinstance(join, JoinInfo):
            self.code = join.code

    def _stands(self, topic: str, state: Any) -> None:
        if isinstance(state, State) and state.game:
            self.seq = state.seq
            self.points = [player.points for player in msgspec.json.decode(state.view, type=View).players]

    def _pids(self) -> dict[str, int]:
        found = processes(self._supervisor)
        return {name: found[name] for name in ("broker", "gate", "companion") if name in found}

    def until(self, done: Callable[[], object], what: str, seconds: float = 90.0) -> None:
        """Listen until something holds."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError(what)
            self._host.pump(0.02)

    def tell(self, shared: kinds.Shared) -> None:
        """What the screen shows now."""
        self._host.pump()
        shared.code, shared.seq = self.code, self.seq

    def sit(self, seat: int | None) -> dict[str, Any]:
        """With the code on the screen."""
        code = self.code
        me = ask(self.config, "/join", {"code": code, "seat": seat, "name": "", "language": "en"})
        if seat is not None:
            self.until(lambda: self.code != code, "the next code")
        return me

    def needs(self) -> dict[str, Need]:
        """Memory and handles, by process."""
        found = {name: need_of(pid) for name, pid in self.pids.items()}
        return {name: need for name, need in found.items() if need is not None}

    def whole(self) -> bool:
        """Nobody was started again."""
        return self._pids() == self.pids

    def leave(self) -> None:
        """Go home."""
        self.player.leave()
        self._host.stop()


def ask(config: Config, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Something of the page's server; the cookie's half of a key comes back as `cookie`."""
    head = {"Cookie": f"tableside-{config.table.id}={body.pop('cookie')}"} if "cookie" in body else {}
    request = urllib.request.Request(f"http://127.0.0.1:{config.web.port}{path}", json.dumps(body).encode(), head)
    with urllib.request.urlopen(request, timeout=60) as answer:
        given = str(answer.headers.get("Set-Cookie") or "").partition(";")[0].partition("=")[2]
        return dict(json.loads(answer.read())) | {"cookie": given}


class Newcomers(threading.Thread):
    """One phone after the other: a seat, a socket, the state; then it stands up again."""

    def __init__(self, config: Config, shared: kinds.Shared) -> None:
        super().__init__(name="newcomers", daemon=True)
        self.config, self.shared = config, shared
        self.times: list[float] = []
        """Seconds from the code to the state."""
        self.turned_away: list[str] = []

    def run(self) -> None:
        """Until the flood is over."""
        while not self.shared.stop.is_set():
            self.come()
            self.shared.stop.wait(COME_EVERY)

    def come(self, patience: float = 60.0) -> bool:
        """One of them; a door that is busy is tried again, as people do."""
        start, why = time.monotonic(), ""
        while time.monotonic() < start + patience:
            try:
                wish = {"code": self.shared.code, "seat": NEWCOMER, "name": "", "language": "en"}
                me = ask(self.config, "/join", wish)
            except (urllib.error.URLError, OSError) as wrong:
                why = str(wrong)
                time.sleep(0.2)
                continue
            phone = SeatedPhone(me, self.config.broker.websocket_port)
            came = phone.ready.wait(start + patience - time.monotonic())
            if came:
                self.times.append(time.monotonic() - start)
            else:
                self.turned_away.append("no state")
            phone.leave()
            ask(self.config, "/leave", {"token": me["token"], "cookie": me["cookie"]})
            return came
        self.turned_away.append(why)
        return False


def flooded(stand: Stand, kind: Kind, seconds: float) -> dict[str, Any]:
    """One flood, while it goes on and afterwards; what is wrong stands under `wrong`."""
    player, shared = stand.player, kinds.Shared()
    player.times, player.unanswered = [], 0
    stand.tell(shared)
    rest, most, before = stand.needs(), 0.0, stand.points[FLOODER]
    guests = Newcomers(stand.config, shared)
    flood = multiprocessing.get_context("fork").Process(
        target=kind.flood, args=(stand.target, shared, kind.size), daemon=True
    )
    flood.start()
    try:
        stand.until(lambda: shared.ready.is_set() or stand.tell(shared), "a flood", 120)
        guests.start()
        end, looked = time.monotonic() + seconds, 0.0
        while time.monotonic() < end:
            due = time.monotonic() + MOVE_EVERY
            player.move()
            stand.tell(shared)
            if time.monotonic() > looked + 0.3:
                looked = time.monotonic()
                most = max(most, _more(stand.needs(), rest))
            time.sleep(max(0.0, due - time.monotonic()))
    finally:
        shared.stop.set()
        flood.join(15)
        if flood.is_alive():
            flood.terminate()
    guests.join(30)
    during = {
        "moves": len(player.times),
        "unanswered": player.unanswered,
        "move_median_ms": round(statistics.median(player.times or [0.0]), 1),
        "move_p99_ms": round(percentile(player.times, 0.99), 1) if player.times else None,
        "newcomers": len(guests.times),
        "newcomer_worst_s": round(max(guests.times, default=0.0), 2),
        "turned_away": guests.turned_away,
        "memory_mb_above_rest": round(most, 1),
        "flood": {
            "size": kind.size,
            "lines": shared.done,
            "hung_up": shared.hung_up,
            "moves_taken": stand.points[FLOODER] - before,
        },
    }
    after = _afterwards(stand, guests, rest)
    return during | {"afterwards": after, "wrong": flood_report.wrong(during, after)}


def _more(needs: dict[str, Need], rest: dict[str, Need]) -> float:
    return (sum(need.own for need in needs.values()) - sum(need.own for need in rest.values())) / 1000


def _afterwards(stand: Stand, guests: Newcomers, rest: dict[str, Need]) -> dict[str, Any]:
    """Until the lines are gone; then somebody comes and somebody moves, as before."""
    end = time.monotonic() + SETTLED
    while (needs := stand.needs()) and time.monotonic() < end:
        if all(need.handles <= rest[name].handles + 2 for name, need in needs.items()):
            break
        time.sleep(0.2)
    stand.tell(guests.shared)
    before = len(stand.player.times)
    stand.player.move()
    comes_in = guests.come()
    if comes_in:
        stand.until(lambda: stand.code != guests.shared.code, "the next code")
    return {
        "handles": {name: need.handles - rest[name].handles for name, need in needs.items()},
        "memory_mb_above_rest": round(_more(needs, rest), 1),
        "moves": len(stand.player.times) > before,
        "comes_in": comes_in,
        "nobody_was_started_again": stand.whole(),
    }


@contextmanager
def stand_for(**settings: str) -> Iterator[Stand]:
    """A table of its own, with as many handles as a login gives it; the flood has all there are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (HANDLES, hard))
    with own_table(**settings) as own, running(own, "display", "vision", "firmware_bridge") as table:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
        stand = Stand(own.config(), table.pid)
        try:
            yield stand
        finally:
            stand.leave()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _one(name: str, seconds: float) -> dict[str, Any]:
    """On a table of its own."""
    with stand_for() as stand:
        return flooded(stand, FLOODS[name], seconds)


if __name__ == "__main__":
    raise SystemExit(flood_report.main(__doc__, FLOODS, ROOT / "out" / "soak" / "broker-floods.json", _one))
