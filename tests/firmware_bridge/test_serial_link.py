"""Bad input on the serial line: each gets one line that says what to do, and the dial comes back by itself."""

from __future__ import annotations

import errno
import os
import pty
import random
import termios
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from firmware_bridge import serial_link
from firmware_bridge.backend import Ailing, PoweredOn
from firmware_bridge.pico import frames
from firmware_bridge.serial_link import SerialDial, find_port, why_not
from firmware_bridge.virtual_board import Cable
from tests.conftest import PATIENCE, until
from tests.firmware_bridge.conftest import Rig


class Wire:
    """The board's end of a line, held by the test."""

    def __init__(self) -> None:
        self.fd, slave = pty.openpty()
        tty.setraw(slave)
        self._slave = slave
        self.port = os.ttyname(slave)
        self.number = 0
        self.heard = frames.Splitter()
        os.set_blocking(self.fd, False)

    def say(self, kind: int, body: bytes, version: int = frames.PROTOCOL) -> None:
        self.number += 1
        os.write(self.fd, frames.frame(kind, self.number, body, version))

    def hello(self, boot: int = 7, board: bytes = b"test") -> None:
        self.say(frames.HELLO, frames.pack_hello((1, 0, 0), 8, boot, board))

    def counts(self, counts: int, ms: int = 1000, boot: int = 7, edge_ms: int | None = None) -> None:
        body = frames.pack_counts(ms, counts, 0, ms if edge_ms is None else edge_ms, 0, 0, 0, 0, boot)
        self.say(frames.COUNTS, body)

    def greet(self, rig: Rig, counts: int, ms: int = 1000) -> None:
        """Wait to be asked, as a board does, then say who is there and where the dial stands."""
        rig.until(lambda: frames.ASK_HELLO in self.asked(), 3.0)
        self.hello()
        self.counts(counts, ms)
        rig.until(lambda: rig.counts == counts, 3.0)

    def asked(self) -> list[int]:
        try:
            return [kind for kind, _, _ in self.heard.feed(os.read(self.fd, 4096))]
        except BlockingIOError:
            return []

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._slave)


@pytest.fixture
def wire() -> Iterator[Wire]:
    wire = Wire()
    yield wire
    wire.close()


@pytest.fixture
def dial(wire: Wire) -> Iterator[Rig]:
    rig = Rig(SerialDial(wire.port), time.sleep)
    rig.backend.start()
    yield rig
    rig.backend.stop()


def test_the_host_asks_until_the_board_greets(wire: Wire, dial: Rig) -> None:
    """Counts without a greeting mean nothing; with it they do."""
    dial.until(lambda: frames.ASK_HELLO in wire.asked(), 2.0)
    wire.counts(5)
    dial.wait(0.2)
    assert not dial.reports
    wire.hello()
    wire.counts(5)
    dial.until(lambda: dial.heard(PoweredOn), 2.0)
    assert dial.counts == 5


def test_noise_and_half_frames_change_nothing(wire: Wire, dial: Rig) -> None:
    """A hundred kinds of rubbish between two true frames."""
    wire.greet(dial, 1)
    chance = random.Random(4)
    for _ in range(100):
        os.write(wire.fd, chance.choice((b"\0", chance.randbytes(30), frames.frame(2, 1, b"x" * 27)[:9] + b"\0")))
        dial.wait(0.005)
    os.write(wire.fd, b"\0")
    wire.counts(2, 2000)
    dial.until(lambda: dial.counts == 2)
    assert dial.backend.figures()["frames_bad"] >= 50
    assert not dial.lost


