"""Everything this screen says, it says in three languages."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from companion.game import Text
from companion.wire.words import catalogue, read_package
from display import fonts
from display.wording import Wording
from tests.conftest import ROOT

KEY = re.compile(r"""(?:say_key|_key|_text)\(\s*f?["']([a-z0-9@/_-]+)["']""")


def _named(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", ["pl", "fr"])
def test_the_catalogues_have_the_same_keys_and_parameters(language: str) -> None:
    """No sentence is missing, none loses a number."""
    english, other = read_package("display.words", "en"), read_package("display.words", language)
    assert set(english) - {k for k in english if "@" in k} == set(other) - {k for k in other if "@" in k}
    for key, forms in other.items():
        if key and key in english:
            assert _named(forms[-1]) == _named(english[key][-1]), key


def test_every_key_written_in_the_scenes_has_words() -> None:
    """A key nobody has words for would be shown as it is."""
    known = catalogue("en", Wording.own)
    missing = set()
    for file in (ROOT / "display").rglob("*.py"):
        prefix = {"status.py": "display/health/", "samples.py": "display/demo/"}.get(file.name, "display/")
        for key in KEY.findall(file.read_text(encoding="utf-8")):
            if prefix + key not in known and f"display/{key}" not in known:
                missing.add(f"{file.name}: {prefix}{key}")
    assert not missing


def test_polish_counts_right() -> None:
    """One, a few, many."""
    say = Wording("pl").say
    assert [say("display/in-rounds", n=n) for n in (1, 2, 5, 22)] == [
        "za 1 rundę",
        "za 2 rundy",
        "za 5 rund",
        "za 22 rundy",
    ]


def test_troubles_of_other_rooms_are_said_here_too() -> None:
    """The camera's and the dial's sentences come with their keys; the screen has their words."""
    for language in ("en", "pl", "fr"):
        found = [key for key in catalogue(language, Wording.own) if key.startswith("vision/")]
        assert found
        assert Wording(language).say(Text(found[0])) != found[0]


def test_no_line_begins_with_a_french_colon_or_a_dot_between_two_hints() -> None:
    """The space before it never breaks, whoever wrote the sentence."""
    said = fonts.clean("Puis tournez la grue d’un cran : cela finit le tour ; vraiment ? · ou touchez · ou attendez")
    for room in range(80, 600, 20):
        assert not [line for line in fonts.wrap(said, "sans", 24, room) if line[:1] in ":;!?·"]


@pytest.mark.parametrize("face", ["sans", "serif"])
def test_two_lines_are_of_like_width(face: str) -> None:
    """A last line of one short word looks like a mistake; the same number of lines, broken evenly, does not."""
    said = "Magda placed a golem on the market, row 1"
    room = fonts.width(said, face, 24) - 4
    lines, pixels, fits = fonts.fit((said,), face, 24, (room, 80), 2, 0.6)
    assert fits
    assert pixels == 24
    assert " ".join(lines) == said
    first, last = (fonts.width(line, face, pixels) for line in lines)
    assert abs(first - last) < first / 3


@pytest.mark.parametrize("face", ["sans", "bold", "black", "serif", "serif-bold"])
def test_no_size_is_passed_over_at_which_the_words_would_fit(face: str) -> None:
    """What a text takes at least, worked out without the font of that size, is never more than its lines really take."""
    for language in ("en", "pl", "fr"):
        said = [fonts.clean(forms[-1]) for forms in read_package("display.words", language).values() if forms[-1]]
        for number, text in enumerate(said[::9]):
            size = 6 + number * 5 % 60
            lines = fonts.wrap(text, face, size, 12 * size)
            taken = sum(fonts.width(line, face, size) for line in lines)
            assert fonts.at_least(text, face, size, len(lines)) <= taken, (text, size)


@pytest.mark.parametrize("face", ["serif", "serif-bold", "sans", "bold"])
def test_quotation_marks_stand_clear_of_what_they_quote(face: str) -> None:
    """The serif's own kerning would draw an opening mark into the first letter, and take the space behind a closing one."""
    for mark, beside in (("“", "B"), ("„", "z"), ("«", "\u00a0"), ("”", " ")):
        whole, alone = (fonts.width(text, face, 50) for text in (mark + beside, mark))
        assert whole - alone >= 0.9 * fonts.width(beside, face, 50), mark + beside
        assert fonts.glyphs(mark + beside, face, 50, (255, 255, 255)).get_width() == whole
