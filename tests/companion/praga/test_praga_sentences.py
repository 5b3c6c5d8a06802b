"""Sentences of the rulebook no other test was about: set-up, a turn, goods, hex tiles and where they are laid."""

from __future__ import annotations

import msgspec
import pytest

from companion.game import RuleBroken
from companion.games.praga import clock, pack
from companion.games.praga.state import ACTIONS
from tests.companion.praga.a_table import (
    DIG,
    KNOWN,
    TURN,
    a_random_game,
    a_table,
    choose_at,
    choose_free,
    events,
    no_bonus_box,
    outcome,
    play,
    refused,
)
from tests.companion.praga.test_praga_words import WORDS

BARE = no_bonus_box()


def act(action, **values):
    """An action with what its form says."""
    return {"kind": "act", "action": action, "values": values}


def note(seat=0, **values):
    """Something gained besides."""
    return {"kind": "note", "seat": seat, "values": values}


def reminded(state):
    """What is called to mind now."""
    return [text.key for text in pack.ask(state).reminders]


@pytest.mark.sentence(7, how="computed")
@pytest.mark.parametrize("seed", [1, 2])
def test_no_cube_comes_or_goes(seed):
    """Spare ones, claims, seals and resource bonuses together are five whatever is played: the other six stand on tracks."""
    for state, _ in a_random_game(4, "full", seed):
        for seat, board in enumerate(state.boards):
            claimed = sum(plaza.cubes[seat] for plaza in state.plazas)
            assert board.cubes + claimed + len(board.seals) + 3 - board.freed == 5


@pytest.mark.sentence(21, 22, how="computed")
def test_everybody_begins_with_what_the_set_up_gives():
    """Two of each good, three mines, two quarries, both cubes at the foot of their buildings, and the view shows it."""
    wanted = {"gold": 2, "stone": 2, "mines": 3, "quarries": 2, "technology": 0, "university": 0, "cubes": 2, "eggs": 0}
    for player in pack.view(a_table(4), None).players:
        assert {name: getattr(player, name) for name in wanted} == wanted
        assert (player.wall_row, player.wall_column, player.cathedral_row, player.cathedral_column) == (1, 1, 1, 1)


@pytest.mark.sentence(25, 26, 27, 35)
def test_a_turn_is_a_tile_one_of_its_actions_and_the_wheel():
    """No action without a tile, one action of two, and the turned wheel hands on."""
    state = a_table(box=KNOWN)
    assert refused(state, DIG).code == "praga/no-tile"
    state = play(choose_at(state, 5), {"kind": "act", "action": "quarries", "branch": "dig"})
    assert refused(state, act("upgrade")).code == "praga/acted"
    assert (play(state, TURN).active, play(state, TURN).hand) == (1, None)


@pytest.mark.sentence(30, 179, 180, 181, how="prompted")
def test_the_second_era_says_what_hands_do():
    """The rows are cleared of Era I, its stacks take their place, three and one are turned up; technologies stay."""
    state = msgspec.structs.replace(a_table(2), turn=15)
    done = outcome(choose_free(state), TURN)
    said = WORDS["en"]["praga/event/era"][0]

    assert "era" in events(done)
    assert all(part in said for part in ("clear the three rows", "Era II stacks", "3 normal and 1 special"))
    assert "echnolog" not in said


@pytest.mark.sentence(32, 159)
def test_the_extra_action_is_any_of_the_six():
    """None is left out, whatever the tile shows."""
    state = play(a_table(gold_windows=2), {"kind": "extra", "pay": "gold"})
    offered = {choice.picture["action"] for choice in pack.ask(state).choices if choice.group == "action"}

    assert offered == set(ACTIONS)


@pytest.mark.sentence(37, 211)
def test_the_wheel_bonus_may_wait_until_the_action_is_done():
    """It is called to mind, and can still be taken."""
    state = play(choose_free(a_table(box={f"crane.bonus.{k}": "stone" for k in range(1, 12)})), DIG)

    assert "praga/remind/bonus" in reminded(state)
    assert play(state, {"kind": "bonus"}).boards[0].stone == 3


