"""What is offered can be played: no choice that is refused, no dead end, nothing two players share; and who is asked."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skytopia_table import NAMES, check, faces, legal, offered, play, refusal, slot, table, variants
from skytopia_words import assert_said
from test_skytopia_by_hand import correct, counted
from test_skytopia_edges import finish, with_effect
from test_skytopia_put_right import our_copy
from test_skytopia_refusals import TO_THE_GAP, fresh, reveal, set_up

from companion.game import RuleBroken
from companion.games.skytopia import form, pack, printed, setup
from companion.games.skytopia.moves import OurBox
from companion.games.skytopia.restore import restore

rule = pytest.mark.rule


def playable(state):
    """Every choice that is not crossed out is a move, and every move is carried out."""
    for choice in pack.ask(state).choices:
        if choice.off is None:
            pack.play(state, pack.decode(choice.move))
    for move in pack.moves(state):
        pack.play(state, pack.decode(pack.encode(move)))


# decks ---------------------------------------------------------------------------------------------------------


def emptied():
    """Two players; every gold card of their deck is known, and a gap waits."""
    towers = {0: {"gold": ["G1a", "G2a", "G3a"]}, 1: {"gold": ["G1b", "G2b"]}}
    cards = {"gold-1": "G3b", "gold-2": "G4a", "violet-2": "V3a"}
    return table({"gold-1": [(0, 1)]}, towers=towers, cards=cards)


def test_a_deck_counted_up_offers_the_cards_that_can_be_in_it():
    """More cards are left than two players should have: then one with a 3+ mark is among them, and may turn up."""
    state = play(emptied(), correct("deck", tower="gold", value=3), *TO_THE_GAP)
    assert offered(state) == "refill"
    assert {move["card"] for move in legal(state, "reveal")} == {"G4b", "G1c", "G2c", "G3c", "G4c"}
    playable(state)
    state = play(state, reveal("G2c"))
    assert slot(state, "gold-1").card == "G2c"
    check(state)


def test_a_deck_as_it_should_be_offers_only_cards_of_this_player_count():
    """A 3+ card is refused, and the refusal names its mark."""
    state = play(emptied(), *TO_THE_GAP)
    assert [move["card"] for move in legal(state, "reveal")] == ["G4b"]
    refused = refusal(state, reveal("G2c"))
    assert (refused.code, refused.box) == ("skytopia/card-not-in-game", "cards.G2c.min_players")


@rule("5.3")
@pytest.mark.parametrize("left", [1, 2])
def test_the_last_cards_of_a_deck_go_to_the_nearest_gaps(left):
    """Three gaps in a column and too few cards: the far places stay empty, in whatever order the near ones are filled."""
    cards = {"gold-2": "", "gold-3": "", "violet-2": "V3a"}
    decks = (4, left, 4, 4)
    state = play(table({"gold-1": [(0, 1)]}, players=3, cards=cards, decks=decks), *TO_THE_GAP)
    refused = refusal(state, reveal("G1c", "gold-3"))
    assert (refused.code, refused.do.params["slot"].params["row"]) == ("skytopia/nearer-gap", 1)
    assert len(pack.ask(state).change) == left, "only the gaps that can be filled are announced"
    for row in range(left, 0, -1):
        state = play(state, {"kind": "reveal", "slot": f"gold-{row}"})
    assert [slot(state, f"gold-{row}").card for row in (1, 2, 3)] == ["?"] * left + [""] * (3 - left)
    check(state)


def test_the_market_is_not_dealt_from_a_deck_that_is_empty():
    """A deck set to one card lays out one card, also when two are named."""
    state = play(fresh(), correct("deck", tower="gold", value=1))
    two = {"kind": "deal", "cards": {"gold-1": "G1a", "gold-2": "G2a"}}
    assert refusal(state, two).code == "skytopia/deck-empty"
    state = play(state, {"kind": "deal"})
    assert [slot(state, f"gold-{row}").card for row in (1, 2)] == ["?", ""]
    check(state)


# boxes ---------------------------------------------------------------------------------------------------------


def test_more_than_nine_tiers_are_refused_as_printed_nowhere():
    """What can be printed can be bought: nine tiers are offered and played, a tenth is not taken into the box."""
    tiers = [[1, n] for n in range(1, 10)]
    state = with_effect("B4a", box={"effects.B4.tiers": tiers})
    assert len(legal(state, "buy")) == 9
    playable(state)
    for key in ("effects.B4.tiers", "bases.blue.tiers"):
        refused = refusal(state, our_copy(key, [*tiers, [1, 10]]))
        assert refused.code == "skytopia/box"
        assert "9 tiers" in refused.say.params["why"]


def test_one_place_of_the_dial_is_free():
    """Whoever has no coins can always place a golem: otherwise a poor table turns the dial for ever."""
    refused = refusal(fresh(), our_copy("chronometer.price_by_steps.5", 1))
    assert refused.code == "skytopia/box"
    assert "free" in refused.say.params["why"]
    other = play(fresh(), our_copy("chronometer.price_by_steps.4", 0))
    play(other, our_copy("chronometer.price_by_steps.5", 1))


def test_each_player_has_two_golems_at_least():
    """One alone is taken back every turn: without coins for the dearest place no card would ever be finished."""
    refused = refusal(fresh(), our_copy("setup.dice_per_player", 1))
    assert refused.code == "skytopia/box"
    assert "below 2" in refused.say.params["why"]
    assert printed.numbers({"setup.dice_per_player": 2}).dice == 2


@pytest.mark.parametrize("guild", ["mechanics", "engineers"])
@pytest.mark.parametrize("colours", [["red"], ["red", "gold", "blue"]])
def test_a_pair_of_towers_is_two(guild, colours):
    refused = refusal(fresh(), our_copy(f"guilds.pair_colours.{guild}", colours))
    assert refused.code == "skytopia/box"
    assert "two colours" in refused.say.params["why"]
    state = play(fresh(), our_copy(f"guilds.pair_colours.{guild}", colours[:1] * 2))
    assert pack.view(state, None)


@pytest.mark.parametrize(("group", "word"), [(1, "I"), (2, "II"), (3, "III")])
def test_a_box_without_a_guild_group_is_refused(group, word):
    """One guild master of each group is revealed; a group nobody belongs to would end the game before it begins."""
    groups = {f"guilds.group.{guild}": g for guild, g in printed.numbers({}).group.items()}
    moved = {key: 1 + group % 3 for key, g in groups.items() if g == group}
    with pytest.raises(ValueError, match=rf"guilds.group: .* group {word}$"):
        pack.new({"names": NAMES[:2]}, moved)
    all_but_one = dict(list(moved.items())[1:])
    state = play(pack.new({"names": NAMES[:2]}, all_but_one), {"kind": "deal"})
    assert legal(state, "guild")


@pytest.mark.parametrize("depth", ["light", "tally"])
def test_the_final_form_can_be_sent_whatever_groups_the_guilds_have(depth):
    """In our copy priests belong to group I: the guild masters of the usual answer are still one of each group."""
    moved = {"guilds.group.priests": 1, "guilds.group.builders": 3}
    state = pack.new({"names": NAMES[:2], "depth": depth}, moved)
    if depth == "light":
        state = play(state, {"kind": "last_round"})
    while not legal(state, "final"):
        state = pack.play(state, pack.moves(state)[0]).state
    while not pack.over(state):
        state = play(state, *legal(state, "final"))
    assert len(pack.tally(state).players) == 2


@pytest.mark.parametrize("first", ["priests", "aeronauts", "builders"])
def test_the_prompt_names_the_group_of_the_guilds_it_offers(first):
    """Group III was turned up first: group I is asked for above the guild masters of group I."""
    state = play(set_up("guild"), {"kind": "guild", "guild": first})
    groups = {state.numbers.group[move["guild"]] for move in legal(state, "guild")}
    assert {pack.ask(state).text.params["group"]} == {"I" * group for group in groups}


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"abilities_by": "auction"}, "abilities_by"), ({"initial_turn": "maybe"}, "initial_turn")],
)
def test_a_variant_nobody_knows_is_refused(wrong, field):
    """It is not taken for another one in silence."""
    with pytest.raises(ValueError, match=field):
        pack.new({"names": NAMES[:2], **wrong}, {})


# cities --------------------------------------------------------------------------------------------------------


def test_documents_with_the_same_city_twice_are_refused():
    """There is one board of each; the field is named."""
    given_ = pack.example()
    given_["players"][1]["city"] = given_["players"][0]["city"]
    with pytest.raises(ValueError, match=r"players\[1\].city: 'Magda' has city 0 already"):
        pack.score(given_, {})


@pytest.mark.parametrize("depth", ["light", "tally"])
def test_a_final_form_with_the_same_city_twice_is_refused(depth):
    """The likely slip of whoever fills in the form, in the words of the set-up."""
    state = counted(depth)
    values = form.usual(printed.numbers({}), NAMES[:2], (10, 12), (3, 4))
    refused = refusal(state, {"kind": "final", "values": {**values, "p1/city": 0}})
    assert refused.code == "skytopia/city-taken"
    assert pack.over(play(state, {"kind": "final", "values": values}))


def test_nobody_is_shown_a_city_while_a_game_is_only_counted():
    """Who has which board is said at the end."""
    assert {player.city for player in pack.view(counted(), None).players} == {-1}


# golems set from the market ------------------------------------------------------------------------------------

WIDE = {"effects.R4.source": "reserve_or_market", "bases.red.source": "reserve_or_market"}


@rule("7")
def test_r4_may_put_a_golem_back_on_its_own_card_with_its_own_face():
    """Lifted, it no longer blocks; it is a placing, so the other golem on the card earns its owner two coins."""
    dice = {"blue-1": [(0, 3), (1, 4)]}
    state = with_effect("R4a", dice, abilities=("T4A", "T2B"), box=WIDE)
    back = {"kind": "set", "seat": 0, "slot": "blue-1", "source": "blue-1", "face": 3}
    assert back in legal(state, "set")
    playable(state)
    after = play(state, back)
    assert faces(after, "blue-1") == [(0, 3), (1, 4)]
    assert after.players[1].coins == state.players[1].coins + 2


@rule("8")
def test_the_red_base_may_put_a_golem_back_on_its_own_card():
    """The 0-coin face is 2 while 1 is built; the only golem that shows it may stay where it is."""
    state = table({"red-1": [(0, 1)], "blue-1": [(0, 2)]}, build=1, box=WIDE)
    state = play(state, finish(0, "red-1"), {"kind": "activate", "seat": 0, "tower": "red"})
    assert offered(state) == "base-red"
    assert {"kind": "set", "seat": 0, "slot": "blue-1", "source": "blue-1", "face": 2} in legal(state, "set")


def test_another_golem_that_shows_the_face_still_blocks_its_card():
    """Only the golem that is lifted makes room."""
    state = with_effect("R4a", {"blue-1": [(1, 3)], "gold-1": [(0, 3)]}, box=WIDE)
    targets = {move["slot"] for move in legal(state, "set") if move.get("source") == "gold-1"}
    assert "gold-1" in targets
    assert "blue-1" not in targets
    move = {"kind": "set", "seat": 0, "slot": "blue-1", "source": "gold-1", "face": 3}
    assert refusal(state, move).code == "skytopia/face-taken"


# who is asked --------------------------------------------------------------------------------------------------


@rule("12 V-B")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_sides_each_with_dealt_tiles_go_from_the_last_player_backwards(first):
    """As with a draft: the right-hand neighbour of the first player chooses first."""
    known = {"guilds": ["builders", "merchants", "priests"], "cities": [0, 1, 2], "abilities": ["T1", "T2", "T3"]}
    state = play(pack.new({"names": NAMES[:3], "sides": "each", "first": first, **known}, {}), {"kind": "deal"})
    asked = []
    for _ in range(3):
        asked.append(pack.ask(state).seat)
        assert {move["seat"] for move in legal(state, "side")} == {asked[-1]}
        state = play(state, {"kind": "side", "seat": asked[-1], "side": "B"})
    assert asked == [(first - k) % 3 for k in (1, 2, 3)]


def test_a_side_said_before_its_turn_is_heard_and_not_asked_again():
    """Sides are chosen openly and take nothing from anybody; a side is chosen once."""
    known = {"guilds": ["builders", "merchants", "priests"], "cities": [0, 1], "abilities": ["T1", "T2"]}
    state = play(pack.new({"names": NAMES[:2], "sides": "each", **known}, {}), {"kind": "deal"})
    early = {"kind": "side", "seat": 0, "side": "A"}
    state = play(state, early)
    assert (pack.ask(state).seat, refusal(state, early).code) == (1, "skytopia/not-your-turn")
    assert refusal(state, {**early, "seat": 2}).code == "skytopia/not-your-turn"


# taken back ----------------------------------------------------------------------------------------------------


def test_what_was_taken_back_in_the_set_up_is_said_component_by_component():
    """Guild master, city board, tile and side: each undo says what hands must do."""
    state = play(fresh(sides="each"), {"kind": "deal"})
    said = set()
    while state.stack[-1].kind in ("guild", "city", "tile", "side"):
        after = pack.play(state, pack.moves(state)[0]).state
        lines = restore(after, state)
        assert len(lines) == 1
        assert_said([*lines, *restore(state, after)])
        said |= {lines[0].key.rpartition("/")[2], restore(state, after)[0].key.rpartition("/")[2]}
        state = after
    assert said == {"guild-on", "guild-off", "city", "city-off", "tile", "tile-off", "side"}


def test_a_game_laid_out_again_begins_with_what_everybody_has():
    """Guild masters, cities and tiles are on the list of a game that was put away."""
    keys = [text.key.rpartition("/")[2] for text in restore(setup.new({"names": NAMES[:2]}, {}), table())]
    assert (keys.count("guild-on"), keys.count("city"), keys.count("side")) == (3, 2, 2)


# whatever is put right -----------------------------------------------------------------------------------------

KEYS = sorted(printed.numbers({}).box.printed)


def other_value(chance, leaf):
    """Another value this leaf may take, or one it may not."""
    if leaf.options:
        return chance.choice(leaf.options)
    if isinstance(leaf.value, bool):
        return not leaf.value
    if isinstance(leaf.value, int):
        return chance.randint((leaf.low or 0) - 1, (leaf.high or 9) + 1)
    if leaf.value and isinstance(leaf.value[0], list):
        return [[chance.randint(0, 6), chance.randint(0, 4)] for _ in range(chance.randint(1, 11))]
    return chance.sample(printed.COLOURS, chance.randint(1, 4))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_whatever_our_copy_says_the_game_goes_on(seed):
    """Printed values corrected at any moment, one after another: every choice can be played, to the end."""
    chance = random.Random(seed)
    state = pack.new(chance.choice(variants()), {})
    box = state.numbers.box.printed
    for number in range(1500):
        if pack.over(state):
            break
        if chance.random() < 0.1:
            key = chance.choice(KEYS)
            try:
                state = pack.play(state, OurBox(key, other_value(chance, box[key]))).state
            except RuleBroken as refused:
                assert refused.code in ("skytopia/box", "skytopia/correct-golems")
        if number % 9 == 0:
            playable(state)
        moves = pack.moves(state)
        assert moves, f"a dead end: {state.stack[-1]}"
        state = pack.play(state, chance.choice(moves)).state
        check(state)
