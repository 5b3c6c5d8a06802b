"""A frame and where frames come from: the one interface behind which every camera stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.wire.messages import Text  # type: ignore[attr-defined,unused-ignore]

__all__ = [
    "SMALL_WIDTH",
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

Image = NDArray[np.uint8]
Problem = tuple[Text, Text]
"""What is wrong (`say`) and what to do about it (`do`)."""
CameraState = Literal["starting", "no camera", "too dark", "hand", "settling", "ready", "drifted"]

SMALL_WIDTH = 320


@dataclass(frozen=True)
class Frame:
    """One picture of the table."""

    picture: Image | Callable[[], Image]
    """Full size, or how to unpack it: nobody looks at most frames of a quiet table."""
    small: Image
    """About 320 pixels wide, 8-bit grey, for noticing motion."""
    ts: float
    """Seconds on the camera's own clock: settling is measured with it, not with the wall."""
    number: int
    """Counts from 0, without gaps for frames that were handed out."""
    packed_size: tuple[int, int] | None = None
    """Width and height of a picture that is not unpacked yet."""

    @cached_property
    def image(self) -> Image:
        """Full size, BGR, for reading."""
        return self.picture() if callable(self.picture) else self.picture

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in full; asking does not unpack it."""
        return self.packed_size or (self.image.shape[1], self.image.shape[0])


@runtime_checkable
class FrameSource(Protocol):
    """A camera, or something that stands in for one."""

    state: CameraState
    problem: Problem | None

    def open(self) -> None:
        """Get ready; a camera that is away is not an error: `read` goes on trying."""

    def read(self) -> Frame | None:
        """The next frame, or `None` when there is none yet."""

    def close(self) -> None:
        """Let go of the device."""


@runtime_checkable
class Adjustable(Protocol):
    """A camera whose exposure, white balance and focus are locked and may be measured anew."""

    def hold(self, pending: bool) -> None:
        """While something is `pending` on the table the picture must not change by itself."""


def hold(source: FrameSource, pending: bool) -> None:
    """Tell a camera that can be adjusted whether a reading is pending."""
    if isinstance(source, Adjustable):
        source.hold(pending)


def small_of(image: Image) -> Image:
    """The small grey picture of a full one; area averaging, so that noise does not look like motion."""
    height, width = image.shape[:2]
    if width > SMALL_WIDTH:
        size = (SMALL_WIDTH, max(1, round(height * SMALL_WIDTH / width)))
        # halved first: the mean of four neighbours is many times quicker than any other area, and grey than colour
        while image.shape[1] >= 4 * SMALL_WIDTH and image.shape[0] > 2:
            image = _grey(np.asarray(cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2)), np.uint8))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _grey(image)


def _grey(image: Image) -> Image:
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def trouble(name: str, **params: Any) -> Problem:
    """The two sentences of a problem: `vision/<name>/say` and `vision/<name>/do`."""
    return Text(f"vision/{name}/say", dict(params)), Text(f"vision/{name}/do", dict(params))
