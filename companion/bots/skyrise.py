"""Auctions acted out: a bot decides how a quick auction ends, and hands lay bids on the islands until it does."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from companion.game import Game, RuleBroken
from companion.games.skyrise import quick, sighted
from companion.games.skyrise.auction import open_sites, unbuilt
from companion.games.skyrise.moves import Home, Lies, Won
from companion.games.skyrise.state import SkyriseState

Chooser = Callable[[Any, Any, Sequence[Any], random.Random], Any]
TRIES = 40
MORE = (0, 0, 1, 1, 2)
"""Bids that lose beside those the way to the site needs."""


class Auctioneer:
    """Wraps a bot for a table with a camera: `won` is what it decides, bids that come and go are how it happens."""

    def __init__(self, choose: Chooser) -> None:
        self.choose = choose
        self._auction = 0
        self._plan: list[Any] = []

    def __call__(self, pack: Game, state: Any, moves: Sequence[Any], chance: random.Random) -> Any:
        """The next thing to do."""
        if not isinstance(state, SkyriseState) or state.phase != "quick":
            return self.choose(pack, state, moves, chance)
        if self._auction != state.auction or not self._plan:
            decided = self.choose(pack, state, moves, chance)
            if state.lying:
                return decided
            self._auction, self._plan = state.auction, acted_out(pack, state, decided, chance)
            others = chance.sample(list(moves), len(moves)) if len(self._plan) == 1 else []
            for other in others[:TRIES]:  # nobody at this table could have bid so: it ended otherwise
                if len(self._plan) == 1:
                    self._plan = acted_out(pack, state, other, chance)
        return self._plan.pop(0)


def acted_out(pack: Game, state: SkyriseState, won: Won, chance: random.Random) -> list[Any]:
    """Bids that lead to this result, one by one, those that lose taken back, and the number said at last."""
    colour = state.pieces[won.piece].colour
    reach = quick.steps(state)
    for _ in range(TRIES):
        sites = _chain(state, won.site, reach.get(won.site, 0) + chance.choice(MORE), chance)
        if sites is None:
            continue
        bids: list[Any] = []
        here, last = state, None
        try:
            for site in sites[:-1]:
                others = [move for move in sighted.sensed(here) if isinstance(move, Lies) and move.site == site]
                others = [one for one in others if sighted.owner_of(here, one.colour) != last and one.colour != colour]
                bids.append(chance.choice(others))
                last = sighted.owner_of(here, bids[-1].colour)
                here = pack.play(here, bids[-1]).state
            bids.append(Lies(won.site, colour))
            here = pack.play(here, bids[-1]).state
            home = [Home(site) for site in chance.sample(sites[:-1], len(sites) - 1)]
            for move in home:
                here = pack.play(here, move).state
        except (RuleBroken, IndexError):
            continue
        return [*bids, *home, *([won] if here.phase == "quick" and here.auction == state.auction else [])]
    return [won]


def _chain(state: SkyriseState, site: str, before: int, chance: random.Random) -> list[str] | None:
    """Sites from one where an auction opens to this one, each beside the one before: the nearest way, or a longer one."""
    free, found, reach = unbuilt(state), [site], quick.steps(state)
    for left in range(before, 0, -1):
        near = sorted((state.islands.beside(found[0]) & free) - set(found))
        near = [one for one in near if reach.get(one, left) < left]
        if not near:
            return None
        found.insert(0, chance.choice(near))
    anywhere = any(piece.card == "city-hall" for piece in state.pieces.values())
    return found if anywhere or found[0] in open_sites(state) else None
