"""The colour of a die's body, and what a person would call it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def body(crop: Image) -> NDArray[np.float32]:
    """Lab pixels of a die's body in its crop: without table, pips, glints and shaded sides."""
    n = crop.shape[0]
    inner = crop[n // 4 : n - n // 4, n // 4 : n - n // 4]
    lab = np.asarray(cv2.cvtColor(inner, cv2.COLOR_BGR2LAB), np.float32).reshape(-1, 3)
    # pips, glints and shade are always fewer than body, so the body lies around the median
    away = np.abs(lab - middle(lab)) @ np.array((0.5, 1.0, 1.0), np.float32)
    most = float(np.partition(away, len(away) * 3 // 5)[len(away) * 3 // 5])
    return np.asarray(lab[away <= max(8.0, most)], np.float32)


def middle(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median of every channel: of an even count the upper one, which costs a third of `np.median`."""
    half = len(pixels) // 2
    return np.asarray(np.partition(pixels, half, axis=0)[half], np.float32)


def named(crop: Image) -> str | None:
    """The everyday word for a die's colour; `None` when there is no plain one."""
    pixels = body(crop)
    lab = middle(pixels)
    light, a, b = float(lab[0]) / 2.55, float(lab[1]) - 128, float(lab[2]) - 128
    chroma = float(np.hypot(a, b))
    if light < 30 and chroma < 14:
        return "black"
    if chroma < 22 and light > 58:
        return "white"
    if chroma < 9:
        return "black" if light < 36 else "white" if light > 50 else None
    hue = float(np.degrees(np.arctan2(b, a))) % 360
    if chroma < 12 and light < 45:
        return None
    for word, low, high in (
        ("red", 0, 44),
        ("orange", 44, 71),
        ("yellow", 71, 108),
        ("green", 108, 172),
        ("teal", 172, 228),
        ("blue", 228, 297),
        ("purple", 297, 342),
        ("red", 342, 361),
    ):
        if low <= hue < high:
            return word
    return None
