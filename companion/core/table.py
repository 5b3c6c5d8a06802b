"""The core loop: decode, may this sender do this, rules, disk, publish, answer. Single-threaded and in this order."""

from __future__ import annotations

import contextlib
import logging
from collections import OrderedDict
from typing import Any

import msgspec

from companion.box.owner import Owner
from companion.core import authority, registry
from companion.core.admin import carry_out, put_away
from companion.core.announce import Announcer
from companion.core.care import Care
from companion.core.chance import supply_chance
from companion.core.guard import PackFailedError
from companion.core.hall import HallDesk
from companion.core.refusals import RefusedError, failed, refusal, refusing
from companion.core.reopening import say_damage, take_up_open_game
from companion.core.session import Session
from companion.core.stories import Stories
from companion.core.telling import taken_back
from companion.core.timeliness import moved_on
from companion.core.wishes import ANSWER, Wishes
from companion.door.seats import Phone, Seats, new_code
from companion.game import Event, Text
from companion.journal.store import Journal, JournalUnusableError
from companion.learn.hints import Hints
from companion.learn.lessons import Lessons
from companion.past.reader import PastReader
from companion.robots.chairs import DONE, Chairs
from companion.senses.notices import restore_notices
from companion.senses.readings import Readings, Senses
from companion.wire.bus import Bus, UnreadableError
from companion.wire.config import Config
from companion.wire.inbox import TABLE_CLIENTS
from companion.wire.messages import Admin, Answer, Cause, MoveRequest, Notice, Question, Refusal
from companion.wire.replies import Reply
from companion.wire.topics import who_asks

log = logging.getLogger("tableside.table")

REMEMBERED = 5000
"""Answers kept, so that a repeated delivery gets the same word."""


