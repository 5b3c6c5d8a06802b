"""After a correction the game can go on: nothing exceeds the box, what is owed is asked, what is over has ended."""

from __future__ import annotations

import pytest

from companion.games.praga import pack
from companion.games.praga.bounds import BOARD, of_board
from companion.games.praga.state import PragaState
from tests.companion.praga.a_table import DIG, READ, TURN, a_table, choose_free, events, outcome, play, refused


def put_right(state: PragaState, seat: int = 0, **values: object) -> PragaState:
    """A player's board, corrected."""
    return play(state, {"kind": "correct", "seat": seat, "values": values})


def our_copy(state: PragaState, key: str, value: object) -> PragaState:
    """Our copy says otherwise."""
    return play(state, {"kind": "box", "key": key, "value": value})


def owed(state: PragaState, seat: int = 0) -> list[tuple[str, str]]:
    """What a player is asked for."""
    return [(one.kind, one.what) for one in state.pending if one.seat == seat]


def at_the_end(state: PragaState) -> PragaState:
    """All turns played: the box knows only one."""
    return play(choose_free(our_copy(state, "clock.turns", 1)), TURN)


# what the box holds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "most"),
    [("eggs", 24), ("red", 27), ("blue", 27), ("silver_windows", 14), ("gold_windows", 6), ("points", 999)],
)
@pytest.mark.sentence(11, 15, 16)
def test_nobody_has_more_than_the_box_holds(name: str, most: int):
    """Noted twenty by twenty: what is not in the box does not arrive, and it is said."""
    state = a_table()
    for _ in range(25):
        state = play(state, {"kind": "note", "seat": 0, "values": {name: 20 if name != "points" else 50}})
    assert getattr(state.boards[0], name) == most
    assert "lost" in events(outcome(state, {"kind": "note", "seat": 0, "values": {name: 1}}))
    assert refused(state, {"kind": "correct", "seat": 0, "values": {name: most + 1}}).code == "praga/correct"


def test_five_notes_of_twenty_eggs_and_the_last_turn_lead_to_the_final_form():
    """The form at the end opens with what the box can hold, and is taken as it stands."""
    state = a_table(players=1)
    for _ in range(5):
        state = play(state, {"kind": "note", "seat": 0, "values": {"eggs": 20}})
    state = play(at_the_end(state), TURN)
    form = pack.ask(state).form
    assert {field.id: field.value for field in form.fields}["eggs"] == 24
    assert pack.over(play(state, {"kind": "sheet", "seat": 0, "values": READ}))


@pytest.mark.sentence(3, 8)
def test_walls_and_upgrades_end_with_the_tiles_of_the_box():
    """Thirty-six walls lie in the box; a thirty-seventh is not counted."""
    state = choose_free(a_table(walls=36, upgrades=30, stone=9))
    walled = play(state, {"kind": "act", "action": "wall", "values": {"cost_stone": 1}})
    assert walled.boards[0].walls == 36
    assert play(state, {"kind": "act", "action": "upgrade"}).boards[0].upgrades == 30


@pytest.mark.parametrize("name", BOARD)
def test_every_number_of_a_board_has_the_same_bounds_everywhere(name: str):
    """What the view tells as possible is taken, one more or less is not."""
    state = a_table()
    low, high = of_board(state, name)
    assert pack.view(state, None).limits[name] == (low, high)
    assert getattr(put_right(state, **{name: high}).boards[0], name) == high
    for wrong in (low - 1, high + 1, True, "3", None):
        assert refused(state, {"kind": "correct", "seat": 0, "values": {name: wrong}}).code == "praga/correct"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("grid.wall.base-rows", [-5]),
        ("grid.wall.base-rows", [500]),
        ("grid.cathedral.a-columns", ["three"]),
        ("grid.cathedral.a-columns", [{"a": 1}]),
        ("tiles.a.1", ["mines", "banana"]),
        ("tiles.a.1", ["mines"]),
        ("climb.wall.base-2", {"gold": -1, "stone": 1}),
    ],
)
def test_what_no_copy_can_show_is_not_taken_into_the_box(key: str, value: object):
    """Neither in play nor from the owner's file."""
    assert refused(a_table(), {"kind": "box", "key": key, "value": value}).code == "praga/box"
    with pytest.raises(ValueError, match=key.replace(".", r"\.")):
        a_table(box={key: value})


