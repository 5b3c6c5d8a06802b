"""The pieces on a virtual table: where every die lies and how it is turned, the cards, the dial.

Nothing here knows the rules: it is told how the table should look and moves pieces until it does, as a hand would. What
it holds is published on `virtual/table` for the virtual camera and dial; the core may not read it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import msgspec

from companion.game import Die, Expected, SlotExpected
from companion.sensing import Dial, Mat
from companion.wire.messages import VirtualHand, VirtualTruth

SPOTS = ((0.3, 0.36), (0.7, 0.62), (0.7, 0.36), (0.3, 0.62), (0.5, 0.84), (0.5, 0.5))
"""Natural places on a card, shares of its width and height; used in this order."""
LOOSE = -1
"""The owner of a die that is nobody's."""
OWN_PLACE = -1
"""A die somebody put where they liked."""


class Lying(msgspec.Struct, frozen=True):
    """A die as it lies on a card."""

    die: Die
    x: float
    y: float
    angle: float
    spot: int


TOKENS = ("yellow", "green", "white", "brown", "letter")
"""What lies on the spots of a board before anybody has built there."""
APART = 1.45
"""Edges between the middles of two dice that cannot touch, however they are turned."""
CARD, DIE = (63.0, 88.0), 15.0
"""Millimetres, where no mat says otherwise."""
HEIGHTS = (12.0, 19.0, 27.0)


