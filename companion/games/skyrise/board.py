"""The islands as a graph: neighbourhoods, borders, bridges and the features beside them.

The printed map is data (`components.toml`, corrected by the owner); nothing here knows a shape of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

import msgspec

from companion.box.printed import Box
from companion.shown.skyrise import FACTIONS

LETTERS = {"Y": "yellow", "G": "green", "W": "white", "B": "brown"}
FEATURES = ("lake", "airship", "windmill")
SLOTS = {"NW": "north-west", "NE": "north-east", "SE": "south-east", "SW": "south-west"}
OUTER = ("1", "2", "3", "4")
CENTRAL = "C"


class Site(msgspec.Struct, frozen=True):
    """One neighbourhood: it holds at most one piece."""

    id: str
    island: str
    faction: str
    x: int
    y: int


class Feature(msgspec.Struct, frozen=True):
    """A lake, an airship or a windmill, and the neighbourhoods that border it."""

    id: str
    kind: str
    island: str
    sites: frozenset[str]


class Board(msgspec.Struct, frozen=True):
    """The islands as they lie in one game."""

    islands: tuple[str, ...]
    places: dict[str, str]
    """Island id -> where it lies, in words (`central`, `north-west`)."""
    sites: dict[str, Site]
    borders: dict[str, frozenset[str]]
    near: dict[str, frozenset[str]]
    """Whatever is a border or a bridge away."""
    edges: tuple[tuple[str, str], ...]
    """Every border once."""
    bridges: tuple[tuple[str, str], ...]
    features: tuple[Feature, ...]

    def beside(self, site: str) -> frozenset[str]:
        """Neighbourhoods that share an edge with this one or the other end of its bridge."""
        return self.near[site]

    def on(self, island: str) -> tuple[str, ...]:
        """The neighbourhoods of one island."""
        return tuple(site.id for site in self.sites.values() if site.island == island)


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a map; a warning may stand."""

    key: str
    what: str
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.key}: {self.what}"


def _prefix(island: str) -> str:
    return "map.central" if island == CENTRAL else f"map.outer-{island}"


def names(box: Box, island: str) -> tuple[str, ...]:
    """The names of an island's neighbourhoods, in the order of its factions."""
    if island == CENTRAL:
        return tuple(box["map.central.names"])
    return tuple(str(i + 1) for i in range(len(box[f"{_prefix(island)}.factions"])))


def lay(box: Box, placement: Mapping[str, str]) -> Board:
    """The board with these outer islands in these slots (slot -> island)."""
    own = {key: value for key, value in box.overrides.items() if key.startswith("map.")}
    key = msgspec.json.encode(own) if own else b""
    return _laid(key, tuple(sorted(placement.items())), _Plain(box))


