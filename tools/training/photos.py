"""Labelled photos as training material: loader (`--photos DIR`) and the ways one photo becomes many."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tools.training.render import Sprite
from tools.training.scenes import Label, Picture, Scene, heap, lamp, lens, one_view, throw

LONG = 640
MAY_TRAIN = ("N3VERS4YDIE", "aws-samples", "DamianTab")
"""Sources whose licence lets a shipped model learn from them; all others are for measuring only."""


@dataclass(frozen=True)
class Photo:
    """A photo scaled to the finder's size, its dice, where it comes from, and whether the camera looked from the side."""

    picture: Picture
    dice: tuple[Label, ...]
    source: str
    slanted: bool


def load(folder: Path) -> list[Photo]:
    """Every photo of `labels.json` in `folder`, long side 640; ignored dice carry the value 0."""
    document = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    photos = []
    for item in document["images"]:
        picture = cv2.imread(str(folder / item["image"]))
        if picture is None:
            raise ValueError(f"{folder / item['image']}: not a readable picture")
        scale = LONG / max(picture.shape[:2])
        dice = tuple(
            Label(*(float(d[k]) * scale for k in "xywh"), 0 if d.get("ignore") else int(d["value"]))
            for d in item["dice"]
        )
        size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        slanted = item.get("view") != "above"
        photos.append(Photo(cv2.resize(picture, size, interpolation=way), dice, str(item["source"]), slanted))
    return photos


def recoloured(rng: np.random.Generator, picture: Picture) -> Picture:
    """Other colours of the same dice: hue turned, channels swapped, more or less colour."""
    if rng.random() < 0.6:
        hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
        hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.4, 1.6), 0, 255)
        picture = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)
    if rng.random() < 0.12:
        picture = 255 - picture
    return picture


def window(rng: np.random.Generator, photo: Photo, side: int) -> Scene:
    """A square piece of a photo at another scale, turned or mirrored, without changing its light."""
    sx = float(np.exp(rng.uniform(np.log(0.6), np.log(1.7))))
    sy = sx * rng.uniform(0.8, 1.25)
    aim = photo.dice[int(rng.integers(len(photo.dice)))] if photo.dice and rng.random() < 0.8 else None
    cx = aim.x + aim.w / 2 if aim else rng.uniform(0, photo.picture.shape[1])
    cy = aim.y + aim.h / 2 if aim else rng.uniform(0, photo.picture.shape[0])
    x0 = cx - rng.uniform(0.1, 0.9) * side / sx
    y0 = cy - rng.uniform(0.1, 0.9) * side / sy
    turn = np.array([[sx, 0, -x0 * sx], [0, sy, -y0 * sy], [0, 0, 1]], np.float64)
    flip = np.eye(3)
    if rng.random() < 0.5:
        flip = np.array([[-1, 0, side], [0, 1, 0], [0, 0, 1.0]]) @ flip
    turns = 0.1 if photo.slanted else 1.0
    if rng.random() < 0.35 * turns:
        flip = np.array([[0, 1, 0], [-1, 0, side], [0, 0, 1.0]]) @ flip
    if rng.random() < 0.2 * turns:
        flip = np.array([[-1, 0, side], [0, -1, side], [0, 0, 1.0]]) @ flip
    whole = flip @ turn
    way = cv2.INTER_AREA if sx < 0.8 else cv2.INTER_LINEAR
    picture = cv2.warpAffine(photo.picture, whole[:2], (side, side), flags=way, borderMode=cv2.BORDER_REFLECT_101)
    labels = []
    for d in photo.dice:
        corners = np.array([[d.x, d.y, 1], [d.x + d.w, d.y + d.h, 1]]) @ whole[:2].T
        low, high = corners.min(axis=0), corners.max(axis=0)
        labels.append(Label(low[0], low[1], high[0] - low[0], high[1] - low[1], d.value))
    outside = cv2.warpAffine(
        np.full(photo.picture.shape[:2], 255, np.uint8), whole[:2], (side, side), borderMode=cv2.BORDER_CONSTANT
    )
    picture[outside == 0] = rng.integers(0, 256, 3)
    return Scene(np.asarray(picture, np.uint8), tuple(labels), photo.slanted)


def cleared(piece: Scene) -> Picture:
    """The table without its dice, filled in from around them."""
    hole = np.zeros(piece.picture.shape[:2], np.uint8)
    for d in piece.dice:
        grow = 0.12 * max(d.w, d.h)
        low = round(d.x - grow), round(d.y - grow)
        cv2.rectangle(hole, low, (round(d.x + d.w + grow), round(d.y + d.h + grow)), 255, -1)
    half = cv2.resize(piece.picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    filled = cv2.inpaint(half, cv2.resize(hole, (half.shape[1], half.shape[0])), 3, cv2.INPAINT_TELEA)
    large = cv2.resize(filled, (hole.shape[1], hole.shape[0]))
    return np.asarray(np.where(hole[..., None] > 0, large, piece.picture), np.uint8)


def scene(rng: np.random.Generator, photos: list[Photo], sprites: list[Sprite], side: int = 256) -> Scene:
    """A piece of a real photo, recoloured and relit; rendered dice are thrown in, or lie there alone."""
    piece = window(rng, photos[int(rng.integers(len(photos)))], side)
    size = max(float(np.median([d.w for d in piece.dice])) if piece.dice else 50.0, 24.0)
    near, steep = one_view(rng, sprites, piece.slanted)
    bare = rng.random() < 0.25
    picture = recoloured(rng, cleared(piece) if bare else piece.picture).astype(np.float32)
    dice = () if bare else piece.dice
    if bare and rng.random() < 0.4:
        dice = heap(rng, picture, near, float(np.clip(size, 28, 90)), steep)
    elif bare or rng.random() < 0.25:
        dice = (*dice, *throw(rng, picture, near, list(dice), size))
    if rng.random() < 0.6:
        picture = lamp(rng, picture)
    size = min((max(d.w, d.h) for d in dice if d.value), default=60.0)
    seen = lens(rng, picture, size) if rng.random() < 0.6 else np.clip(picture, 0, 255).astype(np.uint8)
    return Scene(seen, dice, piece.slanted)
