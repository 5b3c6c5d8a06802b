"""The most forgotten rules, said when they matter and not before."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Text, seat_name
from companion.games.praga import clock, crane, technology, turn
from companion.games.praga.state import PragaState

LASTING = {"plain-buildings": "building", "walls": "wall", "upgrades": "upgrade"}


def reminders(state: PragaState) -> tuple[Text, ...]:
    """What the player in turn may forget."""
    found = list(_clock(state))
    if state.depth == "full" and state.active < state.players:
        found += [*_turn(state), *_technology(state)]
    return tuple(found)


def _clock(state: PragaState) -> Iterator[Text]:
    box, seats, now = state.box, state.seats, state.turn
    if now == 0 and state.hand is None:
        yield Text("praga/remind/start", {"station": crane.place(state.crane.box)})
    if clock.drops(box, seats, now):
        yield Text("praga/remind/lift-cube")
    if now + 1 == clock.era_turn(box, seats):
        yield Text("praga/remind/era-next")
    elif now == clock.era_turn(box, seats):
        yield Text("praga/remind/era-now")
    if now + seats >= state.length:
        yield Text("praga/remind/last-turn")


def _turn(state: PragaState) -> Iterator[Text]:
    seat, board = state.active, state.boards[state.active]
    limit = int(state.box["limit.windows"])
    if board.windows > limit:
        yield Text("praga/remind/windows", {"n": board.windows, "limit": limit})
    kind = turn.bonus_kind(state)
    if kind:
        yield Text("praga/remind/bonus", {"bonus": Text(f"praga/bonus/{kind}")})
    begun = state.begun
    if begun is not None:
        if begun.action in ("wall", "building"):
            yield Text("praga/remind/pay-first")
        if begun.source != "tile" and begun.action in ("", "upgrade", "wall", "building"):
            yield Text("praga/remind/no-special")
        section = str(state.box[f"road.{board.road}"]) if 1 <= board.road <= 3 else ""
        if section in LASTING and LASTING[section] == begun.action:
            yield Text(f"praga/remind/road/{section}")
    if begun is None and {*state.did, *state.late} & {"upgrade", "wall", "building"}:
        yield Text("praga/remind/beside")
    if "upgrade" in state.did:
        yield Text("praga/remind/upgrade")
    if len(board.seals) < min(technology.tracks_done(state, seat), int(state.box["limit.seals"])):
        yield Text("praga/remind/seal")


def _technology(state: PragaState) -> Iterator[Text]:
    for one in state.pending:
        if one.kind == "technology":
            yield Text("praga/remind/pick", {"who": seat_name(one.seat), "level": Text(f"praga/level/{one.what}")})
    for tile in state.boards[state.active].technologies:
        if tile.level <= 2 and tile.turn == state.turn:
            yield Text("praga/remind/asleep", {"effect": Text(f"praga/technology/{tile.effect}")})
        elif tile.level >= 3 and not tile.used:
            yield Text("praga/remind/stored", {"level": Text(f"praga/level/{tile.level}")})
