"""Corrections: any recorded value, the whole crane, or a printed number of this copy."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.game import Field, Option, Text
from companion.games.praga import crane, moves
from companion.games.praga.bounds import of_board
from companion.games.praga.copy import problems
from companion.games.praga.forms import checked
from companion.games.praga.gains import PRODUCTION, TOKENS
from companion.games.praga.plazas import claim
from companion.games.praga.refuse import refused
from companion.games.praga.sheet import FINALS, SEALS, V_TILES
from companion.games.praga.state import Board, PragaState, Technology, Work
from companion.games.praga.technology import EFFECTS

NONE = "none"
"""No tile lies there."""


KINDS: dict[str, tuple[str, ...]] = {
    **{f"technology-{level}": effects for level, effects in EFFECTS.items()},
    **{f"token-{track}": tuple(TOKENS) for track in PRODUCTION},
    "v_tiles": FINALS,
    "seals": SEALS,
}
"""What lies before a player and is no number -> the tiles it may be: one of a kind, or several."""
NAMED = {"technology": "technology", "token": "token", "v_tiles": "v", "seals": "seal"}
"""Kind of tile -> where its names are found."""


def lying(board: Board) -> dict[str, str]:
    """The technologies and production tokens before a player, each by its place."""
    found = {f"technology-{one.level}": one.effect for one in board.technologies}
    return found | {f"token-{track}": token for track, token in board.tokens}


def tiles(state: PragaState, seat: int) -> tuple[Field, ...]:
    """What lies before a player and is no number: technologies, production tokens, V tiles, seals and claims."""
    board, known = state.boards[seat], list[Field]()
    for name, ids in KINDS.items():
        kind, _, of = name.partition("-")
        options = tuple(Option(one, Text(f"praga/{NAMED[kind]}/{one}")) for one in ids)
        if of:
            what = (
                {"level": Text(f"praga/level/{of}")} if kind == "technology" else {"track": Text(f"praga/track/{of}")}
            )
            none = Option(NONE, Text("praga/choice/none"))
            text, now = Text(f"praga/field/{kind}-of", what), lying(board).get(name, NONE)
            known.append(Field(name, text, "pick", now, options=(none, *options)))
        else:
            known.append(Field(name, Text(f"praga/field/{name}"), "many", getattr(board, name), options=options))
    most = int(state.box["limit.cubes"])
    for number, plaza in enumerate(state.plazas, 1):
        text = Text("praga/field/claims", {"plaza": Text("praga/plaza", {"number": number})})
        known.append(Field(f"claims-{number}", text, "number", plaza.cubes[seat], 0, 0 if plaza.done else most))
    return tuple(known)


def board(play: Work, seat: int, values: Mapping[str, moves.Value]) -> None:
    """Put values of one player's board right."""
    numbers = {name: value for name, value in values.items() if of_board(play.state, name) is not None}
    others = {name: value for name, value in values.items() if name not in numbers}
    for name, value in numbers.items():
        low, high = of_board(play.state, name) or (0, 0)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise refused("correct", field=Text(f"praga/field/{name}"), name=name, low=low, high=high)
        was = getattr(play.board(seat), name)
        if was != value:
            play.put(seat, **{name: value})
            _say(play, seat, Text(f"praga/field/{name}"), f"{was} → {value}")
    if others:
        _lay(play, seat, others)


def _say(play: Work, seat: int, field: Text, value: str | tuple[Text, ...]) -> None:
    play.say("corrected", seat, who=Text("seat", {"n": seat}), field=field, value=value)


def _lay(play: Work, seat: int, values: Mapping[str, moves.Value]) -> None:
    """Tiles and cubes as they lie before a player; each is there once."""
    known = {field.id: field for field in tiles(play.state, seat)}
    found = checked(tuple(known.values()), values)
    for name, field in known.items():  # in the board's order: the journal keeps no other
        value = found[name]
        if value == field.value:
            continue
        kind, _, of = name.partition("-")
        if kind == "technology":
            _technology(play, seat, int(of), str(value))
        elif kind == "token":
            rest = tuple((track, token) for track, token in play.board(seat).tokens if track != of)
            play.put(seat, tokens=rest if value == NONE else tuple(sorted((*rest, (of, str(value))))))
        elif kind == "claims":
            claim(play, seat, int(of), int(str(value)))
        else:
            _once(play, seat, name, value)
        _say(play, seat, field.text, _named(field, value))


