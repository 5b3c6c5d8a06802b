"""Another lamp, the same table: telling light that changed from things that moved.

A lamp switched on at one side brightens half the picture like a hand would darken it. But light changes smoothly over
the whole table and leaves the print where it was; whatever covers something has an edge. So the picture before is lit
anew, by the smooth field that explains most of the change, and only what is still different then has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

COARSE = (64, 36)
"""The field is found on a picture this large: smooth things need no more."""
TERMS = tuple((i, j) for i in range(4) for j in range(4 - i))
"""Powers of x and y: a lamp near the table is no plane, but it is no more than this."""
ROUNDS, OUTLIER = 6, 14.0
"""Times the fit is repeated without what does not follow it, and from how many grey levels on it does not."""
BURNT = 248
CHANGED, TRUST = 16.0, 0.12
"""Grey levels by which a pixel must differ, and the share of the correction that may be wrong."""

DARK = 14
"""Where it is darker than this, print cannot be seen."""
CLEARER, DIM = 2.0, 60
"""By how much brighter a place must be, and how dark it must have been, to be seen for the first time now."""
PRINT = 3.0
"""Grey levels of fine print from which a place can be recognised."""
ALIKE = 0.5
"""Correlation of the print from which it is the same table."""


@lru_cache(maxsize=4)
def _powers(width: int, height: int) -> Floats:
    x, y = np.linspace(-1, 1, width)[None, :], np.linspace(-1, 1, height)[:, None]
    return np.stack([np.broadcast_to(x**i * y**j, (height, width)).ravel() for i, j in TERMS], axis=1)


def field(now: Image, then: Image) -> Floats:
    """By how much the light has changed everywhere: `now` is about `then` times this where nothing moved."""
    new, old = (cv2.resize(picture, COARSE, interpolation=cv2.INTER_AREA).astype(np.float64) for picture in (now, then))
    powers = _powers(*COARSE)
    design = powers * old.reshape(-1, 1)
    fits = ((new < BURNT) & (old < BURNT) & (old > 8)).ravel().astype(np.float64)
    weight = fits.copy()
    factors: Floats = np.zeros(len(TERMS), np.float64)
    for _ in range(ROUNDS):
        weighted = design * weight[:, None]
        normal = weighted.T @ design + 1e-3 * np.eye(len(TERMS))
        factors = np.asarray(np.linalg.solve(normal, weighted.T @ new.ravel()), np.float64)
        away = np.abs(design @ factors - new.ravel())
        weight = fits / (1.0 + (away / OUTLIER) ** 4)
    found = np.clip(powers @ factors, 0.05, 8.0).reshape(COARSE[1], COARSE[0])
    return np.asarray(cv2.resize(found, (now.shape[1], now.shape[0]), interpolation=cv2.INTER_LINEAR), np.float64)


def hidden(now: Image, then: Image) -> NDArray[np.bool_]:
    """Places whose print is gone: something covers it. Light changes how bright a line is, never where it runs."""
    new, old = ((picture - cv2.blur(picture, (9, 9))) for picture in (now.astype(np.float32), then.astype(np.float32)))
    together, alone, before = (cv2.blur(product, (11, 11)) for product in (new * old, new * new, old * old))
    comparable = (before > PRINT**2) & (now < BURNT) & (then < BURNT)
    for picture in (now, then):
        comparable &= cv2.blur(picture, (11, 11)) > DARK
    return np.asarray(comparable & (together < ALIKE * np.sqrt(alone * before)), np.bool_)


@dataclass(frozen=True, slots=True)
class Relit:
    """Two pictures compared as if under one lamp."""

    different: NDArray[np.bool_]
    """What is shown there is not what was."""
    clearer: NDArray[np.bool_]
    """It was too dark or burnt out then, and is not now: what lay there could not be compared."""


def compared(now: Image, then: Image) -> Relit | None:
    """Where two pictures differ in what they show, whatever the lamps did between them.

    `None`: the print of the table is not to be seen any more, so it was not the lamp.
    """
    # the even light explains the uneven one better than the other way round, so both ways are tried
    ways = [_one_way(now, then), _one_way(then, now)]
    found = [(mask, gain) for mask, gain in ways if mask is not None]
    if not found:
        return None
    mask, gain = min(found, key=lambda way: int(way[0].sum()))
    brighter = gain if mask is ways[0][0] else 1.0 / gain
    return Relit(mask, ((then >= BURNT) & (now < BURNT)) | ((brighter > CLEARER) & (then < DIM)))


def _one_way(now: Image, then: Image) -> tuple[NDArray[np.bool_] | None, Floats]:
    gain = field(now, then)
    lit = np.clip(then * gain, 0, 255)
    if _alike(now, lit) < ALIKE:
        return None, gain
    mask = np.abs(now - lit) > CHANGED + TRUST * np.abs(lit - then)
    mask &= (now < BURNT) & (then < BURNT)  # what is burnt out cannot be compared
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(opened, np.uint8) > 0, gain


def _alike(now: Image, lit: Floats) -> float:
    """Correlation of the fine print of two pictures, from -1 to 1; a dark cloth over everything has none."""
    now_fine, lit_fine = (
        (picture - cv2.blur(picture, (9, 9))).ravel() for picture in (now.astype(np.float32), lit.astype(np.float32))
    )
    lengths = float(np.linalg.norm(now_fine) * np.linalg.norm(lit_fine))
    return float(now_fine @ lit_fine) / lengths if lengths > 0 else 0.0
