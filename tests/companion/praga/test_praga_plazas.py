"""Buildings, plazas, production and the road: what an action gives, to the builder and to others."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.praga import pack
from companion.games.praga.plazas import claimants, leaders
from companion.games.praga.state import Plaza
from tests.companion.praga.a_table import a_table, choose_at, outcome, play, refused


@pytest.mark.rule("14 T10")
@pytest.mark.sentence(44, 46, 49, 51, how="computed")
def test_T10_production_stops_at_nine_gold_and_pays_its_bonuses():
    """Six mines and five gold: nine gold, two lost, two points and the token's bonus."""
    state = a_table(mines=6, gold=5, tokens=(("mines", "stone"),), stone=0)
    state = choose_at(state, 5)
    result = outcome(state, {"kind": "act", "action": "mines", "branch": "produce"})
    board = result.state.boards[0]

    assert (board.gold, board.points, board.stone) == (9, 2, 1)
    lost = next(event for event in result.events if event.kind == "lost")
    assert lost.text.params["thing"].params["n"] == 2


@pytest.mark.rule("14 T14")
@pytest.mark.sentence(89, 99, how="computed")
def test_T14_a_building_without_a_cube_place_counts_all_buildings_at_its_plaza():
    """It is the fourth there: four points."""
    state = a_table(gold=9)
    state = msgspec.structs.replace(state, plazas=(Plaza(3, (0, 0), (0, 0)), *state.plazas[1:]))
    state = choose_at(state, 5)
    state = play(
        state,
        {"kind": "act", "action": "building", "values": {"cost_gold": 3, "plaza": 1, "place": "points"}},
    )

    assert state.boards[0].points == 4
    assert state.plazas[0].buildings == 4
    assert state.plazas[0].cubes == (0, 0)


@pytest.mark.rule("14 T15, T16")
@pytest.mark.sentence(101, 102, 103, how="computed")
def test_T15_T16_most_cubes_then_most_spent_takes_both_rewards():
    """Two cubes each: who spent more takes both; spent the same: both players take both."""
    assert leaders((2, 2), (5, 7)) == (1,)
    assert leaders((2, 2), (6, 6)) == (0, 1)
    assert leaders((2, 1), (1, 9)) == (0,)
    assert leaders((0, 0), (0, 0)) == ()


@pytest.mark.rule("14 T15")
@pytest.mark.sentence(100, 104, how="prompted")
def test_T15_completing_a_plaza_asks_each_claimant_in_turn_order():
    """B takes both rewards, A one by choice, and the cubes go home."""
    state = a_table(gold=9, cubes=0)
    state = msgspec.structs.replace(state, plazas=(Plaza(3, (2, 2), (5, 7)), *state.plazas[1:]))
    state = choose_at(state, 5)
    values = {"cost_gold": 1, "plaza": 1, "place": "points", "completes": True}
    state = play(state, {"kind": "act", "action": "building", "values": values})

    assert [(one.seat, one.both) for one in state.pending] == [(0, False), (1, True), (1, True)]
    assert pack.ask(state).text.key == "praga/ask/plaza/one"
    state = play(state, {"kind": "reward", "values": {"stone": 1}, "seat": 0})
    assert pack.ask(state).text.key == "praga/ask/plaza/upper"
    assert pack.ask(state).seat == 1
    state = play(state, {"kind": "reward", "values": {"points": 5, "gold": 3}, "seat": 1})
    assert (state.boards[0].stone, state.boards[1].points) == (3, 5)
    assert [board.cubes for board in state.boards] == [2, 2]
    assert state.plazas[0].done


@pytest.mark.rule("14 T17")
@pytest.mark.sentence(166, how="computed")
def test_T17_a_corner_that_meets_two_corners_gives_two_tokens():
    """Closing a three-tile corner: the two tokens entered with the wall stand on the board."""
    state = choose_at(a_table(stone=5), 5)
    state = play(state, {"kind": "act", "action": "wall", "values": {"cost_stone": 2, "red": 2}})

    assert (state.boards[0].red, state.boards[0].walls, state.boards[0].stone) == (2, 1, 3)


@pytest.mark.rule("14 T24, T25")
@pytest.mark.parametrize(("university", "steps", "points"), [(8, 8, 4), (7, 8, 2), (6, 8, 0)])
@pytest.mark.sentence(62, 139, how="computed")
def test_T24_T25_steps_past_the_university_are_points(university, steps, points):
    """An Era II upgrade moves two steps; each impossible step is two points."""
    state = a_table(university=university)
    state = msgspec.structs.replace(state, turn=16)
    state = play(choose_at(state, 5), {"kind": "act", "action": "upgrade"})

    assert (state.boards[0].university, state.boards[0].points) == (steps, points)


@pytest.mark.rule("16.13, 16.14")
@pytest.mark.sentence(48, how="prompted")
def test_edge_13_14_the_first_six_and_nine_count_once_even_when_passed():
    """From five to nine in one jump asks for both; spending and coming back asks for nothing."""
    state = play(a_table(gold=5), {"kind": "note", "values": {"gold": 8}, "seat": 0})
    assert [one.what for one in state.pending] == ["gold-6", "gold-9"]
    state = play(state, {"kind": "reward", "values": {"points": 2}, "seat": 0}, {"kind": "reward", "seat": 0})
    assert (state.boards[0].gold, state.boards[0].freed, state.boards[0].cubes, state.boards[0].points) == (9, 1, 3, 2)
    state = play(state, {"kind": "note", "values": {"gold": -5}, "seat": 0})
    state = play(state, {"kind": "note", "values": {"gold": 5}, "seat": 0})
    assert state.pending == ()


