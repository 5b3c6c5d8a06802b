"""A final position written by hand: decoded strictly, and what is wrong with it begins with the field it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def decoded(given: Mapping[str, Any], kind: type[T]) -> T:
    """The document as a struct; `ValueError` says `players[0].gold: what is wrong`."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as wrong:
        raise ValueError(field_first(str(wrong))) from None


def field_first(message: str) -> str:
    """The decoder's own `what - at `$.players[0]`` with the place in front, down to a field that is missing or unknown."""
    what, _, place = message.partition(" - at ")
    path = place.replace("`", "").removeprefix("key in ").replace("[...]", "").removeprefix("$").removeprefix(".")
    if found := re.search(r"(?:required|unknown) field `(\w+)`", what):
        path = f"{path}.{found[1]}".removeprefix(".")
    return f"{path or 'document'}: {what}"
