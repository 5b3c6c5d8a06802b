"""The mat: where its markers and the areas a game declares lie, and how a picture of it is laid straight.

All lengths are millimetres on the paper, x to the right, y down from the mat's top left corner: the game's own field lies between
two strips that hold the markers.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion import sensing

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Point = tuple[float, float]
Rect = tuple[float, float, float, float]
Corners = tuple[Point, Point, Point, Point]

MARKER = 16.0
ALONE = 4.0
BAND = 20.0
"""Height of the strips above and below the slots that hold the markers."""
FULL_SEARCH = 1280
"""Markers are searched in a picture no wider than this: a 12-megapixel frame costs as much as a small one."""


@dataclass(frozen=True)
class Mat:
    """A game's mat as it is printed."""

    declared: sensing.Mat
    width: float
    height: float
    markers: Corners
    """Centres of markers 0 to 3: top left, top right, bottom right, bottom left."""
    slots: Mapping[str, Rect]
    """x, y, width, height of each area by its name."""
    gap: tuple[float, float]
    """How far beside an area, across and down, what lies there still belongs to it: half the way to its neighbour."""
    loose: frozenset[str]
    """Areas whose dice are nobody's."""
    die_mm: float
    spots: frozenset[str] = frozenset()
    """Places that hold one piece or none."""
    tiles: frozenset[str] = frozenset()
    """Areas for cardboard of any outline, turned by any angle."""
    undiced: frozenset[str] = frozenset()
    """Areas no die lies in."""

    @property
    def in_reading_order(self) -> tuple[str, ...]:
        """The areas row by row, each from the left; then the spots."""
        declared = self.declared
        areas = (area.id for area in declared.in_reading_order())
        return (*areas, *(spot.id for spot in declared.spots_in_order()))


@cache
def of(declared: sensing.Mat) -> Mat:
    """A declared mat with the strips and markers the camera needs."""
    width, height = declared.width, declared.height + 2 * BAND
    side = MARKER / 2 + 4  # white around a marker: a dark table must not touch its rim
    left, right, top, bottom = side, width - side, BAND / 2, height - BAND / 2
    slots = {area.id: (area.x, BAND + area.y, area.width, area.height) for area in declared.areas}
    for spot in declared.spots:
        slots[spot.id] = (spot.x - spot.radius, BAND + spot.y - spot.radius, 2 * spot.radius, 2 * spot.radius)
    return Mat(
        declared,
        width,
        height,
        ((left, top), (right, top), (right, bottom), (left, bottom)),
        slots,
        (_half_gap(declared, across=True), _half_gap(declared, across=False)),
        frozenset(area.id for area in declared.areas if area.loose),
        declared.die_mm,
        frozenset(spot.id for spot in declared.spots),
        frozenset(area.id for area in declared.areas if "tiles" in area.holds),
        frozenset(area.id for area in declared.areas if not any(held.endswith("dice") for held in area.holds)),
    )


def _half_gap(declared: sensing.Mat, *, across: bool) -> float:
    """Half the narrowest way between two neighbours; without neighbours a few millimetres."""
    ends = [(a.x, a.x + a.width) if across else (a.y, a.y + a.height) for a in declared.areas]
    gaps = [start - end for _, end in ends for start, _ in ends if start >= end]
    return min([*gaps, 2 * ALONE]) / 2


def name_of(mat: Mat) -> str:
    """By what a mat is known again: another game's, or the same game's laid out otherwise, has another name."""
    return f"{zlib.crc32(msgspec.json.encode(mat.declared)):08x}"


def with_sites(mat: Mat, sites: Mapping[str, Point]) -> Mat:
    """The mat with some of its spots where the owner's board has them; what is taught where keeps its declared order."""
    known = {spot: place for spot, place in sites.items() if spot in mat.spots and not outside(mat, place, spot)}
    slots = dict(mat.slots)
    for spot, (x, y) in known.items():
        _, _, wide, high = slots[spot]
        slots[spot] = (x - wide / 2, y - high / 2, wide, high)
    return replace(mat, slots=slots) if known else mat


def outside(mat: Mat, place: Point, spot: str) -> bool:
    """A spot with its middle there would not lie in the field between the strips, where the camera looks."""
    radius = mat.slots[spot][2] / 2
    x, y = place
    return not (radius <= x <= mat.width - radius and BAND + radius <= y <= mat.height - BAND - radius)


def zoomed(mat: Mat, zoom: float) -> Mat:
    """The same mat measured in other units: every length times `zoom`."""

    def times(*lengths: float) -> tuple[float, ...]:
        return tuple(zoom * length for length in lengths)

    slots = {slot: times(*rect) for slot, rect in mat.slots.items()}
    a, b, c, d = ((zoom * x, zoom * y) for x, y in mat.markers)
    gap = zoom * mat.gap[0], zoom * mat.gap[1]
    return replace(
        mat,
        width=zoom * mat.width,
        height=zoom * mat.height,
        markers=(a, b, c, d),
        slots=slots,  # type: ignore[arg-type]
        gap=gap,
    )


PLAIN = of(sensing.Mat(200.0, 140.0, (sensing.Area("tray", 2.0, 2.0, 196.0, 136.0, ("loose dice",)),)))
"""A plain surface for dice: what is looked at until a game says otherwise."""


def marker_bits(number: int) -> NDArray[np.bool_]:
    """The marker's squares, 6 x 6 with its black rim; true is black."""
    picture = cv2.aruco.generateImageMarker(_dictionary(), number, 6)
    return np.asarray(picture == 0)


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@lru_cache(maxsize=2)
def _detector(fast: bool) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    if fast:  # a small window around a known marker: one threshold is enough
        settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 23
    return cv2.aruco.ArucoDetector(_dictionary(), settings)


