"""A refusal names the printed value it really rests on; answering it reaches what is on offer (§6, §14)."""

import pytest
from skytopia_table import legal, offered, play, refusal, table
from test_skytopia_edges import finish, place, with_effect
from test_skytopia_more_edges import activated
from test_skytopia_put_right import DIRECTION, START, our_copy

from companion.games.skytopia.refuse import PAGES

CHAIN = "rules.chain_protection"
TAKE = {"kind": "take", "seat": 0, "face": 2}


def trigger(**where):
    """One card is activated."""
    return {"kind": "trigger", "seat": 0, **where}


def chained(card="G1a", **more):
    """Magda placed on the row card violet-1, which activates gold-1; golems of hers lie on both and on blue-2."""
    dice = {"gold-1": [(0, 3)], "blue-2": [(0, 4)]}
    state = with_effect("V4a", dice, cards={"gold-1": card}, **more)
    return play(state, trigger(slot="gold-1"))


# protection ----------------------------------------------------------------------------------------------------


def test_protection_of_the_card_itself_rests_on_nothing_in_doubt():
    """Both rulebooks say it: no copy says otherwise."""
    refused = refusal(chained(), {**TAKE, "slot": "gold-1", "face": 3})
    assert (refused.code, refused.box) == ("skytopia/protected", "")


def test_protection_of_the_chain_rests_on_the_chain_rule():
    """The card that activated this one is protected only by inference."""
    refused = refusal(chained(), {**TAKE, "slot": "violet-1"})
    assert (refused.code, refused.box) == ("skytopia/protected", CHAIN)


def test_chain_protection_corrected_reaches_the_effect_on_offer():
    """The refusal was answered: the golem on the first card may be taken at once, the card's own still not."""
    state = chained()
    assert {move["slot"] for move in legal(state, "take")} == {"blue-2"}
    state = play(state, our_copy(CHAIN, value=False))
    assert {move["slot"] for move in legal(state, "take")} == {"blue-2", "violet-1"}
    assert refusal(state, {**TAKE, "slot": "gold-1", "face": 3}).box == ""
    state = play(state, {**TAKE, "slot": "violet-1"})
    assert state.players[0].coins == 10


def test_chain_protection_switched_on_reaches_the_effect_on_offer():
    """The other way round: what was to be had a moment ago is protected now."""
    state = play(chained(box={CHAIN: False}), our_copy(CHAIN, value=True))
    assert {move["slot"] for move in legal(state, "take")} == {"blue-2"}


def test_a_golem_set_from_the_market_is_protected_like_any_other():
    """With the wider source the golem just placed on the card may not be taken from it."""
    state = with_effect("R4a", box={"effects.R4.source": "reserve_or_market"})
    refused = refusal(state, {"kind": "set", "seat": 0, "slot": "blue-1", "source": "red-1", "face": 2})
    assert (refused.code, refused.box) == ("skytopia/protected", "")


# targets -------------------------------------------------------------------------------------------------------

COLOURS = "effects.V4.colours"


@pytest.mark.parametrize("where", ["blue-2", "violet-2", "gold-2"])
def test_a_row_target_elsewhere_rests_on_nothing_in_doubt(where):
    """Another row is another row, whatever colours the card reaches."""
    refused = refusal(with_effect("V4a"), trigger(slot=where))
    assert (refused.code, refused.box) == ("skytopia/wrong-target", "")


def test_a_row_target_of_another_colour_rests_on_the_colours():
    """In the same row only the colour can be the reason."""
    state = play(with_effect("V4a", cards={"blue-1": "B2a"}), our_copy(COLOURS, ["gold"]))
    refused = refusal(state, trigger(slot="blue-1"))
    assert (refused.code, refused.box) == ("skytopia/wrong-target", ""), "the owner has spoken"
    assert offered(play(state, our_copy(COLOURS, ["blue"]), trigger(slot="blue-1"))) == "B2"


def in_the_city():
    """The row card is used in the city at level 2; gold has two cards, blue one, violet two."""
    return activated("V", ["V3a", "V4a"], towers={"blue": ["B2a"], "gold": ["G2a", "G3a"], "red": ["R1a", "R2a"]})


@pytest.mark.parametrize("tower", ["gold", "blue", "violet"])
def test_a_city_target_of_another_level_rests_on_nothing_in_doubt(tower):
    """The level is certain."""
    refused = refusal(in_the_city(), trigger(tower=tower, level=1))
    assert (refused.code, refused.box) == ("skytopia/wrong-target", "")


