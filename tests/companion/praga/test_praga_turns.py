"""Turns of Praga: the worked examples that concern play, and the edge cases that concern the companion."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.praga import clock, crane, pack
from companion.games.praga.plazas import claimants, leaders
from companion.games.praga.state import Plaza, Technology
from tests.companion.praga.a_table import a_table, choose_at, choose_free, events, outcome, play, refused

DIG = {"kind": "act", "action": "mines", "branch": "dig"}
TURN = {"kind": "turn"}


def with_wheel(state, box, tiles, flagged=()):
    """The same table with another crane."""
    return msgspec.structs.replace(state, crane=crane.lay_out(box, tiles, flagged))


def holding(state, level, effect, turn=-1):
    """Player one holds a technology since some earlier turn."""
    tile = Technology(level, effect, turn)
    boards = (msgspec.structs.replace(state.boards[0], technologies=(tile,)), *state.boards[1:])
    return msgspec.structs.replace(state, boards=boards)


def no_bonus_box():
    """A wheel whose bonuses are all the purchase of an egg: nothing is booked at the end of a turn."""
    return {f"crane.bonus.{k}": "egg-for-gold" for k in range(1, 12)}


@pytest.mark.rule("14 T10")
def test_T10_production_stops_at_nine_gold_and_pays_its_bonuses():
    """Six mines and five gold: nine gold, two lost, two points and the token's bonus."""
    state = a_table(mines=6, gold=5, tokens=(("mines", "stone"),), stone=0)
    state = choose_at(state, 5)
    result = outcome(state, {"kind": "act", "action": "mines", "branch": "produce"})
    board = result.state.boards[0]

    assert (board.gold, board.points, board.stone) == (9, 2, 1)
    lost = next(event for event in result.events if event.kind == "lost")
    assert lost.text.params["thing"].params["n"] == 2


@pytest.mark.rule("14 T12, now")
def test_T12_the_mines_tile_pays_three_points_at_once():
    """Three now; the eight mines count at the end."""
    state = choose_at(a_table(road=4, eggs=1, mines=8), 5)
    state = play(state, {"kind": "begin", "action": "road"}, {"kind": "act", "action": "road"})
    state = play(state, {"kind": "final", "tile": "mines"})
    board = state.boards[0]

    assert (board.points, board.v_tiles, board.road, board.eggs) == (3, ("mines",), 5, 0)


@pytest.mark.rule("14 T14")
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
def test_T15_T16_most_cubes_then_most_spent_takes_both_rewards():
    """Two cubes each: who spent more takes both; spent the same: both players take both."""
    assert leaders((2, 2), (5, 7)) == (1,)
    assert leaders((2, 2), (6, 6)) == (0, 1)
    assert leaders((2, 1), (1, 9)) == (0,)
    assert leaders((0, 0), (0, 0)) == ()


@pytest.mark.rule("14 T15")
def test_T15_completing_a_plaza_asks_each_claimant_in_turn_order():
    """B takes both rewards, A one by choice, and the cubes go home."""
    state = a_table(gold=9, cubes=0)
    state = msgspec.structs.replace(state, plazas=(Plaza(3, (2, 2), (5, 7)), *state.plazas[1:]))
    state = choose_at(state, 5)
    values = {"cost_gold": 1, "plaza": 1, "place": "points", "completes": True}
    state = play(state, {"kind": "act", "action": "building", "values": values})

    assert [(one.seat, one.both) for one in state.pending] == [(0, False), (1, True)]
    assert pack.ask(state).text.key == "praga/ask/plaza/one"
    state = play(state, {"kind": "reward", "values": {"stone": 1}, "seat": 0})
    assert pack.ask(state).text.key == "praga/ask/plaza/both"
    assert pack.ask(state).seat == 1
    state = play(state, {"kind": "reward", "values": {"points": 5, "gold": 3}, "seat": 1})
    assert (state.boards[0].stone, state.boards[1].points) == (3, 5)
    assert [board.cubes for board in state.boards] == [2, 2]
    assert state.plazas[0].done


