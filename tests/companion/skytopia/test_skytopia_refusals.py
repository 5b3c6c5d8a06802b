"""Every refusal of the rules is met by a move and said in three languages."""

from functools import partial

import pytest
from skytopia_table import NAMES, play, refusal, table
from skytopia_words import assert_said, catalogue
from test_skytopia_edges import place, with_effect

from companion.games.skytopia import pack
from companion.wire import words

ROTATE = {"kind": "rotate", "seat": 0, "slot": "blue-1", "face": 2, "steps": 1}
TAKE = {"kind": "take", "seat": 0, "slot": "blue-1", "face": 2}
CORRECT = {"kind": "correct"}


def fresh(**options):
    """A new table of two."""
    return pack.new({"names": NAMES[:2], **options}, {})


def dealt(**options):
    """The market is laid out, unidentified."""
    return play(fresh(**options), {"kind": "deal"})


def over():
    """A game that has ended."""
    return play(table(), {"kind": "correct", "what": "end"})


def set_up(step):
    """A table waiting for this step of the set-up."""
    known = {"guilds": ["builders", "merchants", "priests"], "cities": [0, 1], "abilities": ["T1A", "T2A"]}
    order = {"guild": [], "city": ["guilds"], "tile": ["guilds", "cities"], "start": ["guilds", "cities", "abilities"]}
    return dealt(**{key: known[key] for key in order[step]})


def full_market():
    """Everything lies on one row; the only golem that opens a face is on violet."""
    dice = {"blue-1": [(1, 2), (0, 3), (0, 4)], "gold-1": [(1, 2), (0, 3)], "red-1": [(1, 2), (0, 3)]}
    return table({**dice, "violet-1": [(0, 2)]}, rows=1, coins=(0, 5))


