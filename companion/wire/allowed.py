"""What a setting may be, in words, told by its type; and where a wrong one stands."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

import msgspec


def allowed(hint: Any) -> str:
    """What a setting may be, in words."""
    info = msgspec.inspect.type_info(hint)
    if isinstance(info, msgspec.inspect.Metadata):
        info = info.type
    match info:
        case msgspec.inspect.BoolType():
            return "allowed: true or false"
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            noun = "a whole number" if isinstance(info, msgspec.inspect.IntType) else "a number"
            low, high = info.ge if info.ge is not None else info.gt, info.le if info.le is not None else info.lt
            return f"allowed: {noun}" + (f" from {low} to {high}" if low is not None and high is not None else "")
        case msgspec.inspect.LiteralType():
            return "allowed: " + ", ".join(map(str, info.values))
        case msgspec.inspect.StrType():
            if info.pattern:
                return f"allowed: text like {info.pattern}"
            return f"allowed: text of at most {info.max_length} characters" if info.max_length else "allowed: text"
        case msgspec.inspect.VarTupleType():
            return 'allowed: a list of text, as in ["one", "two"]'
    return "see docs/settings.md"


def nearest(word: str, known: Mapping[str, Any]) -> str:
    """The word that was probably meant, else all there are."""
    close = difflib.get_close_matches(word, list(known), 1, 0.5)
    return f"; did you mean {close[0]}?" if close else f"; known: {', '.join(known)}"


def short(value: Any) -> str:
    """A value as it was given, if it is not too long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def line_of(text: str, section: str, key: str) -> int:
    """The line a key stands on, found by reading, because the parser does not tell."""
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*([^\]]+?)\s*\]", line)
        if header:
            current = header.group(1).strip("\"'")
            if not section and current == key:
                return number
        elif (current == section and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line)) or re.match(
            rf"\s*{re.escape(section)}\s*\.\s*{re.escape(key)}\s*=", line
        ):
            return number
    return 1
