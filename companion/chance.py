"""Chance for packs that deal digitally: real randomness, drawn here and handed in as an ordinary move."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any


def supply(request: Mapping[str, Any]) -> dict[str, Any]:
    """Fill a pack's request: `{"move": {...}, "shuffle": {field: [items]}}` -> the move with each list shuffled."""
    move = dict(request["move"])
    source = secrets.SystemRandom()
    for field, items in request.get("shuffle", {}).items():
        shuffled = list(items)
        source.shuffle(shuffled)
        move[field] = shuffled
    return move
