"""Whose die is it, and what would a person call its colour."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
LIGHT = np.geomspace(0.55, 2.0, 15)
"""How much of the light it was taught in may fall on a die: beside the lamp, under it, in a hand's shadow."""
BRIGHTER = (np.log(LIGHT) / 0.25) ** 2
"""The more the light differs, the less likely."""
SPREAD, UNTAUGHT = (60.0, 10.0, 10.0), (900.0, 160.0, 160.0)
"""Variance of Lab besides that of the samples, for colours learnt at this table and for the usual ones."""
NOBODYS = 80.0
"""Distance at which a colour is as likely to be none that was taught."""
TINT = (0.8, 2.5, 5.0, 8.0, 13.0, 20.0), (3.0, 1.5, 0.2, -1.0, -2.0, -3.0)
"""Distance from a taught colour, and what it says about being a die in log odds. In 300 rendered markets 96 % of 5,867
dice lay within 5 and 95 % of 9,080 prints beyond; counted there it says nearly twice as much, but a real table has other
print and other lamps.
"""


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


@dataclass(frozen=True, slots=True)
class Shades:
    """Every player's colour under less and more light, as the sensor would clip it."""

    names: tuple[str, ...]
    points: NDArray[np.float64]
    """Lab, by player and light."""
    inverses: NDArray[np.float64]
    """How a player's samples spread, inverted."""
    taught: bool


def shades(taught: Mapping[str, Sequence[Lab]]) -> Shades:
    """The colours of this table; colours nobody taught are left out when any were."""
    samples = tuple((name, tuple(some)) for name, some in taught.items() if some)
    return _shades(samples or tuple((name, (lab,)) for name, lab in PLAYERS.items()), bool(samples))


@lru_cache(maxsize=16)
def _shades(samples: tuple[tuple[str, tuple[Lab, ...]], ...], taught: bool) -> Shades:
    points, inverses = [], []
    for _, some in samples:
        lab = np.array(some, np.float64).reshape(-1, 3)
        cov = np.cov(lab.T) if len(lab) > 1 else np.zeros((3, 3))
        points.append(_lit(lab.mean(axis=0)))
        inverses.append(np.linalg.inv(cov + np.diag(SPREAD if taught else UNTAUGHT)))
    return Shades(tuple(name for name, _ in samples), np.array(points), np.array(inverses), taught)


def _lit(lab: NDArray[np.float64]) -> NDArray[np.float64]:
    """One colour under every light: a pale die near the lamp turns white where a channel can rise no more."""
    plain = np.array([[lab]], np.float32) * (100 / 255, 1, 1) - (0, 128, 128)
    bgr = cv2.cvtColor(plain.astype(np.float32), cv2.COLOR_LAB2BGR)[0]
    lit = cv2.cvtColor(np.clip(bgr * LIGHT[:, None], 0, 1).astype(np.float32)[None], cv2.COLOR_BGR2LAB)[0]
    return np.asarray(np.add(lit, (0, 128, 128)) * (255 / 100, 1, 1), np.float64)


def owner(crop: Image, known: Shades) -> tuple[str, float, float]:
    """The player colour of a die, its share, and how much the colour speaks for a die: log odds."""
    away = middle(body(crop)) - known.points
    each = np.einsum("pki,pij,pkj->pk", away, known.inverses, away) + BRIGHTER
    far = each.min(axis=1)
    best = int(far.argmin())
    share = 1 / float(np.exp((far[best] - far) / 2).sum())
    # a colour far from everything that was taught is nobody's: the share falls with the distance
    share = share / (1 + math.exp((far[best] - NOBODYS) / 10.0))
    return known.names[best], share, float(np.interp(far[best], *TINT)) if known.taught else 0.0


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
