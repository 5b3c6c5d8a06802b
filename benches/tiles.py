"""Figures of tiles: taught once through the virtual camera, then shown turned by any angle, in another light and under glare."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from benches.figures import Row, row
from benches.random_markets import in_view, lens, light
from companion.sensing import Area, Mat
from vision import mat as mats
from vision.cards.recognition import CardBook
from vision.commands import SLOT_PX_PER_MM, teach_from
from vision.reading import TILE_OVER
from vision.virtual.scene import Light, Studio
from vision.virtual.tileface import ACROSS, LAND

EACH = 4
NAMES = tuple(f"{kind}-{family}-{number}" for kind in ACROSS for family in LAND for number in range(1, EACH + 1))
"""Sixty tiles: hexagons, squares and discs, four of each land."""
SEED = 277000
"""Of the first view; named before anybody rendered it."""
PITCH, ROOM = 66.0, 56.0
SPOKEN = tuple((column, line) for line in range(4) for column in range(5))
MAT = mats.of(
    Mat(
        5 * PITCH,
        4 * PITCH,
        tuple(
            Area(f"tile-{number}", x * PITCH + 5, y * PITCH + 5, ROOM, ROOM, ("tiles",))
            for number, (x, y) in enumerate(SPOKEN, 1)
        ),
    )
)
SLOTS = MAT.in_reading_order


@dataclass
class TileCount:
    """Counts over many views."""

    right: int = 0
    wrong: int = 0
    unknown: int = 0
    strangers: int = 0
    guessed: int = 0
    mistakes: list[str] = field(default_factory=list)
    took: list[float] = field(default_factory=list)


def laid(names: list[str], rng: np.random.Generator) -> dict[str, Any]:
    """These tiles as hands lay them: a little beside the middle, turned by any angle."""
    return {
        slot: {
            "tile": {
                "name": name,
                "x": float(rng.uniform(-4, 4)),
                "y": float(rng.uniform(-4, 4)),
                "angle": float(rng.uniform(0, 360)),
            }
        }
        for slot, name in zip(SLOTS, names, strict=False)
    }


def taught_book(names: tuple[str, ...], seed: int) -> CardBook:
    """Every tile taught once, a mat at a time, under an ordinary lamp."""
    book, rng = CardBook(), np.random.default_rng(seed)
    for first in range(0, len(names), len(SLOTS)):
        some = list(names[first : first + len(SLOTS)])
        studio = Studio(MAT.declared, seed=seed)
        image = studio.sensor(studio.picture(laid(some, rng), None, Light()), Light(), first)
        matrix = mats.registered(mats.find(image), MAT)
        assert matrix is not None
        for slot, name in zip(SLOTS, some, strict=False):
            teach_from(book, image, matrix, MAT, slot, name)
    return book


def view(seed: int, whole: CardBook, half: CardBook, result: TileCount) -> None:
    """Twenty tiles under another lamp, seen from elsewhere: named by who knows all, and by who knows every second one."""
    rng = np.random.default_rng(seed)
    look = lens(rng)
    while not in_view(look, MAT.declared):
        look = lens(rng)
    lamp = replace(light(rng), shadow=0.3)
    names = rng.permutation(NAMES)[: len(SLOTS)].tolist()
    studio = Studio(MAT.declared, lens=look, seed=seed)
    image = studio.sensor(studio.picture(laid(names, rng), None, lamp), lamp, seed)
    matrix = mats.registered(mats.find(image), MAT)
    for slot, name in zip(SLOTS, names, strict=True):
        if matrix is None:
            result.unknown += 1
            continue
        seen = mats.straight(image, matrix, MAT.slots[slot], SLOT_PX_PER_MM, TILE_OVER)
        began = time.thread_time()
        found = whole.tiles.recognise(seen, SLOT_PX_PER_MM).card
        result.took.append(1000 * (time.thread_time() - began))
        result.right += found == name
        result.unknown += found is None
        if found not in (name, None):
            result.wrong += 1
            result.mistakes.append(f"{seed} {slot}: {name} read as {found}")
        if name not in half.cards:
            result.strangers += 1
            named = half.tiles.recognise(seen, SLOT_PX_PER_MM).card
            if named is not None:
                result.guessed += 1
                result.mistakes.append(f"{seed} {slot}: {name} never taught, named {named}")


def rows(first: int = SEED, views: int = 30) -> list[Row]:
    """The lines of `tableside bench vision` about tiles."""
    whole, half = taught_book(NAMES, first - 1), taught_book(NAMES[::2], first - 2)
    result = TileCount()
    for seed in range(first, first + views):
        view(seed, whole, half, result)
    total = result.right + result.wrong + result.unknown
    return [
        row("tiles right", 100 * result.right / total, "%", 99.0, n=total, least=True, mistakes=result.mistakes),
        row("tiles wrong", result.wrong, "tiles", 0, n=total),
        row("tiles never taught but named", result.guessed, "tiles", 0, n=result.strangers),
        row("one tile, median", float(np.median(result.took)), "ms", 40.0, n=len(result.took)),
    ]
