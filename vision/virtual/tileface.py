"""Tiles drawn by the project: a piece of land with roads, fields, houses and a number, different for every name.

Names are `<outline>-<family>-<number>`; tiles of one family share their land and differ in what stands on it.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

SCALE = 4
ACROSS = {"hex": 44.0, "square": 42.0, "round": 46.0}
"""Millimetres from corner to corner, of a side, of the diameter."""
LAND = {
    "wood": (58, 112, 70),
    "corn": (80, 178, 208),
    "rock": (128, 132, 136),
    "clay": (72, 98, 170),
    "sea": (176, 126, 62),
}
"""BGR of the families."""


def _dice(word: str) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big"))


def outline(kind: str) -> NDArray[np.float64]:
    """The corners in millimetres around the middle."""
    across = ACROSS[kind]
    if kind == "square":
        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * across / 2
    steps = np.linspace(0, 2 * np.pi, 6 if kind == "hex" else 40, endpoint=False)
    return np.stack([np.cos(steps), np.sin(steps)], axis=1) * across / 2


@lru_cache(maxsize=128)
def face(tile: str) -> tuple[Picture, Picture]:
    """The front of a tile at 4 pixels per millimetre, and its outline as a mask."""
    kind, family, _ = tile.split("-")
    side = int(ACROSS[kind] * SCALE) + 8
    land, own = _dice(f"{kind}-{family}"), _dice(tile)
    ink = np.array(LAND[family], np.float32)
    rough = cv2.resize(land.normal(0, 1, (6, 6)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
    picture = np.clip(ink * (1 + 0.1 * rough[..., None]), 0, 255).astype(np.uint8)
    _growth(picture, ink, land)
    _road(picture, own)
    _houses(picture, own)
    _number(picture, own)
    mask = np.zeros((side, side), np.uint8)
    corners = np.round((outline(kind) * SCALE + side / 2) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, 4)
    cv2.polylines(picture, [corners], True, (ink * 0.45).tolist(), 5, cv2.LINE_AA, 4)
    return picture, mask


def _growth(picture: Picture, ink: NDArray[np.float32], rng: np.random.Generator) -> None:
    """Trees, ears or waves: the same on the whole family."""
    side = picture.shape[0]
    for _ in range(26):
        x, y = (int(v) for v in rng.uniform(8, side - 8, 2))
        cv2.circle(picture, (x, y), int(rng.integers(3, 7)), (ink * rng.uniform(0.7, 1.25)).clip(0, 255).tolist(), -1)


def _road(picture: Picture, rng: np.random.Generator) -> None:
    side = picture.shape[0]
    middle = np.array([side / 2, side / 2]) + rng.normal(0, 8, 2)
    for turn in rng.uniform(0, 2 * np.pi, int(rng.integers(2, 4))):
        end = middle + side * np.array([np.cos(turn), np.sin(turn)])
        for ink, wide in (((90, 110, 120), 11), ((196, 212, 220), 7)):
            cv2.line(picture, middle.astype(int).tolist(), end.astype(int).tolist(), ink, wide, cv2.LINE_AA)


def _houses(picture: Picture, rng: np.random.Generator) -> None:
    side = picture.shape[0]
    for _ in range(int(rng.integers(3, 6))):
        x, y = (int(v) for v in side / 2 + rng.uniform(-0.3, 0.3, 2) * side)
        wide = int(rng.integers(9, 16))
        wall, roof = rng.uniform(120, 245, 3).tolist(), rng.uniform(20, 180, 3).tolist()
        cv2.rectangle(picture, (x, y), (x + wide, y + wide), wall, -1)
        top = np.array([[x - 3, y], [x + wide + 3, y], [x + wide // 2, y - 10]], np.int32)
        cv2.fillPoly(picture, [top], roof, cv2.LINE_AA)
        cv2.rectangle(picture, (x + 3, y + 4), (x + 6, y + 9), (40, 40, 40), -1)


def _number(picture: Picture, rng: np.random.Generator) -> None:
    side = picture.shape[0]
    x, y = (int(v) for v in side / 2 + rng.uniform(-0.2, 0.2, 2) * side)
    cv2.circle(picture, (x, y), 15, (222, 236, 240), -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), 15, (60, 60, 60), 2, cv2.LINE_AA)
    word = "AEHKMNRTXZ"[int(rng.integers(10))]
    cv2.putText(picture, word, (x - 9, y + 9), cv2.FONT_HERSHEY_DUPLEX, 0.8, (30, 30, 60), 2, cv2.LINE_AA)


def lay(paper: Picture, tile: str, middle: tuple[float, float], angle: float) -> None:
    """Lay a tile on paper of the same scale, its middle at these pixels, with the dark of its cut edge under it."""
    picture, mask = face(tile)
    side = int(1.5 * picture.shape[0])
    x0, y0 = round(middle[0] - side / 2), round(middle[1] - side / 2)
    part = paper[max(0, y0) : y0 + side, max(0, x0) : x0 + side]
    turn = np.asarray(cv2.getRotationMatrix2D((picture.shape[1] / 2, picture.shape[0] / 2), angle, 1.0), np.float64)
    turn[:, 2] += np.array(middle) - (max(0, x0), max(0, y0)) - np.array(picture.shape[1::-1]) / 2
    size = part.shape[1::-1]
    cover = cv2.warpAffine(mask, turn, size)
    shade = cv2.GaussianBlur(cv2.warpAffine(cover, np.array([[1, 0, 3], [0, 1, 3.0]]), size), (0, 0), 2.5)
    part[:] = (part * (1 - 0.45 * (shade[..., None] / np.float32(255)))).astype(np.uint8)
    alpha = cover[..., None] / np.float32(255)
    part[:] = (part * (1 - alpha) + cv2.warpAffine(picture, turn, size, flags=cv2.INTER_AREA) * alpha).astype(np.uint8)
