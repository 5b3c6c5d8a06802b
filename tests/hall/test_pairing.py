"""Rounds of an event: nobody meets again who need not, everybody sits everywhere, byes go round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hall import pairing
from hall.rounds import Round, fewest_repeats, meetings, repeats, table_sizes
from tests.hall import exact_pairing

KINDS = [(2, ()), (3, (2, 4)), (3, (4,)), (3, ()), (4, (3,)), (4, (2, 3)), (4, ())]
ROUNDS = 6


def an_evening(
    players: int, size: int, sizes: tuple[int, ...], chance: Random, leaving: int = ROUNDS, rounds: int = ROUNDS
) -> list[Round]:
    """Everybody plays, somebody wins, the next round follows; after `leaving` rounds one goes home."""
    points = {f"player {number}": 0 for number in range(players)}
    played: list[Round] = []
    for number in range(rounds):
        if number == leaving:
            points.pop(chance.choice(list(points)))
        order = sorted(points, key=lambda name: -points[name])
        scores = [points[name] for name in order]
        made = pairing.swiss(order, scores, played, size=size, sizes=sizes, rounds=rounds)
        assert sorted(points) == sorted([*(name for table in made.tables for name in table), *made.byes])
        assert {len(table) for table in made.tables} <= {size, *sizes}
        played.append(made)
        for table in made.tables:
            for place, name in enumerate(chance.sample(table, len(table))):
                points[name] += 12 * (len(table) - 1 - place) // (len(table) - 1)
        for name in made.byes:
            points[name] += 12
    return played


def apart(rounds: Sequence[Round], seats: int) -> int:
    """The most by which somebody had one of the first seats more often than another."""
    names = {name for played in rounds for table in played.tables for name in table}
    counts = [exact_pairing.seat_counts(rounds, name)[:seats] for name in names]
    return max((max(sat) - min(sat) for sat in counts), default=0)


@settings(max_examples=30, deadline=None)
@given(players=st.integers(4, 200), kind=st.sampled_from(KINDS), seed=st.integers(0, 10**6))
def test_six_rounds_without_avoidable_repeats_and_with_equal_seats(
    players: int, kind: tuple[int, tuple[int, ...]], seed: int
) -> None:
    size, sizes = kind
    rounds = an_evening(players, size, sizes, Random(seed))
    all_sizes = tuple(sorted({size, *sizes}))

    planned = pairing.plan(players, size, all_sizes, ROUNDS) if not pairing.roomy(players, size, ROUNDS) else ()
    assert repeats(planned) == repeats(rounds)
    seats = min(table_sizes(players, size, all_sizes))
    assert all(apart(rounds[:number], seats) <= 1 for number in range(1, ROUNDS + 1)), (
        "after any round, not the last only"
    )
    byes = Counter(name for played in rounds for name in played.byes)
    assert max(byes.values(), default=0) - (min(byes.values()) if len(byes) == players else 0) <= 1


@pytest.mark.parametrize(("size", "sizes"), [(2, ()), (3, ()), (4, ())])
def test_a_round_has_the_fewest_repeats_there_can_be(size: int, sizes: tuple[int, ...]) -> None:
    """After any rounds, good or bad: all the ways to sit down are tried beside it."""
    chance = Random(size)
    for _trial in range(12):
        players = size * chance.randint(2, 8 // size + (size == 3))
        names = [f"player {number}" for number in range(players)]
        played: list[Round] = []
        for _ in range(ROUNDS):
            # seats are even, but who meets whom is left to chance: worse than anybody would play it
            made = pairing.swiss(names, [0] * players, played, size=size, rounds=1)
            fewest = exact_pairing.fewest_repeats(names, played, (size,) * (players // size))
            again = repeats([*played, made]) - repeats(played)
            assert fewest == again, (names, played)
            played.append(made)
            chance.shuffle(names)


@pytest.mark.parametrize(("players", "size"), [(4, 2), (6, 2), (8, 2), (6, 3), (9, 3), (8, 4)])
def test_an_evening_of_a_small_field_has_the_fewest_repeats_there_can_be(players: int, size: int) -> None:
    """The plan of six rounds against every choice of six rounds."""
    fewest = fewest_repeats(players, (size,) * (players // size), ROUNDS)
    planned = repeats(pairing.plan(players, size, (size,), ROUNDS))

    if planned > fewest:
        fewest = exact_pairing.fewest_of_an_evening(players, size, ROUNDS)
    assert fewest == planned


def test_a_field_with_room_never_repeats() -> None:
    """The smallest fields that are led by their points, in many evenings each."""
    for size, sizes in KINDS:
        for more in range(3):
            players = pairing.ROOM[size] * ROUNDS + more
            for seed in range(4):
                assert repeats(an_evening(players, size, sizes, Random(seed))) == 0, (
                    players,
                    size,
                    sizes,
                    seed,
                )


def test_equals_play_equals() -> None:
    """In a large field winners meet winners, as far as the colours let them."""
    names = [f"player {number}" for number in range(100)]
    first = pairing.swiss(names, [0] * 100, [], size=2)
    points = dict.fromkeys(names, 0) | {table[number % 2]: 12 for number, table in enumerate(first.tables)}
    order = sorted(names, key=lambda name: -points[name])

    second = pairing.swiss(order, [points[name] for name in order], [first], size=2)

    # 25 of the winners sat first and 25 second: one pair is left over among the winners, and one among the others
    assert sum(points[one] != points[other] for one, other in second.tables) <= 2


@pytest.mark.parametrize(("players", "size", "sizes", "expected"), [
    (5, 2, (2,), (2, 2)),
    (7, 3, (2, 3, 4), (4, 3)),
    (8, 3, (2, 3, 4), (3, 3, 2)),
    (8, 3, (3, 4), (4, 4)),
    (10, 4, (3, 4), (4, 3, 3)),
    (5, 4, (3, 4), (4,)),
    (6, 4, (3, 4), (3, 3)),
    (3, 4, (4,), ()),
])  # fmt: skip
def test_tables_for_everybody(players: int, size: int, sizes: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert expected == table_sizes(players, size, sizes)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 9, 20, 33])
def test_everybody_meets_everybody_once(players: int) -> None:
    rounds = pairing.everybody([f"player {number}" for number in range(players)], 2)

    assert players - 1 + players % 2 == len(rounds)
    assert players * (players - 1) // 2 == len(meetings(rounds))
    assert repeats(rounds) == 0
    assert apart(rounds, 2) <= 1


@pytest.mark.parametrize(("players", "size", "most"), [(9, 3, 4), (7, 3, 6), (16, 4, 8), (12, 4, 7)])
def test_everybody_meets_everybody_at_larger_tables(players: int, size: int, most: int) -> None:
    rounds = pairing.everybody([f"player {number}" for number in range(players)], size, (3, 4))

    assert players * (players - 1) // 2 == len(meetings(rounds))
    assert len(rounds) <= most


def test_who_leaves_is_not_paired_and_the_rest_play_on() -> None:
    for players in (8, 9, 40):
        rounds = an_evening(players, 4, (3,), Random(players), leaving=3)
        assert apart(rounds, 3) <= 2


def test_the_same_again_is_the_same() -> None:
    """Nothing is left to chance that an organiser could be asked about."""
    assert an_evening(30, 4, (3,), Random(1)) == an_evening(30, 4, (3,), Random(1))


def test_nobody_is_paired_twice() -> None:
    with pytest.raises(ValueError, match="once"):
        pairing.swiss(["Ada", "Ada"], [0, 0], [], size=2)
