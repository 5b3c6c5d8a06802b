"""How good a position is for a player: what the tally says, and what golems at work promise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.bots import skytopia
from companion.game import Game

Judge = Callable[[Game, Any, int], float]


def by_tally(pack: Game, state: Any, seat: int) -> float:
    """The own total against the best of the others."""
    players = pack.tally(state).players
    others = [player.total for player in players if player.seat != seat]
    return players[seat].total - 0.5 * max(others, default=0)


def of(pack: Game) -> Judge:
    """The judge for a pack."""
    return skytopia.outlook if pack.id == "skytopia" else by_tally
