"""Whose die is it, and what would a person call its colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Lab = tuple[float, float, float]

PLAYERS: dict[str, Lab] = {
    "sun": (196.0, 130.0, 195.0),
    "leaf": (120.0, 88.0, 160.0),
    "sky": (170.0, 118.0, 100.0),
    "coral": (145.0, 182.0, 172.0),
    "snow": (228.0, 128.0, 132.0),
    "plum": (88.0, 162.0, 92.0),
}
"""8-bit Lab of the player colours under neutral light, used until a table is calibrated."""


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


def owner(crop: Image, taught: Mapping[str, Sequence[Lab]]) -> tuple[str, float, dict[str, float]]:
    """The player colour of a die, its share, and all shares.

    `taught` holds this table's samples; colours nobody taught are left out when any were.
    """
    lab = middle(body(crop)).astype(np.float64)
    known = {name: _spread(tuple(samples)) for name, samples in taught.items() if samples}
    if not known:
        known = {name: (np.array(lab0), np.diag((1 / 900.0, 1 / 160.0, 1 / 160.0))) for name, lab0 in PLAYERS.items()}
    away = {}
    for name, (mean, inverse) in known.items():
        d = lab - mean
        away[name] = float(d @ inverse @ d)
    nearest = min(away.values())
    weight = {name: float(np.exp(-(v - nearest) / 2)) for name, v in away.items()}
    total = sum(weight.values())
    # a colour far from everything that was taught is nobody's: the share falls with the distance
    known_at_all = float(1 / (1 + np.exp((nearest - 45.0) / 6.0)))
    shares = {name: known_at_all * w / total for name, w in weight.items()}
    best = max(shares, key=lambda name: shares[name])
    return best, shares[best], shares


@lru_cache(maxsize=16)
def _spread(samples: tuple[Lab, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    lab = np.array(samples, np.float64).reshape(-1, 3)
    cov = np.cov(lab.T) if len(lab) > 1 else np.zeros((3, 3))
    # lightness changes with the place under the lamp far more than hue does
    inverse = np.linalg.inv(cov + np.diag((500.0, 30.0, 30.0)))
    return lab.mean(axis=0), np.asarray(inverse, np.float64)


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
