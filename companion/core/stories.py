"""The stories a reading may tell: those that are asked about, and those told beside the one that was believed.

What is told asks nothing: the move stands. A touch of who made it, or at the screen, takes it back and plays the other story in
its place. It is gone with the next move, whatever that is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core import authority
from companion.core.guard import PackFailedError
from companion.core.refusals import RefusedError, refusal
from companion.core.session import Done, Session
from companion.door.seats import Phone
from companion.senses.alike import Story, alike
from companion.senses.explain import Explanation
from companion.senses.notices import otherwise, question
from companion.senses.readings import Verdict
from companion.wire.messages import Cause, MoveRequest, Question

if TYPE_CHECKING:
    from companion.core.table import Table


class _Told(msgspec.Struct, frozen=True):
    """What the last move may have been as well."""

    done: Done
    move: Any
    stories: tuple[Story, ...]
    said: Question
    slot: str


class Stories:
    """At most one question, or one move told with what else it may have been."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._asked: tuple[Story, ...] = ()
        """What each answer to the present question stands for."""
        self._by_touch = False
        """Somebody wants to say it: the reading they had before them does not settle the present question."""
        self._told: _Told | None = None
        self._number = 0

    def forget(self) -> None:
        """The game has moved: nothing is asked or told about the reading before it."""
        self.table.question, self._told = None, None

    def ask(self, session: Session, found: Explanation) -> bool:
        """Ask; `False` for the same question again: whoever is about to answer it must not find it gone."""
        stories = tuple(Story(one.moves) for one in found.candidates)
        if self.table.question is not None and self._asked == stories:
            return False
        slot = found.differences[0].slot if found.differences else ""
        self._ask(session, stories, [one.share for one in found.candidates], slot)
        return True

    def _ask(self, session: Session, stories: tuple[Story, ...], shares: Sequence[float], slot: str) -> None:
        self._number += 1
        self.table.question = question(session.pack, stories, shares, slot, self._number)
        self._asked, self._by_touch = stories, False

    def asked_for(self, verdict: Verdict) -> bool:
        """Somebody has opened the question whether it was this."""
        known = verdict.kind == "amend" or any(story.moves == verdict.moves for story in self._asked)
        return self.table.question is not None and self._by_touch and known

    def tell(self, session: Session, verdict: Verdict) -> None:
        """After one move was believed: what makes the very same picture is told beside it. Nobody waits for it: the move is
        announced by now, and a pack that fails at this has failed at nothing the game needs."""
        found, last = verdict.explanation, session.done[-1] if session.done else None
        if found is None or len(verdict.moves) != 1 or not found.candidates or not found.candidates[0].whole:
            return
        if last is None or last.seat is None or last.reveals or session.moment.over:
            return
        move, pack = verdict.moves[0], session.pack
        with contextlib.suppress(PackFailedError):
            if not pack.hidden_moves or last.row.body != pack.encode(move):
                return
            with pack.searching() as searched:
                stories = alike(searched, last.before, move, last.seat)
            if stories:
                self._number += 1
                slot = found.differences[0].slot if found.differences else ""
                self._told = _Told(last, move, stories, otherwise(pack, move, stories, self._number), slot)
                self.table.publish(())

    def otherwise(self, session: Session) -> Question | None:
        """What the last move may have been as well, as long as it is the last."""
        told = self._told
        return told.said if told is not None and session.done and session.done[-1] is told.done else None

    def answer(self, session: Session, client: str, phone: Phone | None, request: MoveRequest) -> None:
        """A touch says which story it was."""
        name, said = request.move.get("question"), request.move.get("answer")
        other = self.otherwise(session)
        if self._told is not None and other is not None and name == other.id and said == 0:
            self._take_other(session, self._told, client, phone, request)
            return
        if self.table.question is None or name != self.table.question.id:
            raise RefusedError(refusal("moved-on"))
        chosen = next((one for number, one in enumerate(self._asked) if number == said), None)
        if phone is not None and phone.seat is not None:
            authority.check_reading(session, chosen.moves if chosen else (), phone.seat)
        if chosen is None:
            self.table.question = None
            self.table.readings.denied(session)
            self.table.publish(())
        else:
            self._play(session, chosen, client, phone, request)

    def _take_other(
        self, session: Session, told: _Told, client: str, phone: Phone | None, request: MoveRequest
    ) -> None:
        """The move is taken back and the other story played in its place; of several, which one is asked."""
        table, before = self.table, told.done.before
        owners = {session.pack.owner(before, move) for story in told.stories for move in story.moves}
        if phone is not None and (owners | {told.done.seat}) - {None, phone.seat}:
            raise RefusedError(refusal("not-yours"))
        cause = _cause(phone)
        table.readings.stays(lambda: table.take_back(session, sender=client, cause=cause, silent=True))
        if table.session is not session:
            raise RefusedError(refusal("no-game"))
        if len(told.stories) == 1:
            self._play(session, told.stories[0], client, phone, request)
            return
        stories = (Story((told.move,)), *told.stories)
        self._ask(session, stories, [1 / len(stories)] * len(stories), told.slot)
        self._by_touch = True
        table.publish(())

    def _play(self, session: Session, chosen: Story, client: str, phone: Phone | None, request: MoveRequest) -> None:
        """A story is played; where several go on from its end, what lies on the table is looked at anew."""
        for i, move in enumerate(chosen.moves, 1):
            name = request.id if i == len(chosen.moves) else ""
            self.table.commit(session, move, sender=client, cause=_cause(phone), request=name)
        if not chosen.whole:
            self.table.senses.look("camera")


def _cause(phone: Phone | None) -> Cause:
    return "touch" if phone is None else "phone"
