"""Every room in turn is killed, and is stopped in mid-step until its silence is noticed, while a score pad is filled.

In the machine and in the container alike: systemd has to bring the room back, no other room may go with it, the table has to be
playable, and no move that was answered may be missed afterwards.
"""

from __future__ import annotations

import io
import random
import re
import tarfile
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from companion.journal.store import Journal
from companion.wire.config import Config
from companion.wire.messages import Health
from tools.lab.cuts import AT_ONCE, Pad
from tools.lab.guest import SLOW, Guest
from tools.lab.kernel_log import stopped, unexpected
from tools.lab.place import ROOMS, ROOT, LabError
from tools.lab.world import STATE, heard, lent, until

PATIENCE = 180.0
ANSWER = 5.0
"""Seconds after which somebody touches again."""
BUSY = 2.0
"""Seconds of writing before a room is lost in mid-move."""
NEEDED = ("core", "broker")
"""Without these no move is answered; without any other the table goes on."""
DROP_IN = "/run/systemd/system/tableside-{room}.service.d/zz-own.conf"
"""Takes the machine's longer patience away again."""


class Inside(Protocol):
    """A machine or a container."""

    def run(self, command: str, *, check: bool = True) -> str: ...


class Room:
    """One unit, as systemd sees it."""

    def __init__(self, inside: Inside, name: str) -> None:
        self.inside, self.name = inside, name
        self.unit = f"tableside-{name}.service"

    def process(self) -> int:
        """The number of its process; 0: it is not up."""
        said = self.inside.run(f"systemctl show -p ActiveState -p MainPID {self.unit}")
        known = dict(line.split("=", 1) for line in said.splitlines())
        return int(known["MainPID"]) if known["ActiveState"] == "active" else 0

    def send(self, signal: str) -> None:
        """To its own process, as the kernel would."""
        self.inside.run(f"systemctl kill --kill-whom=main -s {signal} {self.unit}")

    def until_new(self, old: int) -> None:
        """Another process of it is up."""
        until(lambda: self.process() not in (0, old), PATIENCE, f"{self.name} started again")


def lost_rooms(guest: Guest) -> dict[str, Any]:
    """On a machine, with the watchdogs as the product has them."""
    with _own_watchdogs(guest), lent(guest) as config:
        found = each(guest, config, ROOMS)
    found["unexpected"] = unexpected(stopped(guest))
    return {**found, "ok": found["ok"] and not found["unexpected"]}


def each(inside: Inside, config: Config, rooms: Iterable[str]) -> dict[str, Any]:
    """One after the other."""
    pad, health = Pad(config, random.Random(1)), dict[str, str]()

    def hear(topic: str, message: Any) -> None:
        if isinstance(message, Health):
            health[message.room] = message.status

    pad.voice.bus.subscribe("health/+", hear)
    pad.begin()
    told: dict[str, Any] = {}
    for name in rooms:
        room, others = Room(inside, name), [one for one in rooms if one != name]
        before = _restarts(inside, others)
        killed, stopped_ = _killed(room, pad), _suspended(room, pad)
        after = _restarts(inside, others)
        told[name] = {
            "killed": killed,
            **stopped_,
            "took along": sorted(one for one in others if before[one] != after[one]),
        }
    heard(pad.voice.bus, lambda: set(health.values()) == {"online"}, PATIENCE, "every room saying that it is well")
    pad.end()
    pad.voice.bus.stop()
    moves, known = journalled(inside, pad.game), pad.acknowledged
    lost, doubled = len(known - set(moves)), len(moves) - len(set(moves))
    good = not (lost or doubled) and all(not one["took along"] and one["meanwhile"] for one in told.values())
    return {"ok": good, "rooms": told, "acknowledged": len(known), "lost": lost, "doubled": doubled}


def _killed(room: Room, pad: Pad) -> float:
    """Seconds until the table is whole again."""
    old = room.process()
    written(pad, BUSY)
    began = time.monotonic()
    room.send("KILL")
    room.until_new(old)
    played(pad)
    return round(time.monotonic() - began, 1)


