"""A QR code seen by the table's camera, or in a photo: what it says, on stdout. `tableside hall join --photo` asks for it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.camera.frame import Image

LOOKS = 40
"""Frames in which nobody may yet have held the code still."""
LARGER = (1, 2, 3)
"""A code that is small in the picture is enlarged: both readers then find what they miss in the plain one."""


def main(argv: list[str]) -> int:
    """0 when a code was seen."""
    ask = argparse.ArgumentParser(prog="tableside hall join --photo", description="Read one QR code.")
    ask.add_argument("photo", help="a picture, or `camera`")
    given = ask.parse_args(argv)

    from companion.wire.config import load
    from vision.terminal.glimpse import Viewfinder, complain

    config, live = load(), given.photo == "camera"
    with Viewfinder(config, None if live else Path(given.photo)) as finder:
        for _ in range(LOOKS if live else 1):
            image = finder.look()
            if isinstance(image, tuple):
                return complain(image, config.table.language)
            if said := read(image):
                sys.stdout.write(f"{said}\n")
                return 0
    return 1


def read(image: Image) -> str:
    """What a code in the picture says; empty: there is none that can be read."""
    import cv2

    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    for times in LARGER:
        large = cv2.resize(grey, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
        for reader in (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()):
            said, *_ = reader.detectAndDecode(large)
            if said:
                return str(said)
    return ""
