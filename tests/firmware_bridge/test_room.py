"""The room: what goes out on `sensor/dial`, what commands do, what is kept, and what the lights are told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.sensing import Dial
from companion.wire.config import Config, DialConfig
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import Answer, DialSeen, Do, State, VirtualTruth
from companion.wire.room import Room
from firmware_bridge.room import Bridge
from firmware_bridge.virtual import VirtualDial
from tests.firmware_bridge.conftest import Clock

DIAL = DialConfig(source="virtual", button_pin=22, virtual_pace=3.0)


class Table:
    """The bridge on a corridor in memory, with an ear on everything it says; its time stands until it is moved."""

    def __init__(self, folder: Path, clock: Clock, dial: DialConfig = DIAL, backend: Any = None) -> None:
        self.clock = clock
        self.broker = MemoryBroker()
        self.ear: MemoryBus = self.broker.bus("ear")
        self.heard: list[tuple[float, Any]] = []
        for topic in ("sensor/dial", "answer/+", "health/+"):
            self.ear.subscribe(topic, lambda _, message: self.heard.append((clock.now, message)))
        self.ear.start()
        self.room = Room("firmware_bridge", Config(dial=dial, state_dir=folder), self.broker.bus("firmware_bridge"))
        self.room.bus.start()
        self.backend = backend or VirtualDial(dial, clock=clock, bounce=random.Random(3))
        self.bridge = Bridge(self.room, self.backend)
        self.backend.start()
        self.wait(0.1)

    def wait(self, seconds: float) -> None:
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.clock.sleep(0.01)
            self.room.bus.pump()
            self.bridge.step(self.clock.now)
            self.ear.pump()

    def said(self, kind: type[Any]) -> list[Any]:
        return [message for _, message in self.heard if isinstance(message, kind)]

    @property
    def seen(self) -> DialSeen:
        last: DialSeen = self.said(DialSeen)[-1]
        return last

    def do(self, command: str, number: str = "1", **args: Any) -> Answer:
        self.ear.publish("do/firmware_bridge", Do(id=number, client="display", command=command, args=args))
        self.wait(0.1)
        answer: Answer = self.said(Answer)[-1]
        return answer


@pytest.fixture
def table(tmp_path: Path, clock: Clock) -> Iterator[Table]:
    table = Table(tmp_path, clock)
    yield table
    table.backend.stop()


def test_a_new_table_asks_for_the_zero(table: Table) -> None:
    """Unconfirmed at first; the zero is set once, and the dial is ready."""
    assert table.seen.state == "unconfirmed"
    answer = table.do("set zero")
    assert answer.ok
    assert answer.result == {"state": "ready", "position": 0, "positions": 6}
    assert (table.seen.state, table.seen.confidence) == ("ready", 1.0)


def test_a_turn_is_told_as_turning_settling_ready(table: Table) -> None:
    """One notch: every state in its order, the last word the final position."""
    table.do("set zero")
    table.heard.clear()
    table.do("turn", "2", notches=1)
    table.wait(1.0)
    states = list(dict.fromkeys(seen.state for seen in table.said(DialSeen)))
    assert states == ["turning", "settling", "ready"]
    assert (table.seen.position, table.seen.turns, table.seen.angle) == (1, 1, 0.0)


def test_at_most_twenty_messages_a_second_and_the_last_word(table: Table) -> None:
    """Ten seconds of turning at three revolutions a second."""
    table.do("set zero")
    table.heard.clear()
    table.backend.nudge(3 * 96 * 10)
    table.wait(11)
    times = [at for at, message in table.heard if isinstance(message, DialSeen)]
    busiest = max(sum(0 <= other - one < 1.0 for other in times) for one in times)
    assert 10 <= busiest <= 20
    assert (table.seen.state, table.seen.counts, table.seen.turns) == ("ready", 2880, 180)


def test_it_is_committed_soon_after_it_settles(table: Table) -> None:
    """From the last edge to `ready` on the corridor: the settle time and at most 100 ms more."""
    table.do("set zero")
    table.backend.nudge(16)
    while table.backend.hand.busy:
        table.wait(0.01)
    stopped = table.clock.now
    table.wait(1.0)
    ready = next(at for at, m in table.heard if isinstance(m, DialSeen) and m.state == "ready" and m.position == 1)
    assert ready - stopped <= 0.25 + 0.1


def test_the_button_confirms_what_the_screen_shows(tmp_path: Path, clock: Clock) -> None:
    """After power-on the last place is offered; one press and it stands. The place survives on disk."""
    table = Table(tmp_path, clock)
    table.backend.press()
    table.wait(0.3)
    assert table.seen.state == "ready"
    table.do("turn", notches=2)
    table.wait(1.0)
    assert table.seen.position == 2
    again = Table(tmp_path, clock)
    assert (again.seen.state, again.seen.position) == ("unconfirmed", 2)
    again.backend.press()
    again.wait(0.3)
    assert (again.seen.state, again.seen.position) == ("ready", 2)


def test_turn_the_one_to_the_symbol_and_press(table: Table) -> None:
    """Asked for, the zero is taken at the next press, not before."""
    table.do("set zero")
    table.do("turn", "2", notches=4)
    table.wait(1.0)
    assert table.do("set zero", "3", press=True).ok
    assert table.seen.position == 4
    table.backend.press()
    table.wait(0.3)
    assert (table.seen.position, table.seen.state) == (0, "ready")


@pytest.mark.parametrize(
    ("command", "args", "code"),
    [
        ("dance", {}, "dial/unknown-command"),
        ("confirm", {"position": 6}, "dial/bad-value"),
        ("confirm", {"position": "three"}, "dial/bad-value"),
        ("positions", {"n": True}, "dial/bad-value"),
        ("turn", {"notches": 1000}, "dial/bad-value"),
    ],
)
def test_a_wrong_command_is_refused_with_what_to_do(
    table: Table, command: str, args: dict[str, Any], code: str
) -> None:
    """Every refusal has words; nothing changes."""
    before = table.seen
    answer = table.do(command, **args)
    assert not answer.ok
    assert answer.refusal and answer.refusal.code == code
    assert answer.refusal.do.key == f"{code}/do"
    assert table.seen == before


def test_the_zero_is_not_set_under_a_turning_dial(table: Table) -> None:
    """Let go first."""
    table.backend.nudge(400)
    table.wait(0.1)
    answer = table.do("set zero")
    assert answer.refusal and answer.refusal.code == "dial/moving"


def test_the_same_request_twice_does_nothing_twice(table: Table) -> None:
    """Delivered again, a turn is answered again and not made again."""
    table.do("set zero")
    table.do("turn", "same", notches=1)
    table.do("turn", "same", notches=1)
    table.wait(1.0)
    assert table.seen.position == 1
    assert len([a for a in table.said(Answer) if a.id == "same"]) == 2


def test_the_game_decides_how_many_notches(table: Table) -> None:
    """Praga's crane has twelve."""
    table.do("set zero")
    table.ear.publish("state", State(table="t", phase="playing", game="praga", dial=Dial(12)))
    table.wait(0.1)
    assert table.seen.positions == 12
    table.do("turn", "2", notches=1)
    table.wait(1.0)
    assert (table.seen.position, table.seen.counts) == (1, 8)


