"""The bridge at its borders: commands that do not fit, boards that are not there, lights that were not heard."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.wire.config import DialConfig
from companion.wire.messages import Answer, DialSeen, Do, VirtualTruth
from firmware_bridge import __main__ as command
from firmware_bridge import firmware, serial_link, virtual_board
from firmware_bridge.backend import Ailing, Indexed, Lost, Moved, PoweredOn, Pressed, Report
from firmware_bridge.firmware import Failed
from firmware_bridge.pico import frames
from firmware_bridge.room import REMEMBERED
from firmware_bridge.serial_link import Board, Came, SerialDial
from firmware_bridge.sources import NoDial, open_backend
from firmware_bridge.troubles import trouble
from firmware_bridge.virtual_board import VirtualSerialDial
from tests.firmware_bridge.conftest import Clock
from tests.firmware_bridge.test_room import DIAL, Table


class Spoken(NoDial):
    """A back end that says what a test puts into it; it cannot be turned by a program."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self.say: list[Report] = [PoweredOn(0.0, "first", 0, 0)]

    def now(self) -> float:
        return self._clock.now

    def poll(self) -> Sequence[Report]:
        said, self.say = self.say, []
        return said


@pytest.fixture
def spoken(tmp_path: Path, clock: Clock) -> Table:
    return Table(tmp_path, clock, backend=Spoken(clock))


@pytest.fixture
def turned(tmp_path: Path, clock: Clock) -> Table:
    return Table(tmp_path, clock)


# commands --------------------------------------------------------------------------------------------------------


def test_a_dial_of_twelve_notches_is_asked_for_by_the_game(turned: Table) -> None:
    """Praga's crane has twelve stations; a number no dial has is refused."""
    assert turned.do("set zero").ok
    answer = turned.do("positions", "2", n=12)
    assert answer.ok
    assert answer.result["positions"] == 12
    for number, wrong in enumerate((1, 61, "six", True, None)):
        refused = turned.do("positions", f"w{number}", n=wrong)
        assert refused.refusal is not None
        assert refused.refusal.code == "dial/bad-value"
    assert turned.seen.positions == 12


def test_a_real_dial_is_not_turned_by_a_program(spoken: Table) -> None:
    """Only a virtual one is; and the virtual table's truth is none of its business."""
    for command_, number in (("turn", "1"), ("press", "2")):
        refused = spoken.do(command_, number)
        assert refused.refusal is not None
        assert refused.refusal.code == "dial/not-virtual"
    before = spoken.bridge.dial.seen().counts
    spoken.bridge.turn(3)
    spoken.bridge._truth("virtual/table", VirtualTruth(ts=1.0, dial=48))
    spoken.wait(0.2)
    assert spoken.bridge.dial.seen().counts == before


def test_a_virtual_button_is_pressed_from_the_screen(turned: Table) -> None:
    """It sets the zero, as the real one would on a new table."""
    assert turned.seen.state == "unconfirmed"
    assert turned.do("press").ok
    turned.wait(1.0)
    assert turned.seen.state == "ready"


def test_a_turn_by_no_number_of_notches_is_refused(turned: Table) -> None:
    """Words, or more than ten times round."""
    for number, wrong in enumerate(("far", 61, True)):
        refused = turned.do("turn", str(number), notches=wrong)
        assert refused.refusal is not None
        assert refused.refusal.code == "dial/bad-value"


def test_old_answers_are_forgotten_in_their_order(turned: Table) -> None:
    """The same id gets the same answer, but not for ever."""
    for number in range(REMEMBERED + 5):
        turned.bridge._asked("do/firmware_bridge", _order(f"n{number}"))
    turned.ear.pump()
    kept = turned.bridge._answers
    assert len(kept) == REMEMBERED
    assert "n0" not in kept
    assert isinstance(kept[f"n{REMEMBERED + 4}"], Answer)


def _order(name: str) -> Do:
    return Do(id=name, client="display", command="positions", args={"n": 6})


# reports ---------------------------------------------------------------------------------------------------------


def test_an_index_mark_sets_the_dial_right(spoken: Table) -> None:
    """Edges were missed: the mark knows where it is, and its word is heard through the room."""
    told: list[int] = []
    spoken.bridge.dial.indexed = told.append  # type: ignore[method-assign,assignment]
    spoken.backend.say = [Indexed(1.0, 12)]
    spoken.wait(0.1)
    assert told == [12]


def test_a_press_on_a_confirmed_dial_changes_nothing(spoken: Table) -> None:
    """It stands as shown already."""
    assert spoken.do("set zero").ok
    before = spoken.seen
    spoken.backend.say = [Pressed(2.0)]
    spoken.wait(0.2)
    assert (spoken.seen.state, spoken.seen.position) == (before.state, before.position) == ("ready", 0)


def test_an_ailing_line_is_told_and_the_dial_still_read(spoken: Table) -> None:
    """Noise on the cable is no reason to stop."""
    spoken.do("set zero")
    spoken.backend.say = [Ailing(trouble("noisy")), Moved(3.0, 16, 0)]
    spoken.wait(1.0)
    assert isinstance(spoken.seen, DialSeen)
    assert spoken.seen.position == 1


def test_a_zero_says_nothing_new_about_a_dial_nobody_confirmed(spoken: Table) -> None:
    """Another shape of an unconfirmed dial stays unconfirmed."""
    assert spoken.do("positions", "1", n=12).ok
    assert spoken.seen.state == "unconfirmed"


def test_a_trouble_without_words_is_a_slip_of_the_program() -> None:
    """Every code has its sentences; an unknown one is loud."""
    with pytest.raises(KeyError, match="no-such-trouble"):
        trouble("no-such-trouble")


