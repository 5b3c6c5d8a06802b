"""Yacht played by exact expectation: what every set of open categories is worth, and so what to keep and where to write.

Without a bonus nothing but the open categories matters between turns: 4,096 sets. Each is worked out once, backwards from the
full sheet, over all 252 ways five dice can lie and all 462 ways to keep some of them; the first robot waits a moment for it.
"""

from __future__ import annotations

from functools import cache
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from companion.games.kit.dice import Faces, falls, some_of
from companion.games.yacht.rules import CATEGORIES, DICE, THROWS, Keep, Move, Write, YachtState, points

Floats = NDArray[np.float64]
ROLLS: tuple[Faces, ...] = tuple(falls(DICE))
KEPT: tuple[Faces, ...] = tuple(kept for n in range(DICE + 1) for kept in falls(n))
ROLL = {dice: i for i, dice in enumerate(ROLLS)}


@cache
def _tables() -> tuple[Floats, Floats, NDArray[np.intp], Floats]:
    """Points by roll and category, the chance of each roll after each keep, what each roll may keep, what each set is worth."""
    scores = np.array([[points(dice, name) for name in CATEGORIES] for dice in ROLLS], np.float64)
    chances = np.zeros((len(KEPT), len(ROLLS)))
    for i, kept in enumerate(KEPT):
        for more in falls(DICE - len(kept)):
            ways = factorial(len(more)) // prod(factorial(more.count(face)) for face in set(more))
            chances[i, ROLL[tuple(sorted(kept + more))]] += ways / 6 ** len(more)
    may = [[KEPT.index(kept) for kept in some_of(dice)] for dice in ROLLS]
    allowed = np.array([row + [row[-1]] * (2**DICE - len(row)) for row in may], np.intp)
    worth = np.zeros(1 << len(CATEGORIES))
    for size in range(1, len(CATEGORIES) + 1):  # smallest sets first
        sets = np.array([some for some in range(len(worth)) if some.bit_count() == size])
        value = np.full((len(ROLLS), len(sets)), -1.0)
        for bit in range(len(CATEGORIES)):
            has = (sets >> bit & 1).astype(bool)
            value[:, has] = np.maximum(value[:, has], scores[:, [bit]] + worth[sets[has] & ~(1 << bit)])
        for _ in range(THROWS - 1):
            value = (chances @ value)[allowed].max(axis=1)
        worth[sets] = chances[0] @ value
    return scores, chances, allowed, worth


def expectation() -> float:
    """The mean of a whole game for one player who makes no mistake."""
    return float(_tables()[3][-1])


def advise(state: YachtState) -> Move | None:
    """The move of exact expectation; `None`: throw."""
    if not state.worth or state.kept is not None:
        return None
    scores, chances, allowed, worth = _tables()
    bits = [CATEGORIES.index(name) for name in state.worth]
    written = np.stack([scores[:, bit] + worth[sum(1 << other for other in bits if other != bit)] for bit in bits])
    roll, value, after = ROLL[state.dice], written.max(axis=0), np.zeros(len(KEPT))
    for _ in range(THROWS - state.throws):
        after = chances @ value
        value = after[allowed].max(axis=1)
    keep = max((int(i) for i in allowed[roll] if len(KEPT[i]) < DICE), key=lambda i: after[i])
    if after[keep] > written[:, roll].max() + 1e-9:
        return Keep(state.turn, KEPT[keep])
    return Write(state.turn, CATEGORIES[bits[int(written[:, roll].argmax())]])
