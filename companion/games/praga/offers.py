"""Answers given before: tiles, plazas, sites and rewards of this copy, each picked with one touch instead of entered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.game import Choice, Picture, PictureHex, Text
from companion.games.praga import copy, moves, plazas
from companion.games.praga.actions import printed
from companion.games.praga.forms import special_open
from companion.games.praga.gains import thing
from companion.games.praga.state import Begun, Pending, PragaState

BESIDE = ("red", "blue", "gold", "stone", "points", "silver_windows", "technology", "university", "eggs")
"""What two tiles lying side by side can give, commonest first."""
LANDINGS = ((1, ""), (2, ""), (3, ""), (4, ""), (5, ""), (0, "side"), (0, "up"), (0, ""))
"""What a space of Hunger Wall or Cathedral can show."""
LIGHT = tuple(range(1, 11))
"""Points that are noted with one touch in light depth."""


def things(gives: Mapping[str, object]) -> tuple[Text, ...]:
    """Gains in words."""
    return tuple(thing(name, int(n)) for name, n in gives.items() if name in copy.GAINS and isinstance(n, int) and n)


def hexes(state: PragaState, seat: int, begun: Begun) -> Iterator[Choice]:
    """Hex tiles seen before, each with its cost and what it gives; one that cannot be paid says so."""
    action = begun.action
    for number, tile in copy.hexes(state, action, special=special_open(state, begun)):
        if action == "building":
            move = moves.encode(moves.Begin("building", tile=number, seat=seat))
        else:
            move = moves.encode(moves.Act(action, tile=number, seat=seat))  # type: ignore[arg-type]
        picture: Picture = {"hex": _drawn(tile, taken=f"{action} {number}" in state.taken)}
        yield Choice(
            f"hex-{action}-{number}", _said(tile), move, _cost(tile), _dear(state, seat, tile, begun), "hex", picture
        )


def _drawn(tile: copy.Table, *, taken: bool) -> PictureHex:
    return {
        "stone": int(tile.get("cost_stone", 0)),
        "gold": int(tile.get("cost_gold", 0)),
        "on": str(tile.get("on", "")),
        "special": bool(tile.get("special")),
        "claim": tile.get("place") == "claim",
        "gives": copy.gains_of(tile),
        "taken": taken,
    }


def _said(tile: Mapping[str, object]) -> Text:
    gives = things(tile) or (Text("praga/hex/nothing"),)
    if tile.get("on"):
        return Text("praga/hex/upgrade", {"action": Text(f"praga/action/{tile['on']}"), "things": gives})
    return Text("praga/hex/gives", {"things": gives})


def _cost(tile: Mapping[str, object]) -> Text | None:
    cost = tuple(thing(good, int(str(tile[f"cost_{good}"]))) for good in ("stone", "gold") if tile.get(f"cost_{good}"))
    return Text("praga/hex/costs", {"things": cost}) if cost else None


def _dear(state: PragaState, seat: int, tile: Mapping[str, object], begun: Begun) -> Text | None:
    """Why a tile cannot be paid; two are off with a technology."""
    board, missing = state.boards[seat], []
    for good, discounted in (("stone", "wall"), ("gold", "building")):
        cost = int(str(tile.get(f"cost_{good}", 0))) - (2 if begun.discount == discounted else 0)
        if cost > getattr(board, good):
            missing.append(thing(good, cost - int(getattr(board, good))))
    return Text("praga/hex/dear", {"missing": tuple(missing)}) if missing else None


def around(state: PragaState, seat: int, begun: Begun) -> Iterator[Choice]:
    """The plazas a building may touch."""
    for number, plaza in enumerate(state.plazas, 1):
        if plaza.done:
            continue
        move = moves.encode(moves.Begin("building", tile=begun.tile, plaza=number, seat=seat))
        note = Text("praga/plaza/buildings", {"n": plaza.buildings})
        off = None
        if plaza.empty and printed(state, seat, moves.Act("building", tile=begun.tile)).get("place") == "claim":
            off = Text("praga/refuse/plaza-empty")
        yield Choice(f"plaza-{number}", plazas.name(state, number), move, note, off, "plaza", {"plaza": number})


def sites(state: PragaState, seat: int, begun: Begun) -> Iterator[Choice]:
    """Sites by what they ask and give; gold of the tile's reward may pay them."""
    tile = copy.hex_tile(state.box, "building", begun.tile) or {}
    off_gold = 2 if begun.discount == "building" else 0
    left = state.boards[seat].gold + int(tile.get("gold", 0)) + off_gold - int(tile.get("cost_gold", 0))
    for gold, points in copy.sites(state.box):
        values: dict[str, moves.Value] = {"site_gold": gold, "site_points": points} if gold or points else {}
        move = moves.encode(moves.Act("building", values=values, seat=seat))
        text = Text("praga/site/old", {"cost": gold, "n": points}) if values else Text("praga/site/new")
        dear = Text("praga/hex/dear", {"missing": (thing("gold", gold - left),)}) if gold > left else None
        yield Choice(f"site-{gold}-{points}", text, move, off=dear, group="site", picture={"site": [gold, points]})


