"""Rule cards: every refusal is explained or has a reason why not, every language says all of it, and words find them."""

from __future__ import annotations

import re

import pytest

from companion.wire.rules import rules, search
from companion.wire.words import LANGUAGES, read_package

GAMES = ("skytopia", "praga", "skyrise", "yacht", "farkle")
FEWEST = {"skytopia": 25, "praga": 25, "skyrise": 24, "yacht": 6, "farkle": 6}
"""Cards a game has at least: what is built from cards and boards has more to look up than five dice."""


def codes(game: str) -> set[str]:
    """Every refusal a game has words for."""
    found = (re.fullmatch(rf"{game}/refuse/([a-z-]+)", key) for key in read_package(f"companion.games.{game}", "en"))
    return {match.group(1) for match in found if match}


@pytest.mark.parametrize("game", [*GAMES, "scorepad"])
def test_every_refusal_has_a_rule_or_a_reason_why_not(game: str) -> None:
    known = rules(game)
    explained = {code for card in known.cards for code in card.refusals}
    assert explained | set(known.no_card) == codes(game)
    assert explained & set(known.no_card) == set()
    assert all(len(reason) > 10 for reason in known.no_card.values())


def test_what_the_table_itself_refuses_says_what_to_do_instead() -> None:
    """Seats, phones, disks and sticks are no matter of any game's rules; each of these has a sentence that helps."""
    words = read_package("companion.wire", "en")
    own = [key for key in words if re.fullmatch(r"(table|join)/refuse/[a-z-]+", key)]
    assert len(own) > 25
    alone = [key for key in own if key.replace("/refuse/", "/do/") not in words]
    assert alone == ["table/refuse/closed"], "a core that cannot open its games says by the cause what to do"


@pytest.mark.parametrize("game", GAMES)
def test_every_prompt_opens_a_rule(game: str) -> None:
    keys = {key for key in read_package(f"companion.games.{game}", "en") if re.fullmatch(rf"{game}/ask/[a-z/-]+", key)}
    known = rules(game)
    assert [key for key in sorted(keys) if not key.endswith("/help") and known.asked(key) is None] == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_said_in_every_language_and_briefly(game: str, language: str) -> None:
    """Long enough to explain, short enough to be read at the table; no two cards have one name."""
    cards = rules(game).cards
    assert len({card.id for card in cards}) == len({card.title[language] for card in cards}) == len(cards)
    assert len(cards) >= FEWEST[game]
    for card in cards:
        assert set(card.title) == set(card.text) == set(LANGUAGES)
        title, text = card.said(language)
        assert len(title) <= 34, title
        assert 60 <= len(text) <= 290, (len(text), text)
        if language == "fr":
            assert not re.search(r" [:;!?»]|« ", text), text


def test_words_find_cards_without_accents_and_by_their_beginning() -> None:
    assert next(card.id for card in search("skytopia", "en", "tower activ")) == "towers"
    assert "towers" in [card.id for card in search("skytopia", "pl", "wieze")]
    assert "finish" in [card.id for card in search("skytopia", "fr", "achevees")]
    assert search("skytopia", "en", "zeppelin") == []
    assert len(search("skytopia", "en", "")) == len(rules("skytopia").cards)
    assert search("skytopia", "en", 'x" OR "golem') == [], "nobody's quotation marks are a question to the index"


def test_a_game_without_cards_has_none(caplog: pytest.LogCaptureFixture) -> None:
    assert rules("scorepad").cards == ()
    assert rules("nobody").cards == ()
    assert not caplog.records
