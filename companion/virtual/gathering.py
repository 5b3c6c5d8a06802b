"""Everybody around a virtual table: what they hear, the voices they speak with, the pieces under their hands."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from companion.game import Die, Expected, SlotExpected
from companion.sensing import Mat, Toss
from companion.virtual.pieces import Lying, Pieces
from companion.virtual.seat import Voice, join
from companion.virtual.tray import Tray
from companion.virtual.waiting import Waiting
from companion.wire.bus import MqttBus
from companion.wire.config import Config
from companion.wire.messages import (
    Answer,
    DialSeen,
    Do,
    Health,
    JoinInfo,
    MarketSeen,
    Question,
    SlotSeen,
    State,
    VirtualTruth,
)

USUAL_NOTCHES = 6
SLOWLY = 20.0
"""Seconds in which even the camera of a very busy machine sees a hand come, or dice gone."""
STALLED = 90.0
"""Seconds after which the table will not follow any more; a busy machine is only late."""
HAND_GONE = 2.5
"""Seconds without a person's hand on the pieces after which nobody is in the middle of something."""
NOTICED = 5.0
"""Seconds a hand stays over the pieces until the camera has noticed it."""


class StalledError(Exception):
    """The table did not follow."""


def shown(state: State) -> bytes:
    """What a state shows of its game: the pack's view and its panels."""
    return msgspec.json.encode((state.view, state.panels))


class Ears:
    """What everybody at the table can hear."""

    def __init__(self, bus: MqttBus) -> None:
        self.bus = bus
        self.state: State | None = None
        self.market: MarketSeen | None = None
        self.looks = 0
        """Readings of a table at rest so far."""
        self.health: dict[str, Health] = {}
        self.views: list[bytes] = []
        bus.subscribe("state", self._state)
        bus.subscribe("sensor/market", self._market)
        bus.subscribe("health/+", self._healthy)

    @property
    def question(self) -> Question | None:
        """What the table asks because it is not sure."""
        prompt = self.state.prompt if self.state is not None else None
        return prompt.question if prompt is not None else None

    @property
    def row(self) -> int | None:
        """The row of the present prompt: a phone says which question it answers."""
        return self.state.seq if self.state is not None else None

    @property
    def blind(self) -> bool:
        """The camera says itself that it sees nothing."""
        return self.market is not None and self.market.state in ("too dark", "no camera")

    @property
    def frames(self) -> int:
        """Pictures the camera's room has looked at, as far as it told."""
        vision = self.health.get("vision")
        return int(vision.figures.get("frames", 0)) if vision else 0

    @property
    def told_off(self) -> bool:
        """The screen says what differs, or asks."""
        notices = self.state.notices if self.state is not None else ()
        return self.question is not None or any(notice.id.startswith("differs") for notice in notices)

    def _state(self, topic: str, message: Any) -> None:
        self.state = message
        self.views.append(shown(message))

    def _market(self, topic: str, message: Any) -> None:
        self.market = message
        self.looks += message.state == "ready"

    def _healthy(self, topic: str, message: Any) -> None:
        self.health[message.room] = message


