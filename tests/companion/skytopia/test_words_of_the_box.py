"""Newcomer B2: players read the words and pictures of their box; how we number cards, crests and tiles is ours alone."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from companion.box.printed import printed
from companion.game import RuleBroken, Text, seat_name
from companion.games.skytopia import guilds, pack, phrases
from companion.games.skytopia.printed import COLOURS, GUILDS, numbers
from companion.wire.words import LANGUAGES, Words, read_package
from tests.views import CODES

PLAYERS = ("Ada", "Ben", "Cleo")


def texts(found: Any) -> Iterator[Text]:
    """Every sentence in an answer of the pack, those inside others left out."""
    if isinstance(found, Text):
        yield found
    elif isinstance(found, msgspec.Struct):
        for name in found.__struct_fields__:
            yield from texts(getattr(found, name))
    elif isinstance(found, tuple | list):
        for one in found:
            yield from texts(one)


@pytest.fixture(scope="module")
def said() -> list[Text]:
    """Everything two games say: what is asked and offered, what happened, what is refused, what is to be put back."""
    found = dict[str, Text]()

    def note(answer: Any) -> None:
        for text in texts(answer):
            found[repr(text)] = text

    for seed in (1, 2):
        chance = random.Random(seed)
        state = pack.new({"depth": "full", "names": PLAYERS, "colours": ["sun", "leaf", "sky"]}, {})
        first = state
        while not pack.over(state):
            note(pack.ask(state))
            move = chance.choice(list(pack.moves(state)))
            note(pack.describe(move))
            outcome = pack.play(state, move)
            note(outcome.events)
            try:
                pack.play(outcome.state, move)
            except RuleBroken as broken:
                note((broken.say, broken.do))
            state = outcome.state
        note(pack.tally(state))
        note(pack.restore(state, first))
        note(pack.restore(first, state))
    return list(found.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_code_is_said_where_a_word_belongs(said: list[Text], language: str) -> None:
    words = Words(language, dict(enumerate(PLAYERS)))
    assert len(said) > 500
    spoken = [(text.key, words.say(text)) for text in said]
    assert [(key, sentence) for key, sentence in spoken if CODES.search(sentence)] == []


@pytest.mark.parametrize("language", ["en", "pl", "fr"])
def test_each_guild_master_says_what_it_pays_and_for_what(language: str) -> None:
    """Newcomer B16: four of them had the same sentence; now each names its crest or colours, and its points."""
    made = numbers({})
    said = [Words(language).say(guilds.does(made, guild)) for guild in GUILDS]
    assert len(set(said)) == len(GUILDS)
    assert all(any(character.isdigit() for character in sentence) for sentence in said)


def test_the_owner_names_the_crests_once() -> None:
    """Newcomer B2: from then on they are called so wherever they are named; who says nothing reads what is drawn on them."""
    named = {"crests.C3": "Płomień Wieczny"}
    ours, theirs = (Words("pl").say(guilds.does(numbers(box), "artists")) for box in ({}, named))
    assert "Płomień Wieczny" in theirs
    assert "Płomień Wieczny" not in ours
    state = pack.new({"names": ["A", "B"]}, named)
    assert pack.view(state, None).crests == {"C3": "Płomień Wieczny"}
    with pytest.raises(ValueError, match=r"crests\.C3"):
        pack.new({"names": ["A", "B"]}, {"crests.C3": 3})


def test_the_box_check_asks_for_their_names_among_the_first_things() -> None:
    """Newcomer B2: nobody finds a field that lies behind fifty printed numbers."""
    values = printed("companion.games.skytopia")
    first = {name for name, value in values.items() if value.ask == "first"}
    assert {"crests.C1", "crests.C2", "crests.C3", "crests.C4"} <= first
    assert len(first) <= 16, "two minutes are enough"


OTHER_VERBS = {
    "en": r"\b(assign|place|put|lay)\w*( \w+)? golem|"
    r"golem\w* (\w+ )?(was |is |be )?(assigned|placed|put|laid)|no golem may be set to",
    "pl": r"przypis|(postaw|stawi|ustaw|umieść|dokład)\w* (\w+ )?golem",
    "fr": r"\bassign|\b(plac|mett|affect)\w* (\w+ )?golem",
}
"""A golem is set on a card: set, połóż, posez. Whatever else it was called once is no word for it."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_verb_for_setting_a_golem(language: str) -> None:
    """Newcomer B15: in the pack's own words, on the screen and on phones."""
    for package in ("companion.games.skytopia", "display", "companion.phone"):
        said = [form for key, forms in read_package(package, language).items() if key for form in forms]
        assert said
        assert [one for one in said if re.search(OTHER_VERBS[language], one, re.IGNORECASE)] == []


@pytest.mark.parametrize(
    ("language", "base"), [("en", "red tower, base"), ("pl", "czerwona Wieża, Fundament"), ("fr", "tour rouge, base")]
)
def test_the_base_of_a_tower_is_no_level(language: str, base: str) -> None:
    """Newcomer B15: whoever looks for “level 0” in the box finds none."""
    where, above = phrases.level("red", 0), phrases.level(COLOURS.index("red"), 1)
    say = Words(language).say
    assert say(where) == base
    assert say(above).startswith(base.partition(",")[0])
    assert "1" in say(above)


@pytest.mark.parametrize(
    ("language", "base"),
    [
        ("en", "Ada: use the base of your gold tower?"),
        ("pl", "Ada: użyjesz Fundamentu (złota Wieża)?"),
        ("fr", "Ada\u00a0: utiliser la base de votre tour dorée\u00a0?"),
    ],
)
def test_what_a_card_or_base_offers_is_asked_in_a_whole_question(said: list[Text], language: str, base: str) -> None:
    """The name of an effect is often a noun, so it is quoted; a base says once which tower it carries."""
    asked = [text for text in said if text.key in ("skytopia/ask/effect", "skytopia/ask/base")]
    assert {text.key for text in asked} == {"skytopia/ask/effect", "skytopia/ask/base"}
    words = Words(language, dict(enumerate(PLAYERS)))
    assert all(re.search(r"[“„«].+[”»] \(.+\)\s?\?$", words.say(text)) for text in asked if text.key.endswith("effect"))
    assert words.say("skytopia/ask/base", seat=seat_name(0), colour=phrases.colour("gold")) == base
