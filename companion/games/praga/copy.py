"""What the table has learnt of the owner's copy: tiles, rewards and spaces that no source gives, each seen once and then known.

They lie in the owner's box as plain tables of what is printed (`{"cost_stone": 3, "points": 4}`), so that a later game can offer
them to be picked instead of entered.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.box.printed import Box
from companion.games.praga.state import ACTIONS, PragaState, Work

Table = dict[str, int | str]
"""What is printed on something, by the names of the forms; what is not printed is left out."""

HEXES = ("upgrade", "wall", "building")
"""Actions that take a hex tile from a row of the board."""
GAINS = (
    *("points", "gold", "stone", "eggs", "silver_windows", "gold_windows", "red", "blue"),
    *("technology", "university", "wall_steps", "cathedral_steps"),
)
"""What anything printed can give."""
COSTS = ("cost_stone", "cost_gold")
ROWS = ("upper", "lower")
"""The two rewards of a plaza."""
ARROWS = ("", "side", "up")
LONGEST_LIST = 60
"""More things of a kind than any box holds."""


def listed(box: Box, key: str) -> tuple[Table, ...]:
    """The things of one kind that were seen, in the order they were."""
    return tuple(dict(one) for one in box[key] if isinstance(one, Mapping))


def learn(play: Work, key: str, value: object) -> None:
    """The owner's copy shows this; it is kept for later games."""
    if play.box[key] != value:
        play.set(box=play.box.corrected(key, value))
        play.learnt[key] = value


def _add(play: Work, key: str, thing: Table) -> int:
    """The number of a thing in its list, which it joins if it is new."""
    known = listed(play.box, key)
    if thing in known:
        return known.index(thing) + 1
    if len(known) >= LONGEST_LIST:
        return 0
    learn(play, key, [*known, thing])
    return len(known) + 1


# hex tiles ----------------------------------------------------------------------------------------------------------


def hexes(state: PragaState, action: str, *, special: bool) -> tuple[tuple[int, Table], ...]:
    """The tiles of this action and era that were seen, with their numbers; those taken in this game last."""
    known = [
        (number, tile)
        for number, tile in enumerate(listed(state.box, f"hex.{action}"), 1)
        if tile.get("era") == state.era and (special or not tile.get("special"))
    ]
    return tuple(sorted(known, key=lambda one: f"{action} {one[0]}" in state.taken))


def hex_tile(box: Box, action: str, number: int) -> Table | None:
    """The tile of this number."""
    known = listed(box, f"hex.{action}")
    return known[number - 1] if 1 <= number <= len(known) else None


def learn_hex(play: Work, action: str, era: int, values: Mapping[str, object]) -> int:
    """A tile that was entered is known from now on; what was entered by its place on the board is no part of it."""
    tile: Table = {"era": era}
    if values.get("special") is True:
        tile["special"] = 1
    for name in (*COSTS, *GAINS):
        amount = values.get(name)
        if isinstance(amount, int) and amount > 0:
            tile[name] = amount
    if values.get("on") in ACTIONS:
        tile["on"] = str(values["on"])
    if values.get("place") in ("claim", "points"):
        tile["place"] = str(values["place"])
    plain = len(tile) == 1
    return 0 if plain else _add(play, f"hex.{action}", tile)


def gains_of(thing: Mapping[str, object], prefix: str = "") -> dict[str, int]:
    """What something printed gives."""
    found = {name: thing.get(f"{prefix}{name}") for name in GAINS}
    return {name: amount for name, amount in found.items() if isinstance(amount, int) and amount}


# plazas and sites ---------------------------------------------------------------------------------------------------


def plaza_tiles(box: Box) -> tuple[Table, ...]:
    """Plaza tiles seen, each with the rewards that were."""
    return listed(box, "plazas.tiles")


def rewards(state: PragaState, number: int) -> dict[str, dict[str, int]]:
    """The rewards known of a plaza in play: `upper`, `lower`."""
    tile = state.plazas[number - 1].tile if 1 <= number <= len(state.plazas) else 0
    known = plaza_tiles(state.box)
    if not 1 <= tile <= len(known):
        return {}
    return {row: found for row in ROWS if (found := gains_of(known[tile - 1], f"{row}_"))}


def learn_reward(play: Work, tile: int, row: str, gains: Mapping[str, int]) -> int:
    """One reward of a plaza tile; a tile nobody has seen yet is a new one."""
    known = list(plaza_tiles(play.box))
    printed: Table = {f"{row}_{name}": amount for name, amount in gains.items()}
    if not printed:
        return tile
    if not 1 <= tile <= len(known):
        return _add(play, "plazas.tiles", printed)
    whole = {**{k: v for k, v in known[tile - 1].items() if not k.startswith(row)}, **printed}
    learn(play, "plazas.tiles", [*known[: tile - 1], whole, *known[tile:]])
    return tile


def place(box: Box, number: int) -> int:
    """Where a plaza lies on the map; 0: nobody has said so."""
    known = box["plazas.places"]
    return int(known[number - 1]) if 1 <= number <= len(known) else 0


def learn_place(play: Work, number: int, where: int) -> bool:
    """A plaza lies there on the map; false where another one does."""
    most = max(len(play.state.plazas), len(play.box["plazas.places"]))
    known = [place(play.box, one) for one in range(1, most + 1)]
    if where in (*known[: number - 1], *known[number:]):
        return False
    learn(play, "plazas.places", [*known[: number - 1], where, *known[number:]])
    return True


