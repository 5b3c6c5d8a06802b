"""What a flood does to a table while it goes on: to a seated phone's moves, to a phone that comes, to memory; and afterwards.

`python scripts/soak/floods.py [NAME...] [--seconds 30] [--report FILE] [--again]`      no name: all of them

A real broker and the real core on loopback. One phone holds a seat and moves ten times a second; every second or so another
one opens the page, sits down and stands up again, from the very address the flood comes from. Must hold: moves p99 at most
250 ms, a new phone in within 5 s, broker and core at most 100 MB above rest; afterwards the lines are gone and all is as before.
"""

from __future__ import annotations

import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import flood_kinds as kinds
import flood_report
from seated_phone import SeatedPhone
from upkeep import need_of

from benches.figures import percentile
from benches.phones import LiveTable
from companion.core.session import Session
from companion.journal.store import Journal
from companion.wire.messages import SeatInfo

ROOT = Path(__file__).resolve().parents[2]
MOVE_EVERY, COME_EVERY = 0.1, 1.0
SETTLED, LONGEST = 20.0, 60.0
"""Seconds within which everything is as before; seconds a flood goes on at most until somebody got in, however short it was
meant to be."""


class RefusedError(Exception):
    """The table said no."""


AGAIN = (OSError, http.client.HTTPException, RefusedError)


class Kind(NamedTuple):
    """One flood, and the table it comes over."""

    flood: kinds.Flood
    size: int
    games: int = 0
    """Finished games in the journal."""
    tls: bool = False


FLOODS = {
    "keepalive-128": Kind(kinds.keepalive, 128),
    "keepalive": Kind(kinds.keepalive, 512),
    "slow-head-200": Kind(kinds.slow_head, 200),
    "slow-head": Kind(kinds.slow_head, 600),
    "slow-body-200": Kind(kinds.slow_body, 200),
    "slow-body": Kind(kinds.slow_body, 600),
    "tls-silent": Kind(kinds.silent, 300, tls=True),
    "past": Kind(kinds.past, 10, games=3000),
    "joins": Kind(kinds.joins, 8),
    "guesses": Kind(kinds.guesses, 400),
}


class Newcomers(threading.Thread):
    """One phone after the other: the page, its words, the table, a seat; then it stands up again."""

    def __init__(self, target: kinds.Target, shared: kinds.Shared) -> None:
        super().__init__(name="newcomers", daemon=True)
        self.target, self.shared = target, shared
        self.times: list[float] = []
        """Seconds from the scan to the seat."""
        self.turned_away: list[str] = []

    def run(self) -> None:
        """Until the flood is over."""
        while not self.shared.stop.is_set():
            self.come()
            self.shared.stop.wait(COME_EVERY)

    def come(self, patience: float = 60.0) -> bool:
        """One of them; what is refused for a moment is tried again, as people do."""
        start, why = time.monotonic(), ""
        while time.monotonic() < start + patience:
            try:
                me, cookie = self._sit()
                break
            except AGAIN as wrong:
                why = f"{type(wrong).__name__} {wrong}"
                time.sleep(0.2)
        else:
            self.turned_away.append(why)
            return False
        self.times.append(time.monotonic() - start)
        while True:
            try:
                self._ask("POST", "/leave", {"token": me["token"]}, cookie)
                return True
            except AGAIN:
                time.sleep(0.2)

    def _sit(self) -> tuple[dict[str, Any], str]:
        code = self.shared.code
        for path in ("/", "/page.js", "/page.css", "/words/en.json"):
            self._ask("GET", path)
        self._ask("POST", "/table.json", {"code": code})
        return self._ask("POST", "/join", {"code": code, "seat": 1, "name": "Zoë", "language": "en"})

    def _ask(self, method: str, path: str, body: Any = None, cookie: str = "") -> tuple[Any, str]:
        line = kinds._line(self.target, kinds.HERE)
        try:
            head = {"Cookie": f"{self.target.cookie}={cookie}"} if cookie else {}
            line.request(method, path, None if body is None else json.dumps(body), head)
            answer = line.getresponse()
            said = answer.read()
            if answer.status != http.HTTPStatus.OK:
                raise RefusedError(f"{path} {answer.status} {said[:80]!r}")
            given = str(answer.headers.get("Set-Cookie") or "").partition(";")[0].partition("=")[2]
            return (json.loads(said) if method == "POST" else None), given
        finally:
            line.close()


