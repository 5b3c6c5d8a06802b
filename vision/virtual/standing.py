"""A piece that stands on a board: tower, house, cube or disc of painted wood, in true perspective, with its shadow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.plan import Matrix, project

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

PAINT = {
    "sun": (44, 178, 226),
    "leaf": (72, 132, 52),
    "sky": (176, 112, 40),
    "coral": (46, 48, 182),
    "snow": (128, 128, 124),
    "plum": (104, 44, 92),
}
"""BGR of painted wood in the colours of the seats; a box that has grey pieces seats grey where others seat white."""
SIZES = {"tower": (12.5, 27.0), "house": (13.0, 13.0), "cube": (10.0, 10.0), "disc": (15.0, 5.0)}
"""Millimetres across and high."""
TOKENS = {
    "yellow": (70, 190, 226),
    "green": (88, 150, 84),
    "white": (226, 230, 230),
    "brown": (60, 88, 124),
    "letter": (168, 128, 108),
}
"""Cardboard discs that lie on the sites until somebody takes them."""
TOKEN_MM = 9.0
"""Half across."""


@dataclass(frozen=True)
class Standing:
    """A piece: colour, shape, middle of its foot in millimetres on the mat, turn in degrees."""

    colour: str
    shape: str
    x: float
    y: float
    angle: float
    height: float = 0.0

    @classmethod
    def of(cls, said: Mapping[str, Any], middle: tuple[float, float]) -> Standing:
        """From a message: `x` and `y` are millimetres beside the spot's middle."""
        x, y = middle[0] + float(said.get("x", 0.0)), middle[1] + float(said.get("y", 0.0))
        shape = str(said.get("shape", "cube"))
        return cls(str(said["colour"]), shape, x, y, float(said.get("angle", 0.0)), float(said.get("height", 0.0)))

    @property
    def high(self) -> float:
        """Its height."""
        return self.height or SIZES[self.shape][1]

    def foot(self) -> Points:
        """The outline it stands on."""
        wide, turn = SIZES[self.shape][0] / 2, np.radians(self.angle)
        if self.shape == "disc":
            steps = turn + np.linspace(0, 2 * np.pi, 20, endpoint=False)
            return np.stack([self.x + wide * np.cos(steps), self.y + wide * np.sin(steps)], axis=1)
        deep = 0.75 * wide if self.shape == "house" else wide
        square = np.array([[-wide, -deep], [wide, -deep], [wide, deep], [-wide, deep]])
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        return np.asarray(square @ spin + (self.x, self.y), np.float64)


def shadow(picture: Picture, camera: Matrix, piece: Standing, light: tuple[float, float], depth: float) -> None:
    """Darken the ground behind the piece, as seen from the lamp."""
    foot = piece.foot()
    thrown = np.vstack([foot, foot + np.array(light) * piece.high])
    hull = cv2.convexHull(project(camera, _at(thrown, 0.0)).astype(np.float32)).reshape(-1, 2)
    window = _window(picture, hull, 12)
    if window is None:
        return
    part, off = window
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(hull - off).astype(np.int32), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), 3.5).astype(np.float32) / 255 * depth
    part[:] = (part * (1 - soft[..., None])).astype(np.uint8)


def draw(picture: Picture, camera: Matrix, piece: Standing, eye: Points, light: tuple[float, float]) -> None:
    """Lay the piece into the picture: the faces turned away first."""
    faces = _faces(piece)
    corners = project(camera, np.vstack([quad for quad, _ in faces]))
    window = _window(picture, corners, 3)
    if window is None:
        return
    part, off = window
    paint = np.array(PAINT[piece.colour], np.float32)
    grain = np.random.default_rng(int(piece.x * 31 + piece.y * 17) % 1000)
    lamp = np.array([-light[0], -light[1], 1.0])
    lamp = lamp / np.linalg.norm(lamp)
    turned = [(quad, normal) for quad, normal in faces if normal @ (eye - quad.mean(axis=0)) > 0]
    for quad, normal in sorted(turned, key=lambda face: float(face[1][2])):
        lit = 0.42 + 0.62 * max(0.0, float(normal @ lamp))
        _fill(part, project(camera, quad) - off, paint * lit, grain)