@pytest.mark.sentence(41, how="computed")
def test_green_costs_nothing_and_gives_its_bonus_only():
    """No gold, no points, but the hook's bonus."""
    state = choose_at(a_table(gold=0), 5)

    assert (state.boards[0].gold, state.boards[0].points, state.hand.bonus) == (0, 0, True)


@pytest.mark.sentence(42, how="computed")
@pytest.mark.parametrize(("station", "points"), [(8, 1), (9, 2), (10, 3), (11, 4), (12, 5)])
def test_blue_pays_at_once(station, points):
    """By how far the tile has come."""
    stations = [1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0]
    stations[station - 1] = 6
    state = play(a_table(), {"kind": "correct", "box": 7, "stations": stations})

    assert choose_at(state, station).boards[0].points == points


@pytest.mark.sentence(43, 235)
def test_an_egg_may_be_bought_with_the_gold_of_the_action():
    """Nobody has to have the price when the tile is taken."""
    state = choose_free(a_table(box=BARE, gold=0))
    assert refused(state, {"kind": "bonus"}).code == "praga/cannot-pay"
    state = play(state, DIG, {"kind": "bonus"})

    assert (state.boards[0].eggs, state.boards[0].gold) == (1, 0)


@pytest.mark.sentence(52, 53, 56, 57, how="computed")
def test_quarries_are_dug_or_produce_with_their_bonuses():
    """One stone and one quarry; or as many stone as quarries, a point and a technology step where they are printed."""
    dug = play(choose_free(a_table(box=BARE)), {"kind": "act", "action": "quarries", "branch": "dig"}).boards[0]
    assert (dug.stone, dug.quarries) == (3, 3)
    box = {**BARE, "production.quarries.5": 1, "production.technology.5": 1}
    state = choose_free(a_table(box=box, quarries=5, stone=0, tokens=(("quarries", "gold"),), gold=0))
    made = play(state, {"kind": "act", "action": "quarries", "branch": "produce"}).boards[0]
    assert (made.stone, made.points, made.technology, made.gold) == (5, 1, 1, 1)


@pytest.mark.sentence(59, 60, how="prompted")
def test_an_upgrade_is_asked_for_its_action():
    """Which of the six it lies on; turned as one likes."""
    asked = pack.ask(play(choose_free(a_table()), {"kind": "begin", "action": "upgrade"}))
    field = next(field for field in asked.form.fields if field.id == "on")

    assert {option.value for option in field.options} >= set(ACTIONS)
    assert "at any angle" in WORDS["en"][asked.help.key][0]


@pytest.mark.sentence(64, how="computed")
def test_an_upgrade_pays_twice_for_an_action_done_twice():
    """From the extra action and from the tile."""
    state = a_table(box=BARE, gold_windows=2, upgraded={"mines": {"eggs": 1}})
    state = play(state, {"kind": "extra", "pay": "gold"}, DIG)

    assert play(choose_free(state), DIG).boards[0].eggs == 2


@pytest.mark.sentence(66, how="computed")
def test_a_covered_upgrade_is_silent_but_counts_as_a_tile():
    """Only the upper one pays."""
    lay = act("upgrade", on="mines", stone=1)
    state = a_table(box=BARE, upgraded={"mines": {"eggs": 1}}, upgrades=1)
    state = play(choose_free(state), lay, TURN)
    state = play(choose_free(state), {"kind": "act", "action": "quarries", "branch": "dig"}, TURN)
    before = state.boards[0]
    after = play(choose_free(state), DIG).boards[0]

    assert (after.eggs, after.stone - before.stone, after.upgrades) == (0, 1, 2)


@pytest.mark.sentence(67, 68, 76, 78, 164, 165, how="prompted")
@pytest.mark.parametrize("action", ["upgrade", "wall", "building"])
def test_what_a_tile_meets_is_asked_for_when_it_is_laid(action):
    """Pairs, corners of one colour, each joint once: said, and a key for each thing it may bring."""
    state = play(choose_free(a_table(box=BARE)), act(action))
    keys = {choice.picture["gain"] for choice in pack.ask(state).choices if choice.group == "quick"}

    assert "praga/remind/beside" in reminded(state)
    assert {"red", "blue", "gold", "stone", "points"} <= keys
    assert play(state, note(red=1)).boards[0].red == 1


