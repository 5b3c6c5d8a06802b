"""Every sentence of the pack exists in English, Polish and French, with the same placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest
from skyrise_table import random_game, refused

from companion.game import Text
from companion.games.skyrise import pack
from companion.wire.words import LANGUAGES, read_package

PACKAGE = "companion.games.skyrise"
PLURALS = {"en": 2, "pl": 3, "fr": 2}


def placeholders(form: str) -> set[str]:
    """The named parameters of one sentence."""
    return {name for _, name, _, _ in Formatter().parse(form) if name}


def test_three_languages_have_the_same_keys_and_placeholders() -> None:
    """A key added in one language is added in all; no translation loses a parameter other than a count of one."""
    english = read_package(PACKAGE, "en")
    for language in LANGUAGES:
        words = read_package(PACKAGE, language)
        assert set(words) == set(english)
        for key, forms in words.items():
            if not key:
                continue
            wanted = placeholders(english[key][-1])
            assert placeholders(forms[-1]) == wanted, (language, key)
            assert all(wanted - {"n"} <= placeholders(form) <= wanted for form in forms), (language, key)
            assert len(forms) == (1 if len(english[key]) == 1 else PLURALS[language]), (language, key)


def texts(value: Any) -> Iterator[Text]:
    """Every text inside a value, however deep."""
    if isinstance(value, Text):
        yield value
        yield from texts(list(value.params.values()))
    elif isinstance(value, dict):
        yield from texts(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts(item)
    elif hasattr(value, "__struct_fields__"):
        yield from texts([getattr(value, field) for field in value.__struct_fields__])


@pytest.mark.parametrize("options", [{}, {"deal": "physical", "board": "table"}], ids=["digital", "printed"])
@pytest.mark.parametrize("players", [2, 4])
def test_everything_said_in_a_whole_game_has_words(players: int, options: dict[str, str]) -> None:
    """Asks, events, the tally and the options use only known keys and give every parameter the sentence names."""
    words = read_package(PACKAGE, "en")
    said: list[Any] = [pack.title(), pack.options()]
    for _, move, outcome in random_game(players, 5, **options):
        said += [pack.ask(outcome.state), outcome.events, pack.tally(outcome.state), pack.describe(move)]
    for text in texts(said):
        if text.key == "seat":
            continue
        assert text.key in words, text.key
        for form in words[text.key]:
            assert placeholders(form) <= set(text.params), text.key


def test_every_refusal_of_the_rules_has_words_for_say_and_do() -> None:
    """The codes in the source are the keys in the catalogue."""
    from importlib import resources

    words = read_package(PACKAGE, "en")
    source = "".join(
        file.read_text(encoding="utf-8") for file in resources.files(PACKAGE).iterdir() if file.name.endswith(".py")
    )
    codes = set(re.findall(r'\brefuse\(\s*"([a-z-]+)"', source))
    assert len(codes) > 25
    assert {f"skyrise/refuse/{code}" for code in codes} <= set(words)
    literal = set(re.findall(r'Text\(\s*"(skyrise/[^"]+)"', source))
    assert len(literal) > 80
    assert literal <= set(words)


def test_a_refusal_reads_as_a_sentence_in_each_language() -> None:
    """The words of one refusal, put together by hand from the catalogue."""
    from skyrise_table import a_table, bid

    state = bid(a_table(), "red-24", "C.N")
    no = refused(state, {"kind": "bid", "seat": 1, "piece": "green-23", "site": "C.E"})
    said = {lang: read_package(PACKAGE, lang)[no.say.key][0].format(**no.say.params) for lang in LANGUAGES}
    assert said == {"en": "23 does not beat 24.", "pl": "23 nie przebija 24.", "fr": "23 ne bat pas 24."}
    assert no.do.params["numbers"] == "34, 52, 61, 71, 93"
