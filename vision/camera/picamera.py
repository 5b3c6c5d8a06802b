"""The Raspberry Pi's own camera through picamera2: a thin adapter, everything else is shared.

Two streams come from the camera's own scaler: the full one for reading, the small grey one for noticing motion.
picamera2 is a system package of Raspberry Pi OS; here it is imported only when this camera is chosen.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from vision.camera.frame import SMALL_WIDTH, CameraState, Frame, Problem, small_of, trouble
from vision.camera.lock import AutoLock

RETRY = 1.0
SILENT_SECONDS = 3.0
"""Seconds without a frame after which the ribbon cable is the likeliest cause."""
AF_MANUAL, AF_CONTINUOUS = 0, 2


class PicameraSource:
    """A CSI camera."""

    def __init__(
        self, size: tuple[int, int] = (1920, 1080), fps: int = 15, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.size, self.fps = size, fps
        self.state: CameraState = "starting"
        self.problem: Problem | None = None
        self._now = now
        self._camera: Any = None
        self._job: Any = None
        self._number = 0
        self._seen_at = 0.0
        self._retry_at = 0.0
        self._found: dict[str, Any] = {}
        self._auto = AutoLock(self._lock, self._unlock)
        self._small = (SMALL_WIDTH, max(2, round(SMALL_WIDTH * size[1] / size[0] / 2) * 2))

    def open(self) -> None:
        """Start both streams with everything automatic."""
        self._retry_at = self._now() + RETRY
        try:
            module = importlib.import_module("picamera2")
        except ImportError:
            self._away(trouble("camera/no-picamera2"))
            return
        try:
            if not module.Picamera2.global_camera_info():
                self._away(trouble("camera/no-ribbon"))
                return
            camera = module.Picamera2(0)
        except PermissionError:
            self._away(trouble("camera/rights", device="/dev/media0"))
            return
        except (RuntimeError, IndexError):
            self._away(trouble("camera/busy", device="CSI"))
            return
        try:
            camera.configure(
                camera.create_video_configuration(
                    main={"size": self.size, "format": "RGB888"},  # which is BGR in memory, as OpenCV wants it
                    lores={"size": self._small, "format": "YUV420"},
                    controls={"FrameRate": float(self.fps)},
                )
            )
            camera.start()
        except RuntimeError:
            camera.close()
            self._away(trouble("camera/busy", device="CSI"))
            return
        self._camera, self._job, self._seen_at = camera, None, self._now()
        self.state, self.problem = "starting", None
        self._auto.start()

    def read(self) -> Frame | None:
        """The next frame, or `None` when the camera has none ready in good time."""
        if self._camera is None:
            if self._now() >= self._retry_at:
                self.open()
            return None
        if self._job is None:
            self._job = self._camera.capture_request(wait=False)
        try:
            request = self._job.get_result(timeout=2.0 / self.fps)
        except TimeoutError:
            if self._now() - self._seen_at > SILENT_SECONDS:
                self.close()
                self._away(trouble("camera/no-ribbon"))
            return None
        self._job, self._seen_at = None, self._now()
        try:
            full, rough, facts = request.make_array("main"), request.make_array("lores"), request.get_metadata()
        finally:
            request.release()
        return self._frame(full, rough, facts)

    def _frame(self, full: Any, rough: Any, facts: dict[str, Any]) -> Frame:
        image = np.ascontiguousarray(full[:, :, :3])
        width, height = self._small
        # the first rows of YUV420 are the grey picture; rows may be padded to the right
        small = np.ascontiguousarray(rough[:height, :width]) if rough.ndim == 2 else small_of(rough)
        ts = float(facts.get("SensorTimestamp", 0)) / 1e9 or self._now()
        self.state = "ready"
        frame = Frame(image, small, ts, self._number)
        self._number += 1
        self._found = facts
        light = float(facts.get("ExposureTime", 0)) * float(facts.get("AnalogueGain", 1.0))
        self._auto.saw(float(np.mean(small)), light, float(facts.get("LensPosition", 0.0)))
        return frame

    def close(self) -> None:
        """Stop and let go."""
        if self._camera is not None:
            self._camera.stop()
            self._camera.close()
            self._camera = self._job = None

    def hold(self, pending: bool) -> None:
        """While something is pending nothing is measured anew."""
        self._auto.pending = pending

    def _away(self, problem: Problem) -> None:
        self.state, self.problem = "no camera", problem

    def _unlock(self) -> None:
        controls: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        if "AfMode" in self._camera.camera_controls:
            controls["AfMode"] = AF_CONTINUOUS
        self._camera.set_controls(controls)

    def _lock(self) -> None:
        """Lock to the explicit values found, so that the next start can be compared with this one."""
        facts = self._found
        controls: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
        for name in ("ExposureTime", "AnalogueGain", "ColourGains"):
            if name in facts:
                controls[name] = facts[name]
        if "AfMode" in self._camera.camera_controls and "LensPosition" in facts:
            controls.update(AfMode=AF_MANUAL, LensPosition=facts["LensPosition"])
        self._camera.set_controls(controls)
