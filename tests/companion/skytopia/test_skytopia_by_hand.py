"""What people set by hand or only count: each value within its limits, each refusal with its code (§14, §17)."""

import msgspec
import pytest
from skytopia_table import NAMES, check, faces, offered, play, refusal, slot, table
from test_skytopia_edges import place, with_effect
from test_skytopia_refusals import fresh, set_up

from benches.skytopia_invariants import violations
from companion.games.skytopia import document, light, pack
from companion.games.skytopia.state import Die
from companion.shown.skytopia import Card

replace = msgspec.structs.replace
GOLEMS = "setup.dice_per_player"


def correct(what, **values):
    """A value set by hand."""
    return {"kind": "correct", "what": what, **values}


# a game that is only counted -----------------------------------------------------------------------------------


def counted(depth="light"):
    """Two players, nothing enforced."""
    return pack.new({"names": NAMES[:2], "depth": depth}, {})


def test_everything_counted_can_be_set_right():
    """Points, coins, dial and round; each of its own, nothing else moves."""
    state = counted()
    assert play(state, correct("points", seat=1, value=31)).points == (0, 31)
    assert play(state, correct("coins", seat=0, value=9)).coins == (9, state.coins[1])
    assert play(state, correct("dial", value=4)).build == 4
    assert play(state, correct("round", value=7)).round == 7


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (correct("points", seat=0, value=-1), "correct-range"),
        (correct("points", seat=0, value=1000), "correct-range"),
        (correct("points", seat=0, value="many"), "correct-range"),
        (correct("dial", value=7), "correct-value"),
        (correct("round", value=0), "correct-value"),
        (correct("points", value=3), "correct-value"),
        (correct("points", seat=3, value=3), "correct-value"),
        (correct("deck", seat=0, value=3), "correct-value"),
        ({"kind": "count", "seat": 3, "points": 1}, "correct-value"),
        ({"kind": "count", "seat": 0, "points": -1}, "correct-range"),
        ({"kind": "count", "seat": 0, "coins": -200}, "correct-range"),
        ({"kind": "box", "key": "setup.coins", "value": "many"}, "box"),
        ({"kind": "end_turn", "seat": 1}, "not-your-turn"),
        ({"kind": "turn_dial"}, "not-now"),
    ],
)
def test_what_cannot_be_counted_is_refused(move, code):
    """Nobody has fewer than no coins, a player who is not there has none."""
    assert refusal(counted(), move).code == f"skytopia/{code}"


def test_our_copy_may_say_otherwise_while_counting():
    """The next dial and the tally use it."""
    state = play(counted(), {"kind": "box", "key": "setup.coins", "value": 7})
    assert state.numbers.coins == 7


def test_a_counted_game_that_is_over_takes_no_more_points():
    """But the box may still be put right: the tally follows."""
    over = counted("tally")
    while not pack.over(over):
        over = play(over, pack.encode(pack.moves(over)[0]))
    assert refusal(over, {"kind": "count", "seat": 0, "points": 1}).code == "skytopia/over"
    assert play(over, {"kind": "box", "key": "setup.coins", "value": 7}).numbers.coins == 7


def test_a_tally_expects_nothing_of_the_sensors():
    """There is no table to look at any more; light play follows the dial."""
    assert pack.expect(counted("tally")).dial is None
    assert pack.expect(counted()).dial == 0


def test_cards_named_by_effect_and_crest_are_shown_too():
    """A final position may name a card by what is printed on it, when nobody knows its number."""
    numbers = counted().numbers
    printed = numbers.cards["G1a"]
    named = {"effect": printed.effect, "crest": printed.crest}
    shown = light._card(numbers, msgspec.convert(named, document.CardGiven))
    assert (shown.effect, shown.crest) == (printed.effect, printed.crest)
    assert light._card(numbers, "G1a") == Card("G1a", printed.effect, printed.crest)


# corrections ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (correct("coins", seat=3, value=1), "correct-value"),
        (correct("card", slot="gold-1", value=4), "correct-value"),
        (correct("card", slot="gold-1", value=""), "occupied"),
        (correct("tower", seat=0, cards=["R1a"]), "correct-value"),
        (correct("deck", value=3), "correct-value"),
        (correct("city", seat=0, value=1), "city-taken"),
        (correct("ability", seat=0, value="T9A"), "correct-value"),
        (correct("ability", seat=0, value="T2B"), "tile-taken"),
        (correct("guilds", cards=["bakers"]), "no-such-guild"),
        (correct("guilds", cards=["builders", "architects", "priests"]), "guild-group"),
        (correct("guilds", cards=["builders", "priests"]), "guild-group"),
        (correct("die", seat=0, slot="gold-1"), "correct-value"),
    ],
)
def test_a_correction_never_breaks_what_must_hold(move, code):
    """Two of a kind that exists once, a card that is none, a golem that neither came nor went."""
    assert refusal(table({"gold-1": [(0, 4)]}), move).code == f"skytopia/{code}"