@pytest.mark.rule("14 T17")
def test_T17_a_corner_that_meets_two_corners_gives_two_tokens():
    """Closing a three-tile corner: the two tokens entered with the wall stand on the board."""
    state = choose_at(a_table(stone=5), 5)
    state = play(state, {"kind": "act", "action": "wall", "values": {"cost_stone": 2, "red": 2}})

    assert (state.boards[0].red, state.boards[0].walls, state.boards[0].stone) == (2, 1, 3)


@pytest.mark.rule("14 T22")
def test_T22_a_red_tile_that_cannot_be_paid_is_not_selectable():
    """One gold at a station that costs two: the choice is off, the move refused, and the doubt is named."""
    state = a_table(gold=1)
    tile = state.crane.at(1)
    choice = next(choice for choice in pack.ask(state).choices if choice.id == f"tile-{tile}")
    wrong = refused(state, {"kind": "choose", "tile": tile})

    assert choice.off is not None
    assert (wrong.code, wrong.box) == ("too-dear", "crane.red.1")
    assert refused(a_table(gold=1, box={"crane.red.1": 2}), {"kind": "choose", "tile": tile}).box == ""


def test_the_owner_may_say_that_the_copy_differs():
    """Our copy asks one gold there: a journalled move, and the tile can be taken."""
    state = play(a_table(gold=1), {"kind": "box", "key": "crane.red.1", "value": 1})
    state = choose_at(state, 1)

    assert state.boards[0].gold == 0


def test_light_depth_shows_the_cost_and_never_refuses():
    """Gold is not tracked there."""
    state = a_table(depth="light", gold=0)
    choice = next(c for c in pack.ask(state).choices if c.picture["station"] == 1)

    assert choice.off is None
    assert choice.note.key == "praga/note/pay"
    assert choose_at(state, 1).hand is not None


@pytest.mark.rule("14 T23")
def test_T23_the_player_picks_the_window_to_give_back():
    """Two gold and one silver at the end of the turn: one goes back, and it is asked which."""
    state = choose_at(a_table(gold_windows=2, silver_windows=1, box=no_bonus_box()), 5)
    assert "praga/remind/windows" in [text.key for text in pack.ask(state).reminders]
    state = play(state, DIG, TURN)

    asked = pack.ask(state)
    assert (asked.seat, asked.text.key) == (0, "praga/ask/windows")
    assert [choice.move for choice in asked.choices] == [
        {"kind": "windows", "silver": 1, "seat": 0},
        {"kind": "windows", "gold": 1, "seat": 0},
    ]
    assert refused(state, {"kind": "windows", "gold": 2, "seat": 0}).code == "give-windows"
    state = play(state, {"kind": "windows", "gold": 1, "seat": 0})
    assert (state.boards[0].gold_windows, state.boards[0].silver_windows) == (1, 1)


def test_windows_of_one_colour_go_back_without_a_question():
    """Three silver windows: there is nothing to choose."""
    state = play(choose_at(a_table(silver_windows=3, box=no_bonus_box()), 5), DIG, TURN)

    assert state.boards[0].silver_windows == 2
    assert pack.ask(state).phase == "choose"


@pytest.mark.rule("14 T24, T25")
@pytest.mark.parametrize(("university", "steps", "points"), [(8, 8, 4), (7, 8, 2), (6, 8, 0)])
def test_T24_T25_steps_past_the_university_are_points(university, steps, points):
    """An Era II upgrade moves two steps; each impossible step is two points."""
    state = a_table(university=university)
    state = msgspec.structs.replace(state, turn=16)
    state = play(choose_at(state, 5), {"kind": "act", "action": "upgrade"})

    assert (state.boards[0].university, state.boards[0].points) == (steps, points)


@pytest.mark.rule("14 T27")
def test_T27_the_dummy_takes_the_tile_at_nine():
    """After the only player's turn the screen says which tile the dummy takes and waits for the wheel."""
    state = with_wheel(a_table(1), 3, {2: 1, 12: 2, 4: 3, 5: 4, 8: 5, 1: 6})
    state = play(choose_at(state, 12), TURN)
    assert [s for s, _ in state.crane.tiles()] == [1, 2, 3, 5, 6, 9]

    asked = pack.ask(state)
    assert (asked.seat, asked.text.key, asked.text.params["station"]) == (0, "praga/ask/dummy", 9)
    state = play(state, TURN)
    assert state.crane.where(5) == 1
    assert state.boards[0].points == 5


