"""The core loop: decode, may this sender do this, rules, disk, publish, answer. Single-threaded and in this order."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Any

import msgspec

from companion import registry
from companion.bus import Bus
from companion.chance import supply_chance
from companion.config import Config
from companion.game import Event, RuleBroken, Text
from companion.journal import Journal, JournalFullError
from companion.messages import (
    Admin,
    Answer,
    Cause,
    DialSeen,
    Happened,
    JoinInfo,
    Lamp,
    MarketSeen,
    MoveRequest,
    Notice,
    Private,
    Prompt,
    Question,
    Refusal,
    State,
    Undo,
)
from companion.owner import Owner
from companion.readings import Readings, Verdict, difference_notices, question, restore_notices, ticked
from companion.seats import Phone, Seats, new_code
from companion.session import Session
from companion.shelf import open_values, paused

log = logging.getLogger("tableside.table")

REMEMBERED = 5000
"""Answers kept, so that a repeated delivery gets the same word."""
TABLE_CLIENTS = ("display", "host")
"""Clients with the role *table*: the screen, and a program that hosts the table (the demo, a convention's desk)."""
SHAPES = {"sun": "circle", "leaf": "square", "sky": "triangle", "coral": "diamond", "snow": "hexagon", "plum": "cross"}


def refusal(code: str, **params: int | str | Text) -> Refusal:
    """One of the core's own refusals."""
    return Refusal(code=f"table/{code}", say=Text(f"table/refuse/{code}", params), do=Text(f"table/do/{code}", params))


class RefusedError(Exception):
    """A request that is not carried out."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.code)
        self.why = why


class Table:
    """The only truth: one game at a time, its journal, its seats."""

    def __init__(self, config: Config, bus: Bus, journal: Journal) -> None:
        self.config, self.bus, self.journal = config, bus, journal
        self.seats = Seats(journal)
        self.owner = Owner(config.state_dir)
        self.readings = Readings()
        self.session: Session | None = None
        self.notices: tuple[Notice, ...] = ()
        self.question: Question | None = None
        self.join_address = ""
        self._join_said: JoinInfo | None = None
        self.shut_down = False
        self._candidates: tuple[Any, ...] = ()
        self._questions = 0
        self._undo_agreed: set[int] = set()
        self._undo_asked = False
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._privates: dict[int, bytes] = {}
        self.packs = registry.usable()
        self._say_damage()
        found = self._open_game()
        if found:
            self.session = Session.resume(journal, found)
            if self.session.left_out:
                self.notice("left-out", Text("journal/left-out", {"n": self.session.left_out}), "bad")
        bus.subscribe("move/+", self._on_move)
        bus.subscribe("admin", self._on_admin)
        bus.subscribe("sensor/market", self._on_market)
        bus.subscribe("sensor/dial", self._on_dial)

    def _open_game(self) -> str | None:
        for first, end in self.journal.games():
            if end is None and first.body.get("pack") in self.packs:
                return first.game
        return None

    def _say_damage(self) -> None:
        for problem in self.config.problems:
            self.notice(f"config-{abs(hash(problem)) % 10_000}", Text("config/problem", {"problem": problem}), "warn")
        if self.journal.damage:
            damage = self.journal.damage
            self.notice("damage", Text("journal/damage", {"n": damage.lost, "file": damage.moved_to}), "bad")

    def notice(self, name: str, text: Text, kind: Any) -> None:
        """Tell the table something; the same name again replaces what was said."""
        kept = tuple(notice for notice in self.notices if notice.id != name)
        self.notices = (*kept, Notice(id=name, text=text, kind=kind))

    # requests --------------------------------------------------------------------------------------------------

    def _on_move(self, topic: str, message: Any) -> None:
        client = topic.removeprefix("move/")
        request: MoveRequest = message
        key = f"{client}:{request.id}"
        known = self._answers.get(key) or self._known_from_disk(key, request.id)
        if known is None:
            try:
                self._carry_out(client, request)
                known = Answer(id=request.id, ok=True, seq=self.session.seq if self.session else 0)
            except RefusedError as refused:
                known = Answer(
                    id=request.id, ok=False, seq=self.session.seq if self.session else 0, refusal=refused.why
                )
            self._answers[key] = known
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        self.bus.publish(f"answer/{client}", known)

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
        if request.seq is not None and request.seq != session.seq:
            raise RefusedError(refusal("moved-on"))
        if request.undo:
            self._undo(session, client, phone, request)
        elif request.move.get("kind") == "@answer":
            self._answer_question(session, client, request)
        else:
            self._play(session, client, phone, request)

    def _play(self, session: Session, client: str, phone: Phone | None, request: MoveRequest) -> None:
        move = dict(request.move)
        if phone is not None and move.get("seat") not in (None, phone.seat):
            raise RefusedError(refusal("not-yours"))
        out_of_turn = ("correct", *getattr(session.pack, "out_of_turn", ()))
        if phone is not None and move.get("kind") not in out_of_turn and not self._may_decide(session, phone):
            raise RefusedError(refusal("not-your-turn"))
        if phone is not None and move.get("seat") is None and self._only_waits(session, phone):
            move["seat"] = phone.seat  # who merely answers beside the player in turn answers for nobody else
        cause: Cause = request.cause if phone is None else "phone"
        self._commit(session, move, sender=client, cause=cause, request=request.id)

    def _may_decide(self, session: Session, phone: Phone) -> bool:
        """A phone may act when the decision is its own, everybody's, or one it must still answer."""
        ask = session.pack.ask(session.state)
        return ask.seat is None or ask.seat == phone.seat or phone.seat in ask.waiting

    def _only_waits(self, session: Session, phone: Phone) -> bool:
        """The decision is another's; this phone has something of its own to answer meanwhile."""
        ask = session.pack.ask(session.state)
        return ask.seat is not None and ask.seat != phone.seat and phone.seat in ask.waiting

    def _commit(self, session: Session, move: dict[str, Any], *, sender: str, cause: Cause, request: str = "") -> None:
        """Rules, disk, world. Raises `RefusedError` with everything unchanged."""
        before = session.pack.expect(session.state)
        try:
            outcome = session.play(move, sender=sender, cause=cause, request=request)
        except RuleBroken as broken:
            raise RefusedError(
                Refusal(code=broken.code, say=broken.say, do=broken.do, page=broken.page, box=broken.box)
            ) from broken
        except msgspec.ValidationError as wrong:
            raise RefusedError(refusal("not-a-move", reason=str(wrong)[:200])) from wrong
        except JournalFullError as wrong:
            log.error("%s", wrong)
            raise RefusedError(refusal(wrong.code)) from wrong
        if move.get("kind") == "box":
            self.owner.keep(session.pack.id, move)
        self._undo_agreed.clear()
        self._undo_asked = False
        self.question = None
        after = session.pack.expect(session.state)
        self.readings.moved_on(before, after, session.seats)
        changed = {slot.slot for slot in after.slots if slot not in before.slots}
        if after.dial != before.dial:
            changed.add("dial")
        self.notices = tuple(n for n in self.notices if n.slot not in changed and not n.id.startswith("restore"))
        if session.pack.over(session.state):
            self.seats.code = new_code()  # a code seen during the game opens nothing after it
        self.publish(outcome.events)

    # undo ------------------------------------------------------------------------------------------------------

    def _undo(self, session: Session, client: str, phone: Phone | None, request: MoveRequest) -> None:
        if not session.done:
            raise RefusedError(refusal("nothing-to-undo"))
        last = session.done[-1]
        if phone is not None and phone.seat is not None:
            if request.consent:
                self._undo_agreed.add(phone.seat)
            elif last.seat not in (None, phone.seat):
                raise RefusedError(refusal("not-your-move"))
            else:
                self._undo_agreed.add(phone.seat)
                self._undo_asked = True
            if last.reveals and not self._all_agree():
                self.publish(())
                raise RefusedError(refusal("consent"))
        elif last.reveals and not request.consent:
            self._undo_asked = True
            self.publish(())
            raise RefusedError(refusal("consent"))
        self._take_back(session, sender=client, cause="touch" if phone is None else "phone", request=request.id)

    def _all_agree(self) -> bool:
        """Everybody with a phone at the table; people without one speak through the screen."""
        seated = {phone.seat for phone in self.seats.phones.values() if phone.seat is not None}
        return seated <= self._undo_agreed

    def _take_back(
        self, session: Session, *, sender: str, cause: Cause, request: str = "", silent: bool = False
    ) -> None:
        now = session.state
        before = session.pack.expect(now)
        try:
            session.undo(sender=sender, cause=cause, request=request)
        except JournalFullError as wrong:
            raise RefusedError(refusal(wrong.code)) from wrong
        self._undo_agreed.clear()
        self._undo_asked = False
        self.question = None
        after = session.pack.expect(session.state)
        self.readings.moved_on(before, after, session.seats)
        kept = tuple(notice for notice in self.notices if not notice.id.startswith(("restore", "differs")))
        self.notices = kept if silent else (*kept, *restore_notices(session.pack, now, session.state))
        supply_chance(self)
        if not silent:
            self.publish((Event("undone", None, Text("event/undone")),))

    # sensors ---------------------------------------------------------------------------------------------------

    def _on_market(self, topic: str, message: Any) -> None:
        seen: MarketSeen = message
        self.readings.market = seen
        self.look("camera")

    def _on_dial(self, topic: str, message: Any) -> None:
        seen: DialSeen = message
        self.readings.dial = seen
        self.look("dial")

    def look(self, cause: Cause) -> None:
        """Judge the present readings and act on them."""
        session = self.session
        if session is None or session.ended or session.options.get("depth") == "tally":
            return
        verdict = self.readings.judge(session)
        if verdict.kind == "wait":
            return
        seen = self.readings.seen(session.seats)
        if seen is not None:
            self.notices = ticked(self.notices, session.pack.expect(session.state), seen)
        if verdict.kind == "same":
            self._all_right()
        elif verdict.kind in ("commit", "amend"):
            self._commit_seen(session, verdict, cause)
        else:
            self._ask_or_say(session, verdict)

    def _all_right(self) -> None:
        kept = tuple(n for n in self.notices if not n.id.startswith("differs") and not (n.kind == "todo" and n.done))
        if kept != self.notices or self.question is not None:
            self.notices, self.question = kept, None
            self.publish(())

    def _commit_seen(self, session: Session, verdict: Verdict, cause: Cause) -> None:
        try:
            if verdict.kind == "amend":
                self._take_back(session, sender="companion", cause=cause, silent=True)
                if not verdict.moves:
                    self.publish((Event("amended", None, Text("event/amended")),))
            for move in verdict.moves:
                self._commit(session, session.pack.encode(move), sender="companion", cause=cause)
        except RefusedError as refused:
            log.warning("a reading could not be committed: %s", refused.why.code)
            self.publish(())

    def _ask_or_say(self, session: Session, verdict: Verdict) -> None:
        found = verdict.explanation
        assert found is not None
        kept = tuple(notice for notice in self.notices if not notice.id.startswith("differs"))
        if verdict.kind == "question":
            asked = [candidate.moves for candidate in self._candidates]
            if self.question is not None and asked == [candidate.moves for candidate in found.candidates]:
                return  # the same question again: whoever is about to answer it must not find it gone
            self._questions += 1
            self.question = question(session.pack, found, self._questions)
            self._candidates = found.candidates
            self.notices = kept
        else:
            self.question = None
            todo = {notice.slot for notice in kept if notice.kind == "todo" and not notice.done}
            wrong = difference_notices(session.pack, session.state, found.differences)
            self.notices = (*kept, *(notice for notice in wrong if notice.slot not in todo))
        self.publish(())

    def _answer_question(self, session: Session, client: str, request: MoveRequest) -> None:
        if self.question is None or request.move.get("question") != self.question.id:
            raise RefusedError(refusal("moved-on"))
        number = request.move.get("answer")
        self.question = None
        if not isinstance(number, int) or not 0 <= number < len(self._candidates):
            self.readings.denied(session)
            self.publish(())
            return
        moves = self._candidates[number].moves
        for i, move in enumerate(moves):
            name = request.id if i == len(moves) - 1 else ""
            self._commit(session, session.pack.encode(move), sender=client, cause="touch", request=name)

    # administration --------------------------------------------------------------------------------------------

    def _on_admin(self, topic: str, message: Any) -> None:
        from companion.admin import carry_out

        request: Admin = message
        try:
            result = carry_out(self, request)
            answer = Answer(id=request.id, ok=True, result=result)
        except RefusedError as refused:
            answer = Answer(id=request.id, ok=False, refusal=refused.why)
        self.bus.publish(f"answer/{request.client}", answer)

    # the world -------------------------------------------------------------------------------------------------

    def publish(self, events: tuple[Event, ...] = ()) -> None:
        """Say everything that is true now; called only after it is on disk."""
        self.bus.publish("state", self.state())
        self._publish_join()
        self.bus.publish("prompt", self.prompt())
        self._publish_privates()
        seq = self.session.seq if self.session else 0
        for event in events:
            happened = Happened(
                kind=event.kind, seq=seq, seat=event.seat, text=event.text, params=event.params, ts=self.bus.now()
            )
            self.bus.publish(f"event/{event.kind.replace('/', '-').replace('_', '-')}", happened)
        self._publish_lamp()

    def prompt(self) -> Prompt:
        """The present ask."""
        session = self.session
        if session is None or session.ended:
            return Prompt()
        return Prompt(game=session.game, seq=session.seq, ask=session.pack.ask(session.state), question=self.question)

    def state(self) -> State:
        """The public view, complete."""
        session = self.session
        if session is None or session.ended:
            return State(
                table=self.config.table.id,
                phase="safe" if self.config.safe else "lobby",
                games=tuple(self.packs),
                view={
                    **self.owner.lobby(self.packs),
                    "paused": paused(self.journal, self.packs),
                    "box": open_values(self.owner, self.packs),
                },
                notices=self.notices,
                ts=self.bus.now(),
            )
        over = session.pack.over(session.state)
        return State(
            table=self.config.table.id,
            phase="over" if over else "playing",
            game=session.pack.id,
            game_id=session.game,
            seq=session.seq,
            seats=tuple(
                msgspec.structs.replace(seat, phone=self.seats.at(seat.seat) is not None) for seat in session.seats
            ),
            view=session.pack.view(session.state, None),
            tally=session.pack.tally(session.state) if over else None,
            depth=session.options.get("depth") or "full",
            undo=self._undo_offer(session),
            notices=self.notices,
            games=tuple(self.packs),
            ts=self.bus.now(),
        )

    def join_info(self) -> JoinInfo | None:
        """How a phone comes to the table; said to the touchscreen and to nobody else."""
        if not self.join_address:
            return None
        return JoinInfo(url=f"{self.join_address}/#{self.seats.code}", code=self.seats.code, address=self.join_address)

    def _publish_join(self) -> None:
        info = self.join_info()
        if info is not None and info != self._join_said:
            self._join_said = info
            self.bus.publish("join", info)

    def _undo_offer(self, session: Session) -> Undo | None:
        if not session.done:
            return None
        last = session.done[-1]
        return Undo(text=Text("undo/last"), seat=last.seat, consent=last.reveals, asked=self._undo_asked)

    def _publish_privates(self) -> None:
        """Each seat's own view, to its phone only, when it changed."""
        session = self.session
        if session is None:
            return
        public = msgspec.json.encode(session.pack.view(session.state, None))
        for phone in self.seats.phones.values():
            if phone.seat is not None and phone.seat < len(session.seats):
                self.send_private(session, phone.seat, public)

    def send_private(self, session: Session, seat: int, public: bytes = b"", *, again: bool = False) -> None:
        """What only this seat may see; nothing is sent when it sees no more than everybody."""
        view = session.pack.view(session.state, seat)
        encoded = msgspec.json.encode(view)
        if encoded == (public or msgspec.json.encode(session.pack.view(session.state, None))):
            return
        if again or self._privates.get(seat) != encoded:
            self._privates[seat] = encoded
            self.bus.publish(f"seat/{seat}/private", Private(seat=seat, game=session.game, seq=session.seq, view=view))

    def _publish_lamp(self) -> None:
        session = self.session
        if session is None or session.ended:
            self.bus.publish("lamp", Lamp())
            return
        ask = session.pack.ask(session.state)
        seat = next((seat for seat in session.seats if seat.seat == ask.seat), None)
        self.bus.publish(
            "lamp",
            Lamp(
                seat=ask.seat,
                colour=seat.colour if seat else "",
                build=session.pack.expect(session.state).dial,
                warning=any(notice.kind in ("warn", "bad") for notice in self.notices),
                pattern=SHAPES.get(seat.colour, "circle") if seat else "off",  # type: ignore[arg-type]
            ),
        )
