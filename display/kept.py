"""Pictures kept because they will be needed again, within a share of memory: the least used go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

import pygame


class Kept:
    """A shelf that knows how much its pictures weigh: a count says little, one may be a die and one the whole screen."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        """Bytes; what is larger than that alone is kept alone."""
        self.bytes = 0
        self._shelf: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def __len__(self) -> int:
        return len(self._shelf)

    def get(self, key: Hashable) -> pygame.Surface | None:
        """The picture, which thereby counts as used."""
        known = self._shelf.get(key)
        if known is not None:
            self._shelf.move_to_end(key)
        return known

    def put(self, key: Hashable, picture: pygame.Surface) -> pygame.Surface:
        """Keep a new one; others make room for it."""
        self._drop(key)
        self._shelf[key] = picture
        self.bytes += _weight(picture)
        while self.bytes > self.limit and len(self._shelf) > 1:
            self._drop(next(iter(self._shelf)))
        return picture

    def _drop(self, key: Hashable) -> None:
        known = self._shelf.pop(key, None)
        if known is not None:
            self.bytes -= _weight(known)

    def clear(self) -> None:
        """Forget all of them."""
        self._shelf.clear()
        self.bytes = 0


def _weight(picture: pygame.Surface) -> int:
    return picture.get_pitch() * picture.get_height()
