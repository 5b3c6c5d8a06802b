"""Standings of an event, from what tables told and the organiser corrected."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.wire.hall import PlayerResult, Result
from hall.event import Entrant, Event, Placing, Round
from hall.standings import WHOLE, of_table, results_of, standings
from hall.store import Held

NOW = datetime(2026, 11, 18, tzinfo=UTC)


def a_result(
    *scored: tuple[str, float], game: str = "yacht", ended: float = 100.0, name: str = "g1", highest: bool = True
) -> Result:
    best = max(points if highest else -points for _, points in scored)
    players = tuple(
        PlayerResult(seat=seat, name=who, points=points, won=(points if highest else -points) == best)
        for seat, (who, points) in enumerate(scored)
    )
    return Result(game=game, game_id=name, seq=9, began=0, ended=ended, players=players, highest_wins=highest)


def held(table: str, result: Result, *, corrected: bool = False) -> Held:
    return Held(table, result, corrected, NOW)


def an_event(*rounds: Round, names: str = "Ada Bo Cleo Dan") -> Event:
    entrants = tuple(Entrant(name=name) for name in names.split())
    return Event(id="friday", name="Friday", game="yacht", size=2, entrants=entrants, rounds=rounds)


FIRST = Round(
    number=1,
    made=10,
    placings=(Placing(table="t1", players=("Ada", "Bo")), Placing(table="t2", players=("Cleo", "Dan"))),
)


@pytest.mark.parametrize(("scored", "expected"), [
    ((("Ada", 20), ("Bo", 10)), {"Ada": 12, "Bo": 0}),
    ((("Ada", 10), ("Bo", 10)), {"Ada": 6, "Bo": 6}),
    ((("Ada", 30), ("Bo", 20), ("Cleo", 10)), {"Ada": 12, "Bo": 6, "Cleo": 0}),
    ((("Ada", 40), ("Bo", 30), ("Cleo", 20), ("Dan", 10)), {"Ada": 12, "Bo": 8, "Cleo": 4, "Dan": 0}),
    ((("Ada", 40), ("Bo", 20), ("Cleo", 20), ("Dan", 10)), {"Ada": 12, "Bo": 6, "Cleo": 6, "Dan": 0}),
])  # fmt: skip
def test_a_table_gives_the_share_of_the_others_beaten(
    scored: tuple[tuple[str, float], ...], expected: dict[str, int]
) -> None:
    assert expected == of_table(a_result(*scored))


def test_the_least_wins_where_the_game_says_so() -> None:
    assert of_table(a_result(("Ada", 3), ("Bo", 5), ("Cleo", 9), highest=False)) == {"Ada": 12, "Bo": 6, "Cleo": 0}


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=4))
def test_every_table_gives_as_much_as_half_its_players(points: list[int]) -> None:
    """No table is worth more than another of its size, whatever the ties."""
    given_out = of_table(a_result(*((f"player {number}", float(score)) for number, score in enumerate(points))))
    assert WHOLE * len(points) / 2 == sum(given_out.values())


def test_points_then_strength_of_the_people_met_decide() -> None:
    second = Round(
        number=2,
        made=200,
        placings=(Placing(table="t1", players=("Ada", "Cleo")), Placing(table="t2", players=("Bo", "Dan"))),
    )
    told = [
        held("t1", a_result(("Ada", 20), ("Bo", 10))),
        held("t2", a_result(("Cleo", 20), ("Dan", 10), name="g2")),
        held("t1", a_result(("Ada", 20), ("Cleo", 10), name="g3", ended=300)),
        held("t2", a_result(("Bo", 20), ("Dan", 10), name="g4", ended=300)),
    ]
    lines = standings(an_event(FIRST, second), told)

    assert [(line.name, line.points) for line in lines] == [("Ada", 24), ("Bo", 12), ("Cleo", 12), ("Dan", 0)]
    assert [line.place for line in lines] == [1, 2, 2, 4], "Bo and Cleo met the same, and share the place"


def test_a_bye_is_a_table_won() -> None:
    played = Round(number=1, made=10, placings=(Placing(table="t1", players=("Ada", "Bo")),), byes=("Cleo",))
    lines = standings(an_event(played, names="Ada Bo Cleo"), [held("t1", a_result(("Ada", 20), ("Bo", 10)))])

    assert [(line.name, line.points) for line in lines] == [("Ada", 12), ("Cleo", 12), ("Bo", 0)]


def test_only_what_was_paired_counts() -> None:
    """Games between rounds, of others, of another game, taken back or from before count for nothing."""
    told = [
        held("t1", a_result(("Ada", 1), ("Bo", 90), ended=5)),
        held("t1", a_result(("Ada", 1), ("Eve", 90), name="g2")),
        held("t1", a_result(("Ada", 1), ("Bo", 90), name="g3", game="farkle")),
        held("t2", a_result(("Ada", 1), ("Bo", 90), name="g4")),
        held("t1", a_result(("Ada", 90), ("Bo", 1), name="g5", ended=101)),
        held("t1", a_result(("Ada", 1), ("Bo", 90), name="g6", ended=102)),
    ]
    assert {key: one.result.game_id for key, one in results_of(an_event(FIRST), told).items()} == {(1, "t1"): "g5"}


def test_nobody_is_counted_twice_at_one_table() -> None:
    """A forged result that names one player seven times is not the table that was paired."""
    many = a_result(*((("Ada", 9.0),) * 7), ("Bo", 1.0))
    assert results_of(an_event(FIRST), [held("t1", many)]) == {}


def test_the_organisers_word_holds() -> None:
    before = standings(an_event(FIRST), [held("t1", a_result(("Ada", 20), ("Bo", 10)))])
    after = standings(an_event(FIRST), [held("t1", a_result(("Ada", 20), ("Bo", 30)), corrected=True)])

    assert (before[0].name, after[0].name) == ("Ada", "Bo")
