"""Tiles: cardboard of any outline, known again at any angle.

A tile is kept as it was cut out: its own millimetres, black around it. Nobody says which way is up on a tile, so one that
looks like another is turned to lie as that one does; then look-alikes are compared print against print.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Image
from vision.cards.book import Book, Recognised
from vision.cards.features import Pose, features_of, grey_of, turned
from vision.cards.prints import AGREES, BLOCK, SAME_FACE, Floats, blocks_of, calm_of

SIDE = 288
PX_PER_MM = 3.0
"""A tile may be 96 mm across."""
SMALLEST = 0.15
"""Share of its area a tile covers at least."""
RIM = 9
"""Pixels inside its outline within which features tell of the table under it as well."""


class TileBook(Book):
    """The tiles of one copy, as they were taught."""

    size = SIDE, SIDE
    tried = 8
    """Tiles have less print than cards, so the features are more often wrong about the likeliest."""
    least = 0.68
    """Share of the print that must agree: under lamp and glare that of 392 taught ones was 0.80 or more, that of 190 which were
    never taught and share their land with one that was 0.57 at most."""

    def teach(self, card: str, picture: Image) -> None:
        """Learn a tile from its cut-out; teaching it again replaces it."""
        self.forget(card)
        super().teach(card, self._as_they_lie(self._kept(picture))[0])

    def kept(self, card: str, picture: Image) -> None:
        """A tile that was taught before and lies as it should."""
        super().teach(card, picture)

    def like(self, picture: Image) -> str | None:
        """A tile already taught that has this very face, however it was turned."""
        _, card, share = self._as_they_lie(self._kept(picture))
        return card if share > SAME_FACE else None

    def _as_they_lie(self, picture: Image) -> tuple[Image, str, float]:
        """Turned to lie as the tile it looks most like; that tile, and how much of the print agrees with it."""
        points, descriptors = self._described(picture)
        best = picture, "", 0.0
        for number, card in enumerate(self._ids):
            pose = self._pose(number, points, descriptors) if len(points) else None
            if pose is not None:
                straight = _laid(picture, pose)
                share = self._agreeing(straight, self._calmed(self.pictures[card]))
                best = max(best, (straight, card, share), key=lambda found: found[2])
        return best

    def _agreeing(self, picture: Image, calm: Floats) -> float:
        """How much of its print agrees with another's."""
        blocks, printed = blocks_of(self._calmed(picture))
        printed &= self._inside(picture)
        agrees = np.einsum("bk,bk->b", blocks, blocks_of(calm)[0]) > AGREES
        return float((agrees & printed).sum()) / max(1, int(printed.sum()))

    def _kept(self, picture: Image) -> Image:
        height, width = picture.shape[:2]
        if (width, height) == self.size:
            return picture
        out = np.zeros((SIDE, SIDE, 3), np.uint8)
        top, left = max(0, (SIDE - height) // 2), max(0, (SIDE - width) // 2)
        out[top : top + height, left : left + width] = picture[:SIDE, :SIDE]
        return out

    def _described(self, kept: Image) -> tuple[Floats, NDArray[np.uint8]]:
        where = cv2.erode(_mask(kept), np.ones((2 * RIM + 1, 2 * RIM + 1), np.uint8), borderValue=0)
        return features_of(self._orb_taught, grey_of(_filled(kept)), np.asarray(where, np.uint8))

    def _calmed(self, kept: Image) -> Floats:
        return calm_of(_filled(kept))

    def _inside(self, kept: Image) -> NDArray[np.bool_]:
        mask = cv2.erode(_mask(kept), np.ones((5, 5), np.uint8), borderValue=0)
        blocks = np.asarray(mask).reshape(SIDE // BLOCK, BLOCK, SIDE // BLOCK, BLOCK)
        return np.asarray(blocks.min(axis=(1, 3)).ravel() > 0)

    def _scale(self, picture: Image, px_per_mm: float | None) -> float:
        return PX_PER_MM / px_per_mm if px_per_mm else 1.0

    def _posed(self, card: int, seen: Floats, taught: Floats) -> Pose | None:
        return turned(card, seen, taught)

    def _best(self, found: Iterable[Recognised]) -> Recognised:
        """What every likely place agrees on: two look-alikes that lie apart are never told apart by one of them alone."""
        seen = sorted(found, key=lambda one: (one.card is not None, one.share), reverse=True)
        names = {one.card for one in seen if one.card is not None}
        if len(names) > 1:
            return Recognised(None, 0.5, seen[0].candidates, seen[0].corners)
        return seen[0] if seen else Recognised(None, 0.0)


def cut_out(picture: Image, px_per_mm: float) -> Image:
    """The tile in an area's picture, black around it; where its outline cannot be told from the mat, the area's largest disc."""
    height, width = picture.shape[:2]
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    rim = np.concatenate([lab[:3].reshape(-1, 3), lab[-3:].reshape(-1, 3), lab[:, :3].reshape(-1, 3)])
    distance = np.clip(np.abs(lab - np.median(rim, axis=0)).sum(axis=2), 0, 255).astype(np.uint8)
    _, away = cv2.threshold(distance, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    # the area's printed frame goes first, before anything can join it to the tile
    for way, reach in ((cv2.MORPH_OPEN, 5), (cv2.MORPH_CLOSE, 9), (cv2.MORPH_OPEN, 9)):
        away = cv2.morphologyEx(away, way, np.ones((reach, reach), np.uint8))
    contours, _ = cv2.findContours(away, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    mask = np.zeros((height, width), np.uint8)
    whole = max(contours, key=cv2.contourArea, default=None)
    if whole is not None and cv2.contourArea(whole) > SMALLEST * width * height:
        cv2.fillConvexPoly(mask, cv2.convexHull(whole), 255)
    else:
        cv2.circle(mask, (width // 2, height // 2), min(width, height) // 2 - 2, 255, -1)
    kept = np.where(mask[..., None] > 0, np.maximum(picture, 1), 0)
    scale = PX_PER_MM / px_per_mm
    if abs(scale - 1) > 0.02:
        kept = cv2.resize(kept, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    x, y, wide, high = cv2.boundingRect(_mask(kept))
    wide, high = min(wide, SIDE), min(high, SIDE)
    out = np.zeros((SIDE, SIDE, 3), np.uint8)
    top, left = (SIDE - high) // 2, (SIDE - wide) // 2
    out[top : top + high, left : left + wide] = kept[y : y + high, x : x + wide]
    return out


def _mask(picture: Image) -> Image:
    return np.asarray((picture[..., 1] > 0) * np.uint8(255), np.uint8)  # in the tile no channel is 0


def _filled(picture: Image) -> Image:
    """Its own colour around it: the edge of the cut-out is no print."""
    mask = _mask(picture)
    out = picture.copy()
    out[mask == 0] = np.array(cv2.mean(picture, mask)[:3]).astype(np.uint8)
    return out


def _laid(picture: Image, pose: Pose) -> Image:
    """The cut-out turned as the pose says."""
    drawn = cv2.warpPerspective(_filled(picture), pose.to_card, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(_mask(picture), pose.to_card, (SIDE, SIDE), flags=cv2.INTER_NEAREST)
    return np.where(np.asarray(mask)[..., None] > 0, np.maximum(drawn, 1), 0).astype(np.uint8)
