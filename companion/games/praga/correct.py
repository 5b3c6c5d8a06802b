"""Corrections: any recorded value, the whole crane, or a printed number of this copy."""

from __future__ import annotations

from companion.game import Text
from companion.games.praga import crane, moves
from companion.games.praga.refuse import refused
from companion.games.praga.state import Play, State

RANGES: dict[str, tuple[int, int]] = {
    "points": (0, 999),
    "eggs": (0, 24),
    "silver_windows": (0, 20),
    "gold_windows": (0, 20),
    "red": (0, 60),
    "blue": (0, 60),
    "walls": (0, 36),
    "upgrades": (0, 30),
    "road": (0, 5),
    "cubes": (0, 11),
    "wall_row": (1, 20),
    "wall_column": (1, 20),
    "wall_level": (1, 3),
    "cathedral_row": (1, 20),
    "cathedral_column": (1, 20),
    "cathedral_level": (1, 3),
}


def limits(state: State, name: str) -> tuple[int, int] | None:
    """Lowest and highest value a board may show."""
    if name in ("gold", "stone"):
        return 0, int(state.box["limit.goods"])
    if name in ("technology", "university"):
        return 0, int(state.box[f"track.{name}_top"])
    if name in ("mines", "quarries"):
        return int(state.box[f"start.{name}"]), int(state.box[f"track.{name}_top"])
    return RANGES.get(name)


def board(play: Play, seat: int, values: dict[str, moves.Value]) -> None:
    """Put values of one player's board right."""
    for name, value in values.items():
        bounds = limits(play.state, name)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if bounds is None or not whole or not bounds[0] <= int(str(value)) <= bounds[1]:
            field = Text(f"praga/field/{name}" if bounds else "praga/field/unknown", {"name": name})
            low, high = bounds or (0, 0)
            raise refused("correct", field=field, name=name, low=low, high=high)
        if getattr(play.board(seat), name) == value:
            continue
        play.put(seat, **{name: value})
        play.say("corrected", seat, who=Text("seat", {"n": seat}), field=Text(f"praga/field/{name}"), value=str(value))


def of_wheel(move: moves.Correct) -> bool:
    """The correction is about the crane, which is nobody's."""
    return "box" in move.values or move.box is not None or bool(move.stations)


def wheel_form(play: Play, values: dict[str, moves.Value]) -> None:
    """The crane as a form has it: the arrow's station, and one for each hanging tile (`tile-3`)."""
    stations = [0] * crane.STATIONS
    for tile in range(1, crane.TILES + 1):
        at = values.get(f"tile-{tile}")
        if isinstance(at, int) and 1 <= at <= crane.STATIONS:
            stations[at - 1] = tile
    box = values.get("box")
    if not isinstance(box, int) or not 2 <= box <= crane.STATIONS:
        raise refused("crane", n=len(play.state.crane.tiles()))
    wheel(play, moves.Correct(box=box, stations=tuple(stations), flagged=play.state.crane.flagged))


def wheel(play: Play, move: moves.Correct) -> None:
    """Set the crane as it stands on the table; the turn counter stays, so drops and era do too.

    Where only the arrow is given the whole wheel stands elsewhere, and the tiles have turned with it.
    """
    state = play.state
    box = move.box or state.crane.box
    if not move.stations:
        play.set(crane=crane.Crane(box, state.crane.slots, state.crane.flagged))
        play.say("crane-set", None, station=box)
        return
    hangs = {station: tile for station, tile in enumerate(move.stations, 1) if tile}
    held = () if state.hand is None else (state.hand.tile,)
    wanted = sorted(set(range(1, crane.TILES + 1)) - set(held))
    if box in hangs or sorted(hangs.values()) != wanted or len(move.stations) != crane.STATIONS:
        raise refused("crane", n=len(wanted))
    play.set(crane=crane.lay_out(box, hangs, tuple(sorted(set(move.flagged) & set(wanted)))))
    play.say("crane-set", None, station=box)


def printed(play: Play, move: moves.Box) -> None:
    """Our copy says otherwise: the box is corrected from here on."""
    try:
        box = play.box.corrected(move.key, move.value)
    except ValueError as wrong:
        raise refused("box", key=move.key, why=str(wrong)) from wrong
    play.set(box=box)
    if play.state.turn == 0 and play.state.hand is None and move.key.startswith("crane.start."):
        start = int(box[f"crane.start.{play.state.seats}"])
        tiles = tuple(tile for _, tile in play.state.crane.tiles())
        play.set(crane=crane.set_up(start, tiles))
    play.say("box", None, key=move.key)
