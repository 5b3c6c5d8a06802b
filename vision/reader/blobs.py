"""Dice found by colour alone: patches in a taught colour the finder passed over, split where dice touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader.nets import Found, overlaps

Image = NDArray[np.uint8]
Lab = tuple[float, float, float]
Box = tuple[float, float, float, float]

NEAR = 22.0
"""Distance in a and b (lightness counts a quarter) up to which a pixel has a player's colour."""
DIE_MM = (10.0, 19.0)
SAME = 0.45
"""Overlap from which a patch is the die already found; less may be its neighbour under one loose box."""
HINT = 0.2
"""Overlap with any find, however weak, from which a patch is worth a closer look: most patches are print."""
SOLID = 0.55
"""Share of its box a patch must fill to be taken for a die without any hint."""
PLAIN = 0.5
"""Centre score from which the finder's place is believed."""


def missed(
    picture: Image, found: Sequence[Found], hints: Sequence[Found], taught: Mapping[str, Sequence[Lab]], scale: float
) -> list[Found]:
    """Candidates besides `found`: patches like a whole die, and others where the finder had at least a hint of one.

    The face network decides.
    """
    if not taught:
        return []
    lab = cv2.cvtColor(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    hinted = _boxes([die.box for die in hints])
    plain = _boxes([die.box for die in found if die.score >= PLAIN])  # a weak find may sit half beside its die
    boxes = _boxes([])
    for samples in taught.values():
        if not samples:
            continue
        mask = _near(np.asarray(lab, np.uint8), np.median(np.array(samples), axis=0))
        if cv2.countNonZero(mask) < (DIE_MM[0] * scale / 2) ** 2 * 0.5:
            continue
        whole = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        solid, loose = _pieces(whole, scale / 2)
        patches = 2 * _boxes([*solid, *loose])
        worth = (np.arange(len(patches)) < len(solid)) | (overlaps(patches, hinted) > HINT).any(axis=1)
        new = worth & ~(overlaps(patches, plain) >= SAME).any(axis=1)
        for patch in patches[new]:
            if not (overlaps(patch[None], boxes) >= SAME).any():
                boxes = np.concatenate([boxes, patch[None]])
    return [Found(x, y, w, h, 0.5, np.full(6, 1 / 6, np.float32)) for x, y, w, h in boxes.tolist()]


def _boxes(boxes: Sequence[Box]) -> NDArray[np.float32]:
    return np.array(boxes, np.float32).reshape(-1, 4)


def _near(lab: Image, mean: NDArray[np.float64]) -> Image:
    """Pixels of a colour, lightness counting a quarter; tables are several times faster than arithmetic here."""
    steps = np.abs(np.arange(256)[:, None] - mean.astype(int)) * (0.25, 1.0, 1.0)
    away = cv2.transform(cv2.LUT(lab, np.clip(steps, 0, 255).astype(np.uint8)[:, None]), np.ones((1, 3)))
    return (away < NEAR).astype(np.uint8)


def _pieces(mask: Image, scale: float) -> tuple[list[Box], list[Box]]:
    """Boxes of patches solid and as large as one die, and of all others; large ones are split where they are thickest."""
    low, high = DIE_MM[0] * scale, DIE_MM[1] * scale
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    large = (stats[:, cv2.CC_STAT_AREA] >= 0.5 * low * low) & (stats[:, 2:4].min(axis=1) >= 0.7 * low)
    solid: list[Box] = []
    loose: list[Box] = []
    for blob in np.flatnonzero(large[1:]) + 1:  # the first is what lies around them all
        x, y, w, h, area = (int(v) for v in stats[blob])
        if max(w, h) <= high * 1.35:
            whole = min(w, h) >= 1.1 * low and max(w, h) <= 1.1 * high and area >= SOLID * w * h
            (solid if whole else loose).append((x, y, w, h))
        elif area < 6 * high * high:
            loose += _split((labels[y : y + h, x : x + w] == blob).astype(np.uint8), (x, y), low, high)
    return solid, loose


def _split(shape: Image, at: tuple[int, int], low: float, high: float) -> list[Box]:
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
