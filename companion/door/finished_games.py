"""Finished games as the phone shows them: results, charts, who wins how often and where points come from.

Only what everybody at the table saw: tallies and charts. Moves, secrets and keys stay in the journal.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.past.history import Finished, Play

SOURCES = 8


def _game(play: Play) -> dict[str, Any]:
    return {
        "id": play.id,
        "game": play.game,
        "began": int(play.began),
        "minutes": play.minutes,
        "chart": play.chart,
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "total": player.total,
                "won": player.seat in play.tally.winners,
            }
            for player in play.tally.players
        ],
    }


def _sources(finished: Finished, points: dict[str, dict[str, int]]) -> dict[str, list[dict[str, Any]]]:
    """The biggest sources of each game, named as its tallies name them."""
    return {
        game: [
            {"text": finished.named[game][line], "points": value}
            for line, value in list(lines.items())[:SOURCES]
            if value > 0
        ]
        for game, lines in points.items()
    }


def past(finished: Finished) -> bytes:
    """Everything the history page draws, in one answer."""
    figures = finished.figures.told()
    return msgspec.json.encode(
        {
            "games": [_game(play) for play, _ in finished.newest],
            "count": finished.count,
            "players": figures["players"],
            "sources": _sources(finished, figures["sources"]),
            "beat": figures["head_to_head"],
        }
    )
