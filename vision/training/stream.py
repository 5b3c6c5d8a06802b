"""What the networks are shown: stored scenes and crops, mirrored, turned, relit and recoloured anew every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from vision.training import samples
from vision.training.scenes import Label, Scene
from vision.training.store import Store

Crops = tuple[NDArray[np.uint8], NDArray[np.int64]]
Batch = tuple[torch.Tensor, torch.Tensor]


def turned(scene: Scene, mirror: bool, quarters: int) -> Scene:
    """The scene mirrored and turned by quarters, its boxes with it."""
    side = float(scene.picture.shape[0])
    picture, dice = scene.picture, scene.dice
    if mirror:
        picture = picture[:, ::-1]
        dice = tuple(Label(side - d.x - d.w, d.y, d.w, d.h, d.value) for d in dice)
    for _ in range(quarters):
        picture = np.rot90(picture)
        dice = tuple(Label(d.y, side - d.x - d.w, d.h, d.w, d.value) for d in dice)
    return Scene(picture, dice)


def scenes(stores: Sequence[Store], shares: Sequence[float], size: int, seed: int) -> Iterator[Batch]:
    """Endless batches of pictures and target planes."""
    rng = np.random.default_rng(seed)
    while True:
        pictures, targets = [], []
        for which in rng.choice(len(stores), size, p=np.array(shares) / sum(shares)):
            scene = stores[which].scene(int(rng.integers(len(stores[which]))))
            scene = turned(scene, rng.random() < 0.5, int(rng.choice([0, 1, 2, 3], p=[0.55, 0.15, 0.15, 0.15])))
            pictures.append(scene.picture)
            targets.append(samples.planes(scene))
        yield relit(rng, np.stack(pictures)), torch.from_numpy(np.stack(targets))


def crops(pools: Sequence[Crops], sizes: Sequence[int], seed: int) -> Iterator[Batch]:
    """Endless batches of crops and classes, `sizes` from each pool."""
    rng = np.random.default_rng(seed)
    while True:
        parts, values = [], []
        for (pictures, classes), size in zip(pools, sizes, strict=True):
            pick = rng.integers(0, len(pictures), size)
            parts.append(pictures[pick])
            values.append(classes[pick])
        batch = relit(rng, np.concatenate(parts))
        flip = torch.from_numpy(rng.random(len(batch)) < 0.5)
        batch[flip] = batch[flip].flip(3)
        for turn in (1, 2, 3):
            some = torch.from_numpy(rng.random(len(batch)) < 0.15)
            batch[some] = torch.rot90(batch[some], turn, (2, 3))
        shift = rng.integers(-2, 3, 2)
        batch = torch.roll(batch, (int(shift[0]), int(shift[1])), (2, 3))
        yield batch, torch.from_numpy(np.concatenate(values))


def relit(rng: np.random.Generator, pictures: NDArray[np.uint8]) -> torch.Tensor:
    """Other light, and for a third of them other colours."""
    batch = torch.from_numpy(np.ascontiguousarray(pictures.transpose(0, 3, 1, 2)).astype(np.float32))
    n = len(batch)
    mix = torch.from_numpy(rng.random(n) < 0.3)
    batch[mix] = batch[mix][:, torch.from_numpy(rng.permutation(3))]
    gain = torch.from_numpy(rng.uniform(0.75, 1.25, (n, 3, 1, 1)).astype(np.float32))
    lift = torch.from_numpy(rng.uniform(-18, 18, (n, 1, 1, 1)).astype(np.float32))
    return (batch * gain + lift).clamp(0, 255)
