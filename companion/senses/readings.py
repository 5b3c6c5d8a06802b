"""Sensors suggest, rules decide, people have the last word (docs/design.md §4).

Keeps the last reading of camera and dial, and says what it means for the game: nothing, a move to commit, a move to
amend, a question, or a difference the table should put right.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from companion.core.guard import PackFailedError
from companion.core.refusals import RefusedError
from companion.core.session import Session
from companion.game import Event, Expected, Game, RuleBroken, SlotExpected, Text
from companion.senses.explain import (
    CARD,
    NEVER,
    Explanation,
    Seen,
    certain,
    explain,
    slot_chance,
)
from companion.senses.notices import difference_notices, ticked
from companion.senses.sightings import Sightings, face
from companion.senses.throws import Throws
from companion.sensing import Dial, Reading
from companion.wire.messages import Cause, DialSeen, MarketSeen, SeatInfo, SlotSeen

if TYPE_CHECKING:
    from companion.core.table import Table

log = logging.getLogger("tableside.readings")

DIAL_SURE = 0.7
"""Below this the dial has missed edges and does not decide anything."""
SEARCH = 2.0
"""Times the watch's patience a pack has for everything that is tried to explain one reading."""
SENSORS: tuple[Cause, ...] = ("camera", "dial")
BLIND = ("starting", "no camera", "too dark", "drifted")


class Verdict(msgspec.Struct, frozen=True):
    """What a reading means."""

    kind: Literal["wait", "same", "commit", "amend", "question", "differs"]
    moves: tuple[Any, ...] = ()
    explanation: Explanation | None = None
    refused: RuleBroken | None = None
    """What the pack says is wrong with loose dice."""


