"""From the dial's edges and one die in the picture, through explain and a tiny game, to screen and host: one thin loop."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from companion.wire.messages import DialSeen, Do, MarketSeen, State, VirtualTruth
from tests.companion.toy import pack
from tests.conftest import DEALT, ROOT, Client, Place, Run
from tests.views import view_of

SEES = ("hand", "settling")
"""States of a camera that has noticed a hand."""


def announce(folder: Path) -> None:
    """The toy game of the tests, found through its entry point like any foreign pack."""
    info = folder / "toy-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tableside.games]\ntoy = tests.companion.toy:pack\n")


def truth(ts: float, *dice: dict[str, Any], dial: int = 0, hand: bool = False) -> VirtualTruth:
    slots = {"gold-1": {"card": "G1a", "dice": list(dice)}}
    return VirtualTruth(ts=ts, slots=slots, mat=pack.mat(2), hand={"x": 0.4, "y": 0.3} if hand else None, dial=dial)


def test_a_die_and_a_notch_reach_the_screen(place: Place, tmp_path: Path) -> None:
    """Placed, fiddled with, and ended by a turn of the dial; the screen has drawn every reading of it."""
    announce(tmp_path / "packs")
    trace = tmp_path / "trace"
    place.environment |= {
        "PYTHONPATH": f"{tmp_path / 'packs'}:{ROOT}:{DEALT}",
        "TABLESIDE_DIAL_SOURCE": "virtual",
        "TABLESIDE_CAMERA_SOURCE": "virtual",
        "TABLESIDE_CAMERA_WIDTH": "1280",
        "TABLESIDE_CAMERA_HEIGHT": "720",
        "TABLESIDE_TRACE": str(trace),
    }
    run = Run(place).start()
    config = place.config()
    try:
        host = Client.room(config, "host").listen("state", "answer/host", "sensor/+").start()
        hands = Client.room(config, "virtual").start()
        host.new_game("toy")
        hands.bus.publish("virtual/table", truth(1.0))
        _confirm(host)
        die = {"colour": "sun", "face": 4, "x": 0.4, "y": 0.5, "angle": 20.0}
        _put(host, hands, 2.0, die)
        host.until(lambda: view_of(host.last(State))["die"] == {"owner": 0, "face": 4}, 40, "the die is seen")
        _put(host, hands, 6.0, die | {"face": 5})
        host.until(lambda: view_of(host.last(State))["die"] == {"owner": 0, "face": 5}, 40, "fiddling amends")
        counts = round(config.dial.counts_per_revolution / 6)
        hands.bus.publish("virtual/table", truth(10.0, die | {"face": 5}, dial=counts))
        host.until(lambda: view_of(host.last(State))["dial"]["position"] == 1, 20, "the dial ends the turn")
        _put(host, hands, 12.0, dial=counts)
        host.until(
            lambda: view_of(host.last(State))["die"] is None and not host.last(State).notices, 40, "the table is right"
        )
        assert view_of(host.last(State))["players"][0]["points"] == 5
        seen = host.last(DialSeen)
        host.until(lambda: f"{seen.ts:.6f}" in trace.read_text(), 5, "the screen has drawn it")
        hands.bus.stop()
        host.bus.stop()
    finally:
        assert run.stop() == 0


def _put(host: Client, hands: Client, ts: float, *dice: dict[str, Any], dial: int = 0) -> None:
    """A hand comes and is seen, the table changes, the hand goes."""
    before = len(host.heard)
    hands.bus.publish("virtual/table", truth(ts, hand=True, dial=dial))
    host.until(lambda: any(isinstance(m, MarketSeen) and m.state in SEES for _, m in host.heard[before:]), 20, "a hand")
    hands.bus.publish("virtual/table", truth(ts + 0.5, *dice, dial=dial))


def _confirm(host: Client) -> None:
    """The dial is unconfirmed until somebody says where it stands."""
    host.until(lambda: host.last(DialSeen), what="a dial that listens")
    for attempt in range(30):
        request = Do(id=f"zero-{attempt}", client="host", command="confirm", args={"position": 0})
        if host.ask("do/firmware_bridge", request).ok:
            return
        time.sleep(0.2)
    raise AssertionError("the dial could not be confirmed")
