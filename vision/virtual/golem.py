"""One golem die in a picture: six textured faces in true perspective, rounded, pearly, with its shadow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.plan import Matrix, project

Picture = NDArray[np.uint8]
Window = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of the picture."""

SIDE_MM = 15.0
TILE = 96
BODY = {
    "sun": (50, 190, 238),
    "leaf": (80, 150, 60),
    "sky": (232, 190, 120),
    "coral": (70, 88, 225),
    "snow": (222, 228, 232),
    "plum": (120, 48, 104),
}
"""BGR of the player colours."""
PALE_PIPS = ("leaf", "coral", "plum")
SPOTS = {
    1: ((0.5, 0.5),),
    2: ((0.26, 0.26), (0.74, 0.74)),
    3: ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    4: ((0.26, 0.26), (0.26, 0.74), (0.74, 0.26), (0.74, 0.74)),
    5: ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75), (0.5, 0.5)),
    6: ((0.27, 0.24), (0.27, 0.5), (0.27, 0.76), (0.73, 0.24), (0.73, 0.5), (0.73, 0.76)),
}
AROUND = {1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5), 4: (1, 5, 6, 2), 5: (1, 3, 6, 4), 6: (2, 4, 5, 3)}
"""The four faces around each top face, clockwise."""


@dataclass(frozen=True)
class Golem:
    """A die on the table: colour, face on top, place in millimetres, turn in degrees."""

    colour: str
    face: int
    x: float
    y: float
    angle: float
    side: float = SIDE_MM


@lru_cache(maxsize=512)
def tile(colour: str, face: int, grain: int, gloss: int) -> tuple[Picture, Picture]:
    """One face as a flat picture with its cover: pearly swirls, sunk pips with a lit rim, a wandering sheen."""
    rng = np.random.default_rng(grain * 7 + face)
    swirl = cv2.resize(rng.normal(0, 1, (4, 4)).astype(np.float32), (TILE, TILE), interpolation=cv2.INTER_CUBIC)[
        ..., None
    ]
    ink = np.array((232, 236, 238) if colour in PALE_PIPS else (30, 26, 24), np.float32)
    body, rim = _pips(face)
    out = (np.array(BODY[colour], np.float32) * (1 + 0.10 * swirl) + 9 * swirl) * body
    out += ink * (1 - body) + rim + _sheen(gloss)
    return np.clip(out, 0, 255).astype(np.uint8), _cover()


def _grid() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    y, x = np.mgrid[0:TILE, 0:TILE].astype(np.float32) / TILE
    return x, y


