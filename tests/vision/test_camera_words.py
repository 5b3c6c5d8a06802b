"""The camera speaks English, Polish and French alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.wire.words import read_package
from vision import words
from vision.camera.frame import Text

LANGUAGES = ("en", "pl", "fr")
HOLES = re.compile(r"{(\w+)")


def keys(language: str) -> dict[str, tuple[str, ...]]:
    """All sentences of the camera, without the header."""
    return {key: forms for key, forms in read_package("vision", language).items() if key}


def test_every_language_has_every_sentence() -> None:
    """No player is left with a key or with English."""
    assert keys("en")
    assert set(keys("en")) == set(keys("pl")) == set(keys("fr"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_filled_with_the_same_values(language: str) -> None:
    """A translation neither forgets a value nor asks for one that is not given."""
    english = keys("en")
    for key, forms in keys(language).items():
        assert len(forms) == 1 or len(forms) == {"en": 2, "pl": 3, "fr": 2}[language], key
        for form in forms:
            assert set(HOLES.findall(form)) == set(HOLES.findall(english[key][-1])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_the_code_names_has_words(language: str) -> None:
    """What `trouble("...")` can say is in the catalogue, both what is wrong and what to do."""
    known = keys(language)
    root = Path(words.__file__).parents[1]
    source = "\n".join(file.read_text(encoding="utf-8") for file in root.rglob("*.py"))
    named = set(re.findall(r'(?:trouble|CannotDo)\(\s*"([^"{]+)"', source))
    named |= {f"calibration/{code}" for code in re.findall(r'CalibrationRefused\("([^"]+)"', source)}
    named |= {f"market/{code}" for code in ("mat-missing", "mat-moved", "too-dark")}
    assert named
    for key in re.findall(r'Text\("(vision/[^"{]+)"', source):
        assert key in known
    for name in named:
        assert f"vision/{name}/say" in known
        assert f"vision/{name}/do" in known


def test_the_terminal_says_what_the_screen_says() -> None:
    """A sentence with its value put in; an unknown key stays as it is."""
    text = Text("vision/calibration/unreadable/say", {"reason": "Permission denied"})
    assert words.say(text, "en") == "The calibration file cannot be read: Permission denied."
    assert words.say(text, "pl").endswith("Permission denied.")
    assert words.say(Text("vision/nothing"), "fr") == "vision/nothing"
