"""Sensors suggest, rules decide, people have the last word (docs/design.md §4).

Keeps the last reading of camera and dial, and says what it means for the game: nothing, a move to commit, a move to
amend, a question, or a difference the table should put right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from companion.core.session import Session
from companion.game import Die, Expected, Game, Picture, RuleBroken, SlotExpected, Text, seat_name
from companion.senses.explain import (
    CARD,
    NEVER,
    Difference,
    Explanation,
    Seen,
    certain,
    explain,
    slot_chance,
)
from companion.senses.sightings import Sightings, face
from companion.senses.throws import Throws
from companion.sensing import Dial, Reading
from companion.wire.messages import Answerable, DialSeen, MarketSeen, Notice, Question, SeatInfo, SlotSeen

DIAL_SURE = 0.7
"""Below this the dial has missed edges and does not decide anything."""
SEARCH = 2.0
"""Times the watch's patience a pack has for everything that is tried to explain one reading."""
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
        self._believed = 0
        """Moves a verdict has told and the game has not made yet: they are no word of a person."""

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

    def moved_on(self, before: Expected, after: Expected, seats: tuple[SeatInfo, ...]) -> None:
        """The game went from `before` to `after`; the pieces may need a moment to follow."""
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
            if not self._believed:
                for slot in after.slots:
                    if slot.slot in left.looked and old.get(slot.slot) not in (None, slot):
                        self.sightings.people_say(slot, left.slots[slot.slot], left)
        self._believed = max(0, self._believed - 1)
        self.throws.moved_on()

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
        self._believed = 0
        self.shape = session.dial
        whole = self.seen(session.seats)
        if whole is None:
            return Verdict("wait")
        thrown = self.throws.look(self.market, session.mat)
        with session.pack.searching(SEARCH) as pack:
            verdict = self._thrown(pack, session.state, thrown) or self._verdict(session, pack, whole)
        if verdict.kind in ("same", "commit", "amend"):
            self.sightings.agreed(whole)
            self._believed = len(verdict.moves) + (verdict.kind == "amend")
        return verdict

    def _thrown(self, pack: Game, state: Any, reading: Reading | None) -> Verdict | None:
        """What the loose dice mean; `None` when they are no news."""
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
        return bool(session.done) and session.done[-1].row.cause in ("camera", "dial") and not session.done[-1].reveals


def _finds(slot: SlotSeen) -> tuple[tuple[str, int], ...]:
    """Whose dice with which faces, in an order that does not change."""
    return tuple(sorted((die.owner, face(die)) for die in slot.dice))


def question(pack: Game, found: Explanation, number: int) -> Question:
    """Ranked answers to an unsure reading."""
    slot = found.differences[0].slot if found.differences else ""
    name = f"q{number}"
    answers = [
        Answerable(
            id=str(i),
            text=_describe(pack, candidate.moves),
            share=min(1.0, candidate.share),
            move={"kind": "@answer", "question": name, "answer": i},
            picture=_picture(pack, candidate.moves),
        )
        for i, candidate in enumerate(found.candidates)
    ]
    look = {"kind": "@answer", "question": name, "answer": -1}
    answers.append(Answerable(id="look", text=Text("question/look-again"), share=0.0, move=look))
    return Question(
        id=name, text=Text("question/what-happened"), answers=tuple(answers), slot=slot, picture=slot and f"slot-{slot}"
    )


def _describe(pack: Game, moves: tuple[Any, ...]) -> Text:
    """The moves in the pack's words when it has some, else by their kind."""
    texts = tuple(
        pack.describe(move) or Text("move/generic", {"kind": str(pack.encode(move).get("kind"))}) for move in moves
    )
    return texts[0] if len(texts) == 1 else Text("move/sequence", {"moves": texts})


def _picture(pack: Game, moves: tuple[Any, ...]) -> Picture:
    plain = pack.encode(moves[0])
    if isinstance(plain.get("face"), int) and isinstance(plain.get("seat"), int):
        return {"die": {"owner": plain["seat"], "face": plain["face"]}, "slot": plain.get("slot", "")}
    return {}


