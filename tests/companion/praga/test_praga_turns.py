"""Turns of Praga: the worked examples that concern play, and the edge cases that concern the companion."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.praga import clock, crane, pack
from tests.companion.praga.a_table import (
    DIG,
    TURN,
    a_table,
    choose_at,
    choose_free,
    events,
    outcome,
    play,
    refused,
    with_wheel,
)


@pytest.mark.rule("14 T22")
@pytest.mark.sentence(39, 40, 231)
def test_T22_a_red_tile_that_cannot_be_paid_is_not_selectable():
    """One gold at a station that costs two: the choice is off, the move refused, and the doubt is named."""
    state = a_table(gold=1)
    tile = state.crane.at(1)
    choice = next(choice for choice in pack.ask(state).choices if choice.id == f"tile-{tile}")
    wrong = refused(state, {"kind": "choose", "tile": tile})

    assert choice.off is not None
    assert (wrong.code, wrong.box) == ("praga/too-dear", "crane.red.1")
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


@pytest.mark.rule("14 T27")
@pytest.mark.sentence(208, how="prompted")
def test_T27_the_dummy_takes_the_tile_at_nine():
    """After the only player's turn the screen says which tile the dummy takes and waits for the wheel."""
    state = with_wheel(a_table(1), 3, {2: 1, 12: 2, 4: 3, 5: 4, 8: 5, 1: 6})
    state = play(choose_at(state, 12), TURN)
    assert [s for s, _ in state.crane.tiles()] == [1, 2, 3, 5, 6, 9]

    asked = pack.ask(state)
    assert (asked.seat, asked.text.key, asked.text.params["station"]) == (0, "praga/ask/dummy", crane.place(9))
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
    """Pay first, then take what it gives; the wheel bonus may still be taken; the cube is lifted after it dropped."""
    state = choose_at(a_table(stone=5), 5)
    said = [text.key for text in pack.ask(play(state, {"kind": "begin", "action": "wall"})).reminders]
    assert {"praga/remind/pay-first", "praga/remind/bonus"} <= set(said)
    state = play(state, {"kind": "bonus"})
    assert "praga/remind/bonus" not in [text.key for text in pack.ask(state).reminders]
    after_drop = msgspec.structs.replace(a_table(), turn=10)
    assert "praga/remind/lift-cube" in [text.key for text in pack.ask(after_drop).reminders]


@pytest.mark.rule("16.1")
@pytest.mark.sentence(170, 183)
def test_edge_01_from_twelve_the_wheel_turns_two_notches():
    """One notch lands on station 1 and is one notch short."""
    state = choose_at(with_wheel(a_table(), 12, {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6}), 5)
    wrong = refused(state, {"kind": "turn", "to": 1})

    assert (wrong.code, wrong.do.params["station"], wrong.do.params["n"]) == ("praga/wheel", crane.place(2), 2)
    assert play(state, {"kind": "turn", "to": 2}).crane.box == 2


@pytest.mark.parametrize("station", [s for s in range(1, 13) if s != 11])
@pytest.mark.rule("16.30")
def test_edge_30_a_wrong_turn_of_the_wheel_shows_the_station_and_changes_nothing(station):
    """Only the right station ends the turn; before a tile is chosen none does."""
    fresh = a_table()
    assert refused(fresh, {"kind": "turn", "to": 11}).code == "praga/no-tile-turned"
    state = choose_at(fresh, 5)
    wrong = refused(state, {"kind": "turn", "to": station})

    assert (wrong.code, wrong.do.params["station"]) == ("praga/wheel", crane.place(11))
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
@pytest.mark.sentence(112)
def test_edge_07_an_impossible_action_cannot_be_begun(road, eggs, code):
    """The road is finished or its egg is missing: the choice is off and refused."""
    state = choose_at(a_table(road=road, eggs=eggs), 5)
    choice = next(c for c in pack.ask(state).choices if c.id == "road")

    assert choice.off.key == f"praga/refuse/{code}"
    assert refused(state, {"kind": "begin", "action": "road"}).code == f"praga/{code}"


