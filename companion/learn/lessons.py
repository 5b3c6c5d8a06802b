"""The first game: an opening with a sentence for everything that is new, each of which has somebody do something.

A lesson is data in its game's folder (`lesson.toml`), its sentences are words of that game. Nothing is explained before it is
asked for: a step waits for the prompt it belongs to. What was done counts, by touch, phone, camera or dial alike, because it is
read from the moves that stand; a restart or an undo needs no memory of its own. Any other move is as good: the lesson goes on.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.guard import PackFailedError
from companion.core.session import Session
from companion.game import Ask, Choice, Field, Text
from companion.wire import announced
from companion.wire.messages import Notice

if TYPE_CHECKING:
    from companion.core.table import Table

FILE = "lesson.toml"
OPTION = "lesson"
"""The set-up option of every game that has one."""
LONGEST = 60
"""Moves after which it ends by itself: whoever got so far can play."""
log = logging.getLogger("tableside.games")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence and the move it leads to."""

    id: str
    asks: tuple[str, ...]
    """Prompts it belongs to, by the key of their text behind `<game>/ask/`."""
    kinds: tuple[str, ...]
    """Of the moves that do it, the suggested one first."""
    take: dict[str, Any] = {}
    """What the suggested move has, where one has it."""

    def fits(self, key: str) -> bool:
        """It belongs to this prompt."""
        return key.partition("/ask/")[2] in self.asks


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The steps of a game's first moves."""

    steps: tuple[Step, ...]


@cache
def lesson(game: str) -> Lesson | None:
    """A game's lesson; `None` where it has none, or one that cannot be read."""
    root = announced.folder(announced.package(game))
    if root is None or not (root / FILE).is_file():
        return None
    try:
        return msgspec.toml.decode((root / FILE).read_text(encoding="utf-8"), type=Lesson)
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as wrong:
        log.warning("the first game of %s cannot be read: %s", game, wrong)
        return None


def option(game: str) -> tuple[Field, ...]:
    """What the set-up asks beyond the game's own options."""
    return (Field(OPTION, Text("lesson/option"), "flag", value=False),) if lesson(game) else ()


class Lessons:
    """The teacher of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._asked: dict[tuple[str, int], str] = {}
        """By game and row: the prompt that move answered."""

    def said(self) -> tuple[Notice, ...]:
        """What the first game says now; nothing outside of one."""
        session = self.table.session
        if session is None or session.ended or not self._taught(session):
            return ()
        known = lesson(session.pack.id)
        if known is None or session.moment.over or len(session.done) > LONGEST:
            return ()
        done = self._done(session, known)
        if len(done) == len(known.steps):
            over = self._just_over(session, known)
            return (Notice(id="lesson-over", text=Text("lesson/over")),) if over else ()
        ask = self.table.robots.shown(session)
        step = _next(known, done, session.moment.ask.text.key)
        what = _suggested(ask, step)
        key = f"{session.pack.id}/lesson/{step.id}" if step is not None else "lesson/on"
        number = Text("lesson/step", {"i": min(len(done) + 1, len(known.steps)), "of": len(known.steps)})
        return (Notice(id=f"lesson-{session.seq}", text=Text(key, {"do": what}), do=number),)

    def _taught(self, session: Session) -> bool:
        return session.options.get(OPTION) is True and not session.untaught

    def _done(self, session: Session, known: Lesson, but_last: int = 0) -> set[str]:
        """Steps that were done, in the order in which they came up."""
        found: set[str] = set()
        for done in session.done[: len(session.done) - but_last]:
            step = _next(known, found, self._key(session, done.row.seq, done.before))
            if step is not None and done.row.body.get("kind") in step.kinds:
                found.add(step.id)
        return found

    def _key(self, session: Session, seq: int, before: Any) -> str:
        here = (session.game, seq)
        if here not in self._asked:
            try:
                self._asked[here] = session.pack.ask(before).text.key
            except PackFailedError:
                return ""
        return self._asked[here]

    def _just_over(self, session: Session, known: Lesson) -> bool:
        return len(self._done(session, known, but_last=1)) < len(known.steps)


def _next(known: Lesson, done: set[str], key: str) -> Step | None:
    return next((step for step in known.steps if step.id not in done and step.fits(key)), None)


def _suggested(ask: Ask, step: Step | None) -> Text:
    """What somebody does now: an answer by its words, the form to send, or what is to be moved."""
    open_ = [choice for choice in ask.choices if choice.off is None]
    wanted = [choice for choice in open_ if step is None or choice.move.get("kind") in step.kinds]
    best = [one for one in wanted if step is not None and _has(one, step.take)] or [
        one for one in wanted if one.primary
    ]
    for choice in (*best, *wanted):
        return choice.text
    if ask.form is not None and (step is None or ask.form.move.get("kind") in step.kinds):
        return ask.form.send
    return open_[0].text if open_ else ask.change[0] if ask.change else ask.text


def _has(choice: Choice, wanted: dict[str, Any]) -> bool:
    return bool(wanted) and all(choice.move.get(key) == value for key, value in wanted.items())
