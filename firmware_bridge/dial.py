"""Counts become a place on the dial: pure, on the clock of the edges.

A notch is left only well past the middle (hysteresis), and stands only when the edges have been quiet for the settle
time. Where the zero is, nobody can know after power-on: until a player confirms, the dial is *unconfirmed*. Whether a
turn is right is the game's to judge, never ours.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from companion.wire.messages import DialSeen
from firmware_bridge.troubles import Trouble, trouble

HYSTERESIS = 0.12
TURNING = 0.08
SURE_WITHIN = 0.25
BETWEEN = 0.38


class Shape(msgspec.Struct, frozen=True):
    """The mechanism: how many counts make one turn of the dial, and how many notches it has."""

    counts_per_turn: float = 96.0
    positions: int = 6
    reverse: bool = False
    settle: float = 0.25

    @property
    def notch(self) -> float:
        """Counts from one notch to the next; seldom a whole number."""
        return self.counts_per_turn / self.positions

    @property
    def slack(self) -> float:
        """Counts a resting hand may tremble without the dial having moved."""
        return max(1.0, 0.02 * self.notch)


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept while the power is off."""

    place: float = 0.0
    """Counts clockwise of the zero."""
    raw: int = 0
    """What the counter said there."""
    power: str = ""
    """Which power-on of the counter that was."""
    confirmed: bool = False
    zeroed: bool = False
    """A player has set the zero at least once."""
    index: float | None = None
    """Where the index switch closes, in counts clockwise of the zero, folded to one turn."""


