"""The final score, line by line with its reason, and who wins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from companion.box.printed import printed
from companion.game import PlayerTally, Tally, TallyLine, Text
from companion.games.skytopia import guilds
from companion.games.skytopia.printed import PACKAGE, Numbers
from companion.games.skytopia.state import Player, SkytopiaState, own_golems


class Ending(msgspec.Struct, frozen=True):
    """What one player has at the end."""

    name: str
    track: int
    coins: int
    golems: int
    """Own dice still on market cards."""
    city: guilds.City
    track_keys: tuple[str, ...] = ()
    """Printed values the points on the track come from, where the game was followed move by move."""
    coin_keys: tuple[str, ...] = ()
    """The same for the coins."""


def endings(state: SkytopiaState) -> list[Ending]:
    """The position of every player in a state."""
    return [
        Ending(
            player.name,
            player.points,
            player.coins,
            len(own_golems(state, seat)),
            guilds.skyline(state.numbers, max(player.city, 0), player.towers),
            track_keys(player),
            coin_keys(state.numbers, state.purses[seat] if state.purses else ()),
        )
        for seat, player in enumerate(state.players)
    ]


def track_keys(player: Player) -> tuple[str, ...]:
    """The printed numbers the track's points come from; a track set right by hand was read off the table."""
    sources: dict[str, None] = {}
    for _, source, _ in player.gained:
        if source == "correction":
            sources.clear()
        else:
            sources[source] = None
    return _printed_for(tuple(sources))


def coin_keys(numbers: Numbers, purse: Sequence[str]) -> tuple[str, ...]:
    """The printed numbers a player's coins were paid and received by."""
    prices = [f"chronometer.price_by_steps.{s.removeprefix('price/')}" for s in purse if s.startswith("price/")]
    given = {f"effects.{s.removesuffix('/others')}.others_coins" for s in purse if s.endswith("/others")}
    return (*sorted(prices), *sorted(given & set(numbers.box)), *_printed_for(tuple(purse)))


@lru_cache(maxsize=1024)
def _printed_for(sources: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of these cards, bases and tiles, in the order of the box; from move to move they are mostly the same."""
    under = tuple(_printed_under(source) for source in sources)
    return tuple(key for key in printed(PACKAGE) if key.startswith(under) and not key.endswith(".timing"))


def _printed_under(source: str) -> str:
    """Where the box keeps the numbers of a card, a base or an ability tile."""
    if source.startswith("base-"):
        return f"bases.{source.removeprefix('base-')}."
    return f"abilities.{source}." if source.startswith("T") else f"effects.{source}."


def _line(numbers: Numbers, name: str, points: int, reason: Text, keys: Sequence[str] = ()) -> TallyLine:
    return TallyLine(name, Text(f"skytopia/line/{name}"), points, reason, numbers.box.unconfirmed(keys))


def player_tally(numbers: Numbers, revealed: Sequence[str], seat: int, end: Ending) -> PlayerTally:
    """Every point of one player."""
    reason = Text("skytopia/reason/track", {"n": end.track})
    lines = [_line(numbers, "track", end.track, reason, end.track_keys)]
    for guild in revealed:
        paid = guilds.praise(numbers, guild, end.city)
        lines.append(_line(numbers, f"guild/{guild}", paid.points, paid.reason, paid.keys))
    laboratories = end.city.laboratories
    each = numbers.laboratory_points
    reason = Text("skytopia/reason/laboratories", {"n": laboratories, "each": each})
    lines.append(_line(numbers, "laboratories", each * laboratories, reason, ("endgame.pp_per_laboratory",)))
    points, leftover = divmod(end.coins, numbers.coins_per_point)
    reason = Text("skytopia/reason/coins", {"n": end.coins, "each": numbers.coins_per_point})
    lines.append(_line(numbers, "coins", points, reason, ("endgame.coins_per_pp", *end.coin_keys)))
    reason = Text("skytopia/reason/golems", {"n": end.golems})
    lines.append(_line(numbers, "golems", numbers.golem_points * end.golems, reason, ("endgame.pp_per_market_golem",)))
    total = sum(line.points for line in lines)
    return PlayerTally(seat, end.name, total, tuple(lines), {"leftover_coins": leftover, "cards": end.city.cards})


def tally(numbers: Numbers, revealed: Sequence[str], ends: Sequence[Ending]) -> Tally:
    """The whole score; ties go to fewer cards, then to more coins left over, then are shared."""
    players = tuple(player_tally(numbers, revealed, seat, end) for seat, end in enumerate(ends))
    best = max(player.total for player in players)
    leaders = [player for player in players if player.total == best]
    tie = None
    if len(leaders) > 1:
        fewest = min(_figure(player, "cards") for player in leaders)
        by_cards = [player for player in leaders if _figure(player, "cards") == fewest]
        most = max(_figure(player, "leftover_coins") for player in by_cards)
        by_coins = [player for player in by_cards if _figure(player, "leftover_coins") == most]
        if len(by_cards) == 1:
            tie = Text("skytopia/tie/cards", {"n": fewest})
        elif len(by_coins) == 1:
            tie = Text("skytopia/tie/coins", {"n": most})
        else:
            tie = Text("skytopia/tie/shared")
        leaders = by_coins
    used = [key for player in players for line in player.lines for key in line.unconfirmed]
    open_keys = numbers.box.unconfirmed([*used, *guilds.example_pair(numbers, revealed)])
    return Tally(players, tuple(player.seat for player in leaders), tie, open_keys)


def _figure(player: PlayerTally, name: str) -> int:
    return int(player.extra[name])
