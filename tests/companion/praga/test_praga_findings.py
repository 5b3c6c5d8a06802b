"""What an audit of the rules found at the table, finding by finding: each stays mended."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benches.touches import recorded
from benches.touches_praga import Table
from companion.box.printed import load
from companion.games.praga import copy, crane, final, moves, pack
from companion.games.praga.state import Plaza
from tests.companion.praga.a_table import (
    DIG,
    KNOWN,
    READ,
    TURN,
    a_table,
    choose_free,
    holding,
    no_bonus_box,
    outcome,
    play,
    refused,
)
from tests.companion.praga.told_late import Late

GAMES = Path(__file__).parents[2] / "games" / "praga"
WALL = {"kind": "act", "action": "wall", "values": {"cost_stone": 1, "points": 4}}


def ended(state):
    """The last turn is over."""
    while not state.played_out:
        state = play(choose_free(state), DIG, TURN)
    return state


def test_F1_five_notes_leave_a_form_that_can_be_sent():
    """More eggs than the box holds are lost, and the last form opens."""
    state = a_table(2, box={"clock.turns": 1})
    for _ in range(5):
        state = play(state, {"kind": "note", "seat": 0, "values": {"eggs": 20}})
    assert state.boards[0].eggs == 24
    state = ended(state)
    assert pack.over(play(state, *({"kind": "sheet", "seat": seat, "values": READ} for seat in (0, 1))))


def test_F2_a_correction_leaves_every_tile_within_reach():
    """Technology, token, V tile and first six are owed by where one stands, however one came there."""
    put = {"technology": 6, "mines": 5, "cathedral_level": 3, "gold": 6}
    state = play(a_table(), {"kind": "correct", "seat": 0, "values": put})
    assert {(one.kind, one.what) for one in state.pending} == {
        ("technology", "4"), ("token", "mines"), ("final", "cathedral"), ("resource", "gold-6"),
    }  # fmt: skip
    told = play(a_table(technology=2), {"kind": "box", "key": "track.technology.1", "value": 2})
    assert ("technology", "1") in {(one.kind, one.what) for one in told.pending}


@pytest.mark.sentence(63, 65, 212, how="computed")
def test_F3_an_upgrade_pays_whenever_its_action_is_done():
    """From the crane, and at once for what was done in the turn it was laid."""
    lay = {"kind": "act", "action": "upgrade", "values": {"on": "mines", "silver_windows": 1}}
    state = choose_free(a_table(box=no_bonus_box()))
    state = play(state, lay, TURN)
    assert state.boards[0].silver_windows == 0, "nothing was mined yet"
    state = play(choose_free(state), DIG, TURN)
    state = play(choose_free(state), DIG)
    assert state.boards[0].silver_windows == 1

    both = a_table(gold_windows=2, box=no_bonus_box())
    both = play(both, {"kind": "extra", "pay": "gold"}, DIG)
    assert play(choose_free(both), lay).boards[0].silver_windows == 1, "the mine of this turn pays too"


@pytest.mark.sentence(69, how="computed")
def test_F3_the_upgrade_of_upgrading_pays_at_once():
    """For the very action that laid it."""
    lay = {"kind": "act", "action": "upgrade", "values": {"on": "upgrade", "stone": 1}}
    assert play(choose_free(a_table(stone=0, box=no_bonus_box())), lay).boards[0].stone == 1


def test_F4_the_hanging_tiles_are_told_in_twelve_touches_and_known_from_then_on():
    """Two touches for a new tile; in the next game one, and the last is the one that is left."""
    pairs = [KNOWN[f"tiles.a.{n}"] for n in range(1, 7)]
    state, learnt, touches = pack.new({"names": ["A", "B"]}, {}), {}, 0
    while pack.ask(state).phase == "layout":
        pair = pairs[len(state.laid)]
        done = outcome(state, {"kind": "hang", "action": pair[1 if state.half else 0]})
        state, learnt, touches = done.state, {**learnt, **done.learnt}, touches + 1
    assert touches <= 12
    assert [state.actions_of(tile) for _, tile in state.crane.tiles()] == [tuple(pair) for pair in pairs]

    again = pack.new({"names": ["A", "B"]}, learnt)
    for tile in (6, 5, 4, 3, 2):
        again = play(again, {"kind": "hang", "tile": tile})
    assert [tile for _, tile in again.crane.tiles()] == [6, 5, 4, 3, 2, 1]


def test_F5_an_arrow_needs_a_movement():
    """Nobody climbs for nothing."""
    assert refused(a_table(), {"kind": "climb", "building": "wall", "by": "arrow"}).code == "praga/no-arrow"


def test_F6_no_row_past_the_top_and_no_zero_that_nobody_said():
    """The top row is known from the grid; a number nobody has read is asked for, kept, and not asked again."""
    grid = {"grid.wall.base-rows": [0, 2]}
    state = a_table(box=grid, wall_row=2, silver_windows=2)
    assert refused(state, {"kind": "climb", "building": "wall"}).code == "praga/top-row"

    state = ended(a_table(box={"clock.turns": 1}))
    assert {field.id: field.value for field in final.fields(state, 0)}["wall_row"] is None
    assert refused(state, {"kind": "sheet", "seat": 0}).code == "praga/sheet-missing"
    done = outcome(state, {"kind": "sheet", "seat": 0, "values": {**READ, "wall_row": 7}})
    assert final.unread(done.state, 1) == (), "both stand in the same row"
    assert done.learnt["printed.wall.base-rows"] == [{"row": 1, "points": 7}]


@pytest.mark.sentence(189, how="computed")
def test_F7_step_one_is_followed_through():
    """University seven and one step of a plaza: the multiplier of the top; past the top two points a step."""
    tiles = {"plazas.tiles": [{"lower_university": 1}], "clock.turns": 1}
    for university, multiplier, points in ((7, 3, 0), (8, 3, 2)):
        state = a_table(box=tiles, university=university)
        plaza = Plaza(1, (1, 0), (2, 0), tile=1)
        state = ended(msgspec.structs.replace(state, plazas=(plaza, *state.plazas[1:])))
        entered = play(state, {"kind": "sheet", "seat": 0, "values": READ}).sheets[0]
        assert (entered.multiplier, entered.plazas.points) == (multiplier, points)


def test_F7_the_form_of_a_followed_game_is_short():
    """At most fourteen fields, each with where it comes from."""
    state = ended(a_table(box={"clock.turns": 1}, seals=("gold",)))
    fields = final.fields(state, 0)
    assert len(fields) <= 14
    assert all(field.help is not None for field in fields if field.id not in ("gold", "stone"))


def test_F8_stations_and_plazas_are_named_by_what_one_sees():
    """Third red place; a plaza by its two rewards."""
    state = a_table(box={"plazas.tiles": [{"upper_points": 3, "lower_gold": 2}]})
    assert pack.ask(state).choices[0].text.params["station"] == crane.place(1)
    state = msgspec.structs.replace(state, plazas=(Plaza(1, (1, 0), (2, 0), tile=1), *state.plazas[1:]))
    begun = play(choose_free(state), {"kind": "begin", "action": "building", "values": {"cost_gold": 1}})
    assert pack.ask(begun).choices[0].text.key == "praga/plaza/of"


@pytest.mark.sentence(161, how="prompted")
def test_F9_the_wheel_never_beats_the_hand():
    """A turned wheel holds the turn and asks; the answer ends it, and what is left for later can be told later."""
    state = play(choose_free(a_table(stone=5)), {"kind": "begin", "action": "wall"})
    held = pack.play(state, moves.Turn()).state
    assert (held.turn, held.held, pack.expect(held).dial) == (0, True, state.crane.next_box - 1)
    assert pack.ask(held).form is not None, "the form stays open"
    assert (play(held, WALL).turn, play(held, WALL).boards[0].walls) == (1, 1)

    late = play(held, {"kind": "later"})
    assert (late.turn, late.boards[0].unlogged, late.boards[0].walls) == (1, 1, 0)
    late = play(choose_free(late), DIG, TURN, {"kind": "recall"}, WALL)
    assert (late.boards[0].unlogged, late.boards[0].walls) == (0, 1)


@pytest.mark.parametrize("name", ["one-player", "two-players", "three-players", "four-players"])
@pytest.mark.parametrize("start", range(10))
def test_F9_the_action_of_every_tenth_turn_told_late_gives_the_same_tally(name, start):
    """Whichever of ten turns is missing, told in its owner's next turn it comes to the same points as told in time."""
    game = Late(name)

    assert game.totals(start) == game.wanted
    assert game.told_late >= len(game.turns) // (10 if name != "one-player" else 20) - 1


