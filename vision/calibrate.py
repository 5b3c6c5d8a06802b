"""Measuring a table: where the mat lies, what white and each player's dice look like under this lamp."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import msgspec
import numpy as np

from vision import mat as mats
from vision.calibration import Calibration, CalibrationRefused, Corners, Lab, LampSeen, lab_samples, validate
from vision.camera.frame import Image, Text

PX_PER_MM = 4.0
NEAR = 0.03
"""Share of the picture's width by which a finger misses a marker."""
SMALLEST, LARGEST = 9.0, 30.0
"""A die in millimetres, as it looks from above with its sides and its shadow."""
MIRRORED = 40
"""Grey levels by which the paper around a die outshines that of the slots beside it, when the lamp is mirrored there."""
PLAYERS = ("sun", "leaf", "sky", "coral", "snow", "plum")
"""Player colours in the order their dice are laid out: first row from the left, then the second."""


def colour_word(colour: str) -> Text | str:
    """A player colour as a word in the reader's language."""
    return Text(f"vision/colour/{colour}") if colour in PLAYERS else colour


def dice_places(colours: tuple[str, ...], mat: mats.Mat) -> dict[str, str]:
    """Which slot each player's die is laid in: in reading order, one each."""
    return dict(zip(colours, mat.in_reading_order, strict=False))


def measure(
    image: Image,
    *,
    mat: mats.Mat,
    colours: Mapping[str, str],
    corners: Corners | None = None,
    card_mm: tuple[float, float] | None = None,
    die_mm: float | None = None,
    before: Calibration | None = None,
    fresh: bool = False,
    now: float = 0.0,
) -> Calibration:
    """A calibration from one frame; `CalibrationRefused` says what could not be measured.

    `colours` maps player colours to the empty slots one of their dice lies in. What is not given is kept from `before`;
    `fresh` forgets the colours known before. `corners` are the marker centres tapped by hand, for a table without a
    printed mat.
    """
    height, width = image.shape[:2]
    matrix = mats.registered(mats.find(image), mat)
    printed = _marker_centres(matrix, mat) if matrix is not None else None
    tapped = False
    if corners is not None:
        validate(Calibration(corners=corners, size=(width, height)))
        # tapped although the markers can be seen: those are more exact, and can be followed
        tapped = printed is None or float(np.abs(np.array(corners) - np.array(printed)).max()) > NEAR * width
    if tapped and corners is not None:
        matrix = mats.from_corners(corners, mat)
    elif matrix is None or printed is None:
        raise CalibrationRefused("no-mat")
    else:
        corners = printed
    known = before or Calibration(corners=corners, size=(width, height))
    found = msgspec.structs.replace(
        known,
        corners=corners,
        tapped=tapped,
        sites={} if tapped else known.sites,  # they were measured from other corners
        size=(width, height),
        card_mm=card_mm or known.card_mm,
        die_mm=die_mm or known.die_mm,
    )
    return sampled(image, matrix, mat, colours, found, now=now, fresh=fresh)


def sampled(
    image: Image,
    matrix: mats.Matrix,
    mat: mats.Mat,
    colours: Mapping[str, str],
    before: Calibration | None,
    *,
    now: float = 0.0,
    fresh: bool = False,
) -> Calibration:
    """The calibration with these player colours and the lamp measured anew, where the mat is known to lie."""
    height, width = image.shape[:2]
    if before is None:
        before = Calibration(corners=_marker_centres(matrix, mat), size=(width, height))
    samples = {} if fresh else dict(before.colours)
    for colour, slot in colours.items():
        samples[colour] = _die_colour(image, matrix, mat, colour, slot)
    found = msgspec.structs.replace(before, colours=samples, lamp=_lamp(image, matrix, mat), created=now)
    validate(found)
    _apart(samples)
    return found


def _marker_centres(matrix: mats.Matrix, mat: mats.Mat) -> Corners:
    points = cv2.perspectiveTransform(np.array([mat.markers], np.float64), matrix)[0]
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in points)
    return a, b, c, d