def test_a_box_that_holds_less_than_somebody_has_leaves_them_that():
    """Nine gold, and our copy ends at three: three it is, and the form at the end agrees."""
    state = our_copy(put_right(a_table(), gold=9, mines=8), "limit.goods", 3)
    assert state.boards[0].gold == 3
    assert our_copy(state, "track.mines_top", 5).boards[0].mines == 5
    assert our_copy(state, "start.mines", 8).boards[1].mines == 8


# what is owed -----------------------------------------------------------------------------------------------------------


@pytest.mark.sentence(126, how="prompted")
def test_a_technology_whose_step_is_told_afterwards_is_asked_for():
    """Two steps made; the owner looks where technology I lies: on the second."""
    assert owed(our_copy(put_right(a_table(), technology=2), "track.technology.1", 2)) == [("technology", "1")]


def test_steps_corrected_past_a_technology_ask_for_it():
    """Seven steps after a forgotten turn: the tile on the sixth is drawn for."""
    assert ("technology", "4") in owed(put_right(a_table(), technology=7))
    assert owed(put_right(a_table(box={"track.technology.1": 2}), technology=2)) == [("technology", "1")]


def test_a_technology_that_was_not_reached_after_all_is_no_longer_asked_for():
    """The correction is corrected: nobody has to pick a tile they never drew."""
    state = put_right(put_right(a_table(), technology=7), technology=3)
    assert owed(state) == []


@pytest.mark.parametrize(("track", "count"), [("mines", 5), ("quarries", 4)])
@pytest.mark.sentence(50, 54, how="prompted")
def test_a_production_token_passed_by_correction_is_asked_for_once(track: str, count: int):
    """Five mines or four quarries: the token is told, and not asked for again."""
    state = put_right(a_table(), **{track: count})
    assert owed(state) == [("token", track)]
    state = play(state, {"kind": "token", "token": "gold", "seat": 0})
    assert owed(put_right(state, **{track: count + 1})) == []


def test_level_three_of_the_cathedral_by_correction_asks_for_the_tile():
    """And the end of the road does, each once."""
    state = put_right(a_table(), cathedral_level=3)
    assert owed(state) == [("final", "cathedral")]
    state = play(state, {"kind": "final", "tile": "none", "seat": 0})
    state = put_right(state, road=5, points=3)
    assert owed(state) == [("final", "bridge")]
    assert owed(put_right(state, road=4)) == []
    assert owed(put_right(put_right(state, road=4), road=5)) == [("final", "bridge")]


def test_a_first_six_by_correction_is_asked_for():
    """The cube on it may be freed, as if the sixth had been gained."""
    assert owed(put_right(a_table(), gold=6)) == [("resource", "gold-6")]


def test_a_road_begun_that_leads_nowhere_any_more_is_not_insisted_on():
    """The egg was a mistake: the tile's action is open again, and so is an extra one."""
    box = {"tiles.a.1": ["road", "mines"]}
    begun = play(choose_free(a_table(road=3, eggs=1, box=box)), {"kind": "begin", "action": "road"})
    state = put_right(begun, eggs=0)
    assert state.begun is None
    assert pack.ask(state).choices
    extra = play(a_table(road=3, eggs=1, gold_windows=2), {"kind": "extra", "pay": "gold"})
    state = put_right(play(extra, {"kind": "begin", "action": "road"}), eggs=0)
    assert (state.begun.source, state.begun.action) == ("extra", "")
    noted = play(begun, {"kind": "note", "seat": 0, "values": {"eggs": -1}})
    assert noted.begun is None


