"""The encoder on a board of its own, over a serial line (pyserial).

A thread waits for bytes and queues whole frames with the time they came; the rest happens in `poll`. The board's counts
are absolute: whatever is lost on the way, the next frame tells it all.
"""

from __future__ import annotations

import errno
import queue
import termios
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import serial
from serial.tools import list_ports

from firmware_bridge.backend import (
    REST,
    Ailing,
    Colour,
    Indexed,
    Lost,
    Moved,
    PoweredOn,
    Pressed,
    Released,
    Report,
    nobody,
)
from firmware_bridge.permission import no_permission
from firmware_bridge.pico import frames
from firmware_bridge.troubles import Trouble, trouble

BAUD = 115_200
# Raspberry Pi boards with MicroPython, with CircuitPython's bootloader, and the debug probe's serial line
USB_IDS = ((0x2E8A, 0x0005), (0x2E8A, 0x000A), (0x2E8A, 0x0003))
RETRY = 0.5
PATIENT_AFTER = 20
PATIENT_RETRY = 2.0
HELLO_EVERY = 0.5
SILENT = 3.0
BEAT_EVERY = 1.0
LIGHT_EVERY = 2.0
NOISY = 20
NOISE_WINDOW = 10.0
CLOCK_MS = 1 << 30
PER_FRAME = 80


class Came(msgspec.Struct, frozen=True):
    """A frame and when it came."""

    at: float
    kind: int
    number: int
    body: bytes


class Board(msgspec.Struct, frozen=True):
    """Who the board says it is."""

    firmware: tuple[int, int, int]
    leds: int
    boot: int
    board: str

    @property
    def power(self) -> str:
        """This power-on of this board."""
        return f"{self.board}-{self.boot:08x}"


def find_port(named: str) -> tuple[str, Trouble | None]:
    """The port to open, and what should be said about it; `""` when there is none."""
    if named:
        return (named, None) if Path(named).exists() else ("", trouble("no-port", port=named))
    found = sorted(p.device for p in list_ports.comports() if (p.vid, p.pid) in USB_IDS)
    if not found:
        return "", trouble("no-board")
    return found[0], trouble("two-boards", count=len(found), port=found[0]) if len(found) > 1 else None


def why_not(port: str, wrong: OSError) -> Trouble:
    """A port that does not open, in words."""
    code = wrong.errno
    if code == errno.EACCES or isinstance(wrong, PermissionError) or "Permission" in str(wrong):
        return no_permission(port, "dialout")
    if code in (errno.EBUSY, errno.EAGAIN) or "lock" in str(wrong):
        return trouble("busy", port=port)
    if code in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return trouble("no-port", port=port)
    return trouble("broken-port", port=port, why=(wrong.strerror or str(wrong)).rstrip(".")[:120])


