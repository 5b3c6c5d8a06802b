"""What the best round is, by trying all of them: for a dozen players at most, and in other words than `hall.pairing`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from hall.pairing import Round, meetings

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
