"""Rulings that are easily got wrong: when a technology wakes, what lay there before the game, what runs out."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.praga import clock, final, pack
from companion.games.praga.state import Technology

from .a_table import DIG, READ, TURN, a_table, choose_at, choose_free, no_bonus_box, play, refused

BUILDING = {"kind": "act", "action": "building"}
NEW = {"values": {"cost_gold": 1, "points": 2}}


def with_board(state, seat, **changes):
    """The same table with one player's board changed."""
    boards = list(state.boards)
    boards[seat] = msgspec.structs.replace(boards[seat], **changes)
    return msgspec.structs.replace(state, boards=tuple(boards))


@pytest.mark.parametrize(
    ("seats", "seat", "turn", "following"), [(2, 0, 0, 2), (2, 1, 0, 1), (3, 2, 2, 5), (4, 0, 3, 4), (4, 3, 0, 3)]
)
@pytest.mark.sentence(24, how="computed")
def test_an_own_turn_comes_round_once_a_round(seats, seat, turn, following):
    assert clock.next_own_turn(seats, seat, turn) == following


@pytest.mark.rule("10")
def test_a_lasting_technology_sleeps_through_other_players_turns_until_its_owners_next():
    """Eggs that a plaza brings in somebody else's turn pay nothing yet; from the owner's next turn on they do."""
    state = with_board(a_table(3, box=no_bonus_box()), 0, technologies=(Technology(2, "eggs", 0),))
    state = play(choose_free(state), DIG, TURN)
    egg = {"kind": "note", "values": {"eggs": 1}, "seat": 0}
    assert play(state, egg).boards[0].points == 0, "Tomek's turn: it was gained in Magda's last"
    state = play(choose_free(state), DIG, TURN)
    assert play(state, egg).boards[0].points == 0, "Élodie's"
    state = play(choose_free(state), DIG, TURN)
    assert state.active == 0
    assert play(state, egg).boards[0].points == 1


@pytest.mark.rule("2.2")
@pytest.mark.parametrize("players", [1, 2, 3])
def test_buildings_of_the_set_up_count_at_their_plaza(players):
    """With fewer than four players some sites are filled before the game; told once, they are remembered."""
    state = choose_free(a_table(players, gold=9))
    build = {**BUILDING, "values": {"cost_gold": 1, "plaza": 1, "place": "points", "set_up": 2}}
    state = play(state, build)
    assert state.boards[0].points == 3, "two from the start and this one"
    state = msgspec.structs.replace(state, hand=msgspec.structs.replace(state.hand, acted=False))
    state = play(state, {**BUILDING, "values": {"cost_gold": 1, "plaza": 1, "place": "points"}})
    assert state.boards[0].points == 3 + 4
    assert pack.view(state, None).plazas[0].buildings == 4
    state = msgspec.structs.replace(state, hand=msgspec.structs.replace(state.hand, acted=False))
    state = play(state, {**BUILDING, "values": {"cost_gold": 1, "plaza": 1, "place": "points", "set_up": 1}})
    assert state.boards[0].points == 7 + 4, "it was one after all: three built and one from the start"


@pytest.mark.rule("2.2")
def test_four_players_find_every_site_empty():
    state = choose_at(a_table(4, gold=9), 5)
    new, where = ({"kind": "begin", "action": "building", **more} for more in (NEW, {"tile": 1, "plaza": 1}))
    fields = pack.ask(play(state, new, where)).form.fields
    assert "set_up" not in [field.id for field in fields]
    assert refused(state, {**BUILDING, "values": {"set_up": 1}}).code == "praga/form"
    fewer = choose_at(a_table(3, gold=9), 6)
    fields = pack.ask(play(fewer, new, where)).form.fields
    assert "set_up" in [field.id for field in fields]


@pytest.mark.rule("8")
@pytest.mark.sentence(151)
def test_a_fourth_arrival_at_the_top_of_the_cathedral_finds_no_tile():
    """Three lie there; one that somebody left is still there for the next."""
    state = a_table(4, box=no_bonus_box(), cathedral_level=2, silver_windows=2, gold=9, stone=9)
    climb = {"kind": "climb", "building": "cathedral", "enters": 3, "by": "windows"}
    answers = ("walls", "none", "rows", "upgrades")
    for seat, tile in enumerate(answers):
        state = play(state, climb, {"kind": "final", "tile": tile, "seat": seat})
        state = play(choose_free(state), DIG, TURN)
    assert [board.v_tiles for board in state.boards] == [("walls",), (), ("rows",), ("upgrades",)]
    late = with_board(state, 0, cathedral_level=2, silver_windows=2, gold=9, stone=9)
    assert play(late, climb).pending == (), "all three are taken"


