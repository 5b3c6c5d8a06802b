"""Scenes as the camera above a game sees them: rows of printed cards laid straight, dice on and between them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.training.render import Sprite
from tools.training.scenes import Label, Scene, ground, lamp, lens, paste

Picture = NDArray[np.uint8]

BOX_MM = 18.5
"""The box of a golem die lying askew, sides and all."""
PITCH = 67.0, 90.0
CARD = 63.0, 88.0


def laid(rng: np.random.Generator, sprites: list[Sprite], deck: list[Picture], side: int = 256) -> Scene:
    """One piece of a market, turned any way, dice from none to many; some of them touch."""
    size = float(np.exp(rng.uniform(np.log(22), np.log(68))))
    picture = _cards(rng, deck, side, size / BOX_MM)
    dice = _throw(rng, picture, sprites, size) if rng.random() < 0.85 else ()
    return Scene(lens(rng, lamp(rng, picture), size), dice)


def _cards(rng: np.random.Generator, deck: list[Picture], side: int, scale: float) -> NDArray[np.float32]:
    """Cards in rows on paper, wood or cloth, at `scale` pixels per millimetre."""
    out = ground(rng, side)
    if rng.random() < 0.6:
        out[:] = rng.uniform(200, 250)
    quarter = float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 4))
    turn = np.vstack([cv2.getRotationMatrix2D((side / 2, side / 2), quarter, 1.0), [0, 0, 1]])
    shift = rng.uniform(-0.5, 0.5, 2) * PITCH
    reach = side * 0.75 / scale
    for i in range(-int(reach / PITCH[0]) - 1, int(reach / PITCH[0]) + 2):
        for j in range(-int(reach / PITCH[1]) - 1, int(reach / PITCH[1]) + 2):
            if rng.random() < 0.12:
                continue
            art = deck[int(rng.integers(len(deck)))]
            to_px = scale * CARD[0] / art.shape[1]
            if to_px < 0.6:  # averaged first: thin print must fade, not flicker
                art = np.asarray(cv2.resize(art, None, fx=to_px, fy=to_px, interpolation=cv2.INTER_AREA), np.uint8)
                to_px = 1.0
            corner = side / 2 + (np.array([i * PITCH[0], j * PITCH[1]]) + shift) * scale
            place = np.array([[to_px, 0, corner[0]], [0, to_px, corner[1]], [0, 0, 1]])
            whole = (turn @ place)[:2]
            cover = cv2.warpAffine(np.full(art.shape[:2], 255, np.uint8), whole, (side, side))
            if cover.any():
                drawn = cv2.warpAffine(art, whole, (side, side), flags=cv2.INTER_LINEAR).astype(np.float32)
                alpha = cover[..., None].astype(np.float32) / 255
                out = out * (1 - alpha) + drawn * alpha
    return np.asarray(out, np.float32)


def _throw(
    rng: np.random.Generator, picture: NDArray[np.float32], sprites: list[Sprite], size: float
) -> tuple[Label, ...]:
    """Dice seen nearly from above, turned any way; one in three lies against another."""
    side = picture.shape[0]
    labels: list[Label] = []
    for _ in range(int(rng.integers(1, 9))):
        sprite = sprites[int(rng.integers(len(sprites)))]
        sprite = Sprite(
            *(np.ascontiguousarray(np.rot90(p, k)) for k in [int(rng.integers(4))] for p in (sprite.bgr, sprite.cover)),
            sprite.value,
            sprite.tilt,
        )
        die_size = size * rng.uniform(0.85, 1.12)
        at = rng.uniform(0, side, 2)
        if labels and rng.random() < 0.33:
            last = labels[-1]
            way, gap = rng.uniform(0, 2 * np.pi), rng.uniform(0.82, 1.1) * die_size
            at = np.array([last.x + last.w / 2 + gap * np.cos(way), last.y + last.h / 2 + gap * np.sin(way)])
        if all(np.hypot(at[0] - o.x - o.w / 2, at[1] - o.y - o.h / 2) > 0.8 * (die_size + o.w) / 2 for o in labels):
            labels.append(paste(rng, picture, sprite, (float(at[0]), float(at[1])), die_size))
    return tuple(labels)
