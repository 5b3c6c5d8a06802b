"""Figures of the core: bus, journal, start, idle."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from benches.figures import Row, percentile, row
from benches.stand import processes, ready_after, running
from companion.core.session import Session
from companion.journal.store import Journal
from companion.machine.supervisor import processor_time
from companion.virtual.own_table import end, own_table
from companion.wire.bus import hang_up
from companion.wire.config import Config
from companion.wire.messages import Lamp, SeatInfo
from companion.wire.room import connection
from companion.wire.secrets import client_id, room_passwords, user_of

TRIPS, ROWS = 300, 10_000
STARTS = 3
IDLE = 8.0


def rows() -> list[Row]:
    """Everything `tableside bench core` promises."""
    return [*_round_trip(), *_to_phones(), *_journal(), *_start_and_idle()]


def _round_trip() -> list[Row]:
    """QoS 1: said and acknowledged."""
    with own_table() as table:
        broker, config = table.start_broker(), table.config()
        bus = connection(config, "companion")
        bus.start()
        while not bus.connected:
            bus.pump(0.01)
        ours = []
        for _ in range(TRIPS):
            start = time.perf_counter()
            bus.publish("lamp", Lamp())
            bus.delivered(5.0)
            ours.append(1000 * (time.perf_counter() - start))
        bus.stop()
        raw = _raw_paho(config)
        end(broker)
    return [
        row("QoS 1 round trip, median", percentile(ours, 0.5), "ms", 2.0, n=TRIPS, peers={"raw_paho_ms": round(raw, 2)})
    ]


def _raw_paho(config: Config) -> float:
    """The same with paho as it comes."""
    user = user_of(config.table.id, "companion")
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id=client_id(config.table.id, user))
    client.username_pw_set(user, room_passwords(config.state_dir)["companion"])
    client.connect("127.0.0.1", config.broker.port)
    client.loop_start()
    times = []
    for _ in range(50):
        start = time.perf_counter()
        client.publish(f"tableside/{config.table.id}/lamp", b"{}", 1).wait_for_publish(5.0)
        times.append(1000 * (time.perf_counter() - start))
    hang_up(client)
    return percentile(times, 0.5)


def _to_phones() -> list[Row]:
    """A move asked for by the screen until the last of 24 phones has the new state."""
    from benches.phones import PHONES
    from benches.phones import rows as phone_rows

    return phone_rows(PHONES)[:1]


def _journal() -> list[Row]:
    """A long evening opened again: every checksum verified, every move replayed."""
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as directory:
        journal = Journal(Path(directory))
        seats = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben"))
        session = Session.start(journal, "scorepad", {}, {}, seats)
        with journal.unsynced():
            for number in range(ROWS):
                journal.append(
                    session.game, "move", {"kind": "points", "seat": number % 2, "points": 1}, sender="bench"
                )
        journal.close()
        start = time.perf_counter()
        again = Journal(Path(directory))
        opened = time.perf_counter()
        Session.resume(again, session.game)
        replayed = time.perf_counter()
        again.close()
    return [
        row("journal of 10,000 moves opened and verified", opened - start, "s", 1.0, n=ROWS),
        row("the same game replayed", replayed - opened, "s", 1.0, n=ROWS),
    ]


def _start_and_idle() -> list[Row]:
    """From the command to the first frame, and what the table costs when nothing moves."""
    settings = {
        "TABLESIDE_DIAL_SOURCE": "virtual",
        "TABLESIDE_CAMERA_SOURCE": "virtual",
    }
    starts = []
    for _ in range(STARTS - 1):
        with own_table(**settings) as table:
            start = time.monotonic()
            with running(table):
                ready_after(table.config(), "display")
                starts.append(time.monotonic() - start)
    with own_table(**settings) as table:
        start, config = time.monotonic(), table.config()
        with running(table) as supervisor:
            ready_after(config, "display")
            starts.append(time.monotonic() - start)
            for room in ("companion", "vision", "firmware_bridge"):
                ready_after(config, room)
            time.sleep(4.0)
            children = processes(supervisor.pid)
            before = {room: processor_time(pid) for room, pid in children.items()}
            time.sleep(IDLE)
            shares = {room: 100 * (processor_time(pid) - before[room]) / IDLE for room, pid in children.items()}
    core = sum(shares.get(one, 0) for one in ("companion", "broker", "gate"))
    return [
        row("tableside run to first frame, the slowest", max(starts), "s", 2.0, n=STARTS),
        row("idle share of core, broker and gate", core, "%", 1.0, n=1),
        row("idle share of display", shares.get("display", 0), "%", 1.0, n=1),
        row("idle share of vision", shares.get("vision", 0), "%", 2.0, n=1),
        row("idle share of bridge", shares.get("firmware_bridge", 0), "%", 1.0, n=1),
    ]
