"""The borders of Praga's rules: what may not be done, and the tiles that are seldom drawn (7 to 12, 16)."""

from __future__ import annotations

import msgspec
import pytest

from companion.game import RuleBroken
from companion.games.praga import crane, moves, pack
from companion.games.praga.ask import _rest
from companion.games.praga.gains import reach, technology_bonus
from companion.games.praga.plazas import add_building
from companion.games.praga.state import Begun, Pending, Plaza, Work
from companion.senses.explain import Difference
from tests.companion.praga.a_table import (
    DIG,
    a_table,
    choose_at,
    choose_free,
    holding,
    outcome,
    play,
    refused,
)

replace = msgspec.structs.replace
STEPS = {f"crane.bonus.{k}": "step" for k in range(1, 12)}


def waiting_for(kind, what="", **board):
    """Player one has something to say."""
    return replace(a_table(**board), pending=(Pending(kind, 0, 0, what),))


def offered(state, kind):
    """The legal moves of one kind, as JSON."""
    return [move for move in map(pack.encode, pack.moves(state)) if move["kind"] == kind]


# technologies --------------------------------------------------------------------------------------------------


def test_a_space_is_reached_only_where_the_box_leaves_it_open():
    """Nobody has stepped yet; and where the box gives the step, it has not been made yet."""
    assert refused(a_table(), {"kind": "reach"}).code == "praga/technology"
    assert refused(a_table(technology=2, box={"track.technology.1": 3}), {"kind": "reach"}).code == "praga/technology"
    said = play(a_table(technology=2), {"kind": "reach"})
    assert [(one.kind, one.what) for one in said.pending] == [("technology", "1")]


@pytest.mark.sentence(125)
def test_a_space_is_reached_once():
    """A second passing of the same space draws nothing."""
    at_work = Work(a_table())
    reach(at_work, 0, 1)
    reach(at_work, 0, 1)
    assert [one.what for one in at_work.state.pending] == ["1"]


@pytest.mark.sentence(9, 127)
def test_a_kept_tile_is_one_of_its_level_that_nobody_holds():
    """Three are drawn of the level reached; each exists once."""
    state = waiting_for("technology", "1")
    assert refused(state, {"kind": "learn", "level": 1, "effect": "eggs"}).code == "praga/technology"
    assert refused(state, {"kind": "learn", "level": 2, "effect": "eggs"}).code == "praga/technology"
    state = replace(holding(state, 1, "climb"), pending=(Pending("technology", 1, 0, "1"),))
    assert refused(state, {"kind": "learn", "level": 1, "effect": "climb", "seat": 1}).code == "praga/held"
    assert "climb" not in [move["effect"] for move in offered(state, "learn")]


def test_a_stored_technology_waits_for_the_end_of_an_action():
    """And so does the extra action: one after the other."""
    state = replace(holding(a_table(gold_windows=2), 4, "any"), begun=Begun("extra"))
    assert refused(state, {"kind": "use", "level": 4}).code == "praga/not-now"
    assert refused(state, {"kind": "extra", "pay": "gold"}).code == "praga/not-now"


@pytest.mark.sentence(280, 281, how="computed")
def test_the_advance_takes_a_step_and_produces():
    """Level IV: on either track, either good; both must be said."""
    state = holding(a_table(gold=0, stone=0), 4, "advance")
    assert refused(state, {"kind": "use", "level": 4}).code == "praga/branch"
    ways = offered(state, "use")
    assert {(way["track"], way["produce"]) for way in ways} == {
        (track, good) for track in ("mines", "quarries") for good in ("gold", "stone")
    }
    labels = {choice.text.key for choice in pack.ask(state).choices if choice.id.startswith("use-4")}
    assert labels == {"praga/choice/advance"}
    board = play(state, {"kind": "use", "level": 4, "track": "quarries", "produce": "stone"}).boards[0]
    assert (board.quarries, board.gold) == (3, 0)
    assert board.stone >= 3


@pytest.mark.sentence(279, how="prompted")
def test_the_plaza_technology_gives_both_rewards_of_one():
    """Level IV: what it gave is entered."""
    state = play(holding(a_table(), 4, "plaza"), {"kind": "use", "level": 4})
    assert [(one.kind, one.both) for one in state.pending] == [("plaza", True)] * 2
    assert pack.ask(state).text.key == "praga/ask/plaza/upper"
    state = play(state, {"kind": "reward", "seat": 0, "values": {"points": 2}})
    assert pack.ask(state).text.key == "praga/ask/plaza/lower"


