"""Chance for packs that deal digitally: real randomness, drawn here and handed in as an ordinary move."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.core.table import Table

_sources: list[random.Random] = []
"""Whoever deals instead of the machine's own chance; the last one does."""


@contextmanager
def dealt_by(source: random.Random) -> Iterator[None]:
    """Cards fall as `source` has it: for games that must be repeatable, never for people."""
    _sources.append(source)
    try:
        yield
    finally:
        _sources.remove(source)


def supply(request: Mapping[str, Any]) -> dict[str, Any]:
    """Fill a pack's request: `{"move": {...}, "shuffle": {field: [items]}}` -> the move with each list shuffled."""
    move = dict(request["move"])
    source = _sources[-1] if _sources else secrets.SystemRandom()
    for field, items in request.get("shuffle", {}).items():
        shuffled = list(items)
        source.shuffle(shuffled)
        move[field] = shuffled
    return move


def supply_chance(table: Table) -> None:
    """A pack that deals digitally asks for chance; the rules themselves never roll."""
    session = table.session
    if session is None:
        return
    for _ in range(100):
        request = session.pack.deal(session.state)
        if request is None:
            return
        session.play(supply(request), sender="companion", cause="table")
