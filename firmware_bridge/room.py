"""The room's loop: what the dial did goes out on `sensor/dial`, commands come in, the ring shows the lamp."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import Any

import msgspec

from companion.game import Text
from companion.wire.config import Config, DialConfig
from companion.wire.messages import Answer, DialSeen, Do, Knob, Lamp, Refusal, State, VirtualTruth
from companion.wire.room import Room
from firmware_bridge.backend import (
    REST,
    Ailing,
    Backend,
    Colour,
    Indexed,
    Lost,
    Moved,
    PoweredOn,
    Pressed,
    Released,
    Report,
    Turnable,
)
from firmware_bridge.dial import Dial, Shape
from firmware_bridge.knob import NOTCHES, Button
from firmware_bridge.lamp import pixels
from firmware_bridge.memory import memory_file, read_memory, write_memory
from firmware_bridge.sources import open_backend
from firmware_bridge.troubles import Trouble, trouble

PERIOD = 1.0
"""The room's own loop only feeds the watchdog and takes commands."""
TURNING_PAUSE = 0.01
BROWSING_PAUSE = 0.05
GAP = 0.051
"""At most twenty messages in any second."""
HEALTH_EVERY = 5.0
REMEMBERED = 64
TREMBLE = 0.06
STUCK = 10.0


def shape_of(config: DialConfig, positions: int | None = None) -> Shape:
    """The mechanism as the settings describe it."""
    return Shape(
        counts_per_turn=config.counts_per_revolution * config.gear,
        positions=positions or config.positions,
        reverse=config.reverse,
        settle=config.settle_ms / 1000,
    )


