"""What a pack's answers must be: checks that hand on a plain copy, or say why there is none.

Each is given what a pack answered and returns it made anew of exactly the types `companion.game` promises, so that nothing of the
pack travels further than its states and moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from companion.game import Event, Expected, Game, Outcome, RuleBroken, Text, View

LARGEST = 96 * 1024
"""Bytes of one answer as it travels: a state holds up to five of them, and no room accepts a message of more than 512 kB."""
EVENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _/-]{0,39}")
"""What an event may be called: it becomes a part of its topic."""


class NonsenseError(Exception):
    """An answer nobody can use; the message says why."""


class Sight(msgspec.Struct, frozen=True):
    """A view, and the same as it travels."""

    view: View
    json: msgspec.Raw


class Refused(msgspec.Struct):
    """What a refusal says."""

    code: str
    say: Text
    do: Text
    page: str
    box: str
    field: str


class Owed(msgspec.Struct, forbid_unknown_fields=True):
    """What chance is asked for."""

    move: dict[str, Any]
    shuffle: dict[str, list[Any]] = {}


_encoder = msgspec.json.Encoder()


def written(answer: Any) -> bytes:
    """An answer as it travels."""
    try:
        data = _encoder.encode(answer)
    except Exception as wrong:
        raise NonsenseError(f"an answer that cannot be written down: {wrong}") from wrong
    if len(data) > LARGEST:
        raise NonsenseError(f"an answer of {len(data)} bytes")
    return data


def plain(kind: Any) -> Callable[[Any], Any]:
    """A check: the same answer once more, made of exactly the types that were promised."""
    decoder = msgspec.json.Decoder(kind)
    return lambda answer: read(decoder, written(answer))


def read(decoder: msgspec.json.Decoder[Any], data: bytes) -> Any:
    """What was written, if it is what was promised."""
    try:
        return decoder.decode(data)
    except msgspec.DecodeError as wrong:
        raise NonsenseError(f"an answer of the wrong kind: {wrong}") from wrong


_owed, _expected, _events, _refused = plain(Owed | None), plain(Expected), plain(tuple[Event, ...]), plain(Refused)
_learnt = plain(dict[str, Any])


def anything(answer: Any) -> Any:
    """A move, or none."""
    return answer


def something(answer: Any) -> Any:
    """A state or a move: whatever the pack likes, but not nothing."""
    if answer is None:
        raise NonsenseError("nothing at all")
    return answer


def truth(answer: Any) -> bool:
    """Yes or no."""
    if answer is not True and answer is not False:
        raise NonsenseError("neither yes nor no")
    return bool(answer)


def listed(answer: Any) -> Sequence[Any]:
    """Something with a length: a generator may have no end."""
    if not isinstance(answer, Sequence):
        raise NonsenseError("no list")
    return answer


def outcome(answer: Any) -> Outcome:
    """A move carried out."""
    if not isinstance(answer, Outcome):
        raise NonsenseError("no outcome")
    events: tuple[Event, ...] = _events(answer.events)
    for event in events:
        if not EVENT.fullmatch(event.kind):
            raise NonsenseError(f"an event called {event.kind!r}")
    return Outcome(something(answer.state), events, truth(answer.reveals), _learnt(answer.learnt))


def expected(answer: Any) -> Expected:
    """What the sensors should see, with dice as dice are."""
    found: Expected = _expected(answer)
    faces = (*(die.face for slot in found.slots for die in slot.dice), *(found.loose or ()))
    if any(not 1 <= face <= 6 for face in faces):
        raise NonsenseError("a die with another face than 1 to 6")
    return found


def owed(answer: Any) -> dict[str, Any] | None:
    """What chance is asked for, if anything."""
    found: Owed | None = _owed(answer)
    return None if found is None else {"move": found.move, "shuffle": found.shuffle}


def kind_of_view(answer: Any) -> type[View]:
    """The struct of a pack's views."""
    if not (isinstance(answer, type) and issubclass(answer, View)):
        raise NonsenseError("a view_type that is not a subclass of companion.game.View")
    return answer


def sight(kind: type[View]) -> Callable[[Any], Sight]:
    """A check: a view of this kind, field by field, written once for every client."""
    decoder = msgspec.json.Decoder(kind)

    def check(answer: Any) -> Sight:
        if not isinstance(answer, kind):
            raise NonsenseError(f"no {kind.__name__}")
        data = written(answer)
        return Sight(read(decoder, data), msgspec.Raw(data))

    return check


def game(answer: Any) -> Game:
    """A pack. One that is not a `Game` but has what a game must have is taken for one: the rest is `Game`'s default."""
    if isinstance(answer, Game):
        return answer
    known = [name for name in (*Game.__annotations__, *vars(Game)) if not name.startswith("_")]
    has = {name: getattr(answer, name) for name in known if hasattr(answer, name)}
    missing = [name for name in ("id", "players", *sorted(Game.__abstractmethods__)) if name not in has]
    if missing:
        raise NonsenseError(f"no game: it has no {', '.join(missing)} (see companion.game.Game)")
    kept = {name: staticmethod(value) if callable(value) else value for name, value in has.items()}
    made: Game = type("Lookalike", (Game,), kept)()
    return made


def refusal(wrong: Exception) -> Exception:
    """A refusal is an answer too: it is made anew from what it says."""
    if isinstance(wrong, RuleBroken):
        said = _refused({name: getattr(wrong, name) for name in Refused.__struct_fields__})
        return RuleBroken(said.code, said.say, said.do, said.page, said.box, said.field)
    kind = msgspec.ValidationError if isinstance(wrong, msgspec.ValidationError) else ValueError
    return kind(str(wrong)[:500])
