"""Pieces at spots: is one there, and whose? By what the spot looked like without one, and by the taught colours.

A board is printed in any colour, and tokens lie on it that look like pieces from above. So a spot is compared with itself when
it was bare: a piece hides that look and shows a taught colour instead. Light that came or went, a neighbour's shadow and a
lamp's mirror image change a bare spot too, but they leave its print where it was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import mat as mats
from vision.reader import owner

Floats = NDArray[np.float32]
Lab = tuple[float, float, float]

SCALE = 1.0
"""Pixels per millimetre: a piece is a patch of colour, and finer print than this only flickers."""
INNER = 0.72
"""Share of a spot's radius that is looked at: a piece put down by hand covers most of it."""
UNLIKELY = np.where(owner.VEIL < -0.2, np.inf, (np.log(owner.LIGHT) / 0.4) ** 2 + (owner.VEIL / 0.1) ** 2)
"""As for dice, but a tower shows its shaded side in one place and its top in another, and none is taught far in the glare."""
FAR = 30.0
"""Further than this from a taught colour is no other than further still: glare has no end."""
BURNT = 240
KEPT = 0.06
"""A spot that changes no more than this in its middle is as it was, whatever shadow falls over its rim."""
FLAT = 14.0
"""Grey levels of relief within a spot that flat things have too."""
DARK_MM = 33
"""A dark line is nowhere further away than this."""
PIXELS = 18
"""Pixels of a spot whose colour is asked."""
CELL = 40
"""Millimetres over which the lamp may shine differently from a little further on."""


@dataclass(frozen=True, slots=True)
class Look:
    """One spot in one frame."""

    odds: float
    """Log odds that a piece stands there; 0 while nobody knows how the spot looks without."""
    changed: float
    """Share of it that does not look as it did when it was bare."""
    names: tuple[str, ...]
    far: tuple[float, ...]
    """By taught colour: how far most of the spot is from it, in units of its spread."""


def field(image: mats.Image, matrix: mats.Matrix, mat: mats.Mat) -> Floats:
    """The board from straight above, a pixel a millimetre."""
    rect = (0.0, mats.BAND, mat.width, mat.height - 2 * mats.BAND)
    fine = mats.straight(image, matrix, rect, 2 * SCALE)
    size = round(rect[2] * SCALE), round(rect[3] * SCALE)
    return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)


def lamp(now: Floats, then: Floats) -> Floats:
    """How much brighter every place of the board is lit than it was, by colour: most of the board never changes."""
    height, width = now.shape[:2]
    rows, columns = max(1, round(height / CELL)), max(1, round(width / CELL))
    ratio = (now + 4) / (then + 4)
    coarse = np.empty((rows, columns, 3), np.float32)
    for i, band in enumerate(np.array_split(ratio, rows)):
        for j, cell in enumerate(np.array_split(band, columns, axis=1)):
            coarse[i, j] = np.median(cell.reshape(-1, 3), axis=0)
    smooth = cv2.blur(coarse, (3, 3), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR), np.float32).reshape(
        now.shape
    )


def veils(now: Floats, mat: mats.Mat) -> dict[str, float]:
    """Grey levels of light that lie over each spot and not over the board as a whole: a lamp mirrored there.

    Every print has its dark lines; where even those are bright, something shines on top of them.
    """
    darkest = cv2.erode(cv2.blur(now.min(axis=2), (2, 2)), np.ones((DARK_MM, DARK_MM), np.uint8))
    usual = float(np.median(darkest))
    found = {}
    for spot in mat.spots:
        rows, columns, inside = disc(mat, spot, INNER)
        found[spot] = float(np.median(darkest[rows, columns][inside])) - usual
    return found


def looks(
    now: Floats, bare: Floats | None, mat: mats.Mat, spots: Sequence[str], taught: Mapping[str, Sequence[Lab]]
) -> dict[str, Look]:
    """Every one of these spots, against how it looked without a piece."""
    lit = None if bare is None else (bare + 4) * lamp(now, bare) - 4
    known = owner.shades(taught)
    found = {}
    for spot in spots:
        rows, columns, inside = disc(mat, spot, INNER)
        here = now[rows, columns][inside]
        far = _far(here, known)
        if lit is None:
            found[spot] = Look(0.0, 0.0, known.names, far)
            continue
        changed = _changed(here, lit[rows, columns][inside])
        rows, columns, inside = disc(mat, spot, 1.0)
        odds = _odds(now[rows, columns][inside], lit[rows, columns][inside], changed, min(far))
        found[spot] = Look(odds, changed, known.names, far)
    return found


