"""Yacht by exact expectation, played out: `python -m benches.yacht [GAMES] [SEED]` prints the mean and what it should be."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.games.yacht import best
from companion.games.yacht.rules import CATEGORIES, THROWS

Ints = NDArray[np.intp]


@cache
def policy(open_set: int) -> tuple[Ints, list[Ints], NDArray[np.float64]]:
    """By roll: the category to write, what to keep with two and one throws left, and the points written."""
    scores, chances, allowed, worth = best._tables()
    bits = [bit for bit in range(len(CATEGORIES)) if open_set >> bit & 1]
    ways = np.stack([scores[:, bit] + worth[open_set & ~(1 << bit)] for bit in bits])
    written, value = np.array(bits, np.intp)[ways.argmax(axis=0)], ways.max(axis=0)
    keeps: list[Ints] = []
    for _ in range(THROWS - 1):
        after = (chances @ value)[allowed]  # keeping all five is writing down without another throw
        keeps.insert(0, np.take_along_axis(allowed, after.argmax(axis=1)[:, None], axis=1)[:, 0])
        value = after.max(axis=1)
    return written, keeps, scores[np.arange(len(scores)), written]


def totals(games: int, seed: int) -> NDArray[np.float64]:
    """The points of so many games."""
    chance = np.random.default_rng(seed)
    _, chances, _, _ = best._tables()
    sums = chances.cumsum(axis=1)
    points, open_sets = np.zeros(games), np.full(games, (1 << len(CATEGORIES)) - 1)

    def throw(kept: Ints) -> Ints:
        return np.asarray(
            (sums[kept] < chance.random(len(kept))[:, None]).sum(axis=1).clip(max=sums.shape[1] - 1), np.intp
        )

    for _ in CATEGORIES:
        for open_set in np.unique(open_sets):
            here = np.flatnonzero(open_sets == open_set)
            written, keeps, worth = policy(int(open_set))
            roll = throw(np.zeros(len(here), np.intp))
            for kept in keeps:
                roll = throw(kept[roll])
            points[here] += worth[roll]
            open_sets[here] = open_set & ~(1 << written[roll])
    return points


def main(argv: list[str]) -> int:
    """Play, and compare."""
    games, seed = (int(word) for word in (*argv, "100000", "1")[:2]) if len(argv) != 1 else (int(argv[0]), 1)
    found = totals(games, seed)
    error = found.std() / games**0.5
    sys.stdout.write(f"{games} games: mean {found.mean():.3f} ± {error:.3f}; expected {best.expectation():.4f}\n")
    return 0 if abs(found.mean() - best.expectation()) < 4 * error else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
