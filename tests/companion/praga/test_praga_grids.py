"""Hunger Wall, Cathedral and the city as grids: told place by place, kept for later games, refused where it cannot be printed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.praga import grids, pack
from tests.companion.desk import Desk
from tests.companion.praga.a_table import a_table, outcome, play, refused

WALL = {"kind": "tell", "grid": "wall.base"}


def at(row: int, column: int, shows: int | str | None) -> dict[str, Any]:
    """What is printed at a place."""
    return {"row": row, "column": column, "shows": shows}


def code(state: Any, move: dict[str, Any]) -> str:
    """Why not."""
    return refused(state, move).code.removeprefix("praga/")


def shown(state: Any, which: int = 0) -> dict[tuple[int, int], Any]:
    """What was told of one of the buildings in play."""
    return {(one.row, one.column): one.shows for one in grids.in_play(state)[which].spaces}


def test_f6_a_number_read_off_fills_the_final_form_and_is_kept() -> None:
    """Told alone it says nothing about how many rows there are, and nothing of the others."""
    done = outcome(a_table(wall_row=3), {**WALL, "spaces": [at(3, 0, 13), at(0, 1, 2)]})
    assert done.learnt == {
        "printed.wall.base-rows": [{"row": 3, "points": 13}],
        "printed.wall.base-columns": [{"row": 1, "points": 2}],
    }
    assert shown(done.state) == {(3, 0): 13, (0, 1): 2}
    assert grids.in_play(done.state)[0].rows == 4, "as many as are drawn of a building nobody knows"
    again = pack.new({"names": ["Magda", "Tomek"]}, done.learnt)
    assert shown(again) == {(3, 0): 13, (0, 1): 2}


def test_f6_rows_past_the_top_are_refused_once_it_is_told() -> None:
    """How many rows there are may be told before any of their numbers."""
    state = play(a_table(wall_row=3, silver_windows=2), {**WALL, "rows": 3})
    assert state.box["grid.wall.base-rows"] == [-1, -1, -1] and shown(state) == {}
    assert code(state, {"kind": "climb", "building": "wall", "by": "windows"}) == "top-row"
    taller = play(state, {**WALL, "rows": 4, "spaces": [at(4, 0, 7)]})
    assert shown(taller) == {(4, 0): 7}
    play(taller, {"kind": "climb", "building": "wall", "by": "windows"})


def test_what_a_space_shows_is_known_when_somebody_comes_there() -> None:
    """Points, an arrow and nothing; told anew it is something else, and it can be unknown again."""
    spaces = [at(1, 2, "+3"), at(1, 3, "left"), at(2, 2, "up"), at(2, 3, "none")]
    state = play(a_table(), {**WALL, "spaces": spaces})
    assert shown(state) == {(1, 2): "+3", (1, 3): "left", (2, 2): "up", (2, 3): "none"}
    walked = play(
        state, {"kind": "choose", "tile": 5, "seat": 0}, {"kind": "note", "seat": 0, "values": {"wall_steps": 1}}
    )
    assert (walked.boards[0].wall_column, walked.boards[0].points) == (2, 3)
    other = play(state, {**WALL, "spaces": [at(1, 2, "up"), at(2, 3, None)]})
    assert shown(other) == {(1, 2): "up", (1, 3): "left", (2, 2): "up"}


def test_the_first_rows_of_levels_are_told_on_the_picture() -> None:
    """In their order; nothing said of a level is no border."""
    state = play(a_table(), {**WALL, "borders": [3, 5]})
    assert grids.in_play(state)[0].borders == (3, 5)
    assert code(state, {**WALL, "borders": [5, 3]}) == "box"
    assert grids.in_play(play(state, {**WALL, "borders": [0, 4]}))[0].borders == (0, 4)


def test_a_plaza_that_is_moved_lies_at_one_place_only() -> None:
    """Who is put where another lies takes its place."""
    city = {"kind": "tell", "grid": "city"}
    state = play(a_table(), {**city, "spaces": [at(4, 1, 1), at(1, 6, 2)]})
    assert state.box["plazas.places"] == [1, 24]
    assert play(state, {**city, "spaces": [at(3, 2, 1)]}).box["plazas.places"] == [8, 24]
    assert play(state, {**city, "spaces": [at(1, 6, 1)]}).box["plazas.places"] == [24, 0]
    assert play(state, {**city, "spaces": [at(1, 6, None)]}).box["plazas.places"] == [1, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"grid": "bridge", "rows": 3},
        {"grid": "wall.base", "rows": 3, "spaces": [at(4, 0, 1)]},
        {"grid": "wall.base", "spaces": [at(1, 0, "up")]},
        {"grid": "wall.base", "spaces": [at(0, 1, 13)], "columns": 2},
        {"grid": "wall.base", "spaces": [at(1, 1, "right")]},
        {"grid": "wall.base", "spaces": [at(1, 1, "+99")]},
        {"grid": "city", "spaces": [at(5, 1, 1)]},
        {"grid": "city", "spaces": [at(1, 1, 12)]},
    ],
)
def test_what_cannot_be_printed_is_refused_with_nothing_changed(wrong: dict[str, Any]) -> None:
    """In a game and in the box alike."""
    state = a_table()
    assert code(state, {"kind": "tell", **wrong}) == "box"
    if wrong.get("columns") is None:
        with pytest.raises(ValueError, match=r".+"):
            pack.tells({}, {"kind": "tell", **wrong})
    assert code(state, WALL) == "nothing"


def test_a_phone_tells_in_its_own_turn_and_its_owner_keeps_it(desk: Desk) -> None:
    """F15: who is not asked changes nothing on everybody's board; a move told is taken back like any other."""
    desk.new("praga", "Magda", "Tomek", tiles=[1, 2, 3, 4, 5, 6])
    mine, others = desk.sit(0), desk.sit(1)
    told = {"grid": "wall.base", "spaces": [at(2, 0, 4)]}
    early = desk.move(others, kind="tell", seat=1, **told)
    assert early.refusal is not None and early.refusal.code == "table/not-your-turn"
    assert desk.move(others, kind="tell", seat=0, **told).refusal is not None
    assert desk.move(mine, kind="tell", seat=0, **told).ok
    assert desk.table.owner.box("praga")["printed.wall.base-rows"] == [{"row": 2, "points": 4}]
    assert desk.request(mine, undo=True).ok
    assert "printed.wall.base-rows" not in desk.table.owner.box("praga")


def test_what_was_told_at_the_screen_is_not_taken_back_by_a_phone(desk: Desk) -> None:
    desk.new("praga", "Magda", "Tomek", tiles=[1, 2, 3, 4, 5, 6])
    mine = desk.sit(0)
    assert desk.move(**WALL, spaces=[at(2, 0, 4)]).ok
    assert desk.request(mine, undo=True).refusal is not None
    assert desk.request(undo=True).ok


def test_a_box_that_forgot_where_something_lies_still_draws_its_grids() -> None:
    """Whatever the box takes can be looked at: a space without its place, a number without its row or its value."""
    box = {
        "landing.wall.base": [
            {"points": 3},
            {"row": 2, "points": 1},
            {"row": 55, "column": -3},
            {"row": 1, "column": 2},
        ],
        "printed.wall.base-rows": [{"points": 4}, {"row": 2}, {"row": -4, "points": 1}, {"row": 3, "points": 7}],
    }
    assert shown(pack.new({"names": ["Magda"]}, box)) == {(1, 2): "none", (3, 0): 7}
    assert pack.grids(box)[0].rows == 4
