"""What the camera says, for the terminal: the same catalogues the screen and the phones read."""

from __future__ import annotations

import gettext
from collections.abc import Callable
from functools import cache
from importlib import resources

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from vision.camera.frame import Text

LANGUAGES = ("en", "pl", "fr")


@cache
def catalogue(language: str) -> Catalog:
    """The camera's words in one language; English when the language is not known."""
    name = language if language in LANGUAGES else "en"
    with resources.files(__package__ or "vision.words").joinpath(f"{name}.po").open("rb") as file:
        return read_po(file, locale=name)


@cache
def plural_rule(language: str) -> Callable[[int], int]:
    """Which form a count takes, as the catalogue's own header says."""
    rule: Callable[[int], int] = gettext.c2py(catalogue(language).plural_expr)
    return rule


def say(text: Text, language: str = "en") -> str:
    """One sentence with its parameters put in; the key itself when there are no words for it."""
    words = catalogue(language)
    message = words.get(text.key)
    if message is None or not message.string:
        return text.key
    form: str
    if isinstance(message.string, str):
        form = message.string
    else:
        form = message.string[plural_rule(language)(abs(int(str(text.params.get("n", 0)))))]
    params = {name: say(value, language) if isinstance(value, Text) else value for name, value in text.params.items()}
    return form.format(**params)
