"""Players of one name."""

from __future__ import annotations

from collections.abc import Sequence


def told_apart(names: Sequence[str], marks: Sequence[object]) -> tuple[str, ...]:
    """The players' names; equal ones get their mark, because a final position knows players by name."""
    if len(set(names)) == len(names):
        return tuple(names)
    each = zip(names, marks, strict=True)
    return told_apart([f"{name} ({mark})" if names.count(name) > 1 else name for name, mark in each], marks)
