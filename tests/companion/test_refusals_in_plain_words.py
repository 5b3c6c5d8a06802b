"""Newcomer B5: no refusal shows a player a type's name, a key of ours or a validator's English, in any language."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.guard import Guarded
from companion.core.refusals import refusal
from companion.core.registry import pack as find_pack
from companion.game import RuleBroken, Text
from companion.games.skytopia import counting
from companion.games.skytopia.printed import COLOURS, numbers
from companion.journal.recorded import read
from companion.monkey.bent import bent
from companion.monkey.checks import odd_words, readable
from companion.monkey.corrections import correction
from companion.monkey.faults import FaultFound
from companion.wire.words import LANGUAGES, Words
from tests.conftest import ROOT

GAMES: dict[str, dict[str, Any]] = {
    "skytopia": {},
    "praga": {},
    "skyrise": {"deal": "physical", "board": "table"},
    "scorepad": {"rounds": 3},
    "yacht": {},
    "farkle": {},
}
RECORDED = sorted((ROOT / "tests" / "games").rglob("*.jsonl"))
NAMES = ("Ada", "Ben")


def refused(pack: Guarded, state: Any, plain: dict[str, Any], chance: random.Random) -> Iterator[Text]:
    """What is said to somebody who sends this move bent, or a bent correction."""
    view = msgspec.json.decode(pack.sight(state, None).json)
    others = [correction(pack.id, view, chance.randrange(2), chance) for _ in range(3)]
    for tried in (plain, plain, plain, *filter(None, others)):
        wrong = bent(tried, chance)
        if not isinstance(wrong, dict):
            continue  # the core's own borders
        try:
            pack.play(state, pack.decode(wrong))
        except RuleBroken as broken:
            yield from (broken.say, broken.do)
        except (msgspec.ValidationError, ValueError):
            continue


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_sent_the_refusal_is_in_a_player_s_words(game: str) -> None:
    pack, chance, found = find_pack(game), random.Random(7), list[Text]()
    state = pack.new({"depth": "full", **GAMES[game], "names": NAMES, "colours": ["sun", "leaf"]}, {})
    for _ in range(60):
        legal = list(pack.moves(state))
        if pack.over(state) or not legal:
            break
        plain = pack.encode(chance.choice(legal))
        found += refused(pack, state, plain, chance)
        state = pack.play(state, pack.decode(plain)).state
    assert found
    assert odd_words(*found) == []


@pytest.mark.parametrize("record", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_refusal_in_a_recorded_game_shows_a_key_or_a_type(record: Path) -> None:
    """At every seventh of its moments; the monkey looks at every refusal of its own games the same way."""
    played, chance, found = read(record.read_bytes()), random.Random(3), list[Text]()
    for number, (before, plain, _) in enumerate(played.steps()):
        if number % 7 == 0:
            found += refused(find_pack(played.game), before, dict(plain), chance)
    assert odd_words(*found) == []


def test_a_validator_s_english_and_a_raw_key_would_be_found() -> None:
    for wrong in (
        "Expected `array` of length >= 3",
        "guilds: none",
        "skytopia/refuse/nothing",
        "cities.0.gold",
        "{name}",
    ):
        assert odd_words(Text("typed", {"words": wrong})) == ([] if wrong == "guilds: none" else [wrong] * 3)
    with pytest.raises(FaultFound, match="a player reads: no_such_key"):
        readable(refusal("bad-request").__class__(code="x", say=Text("no_such_key"), do=Text("table/do/moved-on")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_nobody_can_read_is_refused_without_the_reader_s_words(language: str) -> None:
    for code in ("not-a-move", "bad-request"):
        why = refusal(code, reason="Expected `array` of length >= 3 - at `$.guilds`")
        for text in (why.say, why.do):
            assert not odd_words(text)


@pytest.mark.parametrize(
    ("values", "sentence", "field"),
    [
        ({"guilds": []}, "choose three, one of each group (0 of 3)", "guilds"),
        ({"guilds": ["mechanics", "engineers", "artists"]}, "choose three", "guilds"),
        ({"p1/coins": "many"}, "Ben, ", "p1/coins"),
        ({"p1/red": None}, "Ben, Cards, red tower (no base): nobody has entered it yet", "p1/red"),
        ({"p0/artists": 40}, "this value is not possible", "p0/artists"),
        ({"p0/blue": ["B1a"], "p1/blue": ["B1a"]}, "this card has been entered already", ""),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_final_form_names_the_field_and_what_is_missing(
    values: dict[str, Any], sentence: str, field: str, language: str
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
    assert not odd_words(refused.value.say)
    assert language != "en" or sentence in said
    assert refused.value.field == field, "screen and phone go there"