def disc(mat: mats.Mat, spot: str, share: float) -> tuple[slice, slice, NDArray[np.bool_]]:
    """The pixels of a spot in the field: rows, columns, and which of them."""
    left, top, wide, _ = mat.slots[spot]
    middle, radius = (left + wide / 2, top - mats.BAND + wide / 2), share * wide / 2
    x0, y0 = max(0, int(middle[0] - radius)), max(0, int(middle[1] - radius))
    x1, y1 = int(middle[0] + radius) + 1, int(middle[1] + radius) + 1
    y, x = np.ogrid[y0:y1, x0:x1]
    inside = np.hypot(x + 0.5 - middle[0], y + 0.5 - middle[1]) <= radius
    return slice(y0, y1), slice(x0, x1), inside


def _changed(here: Floats, lit: Floats) -> float:
    """Share of a spot that shows something else than it did, under whatever shadow or glare lies on all of it."""
    shade = float(np.clip(np.median(here.sum(axis=1) / np.maximum(lit.sum(axis=1), 8)), 0.6, 1.05))
    expected = lit * shade
    veil = float(np.clip(np.median(here - expected), -90, 60))
    away = np.abs(here - expected - veil).max(axis=1)
    return float((away > 14 + 0.12 * expected.max(axis=1)).mean())


def _far(here: Floats, known: owner.Shades) -> tuple[float, ...]:
    """How far most of a spot is from each taught colour: the middle of a few of its pixels, in the likeliest light for each."""
    lab = np.asarray(cv2.cvtColor(here[None] / np.float32(255), cv2.COLOR_BGR2LAB)[0], np.float64)
    some = lab[:: max(1, len(lab) // PIXELS)] * (255 / 100, 1, 1) + (0, 128, 128)
    seen = np.einsum("pk,ckj->cpj", some, known.units)
    away = np.square(known.points[:, None, ::2] - seen[:, :, None]).sum(axis=3) + UNLIKELY[::2]
    return tuple(float(value) for value in np.median(away.min(axis=2), axis=1))


def _odds(here: Floats, lit: Floats, changed: float, far: float) -> float:
    """Log odds of a piece: how much of the print is gone, how little of it is left in its place, how near a taught colour is.

    The weights are a logistic regression over 6,000 spots of 20 rendered boards and as many grids, under lamps that changed.
    """
    new, old = here - here.mean(axis=0), lit - lit.mean(axis=0)
    sharp, was = float(np.sqrt(np.square(new).sum(axis=1).mean())), float(np.sqrt(np.square(old).sum(axis=1).mean()))
    alike = float((new * old).sum(axis=1).mean()) / max(sharp * was, 1e-6)
    gain = min(max(alike * sharp / max(was, 1e-6), 0.5), 1.6)  # print fades under a lamp's mirror image, and comes back
    rest = math.sqrt(max(0.0, sharp * sharp + gain * gain * was * was - 2 * gain * alike * sharp * was))
    shade = float(np.median(here.sum(axis=1) / np.maximum(lit.sum(axis=1), 8)))
    odds = 2.54 * changed + 3.21 * (1 - alike) * was / (was + 8) + 5.49 * math.log(rest / (12 + 0.3 * was) + 0.05)
    odds += 1.1 * abs(math.log(max(shade, 0.05))) - 0.309 * min(far, FAR) - 0.18
    odds = 2 * (odds - 0.55)  # the middle between the two kinds, and as steep as the room between them
    odds = min(odds, 60 * (changed - KEPT))
    odds *= 1 - float((here.min(axis=1) > BURNT).mean())  # a lamp's mirror image shows nothing of what is under it
    # something flat that came or went, a token for one, shows no sides and no edge of its own
    return min(odds, 0.75 * (sharp - FLAT)) if changed > 0.5 else odds