def dice_text(dice: tuple[Die, ...]) -> Text:
    """Dice as they lie, owner and face."""
    if not dice:
        return Text("dice/none")
    known = tuple(
        Text("dice/one", {"name": seat_name(die.owner), "face": die.face})
        if die.owner >= 0
        else Text("dice/stranger", {"face": die.face})
        for die in dice
    )
    return known[0] if len(known) == 1 else Text("dice/some", {"dice": known})


def difference_notices(pack: Game, state: Any, found: tuple[Difference, ...]) -> tuple[Notice, ...]:
    """What differs and how to put the table right, one notice a place."""
    notices = []
    for difference in found:
        say, do = pack.differs(state, difference) or _differs(pack, difference)
        notices.append(Notice(id=f"differs-{difference.slot}", text=say, do=do, kind="warn", slot=difference.slot))
    return tuple(notices)


def _differs(pack: Game, difference: Difference) -> tuple[Text, Text]:
    if difference.slot == "dial":
        away = {"n": abs((difference.seen_dial or 0) - (difference.expected_dial or 0))}
        return Text("differs/dial", away), Text("differs/do-dial", away)
    params = {
        "slot": pack.slot_text(difference.slot),
        "seen": dice_text(difference.seen),
        "expected": dice_text(difference.expected),
    }
    if difference.seen == difference.expected:
        return Text("differs/card", params), Text("differs/do-card", params)
    return Text("differs/dice", params), Text("differs/do-dice", params)


def restore_notices(pack: Game, now: Any, wanted: Any, prefix: str = "restore") -> tuple[Notice, ...]:
    """Component moves that bring the table from one position to another, to be ticked off by the sensors."""
    after = pack.expect(wanted)
    listed = pack.restore(now, wanted)
    if listed is None:
        return _restore_slots(pack, pack.expect(now), after, prefix)
    places = [(pack.slot_text(slot.slot), slot.slot) for slot in after.slots]
    return tuple(
        Notice(id=f"{prefix}-{number}", text=text, kind="todo", slot=_place(text, places))
        for number, text in enumerate(listed)
    )


def _place(text: Text, places: Sequence[tuple[Text, str]]) -> str:
    """Where a component move happens, so that it can be ticked off; empty when no sensor sees it."""
    if "/dial" in text.key:
        return "dial"
    slot = text.params.get("slot")
    return next((name for words, name in places if words == slot), "")


def _restore_slots(pack: Game, before: Expected, after: Expected, prefix: str) -> tuple[Notice, ...]:
    """The same for a pack without words for it: every slot and the dial."""
    old = {slot.slot: slot for slot in before.slots}
    notices = [
        Notice(
            id=f"{prefix}-{slot.slot}",
            text=Text("restore/slot", {"slot": pack.slot_text(slot.slot), "dice": dice_text(slot.dice)}),
            kind="todo",
            slot=slot.slot,
        )
        for slot in after.slots
        if old.get(slot.slot) != slot
    ]
    return tuple(notices) + (_dial_notice(after, prefix) if after.dial != before.dial else ())


def _dial_notice(wanted: Expected, prefix: str) -> tuple[Notice, ...]:
    if wanted.dial is None:
        return ()
    text = Text("restore/dial", {"notch": wanted.dial})
    return (Notice(id=f"{prefix}-dial", text=text, kind="todo", slot="dial"),)


def rebuild_notices(pack: Game, empty: Any, wanted: Any) -> tuple[Notice, ...]:
    """A game put away overnight: everything, and the dial in any case, for nobody knows where it was left."""
    listed = restore_notices(pack, empty, wanted, "rebuild")
    dial = () if any(notice.slot == "dial" for notice in listed) else _dial_notice(pack.expect(wanted), "rebuild")
    return (*dial, *listed)


def ticked(notices: tuple[Notice, ...], expected: Expected, seen: Seen) -> tuple[Notice, ...]:
    """The same list with everything ticked off that the sensors confirm."""
    wanted = {slot.slot: slot for slot in expected.slots}
    updated = []
    for notice in notices:
        done = notice.done
        if notice.kind == "todo":
            if notice.slot == "dial" and seen.dial is not None:
                done = seen.dial == expected.dial
            elif notice.slot in seen.slots and notice.slot in wanted:
                done = slot_chance(wanted[notice.slot], seen.slots[notice.slot], seen.owners) > NEVER
        updated.append(msgspec.structs.replace(notice, done=done))
    return tuple(updated)
