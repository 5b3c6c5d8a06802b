"""The six actions and what each records (rules, section 5)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.game import Text
from companion.games.praga import moves, plazas
from companion.games.praga.bounds import add
from companion.games.praga.forms import checked, detail
from companion.games.praga.gains import amounts_in, awake, gain, pay, produce
from companion.games.praga.refuse import refused
from companion.games.praga.state import Begun, Play, State
from companion.games.praga.technology import finals_due

Values = Mapping[str, object]


def _number(values: Values, name: str) -> int:
    found = values.get(name, 0)
    return found if isinstance(found, int) else 0


def source_of(state: State, action: str) -> Begun:
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
    if begun.source == "tile" and state.hand is not None:
        tile = state.hand.tile
        if state.pair_known(tile) and action not in state.actions_of(tile):
            pair = tuple(Text(f"praga/action/{name}") for name in state.actions_of(tile))
            raise refused("wrong-tile-action", box=f"tiles.{state.side}.{tile}", pair=pair)
    return begun


def road_open(state: State, seat: int) -> None:
    """The King's Road goes on, and its egg can be paid."""
    board = state.boards[seat]
    if board.road >= 5:
        raise refused("road-end")
    if board.road >= 3 and board.eggs < 1:
        raise refused("no-egg")


def begin(play: Play, seat: int, move: moves.Begin) -> None:
    """Say which action is being done."""
    begun = source_of(play.state, move.action)
    if move.action == "road":
        road_open(play.state, seat)
    play.set(begun=msgspec.structs.replace(begun, action=move.action))


def act(play: Play, seat: int, move: moves.Act) -> None:
    """Carry an action out and record what it cost and gave."""
    begun = source_of(play.state, move.action)
    values = checked(detail(play.state, seat, move.action, begun), move.values)
    if move.action in ("mines", "quarries"):
        _production_track(play, seat, move)
    elif move.action == "upgrade":
        _upgrade(play, seat, values)
    elif move.action == "wall":
        _wall(play, seat, values, begun)
    elif move.action == "building":
        _building(play, seat, values, begun)
    else:
        _road(play, seat, values)
    if values.get("special") is True and play.state.hand is not None:
        play.set(hand=msgspec.structs.replace(play.state.hand, bonus=False))
    if begun.source == "tile" and play.state.hand is not None:
        play.set(hand=msgspec.structs.replace(play.state.hand, acted=True))
        _remember_pair(play, play.state.hand.tile, move.action)
    play.set(begun=None, did=(*play.state.did, move.action))
    play.say("action", seat, who=Text("seat", {"n": seat}), action=Text(f"praga/action/{move.action}"))


def _remember_pair(play: Play, tile: int, action: str) -> None:
    seen = play.state.pairs[tile - 1]
    if len(seen) < 2 and action not in seen:
        pairs = play.state.pairs
        play.set(pairs=(*pairs[: tile - 1], (*seen, action), *pairs[tile:]))


def _production_track(play: Play, seat: int, move: moves.Act) -> None:
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


def _remind(play: Play, seat: int, *effects: str) -> None:
    """Lasting technologies whose icon or good only the player can see are named, not booked."""
    for effect in effects:
        if awake(play, seat, effect):
            play.say("remind", seat, who=Text("seat", {"n": seat}), effect=Text(f"praga/technology/{effect}"))


def _tokens(values: Values) -> tuple[str, ...]:
    return tuple(f"token-{colour}" for colour in ("red", "blue") if _number(values, colour) > 0)


def _upgrade(play: Play, seat: int, values: Values) -> None:
    """One more upgrade tile; its era says how far the university moves."""
    add(play, seat, "upgrades", 1)
    gain(play, seat, university=play.state.era)
    gain(play, seat, **amounts_in(values))
    _remind(play, seat, *_tokens(values))


def _wall(play: Play, seat: int, values: Values, begun: Begun) -> None:
    stone = _number(values, "cost_stone")
    if begun.discount == "wall":
        stone = max(0, stone - 2)
    pay(play, seat, gold=_number(values, "cost_gold"), stone=stone)
    add(play, seat, "walls", 1)
    gain(play, seat, **amounts_in(values))
    _remind(play, seat, "wall-icon", *_tokens(values))


def _building(play: Play, seat: int, values: Values, begun: Begun) -> None:
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
    _remind(play, seat, "building-icon", "building-plain", *_tokens(values))


def _road(play: Play, seat: int, values: Values) -> None:
    """The pawn enters the next section; IV and V cost an egg, V brings a tile for the final scoring."""
    road_open(play.state, seat)
    section = play.board(seat).road + 1
    if section >= 4:
        pay(play, seat, eggs=1)
        if play.state.planks < int(play.box["limit.planks"]):
            play.set(planks=play.state.planks + 1)
    play.put(seat, road=section)
    gain(play, seat, **amounts_in(values))
    play.say("road", seat, who=Text("seat", {"n": seat}), section=Text(f"praga/level/{section}"))
    finals_due(play, seat)
