"""What dice count in Farkle, the state, the moves, and how a careful player weighs another throw."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import factorial, prod
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.games.kit.dice import Face, Faces, falls, some_of

DICE = 6
SINGLE = {1: 100, 5: 50}
STRAIGHT, PAIRS = 1500, 1500


def score(dice: Faces) -> int | None:
    """What these dice count when every one of them must; `None` when one does not."""
    counts = Counter(dice)
    if len(counts) == DICE:
        return STRAIGHT
    total = 0
    for face, n in counts.items():
        if n >= 3:
            total += (1000 if face == 1 else 100 * face) * 2 ** (n - 3)
        elif face in SINGLE:
            total += n * SINGLE[face]
        else:
            return PAIRS if sorted(counts.values()) == [2, 2, 2] else None
    return max(total, PAIRS) if sorted(counts.values()) == [2, 2, 2] else total


@cache
def scoring(dice: Faces) -> dict[Faces, int]:
    """Every set of these dice that may be put aside, with its points."""
    return {kept: points for kept in some_of(dice) if kept and (points := score(kept)) is not None}


def best(dice: Faces) -> int:
    """The most these dice can count; nothing is a farkle."""
    return max(scoring(tuple(sorted(dice))).values(), default=0)


@cache
def odds(dice: int) -> tuple[float, float]:
    """The chance that this many dice count nothing, and what they count at best when they count."""
    lost = gain = 0.0
    for fallen in falls(dice):
        share = factorial(dice) / prod(factorial(fallen.count(face)) for face in set(fallen)) / 6**dice
        points = best(fallen)
        lost, gain = lost + share * (points == 0), gain + share * points
    return lost, gain / (1 - lost)


class FarkleState(msgspec.Struct, frozen=True):
    """Everybody's points, and the turn as it stands."""

    names: tuple[str, ...]
    points: tuple[int, ...]
    target: int
    turn: int = 0
    pot: int = 0
    """Points of earlier throws of this turn, still to lose."""
    dice: Faces = ()
    """The last throw; none before the first."""
    kept: Faces = ()
    """What was put aside from it."""
    aside: Faces = ()
    """What was put aside before, and lies there until all six count."""
    last: int | None = None
    """Who reached the target: everybody else has one more turn."""

    @property
    def left(self) -> int:
        """Dice to be thrown next: all six again when all six count."""
        return (DICE - len(self.aside) - len(self.kept)) or DICE

    @property
    def lying(self) -> Faces:
        """What lies aside while the others are thrown."""
        return tuple(sorted(self.aside + self.kept)) if len(self.aside) + len(self.kept) < DICE else ()


class Throw(msgspec.Struct, frozen=True, tag_field="kind", tag="throw", forbid_unknown_fields=True):
    """The dice that were thrown, and what was put aside for it if nobody said so before."""

    seat: int
    dice: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=DICE)]
    kept: Annotated[tuple[Face, ...], Meta(max_length=DICE)] = ()


class Keep(msgspec.Struct, frozen=True, tag_field="kind", tag="keep", forbid_unknown_fields=True):
    """Dice that count are put aside."""

    seat: int
    dice: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=DICE)]


class Bank(msgspec.Struct, frozen=True, tag_field="kind", tag="bank", forbid_unknown_fields=True):
    """The points of this turn are written down; what was not put aside yet counts as well as it can."""

    seat: int


Move = Throw | Keep | Bank


def worth(state: FarkleState, kept: Faces) -> int:
    """Points of the turn when these are put aside."""
    return state.pot + (scoring(state.dice).get(kept, 0) if kept else best(state.dice))


def advise(state: FarkleState) -> Move | None:
    """One throw is looked ahead: put aside what leads furthest, and bank when another throw would lose more than it brings."""

    def further(points: int, dice: int) -> float:
        lost, gain = odds(dice)
        return (1 - lost) * (points + gain)

    if not state.dice:
        return None
    seat, enough = state.turn, state.target - state.points[state.turn]
    if state.kept:
        points = worth(state, state.kept)
        return Bank(seat) if points >= enough or points >= further(points, state.left) else None
    ways = scoring(state.dice)

    def outlook(kept: Faces) -> tuple[float, int]:
        points = state.pot + ways[kept]
        left = (DICE - len(state.aside) - len(kept)) or DICE
        return max(float(points), further(points, left)), points

    chosen = max(ways, key=outlook)
    return Bank(seat) if worth(state, ()) >= enough else Keep(seat, chosen)
