"""`tableside calibrate`: mat, player colours, card size and lamp of this table."""

from __future__ import annotations

import argparse
import time

from companion.config import load
from vision import calibrate, calibration, words
from vision.camera.frame import Text
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
    args = ask.parse_args(argv)
    config = load()
    language = config.table.language
    image = glimpse(config, args)
    if isinstance(image, tuple):
        return complain(image, language)
    place = config.state_dir / calibration.FILE
    before, _ = calibration.load_with_problem(place)
    rows = args.rows or config.camera.rows
    given = args.corners
    try:
        found = calibrate.measure(
            image,
            rows=rows,
            colours=calibrate.dice_places(tuple(args.colours), rows),
            corners=((given[0], given[1]), (given[2], given[3]), (given[4], given[5]), (given[6], given[7]))
            if given
            else None,
            card_mm=tuple(args.card) if args.card else (before.card_mm if before else (63.0, 88.0)),
            before=before,
            now=time.time(),
        )
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
