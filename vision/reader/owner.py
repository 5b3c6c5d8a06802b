"""Whose die is it: player colours as they look under every light of this table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader.colour import body, middle

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

LIGHT, VEIL = (
    part.ravel() for part in np.meshgrid(np.geomspace(0.55, 2.0, 15), (-0.15, -0.08, 0.0, 0.08, 0.15, 0.25, 0.35))
)
"""How a die may be lit against the one that was taught: by less or more light, which multiplies its colour, and under
a veil of glare, which adds white; below zero when the veil lay on the one that was taught."""
UNLIKELY = (np.log(LIGHT) / 0.2) ** 2 + (VEIL / 0.1) ** 2
"""The more the light differs, the less likely it is."""
SPREAD, UNTAUGHT = (60.0, 10.0, 10.0), (900.0, 160.0, 160.0)
"""Variance of Lab besides that of the samples, for colours learnt at this table and for the usual ones."""
NOBODYS = 16.0
"""Distance at which a colour is as likely to be none that was taught: then calibration went wrong, or it is print."""
TINT = (0.8, 2.2, 4.0, 6.5, 10.0, 16.0), (3.0, 1.5, 0.2, -1.0, -2.0, -3.0)
"""Distance from a taught colour, and what it says about being a die in log odds. Counted in 300 rendered markets it says
nearly twice as much (of 5,867 dice 98 % lay within 4, of 9,080 prints 2 %), but a real table has other print and lamps.
"""


@dataclass(frozen=True, slots=True)
class Shades:
    """Every player's colour under every light, as the sensor would clip it."""

    names: tuple[str, ...]
    points: NDArray[np.float64]
    """By player and light, in units of the player's spread."""
    units: NDArray[np.float64]
    """What leads from Lab to these units, by player."""
    taught: bool


def shades(taught: Mapping[str, Sequence[Lab]]) -> Shades:
    """The colours of this table; colours nobody taught are left out when any were."""
    samples = tuple((name, tuple(some)) for name, some in taught.items() if some)
    return _shades(samples or tuple((name, (lab,)) for name, lab in PLAYERS.items()), bool(samples))


@lru_cache(maxsize=16)
def _shades(samples: tuple[tuple[str, tuple[Lab, ...]], ...], taught: bool) -> Shades:
    points, units = [], []
    for _, some in samples:
        lab = np.array(some, np.float64).reshape(-1, 3)
        cov = np.cov(lab.T) if len(lab) > 1 else np.zeros((3, 3))
        unit = np.linalg.cholesky(np.linalg.inv(cov + np.diag(SPREAD if taught else UNTAUGHT)))
        points.append(_lit(lab.mean(axis=0)) @ unit)
        units.append(unit)
    return Shades(tuple(name for name, _ in samples), np.array(points), np.array(units), taught)


def _lit(lab: NDArray[np.float64]) -> NDArray[np.float64]:
    """One colour under every light: a pale die near the lamp turns white where a channel can rise no more."""
    plain = np.array([[lab]], np.float32) * (100 / 255, 1, 1) - (0, 128, 128)
    bgr = cv2.cvtColor(plain.astype(np.float32), cv2.COLOR_LAB2BGR)[0]
    lit = np.clip(bgr * LIGHT[:, None] + VEIL[:, None], 0, 1).astype(np.float32)
    back = cv2.cvtColor(lit[None], cv2.COLOR_BGR2LAB)[0]
    return np.asarray(np.add(back, (0, 128, 128)) * (255 / 100, 1, 1), np.float64)


def owner(crop: Image, known: Shades) -> tuple[str, float, float]:
    """The player colour of a die, its share, and how much the colour speaks for a die: log odds."""
    away = known.points - (middle(body(crop)) @ known.units)[:, None]
    far = (np.square(away).sum(axis=2) + UNLIKELY).min(axis=1)
    best = int(far.argmin())
    share = 1 / float(np.exp((far[best] - far) / 2).sum())
    # a colour far from everything that was taught is nobody's: the share falls with the distance
    share = share / (1 + math.exp(min((far[best] - NOBODYS) / 2.0, 50.0)))
    return known.names[best], share, float(np.interp(far[best], *TINT)) if known.taught else 0.0
