"""A copy of Praga to play recorded games with: its tiles are made up, but shaped as the rulebook describes them.

Nobody knows what is printed on the real tiles; a count of touches needs some. Costs, rewards and the mix of actions follow the
examples of the rulebook, and a seed makes every copy the same.
"""

from __future__ import annotations

import random
from typing import Any

Table = dict[str, Any]

PAIRS = (
    ("mines", "road"),
    ("quarries", "building"),
    ("wall", "upgrade"),
    ("mines", "wall"),
    ("quarries", "upgrade"),
    ("building", "road"),
)
"""Side A: every action on two tiles."""
ACTIONS = ("mines", "quarries", "upgrade", "wall", "building", "road")
SMALL = ("points", "gold", "stone", "silver_windows", "technology", "university", "eggs")
PLACES = (2, 5, 9, 12, 14, 17, 20, 22, 24, 7)
"""Where the plazas of this copy lie on the map."""
SITES = ((0, 0), (1, 2), (2, 4), (3, 7))
RESOURCES: dict[str, list[Any]] = {
    "gold-6": [{"silver_windows": 1}],
    "gold-9": [{"technology": 1}],
    "stone-6": [{"points": 3}],
    "stone-9": ["none"],
}


def _gives(chance: random.Random, worth: int) -> Table:
    """A few small things that come to so much."""
    found: Table = {}
    for _ in range(worth):
        name = chance.choice(SMALL)
        found[name] = found.get(name, 0) + (2 if name == "points" else 1)
    return found


def hexes(chance: random.Random) -> dict[str, list[Table]]:
    """Fifteen upgrades and eighteen walls and buildings of each era, four of them special."""
    found: dict[str, list[Table]] = {"upgrade": [], "wall": [], "building": []}
    for era in (1, 2):
        for kind, normal in (("upgrade", 11), ("wall", 14), ("building", 14)):
            for i in range(normal + 4):
                special = {"special": 1} if i >= normal else {}
                if kind == "upgrade":
                    tile = {"era": era, **special, **_gives(chance, 1), "on": ACTIONS[i % 6]}
                else:
                    cost = chance.randint(1, 3) + era - 1
                    good = "cost_stone" if kind == "wall" or chance.random() < 0.3 else "cost_gold"
                    tile = {"era": era, **special, good: cost, **_gives(chance, max(1, cost - 1 + bool(special)))}
                    if chance.random() < 0.5:
                        tile["wall_steps" if kind == "wall" else "cathedral_steps"] = 1
                    if kind == "building":
                        tile["place"] = "claim" if chance.random() < 0.6 else "points"
                if tile not in found[kind]:
                    found[kind].append(tile)
    return found


def plazas(chance: random.Random) -> list[Table]:
    """Eleven plaza tiles, each with two rewards."""
    tiles = []
    for _ in range(11):
        rows = {"upper": _gives(chance, 2), "lower": _gives(chance, 1)}
        tiles.append({f"{row}_{name}": n for row, gives in rows.items() for name, n in gives.items()})
    return tiles


def box(seed: int = 1) -> Table:
    """Everything printed on this copy, as the owner's box has it once all of it was seen."""
    chance = random.Random(seed)
    found: Table = {f"tiles.a.{n}": list(pair) for n, pair in enumerate(PAIRS, 1)}
    found |= {f"hex.{kind}": tiles for kind, tiles in hexes(chance).items()}
    found |= {"plazas.tiles": plazas(chance), "plazas.sites": [{"gold": g, "points": p} for g, p in SITES if g]}
    found |= {"plazas.places": list(PLACES)}
    found |= {f"resource.{key}": value for key, value in RESOURCES.items()}
    found |= {f"road.last.{n}": [_gives(chance, 2)] for n in range(1, 6)}
    found |= {f"track.technology.{level}": step for level, step in ((1, 2), (2, 4), (3, 5))}
    found |= {"levels.wall.base": [3, 5], "levels.cathedral.base": [3, 5]}
    found |= {f"technology.good.{name}": "gold" for name in ("building-icon", "building-plain", "wall-icon")}
    for building in ("wall", "cathedral"):
        found[f"grid.{building}.base-rows"] = [0, 2, 4, 7, 10, 13]
        found[f"grid.{building}.base-columns"] = [0, 1, 1, 2, 2, 3]
        found[f"landing.{building}.base"] = [
            {"row": row, "column": column, "points": (row + column) % 4, "arrow": ""}
            for row in range(1, 7)
            for column in range(1, 7)
        ]
    return found
