"""A short fingerprint of a position, the same on every machine and in every version: recorded games are checked by it.

It is taken of the form positions had when the first games were recorded, whatever form they have now.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from companion.game import Die
from companion.games.skytopia.effects import protected
from companion.games.skytopia.printed import COLOURS
from companion.games.skytopia.state import MARKET, Pending, SkytopiaState


class _Place(msgspec.Struct, frozen=True):
    """A place of the market as it was recorded: the faces shown are bits."""

    card: str
    dice: tuple[Die, ...]
    faces: int


class _Step(msgspec.Struct, frozen=True):
    """A pending step as it was recorded: protected slots are bits, cards of the city numbers from 100 on."""

    kind: str
    code: str
    here: int
    colour: int
    level: int
    limit: int
    guard: int
    path: tuple[int, ...]
    turned: tuple[tuple[int, int], ...]


NO_LIMIT = 99


def digest(state: SkytopiaState) -> str:
    """The fingerprint of a position."""
    slots = [_Place(slot.card, slot.dice, _bits(slot.faces)) for slot in state.slots]
    stack = [_step(state, pending) for pending in state.stack]
    told = (state.players, slots, state.decks, state.removed, state.guilds, stack, state.owed, state.chart)
    place = (state.round, state.build, state.first, state.turn, state.phase, state.last)
    this_turn = (_bits(state.received), state.added)
    text = msgspec.json.encode(
        (told, (*place, *this_turn), state.paid, state.numbers.box.overrides), order="deterministic"
    )
    return hashlib.sha256(text).hexdigest()[:16]


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _step(state: SkytopiaState, step: Pending) -> _Step:
    fixed = step.kind == "tower" and not state.numbers.reach_added
    limit = step.height if fixed else NO_LIMIT
    path = tuple(n if where == MARKET else 100 + COLOURS.index(where) * 20 + n for where, n in step.path)
    guard = _bits(protected(state, step))
    return _Step(step.kind, step.code, step.here, step.colour, step.level, limit, guard, path, step.turned)