@pytest.mark.sentence(71, 72, 73, 77, 140)
def test_a_wall_is_paid_before_it_gives():
    """Its price, its reward, a step for its icon; who cannot pay cannot take it."""
    state = choose_free(a_table(box=BARE, stone=2))
    assert refused(state, act("wall", cost_stone=3, stone=3)).code == "praga/cannot-pay"
    board = play(state, act("wall", cost_stone=2, points=4, wall_steps=1)).boards[0]

    assert (board.stone, board.points, board.walls, board.wall_column) == (0, 4, 1, 2)


@pytest.mark.sentence(74, 75, how="prompted")
def test_where_a_wall_lies_is_said_when_it_is_built():
    """Beside the action board, beside another wall or not."""
    asked = pack.ask(play(choose_free(a_table()), {"kind": "begin", "action": "wall"}))

    assert "beside your action board; it need not touch" in WORDS["en"][asked.help.key][0]


@pytest.mark.sentence(83, 84, 85, 86, 87, 88, 92, 94, how="prompted")
def test_where_a_building_may_stand_is_said_and_asked():
    """A free site, not those that are forbidden; then its plaza and its price: in the New Town none."""
    state = play(choose_at(a_table(box=KNOWN), 6), {"kind": "begin", "action": "building", "values": {"cost_gold": 1}})
    said = WORDS["en"][pack.ask(state).help.key][0]
    assert all(
        part in said for part in ("free site", "river house", "road", "plaza (even an empty one)", "green or walled")
    )
    state = play(state, {"kind": "begin", "action": "building", "tile": state.begun.tile, "plaza": 1})
    new_town = next(choice for choice in pack.ask(state).choices if choice.id == "site-0-0")
    before = state.boards[0]
    after = play(state, new_town.move).boards[0]
    assert (before.gold - after.gold, after.points) == (1, before.points)


@pytest.mark.sentence(95, 142, how="computed")
def test_a_special_building_with_the_icon():
    """Two gold, a technology step and a stone, and its icon moves the Cathedral's cube."""
    box = {f"crane.bonus.{k}": "special-1" for k in range(1, 12)}
    values = {"special": True, "cost_gold": 2, "technology": 1, "stone": 1, "cathedral_steps": 1}
    board = play(choose_free(a_table(box=box)), act("building", **values)).boards[0]

    assert (board.gold, board.technology, board.stone, board.cathedral_column, board.points) == (0, 1, 3, 2, 0)


@pytest.mark.sentence(124, 136, 144, how="computed")
@pytest.mark.parametrize("name", ["technology", "university", "wall_steps", "cathedral_steps"])
def test_steps_come_from_anything(name):
    """Tile, road, reward and note can all give one."""
    for action in ("upgrade", "wall", "building", "road"):
        assert play(choose_free(a_table(box=BARE)), act(action, **{name: 1}))
    shown = {"wall_steps": "wall_column", "cathedral_steps": "cathedral_column"}.get(name, name)
    assert getattr(play(a_table(), note(**{name: 1})).boards[0], shown) == getattr(a_table().boards[0], shown) + 1


@pytest.mark.sentence(133)
def test_above_the_fourth_tile_the_track_gives_none():
    """Four tiles are the most, one of each level."""
    state = a_table(technology=8, box={f"track.technology.{n}": n for n in range(1, 5)})
    state = play(state, {"kind": "correct", "seat": 0, "values": {"technology": 8}})
    for level, effect in ((1, "climb"), (2, "eggs"), (3, "university"), (4, "any")):
        state = play(state, {"kind": "learn", "level": level, "effect": effect, "seat": 0})

    assert not [one for one in play(state, note(technology=1)).pending if one.seat == 0]
    assert refused(state, {"kind": "reach"}).code == "praga/technology"


@pytest.mark.sentence(135, 138, how="computed")
def test_steps_are_worth_points_only_past_the_top():
    """Two points for each technology step that is not there; a university step gives nothing at once."""
    assert play(a_table(technology=9), note(technology=2)).boards[0].points == 4
    assert play(a_table(university=3), note(university=2)).boards[0].points == 0


@pytest.mark.sentence(141, 143, how="prompted")
@pytest.mark.parametrize(("name", "way"), [("wall_steps", "left"), ("cathedral_steps", "right")])
def test_each_building_has_its_own_direction(name, way):
    """The field says it."""
    assert way in WORDS["en"][f"praga/field/{name}"][0]


