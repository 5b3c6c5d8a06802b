"""The camera "virtual": frames of what the virtual table says lies on it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing import Area, Mat
from companion.wire.messages import Message, VirtualTruth
from vision.camera.frame import CameraState, Frame, Problem, small_of
from vision.virtual.plan import Lens
from vision.virtual.scene import Light, Studio

BARE = Mat(200.0, 140.0, (Area("tray", 2.0, 2.0, 196.0, 136.0, ("loose dice",)),))
"""What lies there until the virtual table says what does."""
BUSY = 3.0
"""Seconds on the camera's own clock in which frames come at full speed after a change; then the table is at rest and one a
second is enough."""


class Hears(Protocol):
    """The part of a bus this camera needs."""

    def subscribe(self, pattern: str, handler: Callable[[str, Message | bytes], None]) -> None:
        """Be told."""


class VirtualCamera:
    """Draws the newest truth. Its clock follows the truth, so a fast table looks like a slow one."""

    def __init__(
        self,
        bus: Hears | None = None,
        *,
        mat: Mat | None = None,
        size: tuple[int, int] = (1920, 1080),
        fps: float = 15.0,
        seed: int = 0,
    ) -> None:
        self.state: CameraState = "starting"
        self.problem: Problem | None = None
        self.studio = Studio(mat or BARE, lens=Lens(*size), seed=seed)
        self.step = 1.0 / fps
        self.truth: VirtualTruth | None = None
        self._clean: NDArray[np.uint8] | None = None
        self._small: NDArray[np.uint8] = np.zeros((1, 1), np.uint8)
        self._ts = 0.0
        self._number = 0
        self._since = 0.0
        self._wait_until = 0.0
        if bus is not None:
            bus.subscribe("virtual/table", self._told)

    def _told(self, topic: str, message: Message | bytes) -> None:
        if isinstance(message, VirtualTruth):
            self.show(message)

    def show(self, truth: VirtualTruth) -> None:
        """The table looks like this from now on."""
        before = self.truth
        self.truth = truth
        if truth.mat is not None and truth.mat != self.studio.mat:
            self.studio = Studio(truth.mat, lens=self.studio.lens, seed=self.studio.seed)
            self._clean = None
        if before is None or (before.slots, before.hand, before.light) != (truth.slots, truth.hand, truth.light):
            self._clean = None
            self._since = 0.0

    def open(self) -> None:
        """Nothing to open."""

    def close(self) -> None:
        """Nothing to close."""

    def read(self) -> Frame | None:
        """The next frame; `None` before the first truth and between the rare frames of a table at rest."""
        truth = self.truth
        if truth is None:
            return None
        if self._since >= BUSY:
            now = time.monotonic()
            if now < self._wait_until:
                return None
            self._wait_until = now + 1.0
        self.state = "ready"
        light, number, studio = Light.of(truth.light), self._number, self.studio
        if self._clean is None:
            self._clean = studio.picture(truth.slots, truth.hand, light)
            self._small = small_of(self._clean)
        clean = self._clean
        self._ts = max(truth.ts, self._ts + self.step)
        # most frames are only glanced at to see whether anything moves: the full exposure is made for those that are read
        frame = Frame(
            lambda: studio.sensor(clean, light, number),
            studio.glimpsed(self._small, light, number),
            self._ts,
            number,
            (clean.shape[1], clean.shape[0]),
        )
        self._number += 1
        self._since += self.step
        return frame

    def jpeg(self, width: int = 640) -> bytes:
        """The present picture, small, for looking at."""
        if self._clean is None:
            return b""
        height = self._clean.shape[0] * width // self._clean.shape[1]
        ok, data = cv2.imencode(".jpg", cv2.resize(self._clean, (width, height)), [cv2.IMWRITE_JPEG_QUALITY, 80])
        return bytes(data) if ok else b""