def test_the_dummy_takes_a_flagged_tile_and_its_token_goes_back():
    """It gets nothing for it, and pays nothing on red."""
    state = with_wheel(a_table(1), 8, {1: 1, 2: 2, 3: 3, 5: 4, 9: 5, 11: 6}, (6,))
    state = play(choose_at(state, 5), TURN)
    before = state.boards[0]
    state = play(state, TURN)

    assert state.crane.where(6) == 1
    assert state.crane.flagged == ()
    assert state.boards[0] == before


def test_the_most_forgotten_rules_are_said_when_they_matter():
    """Pay before you enjoy; the wheel bonus may still be taken; the cube is lifted after it dropped."""
    state = choose_at(a_table(stone=5), 5)
    said = [text.key for text in pack.ask(play(state, {"kind": "begin", "action": "wall"})).reminders]
    assert {"praga/remind/pay-first", "praga/remind/bonus"} <= set(said)
    state = play(state, {"kind": "bonus"})
    assert "praga/remind/bonus" not in [text.key for text in pack.ask(state).reminders]
    after_drop = msgspec.structs.replace(a_table(), turn=10)
    assert "praga/remind/lift-cube" in [text.key for text in pack.ask(after_drop).reminders]


@pytest.mark.rule("16.1")
def test_edge_01_from_twelve_the_wheel_turns_two_notches():
    """One notch lands on station 1 and is one notch short."""
    state = choose_at(with_wheel(a_table(), 12, {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6}), 5)
    wrong = refused(state, {"kind": "turn", "to": 1})

    assert (wrong.code, wrong.do.params["station"], wrong.do.params["n"]) == ("wheel", 2, 2)
    assert play(state, {"kind": "turn", "to": 2}).crane.box == 2


@pytest.mark.parametrize("station", [s for s in range(1, 13) if s != 11])
@pytest.mark.rule("16.30")
def test_edge_30_a_wrong_turn_of_the_wheel_shows_the_station_and_changes_nothing(station):
    """Only the right station ends the turn; before a tile is chosen none does."""
    fresh = a_table()
    assert refused(fresh, {"kind": "turn", "to": 11}).code == "no-tile-turned"
    state = choose_at(fresh, 5)
    wrong = refused(state, {"kind": "turn", "to": station})

    assert (wrong.code, wrong.do.params["station"]) == ("wheel", 11)
    assert pack.expect(state).dial == 9
    assert pack.expect(play(state, {"kind": "turn", "to": 11})).dial == 10


@pytest.mark.rule("16.5")
def test_edge_05_a_flagged_tile_on_red_costs_gold_and_gives_five():
    """The fallback removes no cost."""
    state = with_wheel(a_table(gold=3), 9, {4: 1, 5: 2, 6: 3, 7: 4, 1: 5, 2: 6}, (1,))
    state = choose_at(state, 4)

    assert (state.boards[0].gold, state.boards[0].points) == (2, 5)
    assert state.crane.flagged == ()


@pytest.mark.rule("16.6")
def test_edge_06_without_gold_there_is_always_a_free_tile():
    """Six tiles, four red stations."""
    state = a_table(gold=0)
    free = [c for c in pack.ask(state).choices if c.group == "tile" and c.off is None]

    assert len(free) == 2


@pytest.mark.rule("16.7")
@pytest.mark.parametrize(("road", "eggs", "code"), [(5, 3, "road-end"), (3, 0, "no-egg"), (4, 0, "no-egg")])
def test_edge_07_an_impossible_action_cannot_be_begun(road, eggs, code):
    """The road is finished or its egg is missing: the choice is off and refused."""
    state = choose_at(a_table(road=road, eggs=eggs), 5)
    choice = next(c for c in pack.ask(state).choices if c.id == "road")

    assert choice.off.key == f"praga/refuse/{code}"
    assert refused(state, {"kind": "begin", "action": "road"}).code == code


def test_edge_07_a_player_may_take_a_tile_and_do_nothing():
    """The wheel may be turned without a recorded action; the form at the end asks to check with care."""
    state = choose_at(a_table(), 5)
    result = outcome(state, TURN)

    assert "unlogged" in events(result)
    assert result.state.boards[0].unlogged == 1


