"""The bot that takes any legal move."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from companion.bots.dice import thrown
from companion.game import Game


def drawn(pack: Game, state: Any, legal: Sequence[Any]) -> bool:
    """The decision is the table's own: a card turned up or named, the dial turned."""
    return all(getattr(move, "seat", None) is None for move in legal)


class Plain:
    """Takes any legal move."""

    name = "random"

    def choose(self, pack: Game, state: Any, chance: random.Random) -> Any:
        """One of the legal moves, each as likely."""
        due = thrown(pack, state, chance)
        return chance.choice(pack.moves(state)) if due is None else due
