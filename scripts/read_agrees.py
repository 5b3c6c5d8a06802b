"""`tableside read` and the tray on the same photos: where both say a number, they must say the same one.

Each labelled photo from above is read as a free photo, and again as a tray that fills the picture: looked at by five frames that
vote, as a throw is. How large a die is on the tray comes from what the free photo found, as a player would measure one.
usage: python scripts/read_agrees.py FOLDER     a folder with labels.json, as `tableside bench vision` takes it
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from companion.senses.standing import SURE
from companion.sensing import Area
from companion.sensing import Mat as Declared
from vision import mat as mats
from vision.reader import photo, vote
from vision.reading import AT_MOST, dice_of

DIE, BOXED, LONGEST, ROOM = 16.0, 1.25, 1200, 1190.0
"""Edge of a die in millimetres, how much larger its box is, pixels and millimetres of the longest side at most."""
Said = list[tuple[float, float, int | None]]


def as_tray(image: NDArray[np.uint8], side: float) -> Said:
    """Middle and face of every die, in pixels, read as a tray on which a die's box is so large; no face where it would ask."""
    per_mm = max(side / (BOXED * DIE), max(image.shape[:2]) / ROOM)
    height, width = (length / per_mm for length in image.shape[:2])
    mat = mats.of(Declared(width, height, (Area("tray", 0.0, 0.0, width, height, ("loose dice",)),), die_mm=DIE))
    matrix = np.array([[per_mm, 0, 0], [0, per_mm, -mats.BAND * per_mm], [0, 0, 1.0]])
    frames = [dice_of(image, matrix, mat, ("tray",), {}, look, DIE)["tray"] for look in range(AT_MOST)]
    return [
        (die.x * width * per_mm, die.y * height * per_mm, die.face if max(die.faces) >= SURE else None)
        for die in vote.together(frames)
    ]


def main(argv: list[str]) -> int:
    """Count, and name every photo in which they differ."""
    if len(argv) != 1:
        sys.stderr.write(__doc__ or "")
        return 2
    folder, agree, differ, one, asked = Path(argv[0]), 0, 0, 0, 0
    for item in json.loads((folder / "labels.json").read_text())["images"]:
        image = cv2.imread(str(folder / item["image"]))
        if item.get("view") != "above" or image is None:
            continue
        share = min(1.0, LONGEST / max(image.shape[:2]))
        small = np.asarray(cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
        free = [die for die in photo.read(small) if die.value is not None]
        if not free:
            continue
        side = statistics.median(max(die.w, die.h) for die in free)
        lying = as_tray(small, side)
        for die in free:
            x, y = die.x + die.w / 2, die.y + die.h / 2
            near = [face for a, b, face in lying if max(abs(a - x), abs(b - y)) < side / 2]
            if not near:
                one += 1
            elif near[0] is None:
                asked += 1
            elif near[0] == die.value:
                agree += 1
            else:
                differ += 1
                sys.stdout.write(f"{item['image']}: read says {die.value}, the tray {near[0]}\n")
    sys.stdout.write(f"agree {agree}, differ {differ}, the tray would ask {asked}, the tray sees none {one}\n")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
