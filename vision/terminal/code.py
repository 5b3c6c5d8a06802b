"""A QR code seen by the table's camera, or in a photo: what it says, on stdout. `tableside hall join --photo` asks for it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

LOOKS = 40
"""Frames in which nobody may yet have held the code still."""


def main(argv: list[str]) -> int:
    """0 when a code was seen."""
    ask = argparse.ArgumentParser(prog="tableside hall join --photo", description="Read one QR code.")
    ask.add_argument("photo", help="a picture, or `camera`")
    given = ask.parse_args(argv)
    import cv2

    from companion.wire.config import load
    from vision.terminal.glimpse import Viewfinder, complain

    config, live = load(), given.photo == "camera"
    detector = cv2.QRCodeDetector()
    with Viewfinder(config, None if live else Path(given.photo)) as finder:
        for _ in range(LOOKS if live else 1):
            image = finder.look()
            if isinstance(image, tuple):
                return complain(image, config.table.language)
            said, *_ = detector.detectAndDecode(image)
            if said:
                sys.stdout.write(f"{said}\n")
                return 0
    return 1
