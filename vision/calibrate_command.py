"""`tableside calibrate`: mat, player colours, card size and lamp of this table."""

from __future__ import annotations

import argparse
import time

from companion.config import load
from vision import calibrate, calibration, words
from vision import mat as mats
from vision.camera.frame import Image, Text
from vision.glimpse import complain, glimpse, options, tell


def main(argv: list[str]) -> int:
    """Measure and keep; 1 with the reason when something could not be measured, and the old calibration stays."""
    ask = argparse.ArgumentParser(
        prog="tableside calibrate",
        description="Lay the mat under the camera with one die of each player in its first slots, then run this.",
    )
    options(ask)
    ask.add_argument(
        "--colours", nargs="*", default=[], choices=calibrate.PLAYERS, help="whose dice lie there, in order"
    )
    ask.add_argument(
        "--corners", nargs=8, type=float, metavar="N", help="marker centres in pixels, clockwise from top left"
    )
    ask.add_argument("--card", nargs=2, type=float, metavar=("WIDTH", "HEIGHT"), help="card size in millimetres")
    ask.add_argument(
        "--die", type=float, metavar="MM", help="edge of the dice in millimetres; default: as before, or 15"
    )
    ask.add_argument("--fresh", action="store_true", help="forget the colours measured before")
    args = ask.parse_args(argv)
    config = load()
    language = config.table.language
    place = config.state_dir / calibration.FILE
    before, problem = calibration.load_with_problem(place)
    if problem is not None:
        complain(problem, language)
    image = glimpse(config, args)
    if isinstance(image, tuple):
        return complain(image, language)
    try:
        found = _measured(image, args, before, config.camera.rows)
        calibration.save(place, found)
    except calibration.CalibrationRefused as refused:
        return complain(refused.problem, language)
    except OSError as wrong:
        reason = wrong.strerror or str(wrong)
        return complain(calibration.CalibrationRefused("unreadable", reason=reason).problem, language)
    level = round(found.lamp.level) if found.lamp else 0
    tell(Text("vision/calibrate/done", {"level": level}), language)
    if found.colours:
        named = [calibrate.colour_word(colour) for colour in found.colours]
        colours = ", ".join(words.say(word, language) if isinstance(word, Text) else word for word in named)
        tell(Text("vision/calibrate/colours", {"colours": colours}), language)
    return 0


def _measured(
    image: Image, args: argparse.Namespace, before: calibration.Calibration | None, rows: int
) -> calibration.Calibration:
    """What the picture shows; a table without a printed mat keeps the corners that were given for it."""
    corners: calibration.Corners | None = None
    if args.corners:
        x = args.corners
        corners = (x[0], x[1]), (x[2], x[3]), (x[4], x[5]), (x[6], x[7])
    elif before is not None and before.tapped and len(mats.find(image)) < 3:
        corners, rows = calibration.scaled(before, (image.shape[1], image.shape[0])), before.rows
    rows = args.rows or rows
    return calibrate.measure(
        image,
        rows=rows,
        colours=calibrate.dice_places(tuple(args.colours), rows),
        corners=corners,
        card_mm=tuple(args.card) if args.card else None,
        die_mm=args.die,
        before=before,
        fresh=args.fresh,
        now=time.time(),
    )
