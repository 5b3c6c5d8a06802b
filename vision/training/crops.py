"""Crops for the face network: cut from stored scenes by their labels, and as the finder really hands them over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reader import nets
from vision.training import samples
from vision.training.scenes import Label
from vision.training.store import Store
from vision.training.stream import Crops

NO_DIE = 6


def cut(store: Store, count: int, seed: int) -> Crops:
    """Crops by the labels, each with a little aim error; one in six or so shows no die."""
    rng = np.random.default_rng(seed)
    pictures: list[NDArray[np.uint8]] = []
    classes: list[int] = []
    while len(pictures) < count:
        for crop, value in samples.crops(rng, store.scene(int(rng.integers(len(store))))):
            pictures.append(crop)
            classes.append(value - 1 if value else NO_DIE)
    return np.stack(pictures), np.array(classes, np.int64)


def found(stores: Sequence[Store], count: int, seed: int, at_least: float = 0.12) -> Crops:
    """Crops by the finder's own loose boxes, its false finds on print and clutter included.

    `nets.use` says which finder; it must not have seen photos that will be scored.
    """
    rng = np.random.default_rng(seed)
    pictures: list[NDArray[np.uint8]] = []
    classes: list[int] = []
    while len(pictures) < count:
        store = stores[int(rng.integers(len(stores)))]
        scene = store.scene(int(rng.integers(len(store))))
        seen = np.ascontiguousarray(scene.picture)
        for find in nets.find(seen, at_least):
            value = _what(scene.dice, find)
            if value is None:
                continue
            cx, cy = find.middle
            side = max(find.w, find.h) * samples.AROUND * float(np.exp(rng.normal(-0.06, 0.09)))
            picture = samples.softened(seen, side)
            pictures.append(samples.cut(picture, cx, cy, side, float(rng.normal(0, 10))))
            classes.append(value)
    return np.stack(pictures), np.array(classes, np.int64)


def _what(dice: Sequence[Label], find: nets.Found) -> int | None:
    """The class of a find; `None` when nobody should be asked: half a die, an ignored one, one cut by the edge."""
    cx, cy = find.middle
    near = min(dice, key=lambda d: np.hypot(d.x + d.w / 2 - cx, d.y + d.h / 2 - cy), default=None)
    if near is None:
        return NO_DIE
    size = max(near.w, near.h)
    away = float(np.hypot(near.x + near.w / 2 - cx, near.y + near.h / 2 - cy)) / size
    if near.value and away < 0.22 and 0.7 < max(find.w, find.h) / size < 1.45:
        return near.value - 1
    return NO_DIE if away > 0.75 else None