@pytest.mark.parametrize("first", [0, 1])
def test_F9_any_of_several_missing_turns_can_be_told(first):
    """Two turns of one player are missing: each is offered, and each has its own tile and its own era."""
    quarry = {"kind": "act", "action": "quarries", "branch": "dig"}
    state = play(choose_free(a_table(2, box=no_bonus_box(), stone=3)), TURN)
    state = play(choose_free(state), DIG, TURN)
    state = play(choose_free(state), TURN)
    state = play(choose_free(state), quarry, TURN)
    offered = [choice.move for choice in pack.ask(state).choices if choice.group == "recall"]
    assert len(offered) == 2
    kept = state.boards[0].missed[1 - first]
    state = play(state, offered[first], WALL)
    assert state.boards[0].missed == (kept,)


def test_F9_a_building_told_late_counts_where_it_stood():
    """Magda built second at a plaza and told it last: she scores two, Tomek's third building three."""
    build = {"kind": "act", "action": "building", "values": {"plaza": 1, "place": "points"}}
    state = a_table(2, box=no_bonus_box(), gold=2)
    state = play(choose_free(state), build, TURN)
    state = play(choose_free(state), DIG, TURN)
    state = play(choose_free(state), TURN)
    before = [board.points for board in state.boards]
    state = play(choose_free(state), build, TURN)
    state = play(state, {"kind": "recall"}, build)

    assert [board.points - was for board, was in zip(state.boards, before, strict=True)] == [2, 3]


