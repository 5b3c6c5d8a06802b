"""What people are told about a reading: a question with ranked answers, what differs, what is to be put back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.game import Die, Expected, Game, Picture, SlotExpected, Text, seat_name
from companion.senses.alike import Story
from companion.senses.explain import NEVER, Difference, Seen, slot_chance
from companion.senses.standing import piece_text, whose
from companion.wire.messages import Answerable, Notice, Question, SeatInfo


def question(pack: Game, stories: Sequence[Story], shares: Sequence[float], slot: str, number: int) -> Question:
    """Ranked answers to an unsure reading."""
    name = f"q{number}"
    answers = [
        Answerable(
            id=str(i),
            text=_story(pack, story),
            share=min(1.0, share),
            move={"kind": "@answer", "question": name, "answer": i},
            picture=_picture(pack, story.moves),
        )
        for i, (story, share) in enumerate(zip(stories, shares, strict=True))
    ]
    look = {"kind": "@answer", "question": name, "answer": -1}
    answers.append(Answerable(id="look", text=Text("question/look-again"), share=0.0, move=look))
    return Question(
        id=name, text=Text("question/what-happened"), answers=tuple(answers), slot=slot, picture=slot and f"slot-{slot}"
    )


def otherwise(pack: Game, told: Any, stories: Sequence[Story], number: int) -> Question:
    """How a move was taken, and the one other that makes the same picture; where there are several, they are asked about."""
    name = f"q{number}"
    other = _story(pack, stories[0]) if len(stories) == 1 else Text("otherwise/several")
    move = {"kind": "@answer", "question": name, "answer": 0}
    answer = Answerable(id="0", text=other, share=0.0, move=move)
    return Question(id=name, text=Text("otherwise/taken", {"what": _describe(pack, (told,))}), answers=(answer,))


def _story(pack: Game, story: Story) -> Text:
    words = _describe(pack, story.moves)
    return words if story.whole else Text("otherwise/on", {"what": words})


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
    place = pack.slot_text(difference.slot)
    if difference.expected_piece is not None and difference.seen_piece is not None:
        stands = piece_text(difference.seen_piece), piece_text(difference.expected_piece)
        return Text("differs/dice", {"slot": place, "seen": stands[0], "expected": stands[1]}), Text("differs/do-dice")
    params = {"slot": place, "seen": dice_text(difference.seen), "expected": dice_text(difference.expected)}
    if difference.seen == difference.expected:
        return Text("differs/card", params), Text("differs/do-card", params)
    return Text("differs/dice", params), Text("differs/do-dice", params)


def restore_notices(
    pack: Game, now: Any, wanted: Any, seats: Sequence[SeatInfo], prefix: str = "restore"
) -> tuple[Notice, ...]:
    """Component moves that bring the table from one position to another, to be ticked off by the sensors."""
    after = pack.expect(wanted)
    listed = pack.restore(now, wanted)
    if listed is None:
        return _restore_slots(pack, pack.expect(now), after, seats, prefix)
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


def _restore_slots(
    pack: Game, before: Expected, after: Expected, seats: Sequence[SeatInfo], prefix: str
) -> tuple[Notice, ...]:
    """The same for a pack without words for it: every slot and the dial."""
    owners = {seat.colour: seat.seat for seat in seats}
    old = {slot.slot: slot for slot in before.slots}
    notices = [
        Notice(
            id=f"{prefix}-{slot.slot}",
            text=Text("restore/slot", {"slot": pack.slot_text(slot.slot), "dice": _lying(slot, owners)}),
            kind="todo",
            slot=slot.slot,
        )
        for slot in after.slots
        if old.get(slot.slot) != slot
    ]
    return tuple(notices) + (_dial_notice(after, prefix) if after.dial != before.dial else ())


def _lying(slot: SlotExpected, owners: Mapping[str, int]) -> Text:
    stands = whose(slot.piece, owners)
    return dice_text(slot.dice) if stands is None else piece_text(stands)


def _dial_notice(wanted: Expected, prefix: str) -> tuple[Notice, ...]:
    if wanted.dial is None:
        return ()
    text = Text("restore/dial", {"notch": wanted.dial})
    return (Notice(id=f"{prefix}-dial", text=text, kind="todo", slot="dial"),)


def rebuild_notices(pack: Game, empty: Any, wanted: Any, seats: Sequence[SeatInfo]) -> tuple[Notice, ...]:
    """A game put away overnight: everything, and the dial in any case, for nobody knows where it was left."""
    listed = restore_notices(pack, empty, wanted, seats, "rebuild")
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
