"""Features (ORB) of cards: which taught cards share any with a picture, and where such a card would have to lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Image
from vision.cards.prints import Floats

FEATURES_TAUGHT, FEATURES_SEEN = 500, 600
MIN_MATCHES, FEW_MATCHES = 8, 5
"""Matches that tell where a card lies, and a tile, which can only be turned and shifted."""
FAR = 64
"""Bits of 256 in which two features of the same print may differ."""
NEAR = 16.0
"""Pixels by which a card a little askew moves its features apart."""
OTHER_SIZE = 0.08
"""Share by which a tile may seem larger or smaller than it was taught: more is another one."""
TABLES, BITS, CROWD = 20, 20, 40


@dataclass(frozen=True, slots=True)
class Pose:
    """A taught card, and how the picture is warped to lie on it."""

    card: int
    to_card: NDArray[np.float64]


def orb(count: int) -> cv2.ORB:
    """Finds this many features at the most."""
    return cv2.ORB.create(nfeatures=count, scaleFactor=1.25, nlevels=5, edgeThreshold=12, patchSize=25, fastThreshold=6)


def grey_of(picture: Image) -> Image:
    """The picture without its colours: features need none."""
    return picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # type: ignore[return-value]


def features_of(finder: cv2.ORB, grey: Image, where: Image | None = None) -> tuple[Floats, NDArray[np.uint8]]:
    """Where the features are (x, y, angle), and what each looks like; only `where` this mask is set."""
    keypoints, descriptors = finder.detectAndCompute(grey, where)
    if descriptors is None or not keypoints:
        return np.zeros((0, 3), np.float32), np.zeros((0, 32), np.uint8)
    return np.array([(*point.pt, point.angle) for point in keypoints], np.float32), descriptors  # type: ignore[return-value]


class Tables:
    """Which cards share features with a picture, by hashing some bits of each: 30 times faster than comparing all."""

    def __init__(self, descriptors: NDArray[np.uint8], owner: NDArray[np.intp], cards: int) -> None:
        rng = np.random.default_rng(0)  # always the same bits: the same picture is always read the same way
        self._picked = np.stack([rng.choice(256, BITS, replace=False) for _ in range(TABLES)])
        self._cards = cards
        self._tables = []
        for key in self._keys(descriptors):
            order = np.argsort(key, kind="stable")
            self._tables.append((key[order], owner[order]))

    def _keys(self, descriptors: NDArray[np.uint8]) -> Iterable[NDArray[np.int64]]:
        bits = np.unpackbits(descriptors, axis=1)
        weights = (1 << np.arange(BITS)).astype(np.float64)
        for picked in self._picked:
            yield (bits[:, picked] @ weights).astype(np.int64)

    def votes(self, descriptors: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Per card how many features fall together; what many cards share counts little."""
        votes = np.zeros(self._cards)
        for key, (keys, owner) in zip(self._keys(descriptors), self._tables, strict=True):
            first, last = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
            hit = (last > first) & (last - first <= CROWD)
            count, start = (last - first)[hit], first[hit]
            places = np.repeat(start - np.cumsum(count) + count, count) + np.arange(count.sum())
            votes += np.bincount(owner[places], np.repeat(1.0 / count, count), self._cards)
        return votes


def agreed_on(seen: Floats, taught: Floats) -> NDArray[np.bool_]:
    """The matches that tell of one turn and one shift of the card, most of the false ones left out."""
    turn = np.deg2rad(taught[:, 2] - seen[:, 2])
    around = np.exp(1j * turn)
    bins = np.bincount(np.floor(turn / (2 * np.pi) * 36).astype(int) % 36, minlength=36)
    peak = int((bins + np.roll(bins, 1) + np.roll(bins, -1)).argmax())
    likely = np.exp(2j * np.pi * (peak + 0.5) / 36)
    close = np.abs(np.angle(around / likely)) < np.deg2rad(20)
    likely = around[close].sum()
    likely /= max(abs(likely), 1e-9)
    shift = (taught[:, 0] + 1j * taught[:, 1]) - likely * (seen[:, 0] + 1j * seen[:, 1])
    place = shift[close]
    # the place where most shifts fall together: each is asked how many others are near it
    crowd = (np.abs(place[:, None] - place[None, :]) < NEAR).sum(axis=1)
    middle = place[int(crowd.argmax())] if len(place) else 0j
    result: NDArray[np.bool_] = close & (np.abs(shift - middle) < 1.5 * NEAR)
    return result


def corners_of(to_card: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    """Where the corners of a card of this size are in the picture, top left of the print first."""
    width, height = size
    card = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float32)
    corners: Floats = cv2.perspectiveTransform(card, np.linalg.inv(to_card))[0]
    return corners


def verified(card: int, seen: Floats, taught: Floats, size: tuple[int, int]) -> Pose | None:
    """A homography that most matches follow and that a card of this size on a table can have."""
    if len(seen) < MIN_MATCHES:
        return None
    matrix, mask = cv2.findHomography(seen, taught, cv2.USAC_MAGSAC, 4.0, maxIters=400, confidence=0.995)
    if matrix is None or mask is None or int(mask.sum()) < MIN_MATCHES:
        return None
    pose = Pose(card, np.asarray(matrix, np.float64))
    try:
        corners = corners_of(pose.to_card, size)
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(corners).all() or not cv2.isContourConvex(corners.reshape(-1, 1, 2)):
        return None
    area = float(cv2.contourArea(corners, oriented=True)) / (size[0] * size[1])
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) / (*size, *size)
    if not 0.4 < area < 2.2 or sides.min() < 0.6 or sides.max() > 1.6:
        return None
    return pose


def turned(card: int, seen: Floats, taught: Floats) -> Pose | None:
    """A turn and a shift that most matches follow: a tile lies flat, and its size is known."""
    if len(seen) < FEW_MATCHES:
        return None
    matrix, mask = cv2.estimateAffinePartial2D(seen, taught, method=cv2.RANSAC, ransacReprojThreshold=3.0, maxIters=400)
    if matrix is None or int(mask.sum()) < FEW_MATCHES:
        return None
    size = float(np.hypot(*matrix[0, :2]))
    if abs(size - 1) > OTHER_SIZE:
        return None
    # neither larger nor smaller: a tile kept in another size than its own would never be met again
    agreed = mask.ravel() > 0
    turn = matrix[:, :2] / size
    shift = taught[agreed].mean(axis=0) - turn @ seen[agreed].mean(axis=0)
    return Pose(card, np.vstack([np.column_stack([turn, shift]), (0.0, 0.0, 1.0)]))