def test_F9_a_technology_said_late_has_been_there_since_its_step():
    """The copy's first space is unknown: the player says a round later that it was reached, and the tile is awake."""
    state = play(choose_free(a_table(box=no_bonus_box())), {"kind": "note", "seat": 0, "values": {"technology": 2}})
    state = play(state, DIG, TURN)
    state = play(choose_free(state), DIG, TURN)
    state = play(state, {"kind": "reach"}, {"kind": "learn", "level": 1, "effect": "steps-university", "seat": 0})

    assert play(state, {"kind": "note", "seat": 0, "values": {"university": 1}}).boards[0].points == 2


@pytest.mark.sentence(264, 265, 266, how="computed")
def test_F10_a_level_two_technology_pays_where_it_applies_and_once_a_turn():
    """A plain building wakes the one, a building with the icon the other; red tokens pay once."""
    plain = choose_free(holding(a_table(gold=9), 2, "building-plain"))
    built = play(plain, {"kind": "act", "action": "building", "values": {"cost_gold": 1}})
    assert (built.boards[0].points, [one.kind for one in built.pending]) == (1, ["good"])
    icon = play(plain, {"kind": "act", "action": "building", "values": {"cost_gold": 1, "cathedral_steps": 1}})
    assert icon.boards[0].points == 0

    state = holding(a_table(), 2, "token-red")
    for _ in range(2):
        state = play(state, {"kind": "note", "seat": 0, "values": {"red": 1}})
    assert (state.boards[0].points, sum(one.kind == "good" for one in state.pending)) == (1, 1)


