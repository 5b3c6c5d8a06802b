"""Dice in any photo, without mat or calibration."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import nets, settings
from vision.reader.colour import named

Image = NDArray[np.uint8]

LONG = 640
"""Pixels of the longer side at which dice of an ordinary photo have the size the finder knows."""
OTHER = (1152, 352)
"""Tried when nothing was found: dice far away, then dice very near."""
SMALL = 27.0
"""Dice smaller than this at the first size are looked at again in a larger picture, when there is one."""
LOOKS = ((0.88, 1), (1.06, 2))
"""Width and quarter turns of the further close-ups a doubtful die gets."""


@dataclass(frozen=True, slots=True)
class DieRead:
    """A die in pixels of the photo; `value` is `None` when the reader is not sure enough to say it."""

    x: float
    y: float
    w: float
    h: float
    value: int | None
    colour: str | None
    confidence: float
    faces: tuple[float, ...]

    def document(self) -> dict[str, float | int | str | None]:
        """As `tableside read --json` prints it."""
        return {
            "x": round(self.x, 1),
            "y": round(self.y, 1),
            "w": round(self.w, 1),
            "h": round(self.h, 1),
            "value": self.value,
            "colour": self.colour,
            "confidence": round(self.confidence, 4),
        }


def read(picture: Image) -> list[DieRead]:
    """Every die that can be made out, left to right."""
    if min(picture.shape[:2]) < 16 or float(picture[::4, ::4].std()) < 2.0:
        return []  # a sliver, or one colour all over: there is nothing to read
    dice: list[DieRead] = []
    for side in (LONG, *OTHER):
        # where the usual size shows nothing, another one must show it plainly
        dice = _read_at(picture, side, settings.PHOTO_EVIDENCE + (settings.PHOTO_ELSEWHERE if side != LONG else 0.0))
        if dice:
            break
    long = max(picture.shape[:2])
    if dice and long > LONG and float(np.median([max(d.w, d.h) for d in dice])) < SMALL * long / LONG:
        nearer = _read_at(picture, OTHER[0], settings.PHOTO_EVIDENCE)
        dice = nearer if len(nearer) >= len(dice) else dice
    return sorted(dice, key=lambda d: (d.x, d.y))


def scaled(picture: Image, side: int) -> tuple[Image, float]:
    """The photo with its longer side at `side` pixels, and the factor; never enlarged more than twice."""
    factor = min(side / max(picture.shape[:2]), 2.0)
    size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
    if min(size) < 16:
        factor = 16 / min(picture.shape[:2])
        size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8), factor


def _read_at(picture: Image, side: int, least: float) -> list[DieRead]:
    small, factor = scaled(picture, side)
    found = [_back(die, factor) for die in nets.find(small, settings.PHOTO_FIND)]
    crops = [nets.crop(picture, die) for die in found]
    dice = []
    for die, piece, first in zip(found, crops, nets.face_scores(crops), strict=True):
        faces, is_die = nets.pooled(first, die.faces)
        if float(faces.max()) * is_die < settings.PHOTO_AGAIN and is_die > settings.PHOTO_DIE / 2:
            faces, is_die = nets.pooled(_again(picture, die, first), die.faces)
        best, odds = int(faces.argmax()), nets.evidence(is_die, die.score)
        if is_die < settings.PHOTO_DIE or odds < least:
            continue
        plain = die.score >= settings.PHOTO_PLAIN and is_die >= settings.PHOTO_REAL
        if float(faces[best]) < settings.PHOTO_FACE and not plain:
            continue
        value = best + 1 if float(faces[best]) >= settings.PHOTO_SURE else None
        sure = float(faces[best]) / (1 + float(np.exp(-odds)))
        dice.append(DieRead(die.x, die.y, die.w, die.h, value, named(piece), sure, tuple(map(float, faces))))
    return dice


def _again(picture: Image, die: nets.Found, first: nets.Floats) -> nets.Floats:
    """The mean of the first scores and those of two further close-ups, cut and turned differently."""
    crops = [np.ascontiguousarray(np.rot90(nets.crop(picture, die, wide), turns)) for wide, turns in LOOKS]
    return np.asarray(np.vstack([first[None], nets.face_scores(crops)]).mean(axis=0), np.float32)


def _back(die: nets.Found, factor: float) -> nets.Found:
    return replace(die, x=die.x / factor, y=die.y / factor, w=die.w / factor, h=die.h / factor)
