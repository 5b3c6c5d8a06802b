"""Pip counting, the second opinion: round marks of one size on the top of a die."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def count(crop: Image) -> int | None:
    """Pips on the die in a crop, or `None` when the marks do not agree with one another."""
    n = 96
    grey = cv2.cvtColor(cv2.resize(crop, (n, n), interpolation=cv2.INTER_CUBIC), cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (0, 0), 1.2)
    best: list[tuple[float, float, float]] = []
    for dark in (True, False):
        flat = cv2.morphologyEx(
            grey,
            cv2.MORPH_BLACKHAT if dark else cv2.MORPH_TOPHAT,
            cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (25, 25)),
        )
        level, mask = cv2.threshold(flat, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        if level < 12:
            continue
        marks = _round(np.asarray(mask, np.uint8))
        if len(marks) > len(best):
            best = marks
    if not 1 <= len(best) <= 6:
        return None
    return len(best) if _laid_out(np.array([(x, y) for x, y, _ in best])) else None


def _round(mask: Image) -> list[tuple[float, float, float]]:
    """Centre and radius of the round, nearly equal marks in the middle of the crop."""
    n = mask.shape[0]
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    marks = []
    for outline in outlines:
        area = cv2.contourArea(outline)
        if not 0.0025 * n * n < area < 0.05 * n * n:
            continue
        (x, y), r = cv2.minEnclosingCircle(outline)
        if area / (np.pi * r * r) > 0.62 and max(abs(x - n / 2), abs(y - n / 2)) < 0.40 * n:
            marks.append((float(x), float(y), float(r)))
    if not marks:
        return []
    usual = float(np.median([r for _, _, r in marks]))
    return [m for m in marks if 0.7 * usual <= m[2] <= 1.45 * usual]


def _laid_out(points: NDArray[np.float64]) -> bool:
    """The marks are placed like pips: symmetric about their middle."""
    middle = points.mean(axis=0)
    mirrored = 2 * middle - points
    gaps = np.linalg.norm(points[:, None] - mirrored[None], axis=2).min(axis=1)
    return bool((gaps < 9).all())
