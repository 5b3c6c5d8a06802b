"""The six actions and what each records (rules, section 5)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.game import Text
from companion.games.praga import clock, copy, moves, plazas, turn, upgrades
from companion.games.praga.bounds import add
from companion.games.praga.forms import building_fields, checked, detail
from companion.games.praga.gains import amounts_in, gain, pay, produce, road_open, second_level, thing
from companion.games.praga.refuse import refused
from companion.games.praga.state import ACTIONS, Begun, PragaState, Work
from companion.games.praga.technology import finals_due

Values = Mapping[str, object]
PUT_OFF = ("tile", "missed")
"""Where an action comes from that nobody has paid for and that may wait."""


def _number(values: Values, name: str) -> int:
    found = values.get(name, 0)
    return found if isinstance(found, int) else 0


def source_of(state: PragaState, action: str) -> Begun:
    """Where an action now comes from; refused when the player has none to carry out."""
    begun = state.begun
    if begun is None:
        if state.hand is None:
            raise refused("no-tile")
        if state.hand.acted:
            raise refused("acted")
        begun = Begun("tile")
    if begun.action not in ("", action):
        raise refused("wrong-action", action=Text(f"praga/action/{begun.action}"))
    tile = tile_of(state, begun)
    if tile and state.pair_known(tile) and action not in state.actions_of(tile):
        pair = tuple(Text(f"praga/action/{name}") for name in state.actions_of(tile))
        raise refused("wrong-tile-action", box=f"tiles.{state.side}.{tile}", pair=pair)
    return begun


def tile_of(state: PragaState, begun: Begun) -> int:
    """The action tile an action comes from, of this turn or of one that was not recorded; 0: from none."""
    if begun.source == "missed":
        return state.boards[state.active].missed[begun.which].tile
    return state.hand.tile if begun.source == "tile" and state.hand is not None else 0


def begin(play: Work, seat: int, move: moves.Begin) -> None:
    """Say which action is being done; of a building also its tile and its plaza, one after the other."""
    begun = source_of(play.state, move.action)
    if move.action == "road":
        road_open(play.state, seat)
    tile = move.tile
    if move.values and not tile:
        known = checked(building_fields(play.state, begun), move.values)
        tile = copy.learn_hex(play, "building", era_of(play.state, begun), known)
    if tile or move.plaza or move.values:
        if move.action != "building":
            raise refused("no-such-hex")
        can_be_built(play, seat, msgspec.structs.replace(begun, tile=tile, plaza=move.plaza))
        if move.plaza and move.at and not copy.learn_place(play, move.plaza, move.at):
            raise refused("plaza-there")
    play.set(begun=msgspec.structs.replace(begun, action=move.action, tile=tile, plaza=move.plaza))


def put_off(play: Work) -> None:
    """Something else comes first: the action of a tile stays to be done, that of an earlier turn to be told."""
    begun = play.state.begun
    if begun is None or not begun.action or begun.source not in PUT_OFF:
        raise refused("nothing")
    play.set(begun=None)


def can_be_built(play: Work, seat: int, begun: Begun) -> None:
    """A building tile is one of the box, at a plaza that is there, and taken by who can pay it: its site is asked for next."""
    tile = copy.hex_tile(play.box, "building", begun.tile)
    if tile is None:
        raise refused("no-such-hex")
    if begun.plaza and not plazas.stands(play.state, begun.plaza):
        raise refused("plaza", n=begun.plaza)
    off = 2 if begun.discount == "building" else 0
    trial = Work(play.state)
    pay(trial, seat, stone=int(tile.get("cost_stone", 0)), gold=max(0, int(tile.get("cost_gold", 0)) - off))


def act(play: Work, seat: int, move: moves.Act) -> None:
    """Carry an action out and record what it cost and gave."""
    begun = source_of(play.state, move.action)
    if begun.tile and not move.tile:
        move = msgspec.structs.replace(move, tile=begun.tile)
    where: dict[str, moves.Value] = {"plaza": begun.plaza} if begun.plaza else {}
    given = {**printed(play.state, seat, move), **where, **move.values}
    values = checked(detail(play.state, seat, move.action, begun), given)
    now = play.state
    cost = tuple(
        thing(good, _number(values, f"cost_{good}")) for good in ("stone", "gold") if values.get(f"cost_{good}")
    )
    if cost:  # which tile it was: whoever moves a robot's pieces finds it by its price
        play.say("took", seat, who=Text("seat", {"n": seat}), cost=cost)
    if now.recalled is not None:
        play.set(did=now.recalled.did, technology_used=now.recalled.used)
    if move.action in ("mines", "quarries"):
        _production_track(play, seat, move)
    elif move.action == "upgrade":
        _upgrade(play, seat, values, begun)
    elif move.action == "wall":
        _wall(play, seat, values, begun)
    elif move.action == "building":
        _building(play, seat, values, begun)
    else:
        _road(play, seat, values)
    if move.action in copy.HEXES:
        _taken(play, move, values, begun)
    upgrades.fire(play, seat, move.action)
    special = values.get("special") is True
    if special and begun.source == "tile" and play.state.hand is not None:
        play.set(hand=msgspec.structs.replace(play.state.hand, bonus=False))
    _remember_pair(play, tile_of(play.state, begun), move.action)
    if begun.source == "tile" and play.state.hand is not None:
        play.set(hand=msgspec.structs.replace(play.state.hand, acted=True))
    play.set(begun=None, did=(*play.state.did, move.action))
    play.say("action", seat, who=Text("seat", {"n": seat}), action=Text(f"praga/action/{move.action}"))
    if begun.source == "missed":
        turn.recorded_late(play, seat, begun.which, special=special)
        play.set(did=now.did, technology_used=now.technology_used, late=(*now.late, move.action))
    turn.finish_held(play)


def printed(state: PragaState, seat: int, move: moves.Act) -> dict[str, moves.Value]:
    """What a tile already seen costs and gives, as its form would say it."""
    if not move.tile:
        return {}
    tile = copy.hex_tile(state.box, move.action, move.tile) if move.action in copy.HEXES else None
    if tile is None:
        raise refused("no-such-hex")
    values: dict[str, moves.Value] = {name: n for name, n in tile.items() if name in (*copy.COSTS, *copy.GAINS, "on")}
    if tile.get("special"):
        values["special"] = True
    if move.action == "building":
        place = str(tile.get("place", "points"))
        values["place"] = place if place == "points" or state.boards[seat].cubes else "none"
    return values


def _taken(play: Work, move: moves.Act, values: Values, begun: Begun) -> None:
    """A hex tile leaves its row and another is turned up; one that was entered is known from now on."""
    number = move.tile or copy.learn_hex(play, move.action, era_of(play.state, begun), values)
    if number:
        play.set(taken=(*play.state.taken, f"{move.action} {number}"))
    play.reveals = True


def era_of(state: PragaState, begun: Begun) -> int:
    """The era in which an action was done."""
    missed = begun.source == "missed"
    when = state.boards[state.active].missed[begun.which].turn if missed else state.turn
    return clock.era(state.box, state.seats, when)


def _remember_pair(play: Work, tile: int, action: str) -> None:
    """An action done with a tile is printed on it; known for later games where the tile is known by its number."""
    if not tile or action in play.state.actions_of(tile) or len(play.state.actions_of(tile)) >= 2:
        return
    pairs = play.state.pairs
    seen = (*pairs[tile - 1], action)
    play.set(pairs=(*pairs[: tile - 1], seen, *pairs[tile:]))
    if play.state.told:
        both = play.state.actions_of(tile)
        copy.learn(play, f"tiles.{play.state.side}.{tile}", [*both, *["unknown"] * (2 - len(both))])


def _production_track(play: Work, seat: int, move: moves.Act) -> None:
    """One more mine or quarry and one good, or production of all of them."""
    if move.branch == "":
        raise refused("branch")
    track = move.action
    if move.branch == "produce":
        produce(play, seat, track)
    else:
        good = "gold" if track == "mines" else "stone"
        gain(play, seat, **{good: 1, track: 1})
    gain(play, seat, **amounts_in(move.values))


def _upgrade(play: Work, seat: int, values: Values, begun: Begun) -> None:
    """One more upgrade tile; its era says how far the university moves, and it pays whenever its action is done."""
    era = era_of(play.state, begun)
    add(play, seat, "upgrades", 1)
    if era == 1:
        play.put(seat, era_one=play.board(seat).era_one + 1)
    gain(play, seat, university=era)
    action = str(values.get("on", ""))
    if action in ACTIONS:
        upgrades.lay(play, seat, action, copy.gains_of(values))
    else:
        gain(play, seat, **amounts_in(values))
    upgrades.road_pays(play, seat, "upgrades")


def _wall(play: Work, seat: int, values: Values, begun: Begun) -> None:
    stone = _number(values, "cost_stone")
    if begun.discount == "wall":
        stone = max(0, stone - 2)
    pay(play, seat, gold=_number(values, "cost_gold"), stone=stone)
    add(play, seat, "walls", 1)
    gain(play, seat, **amounts_in(values))
    if _number(values, "wall_steps"):
        second_level(play, seat, "wall-icon")
    upgrades.road_pays(play, seat, "walls")


def _building(play: Work, seat: int, values: Values, begun: Begun) -> None:
    """Tile cost, then the reward, then the site's surcharge: gold from the reward may pay it."""
    gold, site = _number(values, "cost_gold"), _number(values, "site_gold")
    stone = _number(values, "cost_stone")
    printed = gold + stone
    if begun.discount == "building":
        off = min(2, gold)
        gold, site = gold - off, max(0, site - (2 - off))
    pay(play, seat, gold=gold, stone=stone)
    gain(play, seat, **amounts_in(values))
    pay(play, seat, gold=site)
    gain(play, seat, points=_number(values, "site_points"))
    number, place, set_up = _number(values, "plaza"), str(values.get("place", "none")), _number(values, "set_up")
    if not number and (place != "none" or values.get("completes") is True):
        raise refused("plaza-needed")
    if number:
        plazas.add_building(play, seat, number, place, printed, set_up)
        if values.get("completes") is True:
            plazas.complete(play, number)
    copy.learn_site(play, _number(values, "site_gold"), _number(values, "site_points"))
    icon = _number(values, "cathedral_steps") > 0
    second_level(play, seat, "building-icon" if icon else "building-plain")
    if not icon:
        upgrades.road_pays(play, seat, "plain-buildings")


def _road(play: Work, seat: int, values: Values) -> None:
    """The pawn enters the next section; IV and V cost an egg, V brings a tile for the final scoring."""
    road_open(play.state, seat)
    section = play.board(seat).road + 1
    if section >= 4:
        pay(play, seat, eggs=1)
        if play.state.planks < int(play.box["limit.planks"]):
            play.set(planks=play.state.planks + 1)
        play.reveals = section == 4
    play.put(seat, road=section)
    copy.learn(play, f"road.last.{section}", [given] if (given := amounts_in(values)) else [])
    gain(play, seat, **given)
    upgrades.section_entered(play, seat, section)
    play.say("road", seat, who=Text("seat", {"n": seat}), section=Text(f"praga/level/{section}"))
    finals_due(play, seat)
