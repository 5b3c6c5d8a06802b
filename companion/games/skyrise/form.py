"""The final position as forms on screen or phone: first what everybody shares, then what each player counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.box.printed import Box
from companion.game import Field, Option, Text, seat_name
from companion.games.skyrise.board import patron_most, tokens_left
from companion.games.skyrise.document import PRESTIGE, most_times, whole
from companion.games.skyrise.scoring import PANORAMA
from companion.games.skyrise.state import HEIGHTS, PATRONS
from companion.shown.skyrise import FACTIONS

OUTER_NAMES = ("north", "east", "south", "west")
KEYS = ("large", "small")
"""Whoever finishes first takes the first of them."""
Values = Mapping[str, Any]
PARTS = (
    (r"buildings\.(\w+)(?:\.(\w+))?$", r"\1/\2"),
    (r"buildings$", "central/"),
    (r"(tokens|structures)\.?(\w*)$", r"\1/\2"),
    (r"patrons?(?:_values)?\.(\w)$", r"patron-\1"),
    (r"panorama\[(\d)\]\.card$", r"panorama-\1"),
    (r"panorama\[(\d)\]\.reward$", r"reward-\1"),
    (r"panorama\[(\d)\]$", r"times-\1"),
    (r"objective.*$", "objective"),
    (r"finish_order\[(\d)\]$", r"finish-\1"),
    (r"keys$", "finish-0"),
)
"""A place in the document, the player aside, and the field it is filled from."""


def islands(box: Box, players: int) -> tuple[str, ...]:
    """The islands of a game nobody recorded: the central one and as many outer ones as there are."""
    return ("central", *OUTER_NAMES[: int(box[f"setup.{players}.outer-islands"])])


def shared(box: Box, names: Sequence[str]) -> tuple[Field, ...]:
    """Panorama cards, patrons' values and who finished when: that also says who has which key."""
    cards = tuple(Option(card, Text(f"skyrise/panorama/{card}")) for card in PANORAMA)
    seats = (Option("", Text("skyrise/form/nobody")), *(Option(str(s), seat_name(s)) for s in range(len(names))))
    made = [
        Field(f"panorama-{i}", Text("skyrise/field/panorama"), "pick", card, options=cards)
        for i, card in enumerate(PANORAMA[:2])
    ]
    known, other = Text("skyrise/form/reward-known"), Text("skyrise/form/reward-other")
    for i, number in enumerate("12"):
        text, short = Text("skyrise/form/reward", {"place": number}), Text("skyrise/form/card", {"place": number})
        made.append(Field(f"reward-{i}", text, "number", None, 0, 50, help=known, row=other, short=short))
    patrons = Text("skyrise/form/patrons")
    for letter, value in zip(PATRONS, box["patrons.values"], strict=True):
        text, short = Text("skyrise/field/patron", {"letter": letter}), Text("skyrise/form/letter", {"letter": letter})
        made.append(Field(f"patron-{letter}", text, "number", value, 0, patron_most(box), row=patrons, short=short))
    keys = _keys(box, len(names))
    for place in range(len(names)):
        text = Text("skyrise/form/finish", {"place": place + 1})
        prize = Text(f"skyrise/form/key-{keys[place]}") if place < len(keys) else None
        made.append(Field(f"finish-{place}", text, "pick", "", options=seats, help=prize))
    return tuple(made)


def counted(box: Box, seat: int, players: int, values: Values) -> tuple[Field, ...]:
    """What one player counts, with what was entered before: numbers only, those that belong together in a row."""
    bag = tokens_left(box, players)
    picture, goal = Text("skyrise/form/picture"), Text("skyrise/field/objective")
    heights, rows = dict(zip(HEIGHTS, (4, 5, 4), strict=True)), []
    for island in islands(box, players):
        where = Text(f"skyrise/island/{island}")
        row = Text(f"skyrise/island/{island}@short")
        rows += [_one(seat, f"{island}/{height}", height, most, row, Text(f"skyrise/height/{height}"), island=where)
                 for height, most in heights.items()]  # fmt: skip
    for faction in FACTIONS:
        who = Text(f"skyrise/faction/{faction}")
        rows.append(_one(seat, f"tokens/{faction}", "tokens", 4, who, Text("skyrise/form/short-tokens"), faction=who))
        rows.append(_one(seat, f"structures/{faction}", "structures", whole(players), who,
                         Text("skyrise/form/short-structures"), faction=who))  # fmt: skip
    cards = Text("skyrise/form/panorama")
    rows += [
        _one(seat, f"times-{i}", "times", most_times(players), cards, Text("skyrise/form/card", {"place": place}), place=place)
        for i, place in enumerate("12")
    ]  # fmt: skip
    patrons = Text("skyrise/form/patrons")
    rows += [
        _one(seat, f"patron-{one}", "patron", bag[one], patrons, Text("skyrise/form/letter", {"letter": one}), letter=one)
        for one in PATRONS
    ]  # fmt: skip
    coloured = sum(bag[faction] for faction in FACTIONS) + bag["wild"]
    rows.append(_one(seat, "surplus", "surplus", coloured, picture, Text("skyrise/form/short-surplus")))
    rows.append(
        _one(seat, "commissions", "commissions", bag["commission"], picture, Text("skyrise/form/short-commissions"))
    )
    reward = max(int(box[f"objectives.{faction}.reward"]) for faction in FACTIONS)
    rows.append(
        _one(seat, "objective", "objective", 50, goal, Text("skyrise/form/short-objective", {"n": reward}), n=reward)
    )
    text = Text("skyrise/form/prestige")
    track = Field(f"p{seat}/prestige", text, "number", None, 0, PRESTIGE, seat=seat, row=text)
    return tuple(
        msgspec.structs.replace(field, value=values.get(field.id, field.value)) for field in (track, *rows)
    )  # fmt: skip


