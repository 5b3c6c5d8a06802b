"""Wonder cards one can read: the numbers of the owner's box, and what is asked where nobody has read the card."""

from __future__ import annotations

import pytest
from skyrise_table import era_two, play, refused
from test_skyrise_quick import GREEN, RED, a_quick_table, won

from companion.games.skyrise import pack
from companion.games.skyrise.cards import effect, unread
from companion.games.skyrise.state import SkyriseState
from companion.games.skyrise.wonders import WONDERS
from companion.wire.words import LANGUAGES, Words

SURE = {"lacherts-pavilion", "atlantis", "zeppelin-rock", "intelligencium", "summit"}
"""Cards whose effect and numbers the rulebook states."""


def built(card: str, site: str = "C.N", **how: object) -> SkyriseState:
    """Red builds this wonder in era II; a wild token there becomes green."""
    state = won(era_two(a_quick_table(**how), {"red-wonder": card}, RED), "red-wonder", site)
    while state.phase == "colour":
        state = play(state, {"kind": "colour", "seat": RED, "faction": "green"}).state
    return state


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("card", WONDERS)
def test_a_card_says_its_numbers_and_no_two_cards_say_the_same(card: str, language: str) -> None:
    """In every language, with the numbers of the box."""
    box, words = a_quick_table().box, Words(language, {})
    said = words.say(effect(box, card))
    assert said and "{" not in said and "skyrise/" not in said
    assert all(said != words.say(effect(box, other)) for other in WONDERS if other != card)
    for name, value in box.under(f"wonders.{card}").items():
        if name in ("rate", "max", "threshold", "reward"):
            assert str(value) in said, name


def test_a_number_corrected_in_the_box_is_the_number_the_card_says() -> None:
    """8 if 3 or more becomes 9 if 2 or more."""
    box = a_quick_table().box.corrected("wonders.atlantis.reward", 9).corrected("wonders.atlantis.threshold", 2)
    assert Words("en", {}).say(effect(box, "atlantis")) == "9 if your structures border 2 or more lakes."


@pytest.mark.parametrize("card", WONDERS)
def test_a_card_nobody_has_read_asks_its_owner_when_it_is_built(card: str) -> None:
    """What the table believes is offered first; cards the rulebook states ask nothing."""
    assert unread(a_quick_table().box, card) is (card not in SURE)
    state = built(card)
    if card in SURE:
        assert state.phase == ("gives" if card == "lacherts-pavilion" else "quick")
        return
    ask = pack.ask(state)
    assert (ask.phase, ask.seat) == ("word", RED)
    assert [choice.primary for choice in ask.choices] == [True] + [False] * (len(ask.choices) - 1)
    assert ask.choices[0].move["value"] == "as-told"
    texts = [(choice.text, choice.note) for choice in ask.choices]
    assert len(set(map(repr, texts))) == len(texts), "no two answers look alike"


def test_the_word_of_a_card_is_kept_and_never_asked_again() -> None:
    """Olmsted on the central island counts itself: 2, as the table believed."""
    state = built("olmsted")
    state = play(state, pack.ask(state).choices[0].move).state
    assert (state.players[RED].prestige, state.phase) == (2, "quick")
    assert state.overrides == {"wonders.olmsted.word": "as-told"}
    again = pack.new({"names": ["A", "B"], "auction": "quick"}, state.overrides)
    assert not unread(again.box, "olmsted")
    doubts = pack.tally(state).players[RED].lines[0].unconfirmed
    assert not [key for key in doubts if key.startswith("wonders.olmsted")]


def test_another_number_is_one_touch_and_is_kept_as_that_cards_number() -> None:
    """The card says 3 for every structure on the central island."""
    state = built("olmsted")
    other = next(choice for choice in pack.ask(state).choices if choice.move.get("value") == 3)
    state = play(state, other.move).state
    assert (state.players[RED].prestige, state.box["wonders.olmsted.rate"]) == (3, 3)
    assert state.phase == "quick"


def test_a_card_of_another_shape_gives_what_its_owner_says_each_time() -> None:
    """Nothing the table could work out: the owner says how much, now and in later games."""
    state = built("niemeyers-legacy")
    state = play(state, pack.ask(state).choices[-1].move).state
    assert (state.phase, state.overrides) == ("gives", {"wonders.niemeyers-legacy.word": "otherwise"})
    assert refused(state, {"kind": "gives", "seat": GREEN, "points": 7}).code == "skyrise/out-of-turn"
    state = play(state, {"kind": "gives", "seat": RED, "points": 7}).state
    assert (state.players[RED].prestige, state.phase) == (7, "quick")
    assert Words("en", {}).say(effect(state.box, "niemeyers-legacy")).startswith("As its card says")


def test_le_baron_with_three_or_more_unbuilt_is_believed_to_give_nothing() -> None:
    """The damaged digit reads as 0; eight is offered beside it, and that the card says it the other way round is kept."""
    state = built("le-baron")
    ask = pack.ask(state)
    assert [choice.text.params["n"] for choice in ask.choices[:1]] == [0]
    other = next(choice for choice in ask.choices if choice.move["key"] == "wonders.le-baron.given")
    assert (other.text.params["n"], other.move["value"]) == (8, "at-least")
    assert play(state, other.move).state.players[RED].prestige == 8


def test_kahns_ambition_shows_the_objective_before_anything_is_asked() -> None:
    """What it gives would tell whether the objective is met."""
    state = built("kahns-ambition")
    assert (state.phase, state.players[RED].objective_shown) == ("word", True)
    assert pack.view(state, None).players[RED].objective == "yellow"


def test_how_far_the_crypt_reaches_is_asked_before_it_takes_a_token() -> None:
    """Its three readings differ in words, not in points."""
    state = built("crypt")
    ask = pack.ask(state)
    assert [choice.move["value"] for choice in ask.choices] == ["as-told", "island", "anywhere", "otherwise"]
    state = play(state, ask.choices[0].move).state
    assert state.phase == "crypt"


def test_a_game_begun_before_cards_were_asked_about_is_played_on_as_it_began() -> None:
    """Its first row does not know the choice of auctions."""
    assert not pack.new({"names": ["A", "B"]}, {}).asks
