"""The print on cards, block by block: what agrees with a taught card, and where two cards can be told apart."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Image

Floats = NDArray[np.float32]

WIDTH, HEIGHT = 192, 264
"""A taught card in pixels: about 3 per millimetre, what a 1920 pixel camera sees of a whole market."""
BLOCK = 12
AGREES, SURELY = 0.55, 0.75
"""Correlation from which a block may be, and surely is, the same print."""
SAME_FACE = 0.92
"""Share of the print that agrees from which two names were taught for one face."""
MIN_LEAD, MIN_BLOCKS, LEAD_SHARE = 10.0, 3.0, 0.25
"""The named card must surely explain this many blocks more than any other, counted where the two differ, and this
share of them.

Measured with two sets of 48 faces, half of them taught: cards that were taught lead by 13 blocks or more and a share of
0.27 or more; look-alikes that were never taught reach 0.25, and then with a third of the print at most.
"""
SLACK = 1
"""Half-size pixels two taught cards may lie apart and still show the same print."""
COLOUR_WEIGHT = np.array((1.0, 1.5, 1.5), np.float32)
PLAIN = 3.0
"""Spread of light and colour below which a block carries no print."""


def calm_of(picture: Image) -> Floats:
    """A card or tile at half its size: a pixel of misplacement matters less, and four times less is to be compared.

    Lightness and two colours: a lamp's tint shifts whole blocks and drops out of the comparison, print does not.
    """
    height, width = picture.shape[:2]
    soft = cv2.resize(cv2.GaussianBlur(picture, (0, 0), 1.0), (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32) * COLOUR_WEIGHT


def blocks_of(calm: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The picture as blocks, each freed of its own brightness and contrast, and which of them carry print."""
    half = BLOCK // 2
    rows, columns = calm.shape[0] // half, calm.shape[1] // half
    squares = calm.reshape(rows, half, columns, half, 3).transpose(0, 2, 1, 3, 4).reshape(rows * columns, -1, 3)
    blocks = (squares - squares.mean(axis=1, keepdims=True)).reshape(rows * columns, -1)
    norm = np.linalg.norm(blocks, axis=1)
    printed = (norm / half > PLAIN).reshape(rows, columns)
    # the rim says how a card was cut and laid, not which it is
    printed[[0, -1]] = False
    printed[:, [0, -1]] = False
    return (blocks / np.maximum(norm, 1e-3)[:, None]).astype(np.float32), printed.ravel()


def both_ways(calm: Sequence[Floats]) -> tuple[Floats, NDArray[np.bool_]]:
    """Blocks of all cards, upright and then upside down: nobody says which end was up when a card was taught."""
    parts = [blocks_of(picture) for picture in (*calm, *(picture[::-1, ::-1] for picture in calm))]
    by_block = np.stack([blocks for blocks, _ in parts], axis=1)
    return by_block, np.stack([printed for _, printed in parts])


def differing(calm: Sequence[Floats], by_block: Floats, printed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where the prints of two cards truly differ: not even moved a little do they look the same.

    Two cards are never taught at quite the same place; without this, twins would be told apart by how they were laid.
    """
    cards = len(calm)
    same = np.full((len(by_block), cards, 2 * cards), -1.0, np.float32)
    for dy in range(-SLACK, SLACK + 1):
        for dx in range(-SLACK, SLACK + 1):
            moved = np.stack([blocks_of(np.roll(picture, (dy, dx), (0, 1)))[0] for picture in calm], axis=1)
            np.maximum(same, np.matmul(moved, by_block.transpose(0, 2, 1)), out=same)
    upright = (same.transpose(1, 2, 0) < AGREES) & (printed[:cards, None] | printed[None])
    # the same pairs seen from the other end: both cards turned, blocks in reverse
    turned = np.roll(upright, cards, axis=1)[:, :, ::-1]
    return np.concatenate([upright, turned])


def agreement_of(by_block: Floats, blocks: Floats) -> Floats:
    """Correlation of every block with the same block of every taught card."""
    result: Floats = np.matmul(by_block, blocks[:, :, None])[:, :, 0].T
    return result


def lead(
    agrees: NDArray[np.bool_], surely: NDArray[np.bool_], differ: NDArray[np.bool_], card: int, share: float
) -> float:
    """How clearly a card leads the nearest other, counted where their prints differ; from 1.0 on it is clear.

    `share` is the part of the differing blocks that must speak for it. Cards that differ in few places need fewer
    blocks, but at least three, and half of what could be seen.
    """
    mine = (differ & surely).sum(axis=1)
    theirs = (differ & agrees).sum(axis=1)
    count = differ.sum(axis=1)
    needed = np.maximum(max(LEAD_SHARE, share) * count, np.clip(0.5 * count, MIN_BLOCKS, MIN_LEAD))
    clear: NDArray[np.float64] = (mine - theirs) / needed
    clear[card % (len(clear) // 2) :: len(clear) // 2] = np.inf
    return float(clear.min())


def plain(grey: Image) -> bool:
    """Nothing lies here: the middle of the slot has no print on it."""
    rows, columns = grey.shape
    middle = grey[rows // 5 : rows - rows // 5, columns // 5 : columns - columns // 5]
    calm = cv2.GaussianBlur(middle, (0, 0), 2).astype(np.float32)
    slope = np.abs(np.diff(calm, axis=0))[:, :-1] + np.abs(np.diff(calm, axis=1))[:-1]
    return float((slope > 6).mean()) < 0.004