class Dial:
    """Where the dial stands, as far as we know."""

    def __init__(self, shape: Shape, memory: Memory | None = None) -> None:
        self.shape = shape
        self.confirmed = False
        self.zeroed = memory.zeroed if memory else False
        self.trouble: Trouble | None = None
        self.away: Trouble | None = None
        self.present = False
        self.impossible = 0
        self._memory = memory or Memory()
        self._place = self._memory.place
        self._index = self._memory.index
        self._power = ""
        self._raw = 0
        self._missed = 0
        self._notch = round(self._place / shape.notch)
        self._anchor = self._place
        self._edge = -math.inf
        self._now = 0.0

    # -- what the back end says

    def power_on(self, ts: float, power: str = "", counts: int = 0, impossible: int = 0) -> None:
        """A counter answers. The same power-on as before has missed nothing, any other one everything."""
        known = self.memory() if self._power else self._memory
        same = bool(power) and power == known.power
        self._place = known.place + (self._sign * (counts - known.raw) if same else 0)
        self.confirmed = known.confirmed and same
        restarted = bool(self._power) and not same
        self._power, self._raw, self.impossible = power or "?", counts, impossible
        self._missed = 0
        self.trouble = trouble("reset") if restarted else None
        self.present, self.away = True, None
        self._notch = round(self._place / self.shape.notch)
        self._anchor, self._edge, self._now = self._place, -math.inf, max(ts, 0.0)

    def lost(self, why: Trouble) -> None:
        """The counter cannot be read; what is known stays known."""
        self.present, self.away = False, why

    def moved(self, ts: float, counts: int, impossible: int = 0) -> None:
        """The counter stands at `counts`; its last edge was at `ts`."""
        self._now = max(self._now, ts)
        if impossible != self.impossible:
            self._missed += max(0, impossible - self.impossible)
            self.impossible = impossible
        if counts == self._raw:
            return
        self._place += self._sign * (counts - self._raw)
        self._raw = counts
        if abs(self._place - self._anchor) > self.shape.slack:
            self._anchor, self._edge = self._place, ts
        at = self._place / self.shape.notch
        if abs(at - self._notch) > 0.5 + HYSTERESIS:
            self._notch = round(at)

    def indexed(self, counts: int) -> None:
        """The index switch closed at `counts`: the one place that is known for certain, once it has been learnt."""
        turn = self.shape.counts_per_turn
        here = self._place + self._sign * (counts - self._raw)
        if self._index is None:
            if self.confirmed:
                self._index = here % turn
            return
        away = (here - self._index + turn / 2) % turn - turn / 2
        self._shift(-away)
        self.confirmed = self.zeroed
        self._missed, self.trouble = 0, None

    def tick(self, now: float) -> None:
        """Time goes on, on the clock of the edges."""
        self._now = max(self._now, now)

    # -- what people say

    def set_zero(self) -> None:
        """The dial stands at its zero now."""
        self._index = None if self._index is None else (self._index - self._place) % self.shape.counts_per_turn
        self._shift(-self._place)
        self.confirmed = self.zeroed = True
        self._missed, self.trouble = 0, None

    def confirm(self, position: int | None = None) -> None:
        """The dial stands at `position`, or where the screen shows it; it rests in a notch, so that is its middle."""
        notch = self._notch
        if position is not None:
            away = (position - notch) % self.shape.positions
            notch += away - self.shape.positions if away > self.shape.positions / 2 else away
        self._shift(notch * self.shape.notch - self._place)
        self.confirmed = self.zeroed = True
        self._missed, self.trouble = 0, None

    def reshape(self, shape: Shape) -> None:
        """Another dial on the same encoder, or another number of notches."""
        self.shape = shape
        self._notch = round(self._place / shape.notch)

    def _shift(self, counts: float) -> None:
        self._place += counts
        self._anchor += counts
        self._notch = round(self._place / self.shape.notch)

    # -- what we say

    @property
    def _sign(self) -> int:
        return -1 if self.shape.reverse else 1

    @property
    def state(self) -> Literal["starting", "no dial", "unconfirmed", "turning", "settling", "ready"]:
        """In a word."""
        if not self.present:
            return "no dial" if self.away else "starting"
        if not self.confirmed or self._doubtful:
            return "unconfirmed"
        quiet = self._now - self._edge
        if quiet < min(TURNING, self.shape.settle / 2):
            return "turning"
        return "ready" if quiet >= self.shape.settle and self._in_a_notch else "settling"

    @property
    def _doubtful(self) -> bool:
        """Each missed edge may stand for four counts; half a notch of that, and the place is a guess."""
        return 2 * self._error >= self.shape.notch

    @property
    def _error(self) -> int:
        return 4 * self._missed

    @property
    def _in_a_notch(self) -> bool:
        """Near enough to the middle of one; half way it has not arrived, however long it rests there."""
        return abs(self._place / self.shape.notch - self._notch) <= BETWEEN

    @property
    def resting(self) -> bool:
        """No edge for the settle time."""
        return self._now - self._edge >= self.shape.settle

    def counts_to(self, notches: int, going_to: int) -> int:
        """The encoder's count in the middle of the notch so many notches beyond the one it is `going_to`."""
        planned = self._place + self._sign * (going_to - self._raw)
        goal = (round(planned / self.shape.notch) + notches) * self.shape.notch
        return going_to + self._sign * round(goal - planned)

    def seen(self) -> DialSeen:
        """Everything, as it travels."""
        offset = self._place / self.shape.notch - self._notch
        state = self.state
        problem = self._problem(state)
        return DialSeen(
            state=state,
            ts=self._now,
            position=self._notch % self.shape.positions,
            positions=self.shape.positions,
            turns=self._notch,
            angle=round(max(-0.5, min(0.5, offset)), 4),
            confidence=self._confidence(state, abs(offset)),
            counts=self._raw,
            impossible=self.impossible,
            say=problem.say if problem else None,
            do=problem.do if problem else None,
        )

    def _confidence(self, state: str, offset: float) -> float:
        if state in ("starting", "no dial", "unconfirmed"):
            return 0.0
        certain = 1.0 if offset <= SURE_WITHIN else max(0.0, 1.0 - 2 * (offset - SURE_WITHIN))
        return round(certain * (1 - self._error / self.shape.notch), 3)

    def _problem(self, state: str) -> Trouble | None:
        if self.away and not self.present:
            return self.away
        if state == "unconfirmed":
            return self.trouble or trouble("doubt" if self.confirmed else "unconfirmed")
        if state == "settling" and self.resting:
            return trouble("between")
        return self.trouble

    def memory(self) -> Memory:
        """What should survive the power going off."""
        return Memory(
            place=round(self._place, 3),
            raw=self._raw,
            power=self._power if self._power != "?" else "",
            confirmed=self.confirmed,
            zeroed=self.zeroed,
            index=self._index,
        )
