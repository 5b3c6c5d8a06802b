"""A board that is not there, at the level of the serial line: the real firmware under MicroPython's unix port.

The firmware's own `main.py` runs unchanged; only `machine` and `neopixel` are stand-ins (`pico/virtual/`). Its serial
line goes over a cable that has the speed of a real one and can be damaged, unplugged and plugged in again.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pty
import random
import select
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.wire.config import DialConfig
from firmware_bridge.backend import REST, Colour, Lost, Report, nobody
from firmware_bridge.serial_link import SerialDial
from firmware_bridge.troubles import trouble
from firmware_bridge.virtual import BUSY, HELD, PRESS, Hand, HandTurned

PICO = Path(__file__).parent / "pico"
BYTES_PER_SECOND = 115_200 / 10
OPEN = 0b1111
"""All contacts open, all pins high: A, B, button, index."""

Damage = Callable[[bytes], bytes]


def board_levels(levels: int, rest: int = OPEN & ~3) -> int:
    """All pins as the stand-in reads them: A is its lowest bit, B the next."""
    return rest | (levels >> 1 & 1) | (levels & 1) << 1


def micropython_here() -> bool:
    """MicroPython's unix port can be started."""
    return importlib.util.find_spec("micropython_module") is not None


class Cable:
    """Carries bytes between the board and a pseudo terminal at the speed of a real line."""

    def __init__(self, board: int, damage: Damage | None = None) -> None:
        self._board = board
        self.damage = damage
        self._folder = tempfile.TemporaryDirectory(prefix="tableside-dial-")
        self.port = str(Path(self._folder.name) / "board")
        self._host = -1
        self._stop = False
        self._reading, self._writing = threading.Lock(), threading.Lock()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._upward, self._downward)]
        self.plug()
        for thread in self._threads:
            thread.start()

    def plug(self) -> None:
        """Put the cable in: the port appears."""
        master, slave = pty.openpty()
        tty.setraw(slave)
        Path(self.port).symlink_to(os.ttyname(slave))
        self._host, self._slave = master, slave

    def unplug(self) -> None:
        """Pull the cable out: the port is gone, with whatever was on its way."""
        Path(self.port).unlink()
        host, self._host = self._host, -1
        with self._reading, self._writing:  # nobody may still use a number the next open file will get
            os.close(self._slave)
            os.close(host)

    def _upward(self) -> None:
        """Board to host; a cable that does damage does it to whole frames."""
        held = b""
        while not self._stop:
            held += _read(self._board)
            if self.damage is None:
                _pace(len(held))
                self._put(held)
                held = b""
            while self.damage is not None and b"\0" in held:
                whole, _, held = held.partition(b"\0")
                sent = self.damage(whole + b"\0") if whole else b"\0"
                _pace(len(sent))
                self._put(sent)

    def _downward(self) -> None:
        while not self._stop:
            with self._reading:
                data = _read(self._host) if self._host >= 0 else b""
            if not data:
                time.sleep(0.02)
                continue
            _pace(len(data))
            with contextlib.suppress(OSError):
                os.write(self._board, data)

    def _put(self, data: bytes) -> None:
        if not data:
            return
        with self._writing, contextlib.suppress(OSError, ValueError):
            # a host that does not read must not hold the board up
            if self._host >= 0 and select.select((), (self._host,), (), 0)[1]:
                os.write(self._host, data)

    def close(self) -> None:
        """End both directions."""
        self._stop = True
        if self._host >= 0:
            self.unplug()
        for thread in self._threads:
            thread.join(1.0)
        self._folder.cleanup()


def _read(fd: int) -> bytes:
    """What is there, waiting a little for the first byte; nothing when the other end is gone."""
    try:
        ready = select.select((fd,), (), (), 0.1)[0]
        return os.read(fd, 64) if ready else b""
    except (OSError, ValueError):
        time.sleep(0.02)
        return b""


def _pace(size: int) -> None:
    time.sleep(size / BYTES_PER_SECOND)