@pytest.mark.rule("16.16")
def test_windows_gained_since_the_turn_ended_are_not_asked_back_with_the_spare_ones():
    """Three at the end of the turn: one goes back, although a plaza has brought a fourth meanwhile."""
    state = choose_free(a_table(box=no_bonus_box(), gold_windows=2, silver_windows=1))
    state = play(state, DIG, TURN)
    assert [one.kind for one in state.pending] == ["windows"]
    state = play(state, {"kind": "note", "values": {"silver_windows": 1}, "seat": 0})
    assert pack.ask(state).text.params == {"n": 1}
    for move in pack.moves(state)[:2]:
        assert pack.play(state, move).state.boards[0].windows == 3
    assert refused(state, {"kind": "windows", "silver": 2, "seat": 0}).code == "praga/give-windows"
    put_right = play(state, {"kind": "correct", "seat": 0, "values": {"gold_windows": 0}})
    assert play(put_right, {"kind": "windows", "seat": 0}).pending == (), "nothing is left to give back"


def lines(state, seat=0):
    """The unconfirmed values each line of a player names, where it names any."""
    return {line.id: line.unconfirmed for line in pack.tally(state).players[seat].lines if line.unconfirmed}


@pytest.mark.rule("17.3")
@pytest.mark.sentence(137, how="computed")
def test_science_names_the_thresholds_it_was_filled_in_from():
    """Below the top nobody knows where the multiplier changes; at the top, three is certain."""
    state = a_table(technology=5, university=4)
    assert lines(state) == {"science": ("track.multiplier.1", "track.multiplier.2")}
    assert lines(a_table(technology=5, university=8)) == {}
    assert lines(a_table(technology=0, university=4)) == {}, "nothing to multiply"
    assert lines(a_table(technology=5, university=4, box={"track.multiplier.1": 3, "track.multiplier.2": 6})) == {}
    assert lines(a_table(technology=9, university=8)) == {"science": ("track.technology_top",)}


@pytest.mark.rule("17.3")
def test_science_names_the_quarry_whose_step_nobody_has_checked():
    state = choose_at(a_table(quarries=6, university=8), 5)
    state = play(state, {"kind": "act", "action": "quarries", "branch": "produce"})
    assert lines(state)["science"] == ("production.technology.6",)


@pytest.mark.rule("17.3")
def test_the_tile_of_the_rows_names_the_rows_nobody_has_read():
    state = a_table(v_tiles=("rows",), wall_row=3, cathedral_row=4)
    assert lines(state) == {"v/rows": ("scoring.v.rows.4",)}, "row 3 is certain"


def test_what_a_player_changed_in_the_form_was_read_off_the_table():
    state = a_table(technology=5, university=4, v_tiles=("rows",), wall_row=2, cathedral_row=4, used=("crane.blue.9",))
    state = msgspec.structs.replace(state, turn=state.length, boards=(state.boards[0], a_table().boards[0]))
    kept = play(state, {"kind": "sheet", "seat": 0, "values": READ})
    assert set(lines(kept)) == {"track", "science", "v/rows"}
    read = {**READ, "multiplier": 2, "v_rows_points": 11, "track": 3}
    assert lines(play(state, {"kind": "sheet", "seat": 0, "values": read})) == {}
    light = msgspec.structs.replace(state, depth="light")
    assert final.doubts(light, 0, final.standing(light, 0)) == {"track": ("crane.blue.9",)}


@pytest.mark.rule("9")
@pytest.mark.parametrize("values", [{"place": "points"}, {"place": "claim"}, {"completes": True}])
@pytest.mark.sentence(97)
def test_a_cube_or_points_for_a_building_need_the_plaza_they_belong_to(values):
    """Without it they would be lost in silence; a building alone may stay without one."""
    state = choose_at(a_table(gold=9), 5)
    assert refused(state, {**BUILDING, "values": {"cost_gold": 1, **values}}).code == "praga/plaza-needed"
    assert play(state, {**BUILDING, "values": {"cost_gold": 1}}).boards[0].gold == 8


@pytest.mark.rule("6, 15")
def test_the_final_form_counts_as_many_eggs_and_tokens_as_the_box_holds():
    fields = {field.id: (field.low, field.high) for field in final.fields(a_table(), 0)}
    assert [fields[name] for name in ("eggs", "red", "blue")] == [(0, 24), (0, 27), (0, 27)]
    more = {field.id: field.high for field in final.fields(a_table(box={"limit.eggs": 30}), 0)}
    assert more["eggs"] == 30