class Gathering:
    """The screen's voice, a phone for every bot, and one pair of hands."""

    def __init__(
        self, config: Config, connect: Callable[[str], MqttBus], colours: list[str], chance: random.Random
    ) -> None:
        self.config, self.colours = config, colours
        self.ears = Ears(connect("virtual"))
        self.waiting = Waiting(
            self.ears.bus, camera=config.camera.source != "none", hand_rests=lambda: self.calm(HAND_GONE)
        )
        self.ears.bus.start()
        self.slowness = 1.0
        """How many times slower than a usual machine the table's may be: everybody waits so much longer."""
        self.join: JoinInfo | None = None
        screen = connect("host")
        screen.subscribe("join", self._shown)
        self.dial: DialSeen | None = None
        screen.subscribe("sensor/dial", self._turned)
        self.host = Voice(screen, "host", "touch")
        self.phones: dict[int, Voice] = {}
        self.pieces = Pieces(colours, chance, self._counts_per_notch(USUAL_NOTCHES))
        self._hand_leaves, self._preparing = 0.0, False
        self.touched_at = -1e9
        """When a person last had a hand on the pieces."""
        self.attend: Callable[[], None] = lambda: None
        """Called while everybody waits; raises when there is nothing to wait for any more."""
        self.ears.bus.subscribe("virtual/hand", self._touched)

    def _counts_per_notch(self, notches: int) -> int:
        return round(self.config.dial.counts_per_revolution * self.config.dial.gear / notches)

    def _shown(self, topic: str, message: Any) -> None:
        self.join = message

    def _turned(self, topic: str, message: Any) -> None:
        self.dial = message

    def leave(self) -> None:
        """Everybody goes home."""
        for voice in (self.host, *self.phones.values()):
            voice.bus.stop()
        self.ears.bus.stop()

    # waiting ---------------------------------------------------------------------------------------------------

    def wait(self, condition: Callable[[], Any], seconds: float) -> Any:
        """Listen until something is so; `None` when it is not in time."""
        end = time.monotonic() + seconds
        while True:
            self.ears.bus.pump(0.005)
            for voice in (self.host, *self.phones.values()):
                voice.bus.pump()
            self.attend()
            self.waiting.attend()
            now = time.monotonic()
            if self._hand_leaves and now > self._hand_leaves:
                self._hand_leaves = 0.0
                self.show()
            found = condition()
            if found or now > end:
                return found or None

    def need(self, condition: Callable[[], Any], seconds: float, what: str) -> Any:
        """The same, but it must be."""
        seconds *= self.slowness
        found = self.wait(condition, seconds)
        if found is None:
            raise StalledError(f"not within {seconds:.0f} s: {what}")
        return found

    def calm(self, seconds: float) -> bool:
        """No person has had a hand on the pieces for so long."""
        return time.monotonic() - self.touched_at > seconds

    def answered(self, name: str, seconds: float) -> Answer | None:
        """The table's word on what the host asked for, when it comes in time."""
        self.wait(lambda: name in self.host.answers, seconds)
        return self.host.answers.get(name)

    # set-up ----------------------------------------------------------------------------------------------------

    def sit(self, seat: int, name: str) -> None:
        """A bot's phone comes in with the code on the screen, which is then spent."""
        code = str(self.need(self._code, STALLED, "the join code"))
        self.phones[seat] = join(self.config, code, seat, name)
        self.need(lambda: self.phones[seat].bus.connected, STALLED, f"phone {seat}")
        self.need(lambda: self._code() != code, STALLED, "the next code")

    def _code(self) -> str:
        return self.join.code if self.join is not None else ""

    def prepare(self, expected: Expected, box: Sequence[str]) -> None:
        """Dial confirmed, colours taught. Nobody else's hand counts meanwhile: what it did would be learnt for good."""
        self._preparing = True
        self.set_zero(expected)
        self.teach_colours(expected, box)
        self.show()
        self._preparing = False

    def set_zero(self, expected: Expected) -> None:
        """The dial is unconfirmed after power-on: the player says where it stands."""
        if expected.dial is None or self.config.dial.source == "none":
            return
        self.pieces.counts_per_notch = self._counts_per_notch(expected.dial_positions)
        self.show()
        for _ in range(20):
            notch = expected.dial if self.pieces.shape is None else self.pieces.shape.notch(expected.dial)
            if self._ordered("firmware_bridge", "confirm", position=notch):
                self.pieces.start = notch - self.pieces.turns
                return
            self.wait(lambda: None, 0.2)
        raise StalledError("the dial could not be confirmed")

    def clear_table(self, colours: list[str]) -> None:
        """Every die and card back into the box, for another game perhaps of other colours."""
        self.colours[:] = colours
        self.pieces.slots.clear()
        self.pieces.standing.clear()

    def teach_colours(self, expected: Expected, box: Sequence[str] = ()) -> None:
        """As at any set-up: one die of each player on the empty mat, and the camera learns them under this lamp."""
        mat = self.pieces.mat
        if self.config.camera.source == "none" or not (expected.slots or (mat is not None and mat.spots)):
            return
        if mat is not None and mat.spots:
            self._teach_pieces(mat, list(box) or self.colours)
            return
        if mat is None or not any("player dice" in area.holds for area in mat.areas):
            return
        slots = [area.id for area in mat.in_reading_order() if "player dice" in area.holds]
        for seat, slot in zip(range(len(self.colours)), slots, strict=False):
            self.pieces.slots[slot] = ("", [Lying(Die(seat, 1), 0.5, 0.5, 10.0, 5)])
        for slot in slots[len(self.colours) :]:
            self.pieces.slots[slot] = ("", [])
        self.show()
        for _ in range(40):
            if self._ordered("vision", "calibrate", colours=self.colours):
                break
            self.wait(lambda: None, 0.5)
        self.pieces.slots = {slot: ("", []) for slot in slots}

    def _teach_pieces(self, mat: Mat, colours: list[str]) -> None:
        """The same on a board: one piece of every colour in the box on its first spots, then the tokens are laid."""
        for colour, spot in zip(colours, mat.spots_in_order(), strict=False):
            self.pieces.stand(spot.id, colour)
        self.show()
        for _ in range(40):
            if self._ordered("vision", "calibrate", colours=colours, fresh=True):
                break
            self.wait(lambda: None, 0.5)
        self.pieces.lay_tokens()

    def _ordered(self, room: str, command: str, **args: Any) -> bool:
        """A room did what the host ordered."""
        name = self.host.send(f"do/{room}", lambda name: Do(id=name, client="host", command=command, args=args))
        answer = self.answered(name, 3 * self.slowness)
        return answer is not None and answer.ok

    # hands -----------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Tell camera and dial how the table looks now."""
        self._lay(self.pieces.truth())

    def _lay(self, truth: VirtualTruth) -> None:
        self.waiting.laid(truth)
        self.ears.bus.publish("virtual/table", truth)

    def move_pieces(self, expected: Expected) -> float:
        """Hands do it; returns when the hand was gone."""
        gone = time.monotonic()
        for truth in self.pieces.perform(expected):
            if truth.hand is None:
                gone = time.monotonic()
            self._lay(truth)
            if truth.hand is not None:
                self._noticed(NOTICED * self.slowness)
        return gone

    def put_right(self, expected: Expected, gone: float) -> float:
        """What a person changed since our hand was gone, once theirs rests; returns when ours was gone last."""
        meddled = self.touched_at > gone and self.calm(HAND_GONE)
        return self.move_pieces(expected) if meddled else gone

    def put_back(self, expected: Expected, never_mind: Callable[[], bool]) -> None:
        """The same at once, and until it was seen: a die that was laid back unseen is not news when it is laid again."""
        lay = self.pieces.ts
        gone = self.move_pieces(expected)
        if self.pieces.ts != lay:
            self.wait(
                lambda: self.reported(expected) or self.touched_at > gone or never_mind(), NOTICED * self.slowness
            )

    def reported(self, expected: Expected) -> bool:
        """Camera and dial, as far as there are any, have told of the pieces as they should lie; of thrown dice nobody knows."""
        if self.config.dial.source != "none" and expected.dial is not None and self.dial is not None:
            stands = self.dial.position if self.pieces.shape is None else self.pieces.shape.said(self.dial.position)
            if self.dial.state != "ready" or stands != expected.dial:
                return False
        if self.config.camera.source == "none" or self.ears.blind:
            return True
        market = self.ears.market
        if market is None or market.state != "ready" or not expected.slots:
            return False
        seen = {slot.slot: slot for slot in market.slots}
        return all(self._read_so(seen[slot.slot], slot) for slot in expected.slots if slot.slot in seen)

    def _read_so(self, seen: SlotSeen, wanted: SlotExpected) -> bool:
        if wanted.piece is not None:
            return max(seen.pieces, key=lambda colour: seen.pieces[colour], default="") == wanted.piece
        dice = sorted((die.owner, 1 + die.faces.index(max(die.faces))) for die in seen.dice)
        card = None in (seen.card.card, wanted.card) or seen.card.card == wanted.card
        return card and dice == sorted((self.colours[die.owner], die.face) for die in wanted.dice)

    def _noticed(self, seconds: float) -> None:
        """A hand stays until the camera has seen it; one that is not there, or says that it sees nothing, is not waited for."""
        seen = ("hand", "settling", "too dark", "no camera")
        if self.config.camera.source != "none":
            self.wait(lambda: self.ears.market is not None and self.ears.market.state in seen, seconds)

    def throw(self, tray: Tray, toss: Toss, faces: tuple[int, ...]) -> float:
        """A hand picks the dice up, goes, and lets them fall; returns when they lay still."""
        if tray.all:
            self._reach(toss.area)
            tray.lift(toss)
            self._seen_bare(sum(map(len, toss.lying.values())))
        tray.throw(toss, faces)
        self.pieces.ts += 0.6
        self.show()
        return time.monotonic()

    def put_aside(self, tray: Tray, toss: Toss) -> float:
        """A hand moves what stays out of the way; returns when it was gone."""
        self._reach(toss.area)
        tray.put_aside(toss)
        self.pieces.hand = None
        self.pieces.ts += 0.6
        self.show()
        return time.monotonic()

    def board_moves_on(self, before: Expected, after: Expected) -> None:
        """Somebody told a move: tokens are taken. Where the game begins to watch the board, hands wait until it was seen bare."""
        self.pieces.take_tokens()
        if before.slots or not after.slots or self.pieces.mat is None or self.config.camera.source == "none":
            return

        def learnt() -> bool:
            slots = self.ears.market.slots if self.ears.market is not None else ()
            return 2 * sum(slot.pieces.get("", 0.0) >= 0.95 for slot in slots) > len(after.slots)

        self.wait(learnt, 10)

    def sees_the_mat(self) -> bool:
        """The camera has read every area of the mat that lies there, and no dice of a game before."""
        market, mat = self.ears.market, self.pieces.mat
        if market is None or mat is None or market.state != "ready":
            return False
        if sum(len(slot.dice) for slot in market.slots) != sum(len(dice) for _, dice in self.pieces.slots.values()):
            return False
        return {slot.slot for slot in market.slots} == {*(a.id for a in mat.areas), *(s.id for s in mat.spots)}

    def _reach(self, area: str) -> None:
        self.pieces.hand = dict(zip(("x", "y"), self.pieces.centre(area), strict=True))
        self.pieces.ts += 0.4
        self.show()
        self._noticed(SLOWLY)

    def _seen_bare(self, dice: int) -> None:
        """Whoever shakes dice has them off the mat for a while: the camera sees it without them."""
        self.pieces.hand = None
        self.pieces.ts += 0.6
        self.show()

        def bare() -> bool:
            market = self.ears.market
            return market is not None and market.state == "ready" and sum(len(s.dice) for s in market.slots) <= dice

        self.wait(bare, SLOWLY)

    def _touched(self, topic: str, message: Any) -> None:
        """Somebody reaches into the picture: a hand is seen, then what it did."""
        reached = self.pieces.centre(message.to or message.slot) if message.action != "dial" else None
        if self._preparing or not self.pieces.touched(message):
            return
        self.touched_at = time.monotonic()
        if reached is not None:
            self.pieces.hand = dict(zip(("x", "y"), reached, strict=True))
            self.show()
            self.pieces.hand, self._hand_leaves = None, time.monotonic() + 0.4
        self.pieces.ts += 0.6
        if reached is None:
            self.show()