def _found(picture: Image, fast: bool) -> dict[int, NDArray[np.float32]]:
    squares, numbers, _ = _detector(fast).detectMarkers(picture)
    if numbers is None:
        return {}
    seen: dict[int, NDArray[np.float32]] = {}
    for square, number in zip(squares, numbers.ravel(), strict=True):
        if int(number) < 4 and int(number) not in seen:
            seen[int(number)] = np.asarray(square, np.float32).reshape(4, 2)
    return seen


def find(image: Image) -> dict[int, NDArray[np.float32]]:
    """The mat's markers anywhere in the picture: number -> its four corners in pixels."""
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    scale = max(grey.shape) / FULL_SEARCH
    if scale > 1:
        size = (max(1, round(grey.shape[1] / scale)), max(1, round(grey.shape[0] / scale)))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    return {k: square * np.float32(max(scale, 1.0)) for k, square in _found(grey, fast=False).items()}


def follow(image: Image, centres: Corners, reach: float) -> dict[int, NDArray[np.float32]]:
    """The markers near where they were: windows of `reach` pixels each way, a fraction of a full search."""
    seen: dict[int, NDArray[np.float32]] = {}
    height, width = image.shape[:2]
    for number, (x, y) in enumerate(centres):
        x0, y0 = max(0, int(x - reach)), max(0, int(y - reach))
        window = image[y0 : min(height, int(y + reach) + 1), x0 : min(width, int(x + reach) + 1)]
        if min(window.shape[:2]) < 12:
            continue
        grey = window if window.ndim == 2 else np.asarray(cv2.cvtColor(window, cv2.COLOR_BGR2GRAY), np.uint8)
        square = _found(grey, fast=True).get(number)
        if square is not None:
            seen[number] = square + np.array([x0, y0], np.float32)
    return seen


def centres(markers: Mapping[int, NDArray[np.float32]]) -> Corners | None:
    """The four marker centres, or `None` when one is missing."""
    if not all(k in markers for k in range(4)):
        return None
    a, b, c, d = (_centre(markers[k]) for k in range(4))
    return a, b, c, d


def _centre(square: NDArray[np.float32]) -> Point:
    # the diagonals cross in the true centre even when the view is slanted; the mean of the corners does not
    p, r = square[0].astype(np.float64), (square[2] - square[0]).astype(np.float64)
    q, s = square[1].astype(np.float64), (square[3] - square[1]).astype(np.float64)
    cross = r[0] * s[1] - r[1] * s[0]
    if abs(cross) < 1e-9:
        middle = square.mean(axis=0)
        return float(middle[0]), float(middle[1])
    t = ((q[0] - p[0]) * s[1] - (q[1] - p[1]) * s[0]) / cross
    return float(p[0] + t * r[0]), float(p[1] + t * r[1])


def registered(markers: Mapping[int, NDArray[np.float32]], mat: Mat) -> Matrix | None:
    """Millimetres -> pixels, from three or four markers; `None` when the view makes no sense."""
    if len(markers) < 3:
        return None
    half = MARKER / 2
    paper, pixels = [], []
    for number, square in markers.items():
        x, y = mat.markers[number]
        paper += [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        pixels += square.tolist()
    found, _ = cv2.findHomography(np.array(paper), np.array(pixels), cv2.RANSAC, 4.0)
    if found is None:
        return None
    matrix = np.asarray(found, np.float64)
    return matrix if sensible(matrix, mat) else None


def from_corners(corners: Corners, mat: Mat) -> Matrix:
    """Millimetres -> pixels, from the four marker centres (found before, or tapped by hand)."""
    matrix = cv2.getPerspectiveTransform(np.array(mat.markers, np.float32), np.array(corners, np.float32))
    return np.asarray(matrix, np.float64)


def in_picture(matrix: Matrix, place: Point) -> Point:
    """A place on the paper as pixels."""
    x, y = cv2.perspectiveTransform(np.array([[place]], np.float64), matrix)[0, 0]
    return float(x), float(y)


def on_paper(matrix: Matrix, pixel: Point) -> Point:
    """A pixel as millimetres on the paper."""
    return in_picture(np.asarray(np.linalg.inv(matrix), np.float64), pixel)


def sensible(matrix: Matrix, mat: Mat) -> bool:
    """The mat lies in view as a convex shape, not mirrored and not a sliver."""
    edge = np.array([[(0, 0), (mat.width, 0), (mat.width, mat.height), (0, mat.height)]], np.float64)
    depth = edge[0] @ matrix[2, :2] + matrix[2, 2]
    if not np.isfinite(matrix).all() or (depth <= 1e-6).any():
        return False
    shape = cv2.perspectiveTransform(edge, matrix).astype(np.float32)
    return bool(cv2.isContourConvex(shape) and cv2.contourArea(shape, oriented=True) > 40 * 40)


def straight(image: Image, matrix: Matrix, rect: Rect, scale: float, margin: float = 0.0) -> Image:
    """The piece of mat in `rect`, seen from straight above at `scale` pixels per millimetre."""
    x, y, w, h = rect[0] - margin, rect[1] - margin, rect[2] + 2 * margin, rect[3] + 2 * margin
    to_paper = np.array([[1 / scale, 0, x], [0, 1 / scale, y], [0, 0, 1]])
    size = (round(w * scale), round(h * scale))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, matrix @ to_paper, size, flags=flags), np.uint8)
