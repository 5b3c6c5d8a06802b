"""What people put right in mid-game means what they mean, and everything they do not touch stays."""

import pytest
from skytopia_table import NAMES, check, faces, kinds, offered, play, refusal, skip_to, slot, table
from test_skytopia_by_hand import correct, counted
from test_skytopia_edges import SKIP, finish, place

from companion.games.skytopia import pack

START, DIRECTION = "chronometer.start_value", "chronometer.dir"


def our_copy(key, value):
    """Our copy says otherwise."""
    return {"kind": "box", "key": key, "value": value}


def dialled(rounds):
    """A counted game at the beginning of this round."""
    state = counted()
    for _ in range(rounds - 1):
        state = play(state, {"kind": "end_turn", "seat": state.turn})
        state = play(state, {"kind": "end_turn", "seat": state.turn}, {"kind": "turn_dial"})
    return state


# the dial ------------------------------------------------------------------------------------------------------


def test_a_start_value_corrected_in_round_one_is_the_build_value():
    """The refusal named the value it rests on; answered, it is lifted, and nobody is asked to turn the dial."""
    state = table(round_=1, build=1, coins=(10, 5))
    refused = refusal(state, place(0, "gold-1", 1))
    assert (refused.code, refused.box) == ("skytopia/face-build", START)
    state = play(state, our_copy(START, 2))
    assert (state.build, pack.expect(state).dial) == (2, 0)
    assert refusal(state, place(0, "gold-1", 2)).code == "skytopia/face-build"
    assert faces(play(state, place(0, "gold-1", 1)), "gold-1") == [(0, 1)]


def test_a_direction_corrected_in_round_three_turns_the_build_value_round():
    """Two notches from the start: 1, 6, 5 becomes 1, 2, 3."""
    state = table(round_=3, build=5)
    assert pack.expect(state).dial == 2
    state = play(state, our_copy(DIRECTION, 1))
    assert (state.build, pack.expect(state).dial) == (3, 2)


@pytest.mark.parametrize(("rounds", "build"), [(1, 2), (2, 1), (3, 6)])
def test_a_start_value_corrected_while_counting_moves_the_build_value(rounds, build):
    """Light depth follows the dial in the same way."""
    before = dialled(rounds)
    state = play(before, our_copy(START, 2))
    assert state.build == build
    assert pack.expect(state).dial == pack.expect(before).dial


def test_a_direction_corrected_while_counting_turns_the_build_value_round():
    """Round 3 of a counted game: 5 becomes 3, the dial stands where it stood."""
    state = play(dialled(3), our_copy(DIRECTION, 1))
    assert (state.build, pack.expect(state).dial) == (3, 2)


def test_a_golem_that_our_copy_shows_finished_leaves_its_card():
    """The start was 2, so what shows 2 in round one is built; the assignment comes after it."""
    state = play(table({"gold-1": [(0, 2)]}, round_=1), our_copy(START, 2))
    assert offered(state) == "finish"
    state = play(state, finish(0, "gold-1"), SKIP)
    assert (offered(state), state.phase) == ("assign", "place")
    check(state)


@pytest.mark.parametrize("key", ["setup.coins", "effects.B1.pp"])
def test_our_copy_on_another_matter_leaves_a_dial_set_by_hand(key):
    """A dial set right during the set-up is not set back by a value that has nothing to do with it."""
    state = play(pack.new({"names": NAMES[:2]}, {}), correct("dial", value=4), our_copy(key, 4))
    assert state.build == 4


def test_fewer_coins_at_the_start_leave_nobody_with_less_than_none():
    """Two coins set by hand, three coins fewer for everybody: none."""
    state = play(pack.new({"names": NAMES[:2]}, {}), correct("coins", seat=0, value=2), our_copy("setup.coins", 2))
    assert [player.coins for player in state.players] == [0, 2]
    check(state)


# golems finished by a correction -------------------------------------------------------------------------------


def effect_on_offer():
    """Magda has placed on a coin card and may use it; another golem of hers lies on red-1."""
    state = table({"red-1": [(0, 4)]}, cards={"gold-1": "G2a"}, coins=(9, 5))
    return play(state, place(0, "gold-1", 2))


def gap_to_fill():
    """Magda has finished gold-1, placed on blue-2, and the gap waits for its card."""
    state = table({"gold-1": [(0, 1)], "red-1": [(0, 4)]}, cards={"blue-2": "B2a"})
    return play(state, finish(0, "gold-1"), SKIP, place(0, "blue-2", 2), SKIP)


def dial_to_turn():
    """Louis, the last of the round, has placed and the dial waits."""
    state = table({"red-1": [(1, 4)]}, turn_of=1, cards={"blue-2": "B2a"})
    return play(state, place(1, "blue-2", 2), {"kind": "skip", "seat": 1})


