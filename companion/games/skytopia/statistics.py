"""The story of a game in figures: points per round and per source, for charts and export."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from companion.games.skytopia.light import Light
from companion.games.skytopia.state import SkytopiaState


def statistics(state: SkytopiaState) -> dict[str, Any]:
    """Per player: points gained each round, points by source, and the track at the end of each round."""
    rounds = max(state.round, len(state.chart))
    players = []
    for seat, player in enumerate(state.players):
        per_round = [0] * (rounds + 1)
        sources: dict[str, int] = {}
        for round_, source, points in player.gained:
            per_round[min(round_, rounds)] += points
            sources[source] = sources.get(source, 0) + points
        players.append(
            {
                "seat": seat,
                "name": player.name,
                "rounds": per_round[1:],
                "before": per_round[0],
                "sources": dict(sorted(sources.items())),
                "track": [row[seat] for row in state.chart],
                "cards": [len(tower) for tower in player.towers],
            }
        )
    return {"rounds": rounds, "players": players}


def counted(state: Light) -> dict[str, Any]:
    """The same for a game that is only counted: nobody told what the points were for."""
    totals = [(0,) * len(state.names), *state.chart]
    players = [
        {
            "seat": seat,
            "name": name,
            "rounds": [after[seat] - before[seat] for before, after in pairwise(totals)],
            "sources": {},
            "track": [row[seat] for row in state.chart],
        }
        for seat, name in enumerate(state.names)
    ]
    return {"rounds": len(state.chart), "players": players}
