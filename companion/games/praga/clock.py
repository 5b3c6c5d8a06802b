"""The clock of the game: what the turn counter alone says about drops, eras and the end (rules, section 4.4).

The game ends with a drop of the counting cube and drops are eleven turns apart, so the counter knows every drop. The
position of the arrow is only a cross-check: a wheel that was one notch off never moves the era.
"""

from __future__ import annotations

from companion.box.printed import Box


def length(printed: Box, seats: int) -> int:
    """Crane turns in the whole game."""
    return int(printed["clock.turns"]) * seats


def platform(printed: Box, seats: int, turn: int) -> int:
    """Moves the platform cube still has to go after `turn` crane turns."""
    revolution = int(printed["clock.revolution"])
    return (length(printed, seats) - turn + revolution - 1) // revolution


def drops(printed: Box, seats: int, turn: int) -> bool:
    """The counting cube falls at the end of this crane turn."""
    left = length(printed, seats) - turn
    return turn > 0 and left >= 0 and left % int(printed["clock.revolution"]) == 0


def all_drops(printed: Box, seats: int) -> list[int]:
    """The crane turns at whose end the counting cube falls."""
    whole, revolution = length(printed, seats), int(printed["clock.revolution"])
    return list(range(whole % revolution or revolution, whole + 1, revolution))


def era_turn(printed: Box, seats: int) -> int:
    """The crane turn after which the second era begins."""
    return int(printed[f"clock.era.{max(seats, 2)}"])


def era(printed: Box, seats: int, turn: int) -> int:
    """The era after `turn` crane turns."""
    return 2 if turn >= era_turn(printed, seats) else 1


def turns_left(printed: Box, seats: int, turn: int, first: int = 0) -> tuple[int, ...]:
    """Turns each seat has still to play."""
    each = int(printed["clock.turns"])
    return tuple(each - (turn - (seat - first) % seats + seats - 1) // seats for seat in range(seats))


def next_own_turn(seats: int, seat: int, turn: int, first: int = 0) -> int:
    """The first crane turn of a seat after `turn`."""
    return turn + 1 + (seat - first - turn - 1) % seats


def round_due(seats: int, turn: int) -> int:
    """The round of the turn now due."""
    return turn // seats + 1


def announces_last_revolution(printed: Box, seats: int, turn: int) -> bool:
    """This drop leaves exactly one revolution."""
    return drops(printed, seats, turn) and platform(printed, seats, turn) == 1
