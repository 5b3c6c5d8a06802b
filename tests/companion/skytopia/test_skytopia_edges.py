"""Edge cases 1 to 20 of the rules, §16, one test each."""

import pytest
from skytopia_table import events, faces, kinds, legal, offered, play, refusal, skip_to, slot, table

from companion.games.skytopia import pack
from companion.games.skytopia.state import slot_names

rule = pytest.mark.rule


def place(seat, where, face):
    """An assignment."""
    return {"kind": "place", "seat": seat, "slot": where, "face": face}


def finish(seat, where):
    """A finished card is taken."""
    return {"kind": "finish", "seat": seat, "slot": where}


SKIP = {"kind": "skip", "seat": 0}
USE = {"kind": "use", "seat": 0}


@rule("16.1")
@pytest.mark.parametrize("order", [("gold-1", "gold-2"), ("gold-2", "gold-1")])
def test_two_cards_of_one_colour_are_stacked_as_chosen_and_the_tower_is_activated_once(order):
    state = table({"gold-1": [(0, 1)], "gold-2": [(0, 1)]}, cards={"gold-1": "G2a", "gold-2": "G3a"})
    both = {"gold-1": "G2a", "gold-2": "G3a"}
    state = play(state, finish(0, order[0]))
    assert offered(state) == "finish", "both are taken before anything is activated"
    state = play(state, finish(0, order[1]))
    assert state.players[0].towers[1] == (both[order[0]], both[order[1]])
    state = play(state, {"kind": "activate", "seat": 0, "tower": "gold"}, SKIP, SKIP, SKIP)
    assert offered(state) == "assign"


@rule("16.2")
def test_a_second_own_golem_comes_home_without_coins_or_tile():
    state = table({"gold-1": [(0, 1), (0, 4)]}, abilities=("T1A", "T2A"))
    state = play(state, finish(0, "gold-1"))
    me = state.players[0]
    assert (me.home, me.coins, me.points) == (5, 5, 0)
    paid = table({"gold-1": [(0, 1), (0, 4)]}, box={"rules.own_second_die_coins": 2})
    assert play(paid, finish(0, "gold-1")).players[0].coins == 7


@rule("16.3")
def test_two_golems_of_one_opponent_are_both_compensated():
    state = table({"gold-1": [(0, 1), (1, 3), (1, 4)]}, abilities=("T2A", "T1A"))
    state = play(state, finish(0, "gold-1"))
    other = state.players[1]
    assert (other.home, other.coins, other.points) == (5, 11, 2)


@rule("16.4")
def test_two_players_cannot_show_one_face_on_a_card():
    state = table({"gold-1": [(1, 4)]}, coins=(20, 5))
    assert refusal(state, place(0, "gold-1", 4)).code == "skytopia/face-taken"


@rule("16.5")
def test_a_card_somebody_will_finish_this_round_may_be_joined_and_cannot_be_taken_by_v1():
    dice = {"gold-1": [(1, 1)], "blue-1": [(0, 3)]}
    state = table(dice, cards={"gold-1": "G2a", "violet-1": "V1a"}, coins=(5, 5))
    joined = play(state, place(0, "gold-1", 2), USE)
    joined = skip_to(joined, "finish")
    assert joined.turn == 1
    joined = play(joined, finish(1, "gold-1"))
    assert joined.players[0].coins == 5 + 2 + 3
    taking = play(state, place(0, "violet-1", 2), {"kind": "take", "seat": 0, "slot": "blue-1", "face": 3})
    assert "gold-1" not in [move["slot"] for move in legal(taking, "add")]
    assert refusal(taking, {"kind": "add", "seat": 0, "slot": "gold-1"}).code == "skytopia/occupied"


@rule("16.6")
def test_a_deck_that_runs_out_leaves_gaps_and_ends_the_game():
    dice = {"gold-1": [(0, 1)], "gold-2": [(0, 1)]}
    state = table(dice, decks=(6, 1, 6, 6), coins=(0, 0))
    state = play(state, finish(0, "gold-1"), finish(0, "gold-2"))
    state = skip_to(state, "refill")
    assert {move["slot"] for move in legal(state, "reveal")} == {"gold-1"}, "the place nearest the deck first"
    state = pack.play(state, pack.moves(state)[0]).state
    assert slot(state, "gold-2").card == ""
    assert state.last == state.round + 1
    assert refusal(state, place(1, "gold-2", 2)).code == "skytopia/empty-slot"