def _named(field: Field, value: object) -> str | tuple[Text, ...]:
    """What was entered, as players say it."""
    if field.kind == "number":
        return str(value)
    wanted = value if isinstance(value, tuple) else (value,)
    return tuple(option.text for option in field.options if option.value in wanted) or (Text("praga/choice/none"),)


def _technology(play: Work, seat: int, level: int, effect: str) -> None:
    """Another tile of this level, or none; one in its place keeps whether it was used and when it came."""
    others = [one for other, board in enumerate(play.state.boards) if other != seat for one in board.technologies]
    if any((one.level, one.effect) == (level, effect) for one in others):
        raise refused("held")
    mine = {one.level: one for one in play.board(seat).technologies}
    old = mine.pop(level, Technology(level, effect, play.state.turn))
    if effect != NONE:
        mine[level] = msgspec.structs.replace(old, effect=effect)
    play.put(seat, technologies=tuple(mine[one] for one in sorted(mine)))


def _once(play: Work, seat: int, name: str, value: object) -> None:
    """Seals or V tiles: nobody else has them, and nobody has more than can be held."""
    wanted = tuple(dict.fromkeys(value)) if isinstance(value, tuple) else ()
    most = V_TILES if name == "v_tiles" else int(play.box["limit.seals"])
    taken = {one for other, board in enumerate(play.state.boards) if other != seat for one in getattr(board, name)}
    if taken & set(wanted) or len(wanted) > most:
        raise refused("final-taken" if name == "v_tiles" else "seal-taken")
    play.put(seat, **{name: wanted})


def of_wheel(move: moves.Correct) -> bool:
    """The correction is about the crane, which is nobody's."""
    return "box" in move.values or move.box is not None or bool(move.stations)


def wheel_form(play: Work, values: dict[str, moves.Value]) -> None:
    """The crane as a form has it: the arrow's station, and one for each hanging tile (`tile-3`)."""
    stations = [0] * crane.STATIONS
    for tile in range(1, crane.TILES + 1):
        at = values.get(f"tile-{tile}")
        if isinstance(at, int) and not isinstance(at, bool) and 1 <= at <= crane.STATIONS:
            stations[at - 1] = tile
    box = values.get("box")
    if not isinstance(box, int) or isinstance(box, bool) or not 2 <= box <= crane.STATIONS:
        raise refused("crane", n=len(play.state.crane.tiles()))
    flags = play.state.crane.flagged
    if any(name.startswith("flag-") for name in values):
        flags = tuple(tile for tile in range(1, crane.TILES + 1) if values.get(f"flag-{tile}") is True)
    wheel(play, moves.Correct(box=box, stations=tuple(stations), flagged=flags))


def wheel(play: Work, move: moves.Correct) -> None:
    """Set the crane as it stands on the table; the turn counter stays, so drops and era do too.

    Where only the arrow is given the whole wheel stands elsewhere, and the tiles have turned with it.
    """
    state = play.state
    box = move.box or state.crane.box
    if not move.stations:
        play.set(crane=crane.Crane(box, state.crane.slots, state.crane.flagged))
        play.say("crane-set", None, station=crane.place(box))
        return
    hangs = {station: tile for station, tile in enumerate(move.stations, 1) if tile}
    held = () if state.hand is None else (state.hand.tile,)
    wanted = sorted(set(range(1, crane.TILES + 1)) - set(held))
    if box in hangs or sorted(hangs.values()) != wanted or len(move.stations) != crane.STATIONS:
        raise refused("crane", n=len(wanted))
    play.set(crane=crane.lay_out(box, hangs, tuple(sorted(set(move.flagged) & set(wanted)))))
    play.say("crane-set", None, station=crane.place(box))


def printed(play: Work, move: moves.Box) -> None:
    """Our copy says otherwise: the box is corrected from here on."""
    try:
        box = play.box.corrected(move.key, move.value)
        for problem in problems(box):
            raise ValueError(problem)
    except ValueError as wrong:
        raise refused("box", key=move.key, why=str(wrong)) from wrong
    play.set(box=box)
    if play.state.turn == 0 and play.state.hand is None and move.key.startswith("crane.start."):
        start = int(box[f"crane.start.{play.state.seats}"])
        tiles = tuple(tile for _, tile in play.state.crane.tiles())
        play.set(crane=crane.set_up(start, tiles))
    play.say("box", None, key=move.key)