class Bridge:
    """Joins a back end, the dial and the corridor.

    A thread waits for the back end and says at once what happened; commands come in on the room's own thread. One lock
    keeps them apart. Waiting instead of asking keeps the room at rest idle and its first word quick.
    """

    def __init__(self, room: Room, backend: Backend | None = None) -> None:
        self.room, self.config = room, room.config.dial
        self.backend = backend or open_backend(self.config)
        self._file = memory_file(room.config)
        self._kept = read_memory(self._file)
        self.browses, self.button = self.config.browse, Button()
        self.dial = Dial(shape_of(self.config, NOTCHES if self.browses else None), self._kept)
        self.sent = 0
        self._said: DialSeen | None = None
        self._turned: Knob | None = None
        self._said_at = -GAP
        self._round = time.monotonic()
        self._placed = False
        self._unsaid = True
        self._trembling = 0.0
        self._armed = False
        self._ill: Trouble | None = None
        self._lamp: Lamp | None = None
        self._ring: tuple[Colour, ...] = ()
        self._health_due = 0.0
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._lock = threading.RLock()
        self._news = threading.Event()
        self._stop = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="dial-watch", daemon=True)
        self.backend.wake = self.wake
        bus = room.bus
        bus.subscribe("do/firmware_bridge", self._asked)
        bus.subscribe("lamp", self._lamp_said)
        bus.subscribe("state", self._state_said)
        if isinstance(self.backend, Turnable):
            bus.subscribe("virtual/table", self._truth)

    # -- waiting

    def start(self) -> None:
        """Open the back end and wait for what it tells."""
        self.backend.start()
        self._watcher.start()

    def stop(self) -> None:
        """Wait no more, and close the back end."""
        self._stop.set()
        self.wake()
        self._watcher.join(2.0)
        self.backend.stop()

    def wake(self) -> None:
        """Something happened; cheap, because it is called for every edge."""
        if not self._news.is_set():
            self._news.set()

    def _watch(self) -> None:
        while not self._stop.is_set():
            self._news.clear()
            with self._lock:
                self._round = time.monotonic()
                self.step(self._round)
                pause = self._patience()
            if pause <= TURNING_PAUSE:
                self._stop.wait(pause)  # edges come by the thousand now: no need to look at each by itself
            else:
                self._news.wait(pause)

    def _patience(self) -> float:
        """How long until something is due even if nothing happens."""
        if not self.dial.resting or self._unsaid:
            return min(TURNING_PAUSE, self.backend.patience())
        if self.button.down:
            return min(BROWSING_PAUSE, self.backend.patience())
        return min(self.backend.patience(), 0.25 if self._lamp and self._lamp.warning else REST)

    def check(self, now: float) -> None:
        """Called by the room's loop, which feeds the watchdog: without the thread this room is no use."""
        if not self._watcher.is_alive() or now - self._round > STUCK:
            raise RuntimeError("the thread that watches the dial has ended or hangs")

    # -- one round

    def step(self, now: float) -> None:
        """Take what happened, say what changed."""
        for report in self.backend.poll():
            self._take(report)
        self.dial.tick(self.backend.now())
        self.button.tick(self.backend.now())
        (self._say_turned if self.browses else self._say)(now)
        self._light(now)
        if now >= self._health_due:
            self._health_due = now + HEALTH_EVERY
            self._health()

    def _take(self, report: Report) -> None:
        dial = self.dial
        match report:
            case Moved(ts, counts, impossible):
                dial.moved(ts, counts, impossible)
            case Indexed(_, counts):
                dial.indexed(counts)
            case PoweredOn(ts, power, counts, impossible):
                dial.power_on(ts, power, counts, impossible)
                self._complain(dial.trouble)
            case Pressed(ts):
                self.button.pressed(ts)
                if not self.browses:
                    self._pressed()
            case Released(ts):
                self.button.released(ts)
            case Lost(why):
                dial.lost(why)
                self._complain(why)
            case Ailing(why):
                self._complain(why)

    def _complain(self, why: Trouble | None) -> None:
        """One line for each new trouble, in the log and in `health`."""
        if why == self._ill:
            return
        self._ill = why
        if why is not None:
            (self.room.log.info if why.code == "none" else self.room.log.warning)("dial: %s", why.line)
        self._health()

    def _health(self) -> None:
        shown = None if self._ill is None or self._ill.code == "none" else self._ill
        self.room.health(
            shown.say if shown else None,
            shown.do if shown else None,
            source=self.config.source,
            sent=self.sent,
            **{"impossible": self.dial.impossible, **self.backend.figures()},
        )

    def _say(self, now: float) -> None:
        """Publish what changed: at once after a rest, at most twenty times a second, the last word always."""
        seen = self.dial.seen()
        self._unsaid = self._said is None or msgspec.structs.replace(seen, ts=self._said.ts) != self._said
        if not self._unsaid:
            self._trembling = now
        if not self._unsaid or now - self._said_at < GAP or (self._slight(seen) and now - self._trembling < TREMBLE):
            return
        self._unsaid = False
        self._said, self._said_at = seen, now
        self.sent += 1
        self.room.bus.publish("sensor/dial", seen)
        if seen.state in ("ready", "unconfirmed") and self.dial.resting:
            self._keep()

    def _say_turned(self, now: float) -> None:
        """While it browses: turns and presses as they are. Where it stands means nothing, so there is no dial for the game."""
        turned = self.button.seen(self.dial.seen().turns)
        self._unsaid = turned != self._turned
        if self._said is None:
            self._said = DialSeen(state="no dial", ts=self.dial.seen().ts, say=Text("dial/browses"))
            self.room.bus.publish("sensor/dial", self._said)
        if self._unsaid and now - self._said_at >= GAP:
            self._turned, self._said_at, self._unsaid = turned, now, False
            self.sent += 1
            self.room.bus.publish("sensor/knob", turned)

    def _slight(self, seen: DialSeen) -> bool:
        """Less than a movement so far: perhaps a hand that touches the dial, perhaps the first edge of a turn."""
        said = self._said
        if said is None or not self.dial.resting:
            return False
        return msgspec.structs.replace(seen, ts=said.ts, counts=said.counts, angle=said.angle) == said

    def _keep(self) -> None:
        memory = self.dial.memory()
        if memory != self._kept:
            self._kept = memory
            write_memory(self._file, memory)

    def _light(self, now: float) -> None:
        leds = min(self.config.leds or self.backend.leds, self.backend.leds)
        if self._lamp is None or not leds:
            return
        ring = pixels(self._lamp, leds, self.dial.shape.positions, now)
        if ring != self._ring:
            self._ring = ring
            self.backend.show(ring)

    # -- what others say

    def _lamp_said(self, topic: str, lamp: Lamp) -> None:
        with self._lock:
            self._lamp = lamp
        self.wake()

    def _state_said(self, topic: str, state: State) -> None:
        """Another game may have another number of notches; between games the last one's stay."""
        if self.browses:
            return
        positions = state.dial.notches if state.dial is not None else self.config.positions
        with self._lock:
            if positions != self.dial.shape.positions:
                self.dial.reshape(shape_of(self.config, positions))
        self.wake()

    def _truth(self, topic: str, truth: VirtualTruth) -> None:
        """Where the virtual table says the dial stands.

        The first time it stood there already, for it does not turn back when this room restarts; after that it turns.
        """
        if not isinstance(self.backend, Turnable):
            return
        with self._lock:
            if self._placed or self.dial.confirmed:
                self.backend.aim(truth.dial)
            else:
                self.backend.place(truth.dial)
            self._placed = True

    def _pressed(self) -> None:
        """The button: the zero when one was asked for or none was ever set, else "yes, it stands as shown"."""
        if not self.dial.present:
            return
        if self._armed or not self.dial.zeroed:
            self.dial.set_zero()
        elif not self.dial.confirmed:
            self.dial.confirm()
        self._armed = False
        self._settled_by_hand()

    def _settled_by_hand(self) -> None:
        self._complain(None)
        self._keep()

    def _asked(self, topic: str, do: Do) -> None:
        """A command; the same id again gets the same answer and does nothing."""
        with self._lock:
            answer = self._answers.get(do.id) or self._answer(do)
        self.room.bus.publish(f"answer/{do.client}", answer)
        self.wake()

    def _answer(self, do: Do) -> Answer:
        wrong = self._carry_out(do.command, do.args)
        refusal = Refusal(code=f"dial/{wrong.code}", say=wrong.say, do=wrong.do) if wrong else None
        seen = self.dial.seen()
        result = {"state": seen.state, "position": seen.position, "positions": seen.positions}
        answer = Answer(id=do.id, ok=wrong is None, refusal=refusal, result=result)
        self._answers[do.id] = answer
        if len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        return answer

    def _carry_out(self, command: str, args: dict[str, Any]) -> Trouble | None:
        if command in ("set zero", "confirm"):
            return self._settle(command, args)
        if command == "positions":
            return self._positions(args.get("n"))
        if command in ("turn", "press"):
            return self._by_program(command, args)
        if (
            command == "restart"
        ):  # another dial was chosen: whoever keeps this room alive starts it with the new settings
            self.room.stopping = True
            return None
        return trouble("unknown-command", command=command[:40])

    def _settle(self, command: str, args: dict[str, Any]) -> Trouble | None:
        dial = self.dial
        if not dial.present:
            return trouble("away")
        if command == "set zero" and args.get("press") is True:
            self._armed = True
            return None
        if not dial.resting:
            return trouble("moving")
        if command == "set zero":
            dial.set_zero()
        else:
            position = args.get("position")
            if position is not None and not _whole(position, 0, dial.shape.positions - 1):
                return trouble("bad-value", value=str(position)[:20], low=0, high=dial.shape.positions - 1)
            dial.confirm(position)
        self._settled_by_hand()
        return None

    def _positions(self, n: Any) -> Trouble | None:
        if not _whole(n, 2, 60):
            return trouble("bad-value", value=str(n)[:20], low=2, high=60)
        self.dial.reshape(shape_of(self.config, n))
        return None

    def _by_program(self, command: str, args: dict[str, Any]) -> Trouble | None:
        """A virtual dial can be turned from the screen."""
        if not isinstance(self.backend, Turnable):
            return trouble("not-virtual")
        if command == "press":
            self.backend.press(hold=args.get("hold") is True)
            return None
        notches = args.get("notches", 1)
        if not _whole(notches, -60, 60):
            return trouble("bad-value", value=str(notches)[:20], low=-60, high=60)
        self.turn(notches)
        return None

    def turn(self, notches: int) -> None:
        """Turn a virtual dial to the middle of another notch."""
        if isinstance(self.backend, Turnable):
            with self._lock:
                going_to = self.backend.target
                self.backend.nudge(self.dial.counts_to(notches, going_to) - going_to)


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def run(config: Config | None = None) -> None:
    """The room, until it is told to stop."""
    with Room("firmware_bridge", config) as room:
        bridge = Bridge(room)
        bridge.start()
        try:
            room.run(bridge.check, PERIOD)
        finally:
            bridge.stop()
