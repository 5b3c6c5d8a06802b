"""Cameras: one interface, five back ends, and a line with the fix when one does not open."""

from vision.camera.frame import (
    Adjustable,
    CameraState,
    Frame,
    FrameSource,
    Image,
    Problem,
    Text,
    hold,
    small_of,
    trouble,
)

__all__ = [
    "Adjustable",
    "CameraState",
    "Frame",
    "FrameSource",
    "Image",
    "Problem",
    "Text",
    "hold",
    "small_of",
    "trouble",
]
