"""What is known about single finds of the camera: print that looks like a die, dice people have named, where dice lay.

A reading is one picture; these are the things a person at the table would remember from the pictures before.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import msgspec

from companion.game import Die, Expected, SlotExpected
from companion.senses.explain import NEVER, Seen, certain, left_over, odd_die_out, slot_chance
from companion.senses.standing import standing
from companion.wire.messages import DieSeen, SlotSeen

KEPT = 6
"""Finds remembered for each card."""
SPOT = 0.06
"""A doubtful find no further away than this, in shares of a card, is the one there was before."""
STILL = 0.006
"""A die turned by hand comes to rest further away than this; one nobody touched is found again within it."""


class Sightings:
    """The memory of one game."""

    def __init__(self) -> None:
        self.print: dict[str, tuple[DieSeen, ...]] = {}
        """What on each card looks a little like a die and is none."""
        self.named: dict[str, tuple[tuple[DieSeen, Die], ...]] = {}
        """Dice the camera reads wrongly, and what people say they are."""
        self.nothing: dict[str, tuple[DieSeen, ...]] = {}
        """What the camera takes for a die, however surely, and people say is none."""
        self.overruled: dict[str, tuple[SlotExpected, SlotSeen]] = {}
        """Places people have described differently from the camera, and its finds there."""
        self.lay: dict[str, tuple[DieSeen, ...]] = {}
        """Dice as they lay when table and game last agreed."""

    def forget(self) -> None:
        """Another game."""
        self.print.clear()
        self.named.clear()
        self.nothing.clear()
        self.overruled.clear()
        self.lay.clear()

    def dice_of(self, slot: SlotSeen, owners: Mapping[str, int]) -> SlotSeen:
        """Without what cannot be a die of this game, a colour nobody plays or known print; with people's names."""
        name = slot.slot
        known, named, nothing = self.print.get(name, ()), self.named.get(name, ()), self.nothing.get(name, ())
        dice = tuple(
            _as_named(die, named, owners)
            for die in slot.dice
            if die.owner in owners
            and not any(_same_print(die, one) for one in known)
            and not any(_near(die, one, SPOT) and _looks_like(die, one) for one in nothing)
        )
        return slot if dice == slot.dice else msgspec.structs.replace(slot, dice=dice)

    def learn_print(self, expected: Expected, seen: Seen) -> None:
        """Everything makes sense without these: the next reading need not wonder."""
        for slot in expected.slots:
            reading = seen.slots.get(slot.slot)
            extra = left_over(slot, reading, seen.owners) if reading is not None else ()
            if extra:
                self.print[slot.slot] = (*self.print.get(slot.slot, ()), *extra)[-KEPT:]

    def people_say(self, slot: SlotExpected, reading: SlotSeen, seen: Seen) -> None:
        """A person made this place look so and the camera swears to another die: people have the last word.

        It holds for that die where it lies and for that reading of it; once it is moved or read differently, it is news.
        """
        if slot_chance(slot, reading, seen.owners) > NEVER:
            return
        odd = odd_die_out(slot, reading, seen.owners)
        if odd is not None:
            self.named[slot.slot] = (*self.named.get(slot.slot, ()), odd)[-KEPT:]
        elif len(reading.dice) == len(slot.dice) + 1:
            extra = next((die for die in reading.dice if _fits_without(die, slot, reading, seen.owners)), None)
            if extra is not None:
                self.nothing[slot.slot] = (*self.nothing.get(slot.slot, ()), extra)[-KEPT:]
        else:
            self.overruled[slot.slot] = slot, reading

    def settled(self, slot: SlotExpected, reading: SlotSeen) -> bool:
        """People have said how this place looks, it should still look so, and the camera still finds what it found then."""
        told = self.overruled.get(slot.slot)
        if told is None:
            return False
        expected, then = told
        same = len(then.dice) == len(reading.dice) and all(
            any(_near(die, one, SPOT) and _looks_like(die, one) for one in then.dice) for die in reading.dice
        )
        same = same and standing(then) == standing(reading)
        if expected == slot and same:
            return True
        del self.overruled[slot.slot]
        return False

    @staticmethod
    def one_too_many(slot: SlotExpected, seen: Seen) -> bool:
        """Every die that should lie there does, and something more: nothing has left, so nothing can have gone elsewhere."""
        reading = seen.slots.get(slot.slot)
        if reading is None or len(reading.dice) <= len(slot.dice) or slot_chance(slot, reading, seen.owners) > NEVER:
            return False
        extra = len(reading.dice) - len(slot.dice)
        return (
            any(
                slot_chance(slot, msgspec.structs.replace(reading, dice=kept), seen.owners) > NEVER
                for kept in combinations(reading.dice, len(slot.dice))
            )
            and extra <= 2
        )

    def nothing_happened(self, slot: SlotExpected, reading: SlotSeen, seen: Seen) -> None:
        """A person denies that this place changed: that counts for a die nobody can have touched, and for no other."""
        if self._turned_on_the_spot(reading):
            self.people_say(slot, reading, seen)

    def agreed(self, seen: Seen) -> None:
        """Table and game agree: remember where the dice lie."""
        for name in seen.looked:
            self.lay[name] = seen.slots[name].dice

    def changed(self, slot: SlotExpected) -> None:
        """A place looks different now: names of dice that are no longer there are forgotten, and print of a card that went."""
        if slot.slot in self.named:
            self.named[slot.slot] = tuple(pair for pair in self.named[slot.slot] if pair[1] in slot.dice)
        if slot.card == "":
            for known in (self.print, self.nothing, self.lay):
                known.pop(slot.slot, None)

    def untouched(self, before: Expected, after: Expected, seen: Seen) -> bool:
        """Where something should have changed, a die lies exactly where one lay and shows another face.

        One of the two readings is wrong: whoever turns or swaps a die by hand does not put it down on the same spot.
        """
        old = {slot.slot: slot for slot in before.slots}
        return any(
            old.get(slot.slot, slot).dice != slot.dice and self._turned_on_the_spot(seen.slots[slot.slot])
            for slot in after.slots
            if slot.slot in seen.looked
        )

    def _turned_on_the_spot(self, slot: SlotSeen) -> bool:
        lay, fresh = [die for die in self.lay.get(slot.slot, ()) if certain(die)], []
        for die in slot.dice:
            same = next((one for one in lay if _near(die, one, STILL) and _looks_like(die, one)), None)
            if same is None:
                fresh.append(die)
            else:
                lay.remove(same)
        return any(_near(die, one, STILL) for die in fresh for one in lay)