class Readings:
    """The belief of the table about its own pieces."""

    def __init__(self) -> None:
        self.market: MarketSeen | None = None
        self.dial: DialSeen | None = None
        self.behind: dict[str, SlotExpected] = {}
        """Places the hands have not caught up with, as they looked before the game moved on."""
        self.dial_behind: int | None = None
        self.shape: Dial | None = None
        """How the game counts the notches of its dial."""
        self.sightings = Sightings()
        self.throws = Throws()
        self.said: dict[str, tuple[tuple[str, int], ...]] = {}
        """Places with a die too many, as they were last said to differ."""

    def seen(self, seats: tuple[SeatInfo, ...]) -> Seen | None:
        """Both sensors in the game's terms; `None` while a hand is over the table or nothing can be seen."""
        market, dial = self.market, self.dial
        if dial is not None and dial.state in ("turning", "settling"):
            return None
        sure = dial is not None and dial.state == "ready" and dial.confidence >= DIAL_SURE
        turned = dial.position if dial is not None and sure else None
        turned = self.shape.said(turned) if turned is not None and self.shape is not None else turned
        if market is None or market.state in BLIND:
            return Seen(dial=turned) if turned is not None else None
        if market.state != "ready":
            return None
        owners = {seat.colour: seat.seat for seat in seats}
        return Seen({slot.slot: self.sightings.dice_of(slot, owners) for slot in market.slots}, owners, turned)

    def moved_on(self, before: Expected, after: Expected, seats: tuple[SeatInfo, ...], cause: Cause) -> None:
        """The game went from `before` to `after`; the pieces may need a moment to follow. What the sensors themselves have told
        is no word of a person."""
        old = {slot.slot: slot for slot in before.slots}
        for slot in after.slots:
            was = old.get(slot.slot)
            if was is not None and was != slot:
                self.behind.setdefault(slot.slot, was)
                self.sightings.changed(slot)
        if before.dial != after.dial and self.dial_behind is None:
            self.dial_behind = before.dial
        seen = self.seen(seats)
        if seen is not None:
            left = self._caught_up(after, seen)
            if cause not in SENSORS:
                for slot in after.slots:
                    if slot.slot in left.looked and old.get(slot.slot) not in (None, slot):
                        self.sightings.people_say(slot, left.slots[slot.slot], left)
        self.throws.moved_on(after.loose)

    def stays(self, taken_back: Callable[[], None]) -> None:
        """A move is taken back that was not what it seemed: nobody will lay anything back."""
        behind, dial = dict(self.behind), self.dial_behind
        taken_back()
        self.behind, self.dial_behind = behind, dial

    def denied(self, session: Session) -> None:
        """People say that none of what the table offered happened: a die that lies where it lay is what it was."""
        self.throws.denied(self.market)
        seen = self.seen(session.seats)
        for slot in session.moment.expect.slots if seen is not None else ():
            if seen is not None and slot.slot in seen.looked:
                self.sightings.nothing_happened(slot, seen.slots[slot.slot], seen)

    def forget(self) -> None:
        """Another game: nothing is behind."""
        self.behind.clear()
        self.dial_behind = None
        self.said.clear()
        self.sightings.forget()
        self.throws.forget()

    def _caught_up(self, expected: Expected, seen: Seen) -> Seen:
        """Leave out what still looks as it did; strike off what has followed."""
        slots = dict(seen.slots)
        for slot in expected.slots:
            was, reading = self.behind.get(slot.slot), slots.get(slot.slot)
            if reading is None or reading.covered:
                continue
            if slot_chance(slot, reading, seen.owners) > NEVER:
                self.behind.pop(slot.slot, None)
            elif (was is not None and slot_chance(was, reading, seen.owners) > NEVER) or self.sightings.settled(
                slot, reading
            ):
                del slots[slot.slot]
        dial = seen.dial
        if self.dial_behind is not None and dial is not None:
            if dial == expected.dial:
                self.dial_behind = None
            elif dial == self.dial_behind:
                dial = None
        return Seen(slots, seen.owners, dial)

    def judge(self, session: Session) -> Verdict:
        """What the present readings mean for this game; raises `PackFailedError` when the pack cannot tell."""
        self.shape = session.dial
        whole = self.seen(session.seats)
        if whole is None:
            return Verdict("wait")
        thrown = self.throws.look(self.market, session.mat)
        with session.pack.searching(SEARCH) as pack:
            verdict = self._thrown(pack, session.state, thrown) or self._verdict(session, pack, whole)
        if verdict.kind in ("same", "commit", "amend"):
            self.sightings.agreed(whole)
        return verdict

    def _thrown(self, pack: Game, state: Any, reading: Reading | None) -> Verdict | None:
        """What the loose dice mean; `None` when they are not news."""
        if reading is None or self.market is None:
            return None
        found = self.throws.explain(pack, state, self.market, reading)
        if isinstance(found, RuleBroken):
            return Verdict("differs", (), Explanation("impossible"), found)
        if found is None:
            return None
        if found.kind == "found":
            return Verdict("commit", found.candidates[0].moves, found)
        return Verdict("question", (), found)

    def _verdict(self, session: Session, pack: Game, whole: Seen) -> Verdict:
        state = session.state
        self._forget_what_went(whole)
        found, seen = self._explained(pack, state, self._caught_up(pack.expect(state), whole))
        if found.kind == "same":
            named = self._named(pack, state, seen)
            return Verdict("commit", named, found) if named else Verdict("same")
        believed = found.kind == "found" and not self._too_still(pack, state, found, whole)
        if not (believed and len(found.candidates[0].moves) == 1) and self._may_amend(session):
            again = explain(pack, session.done[-1].before, whole, depth=1)
            if again.kind == "found" and len(again.candidates[0].moves) == 1:
                return Verdict("amend", again.candidates[0].moves, again)
            if again.kind == "same":
                return Verdict("amend", (), again)
        odd = [slot.slot for slot in pack.expect(state).slots if self.sightings.one_too_many(slot, seen)]
        known = [name for name in odd if self.said.get(name) == _finds(seen.slots[name])]
        if known:
            # a die too many that was said already, and still lies there, does not stop the game elsewhere
            rest = msgspec.structs.replace(seen, slots={n: s for n, s in seen.slots.items() if n not in known})
            other = explain(pack, state, rest, depth=1)
            plain = other.kind == "found" and len(other.candidates[0].moves) == 1
            if plain and not self._too_still(pack, state, other, seen):
                return Verdict("commit", other.candidates[0].moves, other)
        elif believed:
            return Verdict("commit", found.candidates[0].moves, found)
        if found.kind == "impossible":
            self.said = {name: _finds(seen.slots[name]) for name in odd}
            return Verdict("differs", (), found)
        return Verdict("question", (), found)

    def _forget_what_went(self, whole: Seen) -> None:
        """A die too many that was taken away is news when it is put down again: by then it may be a move."""
        self.said = {
            name: finds
            for name, finds in self.said.items()
            if name not in whole.looked or _finds(whole.slots[name]) == finds
        }

    def _explained(self, pack: Game, state: Any, seen: Seen) -> tuple[Explanation, Seen]:
        """The explanation; if need be without what looks a little like a die.

        If nothing explains such a find and the rest makes sense without it, it was print. If only a longer story does, what
        is sure is believed first, and the find is asked about by itself.
        """
        found = explain(pack, state, seen)
        length = len(found.candidates[0].moves) if found.candidates else 0
        doubtful = any(not certain(die) for name in seen.looked for die in seen.slots[name].dice)
        if not doubtful or found.kind == "same" or length == 1:
            return found, seen
        without = msgspec.structs.replace(seen, lenient=True)
        less = explain(pack, state, without)
        if found.kind == "impossible":
            if less.kind in ("same", "found"):
                there = less.candidates[0].state if less.candidates else state
                self.sightings.learn_print(pack.expect(there), without)
            return less, without
        shorter = less.kind == "same" or (less.kind == "found" and len(less.candidates[0].moves) < length)
        return (less, without) if shorter else (found, seen)

    def _too_still(self, pack: Game, state: Any, found: Explanation, seen: Seen) -> bool:
        """A die is said to have been turned that lies exactly where it lay: that is asked about."""
        return self.sightings.untouched(pack.expect(state), pack.expect(found.candidates[0].state), seen)

    @staticmethod
    def _named(pack: Game, state: Any, seen: Seen) -> tuple[Any, ...]:
        """A card that lay there unidentified and that the camera now knows."""
        for slot in pack.expect(state).slots:
            reading = seen.slots.get(slot.slot)
            if slot.card is None and reading is not None and reading.card.card and reading.card.share >= CARD:
                move = pack.identify(slot.slot, reading.card.card)
                if move is None:
                    continue
                try:
                    pack.play(state, move)
                except RuleBroken:
                    continue  # the camera names a card that cannot lie there: people will say
                return (move,)
        return ()

    @staticmethod
    def _may_amend(session: Session) -> bool:
        """People fiddle: what the sensors committed last may still change, as long as nothing else happened."""
        return bool(session.done) and session.done[-1].row.cause in SENSORS and not session.done[-1].reveals