class _Plain:
    """A box that does not take part in the cache key: its map overrides already do."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Plain)


@lru_cache(maxsize=256)
def _laid(_key: bytes, placement: tuple[tuple[str, str], ...], plain: _Plain) -> Board:
    box = plain.box
    where = dict(placement)
    islands = (CENTRAL, *(where[slot] for slot in SLOTS if slot in where))
    sites: dict[str, Site] = {}
    borders: dict[str, set[str]] = {}
    features: list[Feature] = []
    for island in islands:
        prefix = _prefix(island)
        for name, letter, place in zip(
            names(box, island), box[f"{prefix}.factions"], _places(box, prefix, island), strict=True
        ):
            site = f"{island}.{name}"
            sites[site] = Site(site, island, LETTERS[letter], *place)
            borders[site] = set()
        for a, b in box[f"{prefix}.edges"]:
            borders[f"{island}.{a}"].add(f"{island}.{b}")
            borders[f"{island}.{b}"].add(f"{island}.{a}")
        for kind in FEATURES:
            for i, around in enumerate(box[f"{prefix}.{kind}s"], 1):
                named = frozenset(f"{island}.{name}" for name in around)
                features.append(Feature(f"{island}.{kind}-{i}", kind, island, named))
    bridges = tuple(_bridges(box, where))
    near = {site: set(around) for site, around in borders.items()}
    for a, b in bridges:
        near[a].add(b)
        near[b].add(a)
    places = {CENTRAL: "central"} | {island: SLOTS[slot] for slot, island in where.items()}
    edges = tuple((a, b) for a in borders for b in sorted(borders[a]) if a < b)
    return Board(islands, places, sites, _frozen(borders), _frozen(near), edges, bridges, tuple(features))


def _frozen(sets: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(value) for key, value in sets.items()}


def _places(box: Box, prefix: str, island: str) -> list[tuple[int, int]]:
    """Where each neighbourhood is drawn; a map of another size falls back to rows of four."""
    known = box[f"{prefix}.places"]
    count = len(names(box, island))
    if len(known) == count:
        return [(int(x), int(y)) for x, y in known]
    return [(100 * (i % 4), 100 * (i // 4)) for i in range(count)]


def _bridges(box: Box, where: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    for slot in SLOTS:
        if slot in where:
            ports = box[f"{_prefix(where[slot])}.ports"]
            for port, end in zip(ports, box[f"map.slots.{slot}"], strict=True):
                yield f"{where[slot]}.{port}", f"{CENTRAL}.{end}"
    for slot, port, other, far in box["map.ring.bridges"]:
        if slot in where and other in where:
            yield f"{where[slot]}.{port}", f"{where[other]}.{far}"


def check(box: Box) -> tuple[Problem, ...]:
    """Everything wrong with the owner's map; later checks wait until the earlier ones pass."""
    problems = [p for island in (CENTRAL, *OUTER) for p in _check_island(box, island)]
    problems += _check_bridges(box)
    if any(not p.warning for p in problems):
        return tuple(problems)
    problems += _check_counts(box)
    problems += _check_connected(box)
    return tuple(problems)


def _check_island(box: Box, island: str) -> Iterable[Problem]:
    prefix = _prefix(island)
    factions, known = box[f"{prefix}.factions"], set(names(box, island))
    wanted = 4 if island == CENTRAL else 14
    if len(factions) != wanted:
        yield Problem(f"{prefix}.factions", f"{len(factions)} neighbourhoods where {wanted} are usual", warning=True)
    if len(known) != len(names(box, island)):
        yield Problem(f"{prefix}.names", "a neighbourhood is named twice")
    if island == CENTRAL and len(known) != len(factions):
        yield Problem(f"{prefix}.factions", f"{len(factions)} factions for {len(known)} neighbourhoods")
    for letter in sorted(set(factions) - set(LETTERS)):
        yield Problem(f"{prefix}.factions", f"{letter} is not a faction, use Y, G, W or B")
    if any(len(place) != 2 for place in box[f"{prefix}.places"]):
        yield Problem(f"{prefix}.places", "each place is two numbers")
    seen: set[frozenset[Any]] = set()
    for i, edge in enumerate(box[f"{prefix}.edges"]):
        key = f"{prefix}.edges[{i}]"
        if not isinstance(edge, (list, tuple)) or len(edge) != 2 or edge[0] == edge[1]:
            yield Problem(key, "an edge joins two different neighbourhoods")
        elif not set(edge) <= known:
            yield Problem(key, f"{edge[0]}-{edge[1]} names an unknown neighbourhood")
        elif frozenset(edge) in seen:
            yield Problem(key, f"{edge[0]}-{edge[1]} is listed twice")
        else:
            seen.add(frozenset(edge))
    for kind in FEATURES:
        for i, around in enumerate(box[f"{prefix}.{kind}s"]):
            if not isinstance(around, (list, tuple)) or not around:
                yield Problem(f"{prefix}.{kind}s[{i}]", "it borders at least one neighbourhood")
            elif not set(map(str, around)) <= known:
                yield Problem(f"{prefix}.{kind}s[{i}]", "names an unknown neighbourhood")


