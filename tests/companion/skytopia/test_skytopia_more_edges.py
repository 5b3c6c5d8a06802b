"""Edge cases 21 to 41 of the rules, §16, one test each."""

import pytest
from skytopia_table import faces, legal, offered, play, refusal, skip_to, slot, table
from test_skytopia_edges import SKIP, USE, finish, place, with_effect

from companion.games.skytopia import pack
from companion.games.skytopia.state import slot_names

rule = pytest.mark.rule


def activated(tower, cards, dice=None, **more):
    """Player 0 has finished the last of these cards and activates its tower; the base is passed over."""
    colour = {"B": "blue", "G": "gold", "R": "red", "V": "violet"}[tower[0]]
    towers = {0: {**more.pop("towers", {}), colour: cards[:-1]}}
    state = table(
        {f"{colour}-1": [(0, 1)], **(dice or {})},
        cards={f"{colour}-1": cards[-1], **more.pop("lying", {})},
        towers=towers,
        **more,
    )
    state = play(state, finish(0, f"{colour}-1"), {"kind": "activate", "seat": 0, "tower": colour})
    while offered(state).startswith("base"):
        state = play(state, SKIP)
    return state


@rule("16.21")
def test_v4_in_the_city_reaches_cards_of_its_own_level():
    towers = {"blue": ["B2a"], "gold": ["G2a", "G3a"], "red": []}
    state = activated("V", ["V3a", "V4a"], towers=towers)
    assert offered(state) == "V4"
    assert [(m["tower"], m["level"]) for m in legal(state, "trigger")] == [("gold", 2)]
    assert refusal(state, {"kind": "trigger", "seat": 0, "tower": "blue", "level": 1}).code == "skytopia/wrong-target"
    assert refusal(state, {"kind": "trigger", "seat": 0, "tower": "blue", "level": 2}).code == "skytopia/no-target"
    state = play(state, {"kind": "trigger", "seat": 0, "tower": "gold", "level": 2})
    assert offered(state) == "G3"


@rule("16.22")
def test_the_violet_base_may_start_a_chain_of_three():
    towers = {"blue": ["B2a"], "violet": []}
    state = table({"violet-1": [(0, 1)]}, cards={"violet-1": "V4b"}, towers={0: towers}, box={"cities.0.violet": "C4"})
    state = play(state, finish(0, "violet-1"), {"kind": "activate", "seat": 0, "tower": "violet"})
    assert offered(state) == "base-violet"
    state = play(state, {"kind": "trigger", "seat": 0, "tower": "violet", "level": 1})
    assert offered(state) == "V4"
    state = play(state, {"kind": "trigger", "seat": 0, "tower": "blue", "level": 1})
    assert offered(state) == "B2"
    state = play(state, USE)
    assert state.players[0].points == 1
    assert offered(state) == "V4", "the card itself is still to come in its tower"


@rule("16.22")
def test_if_the_box_allows_violet_a_card_in_the_chain_is_not_entered_again():
    box = {"effects.V2.colours": ["violet"]}
    state = activated("V", ["V2a"], box=box)
    assert offered(state) == "assign", "its own top card is in the chain already"
    state = activated("V", ["V2a", "V2b"], box=box)
    assert offered(state) == "V2"
    assert [(m["tower"], m["level"]) for m in legal(state, "trigger")] == [("violet", 2)]
    state = play(state, {"kind": "trigger", "seat": 0, "tower": "violet", "level": 2})
    assert offered(state) == "assign", "both top cards lead only back into the chain"


@rule("16.23")
def test_v2_on_an_empty_tower_uses_the_base_even_in_phase_2():
    state = with_effect("V2a")
    state = play(state, {"kind": "trigger", "seat": 0, "tower": "red", "level": 0})
    assert offered(state) == "base-red"
    state = play(state, {"kind": "set", "seat": 0, "slot": "blue-2"})
    assert faces(state, "blue-2") == [(0, 2)]
    none = with_effect("V2a", box={"effects.V2.base_if_empty": False})
    assert none.turn == 1