def test_edge_07_a_player_may_take_a_tile_and_do_nothing():
    """The wheel may be turned without a recorded action; the form at the end asks to check with care."""
    state = choose_at(a_table(), 5)
    result = outcome(state, TURN)

    assert "unlogged" in events(result)
    assert result.state.boards[0].unlogged == 1


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


@pytest.mark.rule("16.31")
def test_edge_31_the_crane_can_be_set_and_the_turn_counter_stays():
    """Station picker and layout; drops and era follow the counter."""
    state = msgspec.structs.replace(a_table(), turn=9)
    layout = [1, 2, 3, 4, 0, 5, 6, 0, 0, 0, 0, 0]
    fixed = play(state, {"kind": "correct", "box": 8, "stations": layout, "flagged": [6]})

    assert (fixed.crane.box, fixed.crane.where(5), fixed.crane.flagged, fixed.turn) == (8, 6, (6,), 9)
    assert "dropped" in events(outcome(choose_at(fixed, 6), TURN))
    for wrong in ([1, 2, 3, 4, 5, 0, 0, 6, 0, 0, 0, 0], [1, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0], [1, 2, 3]):
        assert refused(state, {"kind": "correct", "box": 8, "stations": wrong}).code == "praga/crane"


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
    assert refused(state, {"kind": "correct", "values": {**values, "tile-6": 6}}).code == "praga/crane"
    assert refused(state, {"kind": "correct", "values": {**values, "box": 1}}).code == "praga/crane"


@pytest.mark.rule("16.32")
@pytest.mark.parametrize(
    "options", [{"side": "mixed"}, {"wall_set": "a+b"}, {"depth": "deep"}, {"tiles": [1, 1, 2, 3, 4, 5]}]
)
@pytest.mark.sentence(17, 218, 220)
def test_edge_32_mixed_sides_and_half_sets_are_refused_at_the_set_up(options):
    """Nothing begins that the box forbids."""
    with pytest.raises(ValueError, match=next(iter(options))):
        pack.new({"names": ["A", "B"], **options}, {})


def test_a_board_can_be_corrected_within_its_limits():
    """Any value in one move; the tenth gold is not one of them."""
    state = play(a_table(), {"kind": "correct", "seat": 1, "values": {"gold": 7, "points": 30}})

    assert (state.boards[1].gold, state.boards[1].points) == (7, 30)
    assert refused(state, {"kind": "correct", "seat": 1, "values": {"gold": 10}}).code == "praga/correct"
    assert refused(state, {"kind": "correct", "seat": 1, "values": {"crowns": 1}}).code == "praga/form"


@pytest.mark.sentence(33, 34)
def test_a_tile_of_known_pair_offers_only_its_actions():
    """The owner has told the tile's two actions."""
    state = choose_at(a_table(box={"tiles.a.5": ["mines", "road"]}), 5)
    assert {c.picture["action"] for c in pack.ask(state).choices if c.group == "action"} == {"mines", "road"}
    wrong = refused(state, {"kind": "act", "action": "upgrade"})
    assert (wrong.code, wrong.box) == ("praga/wrong-tile-action", "tiles.a.5")


def test_a_tile_of_unknown_pair_is_learnt_as_it_is_used():
    """The next time its first action is offered first."""
    state = play(choose_at(a_table(), 5), {"kind": "act", "action": "upgrade"})

    assert state.actions_of(5) == ("upgrade",)


def test_the_prompt_says_how_to_end_the_turn():
    """Notches, the arrow's station, and a tile that will run past blue."""
    state = with_wheel(a_table(), 4, {12: 1, 6: 2, 2: 3, 3: 4, 8: 5, 9: 6})
    change = pack.ask(play(choose_at(state, 6), DIG)).change

    assert [text.key for text in change] == ["praga/change/turn", "praga/change/ran-past", "praga/change/hook"]
    assert change[0].params == {"n": 1, "station": crane.place(5)}


def test_the_last_revolution_is_announced_by_seat():
    """Three players after turn 37: three, four and four turns left."""
    state = choose_at(msgspec.structs.replace(a_table(3), turn=36), 6)
    said = next(event for event in outcome(state, TURN).events if event.kind == "last-turns")

    assert [text.params["n"] for text in said.text.params["each"]] == [3, 4, 4]
    assert clock.platform(state.box, 3, 37) == 1
