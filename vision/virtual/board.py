"""What is printed around the spots of a board: floating islands with coloured sites, storeys of a building, or a plain grid."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing import BoardSpot, Mat
from vision.virtual.plan import STRIP

Picture = NDArray[np.uint8]

SITES = ((96, 196, 214), (104, 150, 112), (206, 212, 214), (72, 100, 132))
"""Print of the four kinds of sites, BGR: yellow, green, white, brown."""

LEVELS = ((104, 146, 176), (150, 150, 116), (108, 112, 168))
"""Print of the three levels of a wall or a cathedral, BGR, the lowest first."""
STOREYS = ("wall", "cathedral")
"""Groups of spots that are a building seen from its front: rows of cells, each with what it gives printed on it."""


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
        if group[0].id.rpartition("-")[0] in STOREYS:
            _storeys(field, group, rng, per_mm)
            continue
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


def _storeys(field: Picture, group: list[BoardSpot], rng: np.random.Generator, per_mm: int) -> None:
    """Rows of cells on courses of stone, the level's colour on each, and what a cell gives: points, an arrow or windows."""
    rows = sorted({spot.y for spot in group}, reverse=True)
    half = (rows[0] - rows[1]) / 2
    for spot in group:
        level = LEVELS[3 * rows.index(spot.y) // len(rows)]
        ink = np.array(level, np.float32) * rng.uniform(0.94, 1.06)
        x, y = round(spot.x * per_mm), round(spot.y * per_mm)
        reach = round(half * per_mm)
        cell = field[y - reach : y + reach, x - reach : x + reach]
        cell[:] = _mottled(rng, cell.shape[:2], ink, 0.06)
        joint = (ink * 0.72).tolist()
        for course in range(1, 4):
            down = course * cell.shape[0] // 4
            cv2.line(cell, (0, down), (cell.shape[1], down), joint, 1, cv2.LINE_AA)
            across = int(rng.uniform(0.2, 0.8) * cell.shape[1])
            cv2.line(cell, (across, down), (across, down + cell.shape[0] // 4), joint, 1, cv2.LINE_AA)
        _gift(cell, rng)
        cv2.rectangle(cell, (0, 0), (cell.shape[1] - 1, cell.shape[0] - 1), (ink * 0.45).tolist(), 2)


def _gift(cell: Picture, rng: np.random.Generator) -> None:
    """What a cell gives whoever comes there; many give nothing."""
    kind, (high, wide) = int(rng.integers(5)), cell.shape[:2]
    x, y = int(wide * rng.uniform(0.4, 0.6)), int(high * rng.uniform(0.4, 0.6))
    if kind == 0:  # points on a shield
        cv2.circle(cell, (x, y), wide // 5, (60, 170, 210), -1, cv2.LINE_AA)
        cv2.putText(cell, str(rng.integers(1, 9)), (x - 8, y + 8), cv2.FONT_HERSHEY_DUPLEX, 0.8, (30, 30, 30), 2)
    elif kind == 1:
        way = (wide // 4, 0) if rng.random() < 0.5 else (0, -high // 4)
        cv2.arrowedLine(cell, (x - way[0], y - way[1]), (x + way[0], y + way[1]), (40, 40, 150), 4, cv2.LINE_AA, 0, 0.5)
    elif kind == 2:
        for beside in (-wide // 8, wide // 8):
            at = x + beside
            cv2.rectangle(cell, (at - 7, y - 10), (at + 7, y + 10), (206, 202, 198), -1)
            cv2.rectangle(cell, (at - 7, y - 10), (at + 7, y + 10), (70, 70, 70), 2)