@pytest.mark.sentence(271, how="computed")
def test_the_university_technology_begins_no_action():
    """Level III: four steps, and the turn goes on as before."""
    state = play(holding(a_table(), 3, "university"), {"kind": "use", "level": 3})
    assert (state.boards[0].university, state.begun) == (4, None)


def test_the_road_technology_needs_a_road():
    """Level III: behind the bridge there is none."""
    state = holding(a_table(road=5, eggs=3), 3, "road")
    assert offered(state, "use") == []
    assert refused(state, {"kind": "use", "level": 3}).code == "praga/road-end"


def test_the_road_technology_waits_while_there_is_no_egg_for_the_bridge():
    """Level III: the egg it gives comes from the supply; where others hold every egg, the tile is kept for later."""
    state = holding(a_table(road=3, eggs=0), 3, "road")
    assert [move["level"] for move in offered(state, "use")] == [3]
    me, other = state.boards[:2]
    state = replace(state, boards=(me, replace(other, eggs=int(state.box["limit.eggs"])), *state.boards[2:]))
    assert offered(state, "use") == []
    assert refused(state, {"kind": "use", "level": 3}).code == "praga/no-egg"


def test_the_free_climb_is_offered_on_both_buildings():
    """Level III: a row, or into the next level without its price; it is climbed with, not used."""
    state = holding(a_table(gold=0, stone=0), 3, "free-climb")
    ways = {(move["building"], move.get("enters", 0)) for move in offered(state, "climb")}
    assert ways == {("wall", 0), ("wall", 2), ("cathedral", 0), ("cathedral", 2)}
    assert refused(state, {"kind": "use", "level": 3}).code == "praga/technology"


@pytest.mark.sentence(162)
def test_an_action_of_a_technology_is_the_one_it_grants():
    """Level IV, a building: no wall instead."""
    state = play(holding(a_table(), 4, "building"), {"kind": "use", "level": 4})
    assert refused(state, {"kind": "begin", "action": "wall"}).code == "praga/wrong-action"


@pytest.mark.sentence(267, how="computed")
def test_eggs_pay_their_owner_twice():
    """Level II: a point and a stone with every egg, from the turn after it was kept."""
    state = holding(a_table(stone=0), 2, "eggs")
    board = play(state, {"kind": "note", "seat": 0, "values": {"eggs": 1}}).boards[0]
    assert (board.eggs, board.points, board.stone) == (1, 1, 1)


@pytest.mark.sentence(268, how="computed")
def test_a_wall_with_the_icon_pays_whoever_holds_its_technology():
    """Level II: a point is booked, and the good is asked once, because it is printed on the tile."""
    state = choose_free(holding(a_table(gold=9, stone=5, points=0), 2, "wall-icon"))
    icon = {"kind": "act", "action": "wall", "values": {"cost_stone": 1, "wall_steps": 1}}
    built = play(state, icon)
    assert (built.boards[0].points, pack.ask(built).phase) == (1, "good")
    told = outcome(built, {"kind": "good", "good": "stone", "seat": 0})
    assert (told.state.boards[0].stone, told.learnt) == (5, {"technology.good.wall-icon": "stone"})
    plain = play(state, {"kind": "act", "action": "wall", "values": {"cost_stone": 1}})
    assert (plain.boards[0].points, plain.pending) == (0, ())


@pytest.mark.sentence(263, how="computed")
def test_the_choice_technology_pays_once_a_turn():
    """Level I: a bonus of points is scored; the second one of the same turn is not."""
    at_work = Work(holding(a_table(), 1, "climb"))
    technology_bonus(at_work, 0, "climb", points=2)
    technology_bonus(at_work, 0, "climb", points=2)
    assert at_work.board(0).points == 4, "only the choice of a tile is paid once"
    once = Work(holding(a_table(), 1, "choice"))
    technology_bonus(once, 0, "choice", points=1)
    technology_bonus(once, 0, "choice", points=1)
    assert once.board(0).points == 1


def test_a_used_tile_is_no_longer_called_to_mind():
    """It lies there face down."""
    state = holding(a_table(), 3, "university")
    used = play(state, {"kind": "use", "level": 3})
    assert "praga/remind/stored" in [text.key for text in pack.ask(state).reminders]
    assert "praga/remind/stored" not in [text.key for text in pack.ask(used).reminders]


# the wheel -----------------------------------------------------------------------------------------------------