@pytest.mark.sentence(93)
def test_F11_a_place_without_a_plaza_tile_counts_as_a_plaza():
    """With two players two stay empty: a building there scores, and nothing can be claimed."""
    state = choose_free(a_table(2, gold=9))
    assert [plaza.empty for plaza in state.plazas] == [False] * 8 + [True] * 2
    build = {"kind": "act", "action": "building", "values": {"plaza": 9, "place": "points"}}
    assert play(state, build).boards[0].points == 1
    claim = {**build, "values": {"plaza": 9, "place": "claim"}}
    assert refused(state, claim).code == "praga/plaza-empty"


def test_F12_a_token_reached_by_the_step_pays_in_that_production():
    """Level IV: one more mine, then produce."""
    state = holding(a_table(mines=4, gold=0, points=0), 4, "advance")
    state = play(state, {"kind": "use", "level": 4, "track": "mines", "produce": "gold"})
    before = state.boards[0].gold
    assert play(state, {"kind": "token", "token": "gold", "seat": 0}).boards[0].gold == before + 1


@pytest.mark.sentence(58, 70, 79, how="prompted")
def test_F13_a_tile_turned_up_is_a_reveal():
    """Taking a hex tile shows the next one, and section IV draws three."""
    assert outcome(choose_free(a_table(stone=5)), WALL).reveals
    road = outcome(choose_free(a_table(road=3, eggs=1)), {"kind": "act", "action": "road"})
    assert road.reveals


def test_F14_every_value_asked_first_is_used():
    """Star and hole are drawn on the wheel."""
    wheel = pack.view(a_table(), None).crane
    assert [one.station for one in wheel.stations if one.star] == [int(load("companion.games.praga")["crane.star"])]
    assert [one.station for one in wheel.stations if one.hole] == [9]


def test_F15_the_wheel_is_nobodys():
    """A phone that would set the crane is sent to the screen: the move has no owner."""
    assert pack.owner(a_table(), moves.Correct(box=5)) is None
    assert pack.owner(a_table(), moves.Correct(values={"box": 5})) is None


def test_F16_supplies_end_and_flags_are_put_right():
    """Six gold windows for everybody together; the five points of a tile are a field of the crane."""
    state = play(a_table(), {"kind": "note", "seat": 0, "values": {"gold_windows": 4}})
    state = play(state, {"kind": "note", "seat": 1, "values": {"gold_windows": 4}})
    assert [board.gold_windows for board in state.boards] == [4, 2]
    values = {"box": 10, **{f"tile-{n}": n for n in range(1, 7)}, "flag-3": True}
    assert play(a_table(), {"kind": "correct", "values": values}).crane.flagged == (3,)
    assert copy.problems(load("companion.games.praga", {"hex.wall": [{"banana": 1}]}))


@pytest.mark.parametrize("name", ["one-player", "two-players", "three-players", "four-players"])
def test_a_copy_nobody_has_seen_learns_what_the_record_knows(name):
    """Entered by hand on an empty box a recorded game comes to the same points, and its box then knows the tiles."""
    game = recorded(GAMES / f"{name}.jsonl")
    table, learnt = Table(game), {}
    state = pack.new({key: value for key, value in game.options.items() if key != "tiles"}, {})
    for move in game.moves:
        done = False
        while not done:
            step, done = table.entered(state, move)
            if step is not None:
                result = pack.play(state, pack.decode(step))
                state, learnt = result.state, {**learnt, **result.learnt}
    assert [one.total for one in pack.tally(state).players] == [one.total for one in pack.tally(table.record).players]
    assert sum(len(learnt.get(f"hex.{kind}", ())) for kind in copy.HEXES) >= 3


@pytest.mark.sentence(81)
def test_a_building_that_cannot_be_paid_is_not_begun():
    """Its site would be asked of somebody who has no answer; another tile can always be taken instead."""
    state = play(choose_free(a_table(gold=2)), {"kind": "begin", "action": "building"})
    dear = {"kind": "begin", "action": "building", "values": {"cost_gold": 4}}
    assert refused(state, dear).code == "praga/cannot-pay"
    state = play(state, {**dear, "values": {"cost_gold": 2}})
    again = next(choice.move for choice in pack.ask(state).choices if choice.id == "again")
    assert pack.ask(play(state, again)).text.key == "praga/ask/action/building"
