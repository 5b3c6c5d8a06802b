"""Dice in any photo, without mat or calibration."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

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
LOOKS = ((0.9, False), (1.0, True))
"""Width of the further close-ups a doubtful die gets, and whether its box is stretched to a square as in the first one. They are
mirrored and stay upright, as the top of a die seen from the side is above its other faces."""
HOPE = 1.0
"""Log odds by which further close-ups may still make a die of a find."""
BEYOND_DOUBT, SOME, ALIKE = 4.0, 3, 0.2
"""Log odds and number of dice that tell how large dice are in a photo, and how far (as a logarithm) others may be from that."""


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


@dataclass(frozen=True)
class Look:
    """A find that was looked at closely: its box in pixels of the photo, the shares of its faces, and of being a die."""

    die: nets.Found
    faces: nets.Floats
    is_die: float
    piece: Image

    @property
    def odds(self) -> float:
        """Log odds of both networks that it is a die."""
        return nets.evidence(self.is_die, self.die.score)

    @cached_property
    def colour(self) -> str | None:
        """The word for its colour."""
        return named(self.piece)


def read(picture: Image, limits: settings.Photo = settings.PHOTO) -> list[DieRead]:
    """Every die that can be made out, left to right."""
    if min(picture.shape[:2]) < 16 or float(picture[::4, ::4].std()) < 2.0:
        return []  # a sliver, or one colour all over: there is nothing to read
    return made_out(max(picture.shape[:2]), partial(looked, picture, limits=limits), limits)


def made_out(long: int, at: Callable[[int], list[Look]], limits: settings.Photo) -> list[DieRead]:
    """The dice of a photo whose longer side is `long`; `at` looks for them at a size."""
    dice: list[DieRead] = []
    for side in (LONG, *OTHER):
        # where the usual size shows nothing, another one must show it plainly
        dice = judged(at(side), limits, limits.evidence + (limits.elsewhere if side != LONG else 0.0))
        if dice:
            break
    if dice and long > LONG and float(np.median([max(d.w, d.h) for d in dice])) < SMALL * long / LONG:
        nearer = judged(at(OTHER[0]), limits, limits.evidence)
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


def looked(picture: Image, side: int, limits: settings.Photo = settings.PHOTO) -> list[Look]:
    """What may be a die in the photo at this size."""
    small, factor = scaled(picture, side)
    found = [_back(die, factor) for die in nets.find(small, limits.find)]
    crops = [nets.crop(picture, die, filled=True) for die in found]
    looks = []
    for die, piece, first in zip(found, crops, nets.face_scores(crops), strict=True):
        faces, is_die = nets.pooled(first, die.faces)
        hopeful = nets.evidence(is_die, die.score) > limits.evidence - HOPE
        if float(faces.max()) * is_die < limits.again and hopeful:
            faces, is_die = nets.pooled(_again(picture, die, first), die.faces)
        looks.append(Look(die, faces, is_die, piece))
    return looks


def _usual(looks: Sequence[Look]) -> float | None:
    """The middle size of those that are dice beyond doubt, when there are some: dice of one throw are of one size."""
    sizes = [max(look.die.w, look.die.h) for look in looks if look.odds >= BEYOND_DOUBT]
    return float(np.median(sizes)) if len(sizes) >= SOME else None


def judged(looks: Sequence[Look], limits: settings.Photo, least: float) -> list[DieRead]:
    """Those that are dice, with the faces that are sure."""
    dice = []
    usual = _usual(looks)
    for look in looks:
        die, faces = look.die, nets.softmax(np.log(look.faces + 1e-9) / np.float32(limits.temperature))
        best = int(faces.argmax())
        odds = look.odds - limits.odd * max(0.0, abs(math.log(max(die.w, die.h) / usual)) - ALIKE if usual else 0.0)
        share = float(faces[best])
        face = math.log(max(share, 1e-6) / max(1 - share, 1e-6))
        if look.is_die < limits.die or odds < least or odds + face < limits.joint:
            continue
        value = best + 1 if share >= limits.sure else None
        sure = share / (1 + math.exp(-odds))
        dice.append(DieRead(die.x, die.y, die.w, die.h, value, look.colour, sure, tuple(map(float, faces))))
    return dice


def _again(picture: Image, die: nets.Found, first: nets.Floats) -> nets.Floats:
    """The mean of the first scores and those of two further close-ups, mirrored."""
    pieces = [nets.crop(picture, die, wide, filled) for wide, filled in LOOKS]
    scores = nets.face_scores([np.ascontiguousarray(piece[:, ::-1]) for piece in pieces])
    return np.asarray(np.vstack([first[None], scores]).mean(axis=0), np.float32)


def _back(die: nets.Found, factor: float) -> nets.Found:
    return replace(die, x=die.x / factor, y=die.y / factor, w=die.w / factor, h=die.h / factor)
