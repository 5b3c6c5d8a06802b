"""What is printed around the spots of a board: floating islands with coloured sites, or a plain grid."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing import BoardSpot, Mat
from vision.virtual.plan import STRIP

Picture = NDArray[np.uint8]

SITES = ((96, 196, 214), (104, 150, 112), (206, 212, 214), (72, 100, 132))
"""Print of the four kinds of sites, BGR: yellow, green, white, brown."""


def islands(mat: Mat) -> list[list[BoardSpot]]:
    """Spots that lie together: `nw-3` and `nw-4` are on one island."""
    found: dict[str, list[BoardSpot]] = {}
    for spot in mat.spots:
        found.setdefault(spot.id.rpartition("-")[0], []).append(spot)
    return list(found.values())


def _away(one: BoardSpot, other: BoardSpot) -> float:
    return float(np.hypot(one.x - other.x, one.y - other.y))


def _pitch(mat: Mat) -> float:
    first = mat.spots[0]
    return min((_away(first, other) for other in mat.spots[1:]), default=4 * first.radius)


def paint(paper: Picture, mat: Mat, seed: int, per_mm: int) -> None:
    """Print the board onto the mat's field."""
    rng = np.random.default_rng(seed + 77)
    groups = islands(mat)
    sky = np.array((214, 190, 150) if len(groups) > 1 else (190, 206, 214), np.float32)
    field = paper[int(STRIP * per_mm) : int((STRIP + mat.height) * per_mm)]
    field[:] = _mottled(rng, field.shape[:2], sky, 0.05)
    for group in groups:
        if len(groups) > 1:
            _island(field, group, _pitch(mat), rng, per_mm)
        for spot in group:
            _site(field, spot, _pitch(mat), rng, per_mm, plain=len(groups) == 1)


def _mottled(rng: np.random.Generator, size: tuple[int, int], ink: NDArray[np.float32], how: float) -> Picture:
    rough = cv2.resize(rng.normal(0, 1, (40, 40)).astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
    return np.clip(ink * (1 + how * rough[..., None]), 0, 255).astype(np.uint8)


def _island(field: Picture, group: list[BoardSpot], pitch: float, rng: np.random.Generator, per_mm: int) -> None:
    """Rock under the sites, with a ragged rim."""
    mask = np.zeros(field.shape[:2], np.uint8)
    for spot in group:
        radius = pitch * rng.uniform(0.62, 0.72) * per_mm
        cv2.circle(mask, (round(spot.x * per_mm), round(spot.y * per_mm)), int(radius), 255, -1, cv2.LINE_AA)
    rock = _mottled(rng, field.shape[:2], np.array((84, 122, 120), np.float32), 0.1)
    alpha = mask[..., None] / np.float32(255)
    field[:] = (field * (1 - alpha) + rock * alpha).astype(np.uint8)


def _site(field: Picture, spot: BoardSpot, pitch: float, rng: np.random.Generator, per_mm: int, *, plain: bool) -> None:
    """One neighbourhood: a ragged patch of its colour with roofs or bushes in it; on a plain board a square."""
    middle = np.array([spot.x, spot.y])
    if plain:
        half = 0.46 * pitch
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    else:
        steps = np.linspace(0, 2 * np.pi, 7, endpoint=False) + rng.uniform(0, 1)
        corners = np.stack([np.cos(steps), np.sin(steps)], axis=1) * 0.5 * pitch * rng.uniform(0.88, 1.04, (7, 1))
    outline = np.round((middle + corners) * per_mm).astype(np.int32)
    ink = np.array((172, 186, 192) if plain else SITES[int(rng.integers(4))], np.float32) * rng.uniform(0.92, 1.06)
    cv2.fillConvexPoly(field, outline, ink.tolist(), cv2.LINE_AA)
    for _ in range(0 if plain else 14):
        x, y = np.round((middle + rng.normal(0, 0.22 * pitch, 2)) * per_mm).astype(int)
        shade = np.clip(ink * rng.uniform(0.7, 1.2), 0, 255).tolist()
        cv2.rectangle(field, (x, y), (x + int(rng.integers(4, 14)), y + int(rng.integers(4, 12))), shade, -1)
    cv2.polylines(field, [outline], True, (ink * 0.55).tolist(), 2, cv2.LINE_AA)
