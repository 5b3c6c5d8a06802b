"""A game told as a map, for the tests of `explain`: from each position the steps that lead on, and how the table lies there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.game import Die, Expected, Outcome, RuleBroken, SlotExpected, Text
from companion.senses.explain import Explanation, Seen
from companion.wire.messages import CardSeen, DieSeen, SlotSeen
from tests.companion.toy import Toy

OWNERS = {"sun": 0, "leaf": 1, "sky": 2}
Dice = tuple[DieSeen, ...]


class Step(msgspec.Struct, frozen=True):
    """To another position; whose step it is."""

    to: str
    seat: int | None = 0


class Chance(msgspec.Struct, frozen=True):
    """A step that is nobody's, in a game whose moves need not say whose they are."""

    to: str


class Fable(Toy):
    """`paths`: position -> where its steps lead, in order; `table`: how it lies there. A step to `!` is against the rules.

    `turns`: position and step -> where that one leads instead; `seats`: whose a step is, `?` where the move does not say."""

    def __init__(
        self,
        paths: Mapping[str, str],
        table: Mapping[str, Expected],
        seats: Mapping[str, int | str | None] | None = None,
        depth: int = 3,
        hidden: bool = False,
        turns: Mapping[str, str] | None = None,
    ) -> None:
        self.paths, self.table, self.seats, self.turns = paths, table, seats or {}, turns or {}
        self.sensor_depth, self.hidden_moves = depth, hidden

    def sensed(self, state: Any) -> Sequence[Any]:
        return [self._step(to, self.seats.get(to, 0)) for to in self.paths.get(state, "")]

    def _step(self, to: str, seat: int | str | None) -> Step | Chance:
        return Chance(to) if isinstance(seat, str) else Step(to, seat)

    def play(self, state: Any, move: Any) -> Outcome:
        if move.to == "!":
            raise RuleBroken("fable/no", Text("fable/no"), Text("fable/do"))
        return Outcome(self.turns.get(state + move.to, move.to))

    def expect(self, state: Any) -> Expected:
        return self.table[state]


def lies(dial: int | None = None, **places: int | tuple[Die, ...]) -> Expected:
    """How the table lies: a number is one of the sun's dice with this face, 0 an empty place."""
    dice = {name: (one,) if isinstance(one, Die) else one for name, one in places.items()}
    slots = (
        SlotExpected(name, one if isinstance(one, tuple) else (Die(0, one),) if one else ())
        for name, one in dice.items()
    )
    return Expected(tuple(slots), dial)


def changed(before: Expected, **places: int) -> Expected:
    """The same table but for these: what is untouched is the very same object, as a pack may hand it out."""
    there = {slot.slot: slot for slot in lies(**places).slots}
    return msgspec.structs.replace(before, slots=tuple(there.get(slot.slot, slot) for slot in before.slots))


def find(
    face: int = 4, p: float = 0.99, owner: str = "sun", share: float = 1.0, also: Mapping[int, float] = {}
) -> DieSeen:
    """A die found: this face with that likelihood, others as said, the rest hardly at all."""
    faces = tuple(p if i == face else also.get(i, 0.001) for i in range(1, 7))
    return DieSeen(owner=owner, owner_share=share, faces=faces, x=0.5, y=0.5)  # type: ignore[arg-type]


def place(*dice: DieSeen, card: str | None = None, share: float = 0.0, **said: Any) -> SlotSeen:
    """What is seen in one place."""
    return SlotSeen(slot="", dice=dice, card=CardSeen(card=card, share=share), **said)


def seen(dial: int | None = None, lenient: bool = False, **places: Dice | DieSeen | SlotSeen) -> Seen:
    """What is seen on the whole table."""
    slots = {}
    for name, what in places.items():
        one = what if isinstance(what, SlotSeen) else place(*((what,) if isinstance(what, DieSeen) else what))
        slots[name] = msgspec.structs.replace(one, slot=name)
    return Seen(slots, OWNERS, dial, lenient)


def ends(found: Explanation) -> list[str]:
    """Where each candidate ends, best first."""
    return [one.state for one in found.candidates]


def steps(found: Explanation, number: int = 0) -> str:
    """The steps of a candidate."""
    return "".join(move.to for move in found.candidates[number].moves)


EMPTY = lies(red=0)
FOUR = lies(red=4)