def _suspended(room: Room, pad: Pad) -> dict[str, Any]:
    """It does not end and does nothing: its watchdog, of the broker the gate, has it started again."""
    old = room.process()
    written(pad, BUSY)
    room.send("STOP")
    began = time.monotonic()
    meanwhile = room.name in NEEDED or played(pad) < ANSWER
    room.until_new(old)
    there = time.monotonic() - began
    played(pad)
    return {"suspended": round(there, 1), "watchdog": watchdog(room.name), "meanwhile": meanwhile}


def written(pad: Pad, seconds: float) -> None:
    """Moves as fast as they are answered, a few of them under way when this returns; those that were lost before are let be."""
    asked, last = list[str](), time.monotonic() + seconds
    while time.monotonic() < last:
        while sum(name not in pad.voice.answers for name in asked) < AT_ONCE:
            asked.append(pad.ask())
        pad.voice.bus.pump(0.01)


def played(pad: Pad) -> float:
    """Seconds until a move is answered with yes; what went into nothing is touched again."""
    began, before = time.monotonic(), len(pad.acknowledged)
    while len(pad.acknowledged) == before:
        if time.monotonic() > began + PATIENCE:
            raise LabError("the table is not playable")
        name, last = pad.ask(), time.monotonic() + ANSWER
        while name not in pad.voice.answers and time.monotonic() < last:
            pad.voice.bus.pump(0.02)
    return time.monotonic() - began


def watchdog(room: str) -> float:
    """Seconds the product's own unit waits for a sign of life; 0: the broker gives none, the gate asks it."""
    found = re.search(r"^WatchdogSec=(\d+)$", (ROOT / f"systemd/tableside-{room}.service").read_text(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def journalled(inside: Inside, game: str) -> list[str]:
    """The requests of all moves that are on the table's disk."""
    fetched = inside.run(f"tar -C {STATE} -c games | base64")
    with tempfile.TemporaryDirectory(prefix="tableside-lab-") as folder:
        with tarfile.open(fileobj=io.BytesIO(b64decode(fetched))) as games:
            games.extractall(folder, filter="data")
        journal = Journal(Path(folder) / "games")
        moves = [row.request for row in journal.rows(game) if row.kind == "move"]
        journal.close()
    return moves


def _restarts(inside: Inside, rooms: list[str]) -> dict[str, int]:
    said = inside.run("; ".join(f"systemctl show -P NRestarts tableside-{room}.service" for room in rooms))
    return dict(zip(rooms, map(int, said.split()), strict=True))


@contextmanager
def _own_watchdogs(guest: Guest) -> Iterator[None]:
    """The machine's units are more patient than the product's: for once they are not."""
    watched = [room for room in ROOMS if watchdog(room)]
    write = "; ".join(
        f"mkdir -p $(dirname {DROP_IN.format(room=room)}); printf '[Service]\\nWatchdogSec={watchdog(room):.0f}\\n' "
        f"> {DROP_IN.format(room=room)}"
        for room in watched
    )
    again = "systemctl daemon-reload; systemctl restart tableside.target"
    guest.run(f"{write}; {again}")
    try:
        _until_up(guest)
        yield
    finally:
        guest.run(f"rm -f {' '.join(DROP_IN.format(room=room) for room in watched)}; {again}")
        _until_up(guest)


def _until_up(guest: Guest) -> None:
    for name in ROOMS:
        room = Room(guest, name)
        until(room.process, SLOW, name)


def words(seen: dict[str, Any]) -> str:
    """Its row among the figures."""
    rooms = seen["rooms"]
    watched = [one for one in rooms.values() if one["watchdog"]]
    asked = {name: one["suspended"] for name, one in rooms.items() if not one["watchdog"]}
    return (
        f"{', '.join(rooms)}: killed one after the other, the table whole again after at most "
        f"{max(one['killed'] for one in rooms.values()):.0f} s; stopped in mid-step, started again by the watchdog "
        f"({max(one['watchdog'] for one in watched):.0f} s) after at most {max(one['suspended'] for one in watched):.0f} s, "
        f"{', '.join(asked)} by the gate after {max(asked.values()):.0f} s; no room took another along; "
        f"{seen['acknowledged']} acknowledged moves, {seen['lost']} lost, {seen['doubled']} doubled"
    )
