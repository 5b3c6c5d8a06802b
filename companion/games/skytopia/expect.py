"""What the sensors should see: golems and cards on the market, and where the dial stands."""

from __future__ import annotations

from functools import lru_cache

from companion.game import Expected, SlotExpected
from companion.games.skytopia import chronometer
from companion.games.skytopia.printed import UNKNOWN
from companion.games.skytopia.state import SkytopiaState, Slot, slot_names


def dial_position(state: SkytopiaState) -> int:
    """Notches the dial stands clockwise of its start."""
    return chronometer.notch(state.build, state.numbers.start, state.numbers.direction)


def expect(state: SkytopiaState) -> Expected:
    """The market as it should lie, slots in their fixed order."""
    return Expected(tuple(map(_place, slot_names(state.rows), state.slots)), dial_position(state), 6)


@lru_cache(maxsize=4096)
def _place(name: str, slot: Slot) -> SlotExpected:
    """One place; the same object for the same look, so that whoever compares two markets sees at once what changed."""
    return SlotExpected(name, slot.dice, None if slot.card == UNKNOWN else slot.card)
