"""The dial's room when something is wrong with the dial, and a dial that browses."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from companion.game import Text
from companion.sensing import Dial
from companion.wire.config import Config, DialConfig
from companion.wire.memory import MemoryBroker
from companion.wire.messages import DialSeen, Health, Knob, Lamp, State
from companion.wire.room import Room
from firmware_bridge.backend import Ailing, Lost, Moved, PoweredOn, Pressed, Released, Report
from firmware_bridge.memory import memory_file, read_memory
from firmware_bridge.room import Bridge
from firmware_bridge.sources import open_backend
from firmware_bridge.troubles import trouble
from firmware_bridge.virtual import VirtualDial
from tests.conftest import until
from tests.firmware_bridge.conftest import Clock
from tests.firmware_bridge.test_room import DIAL, Table


class Script:
    """A back end that says what a test tells it to."""

    leds = 12

    def __init__(self, clock: Clock) -> None:
        self.clock, self.news, self.shown = clock, [PoweredOn(0.0, "board-1")], []
        self.news: list[Report]
        self.shown: list[Any]

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def poll(self) -> list[Report]:
        news, self.news = self.news, []
        return news

    def now(self) -> float:
        return self.clock.now

    def patience(self) -> float:
        return 0.5

    def show(self, pixels: Any) -> None:
        self.shown.append(tuple(pixels))

    def figures(self) -> dict[str, float | int | str | bool]:
        return {"frames_bad": 3}


@pytest.fixture
def scripted(tmp_path: Path, clock: Clock) -> Table:
    return Table(tmp_path, clock, backend=Script(clock))


def test_each_trouble_is_one_line_and_the_room_goes_on(scripted: Table, caplog: pytest.LogCaptureFixture) -> None:
    """Unplugged, said once in the log, in health and on the sensor's topic; plugged in again it is well."""
    scripted.do("set zero")
    for _ in range(3):
        scripted.backend.news = [Lost(trouble("unplugged"))]
        scripted.wait(0.1)
    assert [record.getMessage() for record in caplog.records] == [
        "dial: The dial’s board was unplugged. Plug it in again; until then, turns are entered on the screen."
    ]
    health = scripted.said(Health)[-1]
    assert health.say and health.say.key == "dial/unplugged"
    assert health.figures["frames_bad"] == 3
    assert (scripted.seen.state, scripted.seen.do and scripted.seen.do.key) == ("no dial", "dial/unplugged/do")
    assert not scripted.do("confirm", "2").ok
    scripted.backend.news = [PoweredOn(0.0, "board-1", 16)]
    scripted.wait(0.1)
    assert (scripted.seen.state, scripted.seen.position, scripted.seen.say) == ("ready", 1, None)
    assert scripted.said(Health)[-1].say is None


def test_a_remark_does_not_stop_the_dial(scripted: Table) -> None:
    """A noisy cable is told in health; the dial is read all the same."""
    scripted.do("set zero")
    scripted.backend.news = [Ailing(trouble("noisy")), Moved(scripted.clock.now, 16)]
    scripted.wait(1.0)
    assert scripted.said(Health)[-1].say.key == "dial/noisy"
    assert (scripted.seen.state, scripted.seen.position) == ("ready", 1)


def test_a_press_without_a_dial_is_nothing(scripted: Table) -> None:
    """What cannot be read cannot be confirmed."""
    scripted.backend.news = [Lost(trouble("unplugged")), Pressed(1.0)]
    scripted.wait(0.1)
    assert not scripted.bridge.dial.confirmed


def test_the_ring_shows_the_lamp_and_only_changes(scripted: Table) -> None:
    """One lamp message is one picture; a warning blinks."""
    scripted.ear.publish("lamp", Lamp(seat=1, colour="sky", pattern="triangle", build=2))
    scripted.wait(1.5)
    assert len(scripted.backend.shown) == 1
    assert len(scripted.backend.shown[0]) == 12
    scripted.ear.publish("lamp", Lamp(seat=1, colour="sky", pattern="triangle", warning=True))
    scripted.wait(2.5)
    assert 4 <= len(scripted.backend.shown) <= 8


