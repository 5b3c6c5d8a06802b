"""The bot that takes any legal move; and what those who think do without thinking."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from companion.bots.dice import advised, thrown
from companion.game import Game


class Plain:
    """Takes any legal move."""

    name = "random"

    def choose(self, pack: Game, state: Any, chance: random.Random) -> Any:
        """One of the legal moves, each as likely."""
        due = thrown(pack, state, chance)
        return chance.choice(pack.moves(state)) if due is None else due


class Thinking(ABC):
    """Thinks where there is something to decide."""

    def choose(self, pack: Game, state: Any, chance: random.Random) -> Any:
        """What the game advises; any move where there is but one, or the decision is the table's own (a card turned up, the
        dial turned); else what was thought of."""
        known = advised(pack, state, chance)
        if known is not None:
            return known
        legal = pack.moves(state)
        if len(legal) == 1 or all(getattr(move, "seat", None) is None for move in legal):
            return chance.choice(legal)
        return self.decide(pack, state, legal, chance)

    @abstractmethod
    def decide(self, pack: Game, state: Any, legal: Sequence[Any], chance: random.Random) -> Any:
        """One of several moves of a seat."""