@pytest.mark.rule("16.8")
def test_edge_08_the_extra_action_may_come_first_and_pay_the_red_station():
    """Production bought with windows brings the gold for the tile."""
    state = a_table(gold=0, gold_windows=1, silver_windows=1)
    assert refused(state, {"kind": "choose", "tile": state.crane.at(1)}).code == "too-dear"
    state = play(state, {"kind": "extra", "pay": "mixed"})
    assert pack.ask(state).text.key == "praga/ask/extra"
    state = play(state, {"kind": "act", "action": "mines", "branch": "produce"})
    state = choose_at(state, 1)

    assert (state.boards[0].gold, state.boards[0].windows) == (1, 0)
    assert not state.hand.acted, "the tile's own action is still to do"
    assert refused(state, {"kind": "extra", "pay": "mixed"}).code == "extra-twice"


@pytest.mark.rule("16.9, 16.10")
def test_edge_09_10_the_special_tile_needs_the_tiles_own_action():
    """Never by the extra action; unused, the bonus is points."""
    box = {f"crane.bonus.{k}": "special-2" for k in range(1, 12)}
    state = choose_at(a_table(gold_windows=2, stone=9, box=box), 5)
    extra = play(state, {"kind": "extra", "pay": "gold"})
    special = {"kind": "act", "action": "wall", "values": {"special": True}}

    assert refused(extra, special).code == "special"
    assert "praga/remind/no-special" in [t.key for t in pack.ask(extra).reminders]
    taken = play(state, special)
    assert refused(taken, {"kind": "bonus"}).code == "no-bonus"
    assert play(taken, TURN).boards[0].points == 0
    assert play(state, {"kind": "act", "action": "wall"}, TURN).boards[0].points == 2


@pytest.mark.rule("16.10")
def test_edge_10_points_of_the_special_bonus_count_for_the_choice_technology():
    """One point more, once a turn, for points on choosing."""
    box = {f"crane.bonus.{k}": "special-1" for k in range(1, 12)}
    state = choose_at(holding(a_table(box=box), 1, "choice"), 5)
    state = play(state, {"kind": "bonus"})

    assert state.boards[0].points == 2


@pytest.mark.rule("16.4")
def test_edge_04_the_flag_counts_as_points_on_choosing():
    """Five points of the token and one of the technology."""
    state = with_wheel(holding(a_table(), 1, "choice"), 9, {10: 1, 5: 2, 6: 3, 7: 4, 1: 5, 2: 6}, (1,))

    assert choose_at(state, 10).boards[0].points == 6


@pytest.mark.rule("16.11, 16.12")
def test_edge_11_12_a_new_upgrade_counts_for_its_action_already_done():
    """The player is reminded to collect it, for the upgrade action too."""
    state = play(choose_at(a_table(), 5), {"kind": "act", "action": "upgrade", "values": {"stone": 2}})

    assert "praga/remind/upgrade" in [text.key for text in pack.ask(state).reminders]
    assert (state.boards[0].upgrades, state.boards[0].stone, state.boards[0].university) == (1, 4, 1)


@pytest.mark.rule("16.13, 16.14")
def test_edge_13_14_the_first_six_and_nine_count_once_even_when_passed():
    """From five to nine in one jump asks for both; spending and coming back asks for nothing."""
    state = play(a_table(gold=5), {"kind": "note", "values": {"gold": 8}, "seat": 0})
    assert [one.what for one in state.pending] == ["gold-6", "gold-9"]
    state = play(state, {"kind": "reward", "values": {"points": 2}, "seat": 0}, {"kind": "reward", "seat": 0})
    assert (state.boards[0].gold, state.boards[0].freed, state.boards[0].cubes, state.boards[0].points) == (9, 1, 3, 2)
    state = play(state, {"kind": "note", "values": {"gold": -5}, "seat": 0})
    state = play(state, {"kind": "note", "values": {"gold": 5}, "seat": 0})
    assert state.pending == ()


@pytest.mark.rule("16.15")
def test_edge_15_gold_windows_do_not_climb():
    """Climbing asks for two silver ones."""
    state = a_table(gold_windows=2, silver_windows=1)

    assert refused(state, {"kind": "climb", "building": "wall"}).code == "cannot-pay"
    climbed = play(a_table(silver_windows=2), {"kind": "climb", "building": "wall"})
    assert (climbed.boards[0].wall_row, climbed.boards[0].silver_windows) == (2, 0)