class Pieces:
    """Dice, cards, dial, and the pieces on a board, of one table."""

    def __init__(self, colours: list[str], chance: random.Random, counts_per_notch: int) -> None:
        self.colours, self.chance = colours, chance
        self.counts_per_notch = counts_per_notch
        self.slots: dict[str, tuple[str, list[Lying]]] = {}
        self.standing: dict[str, dict[str, Any]] = {}
        """Spot -> the piece on it, as the camera is told of it."""
        self.tokens: dict[str, str] = {}
        self.turns = 0
        """Notches the dial was ever turned, forwards positive."""
        self.start = 0
        """The notch it stood at before anybody turned it."""
        self.hand: dict[str, Any] | None = None
        self.light: dict[str, Any] = {}
        self.loose = "snow"
        """The colour of the dice that are nobody's: one set has one."""
        self.shape: Dial | None = None
        """How the game counts the notches of its dial."""
        self.mat: Mat | None = None
        """What lies under the camera."""
        self.ts = 0.0
        self.you: tuple[int, ...] = ()
        """Seats a person plays."""

    def truth(self) -> VirtualTruth:
        """Everything a camera and a dial can know."""
        slots: dict[str, Any] = {
            name: {
                "card": card,
                "dice": [
                    {
                        "colour": self.loose if one.die.owner == LOOSE else self.colours[one.die.owner],
                        "face": one.die.face,
                        "x": round(one.x, 3),
                        "y": round(one.y, 3),
                        "angle": round(one.angle, 1),
                    }
                    for one in dice
                ],
            }
            for name, (card, dice) in self.slots.items()
        }
        for spot in self.mat.spots if self.mat is not None else ():
            slots[spot.id] = {"piece": self.standing.get(spot.id), "token": self.tokens.get(spot.id, "")}
        dial = self.turns * self.counts_per_notch
        return VirtualTruth(
            ts=self.ts, slots=slots, hand=self.hand, light=self.light, dial=dial, you=self.you, mat=self.mat
        )

    def differing(self, expected: Expected) -> list[str]:
        """Slots that do not look as they should."""
        return [slot.slot for slot in expected.slots if not self._fits(slot)]

    def changed(self, before: Expected, after: Expected) -> bool:
        """A camera can show the way from one to the other; which spots are watched at all is not such a way."""
        on_board = self.mat is not None and bool(self.mat.spots)
        return bool(self.differing(after)) if on_board else after.slots != before.slots

    def _fits(self, slot: SlotExpected) -> bool:
        if slot.piece is not None:
            return bool(self.standing.get(slot.slot, {}).get("colour", "") == slot.piece)
        card, dice = self.slots.get(slot.slot, ("", []))
        return sorted(one.die for one in dice) == sorted(slot.dice) and slot.card in (None, card)

    def arrange(self, slot: SlotExpected) -> None:
        """Make one slot look as it should; dice that stay keep their place."""
        if slot.piece is not None:
            self.stand(slot.slot, slot.piece)
            return
        card, dice = self.slots.get(slot.slot, ("", []))
        wanted = list(slot.dice)
        kept: list[Lying] = []
        for one in dice:
            if one.die in wanted:
                wanted.remove(one.die)
                kept.append(one)
        for die in wanted:
            same = next((one for one in dice if one.die.owner == die.owner and one not in kept), None)
            kept.append(self._put(slot.slot, die, kept, same.spot if same else None))
        self.slots[slot.slot] = (card if slot.card is None else slot.card, kept)

    def stand(self, spot: str, colour: str) -> None:
        """Put a piece of this colour on a spot, or take away what stands there."""
        if not colour:
            self.standing.pop(spot, None)
            return
        x, y = (max(-3.5, min(3.5, self.chance.gauss(0, 1.4))) for _ in range(2))
        piece = {"colour": colour, "shape": "tower", "height": self.chance.choice(HEIGHTS), "x": round(x, 2)}
        self.standing[spot] = piece | {"y": round(y, 2), "angle": round(self.chance.uniform(0, 90), 1)}

    def take_tokens(self) -> None:
        """What stands on the board now was built: its owners have taken what lay under it."""
        for spot in self.standing:
            self.tokens.pop(spot, None)

    def lay_tokens(self) -> None:
        """The board is set up: a token on every spot."""
        self.standing.clear()
        self.tokens = {spot.id: self.chance.choice(TOKENS) for spot in self.mat.spots} if self.mat is not None else {}

    def _put(self, slot: str, die: Die, others: list[Lying], spot: int | None) -> Lying:
        taken = {one.spot for one in others}
        free = [i for i in range(len(SPOTS)) if i not in taken]
        place = spot if spot is not None and spot in free else free[0]
        x, y = SPOTS[place]
        jitter = self.chance.uniform
        x, y, angle = x + jitter(-0.05, 0.05), y + jitter(-0.04, 0.04), jitter(0, 90)
        chosen = [one for one in others if one.spot == OWN_PLACE]
        return Lying(die, *(self._beside(slot, x, y, others) if chosen else (x, y)), angle, place)

    def _beside(self, slot: str, x: float, y: float, others: list[Lying]) -> tuple[float, float]:
        """There, or as near to it as no other die lies: two are never in one place. On a full card, where there is most room."""
        area = next((one for one in self.mat.areas if one.id == slot), None) if self.mat is not None else None
        wide, high = (area.width, area.height) if area is not None else CARD
        apart = APART * (self.mat.die_mm if self.mat is not None else DIE)

        def far(one: tuple[float, float], other: tuple[float, float]) -> float:
            return math.hypot((one[0] - other[0]) * wide, (one[1] - other[1]) * high)

        def room(at: tuple[float, float]) -> float:
            return min((far(at, (one.x, one.y)) for one in others), default=apart)

        grid = [(0.15 + 0.05 * i, 0.1 + 0.05 * j) for i in range(15) for j in range(17)]
        there = min([(x, y), *grid], key=lambda at: (room(at) < apart, far(at, (x, y))))
        return there if room(there) >= apart else max(grid, key=room)

    def touched(self, hand: VirtualHand) -> bool:
        """A person moves a die, turns it, or turns the dial; `False` when there is nothing to take or no place to put it."""
        if hand.action == "dial":
            self.turns += hand.steps
            return True
        if hand.slot:
            card, dice = self.slots.get(hand.slot, ("", []))
            if hand.die >= len(dice):
                return False
            taken = dice[hand.die]
            if hand.action == "turn":
                face = (taken.die.face - 1 + hand.steps) % 6 + 1
                dice[hand.die] = msgspec.structs.replace(taken, die=Die(taken.die.owner, face))
                return True
            if hand.to and hand.to not in self.slots:
                return False
            self.slots[hand.slot] = (card, [*dice[: hand.die], *dice[hand.die + 1 :]])
        else:
            if hand.colour not in self.colours or hand.to not in self.slots:
                return False
            taken = Lying(Die(self.colours.index(hand.colour), hand.face), 0.5, 0.5, 0.0, OWN_PLACE)
        if hand.to:
            card, dice = self.slots[hand.to]
            x, y = self._beside(hand.to, min(0.85, max(0.15, hand.x)), min(0.9, max(0.1, hand.y)), dice)
            self.slots[hand.to] = (card, [*dice, msgspec.structs.replace(taken, x=x, y=y, spot=OWN_PLACE)])
        return True

    def turn_to(self, notch: int, positions: int) -> None:
        """Turn the dial to a notch the shorter way: forwards for a round, back for one turned too far."""
        forwards = (notch - self.notch(positions)) % positions
        self.turns += forwards if forwards <= positions // 2 else forwards - positions

    def notch(self, positions: int) -> int:
        """Where the dial stands."""
        return (self.start + self.turns) % positions

    def centre(self, slot: str) -> tuple[float, float]:
        """Where a hand reaches for this slot, shares of the mat."""
        if self.mat is None:
            return 0.5, 0.5
        spot = next((one for one in self.mat.spots if one.id == slot), None)
        if spot is not None:
            return spot.x / self.mat.width, spot.y / self.mat.height
        area = next((one for one in self.mat.areas if one.id == slot), None)
        if area is None:
            return 0.5, 0.5
        return (area.x + area.width / 2) / self.mat.width, (area.y + 0.7 * area.height) / self.mat.height

    def perform(self, expected: Expected) -> Iterator[VirtualTruth]:
        """A hand comes, does everything that is to be done, and goes; the dial is turned last."""
        names = self.differing(expected)
        wanted = {slot.slot: slot for slot in expected.slots}
        if names:
            self.hand = dict(zip(("x", "y"), self.centre(names[0]), strict=True))
            self.ts += 0.4
            yield self.truth()
            for name in names:
                self.arrange(wanted[name])
            self.hand = None
            self.ts += 0.6
            yield self.truth()
        notch = expected.dial if self.shape is None or expected.dial is None else self.shape.notch(expected.dial)
        if notch is not None and self.notch(expected.dial_positions) != notch:
            self.turn_to(notch, expected.dial_positions)
            self.ts += 0.3
            yield self.truth()