@rule("16.24")
def test_v1_may_take_the_card_it_has_just_vacated():
    state = with_effect("V1a", {"red-2": [(0, 3)], "blue-2": [(0, 4), (1, 5)]})
    state = play(state, {"kind": "take", "seat": 0, "slot": "red-2", "face": 3})
    card = slot(state, "red-2").card
    state = play(state, {"kind": "add", "seat": 0, "slot": "red-2"})
    assert state.players[0].towers[2] == (card,)


@rule("16.25")
def test_v1_never_takes_itself():
    state = with_effect("V1a", {"red-2": [(0, 3)]})
    state = play(state, {"kind": "take", "seat": 0, "slot": "red-2", "face": 3})
    assert "violet-1" not in {move["slot"] for move in legal(state, "add")}


@rule("16.26")
def test_a_card_added_by_v1_starts_no_activation_and_joins_one_under_way_only_if_the_box_says_so():
    dice = {"red-2": [(0, 3)]}
    take = {"kind": "take", "seat": 0, "slot": "red-2", "face": 3}
    idle = play(activated("V", ["V1a"], dice), take, {"kind": "add", "seat": 0, "slot": "blue-2"})
    assert offered(idle) == "assign"
    add = {"kind": "add", "seat": 0, "slot": "violet-2"}
    lying = {"violet-2": "V2a"}
    under_way = play(activated("V", ["V1a"], dice, lying=lying), take, add)
    assert offered(under_way) == "V2", "the card just added is reached last"
    fixed = activated("V", ["V1a"], dice, lying=lying, box={"rules.activate_cards_added_mid_activation": False})
    assert offered(play(fixed, take, add)) == "assign"


@rule("16.27")
def test_a_card_added_in_phase_2_does_not_count_for_t4a():
    dice = {"gold-1": [(0, 1)], "red-2": [(0, 3)]}
    state = table(dice, cards={"gold-1": "G1a", "violet-1": "V1a"}, abilities=("T4A", "T1B"))
    state = skip_to(play(state, finish(0, "gold-1")), "assign")
    state = play(state, place(0, "violet-1", 2), {"kind": "take", "seat": 0, "slot": "red-2", "face": 3})
    state = play(state, {"kind": "add", "seat": 0, "slot": "blue-2"})
    assert state.added == 2
    assert state.players[0].points == 0


@rule("16.28")
def test_the_gap_of_v1_is_filled_in_the_same_turn_and_may_trigger_the_end():
    state = with_effect("V1a", {"red-2": [(0, 3)]}, decks=(1, 4, 4, 4))
    state = play(
        state, {"kind": "take", "seat": 0, "slot": "red-2", "face": 3}, {"kind": "add", "seat": 0, "slot": "blue-2"}
    )
    assert offered(state) == "refill"
    state = pack.play(state, pack.moves(state)[0]).state
    assert state.last == 4
    phase_1 = play(
        activated("V", ["V1a"], {"red-2": [(0, 3)]}), {"kind": "take", "seat": 0, "slot": "red-2", "face": 3}
    )
    phase_1 = play(phase_1, {"kind": "add", "seat": 0, "slot": "blue-2"})
    assert offered(phase_1) == "assign"
    assert refusal(phase_1, place(0, "blue-2", 2)).code == "skytopia/empty-slot"


@rule("16.29")
def test_only_affordable_tiers_are_offered():
    state = with_effect("B4a", coins=(3, 5))
    assert [move["tier"] for move in legal(state, "buy")] == [1, 2]
    refused = refusal(state, {"kind": "buy", "seat": 0, "tier": 3})
    assert (refused.code, refused.box) == ("skytopia/too-dear", "effects.B4.tiers")
    state = play(state, {"kind": "buy", "seat": 0, "tier": 2})
    assert (state.players[0].coins, state.players[0].points) == (0, 2)
    assert with_effect("B4a", coins=(0, 5)).turn == 1


@rule("16.30")
def test_coins_spent_in_phase_1_can_earn_t1b():
    state = activated("B", ["B4a"], coins=(1, 5), abilities=("T1B", "T2A"))
    state = play(state, {"kind": "buy", "seat": 0, "tier": 1})
    assert offered(state) == "assign"
    assert state.players[0].coins == 3


