"""A final position named card by card, as values of a move, and the document they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Text, seat_name
from companion.games.skytopia import phrases
from companion.games.skytopia.printed import COLOURS, GUILDS, Numbers

KEY = phrases.KEY


def usual(numbers: Numbers, names: Sequence[str], points: Sequence[int], coins: Sequence[int]) -> dict[str, Any]:
    """The form with the first guild master of each group, as this box has them, and nobody's cards."""
    of_group = {numbers.group[guild]: guild for guild in reversed(GUILDS)}
    values: dict[str, Any] = {"guilds": [guild for _, guild in sorted(of_group.items())]}
    for seat in range(len(names)):
        values |= {f"p{seat}/track": points[seat], f"p{seat}/coins": coins[seat]}
        values |= {f"p{seat}/market_golems": 0, f"p{seat}/city": seat}
        values |= {f"p{seat}/{colour}": [] for colour in COLOURS}
    return values


def document(names: Sequence[str], values: Mapping[str, Any]) -> dict[str, Any]:
    """The document a filled form makes; what is missing is left out, so that reading it names the field."""
    players = []
    for seat, name in enumerate(names):
        player: dict[str, Any] = {"name": name or f"#{seat + 1}"}
        for key in ("city", "track", "coins", "market_golems"):
            if f"p{seat}/{key}" in values:
                player[key] = values[f"p{seat}/{key}"]
        towers = {colour: values[f"p{seat}/{colour}"] for colour in COLOURS if f"p{seat}/{colour}" in values}
        players.append({**player, "towers": towers})
    return {"game": "skytopia", "guilds": values.get("guilds", ()), "players": players}


WHY = (("only three cards", "copies"), ("already lies", "elsewhere"), ("golems", "golems"))
"""What the document's reader says, and the sentence a player reads for it."""


def _named(field: str) -> Text:
    """What a field of the document is called."""
    if field in COLOURS:
        return Text(KEY + "form/tower", {"colour": phrases.colour(field)})
    known = {"coins": "coins", "market_golems": "golems", "city": "city"}
    return phrases.plain(f"form/{known.get(field, 'track')}")


def wrong(values: Mapping[str, Any], problem: str) -> tuple[Text, Text]:
    """The field of the form that the document's reader stumbled over, and why, in a player's words."""
    path, _, said = problem.partition(": ")
    if path.startswith("guilds") or not path.startswith("players["):
        chosen = values.get("guilds")
        count = len(chosen) if isinstance(chosen, list | tuple) else 0
        return phrases.plain("form/guilds"), Text(KEY + "form/why/three", {"n": count})
    seat, _, rest = path.removeprefix("players[").partition("]")
    name = rest.removeprefix(".towers").lstrip(".").partition("[")[0]
    field = _named(name)
    key = next((key for part, key in WHY if part in said), "value")
    return Text(KEY + "form/of", {"seat": seat_name(int(seat)), "field": field}), phrases.plain(f"form/why/{key}")
