"""The score pad: any game, 1 to 8 players, rounds or free."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import RuleBroken
from companion.games.scorepad import pack


def play(moves: list[dict[str, Any]], **options: Any) -> Any:
    state = pack.new({"names": ("Ada", "Ben", "Cleo"), **options}, {})
    for move in moves:
        state = pack.play(state, pack.decode(move)).state
    return state


def test_points_add_up_with_their_reasons() -> None:
    """Every point has a line, and lines have reasons."""
    state = play(
        [{"kind": "points", "seat": 0, "points": 5, "reason": "farm"}, {"kind": "points", "seat": 0, "points": -2}]
    )
    tally = pack.tally(state)
    assert tally.players[0].total == 3
    assert tally.players[0].lines[0].reason is not None


def test_lowest_can_win() -> None:
    """Golf scoring."""
    state = play([{"kind": "score", "values": {"p0": 3, "p1": 1, "p2": 2}}], wins="low")
    assert pack.tally(state).winners == (1,)


def test_a_tie_is_shared_or_broken_by_the_last_round() -> None:
    """Equal totals: shared by default, else decided as chosen at the start."""
    rounds = [
        {"kind": "score", "values": {"p0": 3, "p1": 1, "p2": 0}},
        {"kind": "score", "values": {"p0": 1, "p1": 3, "p2": 0}},
    ]
    assert pack.tally(play(rounds, rounds=2)).winners == (0, 1)
    assert pack.tally(play(rounds, rounds=2, tie_break="last")).winners == (1,)
    assert pack.tally(play(rounds, rounds=2, tie_break="first")).winners == (0,)


def test_a_category_can_break_the_tie() -> None:
    """Most roads wins."""
    moves = [
        {"kind": "points", "seat": 0, "points": 5, "category": "roads"},
        {"kind": "points", "seat": 1, "points": 2, "category": "roads"},
        {"kind": "points", "seat": 1, "points": 3, "category": "farms"},
    ]
    tally = pack.tally(play(moves, categories="roads, farms", tie_break="roads"))
    assert tally.winners == (0,)
    assert [line.id for line in tally.players[1].lines] == ["category/roads", "category/farms"]


def test_a_round_ends_when_everybody_has_scored() -> None:
    """Entering all players closes the round by itself; the last one stays open for the end."""
    state = play([{"kind": "score", "values": {"p0": 1, "p1": 1, "p2": 1}}], rounds=2)
    assert state.round == 2
    state = pack.play(state, pack.decode({"kind": "score", "values": {"p0": 1, "p1": 1, "p2": 1}})).state
    assert state.round == 2
    with pytest.raises(RuleBroken) as refused:
        pack.play(state, pack.decode({"kind": "next"}))
    assert refused.value.code == "scorepad/no-round"


def test_a_line_can_be_corrected_even_after_the_end() -> None:
    """People have the last word."""
    state = play(
        [{"kind": "points", "seat": 0, "points": 5}, {"kind": "end"}, {"kind": "correct", "entry": 0, "points": 7}]
    )
    assert state.total(0) == 7


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"kind": "points", "seat": 9, "points": 1}, "scorepad/no-seat"),
        ({"kind": "points", "seat": 0, "points": 1, "category": "x"}, "scorepad/no-category"),
        ({"kind": "correct", "entry": 0, "points": 1}, "scorepad/no-entry"),
        ({"kind": "next"}, "scorepad/no-round"),
        ({"kind": "score", "values": {"q1": 3}}, "scorepad/no-seat"),
    ],
)
def test_refusals_name_the_reason(move: dict[str, Any], code: str) -> None:
    """Every refusal has a code, words and what to do."""
    with pytest.raises(RuleBroken) as refused:
        play([move])
    assert code == refused.value.code


def test_after_the_end_nothing_is_added() -> None:
    """The pad is closed until the end is taken back."""
    with pytest.raises(RuleBroken) as refused:
        play([{"kind": "end"}, {"kind": "points", "seat": 0, "points": 1}])
    assert refused.value.code == "scorepad/over"


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"kind": "nosuch"},
        {"kind": "points", "seat": "0", "points": 1},
        {"kind": "points", "seat": 0, "points": 10**9},
    ],
)
def test_what_is_not_a_move_is_not_decoded(move: dict[str, Any]) -> None:
    """Strict."""
    with pytest.raises(msgspec.ValidationError):
        pack.decode(move)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-100, 100)), max_size=40))
def test_the_tally_is_the_sum_of_its_lines(entries: list[tuple[int, int]]) -> None:
    """To the last point."""
    state = play([{"kind": "points", "seat": seat, "points": points} for seat, points in entries])
    for player in pack.tally(state).players:
        assert player.total == sum(line.points for line in player.lines)
        assert player.total == sum(points for seat, points in entries if seat == player.seat)


def test_a_pad_entered_by_hand_gives_the_same_total() -> None:
    """`tableside tally scorepad`."""
    tally = pack.score(pack.example(), {})
    assert [player.total for player in tally.players] == [19, 20]
    assert tally.winners == (1,)


@pytest.mark.parametrize(
    "document",
    [{}, {"game": "scorepad", "players": []}, {"game": "scorepad", "players": [{"name": "a", "points": {"x": "y"}}]}],
)
def test_a_wrong_document_names_its_field(document: dict[str, Any]) -> None:
    """One line that says where."""
    with pytest.raises(ValueError, match=r"game|players"):
        pack.score(document, {})


@pytest.mark.parametrize(
    ("options", "what"),
    [({"names": []}, "names"), ({"names": ["A"] * 9}, "names"), ({"tie_break": "roads"}, "tie_break")],
)
def test_a_pad_that_cannot_be_is_refused_by_name(options: dict[str, Any], what: str) -> None:
    """Too many players, or a tie broken by a category nobody counts."""
    with pytest.raises(ValueError, match=what):
        pack.new({"names": ("Ada", "Ben"), **options}, {})


def test_rounds_are_turned_one_by_one_until_the_last() -> None:
    """Then only the end is left; and a pad that has ended offers nothing."""
    state = play([{"kind": "next"}], rounds=2)
    assert state.round == 2
    assert "next" not in [pack.encode(move)["kind"] for move in pack.moves(state)]
    assert pack.moves(play([{"kind": "end"}])) == ()


def test_two_players_of_one_name_cannot_be_told_apart() -> None:
    """A tally names who won."""
    example = pack.example()
    same = [{**player, "name": "Ada"} for player in example["players"]]
    with pytest.raises(ValueError, match="same name"):
        pack.score({**example, "players": same}, {})
