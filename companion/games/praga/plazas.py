"""Plazas: buildings around them, claims, and who is rewarded when the last site is filled (rules, section 9)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.game import Text
from companion.games.praga import copy, moves
from companion.games.praga.bounds import add
from companion.games.praga.ending import give
from companion.games.praga.gains import SIDEWAYS, gain, thing
from companion.games.praga.refuse import refused
from companion.games.praga.state import Pending, Plaza, PragaState, Work
from companion.shown.praga import COLUMNS, OLD_ROWS


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


def stands(state: PragaState, number: int) -> bool:
    """There is such a plaza, and it has a free site."""
    return 1 <= number <= len(state.plazas) and not state.plazas[number - 1].done


def name(state: PragaState, number: int) -> Text:
    """A plaza by where it lies, as far as the map says, and by the rewards of its tile where they are known."""
    plaza, known = state.plazas[number - 1], copy.rewards(state, number)
    where = place_of(state, number)
    if plaza.empty:
        return Text("praga/plaza/empty", {"plaza": where})
    if not known:
        return where
    things = {row: tuple(thing(what, n) for what, n in known.get(row, {}).items()) for row in copy.ROWS}
    shown = {row: found or (Text("praga/plaza/unseen"),) for row, found in things.items()}
    return Text("praga/plaza/of", {"plaza": where, **shown})


def place_of(state: PragaState, number: int) -> Text:
    """A plaza by its number, and by its town where the map has it."""
    town = town_of(copy.place(state.box, number))
    if town is None:
        return Text("praga/plaza", {"number": number})
    return Text("praga/plaza/in", {"number": number, "town": town})


def town_of(place: int) -> Text | None:
    """The town a place of the map belongs to: north of the King's Road lies the Old Town."""
    if not place:
        return None
    return Text(f"praga/town/{'old' if place <= COLUMNS * OLD_ROWS else 'new'}")


def add_building(play: Work, seat: int, number: int, place: str, cost: int, set_up: int = 0) -> None:
    """A building now touches this plaza: claimed with a cube, or points for every building there.

    `set_up` tells the buildings that lay there from the start; told once it is remembered.
    """
    if not stands(play.state, number):
        raise refused("plaza", n=number)
    plaza = play.state.plazas[number - 1]
    told = set_up or plaza.set_up
    buildings = min(int(play.box["limit.buildings"]), plaza.buildings + told - plaza.set_up + 1)
    plaza = msgspec.structs.replace(plaza, buildings=buildings, set_up=told)
    if place == "claim":
        if play.board(seat).cubes < 1:
            raise refused("no-cube")
        if plaza.empty:
            raise refused("plaza-empty")
        play.put(seat, cubes=play.board(seat).cubes - 1)
        plaza = msgspec.structs.replace(plaza, cubes=_add(plaza.cubes, seat, 1), spent=_add(plaza.spent, seat, cost))
    said = "claimed" if place == "claim" else "built"
    play.say(said, seat, who=Text("seat", {"n": seat}), plaza=number, where=place_of(play.state, number))
    when = play.state.when
    since = [one for one in plaza.built if one[0] > when]
    plaza = msgspec.structs.replace(plaza, built=(*plaza.built, (when, seat, place == "points")))
    if place == "points":
        gain(play, seat, points=plaza.buildings - len(since))
    for _, other, scored in since:
        gain(play, other, points=int(scored))  # it had been one more building, told too late to be counted
    _keep(play, number, plaza)
    play.set(built=tuple(dict.fromkeys((*play.state.built, number))))


def complete(play: Work, number: int) -> None:
    """The last free site is filled: every claimant is rewarded and the cubes go home. Rewards that are known are booked."""
    if not stands(play.state, number):
        raise refused("plaza", n=number)
    plaza = play.state.plazas[number - 1]
    both = leaders(plaza.cubes, plaza.spent)
    empty = (0,) * play.state.players
    done = msgspec.structs.replace(plaza, cubes=empty, spent=empty, done=True)
    _keep(play, number, done)
    play.say("plaza-complete", None, plaza=number)
    for seat in claimants(plaza.cubes, play.state.active % play.state.players):
        add(play, seat, "cubes", plaza.cubes[seat])
        for row in copy.ROWS if seat in both else ("",):
            _owe(play, seat, number, row)


def _owe(play: Work, seat: int, number: int, row: str) -> None:
    """A reward that is known and leaves no choice is taken at once; any other is asked for."""
    known = copy.rewards(play.state, number).get(row)
    if known is not None and not set(known) & set(SIDEWAYS):
        gain(play, seat, **known)
    else:
        play.owe(Pending("plaza", seat, play.state.turn, f"{number}:{row}", bool(row)))


def of(waiting: Pending) -> tuple[int, str]:
    """The plaza a reward comes from, 0 for one that a technology lets choose, and which of its rewards it is."""
    number, _, row = waiting.what.partition(":")
    return int(number or 0), row


def reward(play: Work, seat: int, waiting: Pending, move: moves.Reward, gives: dict[str, int]) -> None:
    """A reward is taken: of a tile already seen as it is printed, else as it was entered, and it is seen from now on."""
    number, row = of(waiting)
    row = row or move.row or str(move.values.get("row") or "")
    plaza = play.state.plazas[number - 1] if number else None
    tile = move.tile or (plaza.tile if plaza else 0)
    if move.tile and not gives:
        known = copy.plaza_tiles(play.box)
        if move.tile > len(known) or not row:
            raise refused("no-such-hex")
        gives = copy.gains_of(known[move.tile - 1], f"{row}_")
    elif row:
        tile = copy.learn_reward(play, tile, row, gives)
    if plaza is not None and tile:
        _keep(play, number, msgspec.structs.replace(plaza, tile=tile))
    if play.state.paid_out and waiting.turn >= play.state.length:
        give(play, seat, gives)
    else:
        gain(play, seat, **gives)


def claim(play: Work, seat: int, number: int, cubes: int) -> None:
    """So many cubes of a player lie at this plaza; without one nothing was spent on them."""
    plaza = play.state.plazas[number - 1]
    spent = plaza.spent if cubes else _add(plaza.spent, seat, -plaza.spent[seat])
    moved = _add(plaza.cubes, seat, cubes - plaza.cubes[seat])
    _keep(play, number, msgspec.structs.replace(plaza, cubes=moved, spent=spent))


def _add(counts: tuple[int, ...], seat: int, amount: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + amount, *counts[seat + 1 :])


def _keep(play: Work, number: int, plaza: Plaza) -> None:
    plazas = play.state.plazas
    play.set(plazas=(*plazas[: number - 1], plaza, *plazas[number:]))
