"""Scoring on the islands: control and the panorama cards, for both eras and the wonders that use them."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.skyrise.board import Feature
from companion.games.skyrise.final import controllers
from companion.games.skyrise.state import HEIGHTS, SkyriseState

PANORAMA = ("airships", "windmills", "lakes", "bridges", "chains")
FEATURE = {"airships": "airship", "windmills": "windmill", "lakes": "lake"}


def heights(state: SkyriseState, island: str) -> dict[int, tuple[int, int, int]]:
    """Seat -> tall, medium and small buildings on one island; the Atelier is tall, other wonders have no height."""
    sites = set(state.islands.on(island))
    found = {}
    for seat in range(len(state.players)):
        standing = [piece.standing for piece in state.built(seat) if piece.site in sites]
        tall, medium, small = (standing.count(height) for height in HEIGHTS)
        found[seat] = (tall, medium, small)
    return found


def control(state: SkyriseState, island: str) -> tuple[int, ...]:
    """The seats that control an island now."""
    return controllers(heights(state, island), bool(state.box["settings.empty-island-scores"]))


def bordered(state: SkyriseState, seat: int, kind: str, least: int = 1, island: str = "") -> tuple[Feature, ...]:
    """Features of one kind with at least this many own structures beside them, on one island or on all."""
    own = {piece.site for piece in state.built(seat)}
    return tuple(
        feature
        for feature in state.islands.features
        if feature.kind == kind and island in ("", feature.island) and len(own & feature.sites) >= least
    )


def times(state: SkyriseState, seat: int, card: str, island: str = "") -> int:
    """How often a player meets a panorama card, on one island (the Intelligencium) or on the whole board."""
    own = {piece.site for piece in state.built(seat)}
    board, box = state.islands, state.box
    if card == "bridges":
        ends = [bridge for bridge in board.bridges if own.issuperset(bridge)]
        return sum(1 for a, b in ends if not island or island in (board.sites[a].island, board.sites[b].island))
    if card == "chains":
        return sum(_chained(state, own, each) for each in board.islands if island in ("", each))
    found = bordered(state, seat, FEATURE[card], int(box[f"panorama.{card}.least"]), island)
    if box[f"panorama.{card}.count"] == "incidence":
        return sum(len(own & feature.sites) for feature in found)
    return len(found)


def _chained(state: SkyriseState, own: set[str], island: str) -> bool:
    """Enough own structures of this island hang together by shared borders; bridges leave the island."""
    borders, box = state.islands.borders, state.box
    here, length = own & set(state.islands.on(island)), int(box["panorama.chains.length"])
    if box["panorama.chains.shape"] == "mutual":
        return any(_cliques(here, {site}, length, borders) for site in here)
    left = set(here)
    while left:
        group = [left.pop()]
        for site in group:
            joined = borders[site] & left
            left -= joined
            group += joined
        if len(group) >= length:
            return True
    return False


def _cliques(here: set[str], group: set[str], length: int, borders: dict[str, frozenset[str]]) -> bool:
    if len(group) == length:
        return True
    return any(_cliques(here, group | {site}, length, borders) for site in here - group if group <= borders[site])


def longest_path(state: SkyriseState, own: Iterable[str]) -> int:
    """The longest chain of adjacent own structures, each used once; bridges join."""
    left = frozenset(own)
    board = state.islands
    joined = {site: board.beside(site) & left for site in left}

    def walk(site: str, seen: frozenset[str]) -> int:
        return 1 + max((walk(following, seen | {following}) for following in joined[site] - seen), default=0)

    return max((walk(site, frozenset({site})) for site in left), default=0)


def panorama_doubts(state: SkyriseState, card: str) -> tuple[str, ...]:
    """The unconfirmed printed values a panorama score rests on."""
    keys = [key for key in state.box if key.startswith(f"panorama.{card}.")]
    return state.box.unconfirmed([*keys, *map_keys(state)])


def map_keys(state: SkyriseState) -> tuple[str, ...]:
    """The printed values the board of this game is made of."""
    islands = tuple("map.central." if i == "C" else f"map.outer-{i}." for i in state.islands.islands)
    slots = {f"map.slots.{slot}" for slot in state.placement} | {"map.ring.bridges"}
    return tuple(
        key
        for key in state.box
        if key in slots or (key.startswith(islands) and not key.endswith((".places", ".names")))
    )
