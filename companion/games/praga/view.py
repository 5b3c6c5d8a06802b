"""What is shown of a position, for screen and phones to draw; in Praga everything is public."""

from __future__ import annotations

from companion.game import Text, seat_name
from companion.games.praga import clock, copy, correct, crane, grids, layout
from companion.games.praga.ask import form_of, pick_of
from companion.games.praga.bounds import of_board
from companion.games.praga.state import PragaState
from companion.panels import STOPS, Clock, Panel
from companion.shown.praga import Eras, Owner, PragaView, Skill, Square, Station, Wheel

COUNTED = (
    *("points", "gold", "stone", "eggs", "silver_windows", "gold_windows", "mines", "quarries", "technology"),
    *("university", "red", "blue", "walls", "upgrades", "road", "cubes", "wall_row", "wall_column", "wall_level"),
    *("cathedral_row", "cathedral_column", "cathedral_level"),
)
"""The numbers of a board."""


def view(state: PragaState, seat: int | None) -> PragaView:
    """What this seat may see; its own form at the end and its own pick meanwhile are the only things others need not."""
    ask = None
    if seat is not None and seat < state.players and state.played_out and state.due() is None:
        ask = form_of(state, seat)
    elif seat is not None:
        ask = pick_of(state, seat)
    full = state.depth == "full"
    return PragaView(
        players=tuple(_player(state, one) for one in range(state.players)),
        round=min(clock.round_due(state.seats, state.turn), state.length // state.seats),
        chart=tuple((0, *(row[one] for row in state.chart)) for one in range(state.players)),
        ask=ask,
        depth=state.depth,
        active=None if state.dummy or state.played_out else state.active,
        dummy=state.dummy,
        held=state.held,
        station=state.crane.box,
        era=state.era,
        crane=_crane(state),
        clock=_clock(state),
        plazas=tuple(
            Square(
                one.buildings,
                one.cubes,
                one.done,
                one.empty,
                copy.rewards(state, number),
                copy.place(state.box, number),
            )
            for number, one in enumerate(state.plazas, 1)
        ),
        grids=grids.in_play(state),
        planks=state.planks,
        chosen=state.hand.tile if state.hand else 0,
        limits={name: bounds for name in COUNTED if (bounds := of_board(state, name)) is not None},
        tiles=correct.KINDS if full else {},
        entered=tuple(sheet is not None for sheet in state.sheets),
    )


def _crane(state: PragaState) -> Wheel:
    wheel, box, telling = state.crane, state.box, layout.open_now(state)
    stations = []
    for station in range(1, crane.STATIONS + 1):
        tile, slot = wheel.at(station), wheel.slot(station)
        stations.append(
            Station(
                station=station,
                zone=crane.zone(station),
                price=crane.price(box, station),
                points=int(box[f"crane.blue.{station}"]) if station in crane.BLUE else 0,
                tile=tile,
                actions=layout.hanging(state, station) if telling else state.actions_of(tile) if tile else (),
                flag=tile in wheel.flagged and tile != 0,
                bonus=str(box[f"crane.bonus.{slot}"]) if slot else "",
                star=station == int(box["crane.star"]),
                hole=station == int(box["crane.hole"]),
            )
        )
    lies = not clock.drops(box, state.seats, state.turn) or state.turn == 0
    asked = layout.place(state) if telling else 0
    return Wheel(wheel.box, wheel.next_box, wheel.notches, tuple(stations), lies, asked)


def _clock(state: PragaState) -> Eras:
    box, seats, now = state.box, state.seats, state.turn
    era_turn = clock.era_turn(box, seats)
    return Eras(
        turn=min(now + 1, state.length),
        length=state.length,
        round=min(clock.round_due(seats, now), state.length // seats),
        era=state.era,
        era_in=max(0, era_turn - now),
        era_seat=state.seat_at(era_turn - 1),
        era_round=(era_turn - 1) // seats + 1,
        platform=clock.platform(box, seats, now),
        drops=tuple(clock.all_drops(box, seats)),
        era_turn=era_turn,
        left=clock.turns_left(box, seats, min(now, state.length), state.first)[: state.players],
    )


def _player(state: PragaState, seat: int) -> Owner:
    board, name = state.boards[seat], state.names[seat]
    if state.depth != "full":
        return Owner(seat=seat, name=name, points=board.points)
    return Owner(
        seat=seat,
        name=name,
        **{what: getattr(board, what) for what in COUNTED},
        seals=board.seals,
        v_tiles=board.v_tiles,
        unlogged=board.unlogged,
        technologies=tuple(Skill(one.level, one.effect, one.turn, one.used) for one in board.technologies),
        tiles=correct.lying(board),
        upgraded=board.upgraded,
    )


def panels(state: PragaState) -> tuple[Panel, ...]:
    """How long until Era II, or until the end; every drop of the cube ends a part of the bar."""
    box, seats, now = state.box, state.seats, state.turn
    change, drops = clock.era_turn(box, seats), clock.all_drops(box, seats)
    if state.era == 1:
        text = Text("praga/screen/era-in", {"n": max(0, change - now)})
        seat, number = state.seat_at(change - 1), (change - 1) // seats + 1
        if seat >= state.players:
            note = Text("praga/screen/era-when-dummy", {"round": number})
        else:
            note = Text("praga/screen/era-when", {"who": seat_name(seat), "round": number})
    else:
        text = Text("praga/screen/left", {"n": state.length - min(now + 1, state.length) + 1})
        left = clock.turns_left(box, seats, min(now, state.length), state.first)[: state.players]
        each = tuple(Text("praga/turns-of", {"who": seat_name(i), "n": n}) for i, n in enumerate(left))
        note = Text("praga/screen/each", {"each": each})
    return (
        Clock(
            min(now, state.length - 1),
            state.length,
            text,
            note,
            stops=tuple(drops) if len(drops) <= STOPS else (),
            mark=change,
            mark_text=Text("praga/screen/era-two"),
            end_text=Text("praga/screen/end"),
        ),
    )
