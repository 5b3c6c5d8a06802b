"""`tableside read PHOTO… [--json]`: the dice in any photo."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any


def main(argv: list[str]) -> int:
    """Read photos; data on stdout, talk on stderr; 1 when a photo could not be read."""
    ask = argparse.ArgumentParser(prog="tableside read", description="Find and read the dice in photos.")
    ask.add_argument("photos", nargs="+", metavar="PHOTO", type=Path)
    ask.add_argument("--json", action="store_true", help="one object: file -> list of dice in pixels")
    args = ask.parse_args(argv)
    from vision.reader.nets import ModelDamaged

    try:
        return _read(args.photos, args.json)
    except ModelDamaged as damaged:
        sys.stderr.write(f"{damaged}\n")
        return 1


def _read(photos: list[Path], as_json: bool) -> int:
    from vision.reader import files, photo

    document: dict[str, list[dict[str, Any]]] = {}
    failed = 0
    for path in _progress(photos):
        try:
            dice = photo.read(files.read_picture(path))
        except files.NoPicture as wrong:
            failed += 1
            sys.stderr.write(f"{wrong}\n")
            continue
        document[str(path)] = [die.document() for die in dice]
        if not as_json:
            told = [_told(die) for die in document[str(path)]]
            sys.stdout.write(f"{path}: {', '.join(told) if told else 'no dice'}\n")
    if as_json:
        json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
        sys.stdout.write("\n")
    return 1 if failed else 0


def _told(die: dict[str, Any]) -> str:
    """One die in words: what it shows, how sure that is, and where its middle lies in the picture."""
    what = " ".join(str(word) for word in (die["value"] or "?", die["colour"]) if word)
    x, y = round(die["x"] + die["w"] / 2), round(die["y"] + die["h"] / 2)
    return f"{what} ({die['confidence']:.0%}) at {x},{y}"


def _progress(photos: list[Path]) -> Any:
    """A bar on the terminal when there are many files; silent in a pipe."""
    if len(photos) < 3 or not sys.stderr.isatty():
        return photos
    from rich.console import Console
    from rich.progress import track

    return track(photos, description="", console=Console(stderr=True), transient=True)
