"""A final position written by hand: read strictly, every error names its field, scored like a played game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from companion.game import Tally
from companion.games.kit.documents import decoded
from companion.games.skytopia import guilds, scoring
from companion.games.skytopia.printed import COLOURS, CRESTS, GUILDS, Numbers, numbers

Points = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Golems = Annotated[int, msgspec.Meta(ge=0)]
EFFECTS = tuple(letter + number for letter in "BGRV" for number in "1234")
LEAST = 1
"""A position of one player alone may be scored too."""


class CardShown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card described by what it shows."""

    effect: str
    crest: str


CardGiven = str | CardShown


class Towers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The four towers, bottom to top, bases left out."""

    blue: tuple[CardGiven, ...] = ()
    gold: tuple[CardGiven, ...] = ()
    red: tuple[CardGiven, ...] = ()
    violet: tuple[CardGiven, ...] = ()


class PlayerGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one player has at the end."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    city: Annotated[int, msgspec.Meta(ge=0, le=3)]
    track: Points
    coins: Points
    market_golems: Golems
    towers: Towers


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A final position of Skytopia."""

    game: Literal["skytopia"]
    guilds: Annotated[tuple[str, ...], msgspec.Meta(min_length=3, max_length=3)]
    players: tuple[PlayerGiven, ...]


def read(given: Mapping[str, Any], made: Numbers) -> Document:
    """The document, checked; `ValueError` names the field that is wrong."""
    document = decoded(given, Document)
    if not LEAST <= len(document.players) <= 4:
        raise ValueError(f"players: Skytopia has at most 4 players and at least one, not {len(document.players)}")
    check_guilds(document.guilds, made)
    names = [player.name for player in document.players]
    cities = [player.city for player in document.players]
    for i, (name, city) in enumerate(zip(names, cities, strict=True)):
        if name in names[:i]:
            raise ValueError(f"players[{i}].name: two players are called {name!r}")
        if city in cities[:i]:
            raise ValueError(f"players[{i}].city: {names[cities.index(city)]!r} has city {city} already")
    _check_cards(document, made)
    return document


def check_guilds(revealed: Sequence[str], made: Numbers) -> None:
    """Guild masters that can be in play together; `ValueError` names the one that cannot."""
    for i, guild in enumerate(revealed):
        if guild not in GUILDS:
            raise ValueError(f"guilds[{i}]: there is no guild {guild[:40]!r}; they are {', '.join(GUILDS)}")
    pair = guilds.same_group(made, revealed)
    if pair:
        group = "I" * made.group[pair[1]]
        where = f"guilds[{len(revealed) - 1 - revealed[::-1].index(pair[1])}]"
        raise ValueError(f"{where}: {pair[0]} and {pair[1]} are both of group {group}; one of each is revealed")


def _check_cards(document: Document, made: Numbers) -> None:
    seen: dict[str, str] = {}
    copies: dict[str, int] = {}
    for i, player in enumerate(document.players):
        if player.market_golems > made.dice:
            raise ValueError(f"players[{i}].market_golems: {player.market_golems} is more than {made.dice} golems")
        for colour in COLOURS:
            for level, card in enumerate(getattr(player.towers, colour)):
                where = f"players[{i}].towers.{colour}[{level}]"
                effect = _check_card(card, colour, where, made)
                copies[effect] = copies.get(effect, 0) + 1
                if copies[effect] > 3:
                    raise ValueError(f"{where}: there are only three cards {effect}")
                if isinstance(card, str):
                    if card in seen:
                        raise ValueError(f"{where}: {card} already lies at {seen[card]}")
                    seen[card] = where


def _check_card(card: CardGiven, colour: str, where: str, made: Numbers) -> str:
    """The effect of a card that may lie in a tower of this colour."""
    if isinstance(card, str):
        if card not in made.cards:
            raise ValueError(f"{where}: there is no card {card[:40]!r}; ids run from B1a to V4c")
        effect = made.cards[card].effect
    else:
        effect = card.effect
        if effect not in EFFECTS:
            raise ValueError(f"{where}.effect: there is no effect {effect[:40]!r}; they run from B1 to V4")
        if card.crest not in CRESTS:
            raise ValueError(f"{where}.crest: there is no crest {card.crest[:40]!r}; they are {', '.join(CRESTS)}")
    real = COLOURS["BGRV".index(effect[0])]
    if real != colour:
        raise ValueError(f"{where}: {effect} is a {real} card and cannot stand in the {colour} tower")
    return effect


def ending(player: PlayerGiven, made: Numbers) -> scoring.Ending:
    """What one player has, as the scoring reads it."""
    towers = tuple(tuple(_built(card, made) for card in getattr(player.towers, colour)) for colour in COLOURS)
    keys = tuple(f"cities.{player.city}.{colour}" for colour in COLOURS)
    city = guilds.Skyline(made.base_crest[player.city], keys, towers)
    return scoring.Ending(player.name, player.track, player.coins, player.market_golems, city)


def _built(card: CardGiven, made: Numbers) -> guilds.Built:
    if isinstance(card, str):
        return guilds.Built(made.cards[card].effect, made.cards[card].crest, f"cards.{card}.crest")
    return guilds.Built(card.effect, card.crest)


def score(given: Mapping[str, Any], overrides: Mapping[str, Any]) -> Tally:
    """The tally of a final position."""
    made = numbers(overrides)
    document = read(given, made)
    return scoring.tally(made, document.guilds, [ending(player, made) for player in document.players])


def example() -> dict[str, Any]:
    """The worked example of the rules, 72 points, beside a second player."""
    towers = {"blue": ["B1a", "B2a", "B3a"], "gold": ["G2a"], "red": [], "violet": ["V3a"]}
    shown = {"blue": ["B4a"], "gold": [{"effect": "G1", "crest": "C2"}], "red": ["R2b", "R4a"], "violet": []}
    magda = {"name": "Magda", "city": 0, "track": 45, "coins": 22, "market_golems": 2, "towers": towers}
    louis = {"name": "Louis", "city": 1, "track": 38, "coins": 9, "market_golems": 4, "towers": shown}
    return {"game": "skytopia", "guilds": ["mechanics", "builders", "merchants"], "players": [magda, louis]}


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    (reference,), definitions = msgspec.json.schema_components([Document], ref_template="#/$defs/{name}")
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A final position of Skytopia"}
    definitions["Document"]["properties"]["guilds"]["items"] = {"type": "string", "enum": list(GUILDS)}
    definitions["Document"]["properties"]["players"] |= {"minItems": LEAST, "maxItems": 4}
    definitions["PlayerGiven"]["properties"]["market_golems"]["maximum"] = 5
    return {**made, **reference, "$defs": definitions}
