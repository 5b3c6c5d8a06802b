"""Drift: has the camera or the mat been nudged? The markers tell, and the view follows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import mat as mats
from vision.camera.frame import Image, Problem, trouble

EVERY = 0.7
"""Seconds between looks: a nudge is noticed in less than two, even when one look fell into the movement."""
AT_ONCE, AT_REST = 0.15, 2.8
"""The same before something is read, and while nothing at all changes: a nudge would be seen as a change."""
NUDGED_MM = 1.0
LOST_AFTER = 1.2
"""Seconds without a marker in its place before the mat counts as gone."""
REACH_MM = 25.0


@dataclass(frozen=True, slots=True)
class Moved:
    """What became of the mat since it was last looked at."""

    what: Literal["nudged", "lost"]
    millimetres: float
    matrix: mats.Matrix | None
    """Where it lies now, millimetres to pixels; `None` while it is lost."""
    problem: Problem


class Drift:
    """Follows one mat. Give it frames; it speaks only when the view is no longer the one before."""

    def __init__(self, mat: mats.Mat, matrix: mats.Matrix, ts: float = float("-inf")) -> None:
        """`ts` is when the mat was seen to lie so."""
        self.mat, self.matrix = mat, matrix
        self._looked = self._seen = ts
        self._lost = False

    def due(self, ts: float, every: float = EVERY) -> bool:
        """The last look is `every` seconds ago."""
        return ts - self._looked >= every

    def look(self, image: Image, ts: float, every: float = EVERY) -> Moved | None:
        """Look at the markers if it is time to."""
        if not self.due(ts, every):
            return None
        if self._seen == float("-inf"):
            self._seen = ts
        self._looked = ts
        markers = mats.follow(image, self._centres(), REACH_MM * self._scale())
        if len(markers) < 3:
            # a large push takes them out of their windows: search everywhere
            markers = mats.find(image)
        matrix = mats.registered(markers, self.mat)
        if matrix is None:
            if self._at_home(markers):
                self._seen = ts  # an arm over the others: what can be seen of the mat lies where it lay
                return None
            return self._gone(ts)
        self._seen = ts
        moved = self._millimetres(markers)
        if moved <= NUDGED_MM and not self._lost:
            return None
        self._lost, self.matrix = False, matrix
        return Moved("nudged", moved, matrix, trouble("drift/nudged", mm=round(moved)))

    def _gone(self, ts: float) -> Moved | None:
        if self._lost or ts - self._seen < LOST_AFTER:
            return None  # a sleeve over a marker is not a moved table
        self._lost = True
        return Moved("lost", 0.0, None, trouble("drift/lost"))

    def _at_home(self, markers: Mapping[int, NDArray[np.float32]]) -> bool:
        """A marker lies where it lay, though too few are seen to tell where the whole mat is."""
        return not self._lost and bool(markers) and self._millimetres(markers) <= NUDGED_MM

    def _centres(self) -> mats.Corners:
        points = cv2.perspectiveTransform(np.array([self.mat.markers], np.float64), self.matrix)[0]
        a, b, c, d = ((float(x), float(y)) for x, y in points)
        return a, b, c, d

    def _scale(self) -> float:
        """Pixels per millimetre, about."""
        centres = np.array(self._centres())
        across = float(np.linalg.norm(centres[1] - centres[0]))
        return across / (self.mat.markers[1][0] - self.mat.markers[0][0])

    def _millimetres(self, markers: Mapping[int, NDArray[np.float32]]) -> float:
        """How far the markers lie from where they were, on the table; the middle one of them, so one misread is no drift."""
        centres, scale = np.array(self._centres()), self._scale()
        away = [float(np.linalg.norm(square.mean(axis=0) - centres[number])) for number, square in markers.items()]
        return float(np.median(away)) / scale
