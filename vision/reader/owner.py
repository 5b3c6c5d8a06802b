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
Tone = tuple[float, float, float, float]
"""Lab of a die's body, and the level of the darkest spots around."""

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
    part.ravel()
    for part in np.meshgrid(np.geomspace(0.55, 2.0, 15), (-0.35, -0.25, -0.15, -0.08, 0.0, 0.08, 0.15, 0.25, 0.35))
)
"""How a die may be lit against the one that was taught: by less or more light, which multiplies its colour, and under
a veil of glare, which adds white; below zero when the veil lay on the one that was taught."""
OTHER_LIGHT = 0.2
"""Spread of the logarithm of the light, when nothing else is known of it."""
DARK = 50.0
"""Grey levels the darkest spots of a die's close-up have at most without a veil: pips, print, shadow, or the body's own
darkest channel. Of 291 rendered dice 98 in 100 were darker."""
OTHERWISE_LIT = (np.log(LIGHT) / OTHER_LIGHT) ** 2
"""The more the light differs, the less likely it is."""
SPREAD, UNTAUGHT = (60.0, 10.0, 10.0), (900.0, 160.0, 160.0)
"""Variance of Lab beyond that of the samples, for colours learnt at this table and for the usual ones."""
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


def tone(crop: Image) -> Tone:
    """The colour of the die in a close-up, and how dark its darkest spots are."""
    light, a, b = (float(value) for value in middle(body(crop)))
    blue, green, red = cv2.split(crop[::2, ::2])
    levels = cv2.min(cv2.min(blue, green), red).ravel()
    few = len(levels) // 100
    return light, a, b, float(np.partition(levels, few)[few])


def away(tones: NDArray[np.float64], known: Shades) -> NDArray[np.float64]:
    """How far each of these tones is from every player's under every light and veil, in squares of the player's spread."""
    seen = np.einsum("dk,pkj->dpj", tones[:, :3], known.units)
    return np.asarray(np.square(known.points[None] - seen[:, :, None]).sum(axis=3), np.float64)


def veiled(tones: NDArray[np.float64], taught: float = 0.0) -> NDArray[np.float64]:
    """How unlikely every veil is over each of these dice, when such a one lay over the die that was taught.

    Not very, where even the darkest spots are bright: there the lamp is mirrored.
    """
    own = VEIL - taught
    usual = np.maximum(0.1, (tones[:, 3:] - DARK) / 255)
    return np.asarray(np.square(own / np.where(own > 0, usual, 0.1)), np.float64)


def owners(seen: Sequence[Tone], known: Shades) -> list[tuple[str, float, float]]:
    """The player colour of each die judged alone, its share, and how much the colour speaks for a die: log odds."""
    tones = np.array(seen, np.float64).reshape(-1, 4)
    far = (away(tones, known) + veiled(tones)[:, None] + OTHERWISE_LIT).min(axis=2)
    least = far.min(axis=1).tolist()
    tints = np.interp(least, *TINT).tolist() if known.taught else [0.0] * len(least)
    return [(*chosen(known, mine, near), tint) for mine, near, tint in zip(far, least, tints, strict=True)]


def chosen(known: Shades, far: NDArray[np.float64], least: float) -> tuple[str, float]:
    """The nearest player and its share; `least` is the distance of the nearest when the die is judged alone."""
    best = int(far.argmin())
    share = 1 / float(np.exp((far[best] - far) / 2).sum())
    # a colour far from everything that was taught is nobody's: the share falls with the distance
    return known.names[best], share / (1 + math.exp(min((least - NOBODYS) / 2.0, 50.0)))
