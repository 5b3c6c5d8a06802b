"""The two shipped networks: one finds dice, one reads a face. Files are checked before they are believed."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader.settings import (
    AROUND,
    CELL,
    CROP,
    FACE_TEMPERATURE,
    FINDER_SAYS,
    FINDER_TEMPERATURE,
    FINDER_WEIGHT,
    OVERLAP,
    UNIT,
)

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

GREY = 114 / 255
"""What lies beyond the edge of a picture."""
MODELS = Path(__file__).parent.parent / "models"


class ModelDamaged(Exception):  # noqa: N818 - said as it is
    """A shipped network is missing or not the one this version was measured with."""


@dataclass(frozen=True, slots=True)
class Found:
    """A die in a picture: its box in pixels, how sure that it is one, and the finder's own idea of the face."""

    x: float
    y: float
    w: float
    h: float
    score: float
    faces: Floats

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width, height."""
        return self.x, self.y, self.w, self.h

    @property
    def middle(self) -> tuple[float, float]:
        """Centre of the box."""
        return self.x + self.w / 2, self.y + self.h / 2


def checked(name: str, folder: Path = MODELS) -> bytes:
    """The bytes of a network, compared with the checksum beside it."""
    try:
        sums = dict(line.split()[::-1] for line in (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines())
        data = (folder / name).read_bytes()
    except (OSError, ValueError) as wrong:
        raise ModelDamaged(f"{name} cannot be read: {wrong}") from wrong
    if hashlib.sha256(data).hexdigest() != sums.get(name):
        raise ModelDamaged(f"{name} is damaged: install tableside again")
    return data


@cache
def _net(name: str, folder: Path) -> cv2.dnn.Net:
    """A network, ready to be asked.

    OpenCV 5 would take its new engine; on networks this small the older one needs a quarter less time. It can be chosen
    for a file only, not for bytes.
    """
    checked(name, folder)
    engine = [cv2.dnn.ENGINE_CLASSIC] if hasattr(cv2.dnn, "ENGINE_CLASSIC") else []
    return cv2.dnn.readNetFromONNX(str(folder / name), *engine)


_folder = [MODELS]


def use(folder: Path = MODELS) -> None:
    """Read with the networks in another folder: for scoring a model that did not see some photos."""
    _folder[0] = folder


@lru_cache(maxsize=4)
def _sheet(height: int, width: int) -> Floats:
    """Where a picture is laid out for the finder; kept, because fresh memory costs more than filling it."""
    return np.full((1, 3, height + -height % 16, width + -width % 16), GREY, np.float32)


def _planes(picture: Image) -> Floats:
    height, width = picture.shape[:2]
    sheet = _sheet(height, width)
    for plane, channel in zip(sheet[0], cv2.split(picture), strict=True):
        np.multiply(channel, np.float32(1 / 255), out=plane[:height, :width])
    net = _net("finder.onnx", _folder[0])
    net.setInput(sheet)
    return np.asarray(net.forward()[0], np.float32)


def find(picture: Image, at_least: float) -> list[Found]:
    """Dice about 24 to 125 pixels large, best first."""
    planes = _planes(picture)
    heat = 1 / (1 + np.exp(-planes[0]))
    peak = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= peak) & (heat >= at_least))
    order = np.argsort(-heat[rows, columns])[:200]
    rows, columns = rows[order], columns[order]
    middle = (np.stack([columns, rows]) + 0.5 + planes[1:3, rows, columns]) * CELL
    size = UNIT * np.exp(np.clip(planes[3:5, rows, columns], -2, 2))
    faces = softmax(planes[5:11, rows, columns].T / FINDER_TEMPERATURE)
    scores = heat[rows, columns]
    boxes = np.concatenate([middle - size / 2, size]).T
    found: list[Found] = []
    fresh, apart = np.ones(len(boxes), np.bool_), overlaps(boxes, boxes) < OVERLAP
    for k, (x, y, w, h) in enumerate(boxes.tolist()):
        if fresh[k]:
            found.append(Found(x, y, w, h, float(scores[k]), faces[k]))
            fresh &= apart[k]
    return found


def overlaps(some: Floats, others: Floats) -> Floats:
    """Of each box with each, the larger of: shared area of the union, and of the smaller one by two thirds."""
    a, b = some[:, None], others[None]
    low, high = np.maximum(a[..., :2], b[..., :2]), np.minimum(a[..., :2] + a[..., 2:], b[..., :2] + b[..., 2:])
    shared = np.prod(np.maximum(high - low, 0), axis=-1)
    mine, theirs = a[..., 2] * a[..., 3], b[..., 2] * b[..., 3]
    share = np.maximum(shared / (mine + theirs - shared), shared / np.minimum(mine, theirs) * (2 / 3))
    return np.asarray(share, np.float32)


def evidence(die: float, score: float) -> float:
    """Log odds that this is a die: what it looks like from near, and what it looked like from afar."""
    near, afar = (min(max(p, 1e-4), 1 - 1e-4) for p in (die, score))
    return math.log(near / (1 - near)) + FINDER_SAYS * math.log(afar / (1 - afar))


def softmax(scores: Floats) -> Floats:
    """Shares that add up to one, along the last axis."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True), np.float32)


def crop(picture: Image, die: Found, wide: float = 1.0, filled: bool = False) -> Image:
    """The square around a die as the face network wants it; `wide` of its usual width.

    `filled` stretches its box to a square: that takes back what a slanted view or a squeezed photo did to its faces.
    """
    (cx, cy), longer = die.middle, max(die.w, die.h)
    across, down = (AROUND * wide * (side if filled else longer) for side in (die.w, die.h))
    x0, y0, n, m = round(cx - across / 2), round(cy - down / 2), max(2, round(across)), max(2, round(down))
    height, width = picture.shape[:2]
    left, top = min(max(x0, 0), width - 1), min(max(y0, 0), height - 1)
    right, bottom = max(left + 1, min(x0 + n, width)), max(top + 1, min(y0 + m, height))
    piece = picture[top:bottom, left:right]
    edges = max(top - y0, 0), max(y0 + m - bottom, 0), max(left - x0, 0), max(x0 + n - right, 0)
    if any(edges):
        piece = np.asarray(cv2.copyMakeBorder(piece, *edges, cv2.BORDER_REPLICATE), np.uint8)
    way = cv2.INTER_AREA if max(n, m) > CROP else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(piece, (CROP, CROP), interpolation=way), np.uint8)


def face_scores(crops: Sequence[Image]) -> Floats:
    """Raw scores of faces 1 to 6 and "no die" for every crop."""
    net = _net("face.onnx", _folder[0])
    scores = np.zeros((len(crops), 7), np.float32)
    for k, piece in enumerate(crops):
        net.setInput(cv2.dnn.blobFromImage(piece, 1 / 255.0))
        scores[k] = net.forward()[0]
    return scores


def pooled(scores: Floats, finder: Floats) -> tuple[Floats, float]:
    """Six face shares from both networks, and the share of "this is a die"."""
    both = softmax(scores / FACE_TEMPERATURE)
    die = 1.0 - float(both[6])
    faces = np.log(both[:6] / max(1e-6, float(both[:6].sum())) + 1e-6) + FINDER_WEIGHT * np.log(finder + 1e-4)
    return softmax(faces), die
