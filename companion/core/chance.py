"""Chance for packs that deal digitally: real randomness, drawn here and handed in as an ordinary move."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.core.table import Table


def supply(request: Mapping[str, Any]) -> dict[str, Any]:
    """Fill a pack's request: `{"move": {...}, "shuffle": {field: [items]}}` -> the move with each list shuffled."""
    move = dict(request["move"])
    source = secrets.SystemRandom()
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
