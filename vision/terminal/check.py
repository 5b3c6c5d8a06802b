"""`tableside check`: can this table be read, and what is the one thing to change?"""

from __future__ import annotations

import argparse
import sys

import msgspec

from companion.wire.config import Config, load
from companion.wire.replies import Checked
from vision import calibration, check
from vision import mat as mats
from vision.camera.frame import Problem, Text
from vision.terminal.declared import chosen
from vision.terminal.glimpse import complain, glimpse, options, tell
from vision.terminal.running import running


def main(argv: list[str]) -> int:
    """0 when the table can be read well, 1 with the instruction when not."""
    ask = argparse.ArgumentParser(prog="tableside check", description="Check light, sharpness and view of the table.")
    options(ask)
    ask.add_argument("--json", action="store_true", help="figures on stdout")
    args = ask.parse_args(argv)
    args.mat = chosen(ask, args)
    config = load()
    language = config.table.language
    found = _checked(config, args)
    if isinstance(found, tuple):
        return complain(found, language)
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


def _checked(config: Config, args: argparse.Namespace) -> Checked | Problem:
    """By the camera of the running table, or through our own eyes when none is running."""
    table = running(config) if args.photo is None else None
    if table is not None:
        told = table.ask("check")
        table.close()
        if isinstance(told, tuple):
            return told
        return msgspec.convert(told, Checked)
    image = glimpse(config, args)
    if isinstance(image, tuple):
        return image
    taught = calibration.load(config.state_dir / calibration.FILE)
    mat: mats.Mat = args.mat
    die_mm = taught.die_mm if taught and taught.die_mm else mat.die_mm
    found = check.look(image, mat, die_mm=die_mm)
    if found.figures.get("markers") == 0 and taught is not None and taught.tapped:
        # no printed mat: the corners tapped by hand stand in for it
        corners = calibration.scaled(taught, (image.shape[1], image.shape[0]))
        found = check.look(image, mat, mats.from_corners(corners, mat), die_mm)
    return found