class Senses:
    """Hears camera and dial, and carries out what their readings mean."""

    def __init__(self, table: Table) -> None:
        self.table, self.readings = table, table.readings
        self._puzzled: tuple[str, int] | None = None
        """Where the pack failed at a reading: the game and its row."""
        table.bus.subscribe("sensor/market", self._on_market)
        table.bus.subscribe("sensor/dial", self._on_dial)

    def _on_market(self, topic: str, message: Any) -> None:
        seen: MarketSeen = message
        self.readings.market = seen
        self.look("camera")

    def _on_dial(self, topic: str, message: Any) -> None:
        seen: DialSeen = message
        self.readings.dial = seen
        self.look("dial")

    def look(self, cause: Cause) -> None:
        """Judge the present readings and act on them. A pack that fails at it is not asked again about this position."""
        session = self.table.session
        if session is None or session.ended or session.options.get("depth") == "tally":
            return
        here = (session.game, session.seq)
        if here == self._puzzled:
            return
        try:
            self._act_on_readings(session, cause)
        except PackFailedError as wrong:
            self._puzzled = here
            self.table.notice("puzzled", Text("pack/puzzled", {"game": wrong.title, "why": wrong.why}), "warn")
            self.table.publish(())

    def _act_on_readings(self, session: Session, cause: Cause) -> None:
        verdict = self.readings.judge(session)
        if verdict.kind == "wait":
            return
        seen = self.readings.seen(session.seats)
        if seen is not None:
            self.table.notices = ticked(self.table.notices, session.moment.expect, seen)
        if verdict.kind == "same":
            self._all_right()
        elif self.table.stories.asked_for(verdict):
            return
        elif verdict.kind in ("commit", "amend"):
            self._commit_seen(session, verdict, cause)
        else:
            self._ask_or_say(session, verdict)

    def _all_right(self) -> None:
        done = all(n.done for n in self.table.notices if n.kind == "todo")  # a list stays whole until all of it is done
        kept = tuple(
            n for n in self.table.notices if not n.id.startswith("differs") and not (done and n.kind == "todo")
        )
        if kept != self.table.notices or self.table.question is not None:
            self.table.notices, self.table.question = kept, None
            self.table.publish(())

    def _commit_seen(self, session: Session, verdict: Verdict, cause: Cause) -> None:
        odd = self.readings.said  # all else that was said to differ is explained now
        self.table.notices = tuple(n for n in self.table.notices if not n.id.startswith("differs") or n.slot in odd)
        try:
            if verdict.kind == "amend":
                self.table.take_back(session, sender="companion", cause=cause, silent=True)
                if self.table.session is not session:
                    return
                if not verdict.moves:
                    self.table.publish((Event("amended", None, Text("event/amended")),))
            for move in verdict.moves:
                self.table.commit(session, move, sender="companion", cause=cause)
            self.table.stories.tell(session, verdict)
        except RefusedError as refused:
            log.warning("a reading could not be committed: %s", refused.why.code)
            self.table.publish(())

    def _ask_or_say(self, session: Session, verdict: Verdict) -> None:
        found = verdict.explanation
        assert found is not None
        kept = tuple(notice for notice in self.table.notices if not notice.id.startswith("differs"))
        if verdict.kind == "question":
            if not self.table.stories.ask(session, found):
                return
            self.table.notices = kept
        elif verdict.refused is not None:
            self.table.question = None
            self.table.notices = kept
            self.table.notice("differs-throw", verdict.refused.say, "warn", verdict.refused.do)
        else:
            self.table.question = None
            todo = {notice.slot for notice in kept if notice.kind == "todo" and not notice.done}
            wrong = difference_notices(session.pack, session.state, found.differences)
            self.table.notices = (*kept, *(notice for notice in wrong if notice.slot not in todo))
        self.table.publish(())


def _finds(slot: SlotSeen) -> tuple[tuple[str, int], ...]:
    """Whose dice with which faces, in an order that does not change."""
    return tuple(sorted((die.owner, face(die)) for die in slot.dice))
