"""The position as JSON values, for screen and phones to draw; in Praga everything is public."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Text, seat_name
from companion.games.praga import clock, correct, crane, prompts
from companion.games.praga.bounds import of_board
from companion.games.praga.state import State
from companion.panels import Clock, Panel

SHOWN = (
    *("points", "gold", "stone", "eggs", "silver_windows", "gold_windows", "mines", "quarries", "technology"),
    *("university", "red", "blue", "walls", "upgrades", "road", "cubes", "wall_row", "wall_column", "wall_level"),
    *("cathedral_row", "cathedral_column", "cathedral_level", "seals", "v_tiles", "unlogged"),
)


def view(state: State, seat: int | None) -> dict[str, Any]:
    """What this seat may see; its own form at the end and its own pick meanwhile are the only things others need not."""
    found: dict[str, Any] = {
        "game": "praga",
        "depth": state.depth,
        "active": None if state.dummy or state.played_out else state.active,
        "dummy": state.dummy,
        "station": state.crane.box,
        "turn_number": min(state.turn + 1, state.length),
        "round": min(clock.round_due(state.seats, state.turn), state.length // state.seats),
        "era": state.era,
        "crane": _crane(state),
        "clock": _clock(state),
        "players": [_player(state, one) for one in range(state.players)],
        "plazas": msgspec.to_builtins(state.plazas),
        "planks": state.planks,
        "chart": [[0, *(row[seat] for row in state.chart)] for seat in range(state.players)],
        "chosen": msgspec.to_builtins(state.hand),
        "limits": {name: list(bounds) for name in SHOWN if (bounds := of_board(state, name)) is not None},
        "pending": msgspec.to_builtins(state.pending),
        "tiles": correct.KINDS if state.depth == "full" else {},
        "entered": [sheet is not None for sheet in state.sheets],
    }
    if seat is not None and seat < state.players and state.played_out and state.due() is None:
        found["ask"] = msgspec.to_builtins(prompts.form_of(state, seat))
    elif seat is not None and (pick := prompts.pick_of(state, seat)) is not None:
        found["ask"] = msgspec.to_builtins(pick)
    return found


def _crane(state: State) -> dict[str, Any]:
    wheel, box = state.crane, state.box
    stations = []
    for station in range(1, crane.STATIONS + 1):
        tile = wheel.at(station)
        slot = wheel.slot(station)
        stations.append(
            {
                "station": station,
                "zone": crane.zone(station),
                "price": crane.price(box, station),
                "points": int(box[f"crane.blue.{station}"]) if station in crane.BLUE else 0,
                "tile": tile,
                "actions": list(state.actions_of(tile)) if tile else [],
                "flag": tile in wheel.flagged and tile != 0,
                "bonus": str(box[f"crane.bonus.{slot}"]) if slot else "",
            }
        )
    return {"box": wheel.box, "next": wheel.next_box, "notches": wheel.notches, "stations": stations}


def _clock(state: State) -> dict[str, Any]:
    box, seats, now = state.box, state.seats, state.turn
    era_turn = clock.era_turn(box, seats)
    total = clock.platform(box, seats, 0)
    return {
        "turn": min(now + 1, state.length),
        "length": state.length,
        "round": min(clock.round_due(seats, now), state.length // seats),
        "era": state.era,
        "era_in": max(0, era_turn - now),
        "era_seat": (era_turn - 1) % seats,
        "era_round": (era_turn - 1) // seats + 1,
        "platform": clock.platform(box, seats, now),
        "platform_start": total,
        "drops": clock.all_drops(box, seats),
        "era_turn": era_turn,
        "left": list(clock.turns_left(box, seats, min(now, state.length)))[: state.players],
    }


def panels(state: State) -> tuple[Panel, ...]:
    """How long until Era II, or until the end; every drop of the cube ends a part of the bar."""
    box, seats, now = state.box, state.seats, state.turn
    change = clock.era_turn(box, seats)
    if state.era == 1:
        text = Text("praga/screen/era-in", {"n": max(0, change - now)})
        seat, number = (change - 1) % seats, (change - 1) // seats + 1
        if seat >= state.players:
            note = Text("praga/screen/era-when-dummy", {"round": number})
        else:
            note = Text("praga/screen/era-when", {"who": seat_name(seat), "round": number})
    else:
        text = Text("praga/screen/left", {"n": state.length - min(now + 1, state.length) + 1})
        left = clock.turns_left(box, seats, min(now, state.length))[: state.players]
        each = tuple(Text("praga/turns-of", {"who": seat_name(i), "n": n}) for i, n in enumerate(left))
        note = Text("praga/screen/each", {"each": each})
    return (
        Clock(
            min(now, state.length - 1),
            state.length,
            text,
            note,
            stops=tuple(clock.all_drops(box, seats)),
            mark=change,
            mark_text=Text("praga/screen/era-two"),
            end_text=Text("praga/screen/end"),
        ),
    )


def _player(state: State, seat: int) -> dict[str, Any]:
    board = state.boards[seat]
    shown = {name: getattr(board, name) for name in SHOWN} if state.depth == "full" else {"points": board.points}
    return {
        "seat": seat,
        "name": state.names[seat],
        **msgspec.to_builtins(shown),
        "technologies": msgspec.to_builtins(board.technologies) if state.depth == "full" else [],
        "tiles": correct.lying(board) if state.depth == "full" else {},
    }
