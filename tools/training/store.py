"""Scenes made once and shown many times: drawing them costs more than learning from them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.training import cardprint, photos, render, scenes, tables
from tools.training.scenes import Label, Scene

Make = Callable[[np.random.Generator], Scene]

SIDE = 256
HANDS = 2
"""Processes that draw at the same time."""
CHUNK = 250
ABOVE = 0.5
"""Radians off the vertical up to which a camera hangs above the table."""


@dataclass(frozen=True)
class Store:
    """Many pictures of 256 x 256 and the dice in each."""

    pictures: NDArray[np.uint8]
    dice: Sequence[tuple[Label, ...]]
    slanted: Sequence[bool]

    def __len__(self) -> int:
        return len(self.dice)

    def scene(self, number: int) -> Scene:
        """One of them."""
        return Scene(self.pictures[number], self.dice[number], self.slanted[number])


def sprites(path: Path, count: int, seed: int) -> list[render.Sprite]:
    """Ray-traced dice."""
    if not path.exists():
        with ProcessPoolExecutor(HANDS, get_context("fork")) as hands:
            parts = hands.map(_dice, [(seed + k, CHUNK) for k in range(-(-count // CHUNK))])
            path.write_bytes(pickle.dumps([die for part in parts for die in part][:count]))
    made: list[render.Sprite] = pickle.loads(path.read_bytes())
    return made


def _dice(order: tuple[int, int]) -> list[render.Sprite]:
    rng = np.random.default_rng(order[0])
    return [render.die(rng) for _ in range(order[1])]


def kept(path: Path, make: Make, count: int, seed: int) -> Store:
    """The scenes in a file, drawn now when there is none."""
    if not path.exists():
        # forked hands are given the maker as it is, with all its dice and cards
        with ProcessPoolExecutor(HANDS, get_context("fork"), initializer=_maker.append, initargs=(make,)) as hands:
            drawn = hands.map(_scenes, [(seed * 1000 + k, CHUNK) for k in range(-(-count // CHUNK))])
            parts = [scene for part in drawn for scene in part]
        path.with_suffix(".dice").write_bytes(pickle.dumps([(s.dice, s.slanted) for s in parts]))
        np.save(path, np.stack([s.picture for s in parts]))
    dice, slanted = zip(*pickle.loads(path.with_suffix(".dice").read_bytes()), strict=True)
    return Store(np.load(path, mmap_mode="r"), dice, slanted)


_maker: list[Make] = []


def _scenes(order: tuple[int, int]) -> list[Scene]:
    rng = np.random.default_rng(order[0])
    return [_maker[-1](rng) for _ in range(order[1])]


def all_of(work: Path, folder: Path | None, count: int, seed: int) -> dict[str, Store]:
    """Every store by name: `tables`, `rendered`, and one for each source of photos that may train."""
    work.mkdir(parents=True, exist_ok=True)
    dice = sprites(work / "sprites.pickle", count, seed)
    above = [die for die in dice if die.tilt < ABOVE]
    deck = cardprint.deck(seed, 200)
    out = {
        "tables": kept(work / "tables.npy", lambda rng: tables.laid(rng, above, deck, SIDE), count, seed + 1),
        "rendered": kept(work / "rendered.npy", lambda rng: scenes.rendered(rng, dice, SIDE), count, seed + 2),
    }
    if folder is not None:
        real = photos.load(folder)
        for k, name in enumerate(photos.MAY_TRAIN):
            mine = [p for p in real if p.source.startswith(name)]
            if mine:
                path = work / f"{name}.npy"
                out[name] = kept(path, _pieces(mine, dice), count // 2, seed + 3 + k)
    return out


def _pieces(real: list[photos.Photo], dice: list[render.Sprite]) -> Make:
    return lambda rng: photos.scene(rng, real, dice, SIDE)
