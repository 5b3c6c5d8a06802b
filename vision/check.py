"""The table check: can dice and cards be read here, and if not, what is the one thing to change?

Six questions, each answered between 0 (hopeless) and 1 (good): is the mat in view, is a die large enough, is the camera
straight above, is there enough light and is it even, does a lamp mirror in the cards, is the picture sharp. The score is
that of the worst; its instruction is the one to follow.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.wire.replies import Checked
from vision import mat as mats
from vision.calibration import DIE_MM
from vision.camera.frame import Image, Problem, Text, trouble

DIE_PX = 45.0
"""A die should be this many pixels wide."""
GOOD = 0.75
"""From here on nothing is said."""
WHITE, PAPER = 250, 225
PATCH_MM = 2.0
NO_EDGE = 9.0


def look(image: Image, mat: mats.Mat, matrix: mats.Matrix | None = None, die_mm: float = DIE_MM) -> Checked:
    """Check one frame; with `matrix` (millimetres to pixels) the markers need not be searched."""
    if dark(image):
        return Checked(0.0, {"light": 0.0}, {}, *trouble("check/dark"))
    found: dict[int, NDArray[np.float32]] = {}
    if matrix is None:
        found = mats.find(image)
        matrix = mats.registered(found, mat)
        if matrix is None:
            return Checked(0.0, {"mat": 0.0}, {"markers": len(found)}, *_mat_advice(image, found))
    parts: dict[str, float] = {}
    figures: dict[str, float] = {}
    advice: dict[str, Problem] = {}

    def note(name: str, value: float, figure: dict[str, float], problem: Callable[[], Problem]) -> None:
        parts[name] = round(float(np.clip(value, 0, 1)), 3)
        figures.update({key: round(number, 3) for key, number in figure.items()})
        if parts[name] < GOOD:
            advice[name] = problem()

    outside = _outside(image, matrix, mat)
    note(
        "mat",
        1.0 if outside is None else 0.0,
        {},
        lambda: trouble("check/corner", corner=Text(f"vision/corner/{outside}")),
    )
    die, tilt = _geometry(matrix, mat, die_mm)
    note("resolution", GOOD * die / DIE_PX, {"die_px": die}, lambda: trouble("check/small", px=round(die)))
    note(
        "angle",
        1.0 - max(0.0, tilt - 15.0) / 30.0,
        {"tilt": tilt},
        lambda: trouble("check/slanted", degrees=round(tilt)),
    )
    paper = _paper(image, matrix, mat)
    level, evenness = float(np.median(paper)), float(paper.min() / max(1.0, paper.max()))
    note("light", (level - 30.0) / 70.0, {"paper": level}, lambda: trouble("check/dark"))
    note("even", (evenness - 0.2) / 0.35, {"evenness": evenness}, lambda: trouble("check/uneven"))
    share, slot = _glare(image, matrix, mat)
    note(
        "glare",
        1.0 - share / 0.06,
        {"glare": share},
        lambda: trouble("check/bright") if level >= WHITE else trouble("check/glare", slot=slot),
    )
    blur = _blur(image, matrix, mat)
    note("sharp", 1.0 - (blur - 1.2) / 2.4, {"blur": blur}, lambda: trouble("check/blurred"))
    worst = min(parts, key=lambda name: parts[name])
    if worst == "glare" and "even" in advice:
        worst = "even"  # a lamp at one side burns that side out: moving it helps against both
    return Checked(min(parts.values()), parts, figures, *advice.get(worst, (None, None)))


def dark(image: Image) -> bool:
    """Nothing can be told from anything else."""
    return float(np.percentile(image[::16, ::16], 95)) < 25


def _mat_advice(image: Image, found: dict[int, NDArray[np.float32]]) -> Problem:
    if _edge_blur(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)), 99.9) > 2.6:
        return trouble("check/blurred")
    missing = [number for number in range(4) if number not in found]
    if len(missing) == 1:
        return trouble("check/corner", corner=Text(f"vision/corner/{missing[0]}"))
    return trouble("check/no-mat")


def _at(matrix: mats.Matrix, points: list[tuple[float, float]]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(np.array([points], np.float64), matrix)[0], np.float64)


def _outside(image: Image, matrix: mats.Matrix, mat: mats.Mat) -> int | None:
    """The corner of the slots that lies outside the picture, by the number of its marker."""
    boxes = list(mat.slots.values())
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes)
    height, width = image.shape[:2]
    for number, (x, y) in enumerate(_at(matrix, [(left, top), (right, top), (right, bottom), (left, bottom)])):
        if not (-1 <= x <= width and -1 <= y <= height):
            return number
    return None


def _geometry(matrix: mats.Matrix, mat: mats.Mat, die_mm: float) -> tuple[float, float]:
    """Pixels across a die where it is smallest, and degrees the camera looks from the side."""
    smallest, tilt = float("inf"), 0.0
    for number, (x, y) in enumerate((*mat.markers, (mat.width / 2, mat.height / 2))):
        here = _at(matrix, [(x, y), (x + 1, y), (x, y + 1)])
        stretch = np.linalg.svd(np.stack([here[1] - here[0], here[2] - here[0]]), compute_uv=False)
        smallest = min(smallest, float(stretch[1]))
        if number == 4:
            tilt = float(np.degrees(np.arccos(np.clip(stretch[1] / stretch[0], 0, 1))))
    return smallest * die_mm, tilt


def _paper(image: Image, matrix: mats.Matrix, mat: mats.Mat) -> NDArray[np.float64]:
    """Lightness of the white paper beside each marker."""
    height, width = image.shape[:2]
    found = []
    reach = mats.MARKER / 2 + 2.0
    for x, y in mat.markers:
        best = 0.0
        # a card or a hand may lie on one side; the brightest side is paper
        for px, py in _at(matrix, [(x - reach, y), (x + reach, y), (x, y - reach), (x, y + reach)]):
            x0, y0 = int(px), int(py)
            if 1 <= x0 < width - 1 and 1 <= y0 < height - 1:
                best = max(best, float(np.median(image[y0 - 1 : y0 + 2, x0 - 1 : x0 + 2].max(axis=2))))
        if best > 0:
            found.append(best)
    return np.array(found or [0.0])


def _glare(image: Image, matrix: mats.Matrix, mat: mats.Mat) -> tuple[float, str]:
    """The largest share of a slot that is burnt out to white, and which slot."""
    worst, where = 0.0, next(iter(mat.slots))
    for slot, rect in mat.slots.items():
        seen = mats.straight(image, matrix, rect, PATCH_MM)
        darkest = seen.min(axis=2)
        if float(np.median(darkest)) > PAPER:
            continue  # bare paper may well be white
        burnt = (darkest >= WHITE).astype(np.uint8)
        # single white pixels are print; a lamp's reflection is a patch
        share = float(cv2.erode(burnt, np.ones((5, 5), np.uint8)).mean())
        if share > worst:
            worst, where = share, slot
    return worst, where


def _blur(image: Image, matrix: mats.Matrix, mat: mats.Mat) -> float:
    """Sigma of the blur in pixels, from how fast black turns to white at the markers' rims."""
    found = []
    height, width = image.shape[:2]
    half = mats.MARKER / 2 + 2.5
    for x, y in mat.markers:
        corners = _at(matrix, [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
        (x0, y0), (x1, y1) = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
        window = image[max(0, y0) : min(height, y1), max(0, x0) : min(width, x1)]
        if min(window.shape[:2]) < 12:
            continue
        blur = _edge_blur(np.asarray(cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)), 98.5)
        if blur < NO_EDGE:
            found.append(blur)
    return float(np.median(found)) if found else NO_EDGE


def _edge_blur(grey: NDArray[np.uint8], share: float) -> float:
    """Sigma in pixels that would make the steepest edges (`share` percent are flatter) as soft as they are."""
    contrast = float(np.percentile(grey, 95) - np.percentile(grey, 5))
    light = grey.astype(np.float32)
    slope = np.hypot(cv2.Sobel(light, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(light, cv2.CV_32F, 0, 1) / 8)
    steepest = float(np.percentile(slope, share))
    # an edge blurred by sigma rises by contrast / (sigma * sqrt(2 pi)) per pixel in its middle
    return contrast / (steepest * 2.5066) if contrast > 20 and steepest > 0 else NO_EDGE
