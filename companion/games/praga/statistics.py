"""The story of a game in figures: points of each round, and where they all came from."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from companion.game import Tally
from companion.games.praga.state import State


def statistics(state: State, tally: Tally) -> dict[str, Any]:
    """Per player: points gained each round as the track showed them, and points by source of the score."""
    totals = [(0,) * state.players, *state.chart]
    return {
        "rounds": len(state.chart),
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "rounds": [after[player.seat] - before[player.seat] for before, after in pairwise(totals)],
                "sources": {line.id: line.points for line in player.lines if line.points},
            }
            for player in tally.players
        ],
    }
