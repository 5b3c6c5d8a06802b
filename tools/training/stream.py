"""What the networks are shown: stored scenes and crops, mirrored, turned, relit and recoloured anew every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from tools.training import samples
from tools.training.scenes import Label, Scene
from tools.training.store import Store

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
    return Scene(picture, dice, scene.slanted)


def longer(rng: np.random.Generator) -> float:
    """How much longer one side of a picture gets: people stretch theirs, and a slanted view squeezes a face."""
    return float(min(np.exp(abs(rng.normal(0, 0.22))), 1.5)) if rng.random() < 0.6 else 1.0


def stretched(rng: np.random.Generator, scene: Scene) -> Scene:
    """The scene longer across or down, cut to its old size: seen from the side a die is wide, in a squeezed photo tall."""
    side, by, axis = scene.picture.shape[0], np.ones(2), int(rng.integers(2))
    by[axis] = longer(rng)
    start = rng.uniform(1 - by, 0) * side
    way = np.column_stack([np.diag(by), start])
    picture = cv2.warpAffine(np.ascontiguousarray(scene.picture), way, (side, side))
    dice = tuple(
        Label(by[0] * d.x + start[0], by[1] * d.y + start[1], by[0] * d.w, by[1] * d.h, d.value) for d in scene.dice
    )
    return Scene(np.asarray(picture, np.uint8), dice, scene.slanted)


def scenes(stores: Sequence[Store], shares: Sequence[float], size: int, seed: int) -> Iterator[Batch]:
    """Endless batches of pictures and target planes."""
    rng = np.random.default_rng(seed)
    while True:
        pictures, targets = [], []
        for which in rng.choice(len(stores), size, p=np.array(shares) / sum(shares)):
            scene = stores[which].scene(int(rng.integers(len(stores[which]))))
            quarters = int(rng.integers(4)) if rng.random() < (0.06 if scene.slanted else 0.6) else 0
            scene = turned(stretched(rng, scene), rng.random() < 0.5, quarters)
            pictures.append(scene.picture)
            targets.append(samples.planes(scene))
        yield relit(rng, pictures), torch.from_numpy(np.stack(targets))


def crops(pools: Sequence[Crops], sizes: Sequence[int], seed: int) -> Iterator[Batch]:
    """Endless batches of crops and classes, `sizes` from each pool."""
    rng = np.random.default_rng(seed)
    while True:
        parts, values = [], []
        for (pictures, classes), size in zip(pools, sizes, strict=True):
            pick = rng.integers(0, len(pictures), size)
            parts.append(pictures[pick])
            values.append(classes[pick])
        shown = [aimed(rng, kept) for part in parts for kept in part]
        yield relit(rng, shown), torch.from_numpy(np.concatenate(values))


def aimed(rng: np.random.Generator, kept: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A kept crop as another camera would have cut it: mirrored, squeezed, askew, a little beside, nearer or not."""
    half = samples.KEPT / 2
    angle = float(rng.normal(0, 8))
    m = cv2.getRotationMatrix2D((half, half), angle, float(np.exp(rng.normal(0, 0.07))))
    m[int(rng.integers(2))] *= 1 / longer(rng)
    m[:, 2] += samples.CROP / 2 - m @ (half, half, 1) + rng.normal(0, 1.3, 2)
    if rng.random() < 0.5:
        kept = np.ascontiguousarray(kept[:, ::-1])
    size = (samples.CROP, samples.CROP)
    return np.asarray(cv2.warpAffine(kept, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def relit(rng: np.random.Generator, pictures: Sequence[NDArray[np.uint8]]) -> torch.Tensor:
    """Other light, and for a third of them other colours; by tables, which cost a fifth of the arithmetic."""
    levels = np.arange(256, dtype=np.float32)[:, None]
    lit = []
    for picture in pictures:
        curve = levels * rng.uniform(0.75, 1.25, 3) + rng.uniform(-18, 18)
        seen = cv2.LUT(np.ascontiguousarray(picture), np.clip(curve, 0, 255).astype(np.uint8)[:, None])
        lit.append(seen[..., rng.permutation(3)] if rng.random() < 0.3 else seen)
    return torch.from_numpy(np.stack(lit)).permute(0, 3, 1, 2).float()