@cache
def _pips(face: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where a face shows its body and not a pip, and how the rims of the pips catch the light."""
    x, y = _grid()
    body, rims = np.ones((TILE, TILE, 1), np.float32), np.zeros((TILE, TILE, 1), np.float32)
    radius = 0.125 if face == 1 else 0.096
    for u, v in SPOTS[face]:
        inside = np.clip((radius - np.hypot(x - u, y - v)) * 40 + 0.5, 0, 1)[..., None]
        body *= 1 - inside
        rims += np.clip((y - v) / radius, -1, 1)[..., None] * 24 * inside
    return body, rims


@cache
def _sheen(gloss: int) -> NDArray[np.float32]:
    """A band of light, and a bright spot on two dice of three."""
    x, y = _grid()
    angle = gloss * 0.9
    band = np.exp(-((((x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle)) * 3.2 - 0.9) ** 2))
    spot = np.exp(-(((x - 0.5 - 0.3 * np.cos(angle)) ** 2 + (y - 0.5 - 0.3 * np.sin(angle)) ** 2) * 14))
    return np.asarray((band * 26 + spot * 32 * (gloss % 3))[..., None], np.float32)


@cache
def _cover() -> Picture:
    """The outline of a face with its round corners."""
    x, y = _grid()
    corner = 0.16
    qx, qy = np.maximum(np.abs(x - 0.5) - (0.5 - corner), 0), np.maximum(np.abs(y - 0.5) - (0.5 - corner), 0)
    return np.asarray(np.clip((corner - np.hypot(qx, qy)) * 30, 0, 1) * 255, np.uint8)


def _corners(die: Golem) -> NDArray[np.float64]:
    """Eight corners in space: bottom four, then top four, both in the same order."""
    half, turn = die.side / 2, np.radians(die.angle)
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    flat = square @ spin + (die.x, die.y)
    return np.vstack([np.hstack([flat, np.full((4, 1), z)]) for z in (0.0, die.side)])


def shadow(picture: Picture, camera: Matrix, die: Golem, light: tuple[float, float], depth: float) -> Window | None:
    """Darken the ground behind the die, as seen from the lamp; says where."""
    corners = _corners(die)
    thrown = corners[4:, :2] + np.array(light) * die.side
    ground = np.hstack([np.vstack([corners[:4, :2], thrown]), np.zeros((8, 1))])
    hull = cv2.convexHull(project(camera, ground).astype(np.float32)).reshape(-1, 2)
    area = _window(picture, hull, 14)
    if area is None:
        return None
    x0, y0, x1, y1 = area
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round(hull - (x0, y0)).astype(np.int32), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), 4.0).astype(np.float32) / 255 * depth
    part = picture[y0:y1, x0:x1]
    part[:] = (part * (1 - soft[..., None])).astype(np.uint8)
    return area


def draw(
    picture: Picture, camera: Matrix, die: Golem, eye: NDArray[np.float64], light: tuple[float, float]
) -> Window | None:
    """Lay the die into the picture; says where."""
    corners = _corners(die)
    seen = project(camera, corners)
    hull = cv2.convexHull(seen.astype(np.float32)).reshape(-1, 2)
    area = _window(picture, hull, 3)
    if area is None:
        return None
    x0, y0, x1, y1 = area
    part = picture[y0:y1, x0:x1]
    _core(part, hull - (x0, y0), BODY[die.colour])
    grain = int(die.x * 13 + die.y * 7) % 40
    for quad, value, lit in _faces(die, corners, eye, light):
        art, cover = tile(die.colour, value, grain, int(die.angle / 24) % 15)
        # each face is drawn a little smaller than it is: the rounded edges between show the core
        points = project(camera, quad)
        points = points.mean(axis=0) + (points - points.mean(axis=0)) * 0.97
        source = np.array([[0, 0], [TILE, 0], [TILE, TILE], [0, TILE]], np.float32)
        matrix = cv2.getPerspectiveTransform(source, (points - (x0, y0)).astype(np.float32))
        size = (x1 - x0, y1 - y0)
        body = cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_AREA).astype(np.float32) * lit
        alpha = cv2.warpPerspective(cover, matrix, size, flags=cv2.INTER_LINEAR)[..., None] / np.float32(255)
        part[:] = np.clip(part * (1 - alpha) + np.clip(body, 0, 255) * alpha, 0, 255).astype(np.uint8)
    return area


def _core(part: Picture, hull: NDArray[Any], body: tuple[int, int, int]) -> None:
    """The rounded silhouette in the body's colour."""
    mask: NDArray[Any] = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 255, cv2.LINE_AA)
    n = max(3, int(min(part.shape[:2]) * 0.22) | 1)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (n, n)))
    alpha = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None] / np.float32(255)
    part[:] = (part * (1 - alpha) + np.array(body, np.float32) * 0.86 * alpha).astype(np.uint8)


def _faces(
    die: Golem, corners: NDArray[np.float64], eye: NDArray[np.float64], light: tuple[float, float]
) -> list[tuple[NDArray[np.float64], int, float]]:
    """Faces turned to the camera, sides first: corners, value, brightness."""
    out = []
    for side, value in enumerate(AROUND[die.face]):
        a, b = side, (side + 1) % 4
        quad = np.array([corners[4 + a], corners[4 + b], corners[b], corners[a]])
        normal = corners[a] + corners[b] - corners[(a + 2) % 4] - corners[(b + 2) % 4]
        normal = normal / np.linalg.norm(normal)
        if normal @ (eye - quad.mean(axis=0)) > 0:
            lit = 0.62 - 0.28 * float(normal[:2] @ np.array(light))
            out.append((quad, value, lit))
    out.append((corners[4:], die.face, 1.0))
    return out


def _window(picture: Picture, hull: NDArray[Any], pad: int) -> Window | None:
    x0, y0 = np.floor(hull.min(axis=0)).astype(int) - pad
    x1, y1 = np.ceil(hull.max(axis=0)).astype(int) + pad
    x0, y0 = max(int(x0), 0), max(int(y0), 0)
    x1, y1 = min(int(x1), picture.shape[1]), min(int(y1), picture.shape[0])
    return (x0, y0, x1, y1) if x1 - x0 > 4 and y1 - y0 > 4 else None
