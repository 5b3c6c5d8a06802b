"""Cameras and videos that OpenCV opens: a V4L2 device and a recorded file go through the same code."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

# OpenCV waits ten seconds for a camera that hangs; the room's watchdog is not that patient. Read at the first capture.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")

import cv2
import numpy as np

from vision.camera import packed, v4l2
from vision.camera.frame import CameraState, Frame, Image, Problem, small_of, trouble
from vision.camera.lock import AutoLock

RETRY = 1.0
"""Seconds between attempts to open a camera that is away."""
MISSES = 3
"""Reads that may fail before the camera counts as unplugged."""

JPEG = cv2.VideoWriter.fourcc(*"MJPG")

Opener = Callable[[str, int], Any]


class CaptureSource:
    """Frames from `cv2.VideoCapture`; unplugged and plugged in again, it goes on."""

    backend = cv2.CAP_ANY

    def __init__(
        self,
        target: str,
        *,
        opener: Opener = cv2.VideoCapture,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.target = target
        self.state: CameraState = "starting"
        self.problem: Problem | None = None
        self._opener, self._now = opener, now
        self._capture: Any = None
        self._number = 0
        self._misses = 0
        self._retry_at = 0.0
        self._offset: float | None = None
        """Added to the capture's clock, so that time never runs backwards after a replug."""
        self._own_clock = True
        self._last = 0.0

    def open(self) -> None:
        """Open it now if it is there."""
        self._retry_at = self._now() + RETRY
        self.problem = self._obstacle()
        if self.problem is None:
            capture = self._opener(self.target, self.backend)
            if capture.isOpened():
                self._capture, self._misses, self._offset = capture, 0, None
                self.state = "starting"
                self._opened(capture)
                return
            capture.release()
            self.problem = self._not_opened()
        self.state = "no camera"

    def read(self) -> Frame | None:
        """The next frame; tries again about once a second while the camera is away."""
        if self._capture is None:
            if self._now() >= self._retry_at:
                self.open()
            return None
        done, image = self._capture.read()
        seen = self._seen_in(image) if done and image is not None and image.size else None
        if seen is None:
            self._missed()
            return None
        self._misses = 0
        self.state = "ready"
        stamp = self._stamp()
        if self._offset is None:
            self._offset = max(0.0, self._last - stamp)
        self._last = max(self._last, stamp + self._offset)
        frame = replace(seen, ts=self._last, number=self._number)
        self._number += 1
        self._seen(frame)
        return frame

    def close(self) -> None:
        """Let go of the device."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _seen_in(self, image: Image) -> Frame | None:
        """What the camera handed over, as a frame; `None` when it is damaged."""
        picture: Image = image if image.ndim == 3 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
        return Frame(picture, small_of(picture), 0.0, 0)

    def _stamp(self) -> float:
        """The capture's own clock where it has one; which, is settled with the first frame and never mixed."""
        own = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        if self._offset is None:
            self._own_clock = own > 0
        return own if self._own_clock else self._now()

    def _missed(self) -> None:
        self._misses += 1
        if self._misses >= MISSES:
            self.close()
            self.state, self.problem = "no camera", self._lost()
            self._retry_at = self._now() + RETRY

    def _obstacle(self) -> Problem | None:
        """What stands in the way before opening is even tried."""
        return None

    def _opened(self, capture: Any) -> None:
        """Set it up."""

    def _seen(self, frame: Frame) -> None:
        """A frame was read."""

    def _not_opened(self) -> Problem:
        return trouble("camera/busy", device=self.target)

    def _lost(self) -> Problem:
        return trouble("camera/unplugged", device=self.target)


class V4l2Source(CaptureSource):
    """A USB camera by its device node."""

    backend = cv2.CAP_V4L2

    def __init__(self, device: str, size: tuple[int, int] = (1920, 1080), fps: int = 15, **how: Any) -> None:
        super().__init__(device, **how)
        self.size, self.fps = size, fps
        self._held: dict[int, float] = {}
        self._auto = AutoLock(self._lock, self._unlock)

    def hold(self, pending: bool) -> None:
        """While something is pending nothing is measured anew."""
        self._auto.pending = pending

    def _obstacle(self) -> Problem | None:
        return v4l2.obstacle(self.target)

    def _opened(self, capture: Any) -> None:
        # compressed frames: a USB 2 camera has no room for raw ones of this size
        capture.set(cv2.CAP_PROP_FOURCC, JPEG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self.size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self.size[1])
        capture.set(cv2.CAP_PROP_FPS, self.fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if int(capture.get(cv2.CAP_PROP_FOURCC)) == JPEG:
            capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)  # as they come: most are looked at in small only
        self._auto.start()

    def _seen_in(self, image: Image) -> Frame | None:
        return packed.frame(image.tobytes()) if image.ndim == 2 and image.shape[0] == 1 else super()._seen_in(image)

    def _seen(self, frame: Frame) -> None:
        self._auto.saw(float(np.mean(frame.small)))

    def _unlock(self) -> None:
        for switch, automatic in (
            (cv2.CAP_PROP_AUTO_EXPOSURE, 3),
            (cv2.CAP_PROP_AUTO_WB, 1),
            (cv2.CAP_PROP_AUTOFOCUS, 1),
        ):
            self._capture.set(switch, automatic)

    def _lock(self) -> None:
        """Each automatic is switched off and given the value it had found; what a camera lacks it ignores."""
        for switch, manual, value in (
            (cv2.CAP_PROP_AUTO_EXPOSURE, 1, cv2.CAP_PROP_EXPOSURE),
            (cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE),
            (cv2.CAP_PROP_AUTOFOCUS, 0, cv2.CAP_PROP_FOCUS),
        ):
            found = float(self._capture.get(value))
            self._capture.set(switch, manual)
            if found > 0:
                self._capture.set(value, found)


class VideoSource(CaptureSource):
    """A recorded video; it ends when the recording ends."""

    backend = cv2.CAP_FFMPEG

    def _stamp(self) -> float:
        return float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000

    def _obstacle(self) -> Problem | None:
        return None if Path(self.target).is_file() else trouble("camera/no-file", path=self.target)

    def _not_opened(self) -> Problem:
        return trouble("camera/no-video", path=self.target)

    def _lost(self) -> Problem:
        return trouble("camera/ended", path=self.target)

    def _missed(self) -> None:
        super()._missed()
        if self._capture is None:
            self._retry_at = float("inf")
