"""The final position as a form on screen or phone: its fields, and the document they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Field, Option, Text, seat_name
from companion.games.skytopia import phrases
from companion.games.skytopia.printed import COLOURS, GUILDS, Numbers

KEY = phrases.KEY


def fields(numbers: Numbers, names: Sequence[str], points: Sequence[int], coins: Sequence[int]) -> tuple[Field, ...]:
    """The three guild masters, then each player's things."""
    masters = tuple(Option(guild, Text(f"{KEY}guild/{guild}")) for guild in GUILDS)
    made = [Field("guilds", phrases.plain("form/guilds"), "many", (), 3, 3, masters)]
    for seat in range(len(names)):
        made += _player(numbers, seat, points[seat], coins[seat])
    return tuple(made)


def _player(numbers: Numbers, seat: int, points: int, coins: int) -> list[Field]:
    cities = tuple(
        Option(city, Text(KEY + "choice/city", {"blue": phrases.crest(numbers.base_crest[city][0])}))
        for city in range(4)
    )
    made = [
        Field(f"p{seat}/track", phrases.plain("form/track"), "number", points, 0, 999, seat=seat),
        Field(f"p{seat}/coins", phrases.plain("form/coins"), "number", coins, 0, 999, seat=seat),
        Field(f"p{seat}/market_golems", phrases.plain("form/golems"), "number", 0, 0, numbers.dice, seat=seat),
        Field(f"p{seat}/city", phrases.plain("form/city"), "pick", seat, options=cities, seat=seat),
    ]
    for k, colour in enumerate(COLOURS):
        cards = tuple(Option(card, _card(numbers, card)) for card in numbers.of_colour[k])
        text = Text(KEY + "form/tower", {"colour": phrases.colour(colour)})
        made.append(Field(f"p{seat}/{colour}", text, "many", (), options=cards, seat=seat))
    return made


def _card(numbers: Numbers, card: str) -> Text:
    crest = phrases.crest(numbers.cards[card].crest)
    return Text(KEY + "choice/card", {"effect": phrases.card(card), "crest": crest})


def usual(numbers: Numbers, names: Sequence[str], points: Sequence[int], coins: Sequence[int]) -> dict[str, Any]:
    """The form with the first guild master of each group, as this box has them, and nobody's cards."""
    of_group = {numbers.group[guild]: guild for guild in reversed(GUILDS)}
    values: dict[str, Any] = {"guilds": [guild for _, guild in sorted(of_group.items())]}
    for seat in range(len(names)):
        values |= {f"p{seat}/track": points[seat], f"p{seat}/coins": coins[seat]}
        values |= {f"p{seat}/market_golems": 0, f"p{seat}/city": seat}
        values |= {f"p{seat}/{colour}": [] for colour in COLOURS}
    return values


def values_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The form filled with a document."""
    values: dict[str, Any] = {"guilds": list(document["guilds"])}
    for seat, player in enumerate(document["players"]):
        values |= {f"p{seat}/{key}": player[key] for key in ("track", "coins", "market_golems", "city")}
        values |= {f"p{seat}/{colour}": list(player["towers"][colour]) for colour in COLOURS}
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


def wrong(numbers: Numbers, values: Mapping[str, Any], problem: str) -> tuple[Text, Text]:
    """The field of the form that the document's reader stumbled over, and why, in a player's words."""
    path, _, said = problem.partition(": ")
    if path.startswith("guilds") or not path.startswith("players["):
        chosen = values.get("guilds")
        count = len(chosen) if isinstance(chosen, list | tuple) else 0
        return phrases.plain("form/guilds"), Text(KEY + "form/why/three", {"n": count})
    seat, _, rest = path.removeprefix("players[").partition("]")
    name = rest.removeprefix(".towers").lstrip(".").partition("[")[0]
    known = {field.id: field for field in _player(numbers, int(seat), 0, 0)}
    field = known.get(f"p{seat}/{name}", known[f"p{seat}/track"])
    key = next((key for part, key in WHY if part in said), "value")
    return Text(KEY + "form/of", {"seat": seat_name(int(seat)), "field": field.text}), phrases.plain(f"form/why/{key}")
