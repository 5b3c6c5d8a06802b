"""Dice found by colour alone: patches in a taught colour the finder passed over, split where dice touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader.nets import Found, overlap

Image = NDArray[np.uint8]
Lab = tuple[float, float, float]

NEAR = 22.0
"""Distance in a and b (lightness counts a quarter) up to which a pixel has a player's colour."""
DIE_MM = (10.0, 19.0)
SAME = 0.45
"""Overlap from which a patch is the die already found; less may be its neighbour under one loose box."""
PLAIN = 0.5
"""Centre score from which the finder's place is believed."""


def missed(picture: Image, found: Sequence[Found], taught: Mapping[str, Sequence[Lab]], scale: float) -> list[Found]:
    """Candidates besides `found`: the face network decides whether they are dice."""
    if not taught:
        return []
    lab = cv2.cvtColor(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    flat = lab.astype(np.int16)
    plain = [die for die in found if die.score >= PLAIN]  # a weak find may sit half beside its die
    out: list[Found] = []
    for samples in taught.values():
        if not samples:
            continue
        mean = np.median(np.array(samples), axis=0).astype(np.int16)
        away = np.abs(flat - mean)
        mask = ((away[..., 1] + away[..., 2] + away[..., 0] // 4) < NEAR).astype(np.uint8)
        if int(mask.sum()) < (DIE_MM[0] * scale / 2) ** 2 * 0.5:
            continue
        whole = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        for box in _pieces(whole, scale / 2):
            x, y, w, h = (2 * v for v in box)
            die = Found(x, y, w, h, 0.5, np.full(6, 1 / 6, np.float32))
            if all(overlap(die, other) < SAME for other in [*plain, *out]):
                out.append(die)
    return out


def _pieces(mask: Image, scale: float) -> list[tuple[float, float, float, float]]:
    """Boxes of die-sized patches; a patch as large as two or three dice is split at its thickest places."""
    low, high = DIE_MM[0] * scale, DIE_MM[1] * scale
    blobs, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    boxes: list[tuple[float, float, float, float]] = []
    for blob in range(1, blobs):
        x, y, w, h, area = (int(v) for v in stats[blob])
        if area < 0.5 * low * low or min(w, h) < 0.7 * low:
            continue
        if max(w, h) <= high * 1.35:
            boxes.append((x, y, w, h))
        elif area < 6 * high * high:
            boxes += _split((labels[y : y + h, x : x + w] == blob).astype(np.uint8), (x, y), low, high)
    return boxes


def _split(shape: Image, at: tuple[int, int], low: float, high: float) -> list[tuple[float, float, float, float]]:
    depth = cv2.distanceTransform(cv2.copyMakeBorder(shape, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 3)
    boxes = []
    for _ in range(6):
        _, thick, _, (x, y) = cv2.minMaxLoc(depth)
        if thick < 0.36 * low:
            break
        side = min(max(2.2 * thick, low), high)
        boxes.append((at[0] + x - 1 - side / 2, at[1] + y - 1 - side / 2, side, side))
        cv2.circle(depth, (x, y), int(side * 0.8), 0.0, -1)
    return boxes
