"""A folder of pictures as a camera: each is one frame, in the order of their names."""

from __future__ import annotations

import logging
from pathlib import Path

from vision.camera.frame import CameraState, Frame, Image, Problem, small_of, trouble
from vision.reader.files import NoPicture, read_picture

log = logging.getLogger("tableside.vision.folder")

PICTURES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".bmp"))


class FolderSource:
    """Gives every picture once, then the last one again: a table at rest."""

    def __init__(self, folder: Path, fps: int = 15) -> None:
        self.folder = folder
        self.state: CameraState = "starting"
        self.problem: Problem | None = None
        self._files: list[Path] = []
        self._next = 0
        self._step = 1.0 / fps
        self._number = 0
        self._last: Frame | None = None

    def open(self) -> None:
        """Look what is there."""
        self._next = 0
        self._files = []
        try:
            self._files = sorted(file for file in self.folder.iterdir() if file.suffix.lower() in PICTURES)
        except OSError:
            self.problem = trouble("camera/no-file", path=str(self.folder))
        else:
            self.problem = None if self._files else trouble("camera/no-pictures", path=str(self.folder))
        self.state = "starting" if self.problem is None else "no camera"

    def read(self) -> Frame | None:
        """The next picture; files that are no pictures are passed over."""
        while self._next < len(self._files):
            file = self._files[self._next]
            self._next += 1
            try:
                image = read_picture(file)
            except NoPicture as wrong:
                log.warning("passed over: %s", wrong)
                continue
            self.state = "ready"
            self._last = self._frame(image)
            return self._last
        if self._last is None:
            if self._files:
                self.state, self.problem = "no camera", trouble("camera/no-pictures", path=str(self.folder))
            return None
        self._last = self._frame(self._last.image)
        return self._last

    def _frame(self, image: Image) -> Frame:
        frame = Frame(image, small_of(image), self._number * self._step, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Nothing is held open."""
