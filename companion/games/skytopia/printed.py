"""The printed numbers of the box, compiled once into a form the rules can read quickly."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec

from companion.box.printed import Box, load
from companion.games.skytopia import chronometer

PACKAGE = "companion.games.skytopia"
Colour = Literal["blue", "gold", "red", "violet"]
TileName = Literal["T1", "T2", "T3", "T4"]
SideName = Literal["A", "B"]
COLOURS: tuple[Colour, ...] = ("blue", "gold", "red", "violet")
CRESTS = ("C1", "C2", "C3", "C4")
TILES: tuple[TileName, ...] = ("T1", "T2", "T3", "T4")
SIDES: tuple[SideName, ...] = ("A", "B")
GUILDS = (
    *("builders", "architects", "mechanics", "engineers"),
    *("aeronauts", "merchants", "scientists", "chroniclers"),
    *("priests", "craftsmen", "artists", "alchemists"),
)
BASES = ("base-blue", "base-gold", "base-red", "base-violet")
MOST_TIERS = 9
UNKNOWN = "?"
"""A card that lies there but has not been identified."""


class Card(msgspec.Struct, frozen=True):
    """One tower card: its colour, what it does, whose crest it shows and from how many players it is in the deck."""

    id: str
    colour: int
    effect: str
    crest: str
    min_players: int


class Effect(msgspec.Struct, frozen=True):
    """What a card or base does when activated; `shape` says which choices it needs."""

    code: str
    shape: str
    """gain, take, tiers, rotate, move, set, repeat, row, crest or laboratory."""
    mark: str
    """What to draw for it: points, coins, rotate, move, place, add, repeat, row, laboratory."""
    value: int = 0
    points: int = 0
    coins: int = 0
    others: int = 0
    per_home: int = 0
    add: int = 0
    tiers: tuple[tuple[int, int], ...] = ()
    steps: int = 0
    """Rotate: how far one golem may turn. Set: how many steps the golem is set from the build symbol (0: nowhere)."""
    many: bool = False
    pay: int = 0
    from_market: bool = False
    colours: tuple[int, ...] = ()
    base_if_empty: bool = True
    box: str = ""
    """The printed value its figures come from."""


class Numbers(msgspec.Struct, frozen=True):
    """Everything printed, ready to use; faces index from 1, so row and column 0 of the tables are unused."""

    box: Box
    start: int
    direction: int
    prices: tuple[int, ...]
    """By steps to the build symbol; -1 at the symbol itself."""
    steps: tuple[tuple[int, ...], ...]
    """`steps[build][face]`"""
    price: tuple[tuple[int, ...], ...]
    """`price[build][face]`, -1 for the build value."""
    payable: tuple[tuple[frozenset[int], ...], ...]
    """`payable[build][coins]`: the faces this many coins will buy; whoever has more can buy what the last entry says."""
    coins: int
    initial_face: int
    dice: int
    compensation: int
    own_second: int
    coins_per_point: int
    golem_points: int
    laboratory_points: int
    extra_rounds: int
    effects: dict[str, Effect]
    cards: dict[str, Card]
    of_colour: tuple[tuple[str, ...], ...]
    in_deck: dict[int, tuple[tuple[str, ...], ...]]
    """By player count: the cards of each colour whose mark lets them in."""
    base_crest: tuple[tuple[str, ...], ...]
    """`base_crest[city][colour]`"""
    violet_crest: tuple[str, ...]
    """By city: the crest the violet base activates."""
    tile_colour: dict[str, int]
    ability: dict[str, dict[str, Any]]
    chain_protection: bool
    reach_added: bool
    base_pickable: bool
    over_occupied: bool
    group: dict[str, int]

    @property
    def dial(self) -> tuple[int, int]:
        """How the dial is printed: its start and the direction of the build value."""
        return self.start, self.direction

    def effect_of(self, card: str) -> str:
        """The effect of a card, `?` while nobody has said which it is."""
        return self.cards[card].effect if card in self.cards else UNKNOWN


def _position(prices: tuple[int, ...], price: int) -> int:
    """The steps of the frame position with this price, the longer way if two have it, 0 if none."""
    return max((left for left in range(1, 6) if prices[left] == price), default=0)


def _tiers(rows: Any) -> tuple[tuple[int, int], ...]:
    return tuple((int(pay), int(gain)) for pay, gain in rows)


def _colours(names: Any) -> tuple[int, ...]:
    return tuple(COLOURS.index(name) for name in names)


def _effects(box: Box, prices: tuple[int, ...]) -> dict[str, Effect]:
    """Cards and bases alike; a base is level 0 of its tower."""
    e, b = "effects.", "bases."

    def gain(code: str, mark: str, points: int = 0, coins: int = 0, others: int = 0, per_home: int = 0) -> Effect:
        figures = (points or coins or per_home, points, coins, others, per_home)
        return Effect(code, "gain", mark, *figures, box=_first_open(box, code))

    def setting(code: str, key: str) -> Effect:
        price = box[f"{key}.price_face"]
        pay = price if box[f"{key}.pay"] else 0
        wide = box[f"{key}.source"] == "reserve_or_market"
        left = _position(prices, price)
        return Effect(code, "set", "place", price, steps=left, pay=pay, from_market=wide, box=f"{key}.price_face")

    blue, card_tiers = _tiers(box[b + "blue.tiers"]), _tiers(box[e + "B4.tiers"])
    rotate, turn = box[e + "R1.max_steps"], box[e + "R2.steps"]
    row_colours = _colours(box[e + "V4.colours"])
    listed = (
        Effect("B1", "take", "points", box[e + "B1.pp"], points=box[e + "B1.pp"], box=e + "B1.pp"),
        gain("B2", "points", points=box[e + "B2.pp"]),
        gain("B3", "points", others=box[e + "B3.others_coins"], points=box[e + "B3.pp"]),
        Effect("B4", "tiers", "points", card_tiers[-1][1], tiers=card_tiers, box=e + "B4.tiers"),
        Effect("G1", "take", "coins", box[e + "G1.coins"], coins=box[e + "G1.coins"], box=e + "G1.coins"),
        gain("G2", "coins", coins=box[e + "G2.coins"]),
        gain("G3", "coins", others=box[e + "G3.others_coins"], coins=box[e + "G3.coins"]),
        gain("G4", "coins", per_home=box[e + "G4.coins_per_reserve_die"]),
        Effect("R1", "rotate", "rotate", rotate, steps=rotate, box=e + "R1.max_steps"),
        Effect("R2", "rotate", "rotate", turn, steps=turn, many=True, box=e + "R2.steps"),
        Effect("R3", "move", "move", 1),
        setting("R4", e + "R4"),
        Effect("V1", "take", "add", box[e + "V1.add_cards"], add=box[e + "V1.add_cards"], box=e + "V1.add_cards"),
        Effect(
            *("V2", "repeat", "repeat", 1),
            colours=_colours(box[e + "V2.colours"]),
            base_if_empty=box[e + "V2.base_if_empty"],
            box=e + "V2.colours",
        ),
        Effect("V3", "laboratory", "laboratory", box["endgame.pp_per_laboratory"]),
        Effect("V4", "row", "row", 1, others=box[e + "V4.others_coins"], colours=row_colours, box=e + "V4.colours"),
        Effect("base-blue", "tiers", "points", blue[-1][1], tiers=blue, box=b + "blue.tiers"),
        Effect("base-gold", "gain", "coins", box[b + "gold.coins"], coins=box[b + "gold.coins"], box=b + "gold.coins"),
        setting("base-red", b + "red"),
        Effect("base-violet", "crest", "repeat", 1, box=b + "violet.crest"),
    )
    return {effect.code: effect for effect in listed}


def _first_open(box: Box, code: str) -> str:
    keys = [f"effects.{code}.{name}" for name in box.under(f"effects.{code}")]
    return next(iter(box.unconfirmed(keys)), keys[-1])


def _cards(box: Box) -> dict[str, Card]:
    found = {}
    for colour, letter in enumerate("BGRV"):
        for number in "1234":
            for copy in "abc":
                name = f"{letter}{number}{copy}"
                crest, least = box[f"cards.{name}.crest"], box[f"cards.{name}.min_players"]
                found[name] = Card(name, colour, letter + number, crest, least)
    return found


def _affordable(prices: tuple[int, ...], coins: int) -> frozenset[int]:
    return frozenset(face for face, price in enumerate(prices) if face and 0 <= price <= coins)


def compiled(box: Box) -> Numbers:
    """The numbers of one box."""
    direction = box["chronometer.dir"]
    prices = (-1, *(box[f"chronometer.price_by_steps.{left}"] for left in range(1, 6)))
    none = (0,) * 7
    steps = (none, *((0, *(chronometer.steps(face, b, direction) for face in range(1, 7))) for b in range(1, 7)))
    price = tuple(tuple(prices[left] for left in row) for row in steps)
    cards = _cards(box)
    of_colour = tuple(tuple(c.id for c in cards.values() if c.colour == colour) for colour in range(4))
    crests = tuple(tuple(box[f"cities.{city}.{colour}"] for colour in COLOURS) for city in range(4))
    violet = box["bases.violet.crest"]
    return Numbers(
        box=box,
        start=box["chronometer.start_value"],
        direction=direction,
        prices=prices,
        steps=steps,
        price=price,
        payable=tuple(tuple(_affordable(row, coins) for coins in range(max(prices) + 1)) for row in price),
        coins=box["setup.coins"],
        initial_face=box["setup.initial_die_value"],
        dice=box["setup.dice_per_player"],
        compensation=box["compensation.coins_per_die"],
        own_second=box["rules.own_second_die_coins"],
        coins_per_point=box["endgame.coins_per_pp"],
        golem_points=box["endgame.pp_per_market_golem"],
        laboratory_points=box["endgame.pp_per_laboratory"],
        extra_rounds=box["endgame.extra_rounds"],
        effects=_effects(box, prices),
        cards=cards,
        of_colour=of_colour,
        in_deck={n: tuple(tuple(c for c in row if cards[c].min_players <= n) for row in of_colour) for n in (2, 3, 4)},
        base_crest=crests,
        violet_crest=tuple(row[3] if violet == "own_base_crest" else violet for row in crests),
        tile_colour={tile: COLOURS.index(box[f"abilities.tile_colour.{tile}"]) for tile in TILES},
        ability={tile + side: box.under(f"abilities.{tile}{side}") for tile in TILES for side in SIDES},
        chain_protection=box["rules.chain_protection"],
        reach_added=box["rules.activate_cards_added_mid_activation"],
        base_pickable=box["rules.violet_base_may_pick_base"],
        over_occupied=box["rules.rotate_over_occupied"],
        group={guild: box[f"guilds.group.{guild}"] for guild in GUILDS},
    )


def problem(box: Box) -> str:
    """What cannot be printed like that, or not together; empty when all is well."""
    if box["setup.initial_die_value"] == box["chronometer.start_value"]:
        return "setup.initial_die_value: a golem on the start value would be finished in round 1"
    if all(box[f"chronometer.price_by_steps.{left}"] for left in range(1, 6)):
        return "chronometer.price_by_steps: one place is free, or a table without coins would stand still"
    for key in ("effects.B4.tiers", "bases.blue.tiers"):
        rows = box[key]
        if not rows or any(len(row) != 2 or min(row) < 0 for row in rows):
            return f"{key}: each tier is a pair, coins and points"
        if len(rows) > MOST_TIERS:
            return f"{key}: there are at most {MOST_TIERS} tiers"
    groups = {box[f"guilds.group.{guild}"] for guild in GUILDS}
    for group in (1, 2, 3):
        if group not in groups:
            return f"guilds.group: no guild master is left in group {'I' * group}"
    for key in (
        "effects.V2.colours",
        "effects.V4.colours",
        "guilds.pair_colours.mechanics",
        "guilds.pair_colours.engineers",
    ):
        names = box[key]
        if not names or any(name not in COLOURS for name in names):
            return f"{key}: the colours are {', '.join(COLOURS)}"
        if "pair" in key and len(names) != 2:
            return f"{key}: a pair is two colours"
    return ""


@lru_cache(maxsize=64)
def _compiled(overrides: bytes) -> Numbers:
    box = load(PACKAGE, msgspec.json.decode(overrides))
    wrong = problem(box)
    if wrong:
        raise ValueError(wrong)
    return compiled(box)


def numbers(overrides: Mapping[str, Any]) -> Numbers:
    """The numbers of the shipped box under these overrides; a wrong one raises `ValueError` naming its key."""
    # checked before they are written down for the cache: whatever else is sent, only values of the right shape are
    checked = load(PACKAGE, overrides).overrides
    return _compiled(msgspec.json.encode(checked, order="deterministic"))
