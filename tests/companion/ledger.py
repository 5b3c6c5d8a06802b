"""A game in which words are written down, and one played by hand row by row, for the tests of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion import sensing
from companion.core.session import Session
from companion.core.watch import EndedError
from companion.game import (
    Ask,
    Event,
    Expected,
    Game,
    Outcome,
    Player,
    PlayerTally,
    RuleBroken,
    Tally,
    TallyLine,
    Text,
    View,
)
from companion.journal.rows import Row
from companion.journal.store import Journal
from companion.sensing import Mat
from companion.wire.messages import SeatInfo


class Write(msgspec.Struct, frozen=True, tag_field="kind", tag="write"):
    """A word is written down."""

    word: str
    seat: int | bool | None = None
    learnt: dict[str, Any] = {}
    reveals: bool = False


class Box(msgspec.Struct, frozen=True, tag_field="kind", tag="box", omit_defaults=True):
    """The owner's copy says otherwise."""

    key: Any = None
    value: int | None = None


class Page(msgspec.Struct, frozen=True):
    """Who plays, and what was written."""

    names: tuple[str, ...]
    words: tuple[str, ...] = ()


class Ledger(Game):
    """Words are written down; `forbidden` ones are against the rules, an `unplayable` one fails, with an `unsayable` or
    `endless` one nothing can be said any more."""

    id = "ledger"
    players = (2, 2)

    def __init__(self) -> None:
        self.forbidden: set[str] = set()
        self.unplayable: set[str] = set()
        self.unsayable: set[str] = set()
        self.endless: set[str] = set()
        self.unmade = False

    def title(self) -> Text:
        return Text("ledger/title")

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> Any:
        if options.get("first") == "nobody":
            raise ValueError("first: nobody")
        return Page(tuple(options["names"]))

    def decode(self, move: Mapping[str, Any]) -> Any:
        typed = msgspec.convert(dict(move), Write | Box)
        if getattr(typed, "word", "") in self.forbidden:
            raise msgspec.ValidationError("a word nobody knows any more")
        return typed

    def encode(self, move: Any) -> dict[str, Any]:
        return {"kind": "write"} if getattr(move, "word", "") == "lost" else msgspec.to_builtins(move)

    def play(self, state: Any, move: Any) -> Outcome:
        if isinstance(move, Box):
            return Outcome(state)
        if move.word == "no":
            raise RuleBroken("ledger/no", Text("ledger/no"), Text("ledger/do"))
        if move.word in self.unplayable:
            raise ZeroDivisionError
        there = msgspec.structs.replace(state, words=(*state.words, move.word))
        told = (Event("written", 7),) if move.word == "stray" else ()
        return Outcome(there, told, reveals=move.reveals, learnt=move.learnt)

    def describe(self, move: Any) -> Text | None:
        return Text("typed", {"words": getattr(move, "word", "box")})

    def ask(self, state: Any) -> Ask:
        return Ask(0, Text("typed", {"words": " ".join(state.words)}))

    def moves(self, state: Any) -> Sequence[Any]:
        return ()

    def expect(self, state: Any) -> Expected:
        return Expected()

    def mat(self, players: int) -> Mat | None:
        if self.unmade:
            raise ZeroDivisionError
        return None

    def dial(self) -> sensing.Dial | None:
        return None

    def view(self, state: Any, seat: int | None) -> View:
        if self.endless & set(state.words):
            raise EndedError("slow")  # as the watch ends it
        if self.unsayable & set(state.words):
            raise ZeroDivisionError
        players = tuple(Player(seat=i, name=name) for i, name in enumerate(state.names))
        return View(players=players, chart=((len(state.words),),))

    def over(self, state: Any) -> bool:
        return "end" in state.words

    def tally(self, state: Any) -> Tally:
        if self.unsayable & set(state.words):
            raise ZeroDivisionError
        line = TallyLine("words", Text("typed"), len(state.words))
        return Tally(tuple(PlayerTally(i, name, line.points, (line,)) for i, name in enumerate(state.names)), (0,))


SEATS = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben", colour="leaf"))


def begin(journal: Journal, after: Session | None = None, **options: Any) -> Session:
    box = {"cards.B1": 3, "cards.B2": 4}
    return Session.start(journal, "ledger", {"depth": "full", **options}, box, SEATS, sender="display", after=after)


def write(session: Session, word: str, **move: Any) -> Outcome:
    return session.play({"kind": "write", "word": word, **move}, sender="phone-s0", cause="touch")


def rows(session: Session) -> list[Row]:
    return session.journal.rows(session.game)


def kinds(session: Session) -> str:
    return " ".join(row.kind for row in rows(session))


def plain(what: Any) -> Any:
    """As it is read back from disk."""
    return msgspec.json.decode(msgspec.json.encode(what))


def anew(session: Session) -> Session:
    return Session.resume(session.journal, session.game)


def facts(session: Session) -> tuple[Any, ...]:
    """What a start later must find as it was."""
    return (
        session.state,
        session.seq,
        session.requests,
        [(done.row, done.before, done.reveals, done.seat, done.said, done.learnt) for done in session.done],
        session.seats,
        session.options,
        session.box,
        session.aside,
        session.untaught,
        session.hints,
        session.ended,
        session.left_out,
        session.refused,
        session.clock.told(),
    )