@pytest.mark.sentence(146, 228)
def test_one_may_climb_again_and_again_before_and_after_the_tile():
    """Two rows before it, one after."""
    climb = {"kind": "climb", "building": "wall"}
    state = play(a_table(box=BARE, silver_windows=6), climb, climb)

    assert play(choose_free(state), climb).boards[0].wall_row == 4


@pytest.mark.sentence(148, 149)
def test_the_space_one_comes_to_is_asked_for_and_followed():
    """Its points are scored, an arrow sideways leads one further; told once it is known."""
    state = play(choose_free(a_table(box=BARE)), note(wall_steps=1))
    offered = [choice.move for choice in pack.ask(state).choices if choice.group == "landing"]
    assert {(move.get("points", 0), move.get("arrow", "")) for move in offered} >= {(3, ""), (0, "side"), (0, "up")}
    assert play(state, {"kind": "land", "building": "wall", "points": 3}).boards[0].points == 3
    assert play(state, {"kind": "land", "building": "wall", "arrow": "side"}).boards[0].wall_column == 3


@pytest.mark.sentence(155)
def test_an_arrow_into_a_level_that_is_not_paid_is_lost():
    """The windows are spared, the price is not."""
    state = play(choose_free(a_table(box=BARE, gold=0)), note(wall_steps=1))
    up = {"kind": "climb", "building": "wall", "enters": 2, "by": "arrow"}

    assert refused(state, up).code == "praga/cannot-pay"


@pytest.mark.sentence(156, 227, 229)
def test_a_step_or_an_effect_may_be_taken_later_in_the_turn():
    """What a tile or a section gave is noted when it is taken, at any moment of the turn."""
    state = play(choose_free(a_table(box=BARE)), act("road"))

    assert play(state, note(cathedral_steps=1)).boards[0].cathedral_column == 2
    assert play(state, note(points=3)).boards[0].points == 3


@pytest.mark.sentence(158)
@pytest.mark.parametrize(("pay", "left"), [("gold", (0, 2)), ("mixed", (1, 1))])
def test_the_extra_action_costs_two_windows_one_of_them_gold(pay, left):
    """Two silver ones do not buy it, and it is bought once a turn."""
    state = play(a_table(gold_windows=2, silver_windows=2), {"kind": "extra", "pay": pay}, DIG)
    board = state.boards[0]

    assert (board.gold_windows, board.silver_windows) == left
    assert refused(state, {"kind": "extra", "pay": "mixed"}).code == "praga/extra-twice"
    with pytest.raises(RuleBroken):
        play(a_table(silver_windows=4), {"kind": "extra", "pay": "mixed"})


@pytest.mark.sentence(174, how="computed")
@pytest.mark.parametrize(("players", "moves"), [(1, 3), (2, 3), (3, 5), (4, 6)])
def test_the_platform_starts_by_the_number_of_players(players, moves):
    """So many spaces are left to the hourglass."""
    state = a_table(players)

    assert clock.platform(state.box, state.seats, 0) == moves == pack.view(state, None).clock.platform


@pytest.mark.sentence(176, 177, how="prompted")
def test_a_drop_moves_the_platform_cube_and_the_next_player_lifts_the_other():
    """Both are said when they are due."""
    state = msgspec.structs.replace(a_table(2), turn=9)
    done = outcome(choose_free(state), TURN)

    assert next(event for event in done.events if event.kind == "dropped").text.params["left"] == 2
    assert "praga/remind/lift-cube" in reminded(done.state)


@pytest.mark.sentence(190, how="prompted")
def test_no_reward_of_the_end_starts_an_action():
    """It is said with the form."""
    state = a_table(2, "tally")

    assert "praga/remind/step-one" in reminded(state)
    assert "no reward starts an action" in WORDS["en"]["praga/remind/step-one"][0]


@pytest.mark.sentence(221)
def test_the_two_buildings_have_their_own_sets():
    """One may be exchanged and the other not."""
    state = pack.new({"names": ["A", "B"], "wall_set": "b", "cathedral_set": "base"}, {})

    assert (state.wall_set, state.cathedral_set) == ("b", "base")
