"""Whole scenes for training: rendered dice thrown on tables, carpets, trays, cards and clutter, with exact labels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.training.render import Sprite

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Label:
    """The box of a die in pixels, and its face; 0 is a die nobody should be asked about."""

    x: float
    y: float
    w: float
    h: float
    value: int


@dataclass(frozen=True)
class Scene:
    """A picture and the dice in it."""

    picture: Picture
    dice: tuple[Label, ...]
    slanted: bool = False
    """Seen from the side: the upper part of a die is its top, so the picture must stay upright."""


def noise(rng: np.random.Generator, side: int, cells: tuple[int, int]) -> NDArray[np.float32]:
    """Smooth noise with about `cells` bumps across and down."""
    grid = rng.normal(0, 1, (max(cells[1], 2), max(cells[0], 2))).astype(np.float32)
    return np.asarray(cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def ground(rng: np.random.Generator, side: int) -> NDArray[np.float32]:
    """A surface: plain, wood, carpet, weave or stone, with uneven light."""
    hue = np.array([[[rng.integers(0, 180), int(rng.beta(1.2, 2) * 255), int(rng.uniform(15, 250))]]], np.uint8)
    base = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    kind = rng.integers(0, 5)
    grain = noise(rng, side, (3, 3)) * rng.uniform(0, 8)
    if kind == 1:
        across = noise(rng, side, (4, int(rng.integers(30, 120))))
        rings = np.sin(noise(rng, side, (3, 8)) * rng.uniform(4, 14))
        grain += across * rng.uniform(3, 16) + rings * rng.uniform(0, 8)
        if rng.random() < 0.5:
            grain = grain.T
    elif kind == 2:
        n = int(rng.integers(40, 160))
        grain += noise(rng, side, (n, n)) * rng.uniform(8, 38)
    elif kind == 3:
        y, x = np.mgrid[0:side, 0:side].astype(np.float32)
        f, g = rng.uniform(0.15, 1.2, 2)
        grain += (np.sin(x * f) + np.sin(y * g)) * rng.uniform(2, 16)
    elif kind == 4:
        spots = noise(rng, side, (int(rng.integers(10, 60)),) * 2)
        grain += np.where(spots > 1, 1, 0) * rng.uniform(-60, 60) + spots * rng.uniform(0, 14)
    tint = 1 + rng.normal(0, 0.12, 3).astype(np.float32)
    picture = base + grain[..., None] * tint
    return np.asarray(np.clip(picture, 0, 255), np.float32)


def colour(rng: np.random.Generator) -> tuple[int, int, int]:
    """Any colour, with plenty of black and white."""
    if rng.random() < 0.4:
        v = int(rng.choice([rng.integers(0, 50), rng.integers(190, 256)]))
        return v, v, v
    a, b, c = rng.integers(0, 256, 3)
    return int(a), int(b), int(c)


def clutter(rng: np.random.Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Things that are no dice: cards with print, keys, coins, discs in rows, lines, letters, tray rims."""
    side = picture.shape[0]
    out = np.ascontiguousarray(picture.astype(np.uint8))
    for _ in range(int(rng.integers(0, 9))):
        x, y = (int(v) for v in rng.integers(-20, side + 20, 2))
        w, h = (int(v) for v in rng.integers(14, 150, 2))
        kind = rng.integers(0, 9)
        if kind == 0:
            box = cv2.boxPoints(((x, y), (w, h), float(rng.uniform(0, 90)))).astype(np.int32)
            cv2.fillPoly(out, [box], colour(rng), cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(out, (x, y), w // 3, colour(rng), int(rng.choice([-1, 2, 5])), cv2.LINE_AA)
        elif kind == 2:
            end = (int(rng.integers(0, side)), int(rng.integers(0, side)))
            cv2.line(out, (x, y), end, colour(rng), int(rng.integers(1, 14)), cv2.LINE_AA)
        elif kind == 3:
            text = "".join(rng.choice(list("SKYABC0123456789?&"), int(rng.integers(1, 6))))
            cv2.putText(out, text, (x, y), int(rng.integers(0, 4)), float(rng.uniform(0.4, 2.2)), colour(rng), 2)
        elif kind == 4:
            _discs(rng, out, x, y)
        elif kind == 5:
            _keys(rng, out, x, y)
        elif kind == 6:
            cv2.ellipse(out, (x, y), (w, h), float(rng.uniform(0, 180)), 0, 360, colour(rng), int(rng.integers(2, 30)))
        elif kind == 7:
            _grid(rng, out, x, y)
        else:
            _card(rng, out, x, y)
    return out.astype(np.float32)


def _discs(rng: np.random.Generator, out: Picture, x: int, y: int) -> None:
    """Loose round marks, like pips that belong to no die."""
    ink, r = colour(rng), int(rng.integers(2, 8))
    for _ in range(int(rng.integers(1, 9))):
        dx, dy = rng.integers(-50, 50, 2)
        cv2.circle(out, (int(x + dx), int(y + dy)), r, ink, -1, cv2.LINE_AA)


def _grid(rng: np.random.Generator, out: Picture, x: int, y: int) -> None:
    """Rows of marks on a block: windows of a house, a keypad, a domino, holes."""
    step, body, size = int(rng.integers(6, 22)), colour(rng), rng.uniform(0.15, 0.42)
    wide, high = int(rng.integers(1, 6)), int(rng.integers(1, 7))
    if rng.random() < 0.8:
        cv2.rectangle(out, (x, y), (x + wide * step, y + high * step), body, -1)
    inks = [colour(rng), colour(rng)]
    for i in range(wide):
        for j in range(high):
            at = (int(x + (i + 0.5) * step), int(y + (j + 0.5) * step))
            ink, r = inks[int(rng.integers(2))], max(1, int(size * step))
            if rng.random() < 0.5:
                cv2.circle(out, at, r, ink, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(out, (at[0] - r, at[1] - r), (at[0] + r, at[1] + r), ink, -1)


def _keys(rng: np.random.Generator, out: Picture, x: int, y: int) -> None:
    """Rows of small blocks with a sign on each."""
    side, body, ink = int(rng.integers(14, 48)), colour(rng), colour(rng)
    for i in range(int(rng.integers(1, 5))):
        for j in range(int(rng.integers(1, 3))):
            a, b = x + i * (side + 4), y + j * (side + 4)
            cv2.rectangle(out, (a, b), (a + side, b + side), body, -1)
            sign = str(rng.choice(list("QWERTY12345+-")))
            cv2.putText(out, sign, (a + side // 4, b + 3 * side // 4), 0, side / 50, ink, 1, cv2.LINE_AA)


def _card(rng: np.random.Generator, out: Picture, x: int, y: int) -> None:
    """A playing card: frame, picture, icons."""
    w, h = int(rng.integers(60, 200)), int(rng.integers(80, 260))
    cv2.rectangle(out, (x, y), (x + w, y + h), colour(rng), -1)
    cv2.rectangle(out, (x + 5, y + 5), (x + w - 5, y + h - 5), colour(rng), int(rng.integers(1, 6)))
    for _ in range(int(rng.integers(2, 9))):
        a, b = int(x + rng.uniform(0, w)), int(y + rng.uniform(0, h))
        if rng.random() < 0.5:
            cv2.circle(out, (a, b), int(rng.integers(3, 22)), colour(rng), -1, cv2.LINE_AA)
        else:
            c, d = (int(v) for v in rng.integers(5, 60, 2))
            cv2.rectangle(out, (a, b), (a + c, b + d), colour(rng), int(rng.choice([-1, 1, 3])))


def varied(rng: np.random.Generator, sprite: Sprite) -> Sprite:
    """The same die mirrored, in another colour, a little wider or narrower: few are drawn, many are shown."""
    bgr, cover = sprite.bgr, sprite.cover
    if rng.random() < 0.5:
        bgr, cover = bgr[:, ::-1], cover[:, ::-1]
    if rng.random() < 0.5:
        bgr = bgr[..., rng.permutation(3)]
    wide = max(4, round(cover.shape[1] * float(np.exp(rng.normal(0, 0.08)))))
    size = (wide, cover.shape[0])
    bgr, cover = (np.asarray(cv2.resize(np.ascontiguousarray(p), size), np.uint8) for p in (bgr, cover))
    return Sprite(bgr, cover, sprite.value, sprite.tilt)


def paste(
    rng: np.random.Generator,
    out: NDArray[np.float32],
    sprite: Sprite,
    at: tuple[float, float],
    size: float,
    mine: tuple[NDArray[np.int32], int] | None = None,
) -> Label:
    """Lay a die with its shadow; `size` is the longer side of its box, `mine` a map to mark its pixels in."""
    sprite = varied(rng, sprite)
    h0, w0 = sprite.cover.shape
    scale = size / max(h0, w0)
    w, h = max(int(w0 * scale), 4), max(int(h0 * scale), 4)
    body = cv2.resize(sprite.bgr, (w, h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    cover = cv2.resize(sprite.cover, (w, h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    x, y = int(at[0] - w / 2), int(at[1] - h / 2)
    _shadow(rng, out, cover, x, y)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, out.shape[1]), min(y + h, out.shape[0])
    if x0 < x1 and y0 < y1:
        a = cover[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.float32) / 255
        part = out[y0:y1, x0:x1]
        part *= 1 - a
        part += a * body[y0 - y : y1 - y, x0 - x : x1 - x]
        if mine is not None:
            mine[0][y0:y1, x0:x1][a[..., 0] > 0.4] = mine[1]
    return Label(x, y, w, h, sprite.value)


def _shadow(rng: np.random.Generator, out: NDArray[np.float32], cover: Picture, x: int, y: int) -> None:
    """Darken the ground along the way the light falls, softer farther away."""
    h, w = cover.shape
    reach = rng.uniform(0, 1.0) * max(w, h) * (rng.random() < 0.9)
    angle = rng.uniform(0, 2 * np.pi)
    pad = int(reach) + 6
    field = np.zeros((h + 2 * pad, w + 2 * pad), np.float32)
    for t in np.linspace(0, 1, 5):
        dx, dy = int(pad + t * reach * np.cos(angle)), int(pad + t * reach * np.sin(angle))
        part = field[dy : dy + h, dx : dx + w]
        np.maximum(part, cover / np.float32(255), out=part)
    soft = rng.uniform(0.5, 6)
    field = cv2.GaussianBlur(field, (0, 0), soft) * rng.uniform(0.1, 0.75)
    x0, y0 = max(x - pad, 0), max(y - pad, 0)
    x1, y1 = min(x - pad + field.shape[1], out.shape[1]), min(y - pad + field.shape[0], out.shape[0])
    if x0 < x1 and y0 < y1:
        out[y0:y1, x0:x1] *= 1 - field[y0 - y + pad : y1 - y + pad, x0 - x + pad : x1 - x + pad, None]


SLANTED = 0.4
"""Radians off the vertical from which a view is upright: the ray tracer rolls its camera freely below."""


def one_view(rng: np.random.Generator, sprites: list[Sprite], slanted: bool | None = None) -> tuple[list[Sprite], bool]:
    """Some dice that one camera could see together, and whether it looks from the side."""
    tilts = [s.tilt for s in sprites if slanted is None or (s.tilt >= SLANTED) == slanted] or [sprites[0].tilt]
    tilt = tilts[int(rng.integers(len(tilts)))]
    steep = tilt >= SLANTED
    some = [s for s in rng.choice(np.array(sprites, object), 60) if (s.tilt >= SLANTED) == steep]
    return [s for s in some if abs(s.tilt - tilt) < 0.2][:24] or sprites[:1], steep


def heap(
    rng: np.random.Generator, picture: NDArray[np.float32], sprites: list[Sprite], size: float, steep: bool
) -> tuple[Label, ...]:
    """Many dice in a crowd: they touch, and nearer ones hide a part of those behind them."""
    side = picture.shape[0]
    step = size * rng.uniform(0.78, 1.25)
    start, turn = rng.uniform(0, step, 2), 0.0 if steep else rng.uniform(0, np.pi / 2)
    line = np.arange(-side, 2 * side, step)
    gx, gy = (axis.ravel() for axis in np.meshgrid(line, line * (0.8 if steep else 1)))
    x = start[0] + np.cos(turn) * gx - np.sin(turn) * gy + rng.normal(0, 0.1 * size, gx.size)
    y = start[1] + np.sin(turn) * gx + np.cos(turn) * gy + rng.normal(0, 0.1 * size, gx.size)
    middle, reach = rng.uniform(0.2, 0.8, 2) * side, rng.uniform(0.3, 0.9) * side
    inside = (
        (np.hypot(x - middle[0], y - middle[1]) < reach) & (np.minimum(x, y) > -size) & (np.maximum(x, y) < side + size)
    )
    owner = np.full(picture.shape[:2], -1, np.int32)
    labels: list[Label] = []
    for k in sorted(np.flatnonzero(inside & (rng.random(x.size) < rng.uniform(0.5, 1))), key=lambda k: y[k]):
        sprite = sprites[int(rng.integers(len(sprites)))]
        labels.append(paste(rng, picture, sprite, (x[k], y[k]), size * rng.uniform(0.9, 1.1), (owner, len(labels))))
    return tuple(_uncovered(label, owner == k) for k, label in enumerate(labels))


def _uncovered(die: Label, seen: NDArray[np.bool_]) -> Label:
    """The box of what is still to be seen; nobody is asked about a die of which a third is hidden."""
    side = seen.shape[0]
    x0, y0, x1, y1 = max(die.x, 0), max(die.y, 0), min(die.x + die.w, side), min(die.y + die.h, side)
    area = max(x1 - x0, 0) * max(y1 - y0, 0)
    if area < 0.98 * die.w * die.h:  # cut by the edge of the picture: what is hidden there does not matter
        return die if seen.sum() > 0.45 * area else Label(die.x, die.y, die.w, die.h, 0)
    x, y, w, h = cv2.boundingRect(seen.astype(np.uint8))
    if seen.sum() < 0.52 * area or not w:  # a whole die fills about four fifths of its box
        return Label(die.x, die.y, die.w, die.h, 0)
    return Label(x, y, w, h, die.value)


def throw(
    rng: np.random.Generator, picture: NDArray[np.float32], near: list[Sprite], taken: list[Label], size: float
) -> tuple[Label, ...]:
    """Throw some dice of one camera's view where nothing lies yet; some touch one another."""
    side = picture.shape[0]
    labels: list[Label] = []
    for _ in range(int(rng.integers(1, 15))):
        die_size = size * rng.uniform(0.85, 1.15)
        at = rng.uniform(0, side, 2)
        if labels and rng.random() < 0.35:
            last = labels[-1]
            way = rng.uniform(0, 2 * np.pi)
            gap = rng.uniform(0.95, 1.2) * die_size
            at = np.array([last.x + last.w / 2 + gap * np.cos(way), last.y + last.h / 2 + gap * np.sin(way)])
        reach = die_size * 0.86
        if any(
            abs(at[0] - o.x - o.w / 2) < (reach + o.w) * 0.5 and abs(at[1] - o.y - o.h / 2) < (reach + o.h) * 0.5
            for o in [*labels, *taken]
        ):
            continue
        labels.append(paste(rng, picture, near[int(rng.integers(len(near)))], (float(at[0]), float(at[1])), die_size))
    return tuple(labels)


def lamp(rng: np.random.Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Uneven light, hard shadows across the table, colour of the lamp, exposure."""
    side = picture.shape[0]
    light = 1 + noise(rng, side, (2, 2)) * rng.uniform(0, 0.22)
    if rng.random() < 0.2:
        edge = noise(rng, side, (2, 2)) + rng.normal(0, 0.5)
        light *= 1 - rng.uniform(0.2, 0.6) * (0.5 + 0.5 * np.tanh(edge * rng.uniform(3, 20)))
    tint = np.array([rng.uniform(0.7, 1.1), 1, rng.uniform(0.9, 1.15)], np.float32)
    if rng.random() < 0.4:
        tint[:] = 1
    lit = picture * np.clip(light, 0.1, 2)[..., None] * tint * rng.uniform(0.55, 1.25)
    if rng.random() < 0.2:
        lit = lit + _glow(rng, side)[..., None]
    return np.asarray(lit, np.float32)


def _glow(rng: np.random.Generator, side: int) -> NDArray[np.float32]:
    """The lamp mirrored in varnish and plastic: a soft bright oval over everything."""
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) / side
    (cx, cy), (a, b) = rng.uniform(0, 1, 2), rng.uniform(0.12, 0.6, 2)
    away = ((x - cx) / a) ** 2 + ((y - cy) / b) ** 2
    return np.asarray(np.exp(-away) * rng.uniform(15, 150), np.float32)


def shaken(rng: np.random.Generator, picture: NDArray[np.float32], far: float) -> NDArray[np.float32]:
    """The camera or the dice moved by so many pixels, any way, while the shutter was open."""
    n = 2 * int(far / 2 + 1) + 1
    kernel, way = np.zeros((n, n), np.float32), rng.uniform(0, np.pi)
    along = (np.array([np.cos(way), np.sin(way)]) * far / 2 * 8).round().astype(int)
    middle = 8 * (n // 2)
    cv2.line(kernel, tuple(map(int, middle - along)), tuple(map(int, middle + along)), 1.0, 1, cv2.LINE_AA, 3)
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(float(kernel.sum()), 1e-6)), np.float32)


def lens(rng: np.random.Generator, picture: NDArray[np.float32], size: float = 60.0) -> Picture:
    """Blur, motion, noise, gamma, small black and white, JPEG; never so much that dice of `size` pixels are lost."""
    if rng.random() < 0.55:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, min(1.5, size / 32)))
    if rng.random() < 0.15:
        picture = shaken(rng, picture, rng.uniform(2, max(3.0, min(14.0, size / 7))))
    picture = 255 * np.clip(picture / 255, 0, 1) ** rng.uniform(0.7, 1.4)
    picture = picture + rng.normal(0, rng.uniform(0, 9), picture.shape).astype(np.float32)
    if rng.random() < 0.08:
        picture = np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2)
    out = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        ok, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR) if ok else out
    return np.asarray(out, np.uint8)


def rendered(rng: np.random.Generator, sprites: list[Sprite], side: int = 256) -> Scene:
    """One made-up photo."""
    picture = clutter(rng, ground(rng, side)) if rng.random() < 0.75 else ground(rng, side)
    size = float(np.exp(rng.uniform(np.log(20), np.log(125))))
    near, steep = one_view(rng, sprites)
    dice: tuple[Label, ...] = ()
    if rng.random() < 0.94:
        crowd = rng.random() < 0.4
        size = float(np.clip(size, 28, 90)) if crowd else size
        dice = heap(rng, picture, near, size, steep) if crowd else throw(rng, picture, near, [], size)
    return Scene(lens(rng, lamp(rng, picture), size), dice, steep)
