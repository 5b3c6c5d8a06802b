"""A finished game as the link that fills in a play in BG Stats: the only one there is, for screen, phones and exports alike."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import quote

from companion.past.history import Play

BGG = {"praga": 308765}
"""BoardGameGeek's numbers where they are known for sure; BG Stats matches the other games by name."""


def play_in_words(play: Play) -> dict[str, Any]:
    """One play in the words of BG Stats. A player is known by their name, whatever its case: short enough for a QR code."""
    highest = play.tally.highest_wins
    best = sorted((player.total for player in play.tally.players), reverse=highest)
    game: dict[str, Any] = {"name": play.named, "sourceGameId": play.game, "highestWins": highest}
    if play.game in BGG:
        game["bggId"] = BGG[play.game]
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