@rule("16.7")
def test_a_deck_empty_exactly_triggers_the_end():
    state = table({"gold-1": [(0, 1)]}, decks=(6, 1, 6, 6), coins=(0, 0))
    state = skip_to(play(state, finish(0, "gold-1")), "refill")
    reveal = pack.encode(pack.moves(state)[0])
    assert "last-round" in [event.kind for event in events(state, reveal)]
    state = play(state, reveal)
    assert all(place.card for place in state.slots)
    assert state.last == 4


@rule("16.8")
def test_one_more_round_follows_the_trigger_even_by_the_last_player_and_no_further_trigger_counts():
    state = table({"gold-1": [(1, 1)]}, turn_of=1, decks=(1, 1, 6, 6), coins=(0, 0))
    state = skip_to(play(state, finish(1, "gold-1")), "dial")
    assert (state.round, state.last) == (3, 4)
    state = play(state, {"kind": "turn_dial"})
    turns = []
    while not pack.over(state):
        if not turns or turns[-1] != state.turn:
            turns.append(state.turn)
        kind = state.stack[-1].kind
        passing = kind in ("effect", "towers", "ability", "close")
        state = (
            play(state, {"kind": "skip", "seat": state.turn})
            if passing
            else pack.play(state, pack.moves(state)[0]).state
        )
    assert turns == [1, 0]
    assert (state.round, state.last) == (4, 4)


@rule("16.9")
def test_poverty_alone_never_blocks():
    state = table(coins=(0, 5))
    assert {move["face"] for move in legal(state, "place")} == {2}
    assert refusal(state, place(0, "gold-1", 3)).code == "skytopia/too-dear"


def crowded(own=(), poor=0):
    """A two-player market where the free face 2 is taken on every card by player 1, where there are enough golems."""
    names = slot_names(1)
    dice = {name: [(1, 2)] for name in names}
    for name, face in own:
        dice[name] = [*dice.get(name, ()), (0, face)]
    return table(dice, rows=1, coins=(poor, 5))


@rule("16.10")
def test_without_any_legal_placement_the_assignment_is_skipped_with_golems_at_home():
    state = crowded()
    assert state.turn == 1, "the turn of player 0 passed by itself"


@rule("16.10")
def test_an_empty_reserve_takes_back_what_opens_a_face():
    own = [("blue-1", 3), ("blue-1", 4), ("gold-1", 3), ("red-1", 3), ("violet-1", 2)]
    dice = {"blue-1": [(1, 2), (0, 3), (0, 4)], "gold-1": [(1, 2), (0, 3)], "red-1": [(1, 2), (0, 3)]}
    dice["violet-1"] = [(0, 2)]
    assert len(own) == 5
    state = table(dice, rows=1, coins=(0, 5))
    assert [(m["slot"], m["face"]) for m in legal(state, "take")] == [("violet-1", 2)]
    assert refusal(state, {"kind": "take", "seat": 0, "slot": "blue-1", "face": 3}).code == "skytopia/take-other"
    state = play(state, {"kind": "take", "seat": 0, "slot": "violet-1", "face": 2})
    assert [(m["slot"], m["face"]) for m in legal(state, "place")] == [("violet-1", 2)]


@rule("16.10")
def test_if_no_take_back_helps_one_golem_is_still_taken_and_stays_home():
    dice = {name: [(1, 2)] for name in slot_names(1)}
    dice["blue-1"] += [(0, 3), (0, 4)]
    dice["gold-1"] += [(0, 3), (0, 4)]
    dice["red-1"] += [(0, 3)]
    state = table(dice, rows=1, coins=(0, 5))
    assert len(legal(state, "take")) == 5
    state = play(state, {"kind": "take", "seat": 0, "slot": "red-1", "face": 3})
    assert state.turn == 1
    assert state.players[0].home == 1


