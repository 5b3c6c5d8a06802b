"""What the dial says: three languages, the same keys, the same placeholders, and a remedy for each trouble."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from companion.wire.words import LANGUAGES, read_package
from firmware_bridge import troubles
from firmware_bridge.troubles import trouble


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_every_sentence_is_there_in_every_language() -> None:
    """English, Polish and French have the same keys with the same placeholders."""
    english = read_package("firmware_bridge", "en")
    for language in LANGUAGES:
        words = read_package("firmware_bridge", language)
        assert set(words) == set(english), language
        for key, forms in words.items():
            if key:
                assert placeholders(forms[0]) == placeholders(english[key][0]), (language, key)


def test_every_trouble_has_its_remedy_and_every_trouble_the_code_names_has_words() -> None:
    """What is wrong never stands without what to do, and no `trouble("...")` is without a sentence."""
    english = set(read_package("firmware_bridge", "en"))
    room = Path(troubles.__file__).parent
    named = {
        code for file in room.glob("*.py") for code in re.findall(r'trouble\("([a-z-]+)"', file.read_text("utf-8"))
    }
    assert len(named) > 10
    for code in named:
        assert {f"dial/{code}", f"dial/{code}/do"} <= english, code
    with pytest.raises(KeyError):
        trouble("unheard-of")


def test_a_line_says_what_is_wrong_and_what_to_do() -> None:
    """Particulars are put in."""
    line = trouble("no-permission", port="/dev/ttyACM0", user="ada", group="dialout").line
    assert line == (
        "This user may not open /dev/ttyACM0. Type: sudo usermod -aG dialout ada and start the table again."
    )