def test_our_copy_may_have_more_golems_but_not_fewer_than_lie_on_the_market():
    """Those that come lie at home; the others are counted."""
    state = table({"gold-1": [(0, 4)], "red-1": [(0, 3)], "red-2": [(0, 3)]}, box={GOLEMS: 4})
    more = play(state, {"kind": "box", "key": GOLEMS, "value": state.numbers.dice + 1})
    assert [player.home for player in more.players] == [player.home + 1 for player in state.players]
    check(more)
    assert refusal(state, {"kind": "box", "key": GOLEMS, "value": 2}).code == "skytopia/correct-golems"


def test_a_game_ends_by_hand_only_when_it_can_be_scored():
    """Without guild masters or cities there is nothing to score."""
    assert refusal(set_up("guild"), correct("end")).code == "skytopia/not-now"
    assert refusal(set_up("guild"), correct("turn", seat=0)).code == "skytopia/not-now"


def test_the_base_of_a_tower_stays_what_it_is_when_cards_are_set_right():
    """An offer of the base is not lost: no card lies there that could be another."""
    state = table({"blue-1": [(0, 1)]}, cards={"blue-1": "B2a"}, coins=(9, 5))
    state = play(
        state, {"kind": "finish", "seat": 0, "slot": "blue-1"}, {"kind": "activate", "seat": 0, "tower": "blue"}
    )
    base = offered(state)
    assert state.stack[-1].level == 0
    after = play(state, correct("card", slot="red-1", value="?"))
    assert offered(after) == base


# why not -------------------------------------------------------------------------------------------------------


def test_a_golem_moves_only_to_a_card_where_its_face_is_free():
    """R3: the face it shows may not be shown there already, nor be the build value."""
    state = with_effect("R3a", {"blue-1": [(0, 3)], "gold-1": [(1, 3)]})
    move = {"kind": "move", "seat": 0, "slot": "blue-1", "face": 3, "to": "gold-1"}
    assert refusal(state, move).code == "skytopia/face-taken"


def test_a_golem_set_by_a_card_needs_a_free_face():
    """R4: where the face is shown already it is said so."""
    state = with_effect("R4a", {"gold-1": [(1, 6), (0, 3)]})
    taken = {"kind": "set", "seat": 0, "slot": "gold-1"}
    assert taken not in [pack.encode(move) for move in pack.moves(state)]
    assert refusal(state, taken).code == "skytopia/face-taken"


def test_a_golem_set_from_the_market_is_named_when_none_is_at_home():
    """R4 in a copy that lets a golem come from the market: with an empty reserve it must be said which."""
    state = with_effect("R4a", {"gold-1": [(0, 3)]}, box={"effects.R4.source": "reserve_or_market"})
    laid = [correct("die", seat=0, slot="blue-2", face=face) for face in range(2, 2 + state.players[0].home)]
    empty = play(state, *laid)
    assert empty.players[0].home == 0
    assert all(pack.encode(move).get("source") or pack.encode(move)["kind"] == "skip" for move in pack.moves(empty))
    assert refusal(empty, {"kind": "set", "seat": 0, "slot": "gold-2"}).code == "skytopia/no-golem-home"


def test_a_chain_does_not_come_back_to_the_card_it_began_with():
    """V2 in a copy that lets it activate its own colour: the same card is not activated by itself."""
    every = {"effects.V2.colours": ["blue", "gold", "red", "violet"]}
    state = with_effect("V2a", towers={0: {"violet": ["V2b"]}}, box=every)
    first = {"kind": "trigger", "seat": 0, "tower": "violet", "level": 1}
    assert first in [pack.encode(move) for move in pack.moves(state)]
    assert refusal(play(state, first), first).code == "skytopia/in-chain"


# cards nobody has named ----------------------------------------------------------------------------------------