@pytest.mark.rule("16.16")
def test_edge_16_windows_gained_in_anothers_turn_wait_for_the_owners_own():
    """Player two may hold three during player one's turn."""
    state = choose_at(a_table(box=no_bonus_box()), 5)
    state = play(state, {"kind": "note", "values": {"silver_windows": 3}, "seat": 1}, DIG, TURN)
    assert state.boards[1].silver_windows == 3
    state = play(choose_free(state), DIG, TURN)
    assert state.boards[1].silver_windows == 2


@pytest.mark.rule("16.17")
def test_edge_17_the_player_of_the_changing_turn_still_takes_era_one_tiles():
    """The upgrade of turn 16 moves one step, that of turn 17 two; the change is announced between."""
    state = msgspec.structs.replace(a_table(), turn=15)
    assert "praga/remind/era-next" in [text.key for text in pack.ask(state).reminders]
    state = play(choose_at(state, 5), {"kind": "act", "action": "upgrade"})
    assert state.boards[1].university == 1
    result = outcome(state, TURN)
    assert "era" in events(result)
    state = play(choose_free(result.state), {"kind": "act", "action": "upgrade"})
    assert state.boards[0].university == 2


@pytest.mark.rule("16.19")
def test_edge_19_a_technology_may_be_kept_later_but_not_after_the_owners_next_turn_began():
    """The next player plays on; then the open pick comes first."""
    state = play(a_table(technology=5), {"kind": "note", "values": {"technology": 1}, "seat": 0})
    state = play(choose_at(state, 5), DIG, TURN)
    assert "praga/remind/pick" in [text.key for text in pack.ask(state).reminders]
    state = play(choose_free(state), DIG, TURN)
    assert pack.ask(state).text.key == "praga/ask/technology"
    assert refused(state, {"kind": "choose", "tile": state.crane.at(1)}).code == "pending"
    state = play(state, {"kind": "learn", "level": 4, "effect": "any", "seat": 0})
    assert choose_at(state, 1).hand is not None


def test_a_technology_of_level_one_sleeps_in_the_turn_it_was_gained():
    """It is held at once and works from the owner's next turn on."""
    state = play(choose_at(a_table(), 5), {"kind": "note", "values": {"technology": 1}, "seat": 0}, {"kind": "reach"})
    state = play(state, {"kind": "learn", "level": 1, "effect": "steps-university", "seat": 0})
    assert "praga/remind/asleep" in [text.key for text in pack.ask(state).reminders]
    state = play(state, {"kind": "act", "action": "upgrade"})
    assert state.boards[0].points == 0
    state = play(state, TURN)
    state = play(choose_free(state), DIG, TURN)
    state = choose_free(state)
    before = state.boards[0].points
    state = play(state, {"kind": "act", "action": "upgrade"})
    assert state.boards[0].points == before + 2


@pytest.mark.rule("16.20")
def test_edge_20_two_points_for_the_step_and_two_for_its_impossibility():
    """The tile pays also at the top of its track."""
    state = holding(a_table(university=8), 1, "steps-university")
    state = play(state, {"kind": "note", "values": {"university": 1}, "seat": 0})

    assert state.boards[0].points == 4


@pytest.mark.rule("16.21")
def test_edge_21_the_free_climb_needs_no_windows_and_no_price():
    """Level III technology: into the next level for nothing, once."""
    state = holding(a_table(gold=0, stone=0), 3, "free-climb")
    state = play(state, {"kind": "climb", "building": "cathedral", "enters": 2, "by": "technology"})

    assert (state.boards[0].cathedral_row, state.boards[0].cathedral_level) == (2, 2)
    again = {"kind": "climb", "building": "cathedral", "enters": 3, "by": "technology"}
    assert refused(state, again).code == "technology"


@pytest.mark.rule("16.22")
def test_edge_22_steps_past_the_last_column_are_lost():
    """Three columns are printed: the cube stops in the third."""
    state = a_table(box={"grid.wall.base-columns": [1, 2, 3]})
    state = play(state, {"kind": "note", "values": {"wall_steps": 5}, "seat": 0})

    assert state.boards[0].wall_column == 3


