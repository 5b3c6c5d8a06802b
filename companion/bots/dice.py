"""Dice for robots: they fall as dice do, and the pack says which move that was."""

from __future__ import annotations

import random
from typing import Any

from companion.game import Game
from companion.sensing import Reading


def thrown(pack: Game, state: Any, chance: random.Random) -> Any | None:
    """The throw that is due now, thrown; `None` when none is."""
    toss = pack.toss(state)
    if toss is None:
        return None
    lying = {area: tuple(sorted(faces)) for area, faces in toss.lying.items()}
    fallen = [chance.randint(1, 6) for _ in range(toss.dice)]
    dice = {**lying, toss.area: tuple(sorted([*lying.get(toss.area, ()), *fallen]))}
    return pack.seen(state, Reading(dice, {**lying, toss.area: ()}, sum(map(len, lying.values()))))


def advised(pack: Game, state: Any, chance: random.Random) -> Any | None:
    """What the pack advises; where it advises nothing and dice are due, they are thrown."""
    move = pack.advise(state)
    return thrown(pack, state, chance) if move is None else move