@pytest.mark.rule("16.22")
def test_edge_22_steps_past_the_last_column_are_lost():
    """Three columns are printed: the cube stops in the third."""
    state = a_table(box={"grid.wall.base-columns": [1, 2, 3]})
    state = play(state, {"kind": "note", "values": {"wall_steps": 5}, "seat": 0})

    assert state.boards[0].wall_column == 3


@pytest.mark.rule("16.23, 16.24")
@pytest.mark.sentence(105)
def test_edge_23_24_claimants_are_rewarded_from_the_active_player_on_and_the_builder_without_a_cube_is_not():
    """The builder gets only the points per building."""
    assert claimants((1, 0, 2, 1), 2) == (2, 3, 0)
    state = a_table(3, gold=9)
    state = msgspec.structs.replace(state, plazas=(Plaza(3, (0, 1, 1), (0, 2, 2)), *state.plazas[1:]))
    values = {"cost_gold": 1, "plaza": 1, "place": "points", "completes": True}
    state = play(choose_at(state, 6), {"kind": "act", "action": "building", "values": values})

    assert [(one.seat, one.both) for one in state.pending] == [(1, True), (1, True), (2, True), (2, True)]
    assert state.boards[0].points == 4


@pytest.mark.rule("16.25")
def test_edge_25_without_a_spare_cube_there_is_no_claim_and_no_points():
    """The place was for a cube: the building stands, nothing else."""
    state = choose_at(a_table(gold=9, cubes=0), 5)
    claim = {"kind": "act", "action": "building", "values": {"plaza": 2, "place": "claim"}}
    assert refused(state, claim).code == "praga/form"
    state = play(state, {"kind": "act", "action": "building", "values": {"plaza": 2, "place": "none"}})

    assert (state.boards[0].points, state.plazas[1].buildings, state.plazas[1].cubes) == (0, 1, (0, 0))


@pytest.mark.rule("16.26, 9")
@pytest.mark.sentence(80, 91, 98)
def test_edge_26_a_claim_is_cubes_and_what_was_spent_on_them():
    """Printed tile cost counts, the surcharge of the site does not; several own cubes are still one claimant."""
    state = choose_at(a_table(gold=9, stone=9), 5)
    values = {"cost_gold": 2, "cost_stone": 1, "site_gold": 3, "site_points": 4, "plaza": 1, "place": "claim"}
    state = play(state, {"kind": "act", "action": "building", "values": values})

    assert (state.plazas[0].cubes, state.plazas[0].spent) == ((1, 0), (3, 0))
    assert (state.boards[0].gold, state.boards[0].points, state.boards[0].cubes) == (4, 4, 1)
    assert claimants((3, 0), 0) == (0,)


@pytest.mark.sentence(82, 90, 230, 232)
def test_gold_of_the_reward_may_pay_the_site():
    """Tile cost first, then the reward, then the surcharge; nothing is enjoyed before it is paid for."""
    state = choose_at(a_table(gold=2), 5)
    rich = {"cost_gold": 2, "gold": 3, "site_gold": 3}
    assert play(state, {"kind": "act", "action": "building", "values": rich}).boards[0].gold == 0
    poor = {"cost_gold": 3, "gold": 3}
    assert refused(state, {"kind": "act", "action": "building", "values": poor}).code == "praga/cannot-pay"


@pytest.mark.rule("16.28")
@pytest.mark.sentence(123)
def test_edge_28_entering_the_last_section_with_an_empty_stack_costs_the_egg_and_gives_nothing():
    """No V tile is asked for."""
    state = msgspec.structs.replace(a_table(road=4, eggs=1), bridge_fives=3, planks=5)
    state = play(choose_at(state, 5), {"kind": "act", "action": "road"})

    assert (state.boards[0].eggs, state.boards[0].road, state.pending, state.planks) == (0, 5, (), 5)


def test_hex_tiles_may_be_renewed_once_a_turn():
    """One gold or one stone; the new tiles are seen by all, so taking it back needs consent."""
    state = a_table()
    result = outcome(state, {"kind": "refresh", "pay": "stone"})

    assert (result.reveals, result.state.boards[0].stone) == (True, 1)
    assert refused(result.state, {"kind": "refresh", "pay": "gold"}).code == "praga/refreshed"
    assert not [c for c in pack.ask(result.state).choices if c.group == "refresh"]


@pytest.mark.sentence(188, how="prompted")
def test_the_final_form_reminds_of_cubes_at_unfinished_plazas():
    """Their lower reward is easily forgotten."""
    state = choose_at(a_table(gold=9), 5)
    values = {"cost_gold": 2, "plaza": 4, "place": "claim"}
    state = play(state, {"kind": "act", "action": "building", "values": values})
    asked = pack.ask(msgspec.structs.replace(state, turn=32, hand=None))

    claims = next(text for text in asked.reminders if text.key == "praga/remind/claims")
    assert [plaza.params["number"] for plaza in claims.params["plazas"]] == [4]