def token(picture: Picture, camera: Matrix, kind: str, middle: tuple[float, float]) -> None:
    """A cardboard disc with a sign on it, laid by hand."""
    rng = np.random.default_rng(int(middle[0] * 37 + middle[1] * 11) % 1000)
    at, turn = np.array(middle) + rng.normal(0, 1.0, 2), float(rng.uniform(0, np.pi))
    ink = np.array(TOKENS[kind], np.float32)
    steps = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    round_ = np.stack([np.cos(steps), np.sin(steps)], axis=1)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    sign = (round_ * (3.6, 2.0)) @ spin
    hull = project(camera, _at(at + round_ * (TOKEN_MM + 1), 0.0))
    window = _window(picture, hull, 3)
    if window is None:
        return
    part, off = window
    for shape, z, paint in (
        (round_ * TOKEN_MM + 0.5, 0.0, np.array((40, 44, 44), np.float32)),
        (round_ * TOKEN_MM, 2.0, ink),
        (round_ * 0.82 * TOKEN_MM, 2.0, ink * np.float32(0.8)),
        (round_ * 0.74 * TOKEN_MM, 2.0, ink * np.float32(0.97)),
        (sign, 2.0, ink * np.float32(0.6)),
        (0.55 * sign, 2.0, np.clip(ink * np.float32(1.2), 0, 255)),
    ):
        _fill(part, project(camera, _at(at + shape, z)) - off, np.asarray(paint, np.float32), rng)


def _faces(piece: Standing) -> list[tuple[Points, Points]]:
    """Every face: its corners, and which way it looks."""
    foot, high = piece.foot(), piece.high
    middle = foot.mean(axis=0)
    wall = high * 0.6 if piece.shape == "house" else high
    found = []
    count = len(foot)
    for i in range(count):
        a, b = foot[i], foot[(i + 1) % count]
        out = (a + b) / 2 - middle
        normal = np.array([*(out / np.linalg.norm(out)), 0.0])
        quad = np.array([[*a, 0.0], [*b, 0.0], [*b, wall], [*a, wall]])
        found.append((quad, normal))
    if piece.shape != "house":
        return [*found, (_at(foot, high), np.array([0.0, 0.0, 1.0]))]
    ridge = [(foot[0] + foot[3]) / 2, (foot[1] + foot[2]) / 2]
    for a, b, c, d in ((foot[0], foot[1], ridge[1], ridge[0]), (foot[2], foot[3], ridge[0], ridge[1])):
        roof = np.array([[*a, wall], [*b, wall], [*c, high], [*d, high]])
        normal = np.cross(roof[1] - roof[0], roof[3] - roof[0])
        normal = normal / np.linalg.norm(normal)
        found.append((roof, normal if normal[2] > 0 else -normal))
    return found


def _at(flat: Points, z: float) -> Points:
    return np.hstack([flat, np.full((len(flat), 1), z)])


def _fill(part: Picture, points: Points, ink: NDArray[np.float32], grain: np.random.Generator) -> None:
    cover = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(cover, np.round(points * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    rough = cv2.resize(grain.normal(0, 1, (5, 5)).astype(np.float32), part.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    body = ink * (1 + 0.04 * rough[..., None]) + 3 * rough[..., None]
    alpha = cover[..., None] / np.float32(255)
    part[:] = np.clip(part * (1 - alpha) + body * alpha, 0, 255).astype(np.uint8)


def _window(picture: Picture, points: NDArray[Any], pad: int) -> tuple[Picture, Points] | None:
    """The part of the picture around these points, and its corner."""
    x0, y0 = np.maximum(np.floor(points.min(axis=0)).astype(int) - pad, 0)
    x1, y1 = np.ceil(points.max(axis=0)).astype(int) + pad
    part = picture[y0:y1, x0:x1]
    return (part, np.array([x0, y0], np.float64)) if min(part.shape[:2]) > 4 else None
