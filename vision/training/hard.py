"""Hard crops: what the finder really hands over, its loose boxes and its false finds on print, keys and clutter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.reader import nets
from vision.training import render, scenes
from vision.training.samples import AROUND, cut, hits


def mined(dice: list[render.Sprite], count: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops and classes (6 is "no die") from rendered scenes, each with and without dice, cut as the reader cuts."""
    rng = np.random.default_rng(seed)
    crops: list[NDArray[np.uint8]] = []
    classes: list[int] = []
    while len(crops) < count:
        picture = scenes.clutter(rng, scenes.clutter(rng, scenes.ground(rng, 256)))
        labels = scenes.throw(rng, picture, dice, [], float(rng.uniform(24, 60))) if rng.random() < 0.6 else ()
        seen = scenes.lens(rng, scenes.lamp(rng, picture))
        for found in nets.find(seen, 0.3):
            cx, cy = found.middle
            near = min(labels, key=lambda d: np.hypot(d.x + d.w / 2 - cx, d.y + d.h / 2 - cy), default=None)
            away = np.inf if near is None else np.hypot(near.x + near.w / 2 - cx, near.y + near.h / 2 - cy) / near.w
            if near is not None and away < 0.25:
                value = near.value - 1
            elif away > 0.7 and not hits(labels, cx, cy):
                value = 6
            else:
                continue
            side = max(found.w, found.h) * AROUND * float(np.exp(rng.normal(0, 0.05)))
            crops.append(cut(seen, cx, cy, side, float(rng.normal(0, 8))))
            classes.append(value)
    return np.stack(crops), np.array(classes, np.int64)