def _check_bridges(box: Box) -> Iterable[Problem]:
    for island in OUTER:
        ports = box[f"{_prefix(island)}.ports"]
        if len(ports) != 2 or not set(ports) <= set(names(box, island)):
            yield Problem(f"{_prefix(island)}.ports", "two known neighbourhoods carry the central bridges")
    for slot in SLOTS:
        ends = box[f"map.slots.{slot}"]
        if len(ends) != 2 or not set(ends) <= set(names(box, CENTRAL)):
            yield Problem(f"map.slots.{slot}", "two known central neighbourhoods carry the bridges")
    for i, bridge in enumerate(box["map.ring.bridges"]):
        key = f"map.ring.bridges[{i}]"
        if not isinstance(bridge, (list, tuple)) or len(bridge) != 4 or not all(isinstance(end, str) for end in bridge):
            yield Problem(key, "slot, neighbourhood, slot, neighbourhood")
        elif bridge[0] == bridge[2] or not {bridge[0], bridge[2]} <= set(SLOTS):
            yield Problem(key, "joins two different slots of NW, NE, SE, SW")
        elif any(not {bridge[1], bridge[3]} <= set(names(box, island)) for island in OUTER):
            yield Problem(key, "names an unknown neighbourhood")


def tokens_left(box: Box, players: int) -> dict[str, int]:
    """What the bag holds for this many players."""

    def left(kind: str) -> int:
        return int(box[f"tokens.{kind}"]) - int(box[f"setup.{players}.{kind}-tokens-removed"])

    counts = dict.fromkeys(FACTIONS, left("neighbourhood")) | dict.fromkeys("ABCD", left("patron"))
    return counts | {"wild": left("wild"), "commission": left("commission")}


def patron_most(box: Box) -> int:
    """The highest value a patron's tile may have in any copy."""
    return box.printed["patrons.values"].high or 0


def _check_counts(box: Box) -> Iterable[Problem]:
    sizes = sorted(len(names(box, island)) for island in OUTER)
    for players in (2, 3, 4):
        outer = int(box[f"setup.{players}.outer-islands"])
        bag, central = sum(tokens_left(box, players).values()), len(names(box, CENTRAL))
        fewest, most = central + sum(sizes[:outer]), central + sum(sizes[-outer:])
        if not fewest == most == bag:
            found = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            yield Problem("map", f"{players} players: {found} neighbourhoods for {bag} tokens", warning=True)


def _check_connected(box: Box) -> Iterable[Problem]:
    parts = {island: _parts(box, island) for island in (CENTRAL, *OUTER)}
    for players in (2, 3, 4):
        for placement in placements(box, players):
            if not _joined(box, placement, parts):
                lying = ", ".join(f"{island} at {slot}" for slot, island in placement.items())
                yield Problem("map", f"not every neighbourhood can be reached with {lying}")
                break


def _parts(box: Box, island: str) -> dict[str, str]:
    """Neighbourhood -> one that stands for all it hangs together with on its island, by borders alone."""
    borders: dict[str, set[str]] = {f"{island}.{name}": set() for name in names(box, island)}
    for a, b in box[f"{_prefix(island)}.edges"]:
        borders[f"{island}.{a}"].add(f"{island}.{b}")
        borders[f"{island}.{b}"].add(f"{island}.{a}")
    part: dict[str, str] = {}
    for start in borders:
        edge = [] if start in part else [start]
        while edge:
            site = edge.pop()
            part[site] = start
            edge += borders[site] - part.keys()
    return part


def _joined(box: Box, placement: Mapping[str, str], parts: Mapping[str, Mapping[str, str]]) -> bool:
    """The bridges of this placement join all parts of its islands: every neighbourhood can be reached."""
    lying = [parts[island] for island in (CENTRAL, *placement.values())]
    of = {site: part for island in lying for site, part in island.items()}
    bridges = [(of[a], of[b]) for a, b in _bridges(box, placement)]
    reached = more = {next(iter(of.values()))}
    while more:
        more = {part for bridge in bridges if reached & set(bridge) for part in bridge} - reached
        reached = reached | more
    return reached == set(of.values())


def placements(box: Box, players: int) -> Iterable[dict[str, str]]:
    """Every way to lay the outer islands for this many players."""
    count = int(box[f"setup.{players}.outer-islands"])
    for slots in permutations(SLOTS, count):
        for islands in combinations(OUTER, count):
            yield dict(zip(slots, islands, strict=True))