class Table:
    """The only truth: one game at a time, its journal, its seats."""

    def __init__(self, config: Config, bus: Bus, journal: Journal) -> None:
        self.config, self.bus, self.journal = config, bus, journal
        self.seats = Seats(journal)
        self.owner = Owner(config.state_dir)
        self.archive = PastReader(journal.directory)
        self.readings = Readings()
        self.session: Session | None = None
        self.notices: tuple[Notice, ...] = ()
        self.question: Question | None = None
        self.join_address = ""
        self.announcer = Announcer(self)
        self.robots, self.hints, self.lessons, self.wishes = Chairs(self), Hints(self), Lessons(self), Wishes(self)
        self.shut_down = False
        self.stories = Stories(self)
        self._wanted_back = ("", 0)
        """Game and row of the last undo past something shown; where the game has gone on since, nobody asks any more."""
        self._agreed: set[str] = set()
        self._offered: dict[int, tuple[str, str]] = {}
        """Seat -> game and printed value its last refusal rests on: there its phone may say what our copy says."""
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self.packs = registry.usable()
        self.care = Care(self)
        say_damage(self)
        take_up_open_game(self)
        if self.session is not None:
            self.seats.come_back_to(self.session.game, len(self.session.seats))
        self.hall = HallDesk(self)
        bus.on_trouble(self._in_trouble)
        bus.subscribe("move/+", self._on_move)
        bus.subscribe("admin", self._on_admin)
        self.senses = Senses(self)

    def take_up(self, session: Session) -> None:
        """Go on with a game on disk; raises `PackFailedError` when its pack cannot."""
        before, self.session = self.session, session
        try:
            _ = session.moment
            with contextlib.suppress(JournalUnusableError):  # no reason not to start: the next request deals
                supply_chance(session)  # the power may have gone between a game's first row and its deal
        except PackFailedError:
            self.session = before
            raise
        if session.left_out:
            self.notice("left-out", Text("journal/left-out", {"n": session.left_out}), "bad")

    def notice(self, name: str, text: Text, kind: Any, do: Text | None = None) -> Notice:
        """Tell the table something; the same name again replaces what was said."""
        said = Notice(id=name, text=text, do=do, kind=kind)
        self.notices = (*(notice for notice in self.notices if notice.id != name), said)
        return said

    # requests --------------------------------------------------------------------------------------------------

    def _on_move(self, topic: str, message: Any) -> None:
        client = topic.removeprefix("move/")
        request: MoveRequest = message
        key = f"{client}:{request.id}"
        known = self._answers.get(key) or self._known_from_disk(key, request.id)
        if known is None:
            why: Refusal | None = None
            try:
                self._carry_out(client, request)
            except RefusedError as refused:
                why = refused.why
            except PackFailedError as wrong:
                why = failed(wrong)
            seq = self.session.seq if self.session else 0
            known = Answer(id=request.id, ok=why is None, seq=seq, refusal=why)
            self._answers[key] = known
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        self.bus.publish(f"answer/{client}", known)

    def _in_trouble(self, topic: str, payload: bytes, wrong: Exception) -> None:
        """Whatever a request contains or brings about, it is answered; what is on disk by then has been carried out."""
        asked = who_asks(topic, payload)
        if asked is not None:
            client, name = asked
            seq = self.session.seq if self.session else 0
            why = refusal("unreadable" if isinstance(wrong, UnreadableError) else "trouble")
            done = self._known_from_disk(f"{client}:{name}", name)
            self.bus.publish(f"answer/{client}", done or Answer(id=name, ok=False, seq=seq, refusal=why))

    def _known_from_disk(self, key: str, request: str) -> Answer | None:
        """After a restart the journal still knows which requests were carried out."""
        seq = self.session.requests.get(key) if self.session else None
        return None if seq is None else Answer(id=request, ok=True, seq=seq + 1)

    def _carry_out(self, client: str, request: MoveRequest) -> None:
        phone = self.seats.phones.get(client)
        if client not in TABLE_CLIENTS and (phone is None or phone.seat is None):
            raise RefusedError(refusal("watching"))
        session = self.session
        if session is None or session.ended:
            raise RefusedError(refusal("no-game"))
        if phone is not None and phone.game != session.game:
            raise RefusedError(refusal("watching"))
        seq = session.seq
        self._deal()
        if session.seq != seq:
            self.publish(())
        kind = request.move.get("kind")
        if kind != ANSWER and moved_on(session, phone.seat if phone else None, request):
            raise RefusedError(refusal("moved-on"))
        if request.undo:
            self._undo(session, client, phone, request)
        elif kind == "@answer":
            self.stories.answer(session, client, phone, request)
        elif kind == DONE:
            self.robots.done(session, request)
        elif kind == ANSWER:
            self.wishes.answer(session, client, phone, request)
        else:
            self._play(session, client, phone, request)

    def _play(self, session: Session, client: str, phone: Phone | None, request: MoveRequest) -> None:
        try:
            move = authority.decoded(session.pack, request.move)
        except msgspec.ValidationError as wrong:
            raise RefusedError(refusal("not-a-move", reason=str(wrong)[:200])) from wrong
        if phone is None or phone.seat is None:
            self.commit(session, move, sender=client, cause=request.cause, request=request.id)
            return
        whose = authority.anothers(session, move, phone.seat)
        if whose is not None:
            self.wishes.make(session, move, by=phone.seat, whose=whose)
            return
        game, key = self._offered.get(phone.seat, ("", ""))
        offered = key if game == session.game else ""
        authority.check(session, move, phone.seat, named=request.seq is not None, offered=offered)
        try:
            self.commit(session, move, sender=client, cause="phone", request=request.id)
        except RefusedError as refused:
            if refused.why.box:
                self._offered[phone.seat] = (session.game, refused.why.box)
            raise
        self._offered.pop(phone.seat, None)

    def commit(self, session: Session, move: Any, *, sender: str, cause: Cause, request: str = "") -> None:
        """Rules, disk, world: for the typed move as it was looked at. Raises `RefusedError` with everything unchanged."""
        before = session.moment.expect
        with refusing(session.pack):
            plain = session.pack.encode(move)
            outcome = session.play(plain, sender=sender, cause=cause, request=request)
        if session.done[-1].learnt:
            self.owner.keep(session.pack.id, session.done[-1].learnt)
        self.stories.forget()
        after = session.moment.expect
        self.readings.moved_on(before, after, session.seats, cause)
        changed = {slot.slot for slot in after.slots if slot not in before.slots}
        if after.dial != before.dial:
            changed.add("dial")
        self.notices = tuple(n for n in self.notices if n.slot not in changed and not n.id.startswith("restore"))
        if session.moment.over:
            self.seats.code = new_code()  # a code seen during the game opens nothing after it
        self.publish(outcome.events)

    # undo ------------------------------------------------------------------------------------------------------

    @property
    def undo_asked(self) -> bool:
        """Somebody wants the last move back, and the others are asked to agree."""
        return self.session is not None and self._wanted_back == (self.session.game, self.session.seq)

    def _undo(self, session: Session, client: str, phone: Phone | None, request: MoveRequest) -> None:
        if not session.done:
            raise RefusedError(refusal("nothing-to-undo"))
        if phone is not None and phone.seat is not None:
            if request.seq is None:
                raise RefusedError(refusal("moved-on"))
            agrees = request.consent and self.undo_asked
            if not agrees and not authority.may_take_back(session, phone.seat):
                raise RefusedError(refusal("not-your-move"))
        if session.done[-1].reveals and not (phone is None and request.consent):
            self._want_back(session, client)
        self.take_back(session, sender=client, cause="touch" if phone is None else "phone", request=request.id)

    def _want_back(self, session: Session, client: str) -> None:
        """Something shown is taken back when everybody agrees: each on a phone of their own, or all of them on the screen,
        which alone speaks for those without one."""
        if not self.undo_asked:
            self._wanted_back, self._agreed = (session.game, session.seq), set()
        self._agreed.add(client)
        phones = [self.seats.at(seat.seat) for seat in session.seats]
        if not all(phone is not None and phone.client in self._agreed for phone in phones):
            self.publish(())
            raise RefusedError(refusal("consent"))

    def take_back(
        self, session: Session, *, sender: str, cause: Cause, request: str = "", silent: bool = False
    ) -> None:
        """The last move does not stand any more; `silent`: another takes its place at once."""
        now, before = session.state, session.moment.expect
        with refusing(session.pack):
            undone = session.undo(sender=sender, cause=cause, request=request)
        if undone.learnt:
            self.owner.take_back(session.pack.id, undone.learnt, session.box)
        self.stories.forget()
        self.readings.moved_on(before, session.moment.expect, session.seats, cause)
        self.notices = tuple(n for n in self.notices if not n.id.startswith(("restore", "differs")))
        if not silent:
            with contextlib.suppress(PackFailedError):  # then people lay the pieces back without a list
                self.notices += restore_notices(session.pack, now, session.state, session.seats)
        with contextlib.suppress(RefusedError):  # taken back is taken back; the next request deals
            self._deal()
        if not silent:
            self.publish((Event("undone", None, taken_back(undone.said)),))

    def _deal(self) -> None:
        """What chance owes the game; after a full disk that may be more than the last move's. A game that cannot be dealt
        cannot go on: it is put away."""
        if self.session is None:
            return
        try:
            supply_chance(self.session)
        except PackFailedError as wrong:
            with contextlib.suppress(JournalUnusableError):
                put_away(self)
                self.notice("put-away", Text("pack/put-away", {"game": wrong.title, "why": wrong.why}), "warn")
                self.publish(())
            raise RefusedError(failed(wrong)) from wrong
        except JournalUnusableError as wrong:
            log.error("nothing can be dealt: %s", wrong)
            raise RefusedError(refusal(wrong.code)) from wrong

    # administration --------------------------------------------------------------------------------------------

    def _on_admin(self, topic: str, message: Any) -> None:
        request: Admin = message
        try:
            result = carry_out(self, request)
            if result is None:
                return  # looked up elsewhere: its answer follows
            answer = Answer(id=request.id, ok=True, result=result.plain() if isinstance(result, Reply) else result)
        except RefusedError as refused:
            answer = Answer(id=request.id, ok=False, refusal=refused.why)
        self.bus.publish(f"answer/{request.client}", answer)

    # the world -------------------------------------------------------------------------------------------------

    def publish(self, events: tuple[Event, ...] = ()) -> None:
        """Say everything that is true now; called only after it is on disk."""
        self.robots.look()
        self.announcer.publish(events)
