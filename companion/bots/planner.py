"""The bot that looks ahead: it plays its whole turn out in thought, many ways, and takes the first step of the best.

How good a position is, a pack's own outlook says where there is one (`companion.bots.outlook`), else its tally.
"""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from companion.bots import outlook
from companion.bots.plain import Thinking
from companion.game import Game

WIDTH = 24
"""Positions kept after each step of thought."""
DEPTH = 14


class Planner(Thinking):
    """Looks ahead to the end of its turn within a time budget."""

    name = "planner"

    def __init__(self, budget: float = 0.25, clock: Callable[[], float] = time.monotonic) -> None:
        self.budget = budget
        self.clock = clock

    def decide(self, pack: Game, state: Any, legal: Sequence[Any], chance: random.Random) -> Any:
        """The first step of the best turn found in time: the best positions first; out of time, the best seen so far stands."""
        seat = next(move.seat for move in legal if isinstance(getattr(move, "seat", None), int))
        judge, until = outlook.of(pack), self.clock() + self.budget
        beam: list[tuple[float, Any, Any, tuple[Any, ...]]] = [(0.0, state, None, tuple(legal))]
        best: tuple[float, Any] = (float("-inf"), None)
        for _ in range(DEPTH):
            reached: list[tuple[float, int, Any, Any]] = []
            for _, here, first, moves in beam:
                if first is not None and self.clock() > until:
                    return max(best, (beam[0][0], beam[0][2]), key=lambda way: way[0])[1]
                for move in moves:
                    there = pack.play(here, move).state
                    worth = judge(pack, there, seat) + chance.random() * 1e-6
                    reached.append((worth, len(reached), there, move if first is None else first))
            beam = []
            for worth, _, there, start in heapq.nlargest(WIDTH, reached):
                following = tuple(pack.moves(there))
                if following and getattr(following[0], "seat", None) == seat:
                    beam.append((worth, there, start, following))
                elif worth > best[0]:
                    best = (worth, start)
            if not beam:
                break
        return best[1] if best[1] is not None else beam[0][2]
