"""The guild masters: what each pays for a city at the end; bases count as cards in all of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.game import Text
from companion.games.skytopia.printed import COLOURS, UNKNOWN, Numbers
from companion.games.skytopia.state import colour_text


class Built(msgspec.Struct, frozen=True):
    """A card as it counts at the end: effect and crest, and the box value its crest comes from."""

    effect: str
    crest: str
    key: str = ""


class Skyline(msgspec.Struct, frozen=True):
    """A city as the guild masters see it: the base crest and the cards of each tower."""

    bases: tuple[str, ...]
    base_keys: tuple[str, ...]
    towers: tuple[tuple[Built, ...], ...]

    def size(self, colour: int) -> int:
        """Base and cards of a tower."""
        return 1 + len(self.towers[colour])

    def crests(self, colour: int) -> list[str]:
        """The crests of a tower, base first."""
        return [self.bases[colour], *(card.crest for card in self.towers[colour])]

    def crest_keys(self, colour: int) -> list[str]:
        """The box values these crests come from."""
        return [self.base_keys[colour], *(card.key for card in self.towers[colour] if card.key)]


def skyline(numbers: Numbers, city: int, towers: Sequence[Sequence[str]]) -> Skyline:
    """The city with these cards; a card nobody identified counts for its height only."""
    built = tuple(
        tuple(
            Built(UNKNOWN, "") if card == UNKNOWN else Built(card[:2], numbers.cards[card].crest, f"cards.{card}.crest")
            for card in tower
        )
        for tower in towers
    )
    keys = tuple(f"cities.{city}.{colour}" for colour in COLOURS)
    return Skyline(numbers.base_crest[city], keys, built)


class Praise(msgspec.Struct, frozen=True):
    """What one guild master gives one city, with the reason and the printed values it rests on."""

    points: int
    reason: Text
    keys: tuple[str, ...]


def praise(numbers: Numbers, guild: str, city: Skyline) -> Praise:
    """The points of one guild master."""
    box = numbers.box
    if guild == "builders":
        high = max(city.size(colour) for colour in range(4))
        return Praise(box["guilds.builders_pp"] * high, _reason(guild, high), ("guilds.builders_pp",))
    if guild == "architects":
        least = box["guilds.architects_threshold"]
        towers = sum(city.size(colour) >= least for colour in range(4))
        keys = ("guilds.architects_threshold", "guilds.architects_pp")
        reason = Text("skytopia/reason/architects", {"n": towers, "least": least})
        return Praise(box["guilds.architects_pp"] * towers, reason, keys)
    each = box["guilds.others_pp"]
    if guild in ("mechanics", "engineers"):
        key = f"guilds.pair_colours.{guild}"
        pair = [COLOURS.index(colour) for colour in box[key]]
        sets = min(city.size(colour) for colour in pair)
        reason = Text("skytopia/reason/pairs", {"n": sets, "a": colour_text(pair[0]), "b": colour_text(pair[-1])})
        return Praise(each * sets, reason, ("guilds.others_pp", key))
    if f"guilds.crest_set_colour.{guild}" in box.printed:
        key = f"guilds.crest_set_colour.{guild}"
        colour = COLOURS.index(box[key])
        kinds = len({crest for crest in city.crests(colour) if crest})
        reason = Text("skytopia/reason/crests", {"n": kinds, "colour": colour_text(colour)})
        return Praise(each * kinds, reason, ("guilds.others_pp", key, *city.crest_keys(colour)))
    key = f"guilds.crest_count.{guild}"
    wanted = box[key]
    shown = sum(city.crests(colour).count(wanted) for colour in range(4))
    reason = Text("skytopia/reason/crest", {"n": shown, "crest": Text(f"skytopia/crest/{wanted}")})
    every = [one for colour in range(4) for one in city.crest_keys(colour)]
    return Praise(each * shown, reason, ("guilds.others_pp", key, *every))


def _reason(guild: str, n: int) -> Text:
    return Text(f"skytopia/reason/{guild}", {"n": n})


def same_group(numbers: Numbers, revealed: Sequence[str]) -> tuple[str, str] | None:
    """Two of these guild masters that cannot be in play together: one of each group is revealed.

    The worked example of the rules shows two of one group side by side; that pair stands, as an unconfirmed fact.
    """
    together = set(numbers.box["guilds.seen_together"])
    for i, one in enumerate(revealed):
        for other in revealed[i + 1 :]:
            if one == other or (numbers.group[one] == numbers.group[other] and {one, other} != together):
                return one, other
    return None


def example_pair(numbers: Numbers, revealed: Sequence[str]) -> tuple[str, ...]:
    """The printed value a pair of one group rests on, when there is such a pair."""
    groups = [numbers.group[guild] for guild in revealed]
    return ("guilds.seen_together",) if len(set(groups)) < len(groups) else ()
