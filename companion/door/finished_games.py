"""Finished games as the phone shows them: results, charts, who wins how often and where points come from.

Only what everybody at the table saw: tallies and charts. Moves, secrets and keys stay in the journal.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import msgspec

from companion.journal.store import Journal
from companion.past.history import Play, plays, statistics

SHOWN = 60
"""Games listed one by one; the statistics know all of them."""
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


def _sources(found: list[Play], points: dict[str, dict[str, int]]) -> dict[str, list[dict[str, Any]]]:
    """The biggest sources of each game, named as its tallies name them."""
    named: dict[str, dict[str, Any]] = defaultdict(dict)
    for play in found:
        for player in play.tally.players:
            for line in player.lines:
                named[play.game].setdefault(line.id, line.text)
    return {
        game: [
            {"text": named[game][line], "points": value} for line, value in list(lines.items())[:SOURCES] if value > 0
        ]
        for game, lines in points.items()
    }


def past(journal: Journal) -> bytes:
    """Everything the history page draws, in one answer."""
    found = plays(journal)
    figures = statistics(found)
    return msgspec.json.encode(
        {
            "games": [_game(play) for play in found[:SHOWN]],
            "count": len(found),
            "players": figures["players"],
            "sources": _sources(found, figures["sources"]),
            "beat": figures["head_to_head"],
        }
    )