def sites(box: Box) -> tuple[tuple[int, int], ...]:
    """What sites ask in gold and give in points, dearest last; a New Town site asks and gives nothing."""
    seen = {(int(one.get("gold", 0)), int(one.get("points", 0))) for one in listed(box, "plazas.sites")}
    return tuple(sorted({(0, 0), *seen}))


def learn_site(play: Work, gold: int, points: int) -> None:
    """A site of the Old Town."""
    if gold or points:
        _add(play, "plazas.sites", {"gold": gold, "points": points})


# Hunger Wall and Cathedral ------------------------------------------------------------------------------------------


def grid(state: PragaState, building: str) -> str:
    """The set of levels in play, as the box names it."""
    return f"{building}.{getattr(state, f'{building}_set')}"


def landing(state: PragaState, building: str, row: int, column: int) -> Table | None:
    """What lies on a space, where somebody has said so."""
    spaces = listed(state.box, f"landing.{grid(state, building)}")
    return next((one for one in spaces if (one.get("row"), one.get("column")) == (row, column)), None)


def learn_landing(play: Work, building: str, row: int, column: int, points: int, arrow: str) -> None:
    """What lies on the space just reached; said anew it replaces what was said before."""
    key = f"landing.{grid(play.state, building)}"
    others = [one for one in listed(play.box, key) if (one.get("row"), one.get("column")) != (row, column)]
    space: Table = {"row": row, "column": column, "points": points, "arrow": arrow}
    learn(play, key, [*others, space][-LONGEST_LIST:])


def level_of(state: PragaState, building: str, row: int) -> int | None:
    """The level a row belongs to, as far as its borders were seen."""
    second, third = _borders(state, building)
    if second and row < second:
        return 1
    if second and row == second:
        return 2
    if third:
        return 3 if row >= third else 2
    return None


def _borders(state: PragaState, building: str) -> tuple[int, int]:
    second, third = (int(one) for one in state.box[f"levels.{grid(state, building)}"])
    return second, third


def learn_level(play: Work, building: str, row: int, level: int) -> None:
    """This row is the first of its level."""
    second, third = _borders(play.state, building)
    borders = [row if level == 2 else second, row if level == 3 else third]
    if not (borders[0] and borders[1] and borders[0] >= borders[1]):
        learn(play, f"levels.{grid(play.state, building)}", borders)


def printed_at(state: PragaState, building: str, axis: str, position: int) -> int | None:
    """The number printed at a row's end or under a column: as the grid was entered, else as somebody read it off once."""
    return number_at(state.box, f"{grid(state, building)}-{axis}s", position)


def number_at(box: Box, line: str, position: int) -> int | None:
    """The number at a place of all the rows or columns of a set of levels (`wall.base-rows`)."""
    whole = box[f"grid.{line}"]
    if 1 <= position <= len(whole) and whole[position - 1] >= 0:
        return int(whole[position - 1])
    seen = listed(box, f"printed.{line}")
    return next((int(one["points"]) for one in seen if one.get("row") == position and "points" in one), None)


def learn_printed(play: Work, building: str, axis: str, position: int, value: int) -> None:
    """The number at a row's end or under a column was read off the board."""
    if printed_at(play.state, building, axis, position) == value:
        return
    key = f"printed.{grid(play.state, building)}-{axis}s"
    others = [one for one in listed(play.box, key) if one.get("row") != position]
    learn(play, key, [*others, {"row": position, "points": value}][-LONGEST_LIST:])


# what is wrong with it ----------------------------------------------------------------------------------------------


def problems(box: Box) -> tuple[str, ...]:
    """What each value alone allows and the box as a whole does not: an action tile has two actions, a table known names."""
    found = [f"{key}: an action tile has two actions" for key in box if key.startswith("tiles.") and len(box[key]) != 2]
    for key in box:
        for one in box[key] if key.startswith(LISTS) else ():
            wrong = _wrong(one)
            if wrong:
                found.append(f"{key}: {wrong}")
    found += [
        f"{key}: the first rows of two levels are wanted"
        for key in box
        if key.startswith("levels.") and len(box[key]) != 2
    ]
    told = [where for where in box["plazas.places"] if where]
    if len(told) != len(set(told)):
        found.append("plazas.places: two plazas lie at one place")
    return tuple(found)


LISTS = ("hex.", "plazas.tiles", "plazas.sites", "landing.", "resource.", "road.last.", "printed.")
NAMES = (
    *GAINS,
    *COSTS,
    *("era", "special", "row", "column"),
    *(f"{row}_{name}" for row in ROWS for name in GAINS),
)
WORDS = {"on": ACTIONS, "place": ("claim", "points"), "arrow": ARROWS}


def _wrong(one: object) -> str:
    if one == "none":
        return ""
    if not isinstance(one, Mapping):
        return "a table of what is printed is wanted"
    for name, value in one.items():
        if name in WORDS:
            if value not in WORDS[name]:
                return f"{name} is not {value!r}"
        elif name not in NAMES:
            return f"nothing printed is called {name!r}"
        elif not isinstance(value, int) or isinstance(value, bool) or not -20 <= value <= 60:
            return f"{name} cannot be {value!r}"
    return ""
