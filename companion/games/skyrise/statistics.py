"""The story of a game in figures: prestige of era I and of every wonder, and where all points came from."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from companion.game import Tally
from companion.games.skyrise.light import Light
from companion.games.skyrise.state import SkyriseState
from companion.games.skyrise.view import track


def statistics(state: SkyriseState | Light, tally: Tally) -> dict[str, Any]:
    """Per player: prestige gained in each step of the track, and points by source: the track line by line."""
    rows = [] if isinstance(state, Light) else track(state)
    return {
        "rounds": max((len(row) - 1 for row in rows), default=0),
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "rounds": [after - before for before, after in pairwise(rows[player.seat])] if rows else [],
                "sources": _sources(state, player.seat)
                | {
                    line.id: line.points for line in player.lines if line.points and (line.id != "prestige" or not rows)
                },
            }
            for player in tally.players
        ],
    }


def _sources(state: SkyriseState | Light, seat: int) -> dict[str, int]:
    """Prestige on the track by what it was given for."""
    found: dict[str, int] = {}
    for line in () if isinstance(state, Light) else state.scored:
        if line.seat == seat:
            found[f"track/{line.line}"] = found.get(f"track/{line.line}", 0) + line.points
    return found