@pytest.mark.parametrize(
    "changed",
    [
        {"kind": "box", "key": "hex.building", "value": []},
        {"kind": "box", "key": "hex.building", "value": [{"era": 1, "cost_stone": 9}]},
        {"kind": "correct", "seat": 0, "values": {"stone": 0}},
    ],
    ids=["not in our copy", "dearer", "no stone left"],
)
@pytest.mark.parametrize("way", ["tile", "extra"])
def test_a_building_tile_that_cannot_be_built_after_all_is_asked_for_again(way: str, changed: dict[str, object]):
    """It was said which tile it is, and the site is asked for; then the box or the board is put right."""
    box = {"tiles.a.1": ["building", "mines"], "hex.building": [{"era": 1, "cost_stone": 1, "points": 2}]}
    start = a_table(stone=1, gold_windows=2, box=box)
    start = choose_free(start) if way == "tile" else play(start, {"kind": "extra", "pay": "gold"})
    begun = play(start, {"kind": "begin", "action": "building", "tile": 1})
    assert begun.begun.tile == 1
    state = play(begun, changed)
    assert (state.begun.action, state.begun.tile, state.begun.source) == ("building", 0, way)
    assert pack.ask(state).form is not None


# the clock --------------------------------------------------------------------------------------------------------------


def test_a_shorter_game_ends_with_the_turn_that_was_begun():
    """The tile in hand is still used and hooked; then the form comes."""
    state = our_copy(choose_free(a_table()), "clock.turns", 1)
    state = play(choose_free(play(state, DIG, TURN)), DIG)
    state = our_copy(state, "clock.turns", 1)
    assert pack.ask(state).phase == "wheel"
    state = play(state, TURN)
    assert pack.ask(state).phase == "form"
    assert len(state.crane.tiles()) == 6


def test_a_longer_game_has_turns_again_and_no_final_position():
    """One position was entered too early; it is asked for anew at the real end."""
    state = our_copy(a_table(), "clock.turns", 1)
    for _ in range(2):
        state = play(choose_free(state), TURN)
    state = our_copy(play(state, {"kind": "sheet", "seat": 0, "values": READ}), "clock.turns", 2)
    assert pack.ask(state).phase == "choose"
    assert state.sheets == (None, None)


def test_a_final_position_that_no_longer_fits_the_box_is_asked_for_again():
    """Nine gold were entered, and our copy ends at five."""
    state = our_copy(a_table(), "clock.turns", 1)
    for _ in range(2):
        state = play(choose_free(state), TURN)
    state = play(state, {"kind": "sheet", "seat": 0, "values": {**READ, "gold": 9}})
    state = our_copy(state, "limit.goods", 5)
    assert state.sheets[0] is None
    assert pack.over(play(state, {"kind": "sheet", "seat": 0}, {"kind": "sheet", "seat": 1, "values": READ}))


def test_what_another_has_entered_as_theirs_is_not_filled_in_again():
    """The seal recorded for Magda stands in Tomek's entered position: her form opens without it, and can be sent."""
    state = put_right(our_copy(a_table(), "clock.turns", 1), seals=["gold"], v_tiles=["rows"])
    for _ in range(2):
        state = play(choose_free(state), TURN)
    state = play(state, {"kind": "sheet", "seat": 1, "values": {**READ, "seals": ["gold"], "v_tiles": ["rows"]}})
    assert pack.over(play(state, {"kind": "sheet", "seat": 0, "values": READ}))


@pytest.mark.sentence(12, 96)
def test_as_many_plazas_as_our_copy_has():
    """More are added; one that was built at stays."""
    state = our_copy(a_table(), "plazas.count.2", 11)
    assert len(state.plazas) == 11
    built = play(choose_free(state), {"kind": "act", "action": "building", "values": {"plaza": 11, "place": "claim"}})
    assert len(our_copy(built, "plazas.count.2", 1).plazas) == 11


def test_after_the_end_nothing_is_noted_any_more():
    """A final position is put right in its own form."""
    state = at_the_end(a_table(players=1))
    state = play(state, TURN, {"kind": "sheet", "seat": 0, "values": READ})
    assert refused(state, {"kind": "note", "seat": 0, "values": {"points": 3}}).code == "praga/over"


# tiles ------------------------------------------------------------------------------------------------------------------


def test_a_mistaken_technology_is_replaced_by_the_one_on_the_table():
    """It keeps the turn it came in; a tile another has cannot be it; none asks again where its step is known."""
    state = put_right(a_table(box={"track.technology.1": 2}), technology=2)
    state = play(state, {"kind": "learn", "level": 1, "effect": "climb", "seat": 0})
    state = put_right(state, **{"technology-1": "choice"})
    assert [(one.level, one.effect) for one in state.boards[0].technologies] == [(1, "choice")]
    held = {"kind": "correct", "seat": 1, "values": {"technology-1": "choice"}}
    assert refused(state, held).code == "praga/held"
    assert refused(state, {**held, "values": {"technology-1": "banana"}}).code == "praga/form"
    assert owed(put_right(state, **{"technology-1": "none"})) == [("technology", "1")]


