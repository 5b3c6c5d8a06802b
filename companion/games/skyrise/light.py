"""Light and tally depth: turns and prestige only, or just the final position; the same total in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.box.printed import Box, load
from companion.game import Ask, Choice, Form, Outcome, PlayerTally, Tally, TallyLine, Text, seat_name
from companion.games.kit.names import told_apart
from companion.games.kit.refusals import refusal
from companion.games.skyrise import final, form
from companion.games.skyrise.document import PRESTIGE, Position, read
from companion.games.skyrise.moves import AnyMove, Count, EndTurn, Final, OwnCopy, ToScoring
from companion.games.skyrise.setup import check, corrected
from companion.games.skyrise.state import COLOURS, PACKAGE
from companion.shown.skyrise import Board, SkyriseView

SHARED = "panorama-0"
"""Told with everything the players share."""


class Light(msgspec.Struct, frozen=True):
    """A game the companion only keeps count of."""

    names: tuple[str, ...]
    depth: str
    points: tuple[int, ...]
    step: str
    """turn, final or over"""
    turn: int = 0
    overrides: dict[str, Any] = {}
    values: dict[str, Any] = {}
    """What was entered of the final position: what everybody shares, and what each player counted."""
    position: Position | None = None

    @property
    def missing(self) -> tuple[int, ...]:
        """Who has not counted yet: the prestige on the track is told by everybody who has."""
        return tuple(seat for seat in range(len(self.names)) if f"p{seat}/prestige" not in self.values)

    @property
    def box(self) -> Box:
        """The printed values with the owner's corrections."""
        return load(PACKAGE, self.overrides)


def new(options: Mapping[str, Any], overrides: Mapping[str, Any]) -> Light:
    """The first state; in tally depth the final position is asked for at once."""
    given = [str(name) for name in options["names"]]
    if not 2 <= len(given) <= 4:
        raise ValueError("names: Skyrise is for 2 to 4 players")
    box = load(PACKAGE, overrides)
    for problem in check(box) if overrides else ():
        if not problem.warning:
            raise ValueError(str(problem))
    names = told_apart(given, COLOURS[: len(given)])
    depth = str(options["depth"])
    step = "turn" if depth == "light" else "final"
    return Light(names, depth, (0,) * len(names), step, overrides=dict(overrides))


def moves(state: Light) -> Sequence[AnyMove]:
    """The moves that carry the game on."""
    if state.step == "turn":
        return [EndTurn(state.turn), ToScoring(), *(Count(seat, 1) for seat in range(len(state.names)))]
    if state.step != "final":
        return []
    usual = form.usual(state.box, state.names, state.points)
    whose = f"p{state.missing[0]}/" if SHARED in state.values else ""
    return [
        Final({name: value for name, value in usual.items() if name.startswith(whose) and ("/" in name) == bool(whose)})
    ]


def play(state: Light, move: AnyMove) -> Outcome:
    """One step of a game that is only counted."""
    replace = msgspec.structs.replace
    match move:
        case OwnCopy():
            box = corrected(state.box, move.key, move.value)
            return Outcome(replace(state, overrides=box.overrides))
        case Count() if state.step != "over" and move.seat < len(state.names):
            points = list(state.points)
            points[move.seat] = max(0, min(PRESTIGE, points[move.seat] + move.points))
            return Outcome(replace(state, points=tuple(points)))
        case EndTurn() if state.step == "turn":
            if move.seat != state.turn:
                raise refusal("skyrise", "out-of-turn", do="wait", who=seat_name(state.turn))
            return Outcome(replace(state, turn=(state.turn + 1) % len(state.names)))
        case ToScoring() if state.step == "turn":
            return Outcome(replace(state, step="final"))
        case Final() if state.step == "final":
            return _enter(state, move)
    raise refusal("skyrise", "not-now")


def _enter(state: Light, move: Final) -> Outcome:
    """What everybody shares, what somebody counted, or all of it at once; when nothing is missing the game is over."""
    known = form.known(state.box, state.names)
    told = {name: value for name, value in move.values.items() if name in known and value is not None}
    if not told:
        raise refusal("skyrise", "nothing-told")
    values = {**state.values, **told}
    try:
        position = read(form.document(state.box, state.names, values), state.box)
    except ValueError as wrong:
        field = form.wrong(state.box, state.names, str(wrong).partition(": ")[0])
        if field.seat is None:
            raise refusal("skyrise", "form", at=field.id, field=field.text) from wrong
        raise refusal("skyrise", "form-of", at=field.id, who=seat_name(field.seat), field=field.text) from wrong
    state = msgspec.structs.replace(state, values=values)
    if state.missing or SHARED not in values:
        return Outcome(state)
    return Outcome(msgspec.structs.replace(state, step="over", position=position), reveals=True)


def ask(state: Light) -> Ask:
    """Turn by turn, then one form."""
    if state.step == "over":
        winners = tuple(seat_name(seat) for seat in tally(state).winners)
        return Ask(None, Text("skyrise/ask/over", {"who": winners, "n": len(winners)}), phase="over")
    if state.step == "final":
        return _ask_final(state)
    seat = state.turn
    choices = [Choice("end_turn", Text("skyrise/choice/end-turn"), {"kind": "end_turn", "seat": seat}, primary=True)]
    for n in (1, 2, 3, 5):
        move = {"kind": "count", "seat": seat, "points": n}
        choices.append(Choice(f"count-{n}", Text("skyrise/choice/count", {"n": n}), move, picture={"points": n}))
    choices.append(Choice("scoring", Text("skyrise/choice/scoring"), {"kind": "scoring"}))
    return Ask(seat, Text("skyrise/ask/turn", {"who": seat_name(seat)}), tuple(choices), phase="turn")


def _ask_final(state: Light) -> Ask:
    """What everybody shares, then what each player counts; who has counted stays in the form while others type."""
    if SHARED not in state.values:
        entry = Form(form.shared(state.box, state.names), {"kind": "final"}, Text("skyrise/send/next"))
        return Ask(None, Text("skyrise/ask/shared"), form=entry, phase="final")
    known = {f"p{seat}/prestige": points for seat, points in enumerate(state.points) if state.depth == "light"}
    seats = range(len(state.names))
    fields = [field for seat in seats for field in form.counted(state.box, seat, len(seats), {**known, **state.values})]
    entry = Form(tuple(fields), {"kind": "final"}, Text("skyrise/send/reveal"), apart=True)
    waits = Text("skyrise/remind/missing", {"who": tuple(seat_name(seat) for seat in state.missing)})
    late = (waits,) if len(state.missing) < len(seats) else ()
    return Ask(None, Text("skyrise/ask/final"), form=entry, reminders=late, phase="final")


def view(state: Light) -> SkyriseView:
    """What everybody may see: the count."""
    return SkyriseView(
        phase=state.step,
        turn=state.turn if state.step == "turn" else None,
        players=tuple(Board(seat=s, name=state.names[s], points=points) for s, points in enumerate(state.points)),
    )


def tally(state: Light) -> Tally:
    """The score of the final position, or the prestige alone until it is entered."""
    if state.position is not None:
        return final.score(state.position, state.box)
    players = tuple(
        PlayerTally(seat, name, points, (TallyLine("prestige", Text("skyrise/line/prestige"), points),), {})
        for seat, (name, points) in enumerate(zip(state.names, state.points, strict=True))
    )
    leaders = tuple(seat for seat, points in enumerate(state.points) if points == max(state.points))
    return Tally(players, leaders, None, (), (Text("skyrise/note/running"),))
