"""The end of a game that was only counted: the guild masters first, then each player counts what these ask for.

Nobody names cards: heights of towers and numbers of crests are seen at a glance, a field each, and each phone has its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.game import Field, Option, Text, seat_name
from companion.games.skytopia import document, guilds, phrases
from companion.games.skytopia.guilds import Counted
from companion.games.skytopia.printed import COLOURS, CRESTS, GUILDS, Numbers
from companion.games.skytopia.refuse import refused
from companion.games.skytopia.scoring import Ending

KEY = phrases.KEY
TALLEST, LABORATORIES = 12, 3
"""Cards of one colour, and laboratories, in a box."""


class Count(msgspec.Struct, frozen=True):
    """What one player has at the end."""

    track: int
    coins: int
    golems: int
    city: Counted

    def said(self) -> dict[str, int]:
        """By field."""
        city = self.city
        own = {"track": self.track, "coins": self.coins, "market_golems": self.golems}
        return {
            **own,
            **dict(zip(COLOURS, city.heights, strict=True)),
            "laboratories": city.laboratories,
            **city.crests,
        }

    def ending(self, name: str) -> Ending:
        """The same as the scoring reads it."""
        return Ending(name, self.track, self.coins, self.golems, self.city)


def masters() -> Field:
    """The three guild masters."""
    options = tuple(Option(guild, Text(f"{KEY}guild/{guild}")) for guild in GUILDS)
    return Field("guilds", phrases.plain("form/guilds"), "many", (), 3, 3, options)


def chosen(numbers: Numbers, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The guild masters somebody named, one of each group."""
    named = values.get("guilds")
    found = tuple(str(one) for one in named) if isinstance(named, list | tuple) else ()
    try:
        if len(found) != 3:
            raise ValueError
        document.check_guilds(found, numbers)
    except ValueError as error:
        why = Text(KEY + "form/why/three", {"n": len(found)})
        raise refused("form", at="guilds", field=phrases.plain("form/guilds"), why=why) from error
    return found


def fields(
    numbers: Numbers, revealed: Sequence[str], seat: int, points: int, coins: int, known: Count | None = None
) -> tuple[Field, ...]:
    """What one player counts, or has counted; a number nobody has said yet is a dash, not a nought."""
    said = known.said() if known is not None else {}

    def number(name: str, text: Text, value: int | None, low: int, high: int) -> Field:
        return Field(f"p{seat}/{name}", text, "number", said.get(name, value), low, high, seat=seat)

    towers = [
        number(colour, Text(KEY + "form/height", {"colour": phrases.colour(colour)}), None, 0, TALLEST)
        for colour in COLOURS
    ]
    crests = [
        number(guild, _crests(numbers, guild), None, 0 if guilds.counts(numbers, guild) in CRESTS else 1, 52)
        for guild in revealed
        if guilds.counts(numbers, guild)
    ]
    return (
        number("track", phrases.plain("form/track"), points, 0, 999),
        number("coins", phrases.plain("form/coins"), coins, 0, 999),
        number("market_golems", phrases.plain("form/golems"), 0, 0, numbers.dice),
        *towers,
        number("laboratories", phrases.plain("form/laboratories"), 0, 0, LABORATORIES),
        *crests,
    )


def _crests(numbers: Numbers, guild: str) -> Text:
    what = guilds.counts(numbers, guild)
    if what in CRESTS:
        return Text(KEY + "form/crest-count", {"crest": phrases.crest(numbers, what)})
    return Text(KEY + "form/crest-kinds", {"colour": phrases.colour(what)})


def counted(
    numbers: Numbers, revealed: Sequence[str], values: Mapping[str, Any], seat: int, points: int, coins: int
) -> Count:
    """What a player entered, every field of it; a refusal names the first that is missing or cannot be."""
    found: dict[str, int] = {}
    for field in fields(numbers, revealed, seat, points, coins):
        value = values.get(field.id, field.value)
        if not isinstance(value, int) or isinstance(value, bool) or not (field.low or 0) <= value <= (field.high or 0):
            raise _wrong(seat, field, "missing" if value is None else "value")
        found[field.id.partition("/")[2]] = value
    heights = tuple(found[colour] for colour in COLOURS)
    crests = {guild: found[guild] for guild in revealed if guild in found}
    of = {guilds.counts(numbers, guild): guild for guild in crests}
    city = Counted(heights, crests, found["laboratories"], of)
    for field in fields(numbers, revealed, seat, points, coins):
        guild = field.id.partition("/")[2]
        if guild in crests and crests[guild] > _most(numbers, guild, city):
            raise _wrong(seat, field, "value")
    return Count(found["track"], found["coins"], found["market_golems"], city)


def complete(numbers: Numbers, revealed: Sequence[str], count: Count) -> bool:
    """Everything the guild masters ask for was counted."""
    return all(guild in count.city.crests for guild in revealed if guilds.counts(numbers, guild))


def still_true(numbers: Numbers, count: Count) -> Count:
    """A count after our copy said otherwise: without the crests of guild masters that now ask for others."""
    of = {what: guild for what, guild in count.city.of.items() if guilds.counts(numbers, guild) == what}
    crests = {guild: number for guild, number in count.city.crests.items() if guild in of.values()}
    return msgspec.structs.replace(count, city=msgspec.structs.replace(count.city, crests=crests, of=of))


def _most(numbers: Numbers, guild: str, city: Counted) -> int:
    """As many crests as there are cards to carry them."""
    what = guilds.counts(numbers, guild)
    return city.cards + 4 if what in CRESTS else min(len(CRESTS), city.size(COLOURS.index(what)))


def _wrong(seat: int, field: Field, why: str) -> Exception:
    named = Text(KEY + "form/of", {"seat": seat_name(seat), "field": field.text})
    return refused("form", at=field.id, field=named, why=phrases.plain(f"form/why/{why}"))


def usual(numbers: Numbers, revealed: Sequence[str], seat: int, points: int, coins: int) -> dict[str, Any]:
    """The fields of a player who has built nothing: the least of every number nobody has said."""
    return {
        field.id: field.low if field.value is None else field.value
        for field in fields(numbers, revealed, seat, points, coins)
    }
