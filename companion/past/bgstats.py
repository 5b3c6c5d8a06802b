"""A finished game as the link that fills in a play in BG Stats: the only one there is, for screen, phones and exports alike."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import quote

from companion.core.registry import UnknownGameError, pack
from companion.past.history import Play


def bgg_id(game: str) -> int:
    """BoardGameGeek's number as the pack says it, 0 where it says none: BG Stats matches such a game by name."""
    try:
        return pack(game).bgg_id
    except UnknownGameError:
        return 0


def play_in_words(play: Play) -> dict[str, Any]:
    """One play in the words of BG Stats. A player is known by their name, whatever its case: short enough for a QR code."""
    highest = play.tally.highest_wins
    best = sorted((player.total for player in play.tally.players), reverse=highest)
    game: dict[str, Any] = {"name": play.named, "sourceGameId": play.game, "highestWins": highest}
    number = bgg_id(play.game)
    if number:
        game["bggId"] = number
    return {
        "sourceName": "Tableside",
        "sourcePlayId": play.id,
        "playDate": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(play.began)),
        "durationMin": play.minutes,
        "game": game,
        "players": [
            {
                "name": player.name,
                "sourcePlayerId": player.name.casefold(),
                "score": player.total,
                "winner": player.seat in play.tally.winners,
                "rank": best.index(player.total) + 1,
                "startPlayer": player.seat == 0,
            }
            for player in play.tally.players
        ],
    }


def link(play: Play) -> str:
    """The link a phone with BG Stats opens to log the play. Nothing leaves the table until somebody follows it."""
    compact = json.dumps(play_in_words(play), separators=(",", ":"), ensure_ascii=False)
    return "https://app.bgstatsapp.com/createPlay.html?data=" + quote(compact, safe="")