class SerialDial:
    """The dial's board at the other end of a cable."""

    def __init__(self, port: str = "", find: Callable[[str], tuple[str, Trouble | None]] = find_port) -> None:
        self.wake = nobody
        self._named, self._find = port, find
        self._inbox: queue.SimpleQueue[Came | Trouble] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._serial: serial.Serial | None = None
        self._write_lock = threading.Lock()
        self.board: Board | None = None
        self._counts: tuple[int, ...] | None = None
        self._number = 0
        self._seq: int | None = None
        self._clock = (0.0, 0, 0.0)
        self._beat = self._lit = self._asked = 0.0
        self._noise, self._noisy = (0.0, 0), False
        self._remark: Trouble | None = None
        self._pixels: tuple[Colour, ...] = ()
        self._said: Trouble | None = None
        self.lost = 0
        self.bad = 0

    # -- the thread: open, read, queue

    def start(self) -> None:
        """Look for the board in the background, for as long as it takes."""
        self._thread = threading.Thread(target=self._work, name="dial-serial", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        tries = 0
        while not self._stop.is_set():
            port, remark = self._find(self._named)
            if remark:
                self._queue(remark)
            if port:
                try:
                    with serial.Serial(port, BAUD, timeout=0.25, write_timeout=0.5, exclusive=True) as line:
                        self._serial = line
                        self._listen(line, port)
                except (OSError, termios.error) as wrong:  # SerialException is an OSError, the terminal's own is not
                    known = wrong if isinstance(wrong, OSError) else OSError(*wrong.args)
                    self._queue(trouble("unplugged") if self._serial else why_not(port, known))
                finally:
                    tries = 0 if self._serial else tries
                    self._serial = None
            tries += 1
            self._stop.wait(RETRY if tries < PATIENT_AFTER else PATIENT_RETRY)

    def _queue(self, item: Came | Trouble) -> None:
        self._inbox.put(item)
        self.wake()

    def _listen(self, line: serial.Serial, port: str) -> None:
        """Queue frames until the line breaks; ask who is there for as long as nobody says so."""
        splitter = frames.Splitter()
        heard = asked = time.monotonic()
        greeted = told = False
        self._send(frames.ASK_HELLO)
        while not self._stop.is_set():
            data = line.read(1)
            data += line.read(line.in_waiting) if data else b""
            now = time.monotonic()
            bad = splitter.bad
            for kind, number, body in splitter.feed(data):
                if kind == frames.HELLO:
                    greeted, told = True, False
                heard = now if greeted else heard
                self._queue(Came(now, kind, number, body))
            self.bad += splitter.bad - bad
            if splitter.strange and not told:
                told = True
                self._queue(trouble("version", theirs=splitter.version, ours=frames.PROTOCOL))
            elif now - heard > SILENT and not told:
                # never greeted, or no heartbeat any more
                greeted, told = False, True
                self._queue(trouble("silent", port=port))
            if not greeted and now - asked > HELLO_EVERY:
                asked = now
                self._send(frames.ASK_HELLO)
            if not Path(port).exists():
                raise OSError(errno.ENODEV, "gone")

    def _send(self, kind: int, body: bytes = b"") -> None:
        line = self._serial
        if line is None:
            return
        with self._write_lock:
            self._number = (self._number + 1) & 0xFFFF
            try:
                line.write(frames.frame(kind, self._number, body))
            except (OSError, serial.SerialTimeoutException):
                return  # the reader will notice that the board is gone

    # -- the room's side

    def poll(self) -> Sequence[Report]:
        """Everything the board has told since."""
        if self._thread is not None and not self._thread.is_alive() and not self._stop.is_set():
            raise RuntimeError("the thread that reads the dial's board has ended")
        news: list[Report] = []
        while True:
            try:
                item = self._inbox.get_nowait()
            except queue.Empty:
                break
            if isinstance(item, Came):
                try:
                    self._came(item, news)
                except ValueError:
                    self.bad += 1
            else:
                self._troubled(item, news)
        self._keep_in_touch()
        self._listen_for_noise(news)
        return news

    def _listen_for_noise(self, news: list[Report]) -> None:
        since, bad = self._noise
        now = time.monotonic()
        if now - since < NOISE_WINDOW:
            return
        noisy = self.bad - bad >= NOISY and bool(since)
        self._noise = (now, self.bad)
        if noisy != self._noisy:
            self._noisy = noisy
            news.append(Ailing(trouble("noisy") if noisy else self._remark))

    def _troubled(self, what: Trouble, news: list[Report]) -> None:
        if what == self._said:
            return
        self._said = what
        if what.code == "two-boards":
            self._remark = what  # told once the dial is read, so that good news does not cover it
            return
        self.board = None if what.code != "version" else self.board
        news.append(Lost(what))

    def _came(self, came: Came, news: list[Report]) -> None:
        if self._seq is not None:
            self.lost += min((came.number - self._seq - 1) & 0xFFFF, 1000)
        self._seq = came.number
        if came.kind == frames.HELLO:
            firmware, leds, boot, board = frames.unpack_hello(came.body)
            new = Board(firmware, leds, boot, board.hex())
            if new != self.board:
                self.board, self._counts, self._said, self._seq = new, None, None, came.number
                self._clock, self._lit = (0.0, 0, 0.0), 0.0
        elif came.kind == frames.COUNTS:
            told = frames.unpack_counts(came.body)
            if self.board is not None and told[8] == self.board.boot & 0xFFFF:
                self._counted(came, told, news)
            elif came.at - self._asked > HELLO_EVERY:
                # it has restarted and its greeting was lost: its counts mean nothing until it says who it is
                self._asked = came.at
                self._send(frames.ASK_HELLO)

    def _counted(self, came: Came, told: tuple[int, ...], news: list[Report]) -> None:
        ms, counts, impossible, edge_ms, presses, down, indexed, index_counts, _ = told
        ts, last_ms, _ = self._clock
        ts = ts + ((ms - last_ms) % CLOCK_MS) / 1000 if self._counts else ms / 1000
        self._clock = (ts, ms, came.at)
        edge = ts - ((ms - edge_ms) % CLOCK_MS) / 1000
        before, self._counts = self._counts, told
        if before is None:
            power = self.board.power if self.board else ""
            news.append(PoweredOn(ts, power, counts, impossible))
            if self._remark:
                news.append(Ailing(self._remark))
            return
        if indexed != before[6]:
            news.append(Indexed(edge, index_counts))
        if (counts, impossible) != (before[1], before[2]):
            news.append(Moved(edge, counts, impossible))
        if presses != before[4]:
            news.append(Pressed(ts))
        if not down and (presses != before[4] or before[5]):
            news.append(Released(ts))

    def _keep_in_touch(self) -> None:
        now = time.monotonic()
        if self._serial is None or self.board is None:
            return
        if now - self._beat > BEAT_EVERY:
            self._beat = now
            self._send(frames.BEAT)
        if self._pixels and now - self._lit > LIGHT_EVERY:
            self._light()

    def _light(self) -> None:
        self._lit = time.monotonic()
        ring = self._pixels[: self.board.leds] if self.board else ()
        for at in range(0, len(ring), PER_FRAME):
            body = bytes([at]) + b"".join(bytes(colour) for colour in ring[at : at + PER_FRAME])
            self._send(frames.LIGHT, body)

    def patience(self) -> float:
        """The line calls by itself; beats and lights want their time."""
        return REST

    @property
    def leds(self) -> int:
        """As many as the board says it has."""
        return self.board.leds if self.board else 0

    def now(self) -> float:
        """The board's clock, carried on by ours since it last spoke."""
        ts, _, heard = self._clock
        return ts + (time.monotonic() - heard) if heard else 0.0

    def show(self, pixels: Sequence[Colour]) -> None:
        """Light the ring now, and again every now and then in case it was not heard."""
        self._pixels = tuple(pixels)
        if self._serial is not None and self.board is not None and pixels:
            self._light()

    def figures(self) -> dict[str, float | int | str | bool]:
        """What the line does to us."""
        known: dict[str, float | int | str | bool] = {"frames_bad": self.bad, "frames_lost": self.lost}
        if self.board:
            known |= {"board": self.board.board, "firmware": ".".join(map(str, self.board.firmware))}
        return known

    def stop(self) -> None:
        """Close the port and wait for the thread."""
        self._stop.set()
        if self._thread:
            self._thread.join(2.0)
