"""Pip counting, the second opinion: round marks of one size and one depth on the top of a die."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mark = tuple[float, float, float, float]
"""Centre, radius, and how much it differs from the body around it, in grey levels."""

SIDE = 96
FAINT = 24.0
"""Grey levels between pip and body at least."""
DEEP = 0.5
"""Share of the deepest mark's depth a pip has at least: swirls of a pearly body are round now and then, never as deep."""
REACH = 0.33
"""Share of the crop around its middle in which the pips of the top lie; further out are those of the sides."""


def count(crop: Image) -> int | None:
    """Pips on the die in a crop, or `None` when the marks do not agree with one another."""
    grey = cv2.cvtColor(cv2.resize(crop, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (0, 0), 1.2)
    window = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (25, 25))
    ways = (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT)
    both = (_marks(np.asarray(cv2.morphologyEx(grey, way, window), np.uint8)) for way in ways)
    # dark on light or light on dark: pips are what differs most
    marks = max(both, key=lambda some: max((depth for *_, depth in some), default=0.0))
    if not 1 <= len(marks) <= 6:
        return None
    return len(marks) if _laid_out(np.array([(x, y) for x, y, *_ in marks])) else None


def _marks(flat: Image) -> list[Mark]:
    """The round marks on the top of a die that are about as large and as deep as one another."""
    rim = round(SIDE * (0.5 - REACH))
    deepest = float(np.percentile(flat[rim:-rim, rim:-rim], 99.5))
    if deepest < FAINT:
        return []
    mask = (flat > DEEP * deepest).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    marks: list[Mark] = []
    for outline in outlines:
        area = cv2.contourArea(outline)
        (x, y), r = cv2.minEnclosingCircle(outline)
        central = max(abs(x - SIDE / 2), abs(y - SIDE / 2)) < REACH * SIDE
        if central and 0.0025 < area / SIDE**2 < 0.05 and area / (np.pi * r * r) > 0.62:
            left, top, w, h = cv2.boundingRect(outline)
            depth = cv2.mean(flat[top : top + h, left : left + w], mask[top : top + h, left : left + w])[0]
            marks.append((x, y, r, depth))
    usual = float(np.median([r for _, _, r, _ in marks])) if marks else 0.0
    deep = max((depth for *_, depth in marks), default=0.0)
    return [one for one in marks if 0.7 * usual <= one[2] <= 1.45 * usual and one[3] >= 0.55 * deep]


def _laid_out(points: NDArray[np.float64]) -> bool:
    """The marks are placed like pips: symmetric about their middle."""
    middle = points.mean(axis=0)
    mirrored = 2 * middle - points
    gaps = np.linalg.norm(points[:, None] - mirrored[None], axis=2).min(axis=1)
    return bool((gaps < 9).all())
