"""The score pad: any game, 1 to 8 players, rounds or free."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import RuleBroken, Text, seat_name
from companion.games.scorepad import pack
from companion.games.scorepad.pad import LINES, End, Entry


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


def test_the_tally_lists_categories_as_they_were_named() -> None:
    """Whoever wrote into which first."""
    moves = [{"kind": "points", "seat": 0, "points": 5, "category": word} for word in ("rivers", "farms", "roads")]
    tally = pack.tally(play(moves, categories="roads, farms, rivers"))
    assert [line.id for line in tally.players[0].lines] == ["category/roads", "category/farms", "category/rivers"]


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


def test_a_pad_has_an_end() -> None:
    """A phone that never stops writing makes no move slow: what is full takes no line, and can be corrected and ended."""
    one = Entry(0, 1, 1)
    state = play([]).written((one,) * (LINES - 3))
    state = pack.play(state, pack.decode({"kind": "score", "values": {"p0": 1, "p1": 2, "p2": 3}})).state
    for move in ({"kind": "points", "seat": 0, "points": 1}, {"kind": "score", "values": {"p0": 1}}):
        with pytest.raises(RuleBroken) as refused:
            pack.play(state, pack.decode(move))
        assert refused.value.code == "scorepad/full"
    ask = pack.ask(state)
    assert (ask.text.key, ask.form) == ("scorepad/ask/full", None)
    assert pack.moves(state) == [End()]
    corrected = pack.play(state, pack.decode({"kind": "correct", "entry": LINES - 1, "points": 9})).state
    assert pack.over(pack.play(corrected, End()).state)
    assert pack.tally(corrected).players[2].total == 9


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


def test_of_three_equal_players_the_tie_break_may_leave_two() -> None:
    """The third falls behind in the last round; the other two still share."""
    rounds = [
        {"kind": "score", "values": {"p0": 1, "p1": 1, "p2": 4}},
        {"kind": "score", "values": {"p0": 3, "p1": 3, "p2": 0}},
    ]
    tally = pack.tally(play(rounds, rounds=2, tie_break="last"))
    assert tally.winners == (0, 1)
    assert tally.tie_break is not None
    assert tally.tie_break.key == "scorepad/tie/shared"


def test_the_lowest_wins_a_tie_in_the_same_direction_and_below_nothing() -> None:
    """Golf with points lost: fewest in all, then fewest in the first round."""
    rounds = [
        {"kind": "score", "values": {"p0": -5, "p1": -7, "p2": 4}},
        {"kind": "score", "values": {"p0": -4, "p1": -2, "p2": 0}},
    ]
    tally = pack.tally(play(rounds, rounds=2, wins="low", tie_break="first"))
    assert ([player.total for player in tally.players], tally.winners) == ([-9, -9, 4], (1,))


@pytest.mark.parametrize("tie_break", ["last", "first"])
def test_without_rounds_no_round_can_break_a_tie(tie_break: str) -> None:
    """Free scoring: who wrote last or first makes no difference."""
    moves = [{"kind": "points", "seat": seat, "points": points} for seat, points in ((0, 5), (1, 7), (0, 2), (2, -3))]
    tally = pack.tally(play(moves, tie_break=tie_break))
    assert (tally.winners, tally.players[2].total) == ((0, 1), -3)


def test_nothing_written_leaves_the_pad_as_it_is() -> None:
    """A form sent with nothing but zeros while scoring freely; lines after it stand in their order."""
    zeros = {"kind": "score", "values": {"p0": 0, "p1": 0, "p2": 0}}
    state = play([zeros, zeros, {"kind": "points", "seat": 2, "points": 4}, zeros])
    assert [[entry.points for entry in page] for page in state.pages] == [[4]]
    assert play([zeros], rounds=3).round == 2, "in rounds, zeros for everybody are a round"


def test_eight_sit_at_a_pad_and_nine_do_not() -> None:
    names = [f"Player {n}" for n in range(9)]
    state = pack.new({"names": names[:8], "rounds": 1}, {})
    state = pack.play(state, pack.decode({"kind": "score", "values": {f"p{n}": -n for n in range(8)}})).state
    assert [player.total for player in pack.tally(state).players] == [-n for n in range(8)]
    with pytest.raises(ValueError, match="the pad is for 1 to 8 players, not 9"):
        pack.new({"names": names}, {})


def test_a_round_waits_for_everybody_who_writes_their_own_line() -> None:
    """The first phone once closed the round for all, and the others got nothing."""
    first = {"kind": "score", "apart": True, "values": {"p0": 12, "p2": 3}}
    pad = play([first], rounds=3)
    assert pad.round == 1
    assert pack.ask(pad).reminders == (Text("scorepad/missing", {"names": (seat_name(1),)}),)
    pad = play([first, {"kind": "score", "apart": True, "values": {"p1": 0}}], rounds=3)
    assert pad.round == 2
    assert pack.ask(pad).reminders == ()


def test_the_end_is_touched_twice() -> None:
    """It ends the game for everybody."""
    (end,) = (choice for choice in pack.ask(play([])).choices if choice.id == "end")
    assert end.confirm
