"""What the best round is, by trying all of them: for a dozen players at most, and in other words than `hall.pairing`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np

from hall.rounds import Round, meetings

Grouping = tuple[tuple[str, ...], ...]


def groupings(players: tuple[str, ...], sizes: tuple[int, ...]) -> Iterator[Grouping]:
    """Every way to set players at tables of these sizes; nobody is left."""
    if not sizes:
        yield ()
        return
    first, rest = players[0], players[1:]
    for size in sorted(set(sizes)):
        others = list(sizes)
        others.remove(size)
        for chosen in combinations(rest, size - 1):
            left = tuple(player for player in rest if player not in chosen)
            for tail in groupings(left, tuple(others)):
                yield ((first, *chosen), *tail)


def seat_counts(rounds: Sequence[Round], player: str) -> list[int]:
    """How often somebody sat where."""
    sat = [table.index(player) for played in rounds for table in played.tables if player in table]
    return [sat.count(seat) for seat in range(4)]


def can_sit(table: tuple[str, ...], rounds: Sequence[Round]) -> bool:
    """Whether everybody can have a seat they had least; all tables are of one size."""
    counts = {player: seat_counts(rounds, player)[: len(table)] for player in table}
    return any(
        all(counts[player][seat] == min(counts[player]) for seat, player in enumerate(order))
        for order in permutations(table)
    )


def fewest_repeats(players: Sequence[str], rounds: Sequence[Round], sizes: tuple[int, ...]) -> int | None:
    """The fewest meetings of two who met before in the next round with nobody in a seat twice more; `None`: no such round."""
    met = meetings(rounds)
    best = None
    for grouping in groupings(tuple(sorted(players)), sizes):
        again = sum(pair in met for table in grouping for pair in combinations(sorted(table), 2))
        if (best is None or again < best) and all(can_sit(table, rounds) for table in grouping):
            best = again
    return best


def fewest_of_an_evening(players: int, size: int, rounds: int) -> int:
    """The fewest repeats of any evening, seats aside: every choice of rounds, the first one fixed."""
    names = tuple(str(number) for number in range(players))
    ways = [
        frozenset(pair for table in one for pair in combinations(table, 2))
        for one in groupings(names, (size,) * (players // size))
    ]
    best = rounds * len(ways[0])

    def go(start: int, left: int, met: frozenset[tuple[str, str]], again: int) -> None:
        nonlocal best
        if again >= best:
            return
        if not left:
            best = again
            return
        for number in range(start, len(ways)):
            go(number, left - 1, met | ways[number], again + len(met & ways[number]))

    go(0, rounds - 1, ways[0], 0)
    return best


def an_evening_within(players: int, budgets: Sequence[int]) -> bool:
    """Whether tables of three can play as many rounds as there are budgets, the repeats after each within its own.

    Every evening with few repeats can be played in an order in which they come late, so budgets that grow lose nothing. All
    first rounds are alike, and of the second those with the same people from the same tables.
    """
    every = list(_masks(tuple(range(players)), players % 3))
    (first, told), most = every[0], budgets[-1]
    near = [(mask, groups) for mask, groups in every if (mask & first).bit_count() <= most]
    kinds: dict[object, int] = {}
    for mask, groups in near:
        if (mask & first).bit_count() <= budgets[1]:
            kinds.setdefault(_kind(told, groups), mask)
    words = np.array([_words(mask) for mask, _ in near], dtype=np.uint64)

    def again(left: Bits, met: Bits) -> Bits:
        return np.bitwise_count(left & met).sum(axis=1)

    def go(number: int, met: Bits, so_far: int, left: Bits) -> bool:
        now = so_far + again(left, met)
        if number == len(budgets) - 1:
            return bool((now <= most).any())
        left, now = left[now <= most], now[now <= most]
        places = np.flatnonzero(now <= budgets[number])
        return any(go(number + 1, met | left[place], int(now[place]), left) for place in places)

    both = ((np.array(_words(mask), dtype=np.uint64), (mask & first).bit_count()) for mask in kinds.values())
    start = np.array(_words(first), dtype=np.uint64)
    return any(go(2, start | second, repeated, words) for second, repeated in both)


def _words(mask: int) -> tuple[int, int]:
    return mask & (2**64 - 1), mask >> 64


Bits = np.ndarray[Any, Any]
Set = frozenset[int]


def _masks(players: tuple[int, ...], byes: int) -> Iterator[tuple[int, tuple[Set, ...]]]:
    """Every round as the bits of the pairs that meet in it, with its tables and, last, who sits out."""
    for out in combinations(players, byes):
        left = tuple(str(player) for player in players if player not in out)
        for grouping in groupings(left, (3,) * (len(left) // 3)):
            tables = [frozenset(map(int, table)) for table in grouping]
            bits = sum(1 << _pair(*pair) for table in tables for pair in combinations(sorted(table), 2))
            yield bits, (*tables, frozenset(out))


def _pair(one: int, other: int) -> int:
    return other * (other - 1) // 2 + one


def _kind(first: tuple[Set, ...], second: tuple[Set, ...]) -> object:
    """How many come from which table to which; the same for rounds that differ by names only."""
    *tables, out = first
    *theirs, away = second
    rows = [tuple(len(table & other) for other in (*theirs, away)) for table in (*tables, out)]
    ways = []
    for columns in permutations(range(len(theirs))):
        turned = [tuple(row[column] for column in columns) + row[-1:] for row in rows]
        ways.append((tuple(sorted(turned[:-1])), turned[-1]))
    return min(ways)
