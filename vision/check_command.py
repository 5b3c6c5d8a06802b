"""`tableside check`: can this table be read, and what is the one thing to change?"""

from __future__ import annotations

import argparse
import sys

import msgspec

from companion.config import load
from vision import calibration, check
from vision import mat as mats
from vision.camera.frame import Text
from vision.glimpse import complain, glimpse, options, tell


def main(argv: list[str]) -> int:
    """0 when the table can be read well, 1 with the instruction when not."""
    ask = argparse.ArgumentParser(prog="tableside check", description="Check light, sharpness and view of the table.")
    options(ask)
    ask.add_argument("--json", action="store_true", help="figures on stdout")
    args = ask.parse_args(argv)
    config = load()
    language = config.table.language
    image = glimpse(config, args)
    if isinstance(image, tuple):
        return complain(image, language)
    taught = calibration.load(config.state_dir / calibration.FILE)
    rows = args.rows or (taught.rows if taught else config.camera.rows)
    found = check.look(image, rows)
    if found.figures.get("markers") == 0 and taught is not None:
        # no printed mat: the corners tapped by hand stand in for it
        size = (image.shape[1], image.shape[0])
        found = check.look(image, rows, mats.from_corners(calibration.scaled(taught, size), mats.layout(rows)))
    if args.json:
        told = {"score": found.score, "parts": found.parts, "figures": found.figures}
        advice = found.advice[0].key if found.advice else ""
        sys.stdout.write(msgspec.json.encode({**told, "advice": advice}).decode() + "\n")
    score = {"score": round(100 * found.score)}
    if found.advice is None:
        tell(Text("vision/check/good", score), language)
        return 0
    tell(Text("vision/check/score", score), language)
    return complain(found.advice, language)