class Stand:
    """A table with a seated phone, ready to be flooded."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
        self.player = SeatedPhone(table.seat(0), table.config.broker.websocket_port)
        _until(self.player.ready.is_set, "the seated phone")
        self.cookie = f"tableside-{table.config.table.id}"

    def target(self) -> kinds.Target:
        """The table, and the key of somebody who watches."""
        self.table.settle()  # whoever was let in a moment ago has changed the code: it is heard first
        config, shared = self.table.config, kinds.Shared()
        shared.code = self.table.code
        target = kinds.Target(config.web.port, config.broker.websocket_port, config.web.tls, self.cookie)
        wish = {"code": self.table.code, "seat": None, "name": "", "language": "en"}
        me, cookie = Newcomers(target, shared)._ask("POST", "/join", wish)
        return target._replace(key=(me["token"], cookie))

    def needs(self) -> dict[str, tuple[float, int]]:
        """Megabytes and handles, by process."""
        found = {name: need_of(pid) for name, pid in self.table.processes.items()}
        return {name: (need.own / 1000, need.handles) for name, need in found.items() if need is not None}


def flooded(stand: Stand, kind: Kind, seconds: float) -> dict[str, Any]:
    """One flood, while it goes on and afterwards; what is wrong stands under `wrong`."""
    target, shared, player = stand.target(), kinds.Shared(), stand.player
    player.times, player.unanswered = [], 0
    shared.code = stand.table.code
    rest, most = stand.needs(), 0.0
    guests = Newcomers(target, shared)
    flood = kinds.CONTEXT.Process(target=kind.flood, args=(target, shared, kind.size), daemon=True)
    flood.start()
    began, looked = time.monotonic(), 0.0
    try:
        _until(lambda: shared.done + shared.refused > 0, "the flood")
        guests.start()
        while (spent := time.monotonic() - began) < seconds or (not guests.times and spent < LONGEST):
            due = time.monotonic() + MOVE_EVERY
            player.move()
            shared.code = stand.table.code
            if time.monotonic() > looked + 0.5:
                looked = time.monotonic()
                most = max(most, _more(stand.needs(), rest))
            time.sleep(max(0.0, due - time.monotonic()))
    finally:
        shared.stop.set()
        flood.join(15)
        if flood.is_alive():
            flood.terminate()
    came = len(guests.times)
    guests.join(40)
    during = {
        "moves": len(player.times),
        "unanswered": player.unanswered,
        "move_median_ms": round(statistics.median(player.times or [0.0]), 1),
        "move_p99_ms": round(percentile(player.times, 0.99), 1) if player.times else None,
        "newcomers": came,
        "newcomer_worst_s": round(max(guests.times, default=0.0), 2),
        "turned_away": guests.turned_away,
        "memory_mb_above_rest": round(most, 1),
        "flood": {"size": kind.size, "done": shared.done, "refused": shared.refused},
    }
    after = _afterwards(stand, guests, rest)
    return during | {"afterwards": after, "wrong": flood_report.wrong(during, after)}


def _until(done: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + LONGEST
    while not done():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not begin")
        time.sleep(0.05)


def _more(needs: dict[str, tuple[float, int]], rest: dict[str, tuple[float, int]]) -> float:
    return sum(memory for memory, _ in needs.values()) - sum(memory for memory, _ in rest.values())


def _afterwards(stand: Stand, guests: Newcomers, rest: dict[str, tuple[float, int]]) -> dict[str, Any]:
    """Until the lines are gone; then somebody comes and somebody moves, as before."""
    end = time.monotonic() + SETTLED
    while (needs := stand.needs()) and time.monotonic() < end:
        if all(handles <= rest[name][1] + 2 for name, (_, handles) in needs.items()):
            break
        time.sleep(0.2)
    guests.shared.code = stand.table.code
    before = len(stand.player.times)
    stand.player.move()
    return {
        "handles": {name: handles - rest[name][1] for name, (_, handles) in needs.items()},
        "memory_mb_above_rest": round(_more(needs, rest), 1),
        "moves": len(stand.player.times) > before,
        "comes_in": guests.come(),
    }


# the table ---------------------------------------------------------------------------------------------------------


@contextmanager
def stand_for(games: int = 0, *, tls: bool = False) -> Iterator[Stand]:
    """A table with that many finished games in its journal."""
    with tempfile.TemporaryDirectory(prefix="tableside-flood-") as folder:
        table = LiveTable("flood", **(_certificate(Path(folder)) if tls else {}))
        _played(table.config.state_dir / "games", games)
        with table:
            stand = Stand(table)
            yield stand
            stand.player.leave()


def _certificate(folder: Path) -> dict[str, str]:
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=flood"]
    made += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(made, check=True, capture_output=True)
    files = {"TABLESIDE_BROKER_CERT_FILE": "cert.pem", "TABLESIDE_BROKER_KEY_FILE": "key.pem"}
    return {"TABLESIDE_WEB_TLS": "true", **{name: str(folder / file) for name, file in files.items()}}


def _played(directory: Path, games: int) -> None:
    """Finished games of the score pad, as the table would have written them."""
    journal = Journal(directory)
    seats = tuple(SeatInfo(seat=at, name=name) for at, name in enumerate(("Ada", "Bo", "Cy", "Di")))
    with journal.unsynced():
        for number in range(games):
            session = Session.start(journal, "scorepad", {"rounds": 1}, {}, seats)
            row = {"kind": "score", "values": {f"p{at}": (7 * number + at) % 60 for at in range(4)}}
            session.play(row, sender="display", cause="touch")
            session.play({"kind": "end"}, sender="display", cause="touch")
            session.end(sender="display")
    journal.close()


def _one(name: str, seconds: float) -> dict[str, Any]:
    """On a table of its own."""
    kind = FLOODS[name]
    with stand_for(kind.games, tls=kind.tls) as stand:
        return flooded(stand, kind, seconds)


if __name__ == "__main__":
    raise SystemExit(flood_report.main(__doc__, FLOODS, ROOT / "out" / "soak" / "floods.json", _one))
