"""What a dial can be turned through: the answers to what is asked, in their order, and after them what can be asked of the table.

Pure: a state goes in, sentences with what a press does come out. It knows no game: whatever a pack asks is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.game import Ask, Choice, Field, Form, PlayerTally, Text, View, seat_name
from companion.wire.game_log import LogLine
from companion.wire.lobby import Lobby, Offer, Sitter
from companion.wire.messages import Question, State

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
LAST_MOVES = 3
HIGHEST = 999
"""Of a number nobody has bounded."""


class Wanted(msgspec.Struct, frozen=True):
    """What a press asks the table for: a move, the last one back, or an order."""

    move: dict[str, Any] | None = None
    undo: bool = False
    order: str = ""
    args: dict[str, Any] = {}


class Entry(msgspec.Struct, frozen=True):
    """One thing the dial can stand at, and what a press does there."""

    said: tuple[Text, ...]
    wanted: Wanted | None = None
    read: tuple[Text, ...] = ()
    """Said at a press."""
    form: Form | None = None
    """Opened at a press."""
    confirm: bool = False
    """Only the second press counts."""


def entries(state: State, log: Sequence[LogLine] = ()) -> list[Entry]:
    """Everything that can be done now."""
    if state.lobby is not None:
        return _lobby(state.lobby)
    if state.prompt is None:
        return []
    question, ask = state.prompt.question, state.prompt.ask
    asked = _answers(question) if question is not None else _asked(ask)
    return [*asked, *_results(state), *_table(state, log)]


def _answers(question: Question) -> list[Entry]:
    none = {"kind": "@answer", "question": question.id, "answer": -1}
    return [Entry((answer.text,), Wanted(answer.move or none)) for answer in question.answers]


def _asked(ask: Ask) -> list[Entry]:
    """What is possible comes first: on a screen the rest keeps its place, an ear would have to sit it through."""
    found = numbered([_choice(choice) for choice in ask.choices])
    form = [Entry((Text("speech/fill-in", {"what": ask.form.send}),), form=ask.form)] if ask.form else []
    possible = [one for one in found if one.wanted is not None]
    return [*possible, *form, *(one for one in found if one.wanted is None)]


def _choice(choice: Choice) -> Entry:
    said = (choice.text, *((choice.note,) if choice.note is not None else ()))
    if choice.off is not None:
        return Entry((Text("speech/not-possible", {"what": choice.text}),), read=(choice.off,))
    return Entry(said, Wanted(choice.move), confirm=choice.confirm)


def numbered(found: list[Entry]) -> list[Entry]:
    """Answers that sound the same are told apart by their number."""
    said, told = [one.said for one in found], []
    for at, one in enumerate(found):
        number = (Text("speech/number", {"i": said[: at + 1].count(one.said)}),) if said.count(one.said) > 1 else ()
        told.append(msgspec.structs.replace(one, said=(*one.said, *number)))
    return told


def _table(state: State, log: Sequence[LogLine]) -> list[Entry]:
    """What is there whatever is asked."""
    view = msgspec.json.decode(state.view, type=View)
    points = [(player.seat, int(player.points)) for player in view.players if player.points is not None]
    stands = tuple(Text("speech/points", {"seat": seat_name(seat), "n": n}) for seat, n in points)
    moves = tuple(text for line in log[-LAST_MOVES:] for text in line.said)
    found = [Entry((Text("speech/stands"),), read=stands)] if stands and state.tally is None else []
    found += [Entry((Text("speech/last-moves"),), read=moves)] if moves else []
    if state.undo is not None:
        back = Wanted(undo=True)
        found.append(Entry((Text("speech/take-back", {"what": state.undo.text}),), back, confirm=True))
    away = Text("speech/put-away" if state.phase == "playing" else "speech/end")
    return [*found, Entry((away,), Wanted(order="end game"), confirm=state.phase == "playing")]


def _results(state: State) -> list[Entry]:
    """Everybody's points, best first; a press reads where they come from."""
    if state.tally is None:
        return []
    won = Text("speech/won", {"who": tuple(map(seat_name, state.tally.winners))})
    ranked = sorted(state.tally.players, key=lambda player: player.seat not in state.tally.winners)  # type: ignore[union-attr]
    return [Entry((won,)), *(Entry((_total(player),), read=tuple(map(_line, player.lines))) for player in ranked)]


def _total(player: PlayerTally) -> Text:
    return Text("speech/points", {"seat": seat_name(player.seat), "n": player.total})


def _line(line: Any) -> Text:
    return Text("speech/line", {"what": line.text, "n": line.points})


def _lobby(lobby: Lobby) -> list[Entry]:
    paused = [
        Entry(
            (Text("speech/go-on", {"game": one.title, "moves": one.moves}),),
            Wanted(order="resume", args={"game": one.id}),
        )
        for one in lobby.paused
    ]
    return [*paused, *(_new(name, offer, lobby.last) for name, offer in lobby.setup.items())]


def _new(name: str, offer: Offer, last: Sequence[Sitter]) -> Entry:
    """A game for those who sat here last, as many of them as can play it."""
    low, high = offer.players
    seats = [Sitter(name=one.name, bot=one.bot if offer.robots else "") for one in last[:high]]
    seats += [Sitter(name=str(number)) for number in range(len(seats) + 1, low + 1)]
    who = ", ".join(seat.name for seat in seats)
    args = {"game": name, "seats": [{"name": seat.name, "bot": seat.bot} for seat in seats]}
    options = {field.id: field.value for field in offer.options if field.value is not None}
    return Entry(
        (Text("speech/new", {"game": offer.title, "who": who}),),
        Wanted(order="new game", args={**args, "options": msgspec.to_builtins(options)}),
    )


# -- forms, field by field -------------------------------------------------------------------------------------------


def value_said(field: Field, value: Any) -> Text:
    """A field's value in words."""
    if field.kind == "flag":
        return Text("speech/yes" if value else "speech/no")
    named = {option.value: option.text for option in field.options}
    if field.kind == "many":
        chosen = tuple(named[one] for one in value or () if one in named)
        return Text("speech/several", {"what": chosen}) if chosen else Text("speech/none")
    if value in (None, ""):
        return Text("speech/none")
    return named.get(value) or Text("speech/value", {"value": value})


def field_said(field: Field, value: Any) -> tuple[Text, ...]:
    """A field, and what it holds."""
    whose = (seat_name(field.seat),) if field.seat is not None else ()
    return (*whose, field.text, value_said(field, value))


def stepped(field: Field, value: Any, steps: int) -> Any:
    """The value so many notches further; numbers end at their bounds, everything else goes round."""
    if field.kind == "number":
        low, high = field.low if field.low is not None else 0, field.high if field.high is not None else HIGHEST
        return max(low, min(high, int(value if value is not None else low) + steps))
    ring = [False, True] if field.kind == "flag" else [option.value for option in field.options]
    at = ring.index(value) if value in ring else -1 if steps > 0 else 0
    return ring[(at + steps) % len(ring)] if ring else value
