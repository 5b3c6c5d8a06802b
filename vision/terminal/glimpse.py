"""One good frame for a command: from the camera of the settings, or from a photo."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from companion.wire.config import Config
from vision import words
from vision.camera.frame import FrameSource, Image, Problem, Text, trouble
from vision.camera.lock import MOST_FRAMES
from vision.camera.sources import make
from vision.reader.files import NoPicture, read_picture
from vision.terminal import declared

WAIT = 8.0
"""Seconds a camera may take to open and settle."""
SETTLED = 20
"""Frames after which exposure and focus of a live camera can be trusted."""
FRESH = 6
"""Frames of a camera left open until the picture is of now: a driver keeps some that are older."""


def options(ask: ArgumentParser) -> None:
    """The options every command with a picture has."""
    ask.add_argument("--photo", type=Path, help="use this picture instead of the camera")
    declared.options(ask)


class Viewfinder:
    """Looks through the camera of the settings, or at a photo, as often as it is asked; the camera stays open between."""

    def __init__(self, config: Config, photo: Path | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._photo, self._now = photo, now
        self._device = config.camera.device
        self._live = config.camera.source in ("v4l2", "picamera2")
        self._source: FrameSource | None = None if photo is not None else make(config.camera)
        self._settled = False

    def __enter__(self) -> Viewfinder:
        if self._source is not None:
            self._source.open()
        return self

    def __exit__(self, *_: object) -> None:
        if self._source is not None:
            self._source.close()

    def look(self) -> Image | Problem:
        """The table as it is now, or what stands in the way."""
        if self._source is None:
            assert self._photo is not None
            return photo(self._photo)
        wanted = (FRESH if self._settled else min(SETTLED, MOST_FRAMES)) if self._live else 1
        until, frames, image = self._now() + WAIT, 0, None
        while self._now() < until and frames < wanted:
            frame = self._source.read()
            if frame is not None:
                frames, image = frames + 1, frame.image
            elif self._source.problem is not None:
                break
            else:
                time.sleep(0.02)
        if image is None:
            return self._source.problem or trouble("camera/unplugged", device=self._device)
        self._settled = True
        return image


def glimpse(config: Config, args: Namespace, now: Callable[[], float] = time.monotonic) -> Image | Problem:
    """One picture, or what stands in the way."""
    with Viewfinder(config, args.photo, now) as finder:
        return finder.look()


def photo(path: Path) -> Image | Problem:
    """A picture from a file."""
    try:
        return read_picture(path)
    except NoPicture:
        return trouble("camera/no-photo", path=str(path))


def tell(text: Text, language: str) -> None:
    """One line of talk."""
    sys.stderr.write(words.say(text, language) + "\n")


def complain(problem: Problem, language: str) -> int:
    """One line: what is wrong and what to do."""
    sys.stderr.write(f"{words.say(problem[0], language)} {words.say(problem[1], language)}\n")
    return 1
