"""Sentences of the rulebook no other test was about: the King's Road, the bridge, technologies and final tiles."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.praga import pack
from companion.games.praga.ask import pick_of
from tests.companion.praga.a_table import DIG, TURN, a_table, choose_free, holding, no_bonus_box, play, refused
from tests.companion.praga.test_praga_sentences import BARE, act, note, reminded
from tests.companion.praga.test_praga_words import WORDS

PAY_GOLD = {"gold": -1, "points": 4}


def road(state):
    """The road action begun."""
    return play(choose_free(state), {"kind": "begin", "action": "road"})


def using(level, effect, **board):
    """A stored technology put to use."""
    return play(holding(a_table(box=BARE, **board), level, effect), {"kind": "use", "level": level})


@pytest.mark.sentence(106, 107, 111, 119)
def test_the_pawn_goes_on_section_by_section():
    """One at a time, the last two for an egg each, never past the fifth."""
    tables = [choose_free(a_table(box=BARE, eggs=2, road=section)) for section in range(6)]
    boards = [play(state, act("road")).boards[0] for state in tables[:5]]

    assert [(board.road, board.eggs) for board in boards] == [(1, 2), (2, 2), (3, 2), (4, 1), (5, 1)]
    assert refused(tables[5], act("road")).code == "praga/road-end"


@pytest.mark.sentence(108, 109, 110, 242, 243, how="prompted")
def test_a_section_is_asked_for_what_was_paid_and_what_it_gave():
    """The effect that costs something only if it is paid, the other in any case; as last time is one touch."""
    state = road(a_table(box=BARE, eggs=1))
    asked = pack.ask(state)
    assert "only if you pay it, the other always" in WORDS["en"][asked.help.key][0]
    assert all(field.low < 0 for field in asked.form.fields if field.id in ("gold", "eggs"))
    paid = play(state, act("road", **PAY_GOLD))
    assert (paid.boards[0].gold, paid.boards[0].points) == (1, 4)
    egg = play(state, act("road", eggs=-1, stone=2))
    assert (egg.boards[0].eggs, egg.boards[0].stone) == (0, 4)
    poor = road(a_table(box=BARE, gold=0))
    assert refused(poor, act("road", **PAY_GOLD)).code == "praga/cannot-pay"
    next_game = road(a_table(box={**BARE, "road.last.1": [PAY_GOLD]}))
    assert next(choice for choice in pack.ask(next_game).choices if choice.id == "as-last").primary


@pytest.mark.sentence(113, 114, 116, 117, 120, 121, 122, 217, how="prompted")
@pytest.mark.parametrize(
    ("section", "planks", "said"),
    [
        (4, 0, ("Draw three IV tiles, keep one, the rest go under", "its bonus and those it covers")),
        (4, 5, ("bridge is full", "its own bonus only")),
        (5, 4, ("any V tile from the bridge", "with your pawn on it", "bonuses it covers")),
        (5, 5, ("bridge is full", "keep the V tile in front of you", "without a bridge bonus")),
    ],
)
def test_the_bridge_says_what_its_tile_does(section, planks, said):
    """Five planks complete it; the fourth section draws, the fifth takes, and a full bridge pays less."""
    state = road(msgspec.structs.replace(a_table(box=BARE, road=section - 1, eggs=1), planks=planks))
    words = WORDS["en"][pack.ask(state).help.key][0]

    assert all(part in words for part in said)
    assert play(state, act("road")).planks == min(5, planks + 1)


@pytest.mark.sentence(131, 216, 222)
def test_a_stored_technology_waits_for_any_later_turn():
    """It is called to mind, before and after the tile, until it is used."""
    state = holding(a_table(box=BARE), 4, "any")
    state = play(choose_free(state), DIG, TURN)
    state = play(choose_free(state), {"kind": "act", "action": "quarries", "branch": "dig"}, TURN)
    assert "praga/remind/stored" in reminded(state)
    assert play(choose_free(state), {"kind": "use", "level": 4}).boards[0].technologies[0].used


@pytest.mark.sentence(213, how="computed")
@pytest.mark.parametrize("source", ["tile", "extra", "technology"])
def test_an_upgrade_pays_wherever_its_action_comes_from(source):
    """From the crane, the extra action and a technology alike."""
    state = holding(a_table(box=BARE, gold_windows=2, upgraded={"mines": {"eggs": 1}}), 4, "any")
    first = {"extra": [{"kind": "extra", "pay": "gold"}], "technology": [{"kind": "use", "level": 4}]}
    state = play(choose_free(state) if source == "tile" else state, *first.get(source, []))

    assert play(state, DIG).boards[0].eggs == 1


@pytest.mark.sentence(241, 244, how="computed")
@pytest.mark.parametrize(("effect", "points"), [("era-one-upgrades", 6), ("windows", 4)])
def test_a_section_counts_what_one_has(effect, points):
    """Three points for each upgrade of Era I, two for each silver window."""
    state = choose_free(a_table(box={**BARE, "road.1": effect}, era_one=2, silver_windows=2))

    assert play(state, act("road")).boards[0].points == points


@pytest.mark.sentence(245, 246, 247, how="computed")
@pytest.mark.parametrize(
    ("effect", "action", "points"),
    [("plain-buildings", act("building"), 3), ("walls", act("wall"), 2), ("upgrades", act("upgrade"), 2)],
)
def test_a_section_that_lasts_pays_while_the_pawn_stands_there(effect, action, points):
    """For a building without the icon, a wall, an upgrade; the last with a good."""
    state = play(choose_free(a_table(box={**BARE, "road.2": effect}, road=2)), action)

    assert state.boards[0].points == points
    assert [one.kind for one in state.pending] == (["good"] if effect == "upgrades" else [])
    assert play(choose_free(a_table(box={**BARE, "road.2": effect}, road=3)), action).boards[0].points == 0
    icon = act("building", cathedral_steps=1)
    if effect == "plain-buildings":
        assert play(choose_free(a_table(box={**BARE, "road.2": effect}, road=2)), icon).boards[0].points == 0


@pytest.mark.sentence(248, 249, 250, how="prompted")
@pytest.mark.parametrize(
    "gives",
    [
        {"wall_steps": 1, "silver_windows": 1, "points": 2},
        {"cathedral_steps": 1, "silver_windows": 1},
        {"technology": 3},
    ],
)
def test_what_a_bridge_tile_gives_is_entered_with_the_section(gives):
    """A step, a window and two points; or three steps on a track."""
    before = a_table(box=BARE, road=3, eggs=1)
    after = play(road(before), act("road", **gives)).boards[0]

    for name, n in gives.items():
        shown = {"wall_steps": "wall_column", "cathedral_steps": "cathedral_column"}.get(name, name)
        assert getattr(after, shown) == getattr(before.boards[0], shown) + n


@pytest.mark.sentence(251, 254, 255, how="computed")
@pytest.mark.parametrize("tile", ["university", "mines", "quarries"])
def test_three_final_tiles_pay_at_once_and_count_their_track(tile):
    """Three points now, one for each step, mine or quarry at the end."""
    state = play(choose_free(a_table(box=BARE, road=4, eggs=1, university=4, mines=7, quarries=6)), act("road"))
    state = play(state, {"kind": "final", "tile": tile, "seat": 0})
    lines = {line.id: line.points for line in pack.tally(state).players[0].lines}

    assert state.boards[0].points == 3
    assert lines[f"v/{tile}"] == {"university": 4, "mines": 7, "quarries": 6}[tile]


@pytest.mark.sentence(258, how="prompted")
def test_of_two_moves_sideways_one_is_made():
    """It is said with the reward, and a reward that leaves a choice is asked for even where it is known."""
    box = {**BARE, "plazas.tiles": [{"upper_wall_steps": 1, "upper_cathedral_steps": 1, "lower_gold": 3}]}
    state = a_table(2, box=box, gold=1)
    plaza = msgspec.structs.replace(state.plazas[0], buildings=3, cubes=(1, 0), spent=(2, 0), tile=1)
    state = msgspec.structs.replace(state, plazas=(plaza, *state.plazas[1:]), built=(1,), did=("building",))
    state = play(choose_free(state), {"kind": "complete", "plaza": 1})
    assert "only one is made" in WORDS["en"][pack.ask(state).help.key][0]
    assert state.boards[0].gold == 4, "the lower reward leaves no choice"
    board = play(state, {"kind": "reward", "seat": 0, "values": {"wall_steps": 1}}).boards[0]
    assert (board.wall_column, board.cathedral_column) == (2, 1)


@pytest.mark.sentence(259)
def test_an_action_of_a_technology_is_not_the_extra_one():
    """Both may be done in one turn."""
    state = play(using(4, "any", gold_windows=2), DIG, {"kind": "extra", "pay": "gold"}, DIG)

    assert (state.extra, state.boards[0].mines) == (True, 5)


@pytest.mark.sentence(260, how="computed")
@pytest.mark.parametrize("good", ["gold", "stone"])
def test_a_first_technology_doubles_the_good_of_the_wheel(good):
    """One more of it, and a point."""
    state = holding(a_table(box={f"crane.bonus.{k}": good for k in range(1, 12)}), 1, f"wheel-{good}")
    board = play(choose_free(state), {"kind": "bonus"}).boards[0]

    assert (getattr(board, good), board.points) == (4, 1)


@pytest.mark.sentence(262, how="computed")
@pytest.mark.parametrize("building", ["wall", "cathedral"])
def test_a_first_technology_pays_for_every_row_climbed(building):
    """Two points a row, on either building."""
    state = holding(a_table(box=BARE, silver_windows=4), 1, "climb")
    climb = {"kind": "climb", "building": building}

    assert play(state, climb, climb).boards[0].points == 4


@pytest.mark.sentence(269)
def test_a_third_technology_gives_an_egg_and_the_road():
    """The egg may pay the fourth section."""
    state = using(3, "road", road=3)

    assert (state.boards[0].eggs, state.begun.action) == (1, "road")
    assert play(state, act("road")).boards[0].road == 4


@pytest.mark.sentence(272, 278)
@pytest.mark.parametrize(
    ("level", "effect", "thing"), [(3, "upgrade", ("points", 3)), (4, "upgrade-window", ("gold_windows", 1))]
)
def test_two_technologies_give_an_upgrade_and_something(level, effect, thing):
    """Three points; a gold window."""
    state = using(level, effect)

    assert getattr(state.boards[0], thing[0]) == thing[1]
    assert play(state, act("upgrade")).boards[0].upgrades == 1
    assert refused(state, act("wall")).code == "praga/wrong-action"


@pytest.mark.sentence(274, how="computed")
def test_a_third_technology_produces_stone_and_gives_gold():
    """No action: nothing else fires."""
    board = using(3, "produce-stone", gold=0, stone=0, upgraded={"quarries": {"eggs": 1}}).boards[0]

    assert (board.stone, board.gold, board.eggs) == (2, 2, 0)


@pytest.mark.sentence(276, how="computed")
def test_a_fourth_technology_takes_two_stone_off_a_wall():
    """Not below nought."""
    state = using(4, "wall", stone=1)

    assert play(state, act("wall", cost_stone=3)).boards[0].stone == 0
    assert play(state, act("wall", cost_stone=1)).boards[0].stone == 1


@pytest.mark.sentence(277)
@pytest.mark.parametrize("action", ["wall", "building", "road", "upgrade"])
def test_a_fourth_technology_is_any_action(action):
    """Whatever one likes."""
    assert play(using(4, "any"), act(action)).begun is None


@pytest.mark.sentence(282)
def test_no_upgrade_fires_for_a_technology_that_only_produces():
    """One more mine and a production are no action."""
    state = holding(a_table(box=no_bonus_box(), upgraded={"mines": {"eggs": 1}}), 4, "advance")
    state = play(state, {"kind": "use", "level": 4, "track": "quarries", "produce": "gold"})

    assert (state.boards[0].eggs, state.boards[0].quarries, state.did) == (0, 3, ())


@pytest.mark.sentence(126, how="prompted")
def test_a_technology_says_how_it_is_drawn():
    """Three, one is kept, the others go under."""
    asked = pick_of(play(a_table(technology=5), note(technology=1)), 0)

    assert asked.text.key == "praga/ask/technology"
    assert "Draw three, keep one, the others go under" in WORDS["en"][asked.help.key][0]