MOMENTS = {"G2": effect_on_offer, "refill": gap_to_fill, "dial": dial_to_turn}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("by", ["the dial", "the golem", "our copy"])
def test_a_golem_finished_by_a_correction_after_the_placement_leaves_its_card(moment, by):
    """Whatever was put right shows it finished: it is taken now, and then the turn goes on where it was."""
    state = MOMENTS[moment]()
    seat, phase = state.turn, state.phase
    right = {
        "the dial": correct("dial", value=4),
        "the golem": correct("die", seat=seat, slot="red-1", was=4, face=1),
        "our copy": our_copy(START, 4),
    }[by]
    assert offered(state) == moment
    state = play(state, right)
    assert offered(state) == "finish"
    state = play(state, finish(seat, "red-1"))
    assert (kinds(state), state.players[seat].towers[2]) == ({"activate", "skip"}, (slot(table(), "red-1").card,))
    state = play(state, {"kind": "skip", "seat": seat})
    while offered(state) == "refill" and moment == "dial":
        state = pack.play(state, pack.moves(state)[0]).state
    assert (offered(state), state.phase) == (moment, phase)
    check(state)
    assert all(one.card for one in skip_to(state, "assign").slots)


def test_an_offer_goes_with_its_card():
    """The golem just placed turns out to be finished: the card is hers, and is no longer to be used in the market."""
    state = play(effect_on_offer(), correct("dial", value=2))
    state = play(state, finish(0, "gold-1"), SKIP)
    assert offered(state) == "refill"
    check(state)


def test_a_golem_set_by_hand_before_the_assignment_is_finished_first():
    """The same before the placement, where the turn has not got so far."""
    state = play(table({"red-1": [(0, 4)]}), correct("die", seat=0, slot="red-1", was=4, face=1))
    assert offered(play(state, finish(0, "red-1"), SKIP)) == "assign"


# rounds, turns, decks ------------------------------------------------------------------------------------------


def last_round_due():
    """A deck has run out in round 13: one more round follows."""
    state = skip_to(table(round_=13, decks=(4, 0, 4, 4)), "dial")
    assert pack.view(state, None).rounds_left == 1
    return state


@pytest.mark.parametrize("number", [1, 10, 20, 99])
def test_correcting_the_round_number_keeps_the_number_of_rounds_left(number):
    """Round 13 was really another: one more full round follows all the same."""
    state = play(last_round_due(), correct("round", value=number))
    assert pack.view(state, None).rounds_left == 1
    state = play(state, {"kind": "turn_dial"})
    while not pack.over(state):
        assert state.round == number + 1
        state = pack.play(state, pack.moves(state)[0]).state


@pytest.mark.parametrize("number", [1, 10, 20])
def test_correcting_the_round_number_while_counting_keeps_the_rounds_left(number):
    """Light depth counts the rounds in the same way."""
    state = play(dialled(3), {"kind": "last_round"}, correct("round", value=number))
    assert pack.view(state, None).rounds_left == 1


def test_a_round_number_means_nothing_before_the_first_round():
    """The first round will be round one."""
    assert refusal(pack.new({"names": NAMES[:2]}, {}), correct("round", value=5)).code == "skytopia/not-now"


@pytest.mark.parametrize("move", [correct("turn", seat=0), correct("round", value=3)])
def test_a_finished_game_is_not_revived_by_a_correction(move):
    """It has its tally; whoever wants to play on takes the last move back."""
    over = play(table(), correct("end"))
    assert refusal(over, move).code == "skytopia/over"


@pytest.mark.parametrize(
    "move",
    [
        correct("points", seat=0, value=12),
        correct("dial", value=4),
        correct("deck", tower="gold", value=3),
        correct("die", seat=0, slot="red-1", was=4, face=1),
        our_copy(START, 4),
    ],
)
def test_a_finished_game_put_right_stays_finished(move):
    """The tally follows the table; nobody is asked anything more."""
    over = play(table({"red-1": [(0, 4)]}, decks=(4, 0, 4, 4)), correct("end"))
    after = play(over, move)
    assert pack.over(after)
    assert pack.moves(after) == []


def test_a_deck_that_was_thought_empty_is_put_right_and_the_end_is_due_no_more():
    """Two cards were left after all: the game goes on until a deck is really empty."""
    state = play(last_round_due(), correct("deck", tower="gold", value=2))
    assert (state.last, pack.view(state, None).rounds_left) == (0, None)
    state = skip_to(play(state, {"kind": "turn_dial"}), "dial")
    assert state.stack, "no final scoring after that round"


def test_the_end_stays_due_while_another_deck_is_empty():
    """Gold had cards left, but blue is empty too."""
    state = skip_to(table(round_=13, decks=(0, 0, 4, 4)), "dial")
    assert play(state, correct("deck", tower="gold", value=2)).last == 14


def test_a_mark_read_wrongly_puts_a_card_back_into_an_empty_deck():
    """Our copy's player count brings a card into the deck: the end was not due."""
    state = table(round_=13, decks=(4, 0, 4, 4), cards={"gold-1": "G1a"})
    state = play(skip_to(state, "dial"), our_copy("cards.G1c.min_players", 2))
    assert (state.decks[1], state.last) == (1, 0)


def test_a_counted_score_stays_within_what_can_be_counted():
    """Nobody has a thousand points: the same limit as for a value set by hand."""
    state = play(counted(), correct("points", seat=0, value=990))
    assert refusal(state, {"kind": "count", "seat": 0, "points": 10}).code == "skytopia/correct-range"
    assert play(state, {"kind": "count", "seat": 0, "points": 9}).points[0] == 999
