"""A round, and what can be counted in several: who met whom, which tables so many people need, how few repeats there can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from itertools import combinations
from string import ascii_letters

import msgspec


class Round(msgspec.Struct, frozen=True):
    """Tables with their players in the order of the seats, and who sits out."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()


def meetings(rounds: Iterable[Round]) -> dict[tuple[str, str], int]:
    """How often two met, by their names in order."""
    met: dict[tuple[str, str], int] = {}
    for played in rounds:
        for table in played.tables:
            for pair in combinations(sorted(table), 2):
                met[pair] = met.get(pair, 0) + 1
    return met


def repeats(rounds: Iterable[Round]) -> int:
    """Meetings of two who had met before."""
    return sum(times - 1 for times in meetings(rounds).values())


@cache
def table_sizes(players: int, size: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Tables for so many: nobody sits out who need not, then as many of the wished size as can be, the larger ones first."""
    best: tuple[tuple[int, int, int], tuple[int, ...]] = ((players, 0, 0), ())
    others = sorted({*sizes} - {size}, reverse=True)

    def add(chosen: tuple[int, ...], left: int, kinds: list[int]) -> None:
        nonlocal best
        whole = (size,) * (left // size)
        tables = tuple(sorted((*chosen, *whole), reverse=True))
        best = min(best, ((players - sum(tables), len(chosen), -sum(chosen)), tables))
        for number, other in enumerate(kinds):
            # more than `size` odd tables of a kind are as many whole ones
            if other <= left and chosen.count(other) < size:
                add((*chosen, other), left - other, kinds[number:])

    add((), players, others)
    return best[1]


def fewest_repeats(players: int, shape: tuple[int, ...], rounds: int) -> int:
    """Fewer there cannot be in so many rounds at these tables: there are only so many to meet."""
    seated = sum(size * (size - 1) // 2 for size in shape)
    return max(0, rounds * seated - players * (players - 1) // 2)


# evenings thought through ahead --------------------------------------------------------------------------------


def named_shape(shape: tuple[int, ...], byes: int) -> str:
    """Tables and who sits out, as the plans are called: `4 4 3`, `3 3 3 -2`."""
    return " ".join(map(str, shape)) + (f" -{byes}" if byes else "")


def planned(players: int, shape: tuple[int, ...]) -> tuple[Round, ...]:
    """The evening that was found for these tables in a long search (`tools/pairing_plans.py`); nothing: none is kept."""
    return read_plan(_plans().get(named_shape(shape, players - sum(shape)), ()))


def read_plan(lines: Sequence[str]) -> tuple[Round, ...]:
    """Rounds as the file has them: a letter a player, a word a table in the order of its seats, `-` before who sits out."""
    return tuple(
        Round(
            tuple(tuple(map(_number, word)) for word in line.split() if word[0] != "-"),
            tuple(_number(letter) for word in line.split() if word[0] == "-" for letter in word[1:]),
        )
        for line in lines
    )


def written(made: Round) -> str:
    """The line `read_plan` reads."""
    words = ["".join(ascii_letters[int(player)] for player in table) for table in made.tables]
    if made.byes:
        words.append("-" + "".join(ascii_letters[int(player)] for player in made.byes))
    return " ".join(words)


def _number(letter: str) -> str:
    return str(ascii_letters.index(letter))


@cache
def _plans() -> dict[str, tuple[str, ...]]:
    return msgspec.json.decode((resources.files("hall") / "plans.json").read_bytes(), type=dict[str, tuple[str, ...]])
