"""What each seat may see: the table for everybody, the secrets for their owner alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from companion.games.skyrise.answers import waiting_to_choose
from companion.games.skyrise.asking import private
from companion.games.skyrise.auction import options
from companion.games.skyrise.board import FACTIONS
from companion.games.skyrise.record import tally
from companion.games.skyrise.state import Piece, State


def view(state: State, seat: int | None) -> dict[str, Any]:
    """The public view; for a seat, its own secrets and its secret question beside it."""
    shown = {
        "era": state.era,
        "phase": state.phase,
        "deal": state.deal,
        "auction": _auction(state),
        "turn": state.turn if state.phase not in ("lay", "deal", "choose", "reveal", "over") else None,
        "islands": _islands(state),
        "sites": _sites(state),
        "bridges": [list(bridge) for bridge in state.islands.bridges] if state.placement else [],
        "borders": [list(edge) for edge in state.islands.edges] if state.placement else [],
        "features": _features(state),
        "players": [_player(state, index) for index in range(len(state.players))],
        "panorama": [{"card": card, "reward": state.box[f"panorama.{card}.reward"]} for card in state.panorama],
        "patrons": dict(state.patrons) if state.phase == "over" else {},
        "rows": [state.box[f"rows.{i}"] for i in range(5)],
        "finished": list(state.finished),
        "waiting": list(waiting_to_choose(state)),
        "chart": _chart(state),
        "scored": [msgspec.to_builtins(line) for line in state.scored],
        "unconfirmed": len(state.box.unconfirmed(_in_use(state))),
    }
    if seat is None:
        return shown
    return shown | _secrets(state, seat)


def _secrets(state: State, seat: int) -> dict[str, Any]:
    player = state.players[seat]
    question = private(state, seat)
    secret: dict[str, Any] = {
        "seat": seat,
        "objective": player.objective,
        "hand": list(player.hand),
        "chosen": list(player.chosen),
        "patrons": {letter: state.patrons[letter] for letter in player.patrons if letter in state.patrons},
    }
    found: dict[str, Any] = {"secret": secret}
    if question is not None:
        found["ask"] = msgspec.to_builtins(question)
    return found


def _in_use(state: State) -> tuple[str, ...]:
    """The printed values this game rests on."""
    colours = tuple(player.colour for player in state.players)
    return _keys(colours, state.panorama, tuple(state.placement.items()), tuple(state.box))


@lru_cache(maxsize=64)
def _keys(
    colours: tuple[str, ...],
    panorama: tuple[str, ...],
    placement: tuple[tuple[str, str], ...],
    printed: tuple[str, ...],
) -> tuple[str, ...]:
    starts = tuple(f"buildings.{colour}." for colour in colours) + tuple(f"panorama.{card}." for card in panorama)
    islands = ("map.central.", *(f"map.outer-{island}." for _, island in placement))
    slots = {f"map.slots.{slot}" for slot, _ in placement}
    found = [key for key in printed if key.startswith(starts) or key in slots]
    found += [key for key in printed if key.startswith(islands) and not key.endswith((".places", ".names"))]
    return (*found, "map.ring.bridges", *(f"rows.{i}" for i in range(5)), "patrons.values")


def _chart(state: State) -> list[list[int]]:
    """Each player's prestige at the start, after era I, after every wonder, and at the end."""
    rows = track(state)
    if state.phase == "over":
        for player in tally(state).players:
            rows[player.seat].append(player.total)
    return rows


def track(state: State) -> list[list[int]]:
    """Each player's prestige at the start, after era I and after every wonder."""
    seats = range(len(state.players))
    points = [0 for _ in seats]
    rows = [[0] for _ in seats]
    for i, line in enumerate(state.scored):
        points[line.seat] += line.points
        following = state.scored[i + 1] if i + 1 < len(state.scored) else None
        if line.era == 2 or following is None or following.era == 2:
            for seat in seats:
                rows[seat].append(points[seat])
    return rows


def _auction(state: State) -> dict[str, Any]:
    bidding = state.phase in ("open", "bid")
    return {
        "number": state.auction,
        "opener": state.opener,
        "bids": [
            {"seat": bid.seat, "site": bid.site, **_piece(state.pieces[bid.piece])} for bid in state.bids
        ],
        "passed": [msgspec.to_builtins(passed) for passed in state.passed],
        "legal": {piece: list(sites) for piece, sites in options(state, state.turn).items()} if bidding else {},
    }  # fmt: skip


def _piece(piece: Piece) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "piece": piece.id,
        "number": piece.number or None,
        "height": piece.height,
        "colour": piece.colour,
    }
    if piece.card:
        shown["card"] = piece.card
    return shown


def _islands(state: State) -> list[dict[str, Any]]:
    if not state.placement:
        return []
    board = state.islands
    return [{"id": island, "place": board.places[island]} for island in board.islands]


def _sites(state: State) -> list[dict[str, Any]]:
    if not state.placement:
        return []
    occupants, found = state.occupants(), []
    for site in state.islands.sites.values():
        shown: dict[str, Any] = {
            "id": site.id,
            "island": site.island,
            "faction": site.faction,
            "x": site.x,
            "y": site.y,
            "token": state.tokens.get(site.id, ""),
        }
        piece = occupants.get(site.id)
        if piece is not None:
            shown["piece"] = {"seat": piece.owner, "where": piece.where, **_piece(piece)}
        found.append(shown)
    return found


def _features(state: State) -> list[dict[str, Any]]:
    if not state.placement:
        return []
    return [{"id": f.id, "kind": f.kind, "sites": sorted(f.sites)} for f in state.islands.features]


def _player(state: State, seat: int) -> dict[str, Any]:
    player = state.players[seat]
    heights = [piece.standing for piece in state.built(seat)]
    return {
        "seat": seat,
        "name": player.name,
        "colour": player.colour,
        "points": player.prestige,
        "rows": dict(zip(FACTIONS, player.rows, strict=True)),
        "surplus": player.surplus,
        "patrons": list(player.patrons),
        "commissions": player.commissions,
        "keys": list(player.keys),
        "objective": player.objective if player.objective_shown else "",
        "wonders": list(player.cards),
        "initiative": state.initiative(seat)[0] if player.cards else None,
        "available": [_piece(piece) for piece in state.own(seat, "available")],
        "locked": [_piece(piece) for piece in state.own(seat, "locked")],
        "built": {height: heights.count(height) for height in ("tall", "medium", "small")}
        | {"wonders": sum(1 for piece in state.built(seat) if piece.wonder), "all": len(heights)},
        "gone": player.gone,
    }