@pytest.mark.parametrize(
    ("tower", "level", "box"), [("violet", 0, "effects.V2.colours"), ("gold", 1, ""), ("gold", 0, "")]
)
def test_only_the_colour_of_a_top_card_is_in_doubt(tower, level, box):
    """V2 reaches the top card of a tower: which towers is inferred, that it is the top one is certain."""
    state = with_effect("V2a", towers={0: {"gold": ["G2a", "G3a"]}})
    refused = refusal(state, trigger(tower=tower, level=level))
    assert (refused.code, refused.box) == ("skytopia/wrong-target", box)


def test_a_card_of_another_crest_rests_on_the_crests_nobody_has_confirmed():
    """What the violet base wants first, then its own crest, then the card's; answered one by one, nothing is left."""
    state = table({"violet-1": [(0, 1)]}, cards={"violet-1": "V3c"}, towers={0: {"blue": ["B1a"]}})
    state = play(state, finish(0, "violet-1"), {"kind": "activate", "seat": 0, "tower": "violet"})
    assert offered(state) == "base-violet"
    move = trigger(tower="blue", level=1)
    named = []
    for value in ("own_base_crest", "C4", "C1"):
        named.append(refusal(state, move).box)
        state = play(state, our_copy(named[-1], value))
    assert named == ["bases.violet.crest", "cities.0.violet", "cards.B1a.crest"]
    assert refusal(state, move).box == ""


def test_a_base_is_no_card_to_the_violet_base_only_by_inference():
    """Our copy may show it as one."""
    state = table({"violet-1": [(0, 1)]}, cards={"violet-1": "V3c"})
    state = play(state, finish(0, "violet-1"), {"kind": "activate", "seat": 0, "tower": "violet"})
    assert refusal(state, trigger(tower="blue", level=0)).box == "rules.violet_base_may_pick_base"


# the dial and the prices ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "box"),
    [(1, [START, ""]), (4, [START, ""]), (6, [START, DIRECTION]), (5, [START, DIRECTION])],
)
def test_the_build_value_rests_on_the_direction_only_where_it_makes_a_difference(build, box):
    """At the start and half way round, both directions show the same face."""
    state = table(build=build)
    assert refusal(state, place(0, "gold-1", build)).box == box[0]
    assert refusal(play(state, our_copy(START, 1)), place(0, "gold-1", build)).box == box[1]


def test_a_card_said_to_be_finished_rests_on_the_dial_if_a_golem_of_ours_is_on_it():
    """Nobody's golem on it: no dial makes it finished."""
    state = table({"gold-1": [(0, 1)], "gold-2": [(0, 3)], "red-1": [(1, 3)]})
    assert refusal(state, finish(0, "gold-2")).box == START
    assert refusal(state, finish(0, "red-1")).box == ""


def test_a_tier_that_is_not_there_rests_on_the_printed_tiers():
    """Our copy may sell more."""
    state = with_effect("B4a")
    refused = refusal(state, {"kind": "buy", "seat": 0, "tier": 4})
    assert (refused.code, refused.box) == ("skytopia/no-such-tier", "effects.B4.tiers")


def test_a_turn_for_a_coin_is_refused_by_the_tile_and_not_by_a_card():
    """T3B turns by its own printed step, whatever the red card says."""
    state = table({"gold-1": [(0, 4)]}, abilities=("T3B", "T2A"), box={"effects.R2.steps": 2})
    assert offered(state) == "ability"
    refused = refusal(state, {"kind": "rotate", "seat": 0, "slot": "gold-1", "face": 4, "steps": 2})
    assert (refused.code, refused.say.params["n"]) == ("skytopia/too-far", 1)


# pages ---------------------------------------------------------------------------------------------------------


def test_a_refusal_names_a_page_of_the_printed_rulebook_or_none():
    """Players have a booklet of sixteen pages and no specification of ours."""
    assert all(page.isdecimal() and 1 <= int(page) <= 16 for page in PAGES.values())
    assert refusal(table(), place(0, "gold-1", 1)).page == "10"
    assert refusal(table(), place(0, "gold-1", 6)).page == "10"
    assert refusal(with_effect("B4a", coins=(2, 5)), {"kind": "buy", "seat": 0, "tier": 3}).page == "14"
    assert refusal(table({"gold-1": [(0, 1)]}), finish(0, "gold-2")).page == "9"
