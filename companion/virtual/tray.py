"""Loose dice under virtual hands: picked up, thrown so that they fall anywhere, put aside."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

from companion.game import Die
from companion.sensing import Area, Toss
from companion.virtual.pieces import APART, LOOSE, Lying, Pieces

Faces = tuple[int, ...]
COLOURS = ("snow", "snow", "sun", "leaf", "sky", "coral", "plum")
"""A set of dice has one colour, most often white."""
TOUCHING = 0.08
"""Share of throws in which two dice come to lie side by side."""


class Tray:
    """The loose dice of one table."""

    def __init__(self, pieces: Pieces, chance: random.Random) -> None:
        self.pieces, self.chance = pieces, chance
        if self.areas:
            pieces.loose = chance.choice(COLOURS)
            pieces.slots |= {area.id: ("", []) for area in self.areas}

    @property
    def areas(self) -> tuple[Area, ...]:
        """Where loose dice may lie."""
        return tuple(area for area in self.pieces.mat.areas if area.loose) if self.pieces.mat is not None else ()

    def faces(self, area: str) -> Faces:
        """The faces that lie in an area."""
        return tuple(sorted(one.die.face for one in self._lying(area)))

    @property
    def all(self) -> Faces:
        """Every face on the mat."""
        return tuple(sorted(face for area in self.areas for face in self.faces(area.id)))

    def _lying(self, area: str) -> list[Lying]:
        return self.pieces.slots.get(area, ("", []))[1]

    def arranged(self, toss: Toss) -> bool:
        """What stays while the others are thrown lies where it should."""
        return all(
            self.faces(area.id) == tuple(sorted(toss.lying.get(area.id, ())))
            for area in self.areas
            if area.id != toss.area
        )

    def put_aside(self, toss: Toss) -> None:
        """Move dice between the areas until what stays lies where it should; the others stay in the tray."""
        hand: list[Lying] = [one for area in self.areas for one in self._lying(area.id)]
        kept: dict[str, list[Lying]] = {area.id: [] for area in self.areas}
        for area in self.areas:
            wanted = Counter(toss.lying.get(area.id, ()))
            here = self._lying(area.id)
            for one in [*here, *(other for other in hand if other not in here)]:
                if one in hand and wanted[one.die.face]:
                    wanted[one.die.face] -= 1
                    hand.remove(one)
                    kept[area.id].append(one if one in here else self._placed(area, one.die.face, kept[area.id]))
        tray = next(area for area in self.areas if area.id == toss.area)
        lay = self._lying(tray.id)
        for one in hand:
            kept[tray.id].append(one if one in lay else self._placed(tray, one.die.face, kept[tray.id]))
        for name, dice in kept.items():
            self.pieces.slots[name] = ("", dice)

    def lift(self, toss: Toss) -> None:
        """Pick up what is to be thrown."""
        for area in self.areas:
            wanted, kept = Counter(toss.lying.get(area.id, ())), list[Lying]()
            for one in self._lying(area.id):
                if wanted[one.die.face]:
                    wanted[one.die.face] -= 1
                    kept.append(one)
            self.pieces.slots[area.id] = ("", kept)

    def throw(self, toss: Toss, faces: Faces) -> None:
        """Let these dice fall."""
        area = next(one for one in self.areas if one.id == toss.area)
        dice = list(self._lying(area.id))
        for face in self.chance.sample(faces, len(faces)):
            dice.append(self._beside(area, face, dice) or self._placed(area, face, dice))
        self.pieces.slots[area.id] = ("", dice)

    def _placed(self, area: Area, face: int, others: list[Lying]) -> Lying:
        """Anywhere in the area where it touches none; in a narrow strip, in the first free place."""
        edge = self.pieces.mat.die_mm if self.pieces.mat is not None else 16.0
        rim = 0.8 * edge
        spots = product((0.27, 0.73), (0.1, 0.3, 0.5, 0.7, 0.9)) if area.width < 5 * edge else ()
        places = [(x * area.width, y * area.height) for x, y in spots]
        places += [
            (self.chance.uniform(rim, area.width - rim), self.chance.uniform(rim, area.height - rim))
            for _ in range(400)
        ]
        for x, y in places:
            if all(
                (x - one.x * area.width) ** 2 + (y - one.y * area.height) ** 2 > (APART * edge) ** 2 for one in others
            ):
                return Lying(Die(LOOSE, face), x / area.width, y / area.height, self.chance.uniform(0, 90), 0)
        raise ValueError(f"{area.id} has no room for another die")

    def _beside(self, area: Area, face: int, others: list[Lying]) -> Lying | None:
        """Now and then a die comes to rest against another."""
        if not others or self.chance.random() > TOUCHING / 4 or self.pieces.mat is None:
            return None
        edge, one = self.pieces.mat.die_mm, others[-1]
        x, y = one.x * area.width + 1.06 * edge, one.y * area.height
        flat = Lying(one.die, one.x, one.y, 0.0, one.spot)
        free = all(
            (x - o.x * area.width) ** 2 + (y - o.y * area.height) ** 2 > (APART * edge) ** 2 for o in others[:-1]
        )
        if not free or x > area.width - edge:
            return None
        others[-1] = flat
        return Lying(Die(LOOSE, face), x / area.width, y / area.height, 0.0, 0)
