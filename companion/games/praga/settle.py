"""After a correction the game is settled again: what a board shows can be, what is owed is asked, what is over has ended.

A correction may leap over what a move would have set off: a space with a tile, a first six, the last turn. Whatever was changed
by hand, the position that follows is one the game could stand in.
"""

from __future__ import annotations

import msgspec

from companion.game import RuleBroken
from companion.games.praga import bounds, sheet, technology
from companion.games.praga.actions import can_be_built
from companion.games.praga.ending import end, reopened
from companion.games.praga.gains import GOODS, PRODUCTION, first_arrivals, reach_known, road_open, token_due
from companion.games.praga.state import Begun, Board, Pending, Plaza, Work


def settle(play: Work) -> None:
    """Bring board, debts and clock in line with what was corrected."""
    _plazas(play)
    for seat in range(play.state.players):
        _within(play, seat)
        if play.state.depth == "full":
            _owed(play, seat)
    _action(play)
    _clock(play)


def _within(play: Work, seat: int) -> None:
    """Nobody has more than the box holds or stands past a track's end."""
    board = play.board(seat)
    changes = {name: bounds.within(play.state, name, getattr(board, name)) for name in bounds.BOARD}
    seals = board.seals[: int(play.box["limit.seals"])]
    if any(getattr(board, name) != value for name, value in changes.items()) or seals != board.seals:
        play.put(seat, **changes, seals=seals)


def _owed(play: Work, seat: int) -> None:
    """Spaces that are reached have their tile or are asked for it; what is no longer reached is not asked for."""
    board = play.board(seat)
    gone = [one for one in play.state.pending if one.seat == seat and not _stands(play, board, one)]
    for one in gone:
        play.settle(one)
        if one.kind == "final":
            play.put(seat, asked=tuple(place for place in play.board(seat).asked if place != one.what))
            play.set(bridge_fives=play.state.bridge_fives - (one.what == "bridge"))
    if play.state.played_out:
        return
    for good in GOODS:
        first_arrivals(play, seat, good)
    for track in PRODUCTION:
        token_due(play, seat, track)
    reach_known(play, seat)
    technology.finals_due(play, seat)


def _stands(play: Work, board: Board, one: Pending) -> bool:
    """The board still shows why this is asked."""
    if one.kind == "technology":
        step = int(play.box[f"track.technology.{one.what}"])
        return step <= board.technology and all(tile.level != int(one.what) for tile in board.technologies)
    if one.kind == "token":
        return not board.token(one.what) and getattr(board, one.what) >= int(play.box[f"track.{one.what}_token"])
    if one.kind == "final":
        return board.road == 5 if one.what == "bridge" else board.cathedral_level == 3
    return True


def _plazas(play: Work) -> None:
    """As many plazas as the box says; one that was built at stays."""
    count, nobody = int(play.box[f"plazas.count.{play.state.seats}"]), (0,) * play.state.players
    empty = max(0, int(play.box["plazas.count.4"]) - count)
    untouched = {Plaza(0, nobody, nobody, empty=one) for one in (False, True)}
    plazas = list(play.state.plazas)
    while len(plazas) > count + empty and plazas[-1] in untouched:
        plazas.pop()
    plazas += [Plaza(0, nobody, nobody, empty=i >= count) for i in range(len(plazas), count + empty)]
    if len(plazas) != len(play.state.plazas):
        play.set(plazas=tuple(plazas))


def _action(play: Work) -> None:
    """A road begun that leads nowhere any more is another action again, or none where only the road was given; a building tile
    that our copy does not have after all, or that cannot be paid, is asked for again."""
    begun = play.state.begun
    if begun is None or play.state.dummy:
        return
    try:
        if begun.action == "road":
            road_open(play.state, play.state.active)
        elif begun.tile:
            can_be_built(play, play.state.active, begun)
    except RuleBroken:
        if begun.tile:
            play.set(begun=msgspec.structs.replace(begun, tile=0, plaza=0))
        else:
            play.set(begun=Begun("extra") if begun.source == "extra" else None)


def _clock(play: Work) -> None:
    """The last turn may have been played, or there are turns again; then no final position stands yet."""
    state = play.state
    if not state.played_out:
        play.set(sheets=(None,) * state.players)
        reopened(play)
        return
    end(play)
    play.set(sheets=tuple(one if one is None or _possible(play, one) else None for one in state.sheets))


def _possible(play: Work, entered: sheet.Sheet) -> bool:
    """A final position that was entered still fits the box."""
    try:
        sheet.check([entered], play.box)
    except ValueError:
        return False
    return True
