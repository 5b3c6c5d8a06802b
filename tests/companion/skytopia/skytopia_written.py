"""A played game written down: as a document, and as the form filled with it. All depths must come to the same total."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.skytopia.printed import COLOURS, UNKNOWN
from companion.games.skytopia.state import SkytopiaState, own_golems


def of_state(state: SkytopiaState) -> dict[str, Any]:
    """The final position of a played game, as a document."""
    return {
        "game": "skytopia",
        "guilds": list(state.guilds),
        "players": [
            {
                "name": player.name,
                "city": max(player.city, 0),
                "track": player.points,
                "coins": player.coins,
                "market_golems": len(own_golems(state, seat)),
                "towers": {c: [one for one in player.towers[k] if one != UNKNOWN] for k, c in enumerate(COLOURS)},
            }
            for seat, player in enumerate(state.players)
        ],
    }


def values_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The form filled with a document."""
    values: dict[str, Any] = {"guilds": list(document["guilds"])}
    for seat, player in enumerate(document["players"]):
        values |= {f"p{seat}/{key}": player[key] for key in ("track", "coins", "market_golems", "city")}
        values |= {f"p{seat}/{colour}": list(player["towers"][colour]) for colour in COLOURS}
    return values
