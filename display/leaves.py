"""Lists that are longer than the screen: one leaf at a time, and the key that turns to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from companion.game import Text
from display.keys import Key
from display.touch import Put
from display.view import View
from display.widgets import say_key

T = TypeVar("T")


class Leaf(msgspec.Struct, frozen=True):
    """The open leaf of a list."""

    pick: str
    """The name this screen remembers it by."""
    number: int
    count: int
    per: int
    """As many stand on each."""

    def of(self, items: Sequence[T]) -> Sequence[T]:
        """What stands on it."""
        return items[self.number * self.per : (self.number + 1) * self.per]

    @property
    def text(self) -> Text:
        """Which one it is, and of how many."""
        return say_key("leaf", leaf=self.number + 1, leaves=self.count)

    @property
    def following(self) -> Put:
        """Turn to the next, after the last to the first."""
        return Put({self.pick: self.number + 1})

    def keys(self, name: str, look: str = "ghost", sign: str = "down") -> list[Key]:
        """The key that does; none where everything stands on one leaf."""
        return [Key(name, self.text, self.following, look, sign)] if self.count > 1 else []


def leaf_of(view: View, pick: str, items: int, per: int, *, beside: bool = False, at: int = 0) -> Leaf:
    """The leaf somebody has turned to, else the one with item `at`; the key may take the place of an item `beside` it."""
    if beside and items > per:
        per = max(1, per - 1)
    count = max(1, -(-items // per))
    return Leaf(pick, int(view.pick(pick, at // per) or 0) % count, count, per)
