"""What a game shows, as a test takes it apart."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from companion.game import Game
from companion.wire.messages import Private, State

CODES = re.compile(r"\b(C[1-4]|[BGRV][1-4][a-c]?|T[1-4][AB]?|PP|[a-z]+-[1-4])\b|_")
"""Crests, cards, tiles, points and places as we write them down: on no box, so in no sentence."""


def view_of(said: State | Private) -> dict[str, Any]:
    """The view a message carries, whatever game it is of."""
    found: dict[str, Any] = msgspec.json.decode(said.view)
    return found


def shown_by(pack: Game, state: Any, seat: int | None = None) -> dict[str, Any]:
    """What a pack shows of a state, as it travels."""
    answer = getattr(pack, "pack", pack).view(state, seat)
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer))
    return found