def face(die: DieSeen) -> int:
    """The likeliest face."""
    return 1 + max(range(6), key=lambda i: die.faces[i])


def _near(die: DieSeen, other: DieSeen, by: float) -> bool:
    return abs(die.x - other.x) < by and abs(die.y - other.y) < by


def _same_print(die: DieSeen, other: DieSeen) -> bool:
    """A doubtful find where there was one before; a certain die is a die wherever it lies."""
    return not certain(die) and _near(die, other, SPOT)


def _looks_like(die: DieSeen, other: DieSeen) -> bool:
    return (face(die), die.owner) == (face(other), other.owner)


def _fits_without(die: DieSeen, slot: SlotExpected, reading: SlotSeen, owners: Mapping[str, int]) -> bool:
    others = msgspec.structs.replace(reading, dice=tuple(one for one in reading.dice if one is not die))
    return slot_chance(slot, others, owners) > NEVER


def _as_named(die: DieSeen, named: tuple[tuple[DieSeen, Die], ...], owners: Mapping[str, int]) -> DieSeen:
    """The die as people named it, if it is still read as it was then, where it was then."""
    for read, truth in named:
        if _near(die, read, STILL) and _looks_like(die, read):
            word = next((word for word, seat in owners.items() if seat == truth.owner), die.owner)
            one, two, three, four, five, six = (float(n == truth.face) for n in range(1, 7))
            faces = (one, two, three, four, five, six)
            return msgspec.structs.replace(die, owner=word, owner_share=1.0, faces=faces)
    return die
