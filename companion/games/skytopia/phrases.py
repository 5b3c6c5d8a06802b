"""Small texts that many prompts share; made once, since they never change."""

from __future__ import annotations

from functools import cache

from companion.game import Text, seat_name
from companion.games.skytopia.printed import COLOURS, CRESTS, UNKNOWN, Numbers

KEY = "skytopia/"


@cache
def coins(n: int) -> Text:
    """So many coins."""
    return Text(KEY + "coins", {"n": n})


@cache
def points(n: int) -> Text:
    """So many prestige points."""
    return Text(KEY + "points", {"n": n})


@cache
def rounds(n: int) -> Text:
    """Built in this many rounds."""
    return Text(KEY + "rounds", {"n": n})


@cache
def golem(face: int, where: str) -> Text:
    """The golem showing this face in this slot."""
    return Text(KEY + "golem", {"face": face, "slot": slot(where)})


@cache
def slot(name: str) -> Text:
    """The place of a slot: "gold, row 2"."""
    which, _, row = name.partition("-")
    return Text(KEY + "slot", {"colour": colour(which), "row": int(row)})


@cache
def colour(which: int | str) -> Text:
    """A tower's colour."""
    return Text(f"{KEY}colour/{which if isinstance(which, str) else COLOURS[which]}")


@cache
def level(which: int | str, height: int) -> Text:
    """The place of a card in a tower: "gold tower, level 2"; below the first one lies the base."""
    return Text(KEY + "level", {"colour": colour(which), "level": height}) if height else _base(which)


def _base(which: int | str) -> Text:
    return Text(KEY + "base-of", {"colour": colour(which)})


@cache
def card(name: str) -> Text:
    """A card by what it does, or "a card not yet identified"."""
    return Text(KEY + "card/unknown") if name in (UNKNOWN, "") else effect(name[:2])


@cache
def tile(name: str) -> Text:
    """An ability tile, by what its two sides are called."""
    return Text(KEY + "tile", {"a": Text(f"{KEY}ability/{name}A"), "b": Text(f"{KEY}ability/{name}B")})


def crest(numbers: Numbers, name: str) -> Text:
    """A crest by what the owner's copy calls it, else by what is drawn on it."""
    known = name if name in CRESTS else CRESTS[0]
    given = numbers.box[f"crests.{known}"]
    return Text("typed", {"words": given}) if given else Text(f"{KEY}crest/{known}")


@cache
def effect(code: str) -> Text:
    """The name of an effect or base."""
    return Text(f"{KEY}effect/{code}")


@cache
def source(code: str) -> Text:
    """Where coins or points came from: an effect, a tile, the compensation."""
    if code[:1] == "T":
        return Text(f"{KEY}ability/{code}")
    if code == "compensation":
        return Text(KEY + "compensation")
    return effect(code)


def used(seat: int, code: str, gained_coins: int, gained_points: int, what: Text | None = None) -> Text:
    """An effect was used: what was done with it, and what it brought."""
    params: dict[str, int | str | Text | tuple[Text, ...]] = {"seat": seat_name(seat), "effect": effect(code)}
    key = "event/effect"
    if what is not None:
        params["what"], key = what, "event/by"
    if gained_points > 0 or gained_coins > 0:
        params["gain"] = points(gained_points) if gained_points > 0 else coins(gained_coins)
        key += "-gain"
    return Text(KEY + key, params)


@cache
def plain(key: str) -> Text:
    """A sentence without parameters."""
    return Text(KEY + key)


@cache
def pay_note(price: int, left: int) -> Text:
    """The price of a face and when the card will be finished."""
    return Text(KEY + "note/place", {"price": coins(price), "when": rounds(left)})


@cache
def short(n: int) -> Text:
    """So many coins are missing."""
    return Text(KEY + "off/short", {"n": n})
