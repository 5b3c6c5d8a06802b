"""What robots do at the table: one that is asked thinks, says what people please move for it, and waits for their hands.

A robot's move counts when somebody touches "done", or when the camera or the dial has seen it. What nobody could do for it, a
choice made in secret, it does itself. Whatever goes wrong with a mind, people decide for that chair: the game goes on.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.guard import PackFailedError
from companion.core.refusals import RefusedError, refusal
from companion.core.session import Session
from companion.core.telling import together, told
from companion.game import Ask, Choice, RuleBroken, Text, seat_name
from companion.robots.thinker import Thinker
from companion.robots.thinking import Thought
from companion.wire.bus import later
from companion.wire.messages import MoveRequest

if TYPE_CHECKING:
    from companion.core.table import Table

log = logging.getLogger("tableside.robots")

SENDER = "robots"
DONE = "@done"
"""Kind of the request by which people say that they have moved a robot's pieces."""
AGAIN = 5.0
"""Seconds until a robot says again what the table could not take, or is asked again when it did not answer."""
ASKED = 4
"""Times one that does not answer is asked about one moment: a machine may have had too much to do, a mind may be broken."""
PHASE = "robot"
"""Phase of what is asked then: nothing of the game's own, so no game's screen offers its own answers beside it."""


class Turn(msgspec.Struct, frozen=True):
    """What a robot wants, move by move, and what each of them is in words; before it knows, nothing."""

    seat: int
    moves: tuple[dict[str, Any], ...] = ()
    said: tuple[tuple[Text, ...], ...] = ()


