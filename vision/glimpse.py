"""One good frame for a command: from the camera of the settings, or from a photo."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.config import Config
from vision import words
from vision.camera.frame import Image, Problem, Text, trouble
from vision.camera.lock import PATIENCE
from vision.camera.sources import make

WAIT = 8.0
"""Seconds a camera may take to open and settle."""
SETTLED = 20
"""Frames after which exposure and focus of a live camera can be trusted."""


def options(ask: ArgumentParser) -> None:
    """The options every command with a picture has."""
    ask.add_argument("--photo", type=Path, help="use this picture instead of the camera")
    ask.add_argument("--rows", type=int, choices=(2, 3, 4), help="rows of the mat; default: from the settings")


def glimpse(config: Config, args: Namespace, now: Callable[[], float] = time.monotonic) -> Image | Problem:
    """The picture, or what stands in the way."""
    if args.photo is not None:
        return photo(args.photo)
    source = make(config.camera)
    source.open()
    try:
        until, frames, image = now() + WAIT, 0, None
        enough = SETTLED if config.camera.source in ("v4l2", "picamera2") else 1
        while now() < until and frames < min(enough, PATIENCE):
            frame = source.read()
            if frame is not None:
                frames, image = frames + 1, frame.image
            elif source.problem is not None:
                break
            else:
                time.sleep(0.02)
        if image is None:
            return source.problem or trouble("camera/unplugged", device=config.camera.device)
        return image
    finally:
        source.close()


def photo(path: Path) -> Image | Problem:
    """A picture from a file."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    except (OSError, cv2.error):
        image = None
    return trouble("camera/no-pictures", path=str(path)) if image is None else np.asarray(image, np.uint8)


def tell(text: Text, language: str) -> None:
    """One line of talk."""
    sys.stderr.write(words.say(text, language) + "\n")


def complain(problem: Problem, language: str) -> int:
    """One line: what is wrong and what to do."""
    sys.stderr.write(f"{words.say(problem[0], language)} {words.say(problem[1], language)}\n")
    return 1