@rule("16.11")
def test_a_forced_take_back_pays_nothing_and_the_same_card_may_be_chosen_again():
    dice = {"blue-1": [(0, 3), (1, 4)], "gold-1": [(0, 3)], "gold-2": [(0, 3)], "red-1": [(0, 3)], "red-2": [(0, 3)]}
    state = table(dice, abilities=("T1A", "T2B"), cards={"blue-1": "B2a"}, coins=(1, 5))
    assert offered(state) == "assign"
    assert refusal(state, place(0, "blue-1", 2)).code == "skytopia/no-golem-home"
    state = play(state, {"kind": "take", "seat": 0, "slot": "blue-1", "face": 3})
    assert (state.players[0].coins, state.players[0].points) == (1, 0)
    state = play(state, place(0, "blue-1", 3))
    assert state.players[0].coins == 0
    assert state.players[1].coins == 7, "the visitor's host is paid"
    assert offered(state) == "B2"


def with_effect(card, dice=None, **more):
    """Player 0 has just placed a golem, face 2, on this card in row 1."""
    column = {"B": "blue", "G": "gold", "R": "red", "V": "violet"}[card[0]]
    cards = {f"{column}-1": card, **more.pop("cards", {})}
    state = table(dice or {}, cards=cards, **more)
    return play(state, place(0, f"{column}-1", 2))


@rule("16.12")
def test_rotating_onto_a_shown_face_is_illegal_but_two_steps_may_go_over_it():
    dice = {"blue-1": [(0, 3), (1, 4)]}
    one = with_effect("R1a", dice)
    assert [move["steps"] for move in legal(one, "rotate")] == [2]
    assert (
        refusal(one, {"kind": "rotate", "seat": 0, "slot": "blue-1", "face": 3, "steps": 1}).code
        == "skytopia/face-taken"
    )
    strict = with_effect("R1a", dice, box={"rules.rotate_over_occupied": False})
    assert legal(strict, "rotate") == []
    assert legal(with_effect("R2a", dice), "rotate") == []


@rule("16.13")
def test_a_golem_never_rotates_to_the_build_value():
    state = with_effect("R1a", {"blue-1": [(0, 5)], "blue-2": [(0, 6)]})
    assert [(m["slot"], m["steps"]) for m in map(pack.encode, pack.moves(state)) if m["kind"] == "rotate"] == [
        ("blue-1", 1)
    ]
    assert (
        refusal(state, {"kind": "rotate", "seat": 0, "slot": "blue-2", "face": 6, "steps": 1}).code
        == "skytopia/face-build"
    )


@rule("16.14")
def test_the_order_of_rotations_matters():
    state = with_effect("R2a", {"blue-1": [(0, 4), (0, 5)]})
    assert [move["face"] for move in legal(state, "rotate")] == [5]
    state = play(state, {"kind": "rotate", "seat": 0, "slot": "blue-1", "face": 5, "steps": 1})
    assert [move["face"] for move in legal(state, "rotate")] == [4]
    state = play(state, {"kind": "rotate", "seat": 0, "slot": "blue-1", "face": 4, "steps": 1})
    assert faces(state, "blue-1") == [(0, 5), (0, 6)]


@rule("16.15")
@pytest.mark.parametrize("card", ["B1a", "G1a", "R1a", "R2a", "R3a", "V1a"])
def test_an_effect_never_touches_the_golem_just_placed(card):
    state = with_effect(card)
    assert state.turn == 1, "with no golem elsewhere the effect is unusable and passes by itself"
    state = with_effect(card, {"red-2": [(0, 3)]})
    assert {move.slot for move in pack.moves(state) if hasattr(move, "slot")} == {"red-2"}
    column = {"B": "blue", "G": "gold", "R": "red", "V": "violet"}[card[0]]
    kind = kinds(state) - {"skip"}
    touch = {"kind": kind.pop(), "seat": 0, "slot": f"{column}-1", "face": 2}
    if touch["kind"] == "rotate":
        touch["steps"] = 1
    if touch["kind"] == "move":
        touch["to"] = "gold-2"
    assert refusal(state, touch).code == "skytopia/protected"


@rule("16.15")
@pytest.mark.parametrize(("protect", "reached"), [(True, {"red-2"}), (False, {"red-2", "violet-1"})])
def test_chains_protect_every_market_card_on_the_way(protect, reached):
    dice = {"red-2": [(0, 3)], "red-1": [(0, 4)]}
    cards = {"red-1": "R1a"}
    state = with_effect("V4a", dice, cards=cards, box={"rules.chain_protection": protect})
    state = play(state, {"kind": "trigger", "seat": 0, "slot": "red-1"})
    assert {move["slot"] for move in legal(state, "rotate")} == reached
    city = with_effect("V2a", dice, towers={0: {"red": ["R1a"]}}, box={"rules.chain_protection": protect})
    city = play(city, {"kind": "trigger", "seat": 0, "tower": "red", "level": 1})
    assert {move["slot"] for move in legal(city, "rotate")} == reached | {"red-1"}


