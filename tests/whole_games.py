"""A game played to its end by bots, without a table around it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from companion.bots import Bot
from companion.game import Game


def finish(pack: Game, state: Any, seats: Sequence[Bot], chance: random.Random, most: int = 5000) -> Any:
    """Play a game to its end, each seat by its bot; the last state."""
    for _ in range(most):
        if pack.over(state):
            break
        seat = pack.ask(state).seat
        state = pack.play(state, seats[seat or 0].choose(pack, state, chance)).state
    return state