def as_last_time(state: PragaState, seat: int) -> Iterator[Choice]:
    """The next section of the King's Road gave this when it was last entered."""
    section = state.boards[seat].road + 1
    for last in copy.listed(state.box, f"road.last.{section}") if section <= 5 else ():
        gives = {name: n for name, n in last.items() if name in copy.GAINS}
        move = moves.encode(moves.Act("road", values={**gives}, seat=seat))
        paid = tuple(thing(name, -int(n)) for name, n in gives.items() if int(n) < 0)
        got = things({name: n for name, n in gives.items() if int(n) > 0})
        text = Text("praga/choice/as-last", {"things": got or (Text("praga/hex/nothing"),)})
        if paid:
            text = Text("praga/choice/as-last/paid", {"things": got, "paid": paid})
        egg = 1 if section >= 4 else 0
        short = [
            thing(name, -int(n) - held)
            for name, n in gives.items()
            if (held := int(getattr(state.boards[seat], name, 0)) - (egg if name == "eggs" else 0)) < -int(n)
        ]
        dear = Text("praga/hex/dear", {"missing": tuple(short)}) if short else None
        yield Choice("as-last", text, move, off=dear, group="last", primary=not short)


def beside(state: PragaState, seat: int) -> Iterator[Choice]:
    """What a tile just laid gives together with its neighbours, one thing a touch."""
    if not {*state.did, *state.late} & set(copy.HEXES):
        return
    for name in BESIDE:
        move = moves.encode(moves.Note({name: 1}, seat))
        yield Choice(f"beside-{name}", thing(name, 1), move, group="quick", picture={"gain": name, "n": 1})


def quick_points(seat: int) -> Iterator[Choice]:
    """Points of a light game, noted with one touch."""
    for n in LIGHT:
        move = moves.encode(moves.Note({"points": n}, seat))
        yield Choice(f"points-{n}", thing("points", n), move, group="quick", picture={"gain": "points", "n": n})


def landings(state: PragaState, seat: int) -> Iterator[Choice]:
    """What lies on a space nobody has told about."""
    for building in state.landed:
        for points, arrow in LANDINGS:
            move = moves.encode(moves.Land(building, points, arrow, seat))  # type: ignore[arg-type]
            key = f"praga/landing/{arrow or ('points' if points else 'nothing')}"
            text = Text(key, {"n": points, "building": Text(f"praga/building/{building}")})
            shown: Picture = {"landing": building, "points": points, "arrow": arrow}
            yield Choice(f"land-{building}-{points}-{arrow}", text, move, group="landing", picture=shown)


def rewards(state: PragaState, due: Pending) -> Iterator[Choice]:
    """A plaza's rewards: those of its tile, or of every tile seen where nobody knows which lies here."""
    number, row = plazas.of(due)
    seen = copy.plaza_tiles(state.box)
    mine = state.plazas[number - 1].tile if number else 0
    used = {plaza.tile for plaza in state.plazas}
    for tile, printed_ in enumerate(seen, 1):
        if (mine and tile != mine) or (not mine and number and tile in used):
            continue
        for one in (row,) if row else copy.ROWS:
            gives = copy.gains_of(printed_, f"{one}_")
            if gives:
                move = moves.encode(moves.Reward({}, tile, one, due.seat))  # type: ignore[arg-type]
                text = Text(f"praga/reward/{one}", {"things": things(gives)})
                yield Choice(f"reward-{tile}-{one}", text, move, group="reward")
