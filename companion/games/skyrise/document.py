"""The final position as a document: what may be entered, and what could never lie on a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from companion.box.printed import Box
from companion.games.kit.documents import decoded
from companion.games.skyrise.board import tokens_left
from companion.shown.skyrise import FACTIONS

Count = Annotated[int, msgspec.Meta(ge=0, le=500)]
"""Anything counted; how much there really can be, the box says."""
Reward = Annotated[int, msgspec.Meta(ge=0, le=100)]
Row = Annotated[int, msgspec.Meta(ge=0, le=4)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Island = Literal[
    "central",
    "north",
    "east",
    "south",
    "west",
    "north-west",
    "north-east",
    "south-east",
    "south-west",
    "1",
    "2",
    "3",
    "4",
]
Letter = Literal["A", "B", "C", "D"]
Card = Literal["airships", "windmills", "lakes", "bridges", "chains"]
Key = Literal["large", "small"]
PRESTIGE = 500
"""More than the track is ever gone round."""
BESIDE = 4
"""More lakes, airships or windmills than any structure stands beside."""


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the document: nothing unknown, nothing guessed."""


class Heights(Strict, frozen=True):
    """One player's buildings on one island; the Atelier counts as tall."""

    tall: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    medium: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    small: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0


class PanoramaCard(Strict, frozen=True):
    """A panorama card and the reward printed on it."""

    card: Card
    reward: Reward


class Objective(Strict, frozen=True):
    """A secret objective, shown at last."""

    met: bool
    reward: Reward


class Colours(Strict, frozen=True):
    """One count per faction."""

    yellow: Count = 0
    green: Count = 0
    white: Count = 0
    brown: Count = 0


class Rows(Strict, frozen=True):
    """Tokens in the four rows of a player board."""

    yellow: Row = 0
    green: Row = 0
    white: Row = 0
    brown: Row = 0


class PlayerPosition(Strict, frozen=True):
    """Everything of one player that scores at the end."""

    name: Name
    prestige: Count
    buildings: dict[Island, Heights]
    panorama: list[Count]
    objective: Objective
    patrons: dict[Letter, Count] = {}
    surplus: Count = 0
    keys: list[Key] = []
    commissions: Count = 0
    tokens: Rows = Rows()
    structures: Colours = Colours()


class Position(Strict, frozen=True):
    """A final position as it is entered."""

    game: Literal["skyrise"]
    islands: list[Island]
    panorama: Annotated[list[PanoramaCard], msgspec.Meta(min_length=2, max_length=2)]
    players: Annotated[list[PlayerPosition], msgspec.Meta(min_length=2, max_length=4)]
    patron_values: dict[Letter, Reward] = {}
    finish_order: list[Name] = []
    row_values: Annotated[list[Reward], msgspec.Meta(min_length=5, max_length=5)] | None = None


EXAMPLE: dict[str, Any] = {
    "game": "skyrise",
    "islands": ["central", "north", "east"],
    "patron_values": {"A": 2, "B": 4, "C": 3, "D": 5},
    "panorama": [{"card": "airships", "reward": 3}, {"card": "windmills", "reward": 2}],
    "finish_order": ["grey", "red"],
    "row_values": [2, 3, 4, 6, 4],
    "players": [
        {
            "name": "grey",
            "prestige": 31,
            "buildings": {
                "central": {"tall": 1, "medium": 1, "small": 0},
                "north": {"tall": 1, "medium": 2, "small": 2},
                "east": {"tall": 1, "medium": 2, "small": 2},
            },
            "panorama": [2, 1],
            "objective": {"met": True, "reward": 10},
            "patrons": {"A": 1, "B": 1},
            "surplus": 0,
            "keys": ["large"],
            "commissions": 1,
            "tokens": {"yellow": 1, "green": 2, "white": 3, "brown": 0},
            "structures": {"yellow": 4, "green": 3, "white": 4, "brown": 3},
        },
        {
            "name": "red",
            "prestige": 28,
            "buildings": {
                "central": {"tall": 0, "medium": 1, "small": 1},
                "north": {"tall": 2, "medium": 2, "small": 1},
                "east": {"tall": 1, "medium": 2, "small": 2},
            },
            "panorama": [0, 1],
            "objective": {"met": False, "reward": 10},
            "patrons": {"B": 1, "D": 2},
            "surplus": 1,
            "keys": [],
            "commissions": 0,
            "tokens": {"yellow": 2, "green": 1, "white": 1, "brown": 4},
            "structures": {"yellow": 3, "green": 4, "white": 3, "brown": 4},
        },
    ],
}


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    (_,), parts = msgspec.json.schema_components([Position], ref_template="#/$defs/{name}")
    top = parts.pop("Position")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **top, "$defs": parts}


def read(document: Mapping[str, Any], box: Box) -> Position:
    """The document as a position that could lie on a table; `ValueError` names the field that is wrong."""
    position = decoded(document, Position)
    _check_table(position, box)
    for i, player in enumerate(position.players):
        _check_player(position, player, f"players[{i}]", box)
    _check_tokens(position, box)
    return position


def _forbid(condition: bool, field: str, what: str) -> None:
    if condition:
        raise ValueError(f"{field}: {what}")


