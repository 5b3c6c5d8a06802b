"""Words: three languages that always go together."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from string import Formatter

import pytest

from companion.game import Text
from companion.wire import words
from companion.wire.words import LANGUAGES, Words, packages, plural_rule, read_package
from tests.conftest import ROOT

PLACES = (*packages(), "companion.phone.words", "display.words", "hall.words")
FORMS = {"en": 2, "pl": 3, "fr": 2}


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("package", PLACES)
def test_every_key_is_in_every_language_with_the_same_placeholders(package: str) -> None:
    """No missing key, no unequal placeholder, the right number of plural forms."""
    english = {key: forms for key, forms in read_package(package, "en").items() if key and "@" not in key}
    for language in LANGUAGES:
        other = {key: forms for key, forms in read_package(package, language).items() if key and "@" not in key}
        assert english.keys() == other.keys(), english.keys() ^ other.keys()
        for key, forms in other.items():
            assert len(forms) in (1, FORMS[language]), f"{language}: {key} has {len(forms)} forms"
            plural = len(english[key]) > 1
            assert plural == (len(forms) > 1), f"{language}: {key} is plural in one language only"
            wanted = set().union(*map(placeholders, english[key]))
            for form in forms:
                extra = placeholders(form) - wanted
                assert not extra, f"{language}: {key} uses {extra}"
            assert wanted == set().union(*map(placeholders, forms)), f"{language}: {key}"
            assert all(form.strip() for form in forms), f"{language}: {key} is empty"


def test_polish_plurals() -> None:
    """1 punkt, 2 punkty, 5 punktów, 12 punktów, 22 punkty."""
    words = Words("pl", {0: "Ola"})
    said = [
        words.say(Text("scorepad/event/points", {"name": Text("seat", {"n": 0}), "n": n})) for n in (1, 2, 5, 12, 22)
    ]
    assert [sentence.split()[-1] for sentence in said] == ["punkt", "punkty", "punktów", "punktów", "punkty"]


def test_french_zero_is_singular() -> None:
    """0 point, 1 point, 2 points."""
    assert [plural_rule("fr")(n) for n in (0, 1, 2)] == [0, 0, 1]


def test_a_missing_word_falls_back_and_never_fails() -> None:
    """An unknown key is shown as it is, an unknown language in English."""
    assert Words("fr").say("no/such/key") == "no/such/key"
    assert Words("xx").say("undo/last") == "Undo"


def test_lists_read_like_sentences() -> None:
    """a, b and c."""
    assert Words("pl").listed(["a", "b", "c"]) == "a, b i c"
    assert Words("pl").listed(["a"]) == "a"


def test_a_sentence_calls_a_player_without_what_stands_in_brackets() -> None:
    """ "Magda (you)’s turn" is no English; two who would be called the same keep their brackets."""
    say = Words("en", {0: "Magda (you)", 1: "Ben", 2: "Anna (8)", 3: "Anna (12)", 4: "(me)"}).say
    turn = [say("skytopia/ask/turn-of", seat=Text("seat", {"n": seat})) for seat in range(6)]
    assert [one.removesuffix("’s turn") for one in turn] == ["Magda", "Ben", "Anna (8)", "Anna (12)", "(me)", "#5"]


def test_french_marks_do_not_start_a_line() -> None:
    """Before : ; ! ? and inside guillemets stands a no-break space."""
    for package in PLACES:
        for key, forms in read_package(package, "fr").items():
            for form in forms if key else ():
                assert not re.search(r" [:;!?»]|« ", form), f"{package} {key}: {form}"


def test_every_literal_key_in_the_code_exists() -> None:
    """`Text("…")` with a plain key is in some catalogue."""
    known = set().union(*(read_package(package, "en") for package in PLACES))
    special = {"seat"}
    missing = []
    for room in ("companion", "firmware_bridge", "vision", "display"):
        for file in (ROOT / room).rglob("*.py"):
            if "node_modules" in file.parts:
                continue
            keys = re.findall(r'\bText\(\s*"([a-z][^"{}]+)"', file.read_text(encoding="utf-8"))
            missing += [f"{file.relative_to(ROOT)}: {key}" for key in keys if key not in known | special]
    assert missing == []


def test_catalogues_travel_with_the_package() -> None:
    """The words lie inside the packages, so a wheel has them."""
    assert resources.files("companion.wire.words").joinpath("pl.po").is_file()


def test_a_foreign_pack_s_broken_words_cost_nobody_else_theirs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file that is no catalogue is left out; a slip in a sentence, or a count that is none, is shown as it is."""
    for name, text in (("torn", 'msgid "x\nmsgstr["'), ("slips", 'msgid "slips/open"\nmsgstr "{who"\n')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "en.po").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(words, "packages", lambda: ("companion.wire.words", "torn", "slips"))
    words.catalogue.cache_clear()
    try:
        said = Words("en")
        assert said.say("undo/last") == "Undo"
        assert said.say("slips/open") == "{who"
        assert said.say(Text("journal/left-out", {"n": "many"})).startswith("many recorded moves")
        assert said.say(Text("seat", {"n": "nobody"})) == "#nobody"
    finally:
        words.catalogue.cache_clear()