@pytest.mark.rule("16.23, 16.24")
def test_edge_23_24_claimants_are_rewarded_from_the_active_player_on_and_the_builder_without_a_cube_is_not():
    """The builder gets only the points per building."""
    assert claimants((1, 0, 2, 1), 2) == (2, 3, 0)
    state = a_table(3, gold=9)
    state = msgspec.structs.replace(state, plazas=(Plaza(3, (0, 1, 1), (0, 2, 2)), *state.plazas[1:]))
    values = {"cost_gold": 1, "plaza": 1, "place": "points", "completes": True}
    state = play(choose_at(state, 6), {"kind": "act", "action": "building", "values": values})

    assert [(one.seat, one.both) for one in state.pending] == [(1, True), (2, True)]
    assert state.boards[0].points == 4


@pytest.mark.rule("16.25")
def test_edge_25_without_a_spare_cube_there_is_no_claim_and_no_points():
    """The place was for a cube: the building stands, nothing else."""
    state = choose_at(a_table(gold=9, cubes=0), 5)
    claim = {"kind": "act", "action": "building", "values": {"plaza": 2, "place": "claim"}}
    assert refused(state, claim).code == "form"
    state = play(state, {"kind": "act", "action": "building", "values": {"plaza": 2, "place": "none"}})

    assert (state.boards[0].points, state.plazas[1].buildings, state.plazas[1].cubes) == (0, 1, (0, 0))


@pytest.mark.rule("16.26, 9")
def test_edge_26_a_claim_is_cubes_and_what_was_spent_on_them():
    """Printed tile cost counts, the surcharge of the site does not; several own cubes are still one claimant."""
    state = choose_at(a_table(gold=9, stone=9), 5)
    values = {"cost_gold": 2, "cost_stone": 1, "site_gold": 3, "site_points": 4, "plaza": 1, "place": "claim"}
    state = play(state, {"kind": "act", "action": "building", "values": values})

    assert (state.plazas[0].cubes, state.plazas[0].spent) == ((1, 0), (3, 0))
    assert (state.boards[0].gold, state.boards[0].points, state.boards[0].cubes) == (4, 4, 1)
    assert claimants((3, 0), 0) == (0,)


def test_gold_of_the_reward_may_pay_the_site():
    """Tile cost first, then the reward, then the surcharge; nothing is enjoyed before it is paid for."""
    state = choose_at(a_table(gold=2), 5)
    rich = {"cost_gold": 2, "gold": 3, "site_gold": 3}
    assert play(state, {"kind": "act", "action": "building", "values": rich}).boards[0].gold == 0
    poor = {"cost_gold": 3, "gold": 3}
    assert refused(state, {"kind": "act", "action": "building", "values": poor}).code == "cannot-pay"


@pytest.mark.rule("16.28")
def test_edge_28_entering_the_last_section_with_an_empty_stack_costs_the_egg_and_gives_nothing():
    """No V tile is asked for."""
    state = msgspec.structs.replace(a_table(road=4, eggs=1), bridge_fives=3, planks=5)
    state = play(choose_at(state, 5), {"kind": "act", "action": "road"})

    assert (state.boards[0].eggs, state.boards[0].road, state.pending, state.planks) == (0, 5, (), 5)


@pytest.mark.rule("16.29, 7")
def test_edge_29_seals_are_claimed_in_an_own_turn_at_the_end_of_a_track():
    """One per completed track, each by one player, paid with silver windows and a cube."""
    state = a_table(mines=8, silver_windows=2)
    assert refused(a_table(silver_windows=2), {"kind": "seal", "seal": "gold"}).code == "track-not-done"
    assert refused(state, {"kind": "seal", "seal": "gold", "seat": 1}).code == "not-your-turn"
    state = play(state, {"kind": "seal", "seal": "gold"})
    assert (state.boards[0].seals, state.boards[0].silver_windows, state.boards[0].cubes) == (("gold",), 0, 1)
    assert refused(state, {"kind": "seal", "seal": "six"}).code == "track-not-done"
    state = play(choose_at(state, 5), DIG, TURN)
    assert refused(state, {"kind": "seal", "seal": "gold"}).code == "seal-taken"
    over = msgspec.structs.replace(state, turn=32)
    assert refused(over, {"kind": "seal", "seal": "six"}).code == "over"


