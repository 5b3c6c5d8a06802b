"""Frames of cameras that send JPEG: unpacked in small and grey to notice motion, in full only when somebody looks."""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera.frame import SMALL_WIDTH, Frame, Image, small_of
from vision.reader.files import size_in_header

LARGEST = 8192
REDUCED = (
    (8, cv2.IMREAD_REDUCED_GRAYSCALE_8),
    (4, cv2.IMREAD_REDUCED_GRAYSCALE_4),
    (2, cv2.IMREAD_REDUCED_GRAYSCALE_2),
    (1, cv2.IMREAD_GRAYSCALE),
)
"""The unpacker halves a picture up to three times for next to nothing."""


def frame(data: bytes) -> Frame | None:
    """The frame in these bytes, its time and number still to be set; `None` when they are damaged."""
    size = size_in_header(data) if data[:2] == b"\xff\xd8" else None
    if size is None or not 0 < max(size) <= LARGEST:
        return None
    way = next((flag for by, flag in REDUCED if size[0] // by >= SMALL_WIDTH), cv2.IMREAD_GRAYSCALE)
    grey = cv2.imdecode(np.frombuffer(data, np.uint8), way)
    if grey is None:
        return None
    return Frame(lambda: unpacked(data, size), small_of(np.asarray(grey, np.uint8)), 0.0, 0, size)


def unpacked(data: bytes, size: tuple[int, int]) -> Image:
    """The picture in full; black when it is damaged after all, in which nothing is read."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    return np.zeros((size[1], size[0], 3), np.uint8) if image is None else np.asarray(image, np.uint8)