def test_much_noise_is_remarked_on(wire: Wire, dial: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a few damaged frames in a while: one remark about the cable, taken back when it is quiet again."""
    monkeypatch.setattr(serial_link, "NOISE_WINDOW", 0.2)
    wire.greet(dial, 1)
    for _ in range(50):
        os.write(wire.fd, b"rubbish\0")
    dial.until(lambda: len(dial.heard(Ailing)) == 2)
    assert [report.trouble and report.trouble.code for report in dial.heard(Ailing)] == ["noisy", None]


def test_a_board_of_another_version_is_named(wire: Wire, dial: Rig) -> None:
    """It is told apart from noise: both versions are said, and what to type."""
    dial.until(lambda: frames.ASK_HELLO in wire.asked(), 2.0)
    wire.say(frames.HELLO, b"whatever", version=9)
    dial.until(lambda: dial.lost)
    assert dial.lost[0].trouble.line == (
        "The dial’s board speaks version 9, this table version 1. Type: tableside firmware flash"
    )


def test_a_board_without_the_firmware_is_named(wire: Wire, dial: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something else sits there and chats."""
    monkeypatch.setattr(serial_link, "SILENT", 0.4)
    os.write(wire.fd, b"MicroPython v1.28\r\n>>> ")
    dial.until(lambda: dial.lost)
    assert dial.lost[0].trouble.code == "silent"
    wire.greet(dial, 3)


def test_a_board_whose_heartbeat_stops_is_missed(wire: Wire, dial: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """It hangs with the port open: said once; when it speaks again it is the same power-on, with its counts."""
    monkeypatch.setattr(serial_link, "SILENT", 0.4)
    wire.greet(dial, 7)
    dial.until(lambda: dial.lost, 3.0)
    assert [lost.trouble.code for lost in dial.lost] == ["silent"]
    wire.asked()
    wire.greet(dial, 11, ms=5000)
    powers = [report.power for report in dial.heard(PoweredOn)]
    assert len(powers) == 2
    assert powers[0] == powers[1]
    assert len(dial.lost) == 1


def test_a_restart_whose_greeting_was_lost_is_noticed(wire: Wire, dial: Rig) -> None:
    """Counts of another power-on are not believed: the host asks who is there."""
    wire.greet(dial, 500)
    dial.wait(0.7)
    wire.asked()
    wire.counts(0, ms=10, boot=8)
    dial.until(lambda: frames.ASK_HELLO in wire.asked(), 2.0)
    assert dial.counts == 500
    wire.hello(boot=8)
    wire.counts(4, ms=60, boot=8)
    dial.until(lambda: len(dial.heard(PoweredOn)) == 2)
    assert [report.power for report in dial.heard(PoweredOn)] == ["74657374-00000007", "74657374-00000008"]
    assert dial.counts == 4


def test_the_boards_clock_may_wrap(wire: Wire, dial: Rig) -> None:
    """After twelve days its milliseconds begin again; time goes on."""
    wire.greet(dial, 1, ms=(1 << 30) - 100)
    begun = dial.backend.now()
    wire.counts(2, ms=100)
    dial.until(lambda: dial.counts == 2)
    assert dial.reports[-1].ts == pytest.approx(begun + 0.2, abs=0.1)


def test_a_port_in_use_is_said_and_tried_again(wire: Wire) -> None:
    """Another program holds the port; when it lets go the dial is there."""
    holder = serial.Serial(wire.port, exclusive=True)
    late = Rig(SerialDial(wire.port), time.sleep)
    late.backend.start()
    late.until(lambda: late.lost)
    assert late.lost[0].trouble.line == (
        f"{wire.port} is in use by another program. "
        "Close that program, for example a serial monitor; the dial comes back by itself."
    )
    holder.close()
    wire.greet(late, 9)
    late.backend.stop()


def test_a_port_that_vanishes_while_it_opens_is_one_line(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal layer has an error of its own kind; it is told like any other and tried again."""

    def vanish(*arguments: object, **more: object) -> None:
        raise termios.error(errno.EIO, "Input/output error")

    monkeypatch.setattr(serial, "Serial", vanish)
    rig = Rig(SerialDial(wire.port), time.sleep)
    rig.backend.start()
    rig.until(lambda: rig.lost)
    assert rig.lost[0].trouble.line.startswith(f"{wire.port} cannot be opened: Input/output error.")
    monkeypatch.undo()
    wire.greet(rig, 4)
    rig.backend.stop()


def test_a_reader_that_dies_is_not_silence(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the reading thread ever end by itself, the room must end too and be started again."""

    def explode(named: str) -> tuple[str, None]:
        raise ZeroDivisionError

    monkeypatch.setattr(threading, "excepthook", lambda details: None)
    link = SerialDial("", explode)
    link.start()
    assert link._thread is not None
    link._thread.join(PATIENCE)
    with pytest.raises(RuntimeError, match="has ended"):
        link.poll()


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (serial.SerialException(errno.EACCES, "could not open port: Permission denied"), "no-permission"),
        (serial.SerialException(errno.EBUSY, "Device or resource busy"), "busy"),
        (serial.SerialException("Could not exclusively lock port: [Errno 11]"), "busy"),
        (serial.SerialException(errno.ENOENT, "No such file"), "no-port"),
        (OSError(errno.EIO, "Input/output error"), "broken-port"),
    ],
)
def test_why_a_port_does_not_open(wrong: OSError, code: str) -> None:
    """Each reason has its own line, with the port in it."""
    found = why_not("/dev/ttyACM7", wrong)
    assert found.code == code
    assert "/dev/ttyACM7" in found.line


def test_no_board_one_board_two_boards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Found by USB id; of two the first is read and both are mentioned; a named port must exist."""
    plugged: list[SimpleNamespace] = [SimpleNamespace(device="/dev/ttyUSB0", vid=0x1A86, pid=0x7523)]
    monkeypatch.setattr(serial_link.list_ports, "comports", lambda: plugged)
    port, remark = find_port("")
    assert (port, remark and remark.code) == ("", "no-board")
    plugged.append(SimpleNamespace(device="/dev/ttyACM1", vid=0x2E8A, pid=0x0005))
    assert find_port("") == ("/dev/ttyACM1", None)
    plugged.append(SimpleNamespace(device="/dev/ttyACM0", vid=0x2E8A, pid=0x0005))
    port, remark = find_port("")
    assert (port, remark and remark.params) == ("/dev/ttyACM0", {"count": 2, "port": "/dev/ttyACM0"})
    port, remark = find_port(str(tmp_path / "by-id"))
    assert (port, remark and remark.code) == ("", "no-port")


def test_two_boards_are_a_remark_not_an_end(wire: Wire) -> None:
    """The dial is read from one of them."""
    remark = serial_link.trouble("two-boards", count=2, port=wire.port)
    rig = Rig(SerialDial("", lambda named: (wire.port, remark)), time.sleep)
    rig.backend.start()
    wire.greet(rig, 6)
    assert isinstance(rig.reports[-2], PoweredOn)
    assert [report.trouble for report in rig.heard(Ailing)] == [remark]
    assert not rig.lost
    rig.backend.stop()


def test_unplugged_turned_and_plugged_in_again(line: Rig) -> None:
    """The board kept its power: the turn made meanwhile is known at once, and it is the same power-on."""
    cable: Cable = line.backend.board.cable
    line.turn(8)
    line.until(lambda: line.counts == 8)
    cable.unplug()
    line.until(lambda: line.lost)
    assert line.lost[-1].trouble.code == "unplugged"
    line.turn(20)
    cable.plug()
    line.until(lambda: line.counts == 28)
    powers = [report.power for report in line.heard(PoweredOn)]
    assert len(powers) == 2
    assert powers[0] == powers[1]


def test_a_board_that_resets_in_mid_game(line: Rig) -> None:
    """The real firmware starts anew: another power-on, counts from nothing, and turning goes on."""
    line.turn(40)
    line.until(lambda: line.counts == 40)
    line.backend.board.power_on()
    line.until(lambda: len(line.heard(PoweredOn)) == 2, 5.0)
    powers = [report.power for report in line.heard(PoweredOn)]
    assert powers[0] != powers[1]
    assert line.counts == 0
    line.turn(4)
    line.until(lambda: line.counts == 4)


def test_the_ring_of_the_real_firmware_lights_and_goes_dark(line: Rig) -> None:
    """Pixels arrive as sent; when the host has been silent for seconds the board turns the ring off."""
    ring = [(i, 2 * i, 3 * i) for i in range(24)]
    shown = b""
    line.backend.show(ring)

    def arrived() -> bool:
        nonlocal shown
        shown = line.backend.board.lights() or shown
        return bool(shown)

    line.until(arrived)
    assert shown[-72:] == b"".join(bytes(colour) for colour in ring)
    line.backend.board.cable.unplug()
    until(lambda: line.backend.board.lights()[-72:] == bytes(72), 20, "a dark ring")