@rule("16.16")
def test_golems_may_be_moved_or_set_onto_the_card_in_use():
    moved = with_effect("R3a", {"blue-1": [(0, 3)]})
    assert "red-1" in {move["to"] for move in legal(moved, "move")}
    placed = with_effect("R4a")
    assert "red-1" in {move["slot"] for move in legal(placed, "set")}
    placed = play(placed, {"kind": "set", "seat": 0, "slot": "red-1"})
    assert faces(placed, "red-1") == [(0, 2), (0, 3)]
    blocked = with_effect("R3a", {"blue-1": [(0, 2)]})
    assert "red-1" not in {move["to"] for move in legal(blocked, "move")}


@rule("16.17")
def test_setting_a_golem_needs_one_at_home_unless_the_box_says_otherwise():
    dice = {"blue-1": [(0, 3)], "blue-2": [(0, 3)], "gold-1": [(0, 4)], "gold-2": [(0, 4)]}
    assert with_effect("R4a", dice).turn == 1
    wide = with_effect("R4a", dice, box={"effects.R4.source": "reserve_or_market"})
    assert offered(wide) == "R4"
    sources = {move["source"] for move in legal(wide, "set")}
    assert sources == {"blue-1", "blue-2", "gold-1", "gold-2"}
    state = play(wide, {"kind": "set", "seat": 0, "slot": "gold-1", "source": "gold-1", "face": 4})
    assert faces(state, "gold-1") == [(0, 3)]


@rule("16.18")
def test_a_golem_set_in_phase_1_can_empty_the_reserve_so_that_one_must_be_taken_back():
    dice = {"red-1": [(0, 1)], "blue-1": [(0, 3)], "blue-2": [(0, 3)], "gold-1": [(0, 4)], "gold-2": [(0, 4)]}
    state = play(
        table(dice, cards={"red-1": "R3a"}), finish(0, "red-1"), {"kind": "activate", "seat": 0, "tower": "red"}
    )
    assert offered(state) == "base-red"
    state = play(state, {"kind": "set", "seat": 0, "slot": "red-2"})
    assert faces(state, "red-2") == [(0, 2)]
    state = skip_to(state, "assign")
    assert kinds(state) == {"take"}


@rule("16.19")
def test_a_golem_set_by_an_effect_neither_replaces_the_assignment_nor_activates_nor_counts_as_paid():
    box = {"bases.red.price_face": 6}
    state = table({"red-1": [(0, 1)]}, cards={"red-1": "R3a", "gold-1": "G2a"}, abilities=("T2A", "T1B"), box=box)
    state = play(state, finish(0, "red-1"), {"kind": "activate", "seat": 0, "tower": "red"})
    state = play(state, {"kind": "set", "seat": 0, "slot": "gold-1"})
    assert faces(state, "gold-1") == [(0, 5)]
    assert state.players[0].coins == 5
    state = skip_to(state, "assign")
    state = play(state, place(0, "blue-1", 2))
    assert state.players[0].points == 0


@rule("16.20")
def test_v4_in_the_market_reaches_its_row_whatever_lies_there():
    state = with_effect("V4a", {"gold-1": [(1, 3)]}, cards={"gold-1": "G2a"})
    assert {move["slot"] for move in legal(state, "trigger")} == {"blue-1", "gold-1", "red-1"}
    after = play(state, {"kind": "trigger", "seat": 0, "slot": "gold-1"})
    assert after.players[1].coins == 6
    assert faces(after, "gold-1") == [(1, 3)]
    assert play(after, USE).players[0].coins == 5 + 2
    assert refusal(state, {"kind": "trigger", "seat": 0, "slot": "gold-2"}).code == "skytopia/wrong-target"


@rule("16.20")
def test_v4_without_a_target_in_its_row_is_unusable():
    cards = {"blue-1": "", "gold-1": "", "red-1": "", "violet-1": "V4a"}
    state = table(cards=cards, decks=(0, 0, 0, 8))
    state = play(state, place(0, "violet-1", 2))
    assert state.turn == 1
    assert state.players[1].coins == 5
