"""Newcomer B2: players read the words and pictures of their box; how we number cards, crests and tiles is ours alone."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from companion.core.registry import pack as find_pack
from companion.game import RuleBroken, Text
from companion.wire.words import LANGUAGES, Words

CODES = re.compile(r"\b(C[1-4]|[BGRV][1-4][a-c]?|T[1-4][AB]?|PP)\b|_")
"""Crests, cards, tiles, points as we write them down."""
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
    pack, found = find_pack("skytopia"), dict[str, Text]()

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
