"""The guild masters: what each pays for a city at the end; bases count as cards in all of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.game import Text
from companion.games.skytopia import phrases
from companion.games.skytopia.printed import COLOURS, UNKNOWN, Numbers


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

    def kinds(self, colour: int) -> int:
        """Different crests of a tower."""
        return len({crest for crest in self.crests(colour) if crest})

    def shown(self, crest: str) -> int:
        """How often a crest is seen in the city."""
        return sum(self.crests(colour).count(crest) for colour in range(4))

    def crest_keys(self, colour: int) -> list[str]:
        """The box values these crests come from."""
        return [self.base_keys[colour], *(card.key for card in self.towers[colour] if card.key)]

    @property
    def cards(self) -> int:
        """Cards built, without the bases."""
        return sum(len(tower) for tower in self.towers)

    @property
    def laboratories(self) -> int:
        """Cards that are worth something at the end by themselves."""
        return sum(card.effect == "V3" for tower in self.towers for card in tower)


class Counted(msgspec.Struct, frozen=True):
    """A city as its player counted it: heights, and of crests only what the guild masters in play ask for."""

    heights: tuple[int, ...]
    """Cards of each tower, without its base."""
    crests: dict[str, int]
    """Crests each guild master counts, bases included."""
    laboratories: int = 0
    of: dict[str, str] = {}
    """Colour or crest a guild master counts -> the guild."""

    def size(self, colour: int) -> int:
        """Base and cards of a tower."""
        return 1 + self.heights[colour]

    def kinds(self, colour: int) -> int:
        """Different crests of a tower."""
        return self.crests[self.of[COLOURS[colour]]]

    def shown(self, crest: str) -> int:
        """How often a crest is seen in the city."""
        return self.crests[self.of[crest]]

    def crest_keys(self, colour: int) -> list[str]:
        """None: the crests were seen on the table."""
        return []

    @property
    def cards(self) -> int:
        """Cards built, without the bases."""
        return sum(self.heights)


City = Skyline | Counted


def counts(numbers: Numbers, guild: str) -> str:
    """The colour whose different crests a guild master counts, or the crest; empty for one that looks at heights."""
    for kind in ("crest_set_colour", "crest_count"):
        if f"guilds.{kind}.{guild}" in numbers.box.printed:
            return str(numbers.box[f"guilds.{kind}.{guild}"])
    return ""


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


def praise(numbers: Numbers, guild: str, city: City) -> Praise:
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
        reason = Text("skytopia/reason/pairs", {"n": sets, "a": phrases.colour(pair[0]), "b": phrases.colour(pair[-1])})
        return Praise(each * sets, reason, ("guilds.others_pp", key))
    if f"guilds.crest_set_colour.{guild}" in box.printed:
        key = f"guilds.crest_set_colour.{guild}"
        colour = COLOURS.index(box[key])
        kinds = city.kinds(colour)
        reason = Text("skytopia/reason/crests", {"n": kinds, "colour": phrases.colour(colour)})
        return Praise(each * kinds, reason, ("guilds.others_pp", key, *city.crest_keys(colour)))
    key = f"guilds.crest_count.{guild}"
    wanted = box[key]
    shown = city.shown(wanted)
    reason = Text("skytopia/reason/crest", {"n": shown, "crest": phrases.crest(numbers, wanted)})
    every = [one for colour in range(4) for one in city.crest_keys(colour)]
    return Praise(each * shown, reason, ("guilds.others_pp", key, *every))


def _reason(guild: str, n: int) -> Text:
    return Text(f"skytopia/reason/{guild}", {"n": n})


def does(numbers: Numbers, guild: str) -> Text:
    """What a guild master pays, and for what: with the crest, the colours and the points of this copy."""
    box = numbers.box
    if guild == "builders":
        return Text("skytopia/does/tallest", {"points": phrases.points(box["guilds.builders_pp"])})
    if guild == "architects":
        least = box["guilds.architects_threshold"]
        return Text("skytopia/does/tall", {"points": phrases.points(box["guilds.architects_pp"]), "n": least})
    each, what = phrases.points(box["guilds.others_pp"]), counts(numbers, guild)
    if guild in ("mechanics", "engineers"):
        a, b = (phrases.colour(colour) for colour in box[f"guilds.pair_colours.{guild}"])
        return Text("skytopia/does/pairs", {"points": each, "a": a, "b": b})
    if what in COLOURS:
        return Text("skytopia/does/kinds", {"points": each, "colour": phrases.colour(what)})
    return Text("skytopia/does/crest", {"points": each, "crest": phrases.crest(numbers, what)})


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