@rule("16.31")
def test_t4b_wants_all_golems_home_before_the_assignment():
    state = table(abilities=("T4B", "T1A"))
    assert state.players[0].coins == 10
    assert table({"blue-1": [(0, 3)]}, abilities=("T4B", "T1A")).players[0].coins == 5


@rule("16.32")
def test_t2b_pays_once_per_arriving_golem_and_not_for_rotations():
    dice = {"gold-1": [(1, 3), (1, 4)], "red-2": [(0, 3)]}
    abilities = ("T1A", "T2B")
    state = table(dice, abilities=abilities)
    assert play(state, place(0, "gold-1", 2)).players[1].coins == 7
    moved = with_effect("R3a", {"gold-1": [(1, 4)], "red-2": [(0, 3)]}, abilities=abilities)
    move = {"kind": "move", "seat": 0, "slot": "red-2", "face": 3, "to": "gold-1"}
    assert play(moved, move).players[1].coins == 7
    quiet = with_effect(
        "R3a", {"gold-1": [(1, 4)], "red-2": [(0, 3)]}, abilities=abilities, box={"abilities.T2B.on_move": False}
    )
    assert play(quiet, move).players[1].coins == 5
    turned = with_effect("R1a", {"gold-1": [(1, 5), (0, 3)]}, abilities=abilities)
    turn = {"kind": "rotate", "seat": 0, "slot": "gold-1", "face": 3, "steps": 1}
    assert play(turned, turn).players[1].coins == 5


@rule("16.33")
def test_tiles_of_several_players_pay_independently():
    dice = {"gold-1": [(0, 1), (1, 3), (2, 4)]}
    state = table(dice, players=3, abilities=("T3A", "T1A", "T2B"))
    state = play(state, finish(0, "gold-1"))
    assert (state.players[1].points, state.players[1].coins) == (1, 8)
    assert (state.players[2].points, state.players[2].coins) == (0, 8)


@rule("16.34")
def test_a_finished_card_cannot_be_left():
    state = table({"gold-1": [(0, 1)]})
    assert refusal(state, SKIP).code == "skytopia/not-now"
    assert [move["slot"] for move in legal(state, "finish")] == ["gold-1"]


@rule("16.35")
def test_a_laboratory_taken_by_v1_counts_without_activating_violet():
    state = with_effect("V1a", {"red-2": [(0, 3)]}, cards={"violet-2": "V3a"})
    state = play(
        state, {"kind": "take", "seat": 0, "slot": "red-2", "face": 3}, {"kind": "add", "seat": 0, "slot": "violet-2"}
    )
    assert offered(state) == "refill"
    assert next(line.points for line in pack.tally(state).players[0].lines if line.id == "laboratories") == 5


@rule("16.36")
def test_golems_on_the_market_count_at_the_end_and_the_dial_is_not_turned_again():
    state = table({"gold-1": [(1, 6), (1, 4)]}, turn_of=1, decks=(0, 4, 4, 4), coins=(0, 0))
    state = skip_to(state, "dial")
    state = play(state, {"kind": "turn_dial"})
    build = state.build
    while not pack.over(state):
        assert offered(state) != "dial"
        state = pack.play(state, pack.moves(state)[-1]).state
    assert state.build == build
    on = sum(die.owner == 1 for place_ in state.slots for die in place_.dice)
    assert next(line.points for line in pack.tally(state).players[1].lines if line.id == "golems") == on


@rule("16.37")
def test_the_score_counts_on_beyond_99():
    state = play(table(), {"kind": "correct", "what": "points", "seat": 0, "value": 120})
    assert next(line.points for line in pack.tally(state).players[0].lines if line.id == "track") == 120


@rule("16.38")
def test_a_turn_without_a_decision_passes_by_itself_and_t3a_still_pays():
    cards = {"blue-1": "B1a", "gold-1": "G3b", "red-1": "R3a", "violet-1": "V2a"}
    dice = {name: [(1, 2)] for name in slot_names(1)}
    dice = {name: [*on, (0, 3)] for name, on in dice.items()}
    state = table(dice, rows=1, cards=cards, coins=(0, 5), abilities=("T3A", "T2A"))
    assert state.turn == 1
    assert state.players[0].points == 1
    none = table(dice, rows=1, cards=cards, coins=(0, 5), abilities=("T2A", "T3A"))
    assert none.players[0].points == 0


