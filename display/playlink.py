"""A finished game as the link that fills in a play in BG Stats."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from companion.game import Tally
from display.view import View


def play_link(view: View, tally: Tally) -> str:
    """The play for BG Stats, as its own link; nothing leaves the table until somebody scans it."""
    state = view.state
    given = view.table.get("bgstats")
    if isinstance(given, str) and given:
        return given
    players: list[dict[str, Any]] = [
        {"name": p.name, "score": str(p.total), "winner": p.seat in tally.winners, "sourcePlayerId": p.name.lower()}
        for p in tally.players
    ]
    game = state.game if state else ""
    play = {
        "sourceName": "Tableside",
        "sourcePlayId": state.game_id if state else "",
        "game": {"name": game.capitalize(), "sourceGameId": game, "highestWins": tally.highest_wins},
        "players": players,
    }
    return "https://app.bgstatsapp.com/createPlay.html?data=" + quote(
        json.dumps(play, separators=(",", ":"), ensure_ascii=False)
    )
