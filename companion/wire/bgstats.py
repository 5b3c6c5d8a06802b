"""A finished game in the words of BG Stats: the only ones there are, for screen, phones, exports and the hall."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from companion.wire.words import Words


class Scored(msgspec.Struct, frozen=True):
    """How a game ended for one player."""

    seat: int
    name: str
    points: int | float
    won: bool


def title(game: str) -> str:
    """What exports call a game: its own name in English, its id where nobody has words for it."""
    words, key = Words("en"), f"{game}/title"
    return words.say(key) if words.knows(key) else game


def in_words(
    play: str, game: str, name: str, began: float, minutes: int, players: Sequence[Scored], *, highest_wins: bool
) -> dict[str, Any]:
    """One play. A player is known by their name, whatever its case: short enough for a QR code."""
    best = sorted((player.points for player in players), reverse=highest_wins)
    return {
        "sourceName": "Tableside",
        "sourcePlayId": play,
        "playDate": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(began)),
        "durationMin": minutes,
        "game": {"name": name or title(game), "sourceGameId": game, "highestWins": highest_wins},
        "players": [
            {
                "name": player.name,
                "sourcePlayerId": player.name.casefold(),
                "score": player.points,
                "winner": player.won,
                "rank": best.index(player.points) + 1,
                "startPlayer": player.seat == 0,
            }
            for player in players
        ],
    }
