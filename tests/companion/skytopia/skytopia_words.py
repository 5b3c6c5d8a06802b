"""Saying texts strictly: every key known in every language, every placeholder filled."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter
from typing import Any

import msgspec

from companion.game import Text
from companion.wire import words

PACKAGE = "companion.games.skytopia"


def catalogue(language: str, own: str = "") -> words.Catalogue:
    """The core's words and Skytopia's, whether or not the pack is installed as an entry point."""
    return {**words.read_package(words.CORE, language), **words.read_package(PACKAGE, language)}


def fields(template: str) -> set[str]:
    """The placeholders of a sentence."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def texts(thing: Any) -> Iterator[Text]:
    """Every text inside a struct, a list or a dictionary."""
    if isinstance(thing, Text):
        yield thing
        for value in thing.params.values():
            yield from texts(value)
    elif isinstance(thing, msgspec.Struct):
        for name in thing.__struct_fields__:
            yield from texts(getattr(thing, name))
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from texts(value)
    elif isinstance(thing, list | tuple):
        for value in thing:
            yield from texts(value)


_known: set[tuple[str, frozenset[str]]] = set()


def assert_said(thing: Any) -> None:
    """No text in it is a raw key or lacks a parameter, in any language."""
    for text in texts(thing):
        if text.key == "seat":
            continue
        seen = (text.key, frozenset(text.params))
        if seen in _known:
            continue
        _known.add(seen)
        for language in words.LANGUAGES:
            forms = catalogue(language).get(text.key)
            assert forms, f"{language} has no words for {text.key}"
            for form in forms:
                missing = fields(form) - set(text.params)
                assert not missing, f"{language} {text.key} wants {missing}"
                assert len(forms) == 1 or "n" in text.params, f"{text.key} has plurals but no count"
