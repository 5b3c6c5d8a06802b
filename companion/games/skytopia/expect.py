"""What the sensors should see: golems and cards on the market, and where the dial stands."""

from __future__ import annotations

from companion.game import Expected, SlotExpected
from companion.games.skytopia import chronometer
from companion.games.skytopia.printed import UNKNOWN
from companion.games.skytopia.state import State, slot_names


def dial_position(state: State) -> int:
    """Notches the dial stands clockwise of its start."""
    return chronometer.notch(state.build, state.numbers.start, state.numbers.direction)


def expect(state: State) -> Expected:
    """The market as it should lie, slots in their fixed order."""
    slots = tuple(
        SlotExpected(name, slot.dice, None if slot.card == UNKNOWN else slot.card)
        for name, slot in zip(slot_names(state.rows), state.slots, strict=True)
    )
    return Expected(slots, dial_position(state), 6)
