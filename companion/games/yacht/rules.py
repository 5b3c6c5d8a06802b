"""Yacht's categories and what five dice are worth in each; the state, and the moves that change it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

DICE, THROWS = 5, 3
CATEGORIES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("full-house", "four-alike", "little-straight", "big-straight", "choice", "yacht"),
)
STRAIGHT, YACHT = 30, 50

Faces = tuple[int, ...]
Face = Annotated[int, Meta(ge=1, le=6)]
Category = Literal[
    "ones", "twos", "threes", "fours", "fives", "sixes",
    "full-house", "four-alike", "little-straight", "big-straight", "choice", "yacht",
]  # fmt: skip


def points(dice: Faces, category: str) -> int:
    """What five dice count in a category; nothing where they do not fit."""
    place, counts = CATEGORIES.index(category), Counter(dice)
    if place < 6:
        return (place + 1) * counts[place + 1]
    shape = sorted(counts.values())
    match category:
        case "full-house":
            return sum(dice) if shape == [2, 3] else 0
        case "four-alike":
            return sum(4 * face for face, n in counts.items() if n >= 4)
        case "little-straight":
            return STRAIGHT if sorted(dice) == [1, 2, 3, 4, 5] else 0
        case "big-straight":
            return STRAIGHT if sorted(dice) == [2, 3, 4, 5, 6] else 0
        case "yacht":
            return YACHT if shape == [DICE] else 0
    return sum(dice)


def within(some: Faces, dice: Faces) -> bool:
    """These are among those dice."""
    return not Counter(some) - Counter(dice)


def keeps(dice: Faces) -> list[Faces]:
    """Every set of dice that may stay while the others are thrown again."""
    return sorted({kept for n in range(len(dice)) for kept in combinations(dice, n)})


class State(msgspec.Struct, frozen=True):
    """Everybody's sheet, and the dice of whoever is in turn."""

    names: tuple[str, ...]
    sheets: tuple[tuple[int | None, ...], ...]
    """By player and category; `None` is still open."""
    turn: int = 0
    dice: Faces = ()
    """As they lie, sorted; none before the first throw."""
    kept: Faces | None = None
    """What stays while the others are thrown again."""
    throws: int = 0

    @property
    def open(self) -> tuple[str, ...]:
        """The categories whoever is in turn has still to fill."""
        return tuple(name for name, had in zip(CATEGORIES, self.sheets[self.turn], strict=True) if had is None)


class Throw(msgspec.Struct, frozen=True, tag_field="kind", tag="throw", forbid_unknown_fields=True):
    """All five dice as they lie after a throw, those that were kept among them."""

    seat: int
    dice: Annotated[tuple[Face, ...], Meta(min_length=DICE, max_length=DICE)]


class Keep(msgspec.Struct, frozen=True, tag_field="kind", tag="keep", forbid_unknown_fields=True):
    """These stay; the others are thrown again."""

    seat: int
    dice: Annotated[tuple[Face, ...], Meta(max_length=DICE - 1)]


class Write(msgspec.Struct, frozen=True, tag_field="kind", tag="write", forbid_unknown_fields=True):
    """The dice are written down in a category, and the turn is over."""

    seat: int
    category: Category


Move = Throw | Keep | Write
