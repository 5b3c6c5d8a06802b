"""The final position as a form on screen or phone: its fields, and the document they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.box.printed import Box
from companion.game import Field, Option, Text, seat_name
from companion.games.skyrise.board import FACTIONS, patron_most, tokens_left
from companion.games.skyrise.document import PRESTIGE, most_times, whole
from companion.games.skyrise.scoring import PANORAMA
from companion.games.skyrise.state import HEIGHTS, PATRONS

OUTER_NAMES = ("north", "east", "south", "west")


def islands(box: Box, players: int) -> tuple[str, ...]:
    """The islands of a game nobody recorded: the central one and as many outer ones as there are."""
    return ("central", *OUTER_NAMES[: int(box[f"setup.{players}.outer-islands"])])


def _number(name: str, key: str, value: int, high: int, seat: int | None = None, **params: Text | str) -> Field:
    return Field(name, Text(f"skyrise/form/{key}", dict(params)), "number", value, 0, high, seat=seat)


def fields(box: Box, names: Sequence[str], points: Sequence[int]) -> tuple[Field, ...]:
    """Panorama, patrons and the finish order, then everything of each player."""
    cards = tuple(Option(card, Text(f"skyrise/panorama/{card}")) for card in PANORAMA)
    seats = (Option("", Text("skyrise/form/nobody")), *(Option(str(s), seat_name(s)) for s in range(len(names))))
    made = []
    for i, card in enumerate(PANORAMA[:2]):
        made.append(Field(f"panorama-{i}", Text("skyrise/field/panorama"), "pick", card, options=cards))
        made.append(_number(f"reward-{i}", "reward", int(box[f"panorama.{card}.reward"]), 50))
    for letter, value in zip(PATRONS, box["patrons.values"], strict=True):
        text = Text("skyrise/field/patron", {"letter": letter})
        made.append(Field(f"patron-{letter}", text, "number", value, 0, patron_most(box)))
    for place in range(len(names)):
        text = Text("skyrise/form/finish", {"place": place + 1})
        made.append(Field(f"finish-{place}", text, "pick", "", options=seats))
    for seat in range(len(names)):
        made += _player(box, seat, len(names), points[seat])
    return tuple(made)


def _player(box: Box, seat: int, players: int, points: int) -> list[Field]:
    bag = tokens_left(box, players)
    made = [_number(f"p{seat}/prestige", "prestige", points, PRESTIGE, seat)]
    for island in islands(box, players):
        where = Text(f"skyrise/island/{island}")
        for height, most in zip(HEIGHTS, (4, 5, 4), strict=True):
            made.append(_number(f"p{seat}/{island}/{height}", height, 0, most, seat, island=where))
    times = most_times(players)
    made += [_number(f"p{seat}/times-{i}", "times", 0, times, seat, place=str(i + 1)) for i in range(2)]
    made.append(Field(f"p{seat}/met", Text("skyrise/form/met"), "flag", False, seat=seat))
    made.append(_number(f"p{seat}/objective", "objective", int(box["objectives.brown.reward"]), 50, seat))
    made += [_number(f"p{seat}/patron-{one}", "patron", 0, bag[one], seat, letter=one) for one in PATRONS]
    coloured = sum(bag[faction] for faction in FACTIONS) + bag["wild"]
    made.append(_number(f"p{seat}/surplus", "surplus", 0, coloured, seat))
    keys = tuple(
        Option(key, Text(f"skyrise/key/{key}" if key else "skyrise/form/nothing")) for key in _keys(box, players)
    )
    made.append(Field(f"p{seat}/key", Text("skyrise/line/keys"), "pick", "", options=keys, seat=seat))
    made.append(_number(f"p{seat}/commissions", "commissions", 0, bag["commission"], seat))
    for faction in FACTIONS:
        who = Text(f"skyrise/faction/{faction}")
        made.append(_number(f"p{seat}/tokens/{faction}", "tokens", 0, 4, seat, faction=who))
        made.append(_number(f"p{seat}/structures/{faction}", "structures", 0, whole(players), seat, faction=who))
    return made


def _keys(box: Box, players: int) -> tuple[str, ...]:
    return ("", "large", "small") if box[f"setup.{players}.small-key"] else ("", "large")


def usual(box: Box, names: Sequence[str], points: Sequence[int]) -> dict[str, Any]:
    """The form as it stands before anybody touches it."""
    return {field.id: field.value for field in fields(box, names, points)}


def document(box: Box, names: Sequence[str], values: Mapping[str, Any]) -> dict[str, Any]:
    """The document a filled form makes."""

    def of(name: str) -> Any:
        return values.get(name, 0)

    shown = islands(box, len(names))
    players = []
    for seat, name in enumerate(names):
        key = values.get(f"p{seat}/key") or ""
        players.append(
            {
                "name": name,
                "prestige": of(f"p{seat}/prestige"),
                "buildings": {i: {h: of(f"p{seat}/{i}/{h}") for h in HEIGHTS} for i in shown},
                "panorama": [of(f"p{seat}/times-{i}") for i in range(2)],
                "objective": {"met": bool(values.get(f"p{seat}/met")), "reward": of(f"p{seat}/objective")},
                "patrons": {letter: of(f"p{seat}/patron-{letter}") for letter in PATRONS},
                "surplus": of(f"p{seat}/surplus"),
                "keys": [key] if key else [],
                "commissions": of(f"p{seat}/commissions"),
                "tokens": {faction: of(f"p{seat}/tokens/{faction}") for faction in FACTIONS},
                "structures": {faction: of(f"p{seat}/structures/{faction}") for faction in FACTIONS},
            }
        )
    finish = [str(values.get(f"finish-{place}") or "") for place in range(len(names))]
    order = [names[int(seat)] for seat in finish if seat.isdecimal() and int(seat) < len(names)]
    return {
        "game": "skyrise",
        "islands": list(shown),
        "patron_values": {letter: of(f"patron-{letter}") for letter in PATRONS},
        "panorama": [{"card": values.get(f"panorama-{i}"), "reward": of(f"reward-{i}")} for i in range(2)],
        "finish_order": order,
        "players": players,
    }
