"""Which action tile hangs where, told before the first turn: one touch for a tile that is known, two for a new one."""

from __future__ import annotations

from companion.game import Ask, Choice, Text
from companion.games.praga import copy, crane, moves
from companion.games.praga.refuse import refused
from companion.games.praga.state import ACTIONS, PragaState, Work


def open_now(state: PragaState) -> bool:
    """The first turn has not begun, and the tiles are still to be told."""
    return state.laid is not None and state.turn == 0 and state.hand is None and state.begun is None


def pair(state: PragaState, tile: int) -> tuple[str, ...]:
    """The actions of a tile as the box has them."""
    return tuple(name for name in state.box[f"tiles.{state.side}.{tile}"] if name in ACTIONS)


def known(state: PragaState) -> tuple[int, ...]:
    """Tiles of which something is known and which do not hang yet."""
    return tuple(tile for tile in range(1, crane.TILES + 1) if pair(state, tile) and tile not in (state.laid or ()))


def fresh(state: PragaState) -> tuple[int, ...]:
    """Numbers that no tile of this side has been given yet."""
    return tuple(t for t in range(1, crane.TILES + 1) if not pair(state, t) and t not in (state.laid or ()))


def place(state: PragaState) -> int:
    """The station that is asked about."""
    return state.crane.tiles()[len(state.laid or ())][0]


def hanging(state: PragaState, station: int) -> tuple[str, ...]:
    """The actions of the tile at a station, as far as it was told before the first turn."""
    stations, laid = [one for one, _ in state.crane.tiles()], state.laid or ()
    at = stations.index(station) if station in stations else len(stations)
    if at < len(laid):
        return pair(state, laid[at])
    return (state.half,) if at == len(laid) and state.half else ()


def hang(play: Work, move: moves.Hang) -> None:
    """One answer: a tile, one of its actions, or nothing at all."""
    state = play.state
    if not open_now(state) or state.laid is None:
        raise refused("not-now")
    if move.skip:
        play.set(laid=None, half="")
    elif move.tile:
        if move.tile not in known(state) or state.half:
            raise refused("no-such-tile", tile=move.tile)
        _hung(play, move.tile)
    elif move.action and move.action != state.half:
        _named(play, move.action)
    else:
        raise refused("nothing")


def _named(play: Work, action: str) -> None:
    state = play.state
    if not state.half:
        play.set(half=action)
        return
    both = {state.half, action}
    alike = [tile for tile in known(state) if set(pair(state, tile)) <= both]
    free = [*sorted(alike, key=lambda tile: -len(pair(state, tile))), *fresh(state)]
    if not free:
        raise refused("no-such-tile", tile=0)
    copy.learn(play, f"tiles.{state.side}.{free[0]}", [state.half, action])
    _hung(play, free[0])


def _hung(play: Work, tile: int) -> None:
    """The tile hangs there; the last one is the one that is left."""
    laid = (*(play.state.laid or ()), tile)
    rest = [one for one in range(1, crane.TILES + 1) if one not in laid]
    play.set(laid=laid, half="")
    if len(rest) == 1 and len(pair(play.state, rest[0])) == 2:
        laid = (*laid, rest[0])
    if len(laid) == crane.TILES:
        wheel = crane.set_up(play.state.crane.box, laid)
        play.set(crane=wheel, laid=None, told=True)
        play.say("crane-set", None, station=crane.place(wheel.box))


def ask(state: PragaState) -> Ask:
    """The tile at the next place, or its second action."""
    choices = [_skip()]
    if not state.half:
        choices = [_tile(state, tile) for tile in known(state)] + choices
    if fresh(state) or state.half or any(len(pair(state, tile)) == 1 for tile in known(state)):
        choices = [*choices[:-1], *(_action(name) for name in ACTIONS if name != state.half), choices[-1]]
    key = "praga/ask/hang/second" if state.half else "praga/ask/hang"
    params = {"place": crane.place(place(state))}
    if state.half:
        params["action"] = Text(f"praga/action/{state.half}")
    return Ask(None, Text(key, params), tuple(choices), help=Text("praga/ask/hang/help"), phase="layout")


def _tile(state: PragaState, tile: int) -> Choice:
    names = pair(state, tile)
    text = Text("praga/choice/hang", {"actions": tuple(Text(f"praga/action/{name}") for name in names)})
    move = moves.encode(moves.Hang(tile))
    return Choice(f"hang-{tile}", text, move, group="hang", picture={"actions": list(names)})


def _action(name: str) -> Choice:
    move = moves.encode(moves.Hang(action=name))  # type: ignore[arg-type]
    return Choice(f"hang-{name}", Text(f"praga/action/{name}"), move, group="hang", picture={"action": name})


def _skip() -> Choice:
    return Choice("hang-skip", Text("praga/choice/hang/skip"), moves.encode(moves.Hang(skip=True)))