@pytest.mark.sentence(236, how="prompted")
def test_a_wheel_bonus_that_is_a_step_asks_for_its_track():
    """In a copy whose wheel shows it: any of the four."""
    state = choose_free(a_table(box=STEPS))
    assert {move["track"] for move in offered(state, "bonus")} == {"technology", "university", "mines", "quarries"}
    assert refused(state, {"kind": "bonus"}).code == "praga/branch"
    assert play(state, {"kind": "bonus", "track": "university"}).boards[0].university == 1


def test_a_tile_that_does_not_hang_there_is_not_taken():
    """The one in hand is off the wheel."""
    state = choose_at(a_table(), 5)
    tile = state.hand.tile
    assert refused(replace(state, hand=None), {"kind": "choose", "tile": tile}).code == "praga/no-such-tile"


@pytest.mark.sentence(45)
def test_mines_are_dug_or_produce():
    """One of the two must be said."""
    state = choose_free(a_table())
    assert refused(state, {"kind": "act", "action": "mines"}).code == "praga/branch"
    assert play(state, DIG).boards[0].mines == 4


def test_the_arrow_starts_where_our_copy_prints_it():
    """Corrected before the first turn, the crane is laid out anew; later only the number changes."""
    state = play(a_table(), {"kind": "box", "key": "crane.start.2", "value": 8})
    assert state.crane.box == 8
    later = choose_free(a_table())
    assert play(later, {"kind": "box", "key": "crane.start.2", "value": 8}).crane.box == later.crane.box


def test_a_crane_form_with_a_tile_nowhere_is_refused():
    """Every tile hangs somewhere; a station that does not exist is none."""
    values = {"box": 10, **{f"tile-{tile}": tile for tile in range(1, 6)}, "tile-6": 40}
    assert refused(a_table(), {"kind": "correct", "values": values}).code == "praga/crane"


def test_the_dummy_does_nothing_but_turn():
    """Alone, every second turn is its own."""
    state = play(choose_free(a_table(1)), DIG, {"kind": "turn"})
    assert state.dummy
    assert refused(state, {"kind": "choose", "tile": 1}).code == "praga/dummy"


def test_only_the_wheel_has_a_place_that_differs():
    """The arrow is told by its station; about anything else Praga has nothing to say."""
    state = a_table()
    assert pack.differs(state, Difference("gold-1")) is None
    assert pack.differs(state, Difference("dial")) is None
    assert pack.differs(state, Difference("dial", seen_dial=4, expected_dial=3))[0].params == {"seen": crane.place(5)}


def test_moves_are_described_in_a_few_words():
    """For the question what the dial shows."""
    keys = [pack.describe(move).key for move in (moves.Choose(3), moves.Turn(), moves.Reach())]
    assert keys == ["praga/move/choose", "praga/move/turn", "praga/move/reach"]


# seals, plazas, windows and final tiles --------------------------------------------------------------------------


def test_a_seal_needs_a_cube_and_a_free_place():
    """Two at most, and none without a cube to mark it."""
    rich = {"mines": 20, "quarries": 20, "silver_windows": 9}
    assert refused(a_table(**rich, cubes=0), {"kind": "seal", "seal": "gold"}).code == "praga/no-cube"
    full = a_table(**rich)
    full = replace(full, boards=(replace(full.boards[0], seals=("gold", "stone")), *full.boards[1:]))
    assert refused(full, {"kind": "seal", "seal": "six"}).code == "praga/seals-full"


def test_a_seal_too_dear_is_not_offered():
    """Paid with silver windows, each seal its own number."""
    state = a_table(mines=20, quarries=20, silver_windows=0)
    assert [move["seal"] for move in offered(state, "seal")] == ["six"], "this one costs none"
    assert len(offered(a_table(mines=20, quarries=20, silver_windows=9), "seal")) == 4


@pytest.mark.sentence(10)
def test_a_final_tile_is_taken_once_or_not_at_all():
    """At the bridge and on top of the Cathedral; what another holds is gone."""
    state = waiting_for("final", "bridge")
    board = replace(state.boards[1], v_tiles=("rows",))
    state = replace(state, boards=(state.boards[0], board))
    tiles = [move["tile"] for move in offered(state, "final")]
    assert "rows" not in tiles
    assert tiles[-1] == "none"
    keys = {choice.id: choice.text.key for choice in pack.ask(state).choices}
    assert keys["final-none"] == "praga/choice/none"
    assert keys["final-walls"] == "praga/v/walls"
    assert refused(state, {"kind": "final", "tile": "rows"}).code == "praga/final-taken"
    left = play(state, {"kind": "final", "tile": "none"})
    assert (left.boards[0].v_tiles, left.pending) == ((), ())


