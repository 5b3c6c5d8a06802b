"""Newcomer B5: no refusal shows a player a type's name, a key of ours or a validator's English, in any language."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
import pytest

from companion.core.refusals import refusal
from companion.core.registry import pack as find_pack
from companion.game import RuleBroken, Text
from companion.games.skytopia import counting
from companion.games.skytopia.printed import COLOURS, numbers
from companion.monkey.bent import bent
from companion.monkey.corrections import correction
from companion.wire.words import LANGUAGES, Words

OURS = re.compile(
    r"[`_{}$]|\b(Expected|Invalid|object|array|str|int|float|bool|null|None|True|False)\b|\w/\w|\w\.\w|\w\[\d"
)
"""What validators, keys and paths look like."""
GAMES: dict[str, dict[str, Any]] = {
    "skytopia": {},
    "praga": {},
    "skyrise": {"deal": "physical", "board": "table"},
    "scorepad": {"rounds": 3},
}
NAMES = ("Ada", "Ben")


def refusals(game: str, moves: int, seed: int) -> list[Text]:
    """What is said to somebody who sends bent moves all game long."""
    pack, chance, found = find_pack(game), random.Random(seed), dict[str, Text]()
    options = {"depth": "full", **GAMES[game], "names": NAMES, "colours": ["sun", "leaf"]}
    state = pack.new(options, {})
    for _ in range(moves):
        legal = list(pack.moves(state))
        if pack.over(state) or not legal:
            break
        plain = pack.encode(chance.choice(legal))
        others = [
            correction(game, msgspec.json.decode(pack.sight(state, None).json), chance.randrange(2), chance)
            for _ in range(3)
        ]
        for tried in (plain, plain, plain, *filter(None, others)):
            wrong = bent(tried, chance)
            if not isinstance(wrong, dict):
                continue  # the core's own borders
            try:
                pack.play(state, pack.decode(wrong))
            except RuleBroken as broken:
                found |= {repr(text): text for text in (broken.say, broken.do)}
            except (msgspec.ValidationError, ValueError):
                continue
        state = pack.play(state, pack.decode(plain)).state
    return list(found.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_sent_the_refusal_is_in_a_player_s_words(game: str, language: str) -> None:
    said = Words(language, dict(enumerate(NAMES)))
    found = [(text.key, said.say(text)) for text in refusals(game, 60, 7)]
    assert found
    assert [(key, sentence) for key, sentence in found if OURS.search(sentence)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_nobody_can_read_is_refused_without_the_reader_s_words(language: str) -> None:
    for code in ("not-a-move", "bad-request"):
        why = refusal(code, reason="Expected `array` of length >= 3 - at `$.guilds`")
        for text in (why.say, why.do):
            assert not OURS.search(Words(language).say(text))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"guilds": []}, "choose three, one of each group (0 of 3)"),
        ({"guilds": ["mechanics", "engineers", "artists"]}, "choose three"),
        ({"p1/coins": "many"}, "Ben, "),
        ({"p1/red": None}, "Ben, Cards, red tower (no base): nobody has entered it yet"),
        ({"p0/artists": 40}, "this value is not possible"),
        ({"p0/blue": ["B1a"], "p1/blue": ["B1a"]}, "this card has been entered already"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_final_form_names_the_field_and_what_is_missing(
    values: dict[str, Any], sentence: str, language: str
) -> None:
    pack = find_pack("skytopia")
    state = pack.new({"depth": "tally", "names": NAMES, "colours": ["sun", "leaf"]}, {})
    guilds = ["mechanics", "merchants", "artists"]
    filled: dict[str, Any] = {"guilds": guilds, "p0/city": 0, "p1/city": 1}
    for seat in range(len(NAMES)):
        filled |= counting.usual(numbers({}), guilds, seat, 0, 0)
    by_cards = any(isinstance(value, list) for key, value in values.items() if "/" in key)
    filled |= {f"p{seat}/{colour}": [] for seat in (0, 1) for colour in COLOURS} if by_cards else {}
    filled |= values
    with pytest.raises(RuleBroken) as refused:
        pack.play(state, pack.decode({"kind": "final", "values": filled}))
    said = Words(language, dict(enumerate(NAMES))).say(refused.value.say)
    assert not OURS.search(said)
    assert language != "en" or sentence in said
