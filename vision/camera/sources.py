"""The camera the settings name."""

from __future__ import annotations

from pathlib import Path

from companion.wire.config import CameraConfig
from vision.camera.capture import V4l2Source, VideoSource
from vision.camera.folder import FolderSource
from vision.camera.frame import CameraState, Frame, FrameSource, Problem, trouble
from vision.camera.picamera import PicameraSource


class NoSource:
    """No camera is set up: the table is played by touch, dial and phone."""

    def __init__(self) -> None:
        self.state: CameraState = "no camera"
        self.problem: Problem | None = trouble("camera/none")

    def open(self) -> None:
        """Nothing to open."""

    def read(self) -> Frame | None:
        """Never a frame."""
        return None

    def close(self) -> None:
        """Nothing to close."""


def make(camera: CameraConfig) -> FrameSource:
    """A source for every kind but the virtual camera, which needs the bus and is made by the room."""
    size = (camera.width, camera.height)
    if camera.source == "picamera2":
        return PicameraSource(size, camera.fps)
    if camera.source == "v4l2":
        return V4l2Source(camera.device, size, camera.fps)
    if camera.source == "video":
        return VideoSource(camera.path)
    if camera.source == "folder":
        return FolderSource(Path(camera.path), camera.fps)
    return NoSource()
