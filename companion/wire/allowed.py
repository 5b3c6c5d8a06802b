"""What a setting may be, in words, told by its type."""

from __future__ import annotations

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
