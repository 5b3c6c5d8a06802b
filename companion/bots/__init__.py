"""Bots: they decide for empty chairs, in the demo and in tests. They live outside the packs: they need chance and clocks.

A bot is asked for one move at a time and may be told to whom it belongs by its `seat`. Moves of nobody in particular
(a card turned up, the dial turned) are the table's: every bot draws those at random, as a shuffled deck would.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

from companion.bots.greedy import Greedy
from companion.bots.plain import Plain
from companion.bots.planner import Planner
from companion.game import Game

__all__ = ["BOTS", "Bot", "bot"]


class Bot(Protocol):
    """Somebody who decides."""

    name: str

    def choose(self, pack: Game, state: Any, chance: random.Random) -> Any:
        """One legal move of the present decision."""


BOTS: dict[str, Callable[[], Bot]] = {"random": Plain, "greedy": Greedy, "planner": Planner}
"""Every bot by its name, weakest first."""


def bot(name: str) -> Bot:
    """The bot of that name; `ValueError` names those there are."""
    if name not in BOTS:
        raise ValueError(f"There is no bot called {name!r}; known: {', '.join(BOTS)}")
    return BOTS[name]()
