"""The screen's own words and those of the other rooms' troubles, laid over the core's and the packs'."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.game import Text
from companion.wire.words import Catalogue, Words, plural_rule, read_package

ROOMS = ("vision", "firmware_bridge", "display.words")
"""Whose PO files the screen reads: only the text, never the code of another room."""


@cache
def screen_words(language: str) -> Catalogue:
    """What the rooms say in one language; a room that is not installed says nothing."""
    merged: Catalogue = {}
    for package in ROOMS:
        try:
            merged.update(read_package(package, language))
        except ModuleNotFoundError:
            continue
    return merged


class Wording(Words):
    """Says a `Text` as this screen says it."""

    def say(self, text: Text | str, variant: str = "", **params: Any) -> str:
        """The sentence, with its parameters put in."""
        return super().say(text, variant, **params)

    def _template(self, text: Text, variant: str) -> str:
        for language in dict.fromkeys((self.language, "en")):
            words = screen_words(language)
            forms = (words.get(f"{text.key}@{variant}") if variant else None) or words.get(text.key)
            if forms:
                if len(forms) == 1:
                    return forms[0]
                count = abs(int(str(text.params.get("n", 0))))
                return forms[min(plural_rule(language)(count), len(forms) - 1)]
        return super()._template(text, variant)

    def knows(self, key: str) -> bool:
        """This language, not only English, has the key."""
        return key in screen_words(self.language) or super().knows(key)