def test_the_virtual_table_turns_it_by_edges(table: Table) -> None:
    """The truth names absolute counts; the dial gets there at a pace, through the pins."""
    table.do("set zero")
    table.ear.publish("virtual/table", VirtualTruth(ts=1.0, dial=32))
    table.wait(0.05)
    assert table.seen.counts < 32
    table.wait(1.0)
    assert (table.seen.counts, table.seen.position) == (32, 2)


def test_the_virtual_table_keeps_its_dial_while_the_room_restarts(tmp_path: Path, clock: Clock) -> None:
    """The truth stands at 32 counts throughout: a restarted room offers the same place and turns nothing."""
    table = Table(tmp_path, clock)
    table.ear.publish("virtual/table", VirtualTruth(ts=1.0, dial=0))
    table.wait(0.1)
    table.do("set zero")
    table.ear.publish("virtual/table", VirtualTruth(ts=2.0, dial=32))
    table.wait(1.0)
    assert table.seen.position == 2
    again = Table(tmp_path, clock)
    again.ear.publish("virtual/table", VirtualTruth(ts=2.0, dial=32))
    again.wait(1.0)
    assert (again.seen.state, again.seen.position, again.seen.counts) == ("unconfirmed", 2, 0)
    again.do("confirm")
    again.ear.publish("virtual/table", VirtualTruth(ts=3.0, dial=48))
    again.wait(1.0)
    assert (again.seen.state, again.seen.position, again.seen.counts) == ("ready", 3, 16)


def test_a_fast_virtual_clock_settles_fast(tmp_path: Path, clock: Clock) -> None:
    """Twenty times the speed: one notch is turned, settled and told within a twentieth of the time."""
    fast = VirtualDial(DIAL, clock=lambda: clock.now * 20)
    table = Table(tmp_path, clock, backend=fast)
    table.do("set zero")
    begun = clock.now
    fast.nudge(16)
    table.wait(0.1)
    assert (table.seen.state, table.seen.position) == ("ready", 1)
    assert clock.now - begun < 0.15
    fast.stop()
