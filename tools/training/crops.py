"""Crops for the face network: cut from stored scenes by their labels, and as the finder really hands them over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.training import cardprint, samples
from tools.training.scenes import Label, lamp, lens
from tools.training.store import Store
from tools.training.stream import Crops
from vision.reader import nets

NO_DIE = 6
HARDEST = 4
"""One in so many places beside the dice is kept."""


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
            fill = samples.filling(rng, find.w, find.h)
            pictures.append(samples.cut(picture, cx, cy, side, samples.turned(rng, scene.slanted), fill))
            classes.append(value)
    return np.stack(pictures), np.array(classes, np.int64)


def beside(store: Store, count: int, seed: int) -> Crops:
    """Places as large as a die where none lies: those that look most like dice to the face network.

    `nets.use` says which network; it must not have seen photos that will be scored.
    """
    rng = np.random.default_rng(seed)
    pictures: list[NDArray[np.uint8]] = []
    while len(pictures) < HARDEST * count:
        scene = store.scene(int(rng.integers(len(store))))
        seen = np.ascontiguousarray(scene.picture)
        sizes = [max(d.w, d.h) for d in scene.dice] or [float(rng.uniform(24, 80))]
        for _ in range(12):
            cx, cy = rng.uniform(0, seen.shape[0], 2)
            size = float(rng.choice(sizes)) * float(np.exp(rng.normal(0, 0.15)))
            if all(np.hypot(d.x + d.w / 2 - cx, d.y + d.h / 2 - cy) > 0.75 * max(d.w, d.h) for d in scene.dice):
                side = size * samples.AROUND
                pictures.append(samples.cut(samples.softened(seen, side), cx, cy, side, float(rng.uniform(0, 360))))
    like = 1 - nets.softmax(nets.face_scores([samples.seen(p) for p in pictures]))[:, NO_DIE]
    hardest = np.argsort(-like)[:count]
    return np.stack([pictures[i] for i in hardest]), np.full(len(hardest), NO_DIE, np.int64)


def fronts(count: int, seed: int) -> Crops:
    """Printed house fronts in the light and through the lens of any table, as crops without a die."""
    rng = np.random.default_rng(seed)
    pictures = []
    for _ in range(count):
        lit = lamp(rng, cardprint.front(rng).astype(np.float32))
        seen = samples.softened(lens(rng, lit, 60.0), 96.0)
        middle = 48.0 + rng.normal(0, 6, 2)
        pictures.append(samples.cut(seen, *middle, float(rng.uniform(70, 100)), float(rng.uniform(0, 360))))
    return np.stack(pictures), np.full(count, NO_DIE, np.int64)


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