@rule("16.39")
def test_no_golem_turns_twice_in_one_use():
    state = with_effect("R2a", {"blue-1": [(0, 2)], "blue-2": [(0, 2)]})
    state = play(state, {"kind": "rotate", "seat": 0, "slot": "blue-1", "face": 2, "steps": 1})
    assert [(move["slot"]) for move in legal(state, "rotate")] == ["blue-2"]
    again = {"kind": "rotate", "seat": 0, "slot": "blue-1", "face": 3, "steps": 1}
    assert refusal(state, again).code == "skytopia/turned-already"
    state = with_effect("V1a", {"red-2": [(0, 3)]}, abilities=("T1A", "T2A"))
    state = play(state, {"kind": "take", "seat": 0, "slot": "red-2", "face": 3})
    assert state.players[0].points == 1
    assert refusal(state, SKIP).code == "skytopia/not-now", "the card can no longer be declined"


@rule("16.40")
def test_a_deck_empty_from_the_start_ends_the_game_after_round_2():
    state = table(round_=1, decks=(0, 4, 4, 4))
    state = skip_to(state, "dial")
    assert state.last == 2


@rule("16.41")
def test_the_violet_base_may_name_a_laboratory_without_result():
    state = table({"violet-1": [(0, 1)]}, cards={"violet-1": "V3c"})
    assert state.numbers.cards["V3c"].crest == "C4" == state.numbers.violet_crest[0]
    state = play(state, finish(0, "violet-1"), {"kind": "activate", "seat": 0, "tower": "violet"})
    state = play(state, {"kind": "trigger", "seat": 0, "tower": "violet", "level": 1})
    assert offered(state) == "assign"


@rule("§12 V-A")
def test_the_initial_turn_goes_from_the_last_player_and_takes_any_free_card():
    options = {"names": ["A", "B", "C"], "initial_turn": True, "first": 1}
    options |= {"guilds": ["builders", "merchants", "priests"], "cities": [0, 1, 2], "abilities": ["T1A", "T2A", "T3A"]}
    state = play(pack.new(options, {}), {"kind": "deal"})
    order = []
    for where in ("gold-2", "violet-1", "red-3"):
        order.append(pack.ask(state).seat)
        state = play(state, {"kind": "start", "seat": order[-1], "slot": where})
        if len(order) < 3:
            seat = pack.ask(state).seat
            assert refusal(state, {"kind": "start", "seat": seat, "slot": where}).code == "skytopia/occupied"
    assert order == [0, 2, 1]
    assert (state.round, state.turn, state.build) == (1, 1, 1)
    assert [player.coins for player in state.players] == [5, 5, 5]


@rule("§12 V-B")
def test_the_draft_goes_from_the_last_player_and_sides_come_after_the_last_pick():
    options = {"names": ["A", "B", "C", "D"], "abilities_by": "draft", "sides": "each"}
    options |= {"guilds": ["builders", "merchants", "priests"], "cities": [0, 1, 2, 3]}
    state = play(pack.new(options, {}), {"kind": "deal"})
    picks = []
    for tile in ("T3", "T1", "T4", "T2"):
        picks.append(pack.ask(state).seat)
        assert len(legal(state, "tile")) == 4 - len(picks) + 1
        state = play(state, {"kind": "tile", "seat": picks[-1], "tile": tile})
    assert picks == [3, 2, 1, 0]
    sides = []
    for side in "ABAB":
        sides.append(pack.ask(state).seat)
        state = play(state, {"kind": "side", "seat": sides[-1], "side": side})
    assert sides == [3, 2, 1, 0]
    assert [player.ability for player in state.players] == ["T2B", "T4A", "T1B", "T3A"]


@rule("§12 V-C")
def test_a_smaller_market_for_four():
    state = pack.new({"names": ["A", "B", "C", "D"], "rows": 3}, {})
    assert len(state.slots) == 12
    state = play(state, {"kind": "deal"})
    assert state.decks == (9, 9, 9, 9)
    usual = {2: 6, 3: 9, 4: 8}
    for players, left in usual.items():
        state = play(pack.new({"names": list("ABCD")[:players]}, {}), {"kind": "deal"})
        assert state.decks == (left,) * 4
