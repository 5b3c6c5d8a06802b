"""The virtual table's own plan of mat and camera, in millimetres: drawn from what the game declares, not from the reader."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing import Mat

Matrix = NDArray[np.float64]

STRIP = 20.0
MARKER = 16.0


def size(mat: Mat) -> tuple[float, float]:
    """Width and height of the printed mat."""
    return mat.width, mat.height + 2 * STRIP


def area_of(mat: Mat, slot: str) -> tuple[float, float, float, float]:
    """Where an area lies: left, top, width, height."""
    area = next(one for one in mat.areas if one.id == slot)
    return area.x, STRIP + area.y, area.width, area.height


def marker_centres(mat: Mat) -> list[tuple[float, float]]:
    """Markers 0 to 3, clockwise from the top left."""
    width, height = size(mat)
    side, strip = MARKER / 2 + 4, STRIP / 2
    return [(side, strip), (width - side, strip), (width - side, height - strip), (side, height - strip)]


@dataclass(frozen=True)
class Lens:
    """A pinhole camera above the table."""

    width: int = 1920
    height: int = 1080
    tilt: float = 4.0
    """Degrees off the vertical."""
    lean: float = 30.0
    """Direction of the tilt, degrees."""
    roll: float = 1.5
    room: float = 1.1
    """How much more than the mat is in view."""
    shift: tuple[float, float] = (0.0, 0.0)
    """A nudged camera: millimetres on the table."""
    bend: float = -0.02
    """Radial distortion at the picture's corner."""

    def projection(self, mat: Mat) -> Matrix:
        """3 x 4 matrix from millimetres (x, y on the mat, z up) to pixels."""
        wide, high = size(mat)
        sideways = (high > wide) == (self.width > self.height)
        across, down = (high, wide) if sideways else (wide, high)
        away = 700.0
        focal = away * min(self.width / (across * self.room), self.height / (down * self.room))
        turn = np.radians(self.roll + (90.0 if sideways else 0.0))
        tilt, lean = np.radians(self.tilt), np.radians(self.lean)
        middle = np.array([wide / 2 + self.shift[0], high / 2 + self.shift[1], 0.0])
        axis = np.array([np.sin(tilt) * np.cos(lean), np.sin(tilt) * np.sin(lean), np.cos(tilt)])
        eye = middle + away * axis
        right = np.array([np.cos(turn), np.sin(turn), 0.0])
        right -= axis * (right @ axis)
        right /= np.linalg.norm(right)
        down_axis = np.cross(axis, right)
        down_axis = down_axis if down_axis @ np.array([-np.sin(turn), np.cos(turn), 0]) > 0 else -down_axis
        rotation = np.stack([right, down_axis, -axis])
        inner = np.array([[focal, 0, self.width / 2], [0, focal, self.height / 2], [0, 0, 1.0]])
        return np.asarray(inner @ np.hstack([rotation, (-rotation @ eye)[:, None]]), np.float64)


def project(matrix: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels of points in space."""
    flat = np.hstack([points, np.ones((len(points), 1))]) @ matrix.T
    return np.asarray(flat[:, :2] / flat[:, 2:], np.float64)


def bend_maps(lens: Lens) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Where each pixel of the bent picture comes from in the straight one."""
    half = np.hypot(lens.width, lens.height) / 2
    # the bend is so smooth that every sixteenth pixel tells it
    y, x = np.mgrid[0 : lens.height : 16, 0 : lens.width : 16].astype(np.float32)
    dx, dy = (x - lens.width / 2) / half, (y - lens.height / 2) / half
    stretch = 1 + lens.bend * (dx * dx + dy * dy)
    away = np.dstack([dx * (stretch - 1) * half, dy * (stretch - 1) * half]).astype(np.float32)
    # cell centres of the coarse field lie 7.5 pixels off its samples; a bend of a few pixels does not show it
    full = np.array(cv2.resize(away, (lens.width, lens.height), interpolation=cv2.INTER_LINEAR), np.float32)
    full[..., 0] += np.arange(lens.width, dtype=np.float32)[None]
    full[..., 1] += np.arange(lens.height, dtype=np.float32)[:, None]
    whole, part = cv2.convertMaps(full[..., 0].copy(), full[..., 1].copy(), cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(part, np.uint16)
