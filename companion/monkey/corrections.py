"""What people put right by hand, game by game; each entry now and then wrong itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from companion.box.printed import printed
from companion.games.praga.gains import FIELDS
from companion.games.skyrise.ask import TOKENS
from companion.games.skyrise.wonders import WONDERS
from companion.games.skytopia.printed import COLOURS, GUILDS, SIDES, TILES

View = dict[str, Any]
Entry = Callable[[View, int, random.Random], dict[str, Any]]
"""The public view, a seat, chance -> a move."""


def correction(game: str, view: View, seat: int, chance: random.Random) -> dict[str, Any] | None:
    """One correction of this game; nothing where the monkey knows none."""
    known = ENTRIES.get(game)
    return chance.choice(known)(view, seat, chance) if known else None


def _near(low: int, high: int, chance: random.Random) -> int:
    """A number within bounds, often at one of them, seldom beyond."""
    return chance.choice((low, high, high, chance.randint(low, high), chance.randint(low, high), low - 1, high + 1))


# Praga -------------------------------------------------------------------------------------------------------------


def _board(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    limits: dict[str, tuple[int, int]] = view["limits"]
    names = chance.sample(sorted(limits), chance.randrange(1, 4))
    return {"kind": "correct", "seat": seat, "values": {n: _near(*limits[n], chance=chance) for n in names}}


def _tiles(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    """Technologies, tokens, seals, V tiles and claims as they lie there."""
    values: dict[str, Any] = {f"claims-{chance.randint(1, len(view['plazas']))}": _near(0, 11, chance)}
    for name, ids in chance.sample(sorted(view["tiles"].items()), min(2, len(view["tiles"]))):
        several = chance.sample(ids, chance.randrange(0, 4))
        values[name] = chance.choice(("none", *ids)) if "-" in name else several
    return {"kind": "correct", "seat": seat, "values": values}


def _note(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.3:
        return {"kind": "note", "seat": seat, "values": {chance.choice(FIELDS): 20}}
    values = {name: chance.randint(-5, 20) for name in chance.sample(FIELDS, chance.randrange(1, 4))}
    return {"kind": "note", "seat": seat, "values": values}


def _wheel(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    """The arrow alone, every tile by its station, or the tiles as they hang with their five points."""
    box, hanging = chance.randint(2, 12), [one["tile"] for one in view["crane"]["stations"] if one["tile"]]
    match chance.randrange(3):
        case 0:
            return {"kind": "correct", "box": box}
        case 1:
            places = dict(zip(chance.sample(hanging, len(hanging)), chance.sample(range(1, 13), 12), strict=False))
            return {"kind": "correct", "values": {"box": box, **{f"tile-{tile}": at for tile, at in places.items()}}}
        case _:
            stations = [*hanging, *[0] * (11 - len(hanging))]
            chance.shuffle(stations)
            stations.insert(box - 1, 0)
            flagged = chance.sample(hanging, chance.randrange(0, len(hanging) + 1)) if hanging else []
            return {"kind": "correct", "box": box, "stations": stations, "flagged": flagged}


def _grid(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    """What is printed on a part of the board, and how large it is."""
    signs = ("none", "+2", "left", "right", "up", None)
    grid = chance.choice(("city", *(one["id"] for one in view["grids"])))
    spaces = []
    for _ in range(chance.randrange(1, 5)):
        row, column = chance.randrange(0, 8), chance.randrange(0, 8)
        number = grid == "city" or not (row and column)
        spaces.append(
            {"row": row, "column": column, "shows": chance.randrange(0, 13) if number else chance.choice(signs)}
        )
    sizes = {name: chance.randint(1, 9) for name in chance.sample(("rows", "columns"), chance.randrange(0, 3))}
    borders = {"borders": [chance.randrange(0, 6), chance.randrange(0, 8)]} if chance.random() < 0.3 else {}
    return {"kind": "tell", "grid": grid, "spaces": spaces, "seat": seat, **sizes, **borders}


# Skyrise -----------------------------------------------------------------------------------------------------------


def _token(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    sites = [site["id"] for site in view.get("sites", ())] or ["C.N"]
    return {"kind": "correct", "site": chance.choice(sites), "token": chance.choice(("", *TOKENS))}


def _home(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    return {"kind": "leave", "seat": seat}


def _printed_card(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    """Printed cards told in private, at any time."""
    match chance.randrange(3):
        case 0:
            return {"kind": "enter", "seat": seat, "objective": chance.choice(TOKENS[:4])}
        case 1:
            return {"kind": "enter", "seat": seat, "wonders": chance.sample(WONDERS, chance.choice((3, 5)))}
        case _:
            return {"kind": "peek", "seat": seat, "letter": chance.choice("ABCD"), "value": _near(0, 100, chance)}


def _count(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    return {"kind": "count", "seat": seat, "points": _near(-200, 200, chance)}


# Skytopia ----------------------------------------------------------------------------------------------------------


def _value(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    what = chance.choice(("coins", "points", "round", "dial", "turn", "city", "end"))
    high = {"dial": 6, "round": 99, "city": 3}.get(what, 999)
    return {"kind": "correct", "what": what, "seat": seat, "value": _near(0, high, chance)}


def _piece(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    slots = [slot["slot"] for slot in view["market"]["slots"] if isinstance(slot, dict) and "slot" in slot]
    faces = (None, *range(1, 7))
    where = {"seat": seat, "slot": chance.choice(slots or ["gold-1"])}
    if chance.random() < 0.5:
        return {"kind": "correct", "what": "die", **where, "face": chance.choice(faces), "was": chance.choice(faces)}
    return {"kind": "correct", "what": "card", **where, "value": chance.choice(("", "?", _card(chance)))}


def _card(chance: random.Random) -> str:
    """A card's name as the box has it."""
    names = dict.fromkeys(key.split(".")[1] for key in printed("companion.games.skytopia") if key.startswith("cards."))
    return chance.choice(list(names))


def _city(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    base: dict[str, Any] = {"kind": "correct", "seat": seat}
    match chance.randrange(4):
        case 0:
            cards = chance.choices(("?", _card(chance)), k=chance.randrange(0, 5))
            return {**base, "what": "tower", "tower": chance.choice(COLOURS), "cards": cards}
        case 1:
            return {**base, "what": "deck", "tower": chance.choice(COLOURS), "value": _near(0, 12, chance)}
        case 2:
            return {**base, "what": "ability", "value": chance.choice(TILES) + chance.choice(SIDES)}
        case _:
            return {**base, "what": "guilds", "cards": chance.sample(tuple(GUILDS), 3)}


def _tallied(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    return {"kind": "count", "seat": seat, "points": _near(-200, 200, chance), "coins": _near(-200, 200, chance)}


SHORTER: dict[str, tuple[str, int]] = {"praga": ("clock.turns", 8)}
"""A printed value that makes a game shorter, and how short: ends are reached more often, and corrections around them."""

# the pad -----------------------------------------------------------------------------------------------------------


def _entry(view: View, seat: int, chance: random.Random) -> dict[str, Any]:
    return {
        "kind": "correct",
        "entry": _near(0, len(view["entries"]), chance),
        "points": _near(-10_000, 10_000, chance),
    }


ENTRIES: dict[str, tuple[Entry, ...]] = {
    "praga": (_board, _board, _tiles, _note, _wheel, _grid),
    "skyrise": (_token, _token, _token, _printed_card, _printed_card, _count, _home),
    "skytopia": (_value, _piece, _piece, _city, _tallied),
    "scorepad": (_entry,),
}