# sources ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"source": "none"}, "NoDial"),
        ({"source": "gpio"}, "GpioDial"),
        ({"source": "serial"}, "SerialDial"),
        ({"source": "virtual"}, "VirtualDial"),
        ({"source": "virtual", "virtual_level": "serial"}, "VirtualSerialDial"),
    ],
)
def test_every_source_in_the_settings_opens(settings: dict[str, Any], kind: str) -> None:
    """By its name; nothing is started yet."""
    assert type(open_backend(DialConfig(**settings))).__name__ == kind


def test_a_table_without_a_dial_says_so_once() -> None:
    """Then it is silent, and lights nothing."""
    none = NoDial()
    none.start()
    assert [type(report) for report in none.poll()] == [Lost]
    assert none.poll() == []
    none.show([(1, 2, 3)])
    none.stop()
    assert none.figures() == {}
    assert none.now() <= time.monotonic()


def test_without_micropython_the_virtual_board_is_missing_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a Pi the wheel does not exist: the room says what to install, and every call is harmless."""
    monkeypatch.setattr(virtual_board, "micropython_here", lambda: False)
    board = VirtualSerialDial(DIAL)
    board.start()
    board.press()
    board.index()
    board.turn_now()
    board.show([(1, 2, 3)])
    board.wake = lambda: None
    assert [report.trouble.code for report in board.poll() if isinstance(report, Lost)] == ["no-micropython"]
    assert (board.leds, board.now(), board.figures()) == (0, 0.0, {"virtual": True})
    board.stop()


# the serial line -------------------------------------------------------------------------------------------------


class Line:
    """A serial port that remembers what was written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)


def joined() -> tuple[SerialDial, Line]:
    """A link with a greeted board of two lights, its thread not started."""
    link, line = SerialDial("/dev/nothing"), Line()
    link._serial = line  # type: ignore[assignment]
    link.board = Board((1, 0, 0), 2, 7, "ab")
    return link, line


def test_lights_are_told_again_in_case_they_were_not_heard() -> None:
    """A frame can be lost; a ring that shows yesterday's turn would mislead."""
    link, line = joined()
    link.show([(1, 2, 3), (4, 5, 6), (7, 8, 9)])
    first = len(line.written)
    assert first == 1
    link._lit -= serial_link.LIGHT_EVERY + 1
    link.poll()
    assert len([data for data in line.written if len(data) == len(line.written[0])]) >= 2


def test_nothing_is_lit_without_a_board() -> None:
    """It is remembered until one greets."""
    link, line = joined()
    link.board = None
    link.show([(1, 2, 3)])
    link.poll()
    assert line.written == []
    link.stop()


def test_counts_of_a_board_that_restarted_unheard_are_not_believed() -> None:
    """Its greeting was lost: it is asked who it is, but not at every message."""
    link, line = joined()
    body = frames.pack_counts(5, 100, 0, 5, 0, 0, 0, 0, 99)
    link._asked = -100.0
    news: list[Report] = []
    for number in range(3):
        link._came(Came(time.monotonic(), frames.COUNTS, number, body), news)
    assert news == []
    assert len(line.written) == 1


def test_a_strange_frame_is_left_alone() -> None:
    """A newer board may say more than we know."""
    link, _ = joined()
    news: list[Report] = []
    link._came(Came(1.0, 200, 1, b"?"), news)
    assert news == []


# flashing --------------------------------------------------------------------------------------------------------


class Quiet:
    """A link at which nothing answers, or only what a test says."""

    board: Board | None = None

    def __init__(self, *said: Report) -> None:
        self.said = list(said)

    def poll(self) -> list[Report]:
        said, self.said = self.said, []
        return said


def test_a_board_that_does_not_answer_is_told_what_to_do() -> None:
    """Silence, a report before it has greeted, and a port that is gone."""
    for link in (Quiet(), Quiet(PoweredOn(0.0, "x", 0, 0)), Quiet(Moved(0.0, 1, 0))):
        with pytest.raises(Failed, match="firmware flash"):
            firmware._ask(link, 0.05)  # type: ignore[arg-type]
    with pytest.raises(Failed):
        firmware._ask(Quiet(Lost(trouble("none"))), 0.05)  # type: ignore[arg-type]
    with pytest.raises(Failed, match="did not answer"):
        firmware._facts(Quiet(), Moved(0.0, 1, 0))  # type: ignore[arg-type]


def test_without_mpremote_flashing_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line to type."""
    monkeypatch.setattr(firmware, "one_port", lambda port: "/dev/nothing")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Failed, match="pip install"):
        firmware.flash("/dev/nothing")


def test_a_folder_that_cannot_be_written_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The board may not be mounted."""

    def full(*what: Any) -> list[Path]:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(firmware, "gather", full)
    with pytest.raises(Failed, match="Read-only"):
        firmware.flash(to=str(tmp_path))
    with pytest.raises(Failed, match="not a folder"):
        firmware.flash(to=str(tmp_path / "none"))


def test_the_check_prints_one_fact_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0; what failed goes to stderr with 1."""
    monkeypatch.setattr(firmware, "check", lambda port: [f"board ab at {port}", "lights 2"])
    assert command.main(["firmware", "check", "--port", "/dev/x"]) == 0
    assert capsys.readouterr().out.splitlines() == ["board ab at /dev/x", "lights 2"]

    def silent(port: str) -> list[str]:
        raise Failed("The board did not answer.")

    monkeypatch.setattr(firmware, "check", silent)
    assert command.main(["firmware", "check"]) == 1
    assert capsys.readouterr().err == "The board did not answer.\n"