class VirtualBoard:
    """A process that runs the firmware; its pins are a pipe, its serial line a pseudo terminal."""

    def __init__(self, damage: Damage | None = None, board_id: str = "virtual") -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self._id = board_id
        self.levels = OPEN
        self._lights, self._lights_in = os.pipe()
        os.set_blocking(self._lights, False)
        os.set_blocking(self._lights_in, False)
        self._world = -1
        self._process: subprocess.Popen[bytes] | None = None
        self.power_on()
        self.cable = Cable(self._master, damage)

    def power_on(self) -> None:
        """Start the firmware from nothing, as a reset does; the dial stays where it is."""
        self.power_off()
        ours, self._world = os.pipe()
        os.set_blocking(ours, False)
        environment = {
            **os.environ,
            "MICROPYPATH": f"{PICO}:{PICO / 'virtual'}:.frozen",
            "TABLESIDE_WORLD": str(ours),
            "TABLESIDE_LIGHTS": str(self._lights_in),
            "TABLESIDE_BOARD": self._id,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "micropython", str(PICO / "main.py")],
            stdin=self._slave,
            stdout=self._slave,
            stderr=subprocess.DEVNULL,
            pass_fds=(ours, self._lights_in),
            env=environment,
            cwd=PICO,
        )
        os.close(ours)
        os.write(self._world, bytes([self.levels]))

    def power_off(self) -> None:
        """Take the power away."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._world >= 0:
            os.close(self._world)
            self._world = -1

    def drive(self, levels: Sequence[int]) -> None:
        """Put all pins to each of these levels in turn."""
        if not levels:
            return
        self.levels = levels[-1]
        with contextlib.suppress(BrokenPipeError):
            os.write(self._world, bytes(levels))

    def lights(self) -> bytes:
        """What the ring was last told to show; empty when nothing new."""
        try:
            return os.read(self._lights, 65536)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """No process, no terminal, no pipe is left."""
        self.power_off()
        self.cable.close()
        for fd in (self._master, self._slave, self._lights, self._lights_in):
            os.close(fd)


class VirtualSerialDial(HandTurned):
    """The serial back end with the real firmware at the other end."""

    def __init__(
        self,
        config: DialConfig,
        damage: Damage | None = None,
        bounce: random.Random | None = None,
        pace: float | None = None,
    ) -> None:
        self.hand = Hand(pace or config.virtual_pace * config.counts_per_revolution, bounce)
        self._damage = damage
        self._wake = nobody
        self.board: VirtualBoard | None = None
        self.link: SerialDial | None = None
        self._release = 0.0

    def start(self) -> None:
        """Start the firmware and plug it in."""
        if micropython_here():
            self.board = VirtualBoard(self._damage)
            self.link = SerialDial(self.board.cable.port)
            self.link.wake = self._wake
            self.link.start()

    def press(self, *, hold: bool = False) -> None:
        """Press the button and let go a moment later, or a longer moment."""
        if self.board:
            self.board.drive([self.board.levels & ~4])
            self._release = time.monotonic() + (HELD if hold else PRESS)

    def index(self) -> None:
        """Close the index switch and open it again."""
        if self.board:
            self.board.drive([self.board.levels & ~8, self.board.levels | 8])

    def turn_now(self) -> None:
        """Make every edge that is due."""
        if self.board is None:
            return
        now = time.monotonic()
        rest = self.board.levels & ~3
        self.board.drive([board_levels(levels, rest) for _, levels in self.hand.due(now)])
        if self._release and now >= self._release:
            self.board.drive([self.board.levels | 4])
            self._release = 0.0

    def poll(self) -> Sequence[Report]:
        """Turn what is due, then read the line as if it were real."""
        if self.link is None:
            return (Lost(trouble("no-micropython")),)
        self.turn_now()
        return self.link.poll()

    @property
    def wake(self) -> Callable[[], None]:
        """Whom the line calls."""
        return self._wake

    @wake.setter
    def wake(self, call: Callable[[], None]) -> None:
        self._wake = call
        if self.link:
            self.link.wake = call

    def patience(self) -> float:
        """None while the hand turns: it is moved by `poll`."""
        return BUSY if self.hand.busy or self._release else REST

    @property
    def leds(self) -> int:
        """As many as the firmware was built for."""
        return self.link.leds if self.link else 0

    def now(self) -> float:
        """The board's clock."""
        return self.link.now() if self.link else 0.0

    def show(self, pixels: Sequence[Colour]) -> None:
        """Light the ring that is not there."""
        if self.link:
            self.link.show(pixels)

    def figures(self) -> dict[str, float | int | str | bool]:
        """As of the line, and that it is virtual."""
        return {**(self.link.figures() if self.link else {}), "virtual": True}

    def stop(self) -> None:
        """Unplug it and take its power away."""
        if self.link:
            self.link.stop()
        if self.board:
            self.board.close()