def half():
    """V1 where no card is free, and none would be after taking the only own golem back."""
    names = ("blue-1", "blue-2", "gold-1", "gold-2", "red-1", "red-2", "violet-2")
    dice = {name: [(1 + i // 4, 3)] for i, name in enumerate(names)}
    dice["blue-1"] = [(1, 3), (0, 2)]
    dice["red-2"] = [(0, 4)]
    return play(table(dice, players=3, rows=2, cards={"violet-1": "V1a"}), place(0, "violet-1", 2))


def light():
    """A game that is only counted."""
    return pack.new({"names": NAMES[:2], "depth": "light"}, {})


def refill():
    """A place waits for a card."""
    state = table({"gold-1": [(0, 1)]}, cards={"gold-1": "G1a", "blue-2": "B2a"})
    state = play(state, {"kind": "finish", "seat": 0, "slot": "gold-1"}, {"kind": "skip", "seat": 0})
    return play(state, place(0, "blue-2", 2), {"kind": "skip", "seat": 0})


def reveal(card, slot="gold-1"):
    """A card is turned up."""
    return {"kind": "reveal", "card": card, "slot": slot}


TO_THE_GAP = (
    {"kind": "finish", "seat": 0, "slot": "gold-1"},
    {"kind": "skip", "seat": 0},
    place(0, "violet-2", 2),
)
"""Gold-1 is finished, its tower left alone, a golem placed on a laboratory; the market waits for its cards."""

GAPS = {"gold-2": "", "violet-2": "V3a"}

CASES = {
    "over": (over, place(0, "blue-1", 2)),
    "not-your-turn": (table, place(1, "blue-1", 2)),
    "not-now": (table, {"kind": "turn_dial"}),
    "no-such-slot": (table, place(0, "pink-9", 2)),
    "empty-slot": (partial(table, cards={"gold-1": ""}), place(0, "gold-1", 2)),
    "face-build": (table, place(0, "gold-1", 1)),
    "face-taken": (partial(table, {"gold-1": [(1, 2)]}), place(0, "gold-1", 2)),
    "too-dear": (table, place(0, "gold-1", 6)),
    "not-there": (partial(with_effect, "B1a", {"red-1": [(0, 3)]}), {**TAKE, "slot": "red-1", "face": 4}),
    "protected": (partial(with_effect, "B1a", {"red-1": [(0, 3)]}), TAKE),
    "no-golem-home": (full_market, place(0, "blue-1", 5)),
    "occupied": (
        lambda: play(with_effect("V1a", {"red-2": [(0, 3)], "gold-1": [(1, 3)]}), {**TAKE, "slot": "red-2", "face": 3}),
        {"kind": "add", "seat": 0, "slot": "gold-1"},
    ),
    "wrong-start": (partial(set_up, "start"), {"kind": "start", "seat": 0, "slot": "red-1"}),
    "take-other": (full_market, {**TAKE, "face": 3}),
    "half-use": (half, TAKE),
    "too-far": (partial(with_effect, "R1a", {"blue-1": [(0, 2)]}), {**ROTATE, "steps": 3}),
    "turned-already": (
        lambda: play(with_effect("R2a", {"blue-1": [(0, 2)], "blue-2": [(0, 2)]}), ROTATE),
        {**ROTATE, "face": 3},
    ),
    "not-finished": (
        partial(table, {"gold-1": [(0, 1)]}),
        {"kind": "finish", "seat": 0, "slot": "gold-2"},
    ),
    "tower-not-ready": (
        lambda: play(table({"gold-1": [(0, 1)]}), {"kind": "finish", "seat": 0, "slot": "gold-1"}),
        {"kind": "activate", "seat": 0, "tower": "red"},
    ),
    "no-target": (partial(with_effect, "V2a"), {"kind": "trigger", "seat": 0, "tower": "red", "level": 3}),
    "wrong-target": (partial(with_effect, "V4a"), {"kind": "trigger", "seat": 0, "slot": "blue-2"}),
    "in-chain": (partial(with_effect, "V4a"), {"kind": "trigger", "seat": 0, "slot": "violet-1"}),
    "cannot-use": (
        partial(with_effect, "R1a", {"blue-1": [(0, 2)]}),
        {"kind": "set", "seat": 0, "slot": "blue-1"},
    ),
    "no-such-card": (refill, reveal("G9z")),
    "wrong-colour": (refill, reveal("B1c")),
    "card-elsewhere": (refill, reveal("G1a")),
    "card-not-in-game": (refill, reveal("G1c")),
    "card-known": (refill, reveal("G4a", "gold-2")),
    "deck-empty": (
        partial(table, {"blue-1": [(0, 1)]}, cards={"gold-1": ""}, decks=(4, 0, 4, 4)),
        reveal("G1a"),
    ),
    "slot-full": (lambda: play(fresh(), reveal("G1a")), {"kind": "deal", "cards": {"gold-1": "G2a"}}),
    "nearer-gap": (
        lambda: play(table({"gold-1": [(0, 1)]}, cards=GAPS, decks=(4, 1, 4, 4)), *TO_THE_GAP),
        reveal("G1b", "gold-2"),
    ),
    "no-such-guild": (partial(set_up, "guild"), {"kind": "guild", "guild": "bakers"}),
    "guild-group": (
        lambda: play(set_up("guild"), {"kind": "guild", "guild": "builders"}),
        {"kind": "guild", "guild": "architects"},
    ),
    "tile-taken": (
        lambda: play(set_up("tile"), {"kind": "tile", "seat": 0, "tile": "T1"}),
        {"kind": "tile", "seat": 1, "tile": "T1"},
    ),
    "city-taken": (
        lambda: play(set_up("city"), {"kind": "city", "seat": 0, "city": 2}),
        {"kind": "city", "seat": 1, "city": 2},
    ),
    "no-such-tier": (partial(with_effect, "B4a"), {"kind": "buy", "seat": 0, "tier": 4}),
    "same-card": (
        partial(with_effect, "R3a", {"blue-1": [(0, 2)]}),
        {"kind": "move", "seat": 0, "slot": "blue-1", "face": 2, "to": "blue-1"},
    ),
    "box": (table, {"kind": "box", "key": "chronometer.start_value", "value": 5}),
    "correct-range": (table, {**CORRECT, "what": "coins", "seat": 0, "value": -1}),
    "correct-golems": (
        full_market,
        {**CORRECT, "what": "die", "seat": 0, "slot": "gold-1", "face": 5},
    ),
    "correct-cards": (
        lambda: play(table(), {**CORRECT, "what": "deck", "tower": "blue", "value": 0}),
        {**CORRECT, "what": "tower", "seat": 0, "tower": "blue", "cards": ["?"] * 11},
    ),
    "correct-value": (table, {**CORRECT, "what": "coins", "value": 3}),
    "form": (light, {"kind": "final", "values": {"p0/coins": -3}}),
}


def test_every_refusal_with_words_has_a_case():
    said = words.read_package("companion.games.skytopia", "en")
    assert {f"skytopia/{part}/{code}" for code in CASES for part in ("refuse", "do")} == {
        key for key in said if key.startswith(("skytopia/refuse/", "skytopia/do/"))
    }


@pytest.mark.parametrize("code", CASES)
def test_the_refusal_is_met_and_said_in_three_languages(code, monkeypatch):
    make, move = CASES[code]
    refused = refusal(make(), move)
    assert refused.code == f"skytopia/{code}"
    assert_said([refused.say, refused.do])
    monkeypatch.setattr(words, "catalogue", catalogue)
    for language in words.LANGUAGES:
        speaker = words.Words(language, dict(enumerate(NAMES)))
        for text in (refused.say, refused.do):
            sentence = speaker.say(text)
            assert "skytopia/" not in sentence
            assert "{" not in sentence
            assert len(sentence) > 5
            assert sentence[-1] in ".!?…" or code in ("box", "form"), sentence


def test_a_refusal_on_an_unconfirmed_value_offers_our_copy_and_that_lifts_it():
    state = table(coins=(8, 5))
    refused = refusal(state, place(0, "gold-1", 6))
    assert refused.box == "chronometer.price_by_steps.1"
    state = play(state, {"kind": "box", "key": refused.box, "value": 8})
    state = play(state, place(0, "gold-1", 6))
    assert state.players[0].coins == 0
    assert refusal(table(coins=(5, 5)), place(0, "gold-1", 5)).box == "", "6 coins are certain"


def test_our_copy_may_change_the_start_while_the_table_is_set_up():
    state = play(fresh(), {"kind": "box", "key": "chronometer.start_value", "value": 3})
    assert state.build == 3
    state = play(state, {"kind": "box", "key": "setup.coins", "value": 7})
    assert [player.coins for player in state.players] == [7, 7]
    three = pack.new({"names": NAMES[:3]}, {})
    fewer = play(three, {"kind": "box", "key": "cards.B1a.min_players", "value": 4})
    assert (fewer.decks[0], fewer.removed[0]) == (11, 1)
    assert refusal(fewer, reveal("B1a", "blue-1")).code == "skytopia/card-not-in-game"


def test_a_wrong_move_is_not_a_move():
    import msgspec

    for wrong in ({"kind": "fly"}, {"kind": "place", "seat": 0}, {"kind": "place", "seat": 9, "slot": "x", "face": 2}):
        with pytest.raises(msgspec.ValidationError):
            pack.decode(wrong)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"names": ["A"]}, "names"),
        ({"names": 5}, "names"),
        ({"names": ["A"] * 5}, "names"),
        ({"rows": 9}, "rows"),
        ({"rows": "two"}, "rows"),
        ({"first": 2}, "first"),
        ({"first": True}, "first"),
        ({"sides": "C"}, "sides"),
        ({"depth": "deep"}, "depth"),
        ({"cities": [0, 0]}, "cities"),
        ({"cities": [0, 7]}, "cities"),
        ({"cities": 3}, "cities"),
        ({"abilities": ["T1A", "T1B"]}, "abilities"),
        ({"abilities": ["T1A", ["T2A"]]}, "abilities"),
        ({"guilds": ["builders", "architects", "priests"]}, "guilds"),
        ({"guilds": ["bakers"]}, "guilds"),
        ({"depth": "light", "names": None}, "names"),
        ({"depth": "tally", "first": 9}, "first"),
    ],
)
def test_wrong_options_are_refused_by_their_name(wrong, field):
    with pytest.raises(ValueError, match=field):
        pack.new({"names": ["A", "B"], **wrong}, {})