@pytest.mark.rule("16.31")
def test_edge_31_the_crane_can_be_set_and_the_turn_counter_stays():
    """Station picker and layout; drops and era follow the counter."""
    state = msgspec.structs.replace(a_table(), turn=9)
    layout = [1, 2, 3, 4, 0, 5, 6, 0, 0, 0, 0, 0]
    fixed = play(state, {"kind": "correct", "box": 8, "stations": layout, "flagged": [6]})

    assert (fixed.crane.box, fixed.crane.where(5), fixed.crane.flagged, fixed.turn) == (8, 6, (6,), 9)
    assert "dropped" in events(outcome(choose_at(fixed, 6), TURN))
    for wrong in ([1, 2, 3, 4, 5, 0, 0, 6, 0, 0, 0, 0], [1, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0], [1, 2, 3]):
        assert refused(state, {"kind": "correct", "box": 8, "stations": wrong}).code == "crane"


def test_a_missed_notch_turns_the_tiles_with_the_wheel():
    """Only the arrow is named: every tile hangs where it did on the wheel, one station on."""
    state = a_table()
    fixed = play(state, {"kind": "correct", "box": 11})

    assert [s for s, _ in fixed.crane.tiles()] == [s + 1 for s, _ in state.crane.tiles()]
    assert fixed.turn == state.turn


def test_the_crane_can_be_set_by_a_form():
    """The arrow's station and one for each tile; two tiles on one hook are refused."""
    state = a_table()
    values = {"box": 8, "tile-1": 1, "tile-2": 2, "tile-3": 3, "tile-4": 4, "tile-5": 6, "tile-6": 9}
    fixed = play(state, {"kind": "correct", "values": values})

    assert [s for s, _ in fixed.crane.tiles()] == [1, 2, 3, 4, 6, 9]
    assert refused(state, {"kind": "correct", "values": {**values, "tile-6": 6}}).code == "crane"
    assert refused(state, {"kind": "correct", "values": {**values, "box": 1}}).code == "crane"


def test_an_arrow_up_may_be_followed_after_a_move_on_that_building():
    """It needs no windows, but a level must still be paid."""
    state = a_table(silver_windows=2, gold=1, stone=1)
    assert not [c for c in pack.ask(state).choices if c.id.endswith("arrow")]
    state = play(state, {"kind": "climb", "building": "wall"})
    offered = [c.id for c in pack.ask(state).choices if c.id.endswith("arrow")]
    assert offered == ["climb-wall-0-arrow", "climb-wall-2-arrow"]
    state = play(state, {"kind": "climb", "building": "wall", "enters": 2, "by": "arrow"})
    board = state.boards[0]
    assert (board.wall_row, board.wall_level, board.gold, board.stone) == (3, 2, 0, 0)


def test_hex_tiles_may_be_renewed_once_a_turn():
    """One gold or one stone; the new tiles are seen by all, so taking it back needs consent."""
    state = a_table()
    result = outcome(state, {"kind": "refresh", "pay": "stone"})

    assert (result.reveals, result.state.boards[0].stone) == (True, 1)
    assert refused(result.state, {"kind": "refresh", "pay": "gold"}).code == "refreshed"
    assert not [c for c in pack.ask(result.state).choices if c.group == "refresh"]


def test_the_final_form_reminds_of_cubes_at_unfinished_plazas():
    """Their lower reward is easily forgotten."""
    state = choose_at(a_table(gold=9), 5)
    values = {"cost_gold": 2, "plaza": 4, "place": "claim"}
    state = play(state, {"kind": "act", "action": "building", "values": values})
    asked = pack.ask(msgspec.structs.replace(state, turn=32, hand=None))

    claims = next(text for text in asked.reminders if text.key == "praga/remind/claims")
    assert [plaza.params["number"] for plaza in claims.params["plazas"]] == [4]


@pytest.mark.rule("16.32")
@pytest.mark.parametrize(
    "options", [{"side": "mixed"}, {"wall_set": "a+b"}, {"depth": "deep"}, {"tiles": [1, 1, 2, 3, 4, 5]}]
)
def test_edge_32_mixed_sides_and_half_sets_are_refused_at_the_set_up(options):
    """Nothing begins that the box forbids."""
    with pytest.raises(ValueError, match=next(iter(options))):
        pack.new({"names": ["A", "B"], **options}, {})