class Chairs:
    """The robots of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.thinker = Thinker(table.journal.directory, table.bus.call)
        self.turn: Turn | None = None
        self._here = ("", 0)
        """The moment looked at last: game and row."""
        self._unanswered = 0

    def look(self) -> None:
        """Called before the table says how it stands: a robot that is asked something new begins to think."""
        session = self.table.session
        chairs = {} if session is None or session.ended else self._asked(session)
        if session is None or not chairs:
            self.turn, self._here = None, ("", 0)
            if session is None or session.ended or not any(seat.bot for seat in session.seats):
                self.thinker.rest()
            return
        if self._here == (session.game, session.seq):
            return
        self.turn, self._unanswered = self._rest(session), 0
        self._here = (session.game, session.seq)
        if self.turn is None:
            only = session.moment.ask.seat
            self.turn = None if only is None else Turn(only)
            here = self._here
            self.thinker.ask(*here, chairs, lambda thought: self._thought(here, thought))

    def _asked(self, session: Session) -> dict[int, str]:
        """Robots that may have something to say now, with their levels; those who decide first."""
        ask, robots = session.moment.ask, {seat.seat: seat.bot for seat in session.seats if seat.bot}
        if session.moment.over or session.options.get("depth", "full") != "full":
            return {}
        if ask.seat is not None:
            return {ask.seat: robots[ask.seat]} if ask.seat in robots else {}
        return {seat: level for seat, level in robots.items() if not ask.waiting or seat in ask.waiting}

    def _rest(self, session: Session) -> Turn | None:
        """What is left of a turn of which the first move has just been made, by whoever."""
        turn, here = self.turn, (session.game, session.seq - 1)
        if turn is None or len(turn.moves) < 2 or self._here != here or not session.done:
            return None
        made = session.done[-1].row
        if made.seq != session.seq - 1 or made.body != turn.moves[0]:
            return None
        return Turn(turn.seat, turn.moves[1:], turn.said[1:])

    def _thought(self, here: tuple[str, int], thought: Thought | None) -> None:
        """A mind has answered, or never will."""
        session = self.table.session
        if session is None or here != self._here or here != (session.game, session.seq):
            return
        self.turn = None
        try:
            if thought is None or thought.wrong:
                raise ValueError(thought.wrong if thought else "no answer")
            if thought.seat is not None and thought.moves:
                self.turn = self._tried(session, thought.seat, thought.moves)
                self.table.notices = tuple(one for one in self.table.notices if one.id != "robot-stuck")
        except (ValueError, RuleBroken, PackFailedError, msgspec.ValidationError) as wrong:
            log.warning("a robot has no move: %s", wrong)
            if thought is None:
                self._ask_again(here)
            who = next(iter(self._asked(session)))
            self.table.notice("robot-stuck", Text("robot/stuck", {"seat": seat_name(who)}), "warn")
        if self.turn is not None and session.moment.ask.seat is None and session.moment.ask.waiting:
            try:
                self._make(session, self.turn.moves[:1], "")  # in secret: there is nothing for people to do
            except RefusedError as refused:
                log.warning("a robot's choice was not written down: %s", refused.why.code)
                self.turn = None  # it stays the robot's secret
                later(self.table.bus, AGAIN, lambda: self._again(here))
            return
        self.table.publish(())

    def _ask_again(self, here: tuple[str, int]) -> None:
        """No answer in time is no answer at all. People may decide meanwhile: what they are shown stays as it is."""
        self._unanswered += 1
        if self._unanswered < ASKED:
            later(self.table.bus, AGAIN, lambda: self._once_more(here))

    def _once_more(self, here: tuple[str, int]) -> None:
        session = self.table.session
        if session is not None and here == self._here == (session.game, session.seq) and self.turn is None:
            self.thinker.ask(*here, self._asked(session), lambda thought: self._thought(here, thought))

    def _again(self, here: tuple[str, int]) -> None:
        """The disk was full, perhaps: unless the game has moved on meanwhile, the robot is asked once more."""
        if self._here == here:
            self._here = ("", 0)
            self.table.publish(())

    def _tried(self, session: Session, seat: int, moves: tuple[dict[str, Any], ...]) -> Turn:
        """The same moves, each of them legal and the robot's own, with what it does in words."""
        state, said = session.state, list[tuple[Text, ...]]()
        with session.pack.watched():
            for plain in moves:
                move = session.pack.decode(plain)
                if session.pack.owner(state, move) != seat:
                    raise ValueError(f"seat {seat} wanted to move for another")
                outcome = session.pack.play(state, move)
                said.append(told(session.pack, move, outcome))
                state = outcome.state
        return Turn(seat, moves, tuple(said))

    def done(self, session: Session, request: MoveRequest) -> None:
        """People have moved the pieces. Raises `RefusedError` when no robot asks for that now."""
        turn = self.turn
        if turn is None or not turn.moves or request.seq != session.seq or self._here != (session.game, session.seq):
            raise RefusedError(refusal("moved-on"))
        self._make(session, turn.moves, request.id)

    def _make(self, session: Session, moves: tuple[dict[str, Any], ...], request: str) -> None:
        for number, plain in enumerate(moves):
            name = request if number == len(moves) - 1 else ""
            self.table.commit(session, session.pack.decode(plain), sender=SENDER, cause="bot", request=name)

    def shown(self, session: Session) -> Ask:
        """What everybody is asked instead of the robot: to move its pieces."""
        turn, ask = self.turn, session.moment.ask
        if turn is None:
            return self._alone(session) or ask
        who = seat_name(turn.seat)
        if not turn.moves:
            return Ask(turn.seat, Text("robot/thinks", {"seat": who}), phase=PHASE)
        lines = [line for said in turn.said for line in said]
        title = lines[0] if lines else Text("robot/move")
        done = Choice("robot-done", Text("robot/done"), {"kind": DONE}, note=together(lines), primary=True)
        if ask.seat is None:  # others are asked too, and answer for themselves
            others = tuple(choice for choice in ask.choices if choice.move.get("seat") != turn.seat)
            return msgspec.structs.replace(ask, choices=(*others, done), change=(*ask.change, *lines))
        return Ask(turn.seat, title, (done,), Text("robot/help"), change=tuple(lines), phase=PHASE)

    def _alone(self, session: Session) -> Ask | None:
        """A person among robots has nobody to hide from: what only they are asked is asked on the screen, unless they hold a
        phone that asks it."""
        people = [seat.seat for seat in session.seats if not seat.bot]
        if len(people) != 1 or people[0] not in session.moment.ask.waiting or self.table.seats.at(people[0]):
            return None
        own = session.moment.own[people[0]]
        return own.view.ask if own is not None else None

    def close(self) -> None:
        """The evening is over."""
        self.thinker.rest()
