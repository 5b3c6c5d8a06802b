"""Yacht played by exact expectation: what every set of open categories is worth, and so what to keep and where to write.

Without a bonus nothing but the open categories matters between turns: 4,096 sets. Each is worked out once, backwards from the
full sheet, over all 252 ways five dice can lie and all 462 ways to keep some of them. The first robot
of an evening waits a moment for it.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from companion.games.yacht.rules import CATEGORIES, DICE, THROWS, Faces, Keep, Move, State, Write, keeps, points

Floats = NDArray[np.float64]
ROLLS: tuple[Faces, ...] = tuple(combinations_with_replacement(range(1, 7), DICE))
KEPT: tuple[Faces, ...] = tuple(k for n in range(DICE + 1) for k in combinations_with_replacement(range(1, 7), n))
ROLL = {dice: i for i, dice in enumerate(ROLLS)}


@cache
def _tables() -> tuple[Floats, Floats, NDArray[np.intp], Floats]:
    """Points by roll and category, the chance of each roll after each keep, what each roll may keep, what each set is worth."""
    scores = np.array([[points(dice, name) for name in CATEGORIES] for dice in ROLLS], np.float64)
    chances = np.zeros((len(KEPT), len(ROLLS)))
    for i, kept in enumerate(KEPT):
        for more in combinations_with_replacement(range(1, 7), DICE - len(kept)):
            ways = factorial(len(more)) // prod(factorial(more.count(face)) for face in set(more))
            chances[i, ROLL[tuple(sorted(kept + more))]] += ways / 6 ** len(more)
    place = {kept: i for i, kept in enumerate(KEPT)}
    may = [[place[kept] for kept in (*keeps(dice), dice)] for dice in ROLLS]
    longest = max(map(len, may))
    allowed = np.array([row + [row[-1]] * (longest - len(row)) for row in may], np.intp)
    return scores, chances, allowed, _worths(scores, chances, allowed)


def _worths(scores: Floats, chances: Floats, allowed: NDArray[np.intp]) -> Floats:
    """The points to come, by the set of open categories (a bit each), smallest sets first."""
    n = len(CATEGORIES)
    worth = np.zeros(1 << n)
    by_size: list[list[int]] = [[] for _ in range(n + 1)]
    for some in range(1 << n):
        by_size[some.bit_count()].append(some)
    for size in range(1, n + 1):
        sets = np.array(by_size[size])
        value = np.full((len(ROLLS), len(sets)), -1.0)
        for bit in range(n):
            has = (sets >> bit & 1).astype(bool)
            value[:, has] = np.maximum(value[:, has], scores[:, [bit]] + worth[sets[has] & ~(1 << bit)])
        for _ in range(THROWS - 1):
            value = (chances @ value)[allowed].max(axis=1)
        worth[sets] = chances[0] @ value
    return worth


def expectation() -> float:
    """The mean of a whole game for one player who makes no mistake."""
    return float(_tables()[3][-1])


def _written(open_set: int) -> Floats:
    """By roll: the best that writing it down now leads to."""
    scores, _, _, worth = _tables()
    ways = [scores[:, bit] + worth[open_set & ~(1 << bit)] for bit in range(len(CATEGORIES)) if open_set >> bit & 1]
    return np.asarray(np.max(ways, axis=0), np.float64)


@cache
def _kept_worth(open_set: int, left: int) -> Floats:
    """By what is kept: what throwing the others leads to, when so many throws are left."""
    _, chances, allowed, _ = _tables()
    value = _written(open_set)
    for _ in range(left - 1):
        value = (chances @ value)[allowed].max(axis=1)
    return np.asarray(chances @ value, np.float64)


def advise(state: State) -> Move | None:
    """The move of exact expectation; `None`: throw."""
    if not state.dice or state.kept is not None or not state.open:
        return None
    open_set = sum(1 << CATEGORIES.index(name) for name in state.open)
    scores, _, allowed, worth = _tables()
    roll, left = ROLL[state.dice], THROWS - state.throws
    by_category = {
        name: scores[roll, CATEGORIES.index(name)] + worth[open_set & ~(1 << CATEGORIES.index(name))]
        for name in state.open
    }
    best = max(by_category, key=lambda name: by_category[name])
    if left:
        after = _kept_worth(open_set, left)
        keep = max((int(i) for i in allowed[roll] if len(KEPT[i]) < DICE), key=lambda i: after[i])
        if after[keep] > by_category[best] + 1e-9:
            return Keep(state.turn, KEPT[keep])
    return Write(state.turn, best)  # type: ignore[arg-type]