def test_a_table_without_a_dial_says_so_and_nothing_more(tmp_path: Path, clock: Clock) -> None:
    """No dial is no trouble: health stays well, the lamp does no harm."""
    config = DialConfig(source="none", leds=24)
    table = Table(tmp_path, clock, config, open_backend(config))
    table.ear.publish("lamp", Lamp(seat=0, colour="sun", pattern="circle", warning=True))
    table.wait(1.0)
    assert table.seen.state == "no dial"
    assert all(health.say is None for health in table.said(Health))


def test_a_damaged_memory_costs_one_question(tmp_path: Path, clock: Clock) -> None:
    """Garbage on disk is no memory, and no crash."""
    memory_file(Config(state_dir=tmp_path)).write_bytes(b'{"place": "there"')
    assert read_memory(tmp_path / "dial.json") is None
    table = Table(tmp_path, clock)
    assert table.seen.state == "unconfirmed"
    table.backend.stop()


def test_the_watching_thread_tells_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a rest the first edge wakes the thread: nothing that is due by the clock would have."""
    config = Config(dial=DIAL, state_dir=tmp_path)
    broker = MemoryBroker()
    room = Room("firmware_bridge", config, broker.bus("firmware_bridge"))
    room.bus.start()
    ear, heard = broker.bus("ear"), []
    ear.subscribe("sensor/dial", lambda _, seen: heard.append(seen))
    ear.start()
    backend = VirtualDial(DIAL)
    bridge = Bridge(room, backend)
    monkeypatch.setattr("firmware_bridge.room.REST", 1000.0)
    monkeypatch.setattr(backend, "patience", lambda: 1000.0)
    bridge.start()
    try:
        until(lambda: ear.pump(0.05) and heard)
        heard.clear()
        backend.factory.pin(DIAL.pin_a).drive(False)
        until(lambda: ear.pump(0.05) and heard)
        bridge.check(time.monotonic())
        with pytest.raises(RuntimeError, match="hangs"):
            bridge.check(time.monotonic() + 11)
    finally:
        bridge.stop()
    with pytest.raises(RuntimeError, match="ended"):
        bridge.check(time.monotonic())


def test_a_dial_that_browses_tells_turns_presses_and_holds_and_is_no_dial_for_the_game(
    tmp_path: Path, clock: Clock
) -> None:
    """Nobody is asked for a zero; a game's number of notches changes nothing; a press is told when it ends, a hold at once."""
    dial = DialConfig(source="virtual", button_pin=22, virtual_pace=3.0, browse=True)
    table = Table(tmp_path, clock, dial)
    table.ear.subscribe("sensor/knob", lambda _, message: table.heard.append((clock.now, message)))
    table.wait(0.3)
    table.ear.publish("state", State(table="table", phase="playing", game="skytopia", dial=Dial(6)))
    table.bridge.turn(3)
    table.wait(0.5)
    assert (table.seen.state, table.seen.say) == ("no dial", Text("dial/browses"))
    assert len(table.said(DialSeen)) == 1
    assert table.said(Knob)[-1] == Knob(turns=3)
    assert table.do("press").ok
    table.wait(0.3)
    assert table.said(Knob)[-1] == Knob(turns=3, presses=1)
    assert table.do("press", "2", hold=True).ok
    table.wait(1.0)
    assert table.said(Knob)[-1] == Knob(turns=3, presses=1, holds=1), "what was held is no press"
    table.backend.stop()


def test_a_trembling_button_is_pressed_once_and_can_be_held(clock: Clock) -> None:
    """Contacts bounce for a few milliseconds; what counts is when they rest."""
    dial = VirtualDial(DialConfig(source="virtual", button_pin=22), clock=clock)
    dial.start()
    found: list[Report] = []
    for level, after in ((False, 0.002), (True, 0.002), (False, 0.7), (True, 0.001), (False, 0.001), (True, 0.2)):
        dial._drive(22, level, clock.now)
        found += dial.poll()
        clock.sleep(after)
    found += dial.poll()
    edges = [report for report in found if isinstance(report, Pressed | Released)]
    assert [type(report) for report in edges] == [Pressed, Released]
    assert edges[1].ts - edges[0].ts > 0.6