def test_a_board_can_be_corrected_within_its_limits():
    """Any value in one move; the tenth gold is not one of them."""
    state = play(a_table(), {"kind": "correct", "seat": 1, "values": {"gold": 7, "points": 30}})

    assert (state.boards[1].gold, state.boards[1].points) == (7, 30)
    assert refused(state, {"kind": "correct", "seat": 1, "values": {"gold": 10}}).code == "correct"
    assert refused(state, {"kind": "correct", "seat": 1, "values": {"crowns": 1}}).code == "correct"


def test_the_climb_pays_the_level_and_the_top_of_the_cathedral_gives_a_tile():
    """Levels are entered one by one; level III asks for a V tile that nobody else holds."""
    state = a_table(silver_windows=4, gold=5, stone=5)
    assert refused(state, {"kind": "climb", "building": "cathedral", "enters": 3}).code == "level"
    state = play(state, {"kind": "climb", "building": "cathedral", "enters": 2})
    state = play(state, {"kind": "climb", "building": "cathedral", "enters": 3})
    assert (state.boards[0].gold, state.boards[0].stone, state.boards[0].silver_windows) == (2, 2, 0)
    state = play(state, {"kind": "final", "tile": "rows", "seat": 0})
    assert state.boards[0].v_tiles == ("rows",)


def test_technologies_of_levels_three_and_four_are_used_once():
    """Produce gold and two stone: not an action, and gone afterwards."""
    state = holding(a_table(gold=0, stone=0), 3, "produce-gold")
    assert "praga/remind/stored" in [text.key for text in pack.ask(state).reminders]
    state = play(state, {"kind": "use", "level": 3})
    assert (state.boards[0].gold, state.boards[0].stone, state.did) == (3, 2, ())
    assert refused(state, {"kind": "use", "level": 3}).code == "technology"


def test_the_building_technology_takes_two_gold_off_but_not_off_what_was_spent():
    """Total cost two gold less, not below nought; the plaza compares printed costs."""
    state = play(holding(a_table(gold=2), 4, "building"), {"kind": "use", "level": 4})
    values = {"cost_gold": 1, "site_gold": 3, "plaza": 1, "place": "claim"}
    state = play(state, {"kind": "act", "action": "building", "values": values})

    assert (state.boards[0].gold, state.plazas[0].spent) == (0, (1, 0))


def test_a_tile_of_known_pair_offers_only_its_actions():
    """The owner has told the tile's two actions."""
    state = choose_at(a_table(box={"tiles.a.5": ["mines", "road"]}), 5)
    assert {c.picture["action"] for c in pack.ask(state).choices if c.group == "action"} == {"mines", "road"}
    wrong = refused(state, {"kind": "act", "action": "upgrade"})
    assert (wrong.code, wrong.box) == ("wrong-tile-action", "tiles.a.5")


def test_a_tile_of_unknown_pair_is_learnt_as_it_is_used():
    """The next time its first action is offered first."""
    state = play(choose_at(a_table(), 5), {"kind": "act", "action": "upgrade"})

    assert state.actions_of(5) == ("upgrade",)


def test_the_prompt_says_how_to_end_the_turn():
    """Notches, the arrow's station, and a tile that will run past blue."""
    state = with_wheel(a_table(), 4, {12: 1, 6: 2, 2: 3, 3: 4, 8: 5, 9: 6})
    change = pack.ask(choose_at(state, 6)).change

    assert [text.key for text in change] == ["praga/change/turn", "praga/change/ran-past", "praga/change/hook"]
    assert change[0].params == {"n": 1, "station": 5}


def test_the_last_revolution_is_announced_by_seat():
    """Three players after turn 37: three, four and four turns left."""
    state = choose_at(msgspec.structs.replace(a_table(3), turn=36), 6)
    said = next(event for event in outcome(state, TURN).events if event.kind == "last-turns")

    assert [text.params["n"] for text in said.text.params["each"]] == [3, 4, 4]
    assert clock.platform(state.box, 3, 37) == 1
