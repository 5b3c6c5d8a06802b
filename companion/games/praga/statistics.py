"""The story of a game in figures: points of each round, and where they all came from."""

from __future__ import annotations

from typing import Any

from companion.game import Tally
from companion.games.praga.state import PragaState


def statistics(state: PragaState, tally: Tally) -> dict[str, Any]:
    """Per player: points gained each round as the track showed them, and points by source of the score."""
    return {
        "rounds": len(state.chart),
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "rounds": _gained([row[player.seat] for row in state.chart]),
                "sources": {line.id: line.points for line in player.lines if line.points},
            }
            for player in tally.players
        ],
    }


def _gained(totals: list[int]) -> list[int]:
    return [total - (totals[i - 1] if i else 0) for i, total in enumerate(totals)]