def test_a_technology_told_by_correction_is_no_longer_asked_for():
    """The tile lies there: nobody picks a second one."""
    assert owed(put_right(put_right(a_table(), technology=7), **{"technology-4": "any"})) == []


def test_seals_and_v_tiles_are_put_right_as_they_lie():
    """Each is there once, and nobody has three."""
    state = put_right(a_table(), seals=["gold", "six"], v_tiles=["walls"])
    assert (state.boards[0].seals, state.boards[0].v_tiles) == (("gold", "six"), ("walls",))
    for values, code in (
        ({"seals": ["six"]}, "seal-taken"),
        ({"seals": ["stone", "pair", "gold"]}, "seal-taken"),
        ({"v_tiles": ["walls"]}, "final-taken"),
        ({"v_tiles": ["rows", "mines", "upgrades"]}, "final-taken"),
        ({"v_tiles": ["banana"]}, "sheet"),
    ):
        assert refused(state, {"kind": "correct", "seat": 1, "values": values}).code == f"praga/{code}"
    assert put_right(state, seals=[]).boards[0].seals == ()


def test_production_tokens_and_claims_are_put_right():
    """The token of the mines is another one; a claim was a mistake."""
    state = put_right(a_table(), mines=5, **{"token-mines": "gold"})
    assert state.boards[0].token("mines") == "gold"
    assert owed(state) == []
    assert put_right(state, **{"token-mines": "points"}).boards[0].token("mines") == "points"
    claimed = play(
        choose_free(a_table()), {"kind": "act", "action": "building", "values": {"plaza": 3, "place": "claim"}}
    )
    assert claimed.plazas[2].cubes == (1, 0)
    assert put_right(claimed, **{"claims-3": 0}).plazas[2].cubes == (0, 0)
    assert refused(claimed, {"kind": "correct", "seat": 0, "values": {"claims-3": 12}}).code == "praga/form"


def test_what_is_put_right_together_does_not_hang_on_the_order_it_was_sent_in():
    """The journal keeps the values of a move by name: told again, the board is the same."""
    values = {"token-quarries": "gold", "token-mines": "stone", "technology-2": "eggs", "technology-1": "climb"}
    assert put_right(a_table(), **values) == put_right(a_table(), **dict(sorted(values.items())))


# climbing ---------------------------------------------------------------------------------------------------------------


def test_an_arrow_is_climbed_only_where_a_cube_moved_in_this_turn():
    """Not as the first thing in a game."""
    climb = {"kind": "climb", "building": "wall", "by": "arrow"}
    assert refused(a_table(), climb).code == "praga/no-arrow"
    moved = play(a_table(), {"kind": "note", "seat": 0, "values": {"wall_steps": 1}})
    assert play(moved, climb).boards[0].wall_row == 2


@pytest.mark.sentence(154)
def test_nobody_climbs_above_the_top_row():
    """The windows stay, and the choice is not offered."""
    state = a_table(box={"grid.wall.base-rows": [2, 4]}, wall_row=2, silver_windows=2)
    assert refused(state, {"kind": "climb", "building": "wall"}).code == "praga/top-row"
    assert not any(choice.id.startswith("climb-wall") for choice in pack.ask(state).choices)


def test_a_station_is_a_number():
    """Yes is no station."""
    values = {"box": 10, **{f"tile-{tile}": tile for tile in range(1, 7)}}
    assert refused(a_table(), {"kind": "correct", "values": {**values, "tile-1": True}}).code == "praga/crane"


def test_a_correction_of_nothing_is_no_move():
    """It would stand in the log and change nothing; who looks and finds all well sends what stands there."""
    state = a_table()
    for empty in ({}, {"seat": 0}, {"seat": 0, "values": {}}, {"values": {"gold": 3}}):
        assert refused(state, {"kind": "correct", **empty}).code == "praga/nothing"
    assert play(state, {"kind": "correct", "seat": 0, "values": {"gold": state.boards[0].gold}}) == state
