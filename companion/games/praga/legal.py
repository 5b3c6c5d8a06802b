"""Legal moves to try: for bots, for explaining what the dial shows, and for tests.

Tiles carry numbers only the table can see, so actions with a form are offered with a few plausible entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.game import RuleBroken
from companion.games.praga import crane, moves, technology, turn
from companion.games.praga.actions import road_open
from companion.games.praga.bounds import end_of
from companion.games.praga.gains import TOKENS
from companion.games.praga.sheet import FINALS, SEALS, V_TILES
from companion.games.praga.state import ACTIONS, Pending, State


def legal(state: State) -> tuple[moves.AnyMove, ...]:
    """Every kind of move open now, the turn of the wheel last; empty only when the game is over."""
    return tuple(_legal(state))


def _legal(state: State) -> Iterator[moves.AnyMove]:
    due = state.due()
    if due is not None:
        yield from answers(state, due)
    elif state.played_out:
        yield from (moves.Sheet(seat) for seat, sheet in enumerate(state.sheets) if sheet is None)
    elif not state.dummy:
        yield from _own_turn(state, state.active)
    if not state.played_out and (state.dummy or state.hand is not None):
        yield moves.Turn(seat=None if state.dummy else state.active)


def answers(state: State, due: Pending) -> Iterator[moves.AnyMove]:
    """What somebody who has something to say may say."""
    seat = due.seat
    if due.kind == "plaza":
        yield moves.Reward({"points": 3}, seat)
        yield moves.Reward({"gold": 2, "stone": 1} if due.both else {"gold": 2}, seat)
    elif due.kind == "resource":
        yield moves.Reward({}, seat)
        yield moves.Reward({"points": 2}, seat)
    elif due.kind == "token":
        yield from (moves.Token(name, seat) for name in TOKENS)  # type: ignore[arg-type]
    elif due.kind == "technology":
        level = int(due.what)
        held = {one.effect for board in state.boards for one in board.technologies if one.level == level}
        yield from (moves.Learn(level, name, seat) for name in technology.EFFECTS[level] if name not in held)
    elif due.kind == "final":
        held = {name for board in state.boards for name in board.v_tiles}
        if len(state.boards[seat].v_tiles) < V_TILES:
            yield from (moves.Final(name, seat) for name in FINALS if name not in held)
        yield moves.Final("none", seat)
    else:
        board, spare = state.boards[seat], turn.owed_windows(state, due)
        for gold in range(spare + 1):
            if gold <= board.gold_windows and spare - gold <= board.silver_windows:
                yield moves.Windows(gold, spare - gold, seat)


def _own_turn(state: State, seat: int) -> Iterator[moves.AnyMove]:
    if state.begun is not None:
        names = (state.begun.action,) if state.begun.action else ACTIONS
        for name in names:
            yield from act_moves(state, seat, name)
        return
    if state.hand is None:
        for _, tile in state.crane.tiles():
            if state.depth != "full" or _affordable(state, seat, tile):
                yield moves.Choose(tile, seat)
    elif state.depth == "full" and not state.hand.acted:
        tile = state.hand.tile
        for name in state.actions_of(tile) if state.pair_known(tile) else ACTIONS:
            yield from act_moves(state, seat, name)
    if state.depth == "full":
        yield from also(state, seat)


def _affordable(state: State, seat: int, tile: int) -> bool:
    return crane.price(state.box, state.crane.where(tile) or 1) <= state.boards[seat].gold


def act_moves(state: State, seat: int, action: str) -> Iterator[moves.AnyMove]:
    """An action with a few plausible entries, each payable."""
    board = state.boards[seat]
    if action in ("mines", "quarries"):
        yield moves.Act(action, "dig", seat=seat)  # type: ignore[arg-type]
        yield moves.Act(action, "produce", seat=seat)  # type: ignore[arg-type]
    elif action == "upgrade":
        yield moves.Act("upgrade", values={"red": 1}, seat=seat)
        yield moves.Act("upgrade", values={"silver_windows": 1, "technology": 1}, seat=seat)
    elif action == "wall":
        if board.stone >= 1:
            yield moves.Act("wall", values={"cost_stone": 1, "silver_windows": 1, "blue": 1}, seat=seat)
        if board.stone >= 3:
            yield moves.Act("wall", values={"cost_stone": 3, "points": 4, "wall_steps": 1, "eggs": 1}, seat=seat)
    elif action == "building":
        yield from _buildings(state, seat)
    else:
        try:
            road_open(state, seat)
        except RuleBroken:
            return
        yield moves.Act("road", values={"points": 2, "gold_windows": 1}, seat=seat)


def _buildings(state: State, seat: int) -> Iterator[moves.AnyMove]:
    board = state.boards[seat]
    free = [i for i, plaza in enumerate(state.plazas, 1) if not plaza.done]
    if board.gold < 2 or not free:
        return
    number = min(free, key=lambda i: (-state.plazas[i - 1].buildings, i))
    common: Mapping[str, moves.Value] = {
        "cost_gold": 2,
        "cathedral_steps": 1,
        "plaza": number,
        "completes": state.plazas[number - 1].buildings >= 3,
    }
    place = "claim" if board.cubes else "points"
    yield moves.Act("building", values={**common, "place": place, "red": 1}, seat=seat)
    if board.gold >= 3:
        plain = {**common, "place": "points", "site_gold": 1, "site_points": 2, "technology": 1}
        yield moves.Act("building", values=plain, seat=seat)


def also(state: State, seat: int) -> Iterator[moves.AnyMove]:
    """What a player may do around the action: bonus, extra action, climbing, seals, technologies."""
    board = state.boards[seat]
    yield from _bonus(state, seat)
    if not state.extra and board.gold_windows >= 2:
        yield moves.Extra("gold", seat)
    if not state.extra and board.gold_windows and board.silver_windows:
        yield moves.Extra("mixed", seat)
    if board.silver_windows >= int(state.box["climb.windows"]):
        yield from climbs(state, seat, "windows")
    open_tracks = min(technology.tracks_done(state, seat), int(state.box["limit.seals"]))
    if len(board.seals) < open_tracks and board.cubes:
        taken = {name for other in state.boards for name in other.seals}
        for name in SEALS:
            if name not in taken and board.silver_windows >= int(state.box[f"seal.cost.{name}"]):
                yield moves.Seal(name, seat)
    yield from technologies(state, seat)


def _bonus(state: State, seat: int) -> Iterator[moves.AnyMove]:
    kind = turn.bonus_kind(state)
    if kind == "step":
        yield moves.Bonus("technology", seat)
        yield moves.Bonus("university", seat)
    elif kind.startswith("egg"):
        if getattr(state.boards[seat], kind.removeprefix("egg-for-")):
            yield moves.Bonus(seat=seat)
    elif kind:
        yield moves.Bonus(seat=seat)


def climbs(state: State, seat: int, by: str) -> Iterator[moves.Climb]:
    """A row within the level, or into the next one where its price can be paid."""
    board = state.boards[seat]
    for building in ("wall", "cathedral"):
        if getattr(board, f"{building}_row") >= end_of(state, building, "row"):
            continue
        yield moves.Climb(building, 0, by, seat)  # type: ignore[arg-type]
        level = getattr(board, f"{building}_level") + 1
        if level > 3:
            continue
        price = technology.entry_price(state, building, level)
        if by == "technology" or all(getattr(board, name) >= cost for name, cost in price.items()):
            yield moves.Climb(building, level, by, seat)  # type: ignore[arg-type]


def technologies(state: State, seat: int) -> Iterator[moves.AnyMove]:
    """Tiles just drawn, and stored ones that can be used now."""
    for one in state.pending:
        if one.kind == "technology" and one.seat == seat:
            yield from answers(state, one)
    for level in (3, 4):
        tile = technology.stored(state, seat, level)
        if tile is None:
            continue
        if tile.effect == "free-climb":
            yield from climbs(state, seat, "technology")
        elif tile.effect == "advance":
            for track in ("mines", "quarries"):
                yield moves.Use(level, track, "gold", seat)
                yield moves.Use(level, track, "stone", seat)
        elif tile.effect != "road" or state.boards[seat].road < 5:
            yield moves.Use(level, seat=seat)
