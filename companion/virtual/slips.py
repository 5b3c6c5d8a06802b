"""What people do wrong with their hands: made on request, put right when the table says so.

A slip is another look of the table than the one meant. Nothing here knows the rules: whether a slip happens to be a legal
move is the table's to find out.
"""

from __future__ import annotations

import random
from typing import Literal

import msgspec

from companion.game import Die, Expected, SlotExpected

Kind = Literal["wrong face", "wrong card", "knocked over", "dial forgotten", "dial turned twice"]


class Slip(msgspec.Struct, frozen=True):
    """A mistake and how the table looks with it."""

    kind: Kind
    layout: Expected


def slip(before: Expected, meant: Expected, chance: random.Random) -> Slip | None:
    """One mistake that fits what the hand is about to do; `None` when there is nothing to get wrong."""
    ways: list[Slip] = []
    put = _put(before, meant)
    if put is not None:
        slot, die = put
        ways.append(Slip("wrong face", _with(meant, slot, _turned(die, chance), instead_of=die)))
        others = [one.slot for one in meant.slots if one.slot != slot and one.card]
        if others:
            elsewhere = _with(meant, slot, None, instead_of=die)
            ways.append(Slip("wrong card", _with(elsewhere, chance.choice(others), die)))
        lying = [(one.slot, die) for one in meant.slots for die in one.dice if one.slot != slot]
        if lying:
            where, knocked = chance.choice(lying)
            ways.append(Slip("knocked over", _with(meant, where, _turned(knocked, chance), instead_of=knocked)))
    elif meant.dial is not None and meant.dial != before.dial:
        ways.append(Slip("dial forgotten", msgspec.structs.replace(meant, dial=before.dial)))
        twice = (meant.dial + 1) % meant.dial_positions
        ways.append(Slip("dial turned twice", msgspec.structs.replace(meant, dial=twice)))
    return chance.choice(ways) if ways else None


def _put(before: Expected, meant: Expected) -> tuple[str, Die] | None:
    """The die that is to be put down or turned, and where."""
    lay = {slot.slot: slot for slot in before.slots}
    for slot in meant.slots:
        old = list(lay[slot.slot].dice) if slot.slot in lay else []
        for die in slot.dice:
            if die in old:
                old.remove(die)
            else:
                return slot.slot, die
    return None


def _turned(die: Die, chance: random.Random) -> Die:
    return Die(die.owner, chance.choice([face for face in range(1, 7) if face != die.face]))


def _with(layout: Expected, name: str, die: Die | None, instead_of: Die | None = None) -> Expected:
    """The layout with a die more, or another one, or one less, in one place."""

    def changed(slot: SlotExpected) -> SlotExpected:
        dice = list(slot.dice)
        if instead_of is not None:
            dice.remove(instead_of)
        return msgspec.structs.replace(slot, dice=tuple(sorted([*dice, die] if die is not None else dice)))

    return msgspec.structs.replace(
        layout, slots=tuple(changed(slot) if slot.slot == name else slot for slot in layout.slots)
    )


def same_look(one: Expected, other: Expected) -> bool:
    """Two expectations a camera and a dial cannot tell apart."""
    slots = [sorted((slot.slot, tuple(sorted(slot.dice))) for slot in each.slots) for each in (one, other)]
    return slots[0] == slots[1] and one.dial == other.dial
