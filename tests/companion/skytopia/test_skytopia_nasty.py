"""Situations that look as if they might break a rule, and do not: cards, tiles, towers and ends met in odd company."""

import random

import msgspec
import pytest
from skytopia_table import (
    check,
    digest_json,
    faces,
    legal,
    offered,
    play,
    random_game,
    refusal,
    skip_to,
    table,
    variants,
)
from test_skytopia_edges import SKIP, USE, finish, place, with_effect
from test_skytopia_more_edges import activated

from companion.game import RuleBroken
from companion.games.skytopia import pack
from companion.games.skytopia.moves import AnyMove

rule = pytest.mark.rule


def rotate(where, face, steps=1):
    """A golem of Magda's turns."""
    return {"kind": "rotate", "seat": 0, "slot": where, "face": face, "steps": steps}


def take(where, face):
    """A golem of Magda's comes back."""
    return {"kind": "take", "seat": 0, "slot": where, "face": face}


# nothing to gain -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "key", "nothing", "something"),
    [
        ("B2a", "effects.B2.pp", 0, 1),
        ("G2a", "effects.G2.coins", 0, 2),
        ("G4a", "effects.G4.coins_per_reserve_die", 0, 1),
        ("B4a", "effects.B4.tiers", [[0, 0]], [[1, 1]]),
    ],
)
def test_a_card_whose_copy_gives_nothing_passes_by_itself(card, key, nothing, something):
    """It would change nothing, so it counts as unusable and nobody is asked; as it is usually printed somebody is."""
    dice = {"red-2": [(0, 3)]}
    assert with_effect(card, dice, box={key: nothing}, coins=(9, 5)).turn == 1
    usual = with_effect(card, dice, box={key: something}, coins=(9, 5))
    assert (usual.turn, offered(usual)) == (0, card[:2])


# turning golems ------------------------------------------------------------------------------------------------


@rule("7 R1")
@pytest.mark.parametrize(("face", "steps"), [(2, [1, 2]), (4, [1, 2]), (5, [1]), (6, [])])
def test_r1_turns_up_to_two_steps_and_stops_short_of_the_build_symbol(face, steps):
    """Built is 1: a golem with two steps left turns by one, a golem with one step left not at all."""
    state = with_effect("R1a", {"blue-2": [(0, face)]}, coins=(9, 5))
    assert [move["steps"] for move in legal(state, "rotate") if move["slot"] == "blue-2"] == steps


@rule("7 R2")
def test_r2_may_stop_after_any_golem():
    """Any number of golems: having turned one, she has had enough."""
    state = with_effect("R2a", {"blue-1": [(0, 2)], "blue-2": [(0, 3)]})
    state = play(state, rotate("blue-1", 2))
    assert offered(state) == "R2"
    state = play(state, SKIP)
    assert (faces(state, "blue-1"), faces(state, "blue-2")) == ([(0, 3)], [(0, 3)])
    assert offered(state) == "assign"


@rule("7 R2")
def test_r2_passes_by_itself_when_the_last_golem_has_turned():
    """Nothing is left to turn: nobody is asked."""
    state = play(with_effect("R2a", {"blue-1": [(0, 2)]}), rotate("blue-1", 2))
    assert offered(state) == "assign"


@rule("7 R2")
def test_a_golem_turned_out_of_the_way_lets_the_other_turn_onto_its_face():
    """Two own golems on one card, one step apart: only the nearer can begin."""
    state = with_effect("R2a", {"blue-1": [(0, 3), (0, 4)]})
    assert refusal(state, rotate("blue-1", 3)).code == "skytopia/face-taken"
    state = play(state, rotate("blue-1", 4), rotate("blue-1", 3))
    assert faces(state, "blue-1") == [(0, 4), (0, 5)]


def test_the_city_protects_nothing():
    """Used in its tower, a card turns golems wherever they lie, also on the card it was finished beside."""
    state = activated("R", ["R1a"], {"red-2": [(0, 3)], "gold-1": [(0, 4)]})
    assert {move["slot"] for move in legal(state, "rotate")} == {"red-2", "gold-1"}


# taking back and adding ----------------------------------------------------------------------------------------


@rule("7 V1")
def test_v1_twice_printed_adds_two_cards_for_one_golem():
    """Our copy adds two: both are chosen, one after the other, and neither can be declined."""
    state = with_effect("V1a", {"red-2": [(0, 3)]}, box={"effects.V1.add_cards": 2})
    state = play(state, take("red-2", 3), {"kind": "add", "seat": 0, "slot": "blue-1"})
    assert offered(state) == "add"
    assert refusal(state, SKIP).code == "skytopia/not-now"
    state = play(state, {"kind": "add", "seat": 0, "slot": "gold-1"})
    assert [len(tower) for tower in state.players[0].towers] == [1, 1, 0, 0]
    check(state)


