"""A hand over the table: sleeve, back of the hand and fingers, higher than the dice and out of focus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.plan import Matrix, project

SKIN = (128, 158, 204)
SLEEVE = (92, 70, 58)


def reach(
    picture: NDArray[np.uint8], camera: Matrix, hand: Mapping[str, Any], mat: tuple[float, float]
) -> tuple[int, int, int, int]:
    """A hand with its finger tips at (x, y), shares of the mat's width and height, coming from the near edge.

    Says which part of the picture it changed: left, top, right, bottom."""
    tip = np.array([float(hand.get("x", 0.5)) * mat[0], float(hand.get("y", 0.5)) * mat[1]])
    elbow = np.array([mat[0] * 0.5 + (tip[0] - mat[0] * 0.5) * 0.6, mat[1] + 260.0])
    away = elbow - tip
    away = away / np.linalg.norm(away)
    beside = np.array([-away[1], away[0]])
    layer, cover = picture.copy(), np.zeros(picture.shape[:2], np.uint8)
    palm = tip + away * 85

    def spot(at: NDArray[np.float64], z: float = 55.0) -> tuple[int, int]:
        p = project(camera, np.array([[at[0], at[1], z]]))[0]
        return int(np.clip(p[0], -4000, 9000)), int(np.clip(p[1], -4000, 9000))

    scale = float(np.linalg.norm(np.array(spot(palm)) - np.array(spot(palm + beside * 50)))) / 50
    for target, ink in ((cover, 255), (layer, SKIN)):
        for spread, length in ((-27, 24), (-9, 4), (9, 0), (27, 8), (44, 44)):
            start, end = spot(palm + beside * spread * 0.8), spot(tip + away * length + beside * spread)
            cv2.line(target, start, end, ink, max(2, int(17 * scale)), cv2.LINE_AA)
        cv2.circle(target, spot(palm), max(2, int(42 * scale)), ink, -1, cv2.LINE_AA)
    for target, ink in ((cover, 255), (layer, SLEEVE)):
        cv2.line(target, spot(palm + away * 60), spot(elbow), ink, max(2, int(80 * scale)), cv2.LINE_AA)
    around = _around(cover)
    (y0, y1), (x0, x1) = around
    part = slice(y0, y1), slice(x0, x1)
    cover, layer, under = cover[part], layer[part], picture[part]
    dark = cv2.blur(cv2.warpAffine(cover, np.array([[1, 0, 18], [0, 1, 18.0]]), cover.shape[::-1]), (41, 41))
    shade = 1 - dark[..., None] / np.float32(255) * 0.45
    alpha = cv2.GaussianBlur(cover, (0, 0), 2.0)[..., None] / np.float32(255)
    under[:] = np.clip(under * shade * (1 - alpha) + layer * alpha, 0, 255).astype(np.uint8)
    return x0, y0, x1, y1


def _around(cover: NDArray[np.uint8]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The rows and columns a hand and its shadow change: blending the rest would be wasted."""
    x, y, w, h = cv2.boundingRect(cover)
    far = 18 + 41
    high, wide = cover.shape
    return (max(0, y - far), min(high, y + h + far)), (max(0, x - far), min(wide, x + w + far))
