"""Yacht's categories and what five dice are worth in each; the state, and the moves that change it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from companion.games.kit.dice import Face, Faces

DICE, THROWS, STRAIGHT, YACHT = 5, 3, 30, 50
Category = Literal[
    "ones", "twos", "threes", "fours", "fives", "sixes",
    "full-house", "four-alike", "little-straight", "big-straight", "choice", "yacht",
]  # fmt: skip
CATEGORIES: tuple[Category, ...] = get_args(Category)


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
        case "little-straight" | "big-straight":
            return STRAIGHT if len(counts) == DICE and (6 if category == "little-straight" else 1) not in counts else 0
        case "yacht":
            return YACHT if shape == [DICE] else 0
    return sum(dice)


class YachtState(msgspec.Struct, frozen=True):
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
    def points(self) -> tuple[int, ...]:
        """What everybody has written so far."""
        return tuple(sum(had or 0 for had in sheet) for sheet in self.sheets)

    @property
    def worth(self) -> dict[Category, int]:
        """What the dice would count in each category that is still open; nothing before the first throw."""
        sheet = zip(CATEGORIES, self.sheets[self.turn] if self.dice else (), strict=bool(self.dice))
        return {name: points(self.dice, name) for name, had in sheet if had is None}


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
