"""`tableside calibrate`: mat, player colours, card size and lamp of this table."""

from __future__ import annotations

import argparse
import time
from typing import Any

from companion.wire.config import Config, load
from vision import calibrate, calibration, words
from vision import mat as mats
from vision.calibration import Calibration
from vision.camera.frame import Image, Problem, Text
from vision.terminal.declared import chosen
from vision.terminal.glimpse import complain, glimpse, options, tell
from vision.terminal.running import running


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
        "--die",
        type=float,
        metavar="MM",
        help="edge of the dice in millimetres; default: as before, or as the game has them",
    )
    ask.add_argument("--fresh", action="store_true", help="forget the colours measured before")
    args = ask.parse_args(argv)
    args.mat = chosen(ask, args)
    config = load()
    language = config.table.language
    before, problem = calibration.load_with_problem(config.state_dir / calibration.FILE)
    if problem is not None:
        complain(problem, language)
    found = _of_the_running_table(config, args, before) or _by_ourselves(config, args, before)
    if isinstance(found, tuple):
        return complain(found, language)
    tell(Text("vision/calibrate/done", {"level": round(found.lamp.level) if found.lamp else 0}), language)
    if found.colours:
        named = [calibrate.colour_word(colour) for colour in found.colours]
        colours = ", ".join(words.say(word, language) if isinstance(word, Text) else word for word in named)
        tell(Text("vision/calibrate/colours", {"colours": colours}), language)
    return 0


def _of_the_running_table(
    config: Config, args: argparse.Namespace, before: Calibration | None
) -> Calibration | Problem | None:
    """Its camera measures and keeps; `None` when no table is running."""
    table = running(config) if args.photo is None else None
    if table is None:
        return None
    wanted: dict[str, Any] = {"colours": list(args.colours), "fresh": args.fresh}
    if args.corners:
        width, height = config.camera.width, config.camera.height
        points = zip(args.corners[::2], args.corners[1::2], strict=True)
        wanted["corners"] = [[x / width, y / height] for x, y in points]
    sizes = {"card_mm": args.card, "die_mm": args.die}
    wanted |= {name: value for name, value in sizes.items() if value}
    by_hand = before is not None and before.tapped and args.colours and not args.corners
    told = table.ask("sample colours" if by_hand else "calibrate", **wanted)
    table.close()
    return told if isinstance(told, tuple) else calibration.load(config.state_dir / calibration.FILE)


def _by_ourselves(config: Config, args: argparse.Namespace, before: Calibration | None) -> Calibration | Problem:
    image = glimpse(config, args)
    if isinstance(image, tuple):
        return image
    try:
        found = _measured(image, args, before)
        calibration.save(config.state_dir / calibration.FILE, found)
    except calibration.CalibrationRefused as refused:
        return refused.problem
    except OSError as wrong:
        return calibration.CalibrationRefused("unreadable", reason=wrong.strerror or str(wrong)).problem
    return found


def _measured(image: Image, args: argparse.Namespace, before: Calibration | None) -> Calibration:
    """What the picture shows; a table without a printed mat keeps the corners that were given for it."""
    corners: calibration.Corners | None = None
    if args.corners:
        x = args.corners
        corners = (x[0], x[1]), (x[2], x[3]), (x[4], x[5]), (x[6], x[7])
    elif before is not None and before.tapped and len(mats.find(image)) < 3:
        corners = calibration.scaled(before, (image.shape[1], image.shape[0]))
    mat: mats.Mat = args.mat
    return calibrate.measure(
        image,
        mat=mat,
        colours=calibrate.dice_places(tuple(args.colours), mat),
        corners=corners,
        card_mm=tuple(args.card) if args.card else None,
        die_mm=args.die,
        before=before,
        fresh=args.fresh,
        now=time.time(),
    )