def _one(seat: int, name: str, key: str, high: int, row: Text, short: Text, **params: Text | str | int) -> Field:
    text = Text(f"skyrise/form/{key}", dict(params))
    return Field(f"p{seat}/{name}", text, "number", 0, 0, high, seat=seat, row=row, short=short)


def _keys(box: Box, players: int) -> tuple[str, ...]:
    return KEYS if box[f"setup.{players}.small-key"] else KEYS[:1]


def usual(box: Box, names: Sequence[str], points: Sequence[int]) -> dict[str, Any]:
    """Both forms as they stand before anybody touches them."""
    found = {field.id: field.value for field in shared(box, names)}
    for seat, prestige in enumerate(points):
        found |= {field.id: field.value for field in counted(box, seat, len(names), {})}
        found[f"p{seat}/prestige"] = prestige
    return {name: value for name, value in found.items() if value is not None}


def known(box: Box, names: Sequence[str]) -> set[str]:
    """Every name a value may have, also those of earlier versions."""
    seats = range(len(names))
    fields = (*shared(box, names), *(field for seat in seats for field in counted(box, seat, len(names), {})))
    return {field.id for field in fields} | {f"p{seat}/{old}" for seat in seats for old in ("met", "key")}


def wrong(box: Box, names: Sequence[str], path: str) -> Field:
    """The field that a place in the document was filled from: the first of several that only together cannot be."""
    found = re.match(r"players\[(\d+)\]\.?", path)
    seat = int(found[1]) if found else None
    rest = path.removeprefix(found[0]) if found else path
    for part, field in PARTS:
        if plain := re.match(part, rest):
            rest = plain.expand(field)
            break
    everybody = shared(box, names)
    if seat is None or rest.startswith("finish"):
        return next((field for field in everybody if field.id.startswith(rest)), everybody[0])
    own = counted(box, seat, len(names), {})
    return next((field for field in own if field.id.startswith(f"p{seat}/{rest}")), own[0])


def document(box: Box, names: Sequence[str], values: Values) -> dict[str, Any]:
    """The document two filled forms make."""
    seats = range(len(names))
    finish = [str(values.get(f"finish-{place}") or "") for place in seats]
    order = [int(seat) for seat in finish if seat.isdecimal() and int(seat) < len(names)]
    cards = [values.get(f"panorama-{i}") for i in range(2)]
    return {
        "game": "skyrise",
        "islands": list(islands(box, len(names))),
        "patron_values": {letter: values.get(f"patron-{letter}", 0) for letter in PATRONS},
        "panorama": [{"card": card, "reward": _reward(box, card, values.get(f"reward-{i}"))} for i, card in enumerate(cards)],
        "finish_order": [names[seat] for seat in order],
        "players": [_player(box, names, seat, order, values) for seat in seats],
    }  # fmt: skip


def _reward(box: Box, card: Any, told: Any) -> Any:
    """As it was told, else as the box has it."""
    return box[f"panorama.{card}.reward"] if told is None and card in PANORAMA else told


def _player(box: Box, names: Sequence[str], seat: int, order: Sequence[int], values: Values) -> dict[str, Any]:
    def of(name: str) -> Any:
        return values.get(f"p{seat}/{name}", 0)

    keys = [key for key, holder in zip(_keys(box, len(names)), order, strict=False) if holder == seat]
    reward, met = of("objective"), bool(of("objective"))
    if f"p{seat}/met" in values:  # earlier versions asked for the key and the objective's reward by themselves
        told = values.get(f"p{seat}/key")
        keys, met = [told] if told else [], bool(values[f"p{seat}/met"])
    return {
        "name": names[seat],
        "prestige": of("prestige"),
        "buildings": {i: {h: of(f"{i}/{h}") for h in HEIGHTS} for i in islands(box, len(names))},
        "panorama": [of(f"times-{i}") for i in range(2)],
        "objective": {"met": met, "reward": reward},
        "patrons": {letter: of(f"patron-{letter}") for letter in PATRONS},
        "surplus": of("surplus"),
        "keys": keys,
        "commissions": of("commissions"),
        "tokens": {faction: of(f"tokens/{faction}") for faction in FACTIONS},
        "structures": {faction: of(f"structures/{faction}") for faction in FACTIONS},
    }
