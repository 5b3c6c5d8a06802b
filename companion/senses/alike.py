"""Which longer stories make the very same picture as the one move that is believed?

Whoever silently passes what is on offer and then does the very same by the next card leaves no trace of it, and to ask would
be to ask after every such move. So the one move is believed, and what else it may have been is told beside it.
"""

from __future__ import annotations

import heapq
from itertools import count
from typing import Any

import msgspec

from companion.game import Expected, Game, RuleBroken

NODES = 300
"""Moves tried at most."""
COVERED = 3
"""First moves looked into at most whose trace a later one would have covered: a golem set down, then carried on."""


class Story(msgspec.Struct, frozen=True):
    """Another story of the same picture, as far as it is the only one that begins so."""

    moves: tuple[Any, ...]
    whole: bool = True
    """These are all its moves; else several go on from here, and what is seen must be explained anew."""


def alike(pack: Game, state: Any, told: Any, who: int, *, nodes: int = NODES) -> tuple[Story, ...]:
    """Stories of the same player that look like the move `told` and end elsewhere: one for each way to begin."""
    search = _Search(pack, state, told, who, nodes)
    done = search.run()
    return tuple(
        Story(ways[0]) if done and len(ways) == 1 else Story(ways[0][:1], whole=False) for ways in search.found
    )


class _Search:
    """What leaves no trace first, then what one sees the end of, then what a later move would have covered."""

    def __init__(self, pack: Game, state: Any, told: Any, who: int, nodes: int) -> None:
        self.pack, self.told, self.who, self.left = pack, told, who, nodes
        self.start, after = pack.expect(state), pack.play(state, told).state
        self.wanted = pack.expect(after)
        self.ends = [after]
        self.found: list[list[tuple[Any, ...]]] = []
        """Stories, those together that begin with the same move."""
        self._order = count(1)
        self._todo: list[tuple[int, int, int, tuple[Any, ...], Any, Expected]] = [(0, 0, 0, (), state, self.start)]

    def run(self) -> bool:
        """Find them; whether all there is has been tried."""
        covered = 0
        while self._todo:
            _, _, rank, path, here, look = heapq.heappop(self._todo)
            covered += rank == 2
            if (rank == 2 and covered > COVERED) or (path and self._several(path)):
                continue
            for move in self.pack.sensed(here):
                if getattr(move, "seat", None) in (None, self.who) and (path or move != self.told):
                    if not self.left:
                        return False
                    self.left -= 1
                    self._try(rank, (*path, move), here, look)
        return True

    def _several(self, path: tuple[Any, ...]) -> bool:
        """More than one story that begins like this is known: no more are needed."""
        return any(ways[0][0] == path[0] and len(ways) > 1 for ways in self.found)

    def _try(self, rank: int, path: tuple[Any, ...], here: Any, look: Expected) -> None:
        try:
            there = self.pack.play(here, path[-1]).state
        except RuleBroken:
            return
        sees = self.pack.expect(there)
        if sees != self.wanted:
            step = 0 if sees == look else 1 if self._traceless(look, sees) else 2
            if max(rank, step) < 2 or len(path) == 1:
                heapq.heappush(self._todo, (len(path) + step, next(self._order), max(rank, step), path, there, sees))
        elif len(path) > 1 and there not in self.ends:
            self.ends.append(there)
            begun = next((ways for ways in self.found if ways[0][0] == path[0]), None)
            if begun is None:
                self.found.append([path])
            else:
                begun.append(path)

    def _traceless(self, before: Expected, after: Expected) -> bool:
        """All that changes is as it is seen, or lies where something else has come by now."""
        for was, slot, first, last in zip(before.slots, after.slots, self.start.slots, self.wanted.slots, strict=False):
            if slot not in (was, last) and first == last:
                return False
        return after.dial in (before.dial, self.wanted.dial) and after.loose in (before.loose, self.wanted.loose)