@rule("7 V1")
def test_the_last_free_card_leaves_nothing_for_the_second():
    """Two would be added, one is free: the second passes by itself."""
    names = ["blue-1", "blue-2", "gold-1", "gold-2", "red-1", "violet-2"]
    dice = {name: [(1 + i // 4, 3)] for i, name in enumerate(names)} | {"red-2": [(0, 4)]}
    box = {"effects.V1.add_cards": 2}
    state = play(table(dice, players=3, rows=2, cards={"violet-1": "V1a"}, box=box), place(0, "violet-1", 2))
    state = play(state, take("red-2", 4), {"kind": "add", "seat": 0, "slot": "red-2"})
    assert offered(state) != "add"
    check(state)


@rule("10 T4A")
def test_a_card_added_in_phase_1_counts_beside_the_finished_one():
    """One finished, one added by the violet card: two cards this turn, a point."""
    state = activated("V", ["V1a"], {"red-2": [(0, 3)]}, abilities=("T4A", "T2A"))
    state = play(state, take("red-2", 3), {"kind": "add", "seat": 0, "slot": "blue-1"})
    assert state.players[0].points == 1


@rule("10 T1A")
def test_every_golem_that_a_card_brings_home_pays_its_tile_once():
    """Two blue cards in one tower, two golems: a point each, beside the cards' own."""
    dice = {"gold-2": [(0, 3)], "red-2": [(0, 4)]}
    state = activated("B", ["B1a", "B1b"], dice, abilities=("T1A", "T2A"))
    state = play(state, take("gold-2", 3), take("red-2", 4))
    assert state.players[0].points == 2 * (3 + 1)


# tiles ---------------------------------------------------------------------------------------------------------


@rule("10 T3A")
def test_two_golems_on_one_card_count_as_one_card():
    """Three cards of one crest are wanted; two cards with three golems are two cards."""
    crest = {"blue-1": "B1a", "gold-1": "G4a", "red-1": "R3a", "violet-2": "V3b"}
    dice = {"blue-1": [(0, 3), (0, 4)], "gold-1": [(0, 3)]}
    two = play(table(dice, cards=crest, abilities=("T3A", "T2A")), place(0, "violet-2", 2))
    assert two.players[0].points == 0
    three = table({**dice, "red-1": [(0, 5)]}, cards=crest, abilities=("T3A", "T2A"), coins=(9, 5))
    assert play(three, place(0, "violet-2", 2)).players[0].points == 1


@rule("10 T2A")
@pytest.mark.parametrize(("face", "points"), [(5, 1), (4, 0), (2, 0)])
def test_t2a_pays_for_the_six_coin_face_alone(face, points):
    """The assignment of this turn decides, whatever it activates."""
    state = table(cards={"violet-2": "V3a"}, abilities=("T2A", "T4A"), coins=(9, 5))
    assert play(state, place(0, "violet-2", face)).players[0].points == points


@rule("10 T1B")
def test_t1b_pays_only_who_has_no_coin_left_at_that_moment():
    """One coin is a coin; the tile is read at the end of phase 1, not after the assignment."""
    assert table(abilities=("T1B", "T2A"), coins=(0, 5)).players[0].coins == 3
    state = table(cards={"violet-2": "V3a"}, abilities=("T1B", "T2A"), coins=(1, 5))
    assert play(state, place(0, "violet-2", 3)).players[0].coins == 0


@rule("10 T3B")
def test_t3b_turns_a_golem_on_any_card_for_a_coin_and_only_once():
    """No card acts, so no golem is protected; declining costs nothing."""
    state = table({"gold-1": [(0, 4)], "red-1": [(0, 3)]}, abilities=("T3B", "T2A"))
    assert {move["slot"] for move in legal(state, "rotate")} == {"gold-1", "red-1"}
    turned = play(state, rotate("gold-1", 4))
    assert (turned.players[0].coins, offered(turned)) == (4, "assign")
    assert play(state, SKIP).players[0].coins == 5


@rule("16.33")
def test_one_placing_pays_every_tile_it_meets():
    """Two opponents with the tile cannot be; one golem arriving beside two of theirs pays two coins, not four."""
    state = table({"gold-1": [(1, 3), (1, 4)]}, abilities=("T4A", "T2B"), coins=(9, 5))
    assert play(state, place(0, "gold-1", 2)).players[1].coins == 7


# towers and chains ---------------------------------------------------------------------------------------------


@rule("5.1")
def test_one_card_may_be_used_by_its_tower_and_by_another_card():
    """V2 reaches the top of the gold tower, which is activated in the same turn as well."""
    dice = {"gold-1": [(0, 1)], "violet-1": [(0, 1)]}
    state = table(dice, cards={"gold-1": "G2a", "violet-1": "V2a"})
    state = play(state, finish(0, "gold-1"), finish(0, "violet-1"))
    state = play(state, {"kind": "activate", "seat": 0, "tower": "gold"}, USE, USE)
    assert state.players[0].coins == 5 + 1 + 2
    state = skip_to(play(state, {"kind": "activate", "seat": 0, "tower": "violet"}), "V2")
    state = play(state, {"kind": "trigger", "seat": 0, "tower": "gold", "level": 1}, USE)
    assert state.players[0].coins == 5 + 1 + 2 + 2


@rule("6")
def test_naming_a_card_that_proves_useless_still_pays_the_others():
    """V4: all others gain first; the card reached may then be declined."""
    state = with_effect("V4a", cards={"gold-1": "G2a"})
    state = play(state, {"kind": "trigger", "seat": 0, "slot": "gold-1"}, SKIP)
    assert [player.coins for player in state.players] == [5, 6]


@rule("16.34")
def test_nothing_else_is_done_before_every_finished_card_is_taken():
    """Two cards are finished: neither an activation nor the assignment comes between them."""
    state = play(table({"gold-1": [(0, 1)], "red-1": [(0, 1)]}), finish(0, "gold-1"))
    for move in (SKIP, place(0, "blue-1", 2), {"kind": "activate", "seat": 0, "tower": "gold"}):
        assert refusal(state, move).code == "skytopia/not-now"


# the end -------------------------------------------------------------------------------------------------------


@rule("9")
@pytest.mark.parametrize(("extra", "rounds"), [(0, 3), (1, 4), (2, 5)])
def test_as_many_rounds_follow_as_are_printed(extra, rounds):
    """The deck runs out in round 3; our copy may say that none or two more follow."""
    state = table(round_=3, decks=(4, 0, 4, 4), box={"endgame.extra_rounds": extra})
    while not pack.over(state):
        state = pack.play(state, pack.moves(state)[0]).state
    assert (state.round, len(state.chart)) == (rounds, rounds - 2)


@rule("9.1")
def test_coins_are_changed_for_points_in_whole_fives():
    """Nine coins are one point and leave four for the tie."""
    line = {line.id: line.points for line in pack.tally(table(coins=(9, 4))).players[0].lines}
    assert line["coins"] == 1
    assert [player.extra["leftover_coins"] for player in pack.tally(table(coins=(9, 4))).players] == [4, 4]


# what is no move -----------------------------------------------------------------------------------------------

JUNK = (None, True, -1, 0, 1, 3, 7, 99, 10**20, 0.5, "", "blue-1", "gold-9", "T1", "blue", "?", "B1a", [], ["x"], {})


def any_move(chance):
    """A move of some kind with fields of any kind."""
    kind = chance.choice(AnyMove.__args__)
    made = {"kind": kind.__struct_config__.tag}
    for field in kind.__struct_fields__:
        if chance.random() < 0.9:
            made[field] = chance.choice(JUNK)
    if chance.random() < 0.05:
        made["extra"] = chance.choice(JUNK)
    return made


@pytest.mark.parametrize("number", range(len(variants())))
def test_whatever_is_sent_is_carried_out_or_refused_in_two_sentences(number):
    """No kind, type, seat or size of nonsense breaks the rules or changes a position that refused it."""
    chance = random.Random(number)
    states = [before for before, _, _ in random_game(number, variants()[number], hidden=0.2)]
    refused = 0
    for _ in range(800):
        state = chance.choice(states)
        kept = digest_json(state)
        try:
            after = pack.play(state, pack.decode(any_move(chance))).state
            assert pack.over(after) or pack.moves(after)
        except RuleBroken as broken:
            assert broken.say.key
            assert broken.do.key
            refused += 1
        except msgspec.ValidationError:
            refused += 1
        assert digest_json(state) == kept
    assert refused > 400


@pytest.mark.parametrize("key", ["setup.coins", "effects.B4.tiers", "effects.V2.colours"])
def test_a_printed_value_of_no_shape_at_all_is_refused(key):
    """Lists in lists in lists, deeper than anything printed: the owner's word is looked at before it is kept."""
    value = []
    for _ in range(900):
        value = [value]
    assert refusal(table(), {"kind": "box", "key": key, "value": value}).code == "skytopia/box"
