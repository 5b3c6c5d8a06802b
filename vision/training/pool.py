"""A pool of crops, cut once and shown many times: cutting costs more than learning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from vision.training import photos as real
from vision.training import render, samples, scenes
from vision.training.nets import CROP


def cut(
    dice: list[render.Sprite], photos: list[real.Photo], count: int, seed: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Crops, classes (6 is "no die") and where each comes from: -1 rendered, else an index into `real.MAY_TRAIN`."""
    rng = np.random.default_rng(seed)
    crops, values, origins = [], [], []
    groups = [[p for p in photos if p.source.startswith(name)] for name in real.MAY_TRAIN]
    groups = [g for g in groups if g]
    while len(crops) < count:
        origin = int(rng.integers(len(groups))) if groups else -1
        scene = real.scene(rng, groups[origin], dice) if groups else scenes.rendered(rng, dice)
        for crop, value in samples.crops(rng, scene):
            crops.append(crop)
            values.append(value - 1 if value else 6)
            origins.append(origin)
    return np.stack(crops), np.array(values, np.int64), np.array(origins, np.int64)


def kept(
    path: Path, dice: list[render.Sprite], photos: list[real.Photo], count: int, seed: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """The same, made once and kept on disk."""
    if not path.exists():
        crops, values, origins = cut(dice, photos, count, seed)
        np.savez(path, crops=crops, values=values, origins=origins)
    with np.load(path) as store:
        return store["crops"], store["values"], store["origins"]


def batches(
    pools: list[tuple[NDArray[np.uint8], NDArray[np.int64]]], sizes: list[int], seed: int
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Endless batches, `sizes` from each pool: mirrored, turned, relit and recoloured anew every time."""
    rng = np.random.default_rng(seed)
    while True:
        parts, values = [], []
        for (crops, classes), size in zip(pools, sizes, strict=True):
            pick = rng.integers(0, len(crops), size)
            parts.append(crops[pick])
            values.append(classes[pick])
        batch = torch.from_numpy(np.concatenate(parts).transpose(0, 3, 1, 2).astype(np.float32))
        n = len(batch)
        flip = torch.from_numpy(rng.random(n) < 0.5)
        batch[flip] = batch[flip].flip(3)
        for turn in (1, 2, 3):
            some = torch.from_numpy(rng.random(n) < 0.1)
            batch[some] = torch.rot90(batch[some], turn, (2, 3))
        mix = torch.from_numpy(rng.random(n) < 0.3)
        batch[mix] = batch[mix][:, torch.from_numpy(rng.permutation(3))]
        gain = torch.from_numpy(rng.uniform(0.75, 1.25, (n, 3, 1, 1)).astype(np.float32))
        lift = torch.from_numpy(rng.uniform(-18, 18, (n, 1, 1, 1)).astype(np.float32))
        shift = rng.integers(-2, 3, 2)
        batch = torch.roll(batch, (int(shift[0]), int(shift[1])), (2, 3))
        batch = (batch * gain + lift).clamp(0, 255)
        assert batch.shape[-1] == CROP
        yield batch, torch.from_numpy(np.concatenate(values))
