"""Figures of the whole loop: from the dial's first edge to the screen, from the hand gone to the move announced."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from benches.figures import Row, percentile, row
from benches.stand import ready_after, running
from companion.virtual.demo import bots_at
from companion.virtual.own_table import own_table
from companion.wire.bus import MqttBus
from companion.wire.config import Config
from companion.wire.messages import Admin, DialSeen, Do
from companion.wire.room import connection

TURNS = 200
"""So many that the slowest hundredth is more than one hiccup of the machine."""
SEEN = 25
GAME = {"guilds": ["mechanics", "merchants", "artists"], "cities": [0, 1], "abilities": ["T1A", "T2A"]}


def rows() -> list[Row]:
    """Everything `tableside bench loop` promises."""
    return [*_dial(), *_hand()]


def _dial() -> list[Row]:
    """A virtual hand turns the real edges; the display says when it has shown them."""
    with own_table(TABLESIDE_DIAL_SOURCE="virtual") as table:
        config = table.config()
        trace = config.state_dir / "trace"
        table.environment["TABLESIDE_TRACE"] = str(trace)
        with running(table, "vision"):
            for room in ("companion", "firmware_bridge", "display"):
                ready_after(config, room)
            bus, heard = _host(config)
            seats = [{"name": "Ada"}, {"name": "Ben"}]
            args = {"game": "skytopia", "seats": seats, "options": GAME}
            bus.publish("admin", Admin(id="new", client="host", command="new game", args=args))
            bus.publish("do/firmware_bridge", Do(id="zero", client="host", command="set zero"))
            _rest(bus, 1.0)
            to_bus, first = [], []
            for number in range(TURNS):
                before = len(heard)
                start = time.monotonic()
                bus.publish(
                    "do/firmware_bridge", Do(id=f"t{number}", client="host", command="turn", args={"notches": 1})
                )
                while len(heard) == before and time.monotonic() < start + 2:
                    bus.pump(0.001)
                to_bus.append(1000 * (heard[-1][0] - start) if len(heard) > before else 2000.0)
                first.append((start, heard[-1][1] if len(heard) > before else 0.0))
                _rest(bus, 0.75)
            _rest(bus, 0.5)
            bus.stop()
        shown = _shown(trace)
    screen = [1000 * (shown[ts] - start) for start, ts in first if ts in shown]
    return [
        row("first detent to sensor/dial, p99", percentile(to_bus, 0.99), "ms", 20.0, n=len(to_bus)),
        row("first detent to screen, p99", percentile(screen or [9999.0], 0.99), "ms", 50.0, n=len(screen)),
    ]


def _host(config: Config) -> tuple[MqttBus, list[tuple[float, float]]]:
    bus = connection(config, "host")
    heard: list[tuple[float, float]] = []

    def on_dial(topic: str, message: Any) -> None:
        if isinstance(message, DialSeen):
            heard.append((time.monotonic(), round(message.ts, 6)))

    bus.subscribe("sensor/dial", on_dial)
    bus.start()
    _rest(bus, 1.0)
    return bus, heard


def _rest(bus: MqttBus, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        bus.pump(0.01)


def _shown(trace: Path) -> dict[float, float]:
    """When the reading of each edge time was on the screen."""
    lines = [line.partition(" ") for line in trace.read_text().splitlines()]
    return {float(ts): float(when) for when, _, ts in lines}


def _hand() -> list[Row]:
    """Normal speed: hands put dice on the virtual mat, the camera sees, the core explains, everybody hears."""
    settings = {"TABLESIDE_DIAL_SOURCE": "virtual", "TABLESIDE_CAMERA_SOURCE": "virtual", "TABLESIDE_CAMERA_ROWS": "2"}
    # the demo takes the time when a hand begins to turn the dial: at the usual pace five notches are 0.8 s of turning
    settings["TABLESIDE_DIAL_VIRTUAL_PACE"] = "20"
    with own_table(**settings) as table, running(table, "display"):
        config = table.config()
        for room in ("companion", "firmware_bridge", "vision"):
            ready_after(config, room)
        demo = bots_at(config, "skytopia", players=2, seed=1)
        demo.begin()
        end = time.monotonic() + 90
        while len(demo.result.latency_ms) < SEEN and time.monotonic() < end:
            demo.step()
        demo.people.leave()
    values = demo.result.latency_ms
    return [row("hand gone to move announced, p95", percentile(values or [9999.0], 0.95), "ms", 400.0, n=len(values))]