def _check_table(position: Position, box: Box) -> None:
    players = len(position.players)
    outer = int(box[f"setup.{players}.outer-islands"])
    _forbid("central" not in position.islands, "islands", "the central island is always there")
    _forbid(len(set(position.islands)) != len(position.islands), "islands", "an island is named twice")
    _forbid(len(position.islands) != outer + 1, "islands", f"{players} players have {outer} outer islands")
    names = [player.name for player in position.players]
    for i, name in enumerate(names):
        _forbid(name in names[:i], f"players[{i}].name", f"{name} is named twice")
    _forbid(position.panorama[0].card == position.panorama[1].card, "panorama[1].card", "the two cards differ")
    for i, name in enumerate(position.finish_order):
        _forbid(name not in names, f"finish_order[{i}]", f"{name} is not a player")
        _forbid(name in position.finish_order[:i], f"finish_order[{i}]", f"{name} finishes once")
    holders: dict[str, int] = {}
    for i, player in enumerate(position.players):
        _forbid(len(player.keys) > 1, f"players[{i}].keys", "a player holds at most one key")
        for key in player.keys:
            _forbid(key in holders, f"players[{i}].keys", f"there is one {key} key")
            _forbid(
                key == "small" and not box[f"setup.{players}.small-key"],
                f"players[{i}].keys",
                f"the small key stays in the box with {players} players",
            )
            holders[key] = i
    ateliers = [i for i, player in enumerate(position.players) if total(player, "tall") > 3]
    _forbid(len(ateliers) > 1, f"players[{ateliers[-1] if ateliers else 0}].buildings", "there is one Atelier")


def total(player: PlayerPosition, height: str) -> int:
    return sum(getattr(heights, height) for heights in player.buildings.values())


def _check_player(position: Position, player: PlayerPosition, at: str, box: Box) -> None:
    for island in player.buildings:
        _forbid(island not in position.islands, f"{at}.buildings.{island}", "this island is not in the game")
    for height, most in (("tall", 4), ("medium", 5), ("small", 4)):
        found = total(player, height)
        why = f"{found} {height} buildings, at most {most}" + (" with the Atelier" if height == "tall" else "")
        _forbid(found > most, f"{at}.buildings", why)
    _forbid(
        len(player.panorama) != len(position.panorama),
        f"{at}.panorama",
        "one number for each of the two panorama cards",
    )
    for letter, held in player.patrons.items():
        _forbid(held > 0 and letter not in position.patron_values, f"patron_values.{letter}", "the value is missing")
    built, most = sum(by_faction(player.structures).values()), whole(len(position.players))
    _forbid(built > most, f"{at}.structures", f"{built} structures, at most {most}")
    for i, met in enumerate(player.panorama):
        _forbid(met > most_times(len(position.players)), f"{at}.panorama[{i}]", f"{met} times with {most} structures")
    least = min(int(box[f"objectives.{faction}.least"]) for faction in FACTIONS)
    largest = max(by_faction(player.structures).values())
    what = f"met with {largest} structures of a colour, where {least} are needed"
    _forbid(player.objective.met and largest < least, f"{at}.objective.met", what)


def most_times(players: int) -> int:
    """How often a panorama card can be met at most."""
    return BESIDE * whole(players)


def whole(players: int) -> int:
    """Structures a player builds in a whole game: twelve buildings and the wonders."""
    return 14 if players == 2 else 13


def by_faction(colours: Colours | Rows) -> dict[str, int]:
    return {faction: getattr(colours, faction) for faction in FACTIONS}


def _check_tokens(position: Position, box: Box) -> None:
    """No more tokens on the boards than the bag held."""
    bag = tokens_left(box, len(position.players))
    letters: tuple[Letter, ...] = ("A", "B", "C", "D")
    for letter in letters:
        held = [player.patrons.get(letter, 0) for player in position.players]
        what = f"{sum(held)} tokens where the bag holds {bag[letter]}"
        _forbid(sum(held) > bag[letter], f"players[{_last(held)}].patrons.{letter}", what)
    held = [player.commissions for player in position.players]
    what = f"{sum(held)} where the bag holds {bag['commission']}"
    _forbid(sum(held) > bag["commission"], f"players[{_last(held)}].commissions", what)
    wilds = bag["wild"]
    for faction in FACTIONS:
        held = [by_faction(player.tokens)[faction] for player in position.players]
        wilds -= max(0, sum(held) - bag[faction])
        what = f"{sum(held)} tokens where the bag holds {bag[faction]} and {bag['wild']} wild"
        _forbid(wilds < 0, f"players[{_last(held)}].tokens.{faction}", what)
    rows = sum(sum(by_faction(player.tokens).values()) for player in position.players)
    held = [player.surplus for player in position.players]
    coloured = sum(bag[faction] for faction in FACTIONS) + bag["wild"]
    what = f"{sum(held)} beside {rows} in the rows, where the bag holds {coloured}"
    _forbid(rows + sum(held) > coloured, f"players[{_last(held)}].surplus", what)


def _last(held: list[int]) -> int:
    """The last seat that holds any."""
    return max((seat for seat, count in enumerate(held) if count), default=0)
