"""Players of one name, and who of them begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def told_apart(names: Sequence[str], marks: Sequence[object]) -> tuple[str, ...]:
    """The players' names; equal ones get their mark, because a final position knows players by name."""
    if len(set(names)) == len(names):
        return tuple(names)
    each = zip(names, marks, strict=True)
    return told_apart([f"{name} ({mark})" if names.count(name) > 1 else name for name, mark in each], marks)


def begins(options: Mapping[str, Any], players: int) -> int:
    """The seat the set-up says begins; the first one unless it says another."""
    first = options.get("first", 0)
    if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < players:
        raise ValueError(f"first: {first!r} is not a seat")
    return first