def test_a_card_in_a_tower_is_named_once():
    """Whose, which and which level must be right; a named card has its name."""
    state = table(towers={0: {"red": ["R1a"]}})
    state = play(state, correct("tower", seat=0, tower="red", cards=["?", "R2a"]))
    named = {"kind": "reveal", "owner": 0, "tower": "red"}
    for wrong, code in (
        ({"owner": 3, "level": 1, "card": "R3a"}, "no-target"),
        ({"level": 0, "card": "R3a"}, "no-target"),
        ({"level": 9, "card": "R3a"}, "no-target"),
        ({"level": 2, "card": "R3a"}, "card-known"),
        ({"level": 1}, "not-now"),
    ):
        assert refusal(state, {**named, **wrong}).code == f"skytopia/{code}", wrong
    state = play(state, {**named, "level": 1, "card": "R3a"})
    assert state.players[0].towers[2] == ("R3a", "R2a")
    check(state)


def test_a_place_that_is_taken_is_not_dealt_again():
    """An unidentified card is named, not covered."""
    state = play(table(), correct("card", slot="gold-1", value="?"))
    assert refusal(state, {"kind": "reveal", "slot": "gold-1"}).code == "skytopia/slot-full"


def test_the_market_is_dealt_with_the_cards_people_name():
    """The others lie there unidentified; a card of another colour is refused."""
    state = play(fresh(), {"kind": "deal", "cards": {"gold-1": "G1a", "blue-1": None}})
    assert slot(state, "gold-1").card == "G1a"
    assert {one.card for one in state.slots} == {"G1a", "?"}
    assert refusal(fresh(), {"kind": "deal", "cards": {"gold-1": "B1a"}}).code == "skytopia/wrong-colour"
    check(state)


def test_the_first_golem_is_laid_by_the_player_whose_it_is():
    """Once it lies there the other is asked."""
    state = set_up("start")
    mine = next(pack.encode(move) for move in pack.moves(state) if pack.encode(move)["seat"] == 0)
    state = play(state, mine)
    assert refusal(state, mine).code == "skytopia/not-your-turn"


def test_a_tile_that_waits_for_a_name_is_not_skipped():
    """T3A pays for crests: an unidentified card may decide it, so it must be named first."""
    dice = {"gold-1": [(0, 3)], "blue-1": [(0, 4)], "red-1": [(0, 5)]}
    state = table(dice, abilities=("T3A", "T2A"), coins=(9, 5))
    for name in dice:
        state = play(state, correct("card", slot=name, value="?"))
    state = play(state, place(0, "violet-2", 2))
    while state.stack[-1].kind == "effect":
        state = play(state, {"kind": "skip", "seat": 0})
    assert {pack.encode(move)["kind"] for move in pack.moves(state)} == {"reveal"}
    assert refusal(state, {"kind": "skip", "seat": 0}).code == "skytopia/not-now"


# what must always hold -----------------------------------------------------------------------------------------


def good():
    """A position with golems on two cards and a tower."""
    return table({"gold-1": [(0, 4), (1, 3)], "red-1": [(1, 5)]}, towers={0: {"blue": ["B4a"]}})


def with_slot(state, name, **changes):
    """The same position with one place of the market written over."""
    index = state.slots.index(slot(state, name))
    return replace(
        state, slots=(*state.slots[:index], replace(state.slots[index], **changes), *state.slots[index + 1 :])
    )


def with_player(state, **changes):
    """The same position with the first player written over."""
    return replace(state, players=(replace(state.players[0], **changes), *state.players[1:]))


BROKEN = {
    "coins": lambda s: with_player(s, coins=-1),
    "points do not add up": lambda s: with_player(s, points=3),
    "the same face": lambda s: with_slot(s, "gold-1", dice=(Die(0, 4), Die(1, 4))),
    "noted wrongly": lambda s: with_slot(s, "gold-1", faces=frozenset()),
    "where no card is": lambda s: with_slot(s, "gold-1", card=""),
    "a finished golem": lambda s: with_slot(s, "gold-1", dice=(Die(0, s.build), Die(1, 3))),
    "golems": lambda s: with_player(s, home=0),
    "in two places": lambda s: with_slot(s, "gold-1", card=slot(s, "gold-2").card),
    "do not add up": lambda s: replace(s, decks=(0, *s.decks[1:])),
}


@pytest.mark.parametrize("words", BROKEN)
def test_a_position_that_cannot_be_is_found_out(words):
    """The net under every random game: each rule it watches is seen broken."""
    assert list(violations(good())) == []
    assert any(words in found for found in violations(BROKEN[words](good())))


def test_the_places_of_the_market_are_what_the_helpers_say():
    """The helpers above read the position the rules read."""
    assert faces(good(), "gold-1") == [(0, 4), (1, 3)]
