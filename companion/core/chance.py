"""Chance for packs that deal digitally: real randomness, drawn here and handed in as an ordinary move."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from companion.core.session import Session
from companion.game import RuleBroken

DEALS = 100
"""More are never owed at once."""

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


def supply_chance(session: Session) -> None:
    """A pack that deals digitally asks for chance; the rules themselves never roll."""
    for _ in range(DEALS):
        request = session.pack.deal(session.state)
        if request is None:
            return
        try:
            session.play(supply(request), sender="companion", cause="table")
        except (RuleBroken, msgspec.ValidationError) as wrong:
            raise session.pack.failed("nonsense", f"it refuses what it asked for: {wrong} (in deal)") from wrong
    raise session.pack.failed("nonsense", "it deals without end (in deal)")
