"""Plazas: buildings around them, claims, and who is rewarded when the last site is filled (rules, section 9)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.game import Text
from companion.games.praga.bounds import add
from companion.games.praga.gains import gain
from companion.games.praga.refuse import refused
from companion.games.praga.state import Pending, Play, Plaza


def leaders(cubes: Sequence[int], spent: Sequence[int]) -> tuple[int, ...]:
    """Seats that take both rewards: most cubes, then most spent on them, then all who are still tied."""
    claims = [(cubes[seat], spent[seat], seat) for seat in range(len(cubes)) if cubes[seat]]
    if not claims:
        return ()
    best = max(claims)[:2]
    return tuple(seat for count, cost, seat in claims if (count, cost) == best)


def claimants(cubes: Sequence[int], first: int) -> tuple[int, ...]:
    """Seats with a cube, in turn order from the active player."""
    seats = len(cubes)
    return tuple(seat for i in range(seats) if cubes[seat := (first + i) % seats])


def add_building(play: Play, seat: int, number: int, place: str, cost: int, set_up: int = 0) -> None:
    """A building now touches this plaza: claimed with a cube, or points for every building there.

    `set_up` tells the buildings that lay there from the start; told once it is remembered.
    """
    if not 1 <= number <= len(play.state.plazas) or play.state.plazas[number - 1].done:
        raise refused("plaza", n=number)
    plaza = play.state.plazas[number - 1]
    told = set_up or plaza.set_up
    buildings = min(int(play.box["limit.buildings"]), plaza.buildings + told - plaza.set_up + 1)
    plaza = msgspec.structs.replace(plaza, buildings=buildings, set_up=told)
    if place == "claim":
        if play.board(seat).cubes < 1:
            raise refused("no-cube")
        play.put(seat, cubes=play.board(seat).cubes - 1)
        plaza = msgspec.structs.replace(plaza, cubes=_add(plaza.cubes, seat, 1), spent=_add(plaza.spent, seat, cost))
        play.say("claimed", seat, who=Text("seat", {"n": seat}), plaza=number)
    elif place == "points":
        gain(play, seat, points=plaza.buildings)
    _keep(play, number, plaza)


def complete(play: Play, number: int) -> None:
    """The last free site is filled: every claimant is rewarded and the cubes go home."""
    plaza = play.state.plazas[number - 1]
    both = leaders(plaza.cubes, plaza.spent)
    for seat in claimants(plaza.cubes, play.state.active % play.state.players):
        play.owe(Pending("plaza", seat, play.state.turn, str(number), seat in both))
        add(play, seat, "cubes", plaza.cubes[seat])
    empty = (0,) * play.state.players
    _keep(play, number, Plaza(plaza.buildings, empty, empty, done=True, set_up=plaza.set_up))
    play.say("plaza-complete", None, plaza=number)


def claim(play: Play, seat: int, number: int, cubes: int) -> None:
    """So many cubes of a player lie at this plaza; without one nothing was spent on them."""
    plaza = play.state.plazas[number - 1]
    spent = plaza.spent if cubes else _add(plaza.spent, seat, -plaza.spent[seat])
    moved = _add(plaza.cubes, seat, cubes - plaza.cubes[seat])
    _keep(play, number, msgspec.structs.replace(plaza, cubes=moved, spent=spent))


def _add(counts: tuple[int, ...], seat: int, amount: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + amount, *counts[seat + 1 :])


def _keep(play: Play, number: int, plaza: Plaza) -> None:
    plazas = play.state.plazas
    play.set(plazas=(*plazas[: number - 1], plaza, *plazas[number:]))
