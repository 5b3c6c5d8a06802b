"""The screen's own words, laid over those of the core and the packs."""

from __future__ import annotations

from typing import Any

from companion.game import Text
from companion.words import Words, plural_rule, read_package


class Wording(Words):
    """Says a `Text` as this screen says it."""

    def say(self, text: Text | str, variant: str = "", **params: Any) -> str:
        """The sentence, with its parameters put in."""
        return super().say(text, variant, **params)

    def _template(self, text: Text, variant: str) -> str:
        for language in dict.fromkeys((self.language, "en")):
            words = read_package("display.words", language)
            forms = (words.get(f"{text.key}@{variant}") if variant else None) or words.get(text.key)
            if forms:
                if len(forms) == 1:
                    return forms[0]
                count = abs(int(str(text.params.get("n", 0))))
                return forms[min(plural_rule(language)(count), len(forms) - 1)]
        return super()._template(text, variant)

    def knows(self, key: str) -> bool:
        """This language, not only English, has the key."""
        return key in read_package("display.words", self.language) or super().knows(key)
