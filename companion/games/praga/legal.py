"""Legal moves to try: for bots, for explaining what the dial shows, and for tests.

What only the table can see is never made up: a hex tile, a site or a reward is offered where it was seen in this copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.game import RuleBroken
from companion.games.praga import copy, crane, final, layout, moves, plazas, technology, turn
from companion.games.praga.actions import printed, tile_of
from companion.games.praga.bounds import end_of
from companion.games.praga.forms import special_open
from companion.games.praga.gains import GOODS, PRODUCTION, TOKENS, TRACKS, gain, road_open
from companion.games.praga.sheet import FINALS, SEALS, V_TILES
from companion.games.praga.state import ACTIONS, Begun, Pending, PragaState, Work

FULL = 4
"""Buildings from which on a plaza may well be full; whoever moves the pieces sees whether it is."""


def legal(state: PragaState) -> tuple[moves.AnyMove, ...]:
    """Every kind of move open now, the turn of the wheel last; empty only when the game is over."""
    return tuple(_legal(state))


def _legal(state: PragaState) -> Iterator[moves.AnyMove]:
    due = state.due()
    if due is not None and _seen_by_people(state, due):
        return
    if due is not None:
        yield from answers(state, due)
    elif state.played_out:
        for seat, sheet in enumerate(state.sheets):
            unread = final.unread(state, seat)
            if sheet is None and not (unread and seat in state.robots):
                yield moves.Sheet(seat, dict.fromkeys(unread, 0))
    elif layout.open_now(state):
        yield moves.Hang(skip=True)
        yield from (moves.Hang(tile) for tile in layout.known(state) if not state.half)
    elif not state.dummy:
        yield from _own_turn(state, state.active)
    if state.played_out:
        return
    if state.held:
        yield moves.Later(state.active)
    elif state.dummy or state.hand is not None:
        yield moves.Turn(seat=None if state.dummy else state.active)


DRAWN = ("technology", "token", "final")
"""Which tiles of a kind can be taken lies on the table."""


def _seen_by_people(state: PragaState, due: Pending) -> bool:
    """A robot has no eyes: which tiles were drawn, and what is printed and was not told yet, people say for it."""
    if due.seat not in state.robots:
        return False
    if due.kind in DRAWN or due.kind == "resource":
        return True
    if due.kind == "good":
        return f"technology.good.{due.what}" in state.box.printed
    return due.kind == "plaza" and not any(move.tile for move in answers(state, due) if isinstance(move, moves.Reward))


def answers(state: PragaState, due: Pending) -> Iterator[moves.AnyMove]:
    """What somebody who has something to say may say."""
    seat = due.seat
    if due.kind == "plaza":
        number, row = plazas.of(due)
        mine = state.plazas[number - 1].tile if number else 0
        used = {plaza.tile for plaza in state.plazas} if number else set()
        for tile, seen in enumerate(copy.plaza_tiles(state.box), 1):
            if tile == mine or not (mine or tile in used):
                rows = [one for one in copy.ROWS if row in ("", one) and copy.gains_of(seen, f"{one}_")]
                yield from (moves.Reward({}, tile, one, seat) for one in rows)  # type: ignore[arg-type]
        if seat not in state.robots:
            yield moves.Reward(seat=seat)
    elif due.kind == "resource":
        yield moves.Reward(seat=seat)
    elif due.kind == "good":
        yield from (moves.Good(good, seat) for good in GOODS)  # type: ignore[arg-type]
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


def _own_turn(state: PragaState, seat: int) -> Iterator[moves.AnyMove]:
    if state.begun is not None:
        tile = tile_of(state, state.begun)
        open_now = state.actions_of(tile) if tile and state.pair_known(tile) else ACTIONS
        names = (state.begun.action,) if state.begun.action else open_now
        found = [move for name in names for move in act_moves(state, seat, name, state.begun)]
        if not found and state.begun.action:
            found = [moves.Act(state.begun.action, seat=seat)]  # type: ignore[arg-type]
        yield from found
        return
    if state.hand is None:
        for _, tile in state.crane.tiles():
            if state.depth != "full" or _affordable(state, seat, tile):
                yield moves.Choose(tile, seat)
    elif state.depth == "full" and not state.hand.acted:
        tile = state.hand.tile
        for name in state.actions_of(tile) if state.pair_known(tile) else ACTIONS:
            yield from act_moves(state, seat, name, Begun("tile"))
    if state.depth == "full":
        yield from also(state, seat)
        yield from _told_late(state, seat)


def _told_late(state: PragaState, seat: int) -> Iterator[moves.AnyMove]:
    """An action of an earlier turn, and a plaza that is full."""
    if state.boards[seat].missed:
        yield moves.Recall(seat)
    for number in state.built:
        if plazas.stands(state, number) and state.plazas[number - 1].buildings >= FULL:
            yield moves.Complete(number, seat)


def _affordable(state: PragaState, seat: int, tile: int) -> bool:
    return crane.price(state.box, state.crane.where(tile) or 1) <= state.boards[seat].gold


def act_moves(state: PragaState, seat: int, action: str, begun: Begun) -> Iterator[moves.AnyMove]:
    """An action with what was seen of it in this copy, as far as it can be paid."""
    if action in ("mines", "quarries"):
        yield moves.Act(action, "dig", seat=seat)  # type: ignore[arg-type]
        yield moves.Act(action, "produce", seat=seat)  # type: ignore[arg-type]
    elif action == "road":
        try:
            road_open(state, seat)
        except RuleBroken:
            return
        last = copy.listed(state.box, f"road.last.{state.boards[seat].road + 1}")
        gives = [{name: int(n) for name, n in one.items()} for one in last] or [{}]
        yield from (moves.Act("road", values={**one}, seat=seat) for one in gives if _held(state, seat, one))
    elif begun.plaza:
        for gold, points in copy.sites(state.box):
            if gold + int(copy_cost(state, begun, "cost_gold")) <= state.boards[seat].gold:
                values: dict[str, moves.Value] = {"site_gold": gold, "site_points": points} if gold or points else {}
                yield moves.Act("building", values=values, seat=seat)
    elif begun.tile:
        yield from _plazas(state, seat, begun)
    else:
        for number, tile in copy.hexes(state, action, special=special_open(state, begun)):
            paid = all(int(tile.get(f"cost_{good}", 0)) <= getattr(state.boards[seat], good) for good in GOODS)
            if paid and action == "building":
                yield moves.Begin("building", tile=number, seat=seat)
            elif paid:
                yield moves.Act(action, tile=number, seat=seat)  # type: ignore[arg-type]


def copy_cost(state: PragaState, begun: Begun, name: str) -> int:
    """What the tile begun with costs."""
    tile = copy.hex_tile(state.box, "building", begun.tile)
    return int(tile.get(name, 0)) if tile else 0


def _held(state: PragaState, seat: int, gives: Mapping[str, int]) -> bool:
    """What a section asks for can be paid."""
    board = state.boards[seat]
    egg = 1 if board.road >= 3 else 0
    return all(n >= 0 or getattr(board, name) - (egg if name == "eggs" else 0) >= -n for name, n in gives.items())


def _plazas(state: PragaState, seat: int, begun: Begun) -> Iterator[moves.AnyMove]:
    """The plaza most built at, one nobody has built at, and an empty place where the tile has no cube place."""
    claims = printed(state, seat, moves.Act("building", tile=begun.tile)).get("place") == "claim"
    free = [i for i, plaza in enumerate(state.plazas, 1) if not plaza.done and not (plaza.empty and claims)]
    ranked = sorted(free, key=lambda i: (-state.plazas[i - 1].buildings, i))
    for number in dict.fromkeys((*ranked[:1], *ranked[-1:])):
        yield moves.Begin("building", tile=begun.tile, plaza=number, seat=seat)


def also(state: PragaState, seat: int) -> Iterator[moves.AnyMove]:
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


def _bonus(state: PragaState, seat: int) -> Iterator[moves.AnyMove]:
    kind = turn.bonus_kind(state)
    if kind == "step":
        yield from (moves.Bonus(track, seat) for track in (*TRACKS, *PRODUCTION))  # type: ignore[arg-type]
    elif kind.startswith("egg"):
        if getattr(state.boards[seat], kind.removeprefix("egg-for-")):
            yield moves.Bonus(seat=seat)
    elif kind:
        yield moves.Bonus(seat=seat)


def climbs(state: PragaState, seat: int, by: str) -> Iterator[moves.Climb]:
    """A row within the level, or into the next one where its price can be paid."""
    board = state.boards[seat]
    for building in ("wall", "cathedral"):
        row = int(getattr(board, f"{building}_row"))
        if row >= end_of(state, building, "row"):
            continue
        level = getattr(board, f"{building}_level") + 1
        known = copy.level_of(state, building, row + 1)
        if known is None or known < level:
            yield moves.Climb(building, 0, by, seat)  # type: ignore[arg-type]
        if level > 3 or (known is not None and known < level):
            continue
        price = technology.entry_price(state, building, level)
        if by == "technology" or all(getattr(board, name) >= cost for name, cost in price.items()):
            yield moves.Climb(building, level, by, seat)  # type: ignore[arg-type]


def technologies(state: PragaState, seat: int) -> Iterator[moves.AnyMove]:
    """Tiles just drawn, and stored ones that can be used now."""
    for one in state.pending:
        if one.kind == "technology" and one.seat == seat and seat not in state.robots:
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
        elif tile.effect != "road" or _road_goes_on(state, seat):
            yield moves.Use(level, seat=seat)


def _road_goes_on(state: PragaState, seat: int) -> bool:
    """The tile's own egg, if the supply has one left, may pay for the next section."""
    trial = Work(state)
    gain(trial, seat, eggs=1)
    try:
        road_open(trial.state, seat)
    except RuleBroken:
        return False
    return True
