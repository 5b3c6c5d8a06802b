"""A short fingerprint of a position, the same on every machine and in every version: recorded games are checked by it.

It is taken of the form positions had when the first games were recorded, whatever form they have now.
"""

from __future__ import annotations

import hashlib

import msgspec

from companion.games.skytopia.effects import protected
from companion.games.skytopia.state import Pending, State


class _Step(msgspec.Struct, frozen=True):
    """A pending step as it was recorded; slots protected from an effect are bits."""

    kind: str
    code: str
    here: int
    colour: int
    level: int
    limit: int
    guard: int
    path: tuple[int, ...]
    turned: tuple[tuple[int, int], ...]


def digest(state: State) -> str:
    """The fingerprint of a position."""
    stack = [_step(state, pending) for pending in state.stack]
    told = (state.players, state.slots, state.decks, state.removed, state.guilds, stack, state.owed, state.chart)
    place = (state.round, state.build, state.first, state.turn, state.phase, state.last, state.received, state.added)
    text = msgspec.json.encode((told, place, state.paid, state.numbers.box.overrides), order="deterministic")
    return hashlib.sha256(text).hexdigest()[:16]


def _step(state: State, step: Pending) -> _Step:
    guard = sum(1 << slot for slot in protected(state, step))
    return _Step(step.kind, step.code, step.here, step.colour, step.level, step.limit, guard, step.path, step.turned)
