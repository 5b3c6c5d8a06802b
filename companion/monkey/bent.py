"""Values as a careless or malicious hand enters them: of another kind, size or place than belongs there."""

from __future__ import annotations

import random
from typing import Any

from companion.box.printed import Printed

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    7,
    2**31,
    2**63,
    -(2**70),
    0.5,
    1e308,
    "",
    "x",
    "é" * 300,
    [],
    {},
    [[]],
    {"": 0},
)
"""What is put where something else belongs."""
STRANGE = ("seat", "kind", "n", "x" * 50, "p" + "1" * 5000)
"""Names under which it is put."""
DEEP = 800
"""Lists in lists: nearly as deep as a message may be, and our own hands can still write it."""


def bent(value: Any, chance: random.Random) -> Any:
    """Still JSON, but a value in it is of another kind, size or place."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(list(value))
        match chance.randrange(8):
            case 0:
                return {key: kept for key, kept in value.items() if key != name}
            case 1:
                return value | {chance.choice(STRANGE): chance.choice(ODD)}
            case _:
                return value | {name: bent(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        match chance.randrange(6):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return value + value[at:]
            case _:
                return [*value[:at], bent(value[at], chance), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, -value, 5, 100))
    return chance.choice(ODD)


def deep() -> Any:
    """A value nested nearly as deep as a message may be."""
    nest: Any = []
    for _ in range(DEEP):
        nest = [nest]
    return nest


def other_print(leaf: Printed, now: Any, chance: random.Random) -> Any:
    """What another copy of the game might show at this place; now and then what none can."""
    if chance.random() < 0.06:
        return deep() if chance.random() < 0.1 else bent(now, chance)
    if leaf.options:
        return chance.choice(leaf.options)
    if isinstance(now, bool):
        return not now
    if isinstance(now, int):
        low, high = leaf.low if leaf.low is not None else -3, leaf.high if leaf.high is not None else 999
        near = (low, high, low - 1, high + 1, now + 1, now - 1)
        return chance.choice((*near, chance.randint(low, high), chance.randint(low, high)))
    return _rewritten(now, chance)


def _rewritten(now: Any, chance: random.Random) -> Any:
    """The same kind of list, table or word with something else in it."""
    if isinstance(now, str):
        letters = list(now)
        chance.shuffle(letters)
        return chance.choice(("".join(letters), now[:-1], now + now[-1:]))
    if isinstance(now, dict):
        name = chance.choice(list(now))
        return {**now, name: _rewritten(now[name], chance)}
    if isinstance(now, int):
        return chance.choice((now - 1, now + 1, 0, 1, chance.randint(1, 120), chance.randint(-50, 999)))
    items = list(now)
    if not items:
        return [chance.randint(-1, 12) for _ in range(chance.randrange(1, 6))]
    at = chance.randrange(len(items))
    match chance.randrange(4):
        case 0:
            return items[:at] + items[at + 1 :]
        case 1:
            return [*items, items[at]]
        case 2 if isinstance(items[at], str):
            return [*items[:at], chance.choice(items), *items[at + 1 :]]
        case _:
            return [*items[:at], _rewritten(items[at], chance), *items[at + 1 :]]
