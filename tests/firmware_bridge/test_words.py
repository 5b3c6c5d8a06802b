"""What the dial says: three languages, the same keys, the same placeholders, and the log's English."""

from __future__ import annotations

from string import Formatter

from companion.wire.words import LANGUAGES, read_package
from firmware_bridge.troubles import SENTENCES, trouble


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


def test_the_log_speaks_the_catalogues_english() -> None:
    """One wording: what the log says is what the English screen says."""
    english = read_package("firmware_bridge", "en")
    for code, (say, do) in SENTENCES.items():
        assert (english[f"dial/{code}"], english[f"dial/{code}/do"]) == ((say,), (do,))


def test_a_line_says_what_is_wrong_and_what_to_do() -> None:
    """Particulars are put in."""
    line = trouble("no-permission", port="/dev/ttyACM0", user="ada", group="dialout").line
    assert line == (
        "This user may not open /dev/ttyACM0. Type: sudo usermod -aG dialout ada and start the table again."
    )