def rgb(samples: tuple[Lab, ...]) -> tuple[int, int, int]:
    """A player colour as it was measured, for a swatch on the screen."""
    middle = np.median(np.array(samples, np.float32).reshape(-1, 3), axis=0)
    blue, green, red = cv2.cvtColor(middle.astype(np.uint8).reshape(1, 1, 3), cv2.COLOR_LAB2BGR)[0, 0]
    return int(red), int(green), int(blue)


def _die_colour(image: Image, matrix: mats.Matrix, mat: mats.Mat, colour: str, slot: str) -> tuple[Lab, ...]:
    if slot not in mat.slots:
        raise CalibrationRefused("no-die", slot=slot, colour=colour_word(colour))
    seen = mats.straight(image, matrix, mat.slots[slot], PX_PER_MM)
    if slot in mat.spots:  # a board is printed in every colour: what stands in the middle of the spot is the piece
        middle = seen.shape[0] / 2
        return lab_samples(seen, (middle, middle), 0.4 * middle)
    if mirrored(image, matrix, mat, slot):
        raise CalibrationRefused("mirror", slot=slot, colour=colour_word(colour))
    place = die_in(seen)
    if place is None:
        raise CalibrationRefused("no-die", slot=slot, colour=colour_word(colour))
    x, y, size = place
    return lab_samples(seen, (x, y), 0.3 * size)


def mirrored(image: Image, matrix: mats.Matrix, mat: mats.Mat, slot: str) -> bool:
    """The lamp is mirrored in this slot and not in those around it: a colour learnt there is paler than the die."""

    def paper(name: str) -> float:
        seen = mats.straight(image, matrix, mat.slots[name], 1.0)
        return float(np.percentile(seen.min(axis=2), 75))

    x, y, w, h = mat.slots[slot]
    beside = [
        name
        for name, (left, top, *_) in mat.slots.items()
        if name != slot and name not in mat.spots and abs(left - x) < 1.6 * w and abs(top - y) < 1.6 * h
    ]
    return bool(beside) and paper(slot) - float(np.median([paper(name) for name in beside])) > MIRRORED


def die_in(slot: Image) -> tuple[float, float, float] | None:
    """Centre and size in pixels of the one die in an empty slot's picture."""
    lab = cv2.cvtColor(slot, cv2.COLOR_BGR2LAB).astype(np.float32)
    paper = np.median(lab.reshape(-1, 3), axis=0)
    # a shadow only darkens the paper, so colour counts more than lightness
    away = np.abs(lab - paper) @ np.array((0.5, 1.0, 1.0), np.float32)
    mask = (cv2.GaussianBlur(away, (0, 0), 2) > 11).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((13, 13), np.uint8)).astype(np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(mask)
    middle = np.array((slot.shape[1] / 2, slot.shape[0] / 2))
    best: tuple[float, float, float] | None = None
    nearest = float("inf")
    for number in range(1, count):
        size = float(np.sqrt(stats[number, cv2.CC_STAT_AREA]))
        distance = float(np.linalg.norm(centres[number] - middle))
        if SMALLEST * PX_PER_MM <= size <= LARGEST * PX_PER_MM and distance < nearest:
            nearest = distance
            best = float(centres[number][0]), float(centres[number][1]), size
    return best


def _lamp(image: Image, matrix: mats.Matrix, mat: mats.Mat) -> LampSeen:
    """White paper beside the markers, under this lamp."""
    half = mats.MARKER / 2
    papers = []
    for x, y in mat.markers:
        rim = mats.straight(image, matrix, (x - half, y - half, 2 * half, 2 * half), PX_PER_MM, margin=3.0)
        lab = cv2.cvtColor(rim, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float32)
        papers.append(lab[lab[:, 0] >= np.percentile(lab[:, 0], 75)].mean(axis=0))
    level, _, warmth = np.median(np.array(papers), axis=0)
    return LampSeen(level=round(float(level), 1), warmth=round(float(warmth) - 128.0, 1))


def _apart(samples: Mapping[str, tuple[Lab, ...]]) -> None:
    """Two players whose dice look the same cannot be told apart: better said now than in mid-game."""
    means = {colour: np.mean(np.array(part), axis=0) for colour, part in samples.items()}
    names = sorted(means)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            if float(np.linalg.norm((means[one] - means[other]) * (0.5, 1.0, 1.0))) < 9.0:
                raise CalibrationRefused("alike", one=colour_word(one), other=colour_word(other))
