"""`python -m tools.spots_picture [FILE]`: a rendered board of islands and what the camera reads at each of its spots."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from benches.random_boards import board, filled
from benches.spots import FOUR, Watched
from companion.games.skyrise.mat import islands_mat

INKS = {"coral": (60, 60, 230), "leaf": (60, 170, 60), "sun": (30, 190, 240), "snow": (150, 150, 150)}


def main(arguments: list[str]) -> int:
    """The camera's picture with a ring around every spot: in the colour of its piece, dotted grey where it is bare."""
    table = Watched(board(islands_mat(), 12, colours=FOUR, shapes=("tower",), tokens=True))
    rng = np.random.default_rng(12)
    table.teach(rng)
    table.reader.stands("picture", {})
    table.show(table.scene.bare, None, table.scene.light, 20)
    table.show(table.scene.bare, {"x": 0.4, "y": 0.5}, table.scene.light, 4)
    slots = filled(table.scene, rng, 0.35)
    seen = table.show(slots, None, table.scene.light, 40)
    assert seen is not None and table.reader.matrix is not None
    picture = table.scene.studio.picture(slots, None, table.scene.light)
    for spot in seen.slots:
        left, top, wide, _ = table.reader.mat.slots[spot.slot]
        turn = np.linspace(0, 2 * np.pi, 60)
        around = np.stack(
            [left + wide / 2 * (1 + 1.15 * np.cos(turn)), top + wide / 2 * (1 + 1.15 * np.sin(turn))], axis=1
        )
        points = np.round(cv2.perspectiveTransform(around[None], table.reader.matrix)[0]).astype(np.int32)
        best = max(spot.pieces, key=lambda word: spot.pieces[word])
        if best:
            cv2.polylines(picture, [points], True, INKS[best], 5, cv2.LINE_AA)
        else:
            for a, b in zip(points[::4], points[1::4], strict=False):
                cv2.line(picture, a.tolist(), b.tolist(), (235, 235, 235), 2, cv2.LINE_AA)
    target = Path(arguments[0] if arguments else "docs/pictures/spots.jpg")
    cv2.imwrite(str(target), cv2.resize(picture[:, 400:1560], None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA))
    sys.stdout.write(f"{target}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
