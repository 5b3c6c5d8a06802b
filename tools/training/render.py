"""One die, ray-traced: a rounded cube with sunk pips, in many colours, pearly or marbled, seen from anywhere above.

Used for training only. The virtual camera has a renderer of its own, so that the reader is never judged by the
pictures it was brought up on.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

SIDE = 120
"""Pixels of a raw sprite before it is cut to the die."""

PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True)
class Sprite:
    """A die cut out: colour and cover, the face on top, and how steep the view is."""

    bgr: NDArray[np.uint8]
    cover: NDArray[np.uint8]
    value: int
    tilt: float


def unit(v: Array) -> Array:
    """Vectors of length one along the last axis."""
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-6)


def rays(rng: np.random.Generator, tilt: float) -> tuple[Array, Array, Array]:
    """Eye, one direction per pixel and the axis to the eye, for a view `tilt` radians off the vertical."""
    far = rng.uniform(5, 16)
    axis = np.array([0, -np.sin(tilt), np.cos(tilt)], np.float32)
    roll = rng.uniform(-np.pi, np.pi) if tilt < 0.4 else rng.normal(0, 0.15)
    right = np.array([1, 0, 0], np.float32)
    up = np.cross(axis, right)
    right, up = np.cos(roll) * right + np.sin(roll) * up, np.cos(roll) * up - np.sin(roll) * right
    line = np.linspace(-2.1, 2.1, SIDE, dtype=np.float32)
    u, v = np.meshgrid(line, -line)
    way = unit((-axis * far + u[..., None] * right + v[..., None] * up).reshape(-1, 3).astype(np.float32))
    return (axis * far).astype(np.float32), way, axis


def distance(p: Array, radius: float, ball: float) -> Array:
    """Signed distance to a cube of half side 1 with rounded edges, cut by a ball."""
    q = np.abs(p) - (1 - radius)
    out = np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(axis=-1), 0) - radius
    return np.maximum(out, np.linalg.norm(p, axis=-1) - ball)


def hit(eye: Array, way: Array, radius: float, ball: float) -> tuple[NDArray[np.intp], Array]:
    """Indices of the rays that meet the die, and where."""
    near = float(np.linalg.norm(eye)) - 1.9
    along = np.full(len(way), near, np.float32)
    live = np.flatnonzero(np.linalg.norm(eye + way * (near + 1.9), axis=-1) < 1.95)
    for _ in range(22):
        d = distance(eye + way[live] * along[live, None], radius, ball)
        along[live] += d
        live = live[along[live] < near + 4]
    p = eye + way[live] * along[live, None]
    on = distance(p, radius, ball) < 0.02
    return live[on], p[on]


def normals(p: Array, radius: float, ball: float) -> Array:
    """Outward normals by small differences."""
    step = np.float32(0.01)
    here = distance(p, radius, ball)
    grad = [distance(p + step * axis, radius, ball) - here for axis in np.eye(3, dtype=np.float32)]
    return unit(np.stack(grad, axis=-1))


def numbering(rng: np.random.Generator, top: int) -> dict[tuple[int, int], int]:
    """Which face lies on (axis, sign); opposite faces make seven, both hands occur."""
    rest = [f for f in (1, 2, 3) if f not in (top, 7 - top)]
    rng.shuffle(rest)
    faces = {(2, 1): top, (2, -1): 7 - top}
    for axis, face in zip((0, 1), rest, strict=True):
        low = face if rng.random() < 0.5 else 7 - face
        faces[(axis, 1)], faces[(axis, -1)] = low, 7 - low
    return faces


def marble(p: Array, rng: np.random.Generator, fine: float) -> Array:
    """Soft swirls in 0 to 1."""
    wave = np.zeros(len(p), np.float32)
    bend = p.copy()
    for _ in range(4):
        k = rng.normal(0, fine, 3).astype(np.float32)
        wave += np.sin(bend @ k + rng.uniform(0, 6.3))
        bend = bend + 0.25 * np.sin(bend[:, ::-1] * fine + rng.uniform(0, 6.3))
    return np.asarray(0.5 + 0.5 * np.tanh(wave * rng.uniform(0.6, 2.5)), np.float32)


def paint(rng: np.random.Generator) -> tuple[Array, Array, Array, float]:
    """Body, second body tint, pip colour (all BGR 0 to 1) and how much the tints mix."""
    kind = rng.random()
    if kind < 0.26:
        body = np.array([0.82, 0.9, 0.94]) * rng.uniform(0.85, 1.08) + rng.normal(0, 0.03, 3)
    elif kind < 0.36:
        body = np.array([0.06, 0.06, 0.06]) + rng.uniform(0, 0.12) + rng.normal(0, 0.01, 3)
    else:
        hue, sat, val = rng.uniform(0, 180), rng.uniform(0.25, 1), rng.uniform(0.3, 1)
        pixel = np.array([[[hue, 255 * sat, 255 * val]]], np.uint8)
        body = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255.0
    body = np.clip(body, 0.02, 1)
    mix = 0.0 if rng.random() < 0.4 else rng.uniform(0.1, 0.75)
    second = np.clip(body + rng.normal(0, 0.25, 3), 0, 1)
    if rng.random() < 0.5:
        second = np.clip(body * 0.4 + 0.6 * rng.uniform(0.6, 1), 0, 1)
    elif mix and rng.random() < 0.7:  # two colours poured together
        second = np.clip(rng.uniform(0, 1, 3), 0, 1)
        mix = rng.uniform(0.6, 1.0)
    bright = float(body @ [0.11, 0.59, 0.3])
    dark = rng.random() < (0.95 if bright > 0.62 else 0.25 if bright > 0.4 else 0.03)
    pip = rng.uniform(0, 0.14, 3) if dark else rng.uniform(0.82, 1, 3)
    if not dark and rng.random() < (0.4 if mix > 0.5 else 0.15):  # gold, as marbled dice often have
        pip = np.array([0.3, 0.75, 0.9]) * rng.uniform(0.75, 1.1) + rng.normal(0, 0.05, 3)
    if dark and bright > 0.6 and rng.random() < 0.06:
        pip = np.array([0.15, 0.1, 0.75])
    if rng.random() < 0.18:
        pip = _inked(rng, body, second if mix else body)
    return body.astype(np.float32), second.astype(np.float32), np.clip(pip, 0, 1).astype(np.float32), float(mix)


def _inked(rng: np.random.Generator, *tints: NDArray[np.floating]) -> NDArray[np.floating]:
    """Pips in any colour, often no brighter or darker than the die: red on blue and white, gold on green."""
    tried = [rng.permutation([rng.uniform(0.6, 1), rng.uniform(0, 1), rng.uniform(0, 0.3)]) for _ in range(8)]
    far = [min(float(np.abs(ink - tint).max()) for tint in tints) for ink in tried]
    plain = [ink for ink, away in zip(tried, far, strict=True) if away > 0.35]
    return plain[0] if plain else tried[int(np.argmax(far))]


@dataclass(frozen=True)
class Pip:
    """One pip: which face it lies on, where on it, how large, and how much of its paint is left."""

    along: int
    sign: int
    across: tuple[int, int]
    at: tuple[float, float]
    radius: float
    paint: float


def pips(rng: np.random.Generator, faces: dict[tuple[int, int], int]) -> list[Pip]:
    """The pips of all six faces, close together or wide apart, on some dice worn or half filled."""
    spread = rng.uniform(0.42, 0.58) if rng.random() < 0.5 else rng.uniform(0.31, 0.48)  # well rounded dice: close pips
    radius, one = min(rng.uniform(0.115, 0.265), 0.55 * spread), rng.uniform(1, 1.6)
    rows = rng.uniform(0.55, 1.0)  # the two rows of a six lie closer than four pips do
    faded, uneven = (rng.uniform(0.3, 0.9), rng.uniform(0, 0.3)) if rng.random() < 0.18 else (1.0, 0.0)
    out = []
    for (along, sign), value in faces.items():
        others = [a for a in (0, 1, 2) if a != along]
        if rng.random() < 0.5:
            others.reverse()
        turn = float(rng.choice([-1, 1]))
        r = min(radius * (one if value == 1 else 1), 0.38)
        for a, b in PIPS[value]:
            at = a * spread * turn * (rows if value == 6 else 1), b * spread
            left = float(np.clip(faded + rng.normal(0, 1) * uneven, 0.25, 1))
            out.append(Pip(along, sign, (others[0], others[1]), at, r, left))
    return out


def pip_cover(p: Array, n: Array, marks: list[Pip], hollow: float) -> tuple[Array, Array]:
    """How far each point lies in a pip (0 to 1) and the normals bent by the hollow."""
    cover, bent = np.zeros(len(p), np.float32), n.copy()
    axis = np.abs(p).argmax(axis=1)
    for mark in marks:
        mine = np.flatnonzero((axis == mark.along) & (np.sign(p[:, mark.along]) == mark.sign))
        if not len(mine):
            continue
        du, dv = (p[mine, axis] - at for axis, at in zip(mark.across, mark.at, strict=True))
        inside = np.clip((mark.radius - np.hypot(du, dv)) / 0.035 + 0.5, 0, 1)
        cover[mine] = np.maximum(cover[mine], mark.paint * inside)
        for across, away in zip(mark.across, (du, dv), strict=True):
            bent[mine, across] -= hollow * inside * away / mark.radius
    return cover, unit(bent)


def within(p: Array, n: Array, way: Array, marks: list[Pip], colours: tuple[Array, ...]) -> Array:
    """What is seen through a clear die: its far faces and their pips, brighter towards the table."""
    inward = unit(way - 0.55 * n)
    steps = np.where(np.abs(inward) > 1e-3, (np.sign(inward) - p) / np.where(np.abs(inward) > 1e-3, inward, 1), 9.0)
    far = p + inward * np.clip(steps.min(axis=1, keepdims=True), 0, 4)
    back, _ = pip_cover(far.astype(np.float32), n, marks, 0.0)
    deep = 0.5 + 0.75 * np.clip(1 - (far[:, 2:] + 1) / 2, 0, 1)
    return np.asarray(colours[0] * deep * (1 - 0.6 * back[:, None]) + colours[2] * 0.6 * back[:, None], np.float32)


def shade(p: Array, n: Array, pip: Array, axis: Array, rng: np.random.Generator, colours: tuple[Array, ...]) -> Array:
    """Light, sheen and glint on the painted surface."""
    body, second, ink, mix = colours[0], colours[1], colours[2], float(colours[3])
    swirl = mix * marble(p, rng, rng.uniform(0.7, 4.5))[:, None]
    albedo = body * (1 - swirl) + second * swirl
    if rng.random() < 0.2:  # scratches and dirt, or glitter
        albedo = albedo * (1 + rng.uniform(0.1, 0.5) * (marble(p, rng, rng.uniform(8, 25))[:, None] - 0.5))
    if rng.random() < 0.08:
        albedo = albedo + (rng.random((len(p), 1)) < 0.06) * rng.uniform(0.1, 0.6)
    albedo = albedo * (1 - pip[:, None]) + ink * pip[:, None]
    lean = rng.uniform(0, 1.15)
    around = rng.uniform(0, 2 * np.pi)
    light = np.array([np.sin(lean) * np.cos(around), np.sin(lean) * np.sin(around), np.cos(lean)], np.float32)
    ambient = rng.uniform(0.25, 0.7)
    diffuse = ambient * (0.75 + 0.25 * n[:, 2]) + (1 - ambient) * 1.15 * np.clip(n @ light, 0, 1)
    diffuse *= 0.8 + 0.2 * np.clip((p[:, 2] + 1) / 1.2, 0, 1)
    half = unit(light + axis)
    glint = np.clip(n @ half, 0, 1) ** rng.uniform(12, 160) * rng.uniform(0, 0.9) * (rng.random() < 0.75)
    sheen = (1 - np.clip(n @ axis, 0, 1)) ** 3 * rng.uniform(0, 0.5)
    pearl = rng.uniform(0, 0.25) * (0.5 + 0.5 * np.sin(4 * (n @ half) + rng.uniform(0, 6)))
    gloss = np.asarray(glint + sheen * (1 - pip) + pearl * mix * (1 - pip))
    return np.asarray(albedo * diffuse[:, None] + gloss[:, None] * 0.95, np.float32)


def die(rng: np.random.Generator, top: int | None = None, tilt: float | None = None) -> Sprite:
    """A random die with `top` up."""
    value = int(rng.integers(1, 7)) if top is None else top
    if tilt is None:
        tilt = rng.uniform(0, 0.35) if rng.random() < 0.45 else rng.uniform(0.3, 1.08)
    radius, ball = rng.uniform(0.06, 0.38), rng.uniform(1.32, 1.75)
    eye, way, axis = rays(rng, tilt)
    yaw = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]], np.float32)
    eye, way, axis = eye @ spin, way @ spin, axis @ spin
    which, p = hit(eye, way, radius, ball)
    n = normals(p, radius, ball)
    marks, colours = pips(rng, numbering(rng, value)), paint(rng)
    pip, bent = pip_cover(p, n, marks, rng.uniform(0, 1.1))
    colour = shade(p, bent, pip, axis, rng, colours)  # type: ignore[arg-type]
    clear = rng.uniform(0.3, 0.8) if rng.random() < 0.2 else 0.0
    if clear:
        thin = clear * (1 - pip[:, None])
        colour = colour * (1 - thin) + within(p, n, way[which], marks, colours) * thin  # type: ignore[arg-type]
    picture = np.zeros((SIDE * SIDE, 3), np.float32)
    picture[which] = colour
    cover = np.zeros(SIDE * SIDE, np.uint8)
    cover[which] = 255 * (1 - 0.45 * clear * (1 - pip))
    cover = cover.reshape(SIDE, SIDE)
    picture = picture.reshape(SIDE, SIDE, 3)
    grown = cv2.dilate(picture, np.ones((3, 3), np.uint8))
    picture = np.where(cover[..., None] > 0, picture, grown)
    x, y, w, h = cv2.boundingRect(cover)
    bgr = (np.clip(picture[y : y + h, x : x + w], 0, 1) * 255).astype(np.uint8)
    return Sprite(bgr, cover[y : y + h, x : x + w], value, float(tilt))
