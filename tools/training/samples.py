"""Scenes turned into what the networks learn from: target planes for the finder, crops for the reader."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.training.nets import CROP, STRIDE, UNIT
from tools.training.scenes import Label, Scene

AROUND = 1.15
"""A crop shows the die's box and a little of what lies around it."""
KEPT = 84
"""Crops are kept this wide, `CROP` in the middle: room to turn and shift them anew every time they are shown."""


def planes(scene: Scene) -> NDArray[np.float32]:
    """Heat, weights, place, size and face per cell, see `nets.finder_loss`."""
    side = scene.picture.shape[0]
    n = side // STRIDE
    out = np.zeros((8, n, n), np.float32)
    out[1] = 1
    gy, gx = np.mgrid[0:n, 0:n].astype(np.float32) + 0.5
    for d in scene.dice:
        cx, cy = (d.x + d.w / 2) / STRIDE, (d.y + d.h / 2) / STRIDE
        inside = np.clip(min(d.x + d.w, side) - max(d.x, 0), 0, None) * np.clip(
            min(d.y + d.h, side) - max(d.y, 0), 0, None
        )
        seen = inside / (d.w * d.h)
        if seen <= 0.02:
            continue
        cell = np.abs(gx - cx) < d.w / STRIDE / 2, np.abs(gy - cy) < d.h / STRIDE / 2
        if d.value == 0 or seen < 0.85 or max(d.w, d.h) < 16:
            out[1][cell[0] & cell[1]] = 0
            continue
        sx, sy = max(d.w / STRIDE / 7, 0.6), max(d.h / STRIDE / 7, 0.6)
        heat = np.exp(-(((gx - cx) / sx) ** 2 + ((gy - cy) / sy) ** 2) / 2)
        i, j = min(int(cy), n - 1), min(int(cx), n - 1)
        heat[i, j] = 1
        stronger = heat > out[0]
        out[0] = np.maximum(out[0], heat)
        near = stronger & (heat > 0.45)
        out[2][near] = 1
        out[3][near], out[4][near] = (cx - gx)[near], (cy - gy)[near]
        out[5][near], out[6][near] = np.log(d.w / UNIT), np.log(d.h / UNIT)
        out[7][near] = d.value
    return out


def cut(
    picture: NDArray[np.uint8],
    cx: float,
    cy: float,
    side: float,
    angle: float = 0.0,
    fill: tuple[float, float] = (1.0, 1.0),
) -> NDArray[np.uint8]:
    """The square of `side` pixels around a point as the face reader sees it, and what lies around it."""
    m = cv2.getRotationMatrix2D((cx, cy), angle, CROP / side) * np.array(fill)[:, None]
    m[:, 2] = KEPT / 2 - m[:, :2] @ (cx, cy)
    small = cv2.warpAffine(picture, m, (KEPT, KEPT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(small, np.uint8)


def filling(rng: np.random.Generator, w: float, h: float) -> tuple[float, float]:
    """By how much the two sides of a box are stretched, to a square or not at all: the reader looks both ways."""
    return (max(w, h) / w, max(w, h) / h) if rng.random() < 0.5 else (1.0, 1.0)


def seen(kept: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The middle of kept crops: what the face reader is given."""
    edge = (KEPT - CROP) // 2
    return kept[..., edge : edge + CROP, edge : edge + CROP, :]


def softened(picture: NDArray[np.uint8], side: float) -> NDArray[np.uint8]:
    """Blurred as much as a crop of `side` pixels will be shrunk, so that pips fade and do not flicker."""
    shrink = side / CROP
    if shrink < 1.6:
        return picture
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 * shrink), np.uint8)


def turned(rng: np.random.Generator, slanted: bool) -> float:
    """By how many degrees a crop is turned: any from above; seen from the side a die stays upright, nearly always."""
    if rng.random() < (0.06 if slanted else 0.6):
        return float(rng.uniform(-180, 180))
    return float(rng.normal(0, 6))


def crops(rng: np.random.Generator, scene: Scene) -> list[tuple[NDArray[np.uint8], int]]:
    """Every whole die with a little aim error, and some places that hold none (class 0)."""
    side = scene.picture.shape[0]
    found = []
    for d in scene.dice:
        if d.value == 0 or d.x < -0.1 * d.w or d.y < -0.1 * d.h or d.x + 0.9 * d.w > side or d.y + 0.9 * d.h > side:
            continue
        size = max(d.w, d.h)
        picture = softened(scene.picture, size * AROUND)
        cx, cy = np.array([d.x + d.w / 2, d.y + d.h / 2]) + rng.normal(0, 0.05, 2) * size
        reach = size * AROUND * float(np.exp(rng.normal(-0.03, 0.1)))
        turn = turned(rng, scene.slanted)
        found.append((cut(picture, cx, cy, reach, turn, filling(rng, d.w, d.h)), d.value))
        if rng.random() < 0.3:
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.1) * size
            beside = (cx + far * np.cos(way), cy + far * np.sin(way))
            if not hits(scene.dice, *beside):
                found.append((cut(scene.picture, *beside, reach, turn), 0))
    for _ in range(1 + len(found) // 6):
        where = rng.uniform(0, side, 2)
        if not hits(scene.dice, *where):
            found.append((cut(scene.picture, *where, rng.uniform(24, 120), float(rng.uniform(0, 360))), 0))
    return found


def hits(dice: tuple[Label, ...], cx: float, cy: float) -> bool:
    """A die's middle part covers this point."""
    return any(abs(cx - d.x - d.w / 2) < 0.42 * d.w and abs(cy - d.y - d.h / 2) < 0.42 * d.h for d in dice)
