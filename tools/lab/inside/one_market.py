"""One market as the camera's room reads it: rendered, mat found, colours taught, several exposures, voted.

usage: python one_market.py SEED      JSON on the output: by slot, each die's owner and face, whether it is sure, and its place
"""

from __future__ import annotations

import json
import sys

from benches.market import FRAMES, read_market, taught_of
from benches.random_markets import market
from companion.games.skytopia.mat import market_mat
from vision import mat


def main(seed: int) -> None:
    """Twenty dice of four players."""
    scene = market(market_mat(4), seed)
    clean = scene.studio.picture(scene.slots, None, scene.light)
    images = (scene.studio.sensor(clean, scene.light, look) for look in range(FRAMES))
    read = read_market(images, mat.of(scene.studio.mat), taught_of(scene))
    told = {
        slot: [[die.owner, die.face, die.sure, round(die.x, 2), round(die.y, 2)] for die in dice]
        for slot, dice in read.items()
    }
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]))
