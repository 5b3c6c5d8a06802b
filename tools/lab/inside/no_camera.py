"""picamera2 itself over a real libcamera, among the table's libraries: it looks for a camera and finds none, as the adapter says.

Left out is what would have to be compiled and the table has no use for: raw pictures (pidng), a preview on the screen (pykms).

usage: python no_camera.py      JSON on the output
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from types import ModuleType


class Formats:
    """Names of pixels, whichever are asked for."""

    def __getattr__(self, name: str) -> str:
        return name


def left_out(name: str, **what: object) -> None:
    """A module that can be imported and no more."""
    module = ModuleType(name)
    for word, one in what.items():
        setattr(module, word, one)
    sys.modules[name] = module


def main() -> None:
    """Look for a camera."""
    left_out("pidng")
    left_out("pidng.camdefs", Picamera2Camera=object)
    left_out("pidng.core", PICAM2DNG=object)
    left_out("pykms", PixelFormat=Formats())
    import libcamera
    import numpy as np

    from vision.camera.picamera import PicameraSource

    source = PicameraSource()
    source.open()
    said = source.problem[0].key if source.problem else ""
    used = {
        "picamera2": importlib.metadata.version("picamera2"),
        "numpy": np.__version__,
        "libcamera": libcamera.__file__,
    }
    json.dump({"state": source.state, "said": said, "loaded": "picamera2.picamera2" in sys.modules, **used}, sys.stdout)


if __name__ == "__main__":
    main()
