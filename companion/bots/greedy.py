"""The bot that takes the most points it can see right now."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from companion.bots.plain import Thinking
from companion.game import Game


class Greedy(Thinking):
    """Takes the move after which its own tally stands highest, any of them when several do."""

    name = "greedy"

    def decide(self, pack: Game, state: Any, legal: Sequence[Any], chance: random.Random) -> Any:
        """The move with the best tally at once."""
        best, picks = -1_000_000, list(legal)
        for move in legal:
            total = pack.tally(pack.play(state, move).state).players[_seat(move)].total
            if total > best:
                best, picks = total, [move]
            elif total == best:
                picks.append(move)
        return chance.choice(picks)


def _seat(move: Any) -> int:
    seat = getattr(move, "seat", None)
    return seat if isinstance(seat, int) else 0