@pytest.mark.parametrize("kind", ["final", "windows", "token", "reward"])
def test_nothing_is_given_that_is_not_due(kind):
    """Each answers a question that was asked."""
    move = {"final": {"tile": "rows"}, "windows": {"gold": 1}, "token": {"token": "gold"}, "reward": {"values": {}}}
    assert refused(a_table(), {"kind": kind, **move[kind]}).code == "praga/nothing"


def test_a_plaza_is_there_and_not_finished():
    """A building touches a plaza by its number; claiming needs a cube."""
    state = choose_free(a_table(gold=9, stone=9, cubes=0))
    build = {"kind": "act", "action": "building"}
    assert refused(state, {**build, "values": {"plaza": 1, "place": "claim"}}).code == "praga/form"
    done = replace(state, plazas=(Plaza(done=True), *state.plazas[1:]))
    for table, number, place, code in (
        (state, 1, "claim", "no-cube"),
        (state, len(state.plazas) + 1, "none", "plaza"),
        (done, 1, "none", "plaza"),
    ):
        with pytest.raises(RuleBroken) as caught:
            add_building(Work(table), 0, number, place, 0)
        assert caught.value.code == f"praga/{code}"


def test_first_sixes_and_nines_free_no_more_than_the_limit():
    """What was freed and what is still to be said count together."""
    state = a_table(gold=5, freed=int(a_table().box["limit.resource_bonuses"]))
    after = play(state, {"kind": "note", "seat": 0, "values": {"gold": 1}})
    assert after.boards[0].firsts == ("gold-6",)
    assert after.pending == ()


# forms and boxes -----------------------------------------------------------------------------------------------


def test_a_correction_names_whose_board_it_is():
    """Without a seat there is nothing to set."""
    assert refused(a_table(), {"kind": "correct", "values": {"gold": 3}}).code == "praga/nothing"


def test_a_number_is_a_number():
    """A word or yes in its place is refused by the field's name."""
    for value, code in ((True, "sheet"), ("three", "form")):
        assert refused(a_table(), {"kind": "note", "seat": 0, "values": {"gold": value}}).code == f"praga/{code}"


def test_praga_is_for_one_to_four():
    """A fifth has no board."""
    for names in ([], ["A"] * 5):
        with pytest.raises(ValueError, match="names"):
            pack.new({"names": names}, {})


def test_a_confirmed_top_of_the_technology_track_bounds_the_tally():
    """Unconfirmed it is only a usual value, and nobody is refused by it."""
    example = pack.example()
    high = {**example, "players": [{**player, "technology": 15} for player in example["players"]]}
    assert pack.score(high, {}).players
    with pytest.raises(ValueError, match="technology"):
        pack.score(high, {"track.technology_top": 9})
    assert (
        pack.score(example, {"track.technology_top": 20}).players[0].total == pack.score(example, {}).players[0].total
    )


def test_the_effect_of_the_road_is_called_to_mind_with_its_action():
    """Section I in a copy where it lasts for walls: said when a wall is begun, not with a building."""
    box = {"road.1": "walls"}
    state = choose_free(a_table(road=1, gold=9, stone=9, box=box))
    keys = {
        action: [text.key for text in pack.ask(play(state, {"kind": "begin", "action": action})).reminders]
        for action in ("wall", "building")
    }
    assert "praga/remind/road/walls" in keys["wall"]
    assert "praga/remind/road/walls" not in keys["building"]


def test_the_rest_of_a_turn_is_asked_after_a_tile_was_taken():
    """A slip of the program, not of the players: it is loud."""
    with pytest.raises(AssertionError, match="before a tile"):
        _rest(a_table())


def test_a_game_that_our_copy_ends_in_the_dummys_turn_still_asks_what_is_owed() -> None:
    """Alone: the wheel stands at the dummy, no turn is left, and a reward waits for the player."""
    state = replace(a_table(players=1), turn=17, pending=(Pending("plaza", 0, 0, "1:"),))
    ended = play(state, {"kind": "box", "key": "clock.turns", "value": 8})
    assert ended.played_out and ended.active >= ended.players
    assert pack.ask(ended).phase == "reward"
