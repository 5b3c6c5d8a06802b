"""48 card faces drawn by the project, and a table to lay them on: what the recogniser is tested with.

Four families of twelve share frame, enamel strip and ground pattern, as the cards of one deck do; crest and ornaments
differ. The scene adds what a lamp, a lens, a careless hand and dice do to them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
FAMILIES = {"blue": (150, 90, 30), "gold": (60, 170, 220), "red": (50, 60, 190), "violet": (150, 60, 120)}
WIDTH, HEIGHT = 378, 528
"""A card of 63 by 88 mm at 6 pixels per millimetre."""
PX_PER_MM = 6.0
DICE = ((40, 200, 240), (80, 170, 60), (220, 170, 80), (70, 100, 230), (235, 235, 235), (140, 60, 110))
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def names() -> list[str]:
    """The 48 cards: `blue-01` to `violet-12`."""
    return [f"{family}-{number:02d}" for family in FAMILIES for number in range(1, 13)]


def star(centre: tuple[float, float], points: int, outer: float, inner: float, turn: float) -> NDArray[np.int32]:
    """A star or a cog as a polygon."""
    angles = turn + np.arange(2 * points) * np.pi / points
    radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    return np.stack([centre[0] + radii * np.cos(angles), centre[1] + radii * np.sin(angles)], 1).astype(np.int32)


def face(name: str) -> Image:
    """One card face, always drawn the same way."""
    family, number = name.split("-")
    colour = FAMILIES[family]
    rng = np.random.default_rng([int(number), list(FAMILIES).index(family)])
    card = np.full((HEIGHT, WIDTH, 3), (205, 222, 230), np.uint8)
    _ground(card, list(FAMILIES).index(family), colour)
    cv2.rectangle(card, (12, 12), (WIDTH - 13, HEIGHT - 13), (60, 70, 80), 3)
    cv2.rectangle(card, (20, 20), (WIDTH - 21, 80), colour, -1)
    for coin in range(int(rng.integers(1, 6))):
        cv2.circle(card, (45 + coin * 34, 50), 13, (70, 190, 235), -1)
        cv2.circle(card, (45 + coin * 34, 50), 13, (40, 80, 110), 2)
    cv2.putText(card, str(int(number) + 2), (WIDTH - 75, 70), cv2.FONT_HERSHEY_DUPLEX, 1.6, (255, 255, 255), 3)
    _tower(card, rng, colour)
    _crest(card, rng, colour)
    _ornaments(card, rng, colour)
    return card


def _ground(card: Image, family: int, colour: tuple[int, int, int]) -> None:
    pale = tuple(int(0.82 * base + 0.18 * part) for base, part in zip((205, 222, 230), colour, strict=True))
    for offset in range(-HEIGHT, WIDTH + HEIGHT, 26):
        slant = (-1 if family % 2 else 1) * (HEIGHT // (1 + family // 2))
        cv2.line(card, (offset, 0), (offset + slant, HEIGHT), pale, 5)


def _tower(card: Image, rng: np.random.Generator, colour: tuple[int, int, int]) -> None:
    dark = tuple(int(0.5 * part) for part in colour)
    x = 60 + int(rng.integers(0, 30))
    for _ in range(int(rng.integers(3, 6))):
        width, height = int(rng.integers(34, 70)), int(rng.integers(90, 230))
        grey = int(rng.integers(110, 190))
        cv2.rectangle(card, (x, 470 - height), (x + width, 470), (grey, grey, grey + 10), -1)
        cv2.rectangle(card, (x, 470 - height), (x + width, 470), dark, 2)
        roof = np.array([(x - 5, 470 - height), (x + width // 2, 430 - height), (x + width + 5, 470 - height)])
        cv2.fillPoly(card, [roof.astype(np.int32)], colour)
        for row in range(int(rng.integers(1, 5))):
            for column in range(int(rng.integers(1, 3))):
                window = (x + 10 + column * 22, 485 - height + row * 34)
                cv2.rectangle(card, window, (window[0] + 9, window[1] + 16), (50, 60, 70), -1)
        x += width + int(rng.integers(2, 16))
        if x > 300:
            break


def _crest(card: Image, rng: np.random.Generator, colour: tuple[int, int, int]) -> None:
    centre = (int(rng.integers(100, 280)), int(rng.integers(135, 185)))
    points = int(rng.integers(4, 10))
    outer = float(rng.uniform(34, 46))
    cv2.fillPoly(card, [star(centre, points, outer, outer * rng.uniform(0.5, 0.8), rng.uniform(0, 3))], (50, 60, 75))
    cv2.circle(card, centre, int(outer * 0.45), colour, -1)
    tooth = int(rng.integers(3, 7))
    cv2.polylines(card, [star(centre, tooth, outer * 0.4, outer * 0.15, rng.uniform(0, 3))], True, (240, 240, 240), 2)


def _ornaments(card: Image, rng: np.random.Generator, colour: tuple[int, int, int]) -> None:
    for _ in range(7):
        x, y = int(rng.integers(40, 340)), int(rng.integers(215, 480))
        size = int(rng.integers(8, 20))
        ink = (35, 45, 60) if rng.random() < 0.5 else colour
        kind = int(rng.integers(0, 4))
        if kind == 0:
            cv2.circle(card, (x, y), size, ink, 3)
        elif kind == 1:
            cv2.fillPoly(card, [star((x, y), int(rng.integers(3, 7)), size, size * 0.5, rng.uniform(0, 3))], ink)
        elif kind == 2:
            cv2.ellipse(card, (x, y), (size * 2, size // 2), float(rng.uniform(0, 180)), 0, 300, ink, 3)
        else:
            cv2.rectangle(card, (x, y), (x + size, y + size), ink, 3)


@dataclass(frozen=True)
class Look:
    """How the camera sees a slot."""

    rotation: int = 0
    """Quarter turns."""
    skew: float = 0.0
    """Degrees the card lies askew."""
    shift: tuple[float, float] = (0.0, 0.0)
    """Millimetres beside the middle of the slot."""
    keystone: float = 0.0
    """Perspective left over after the mat was straightened: share of the width."""
    light: float = 1.0
    warmth: float = 0.0
    shade: float = 0.0
    """Light falls off by this share across the slot."""
    blur: float = 0.6
    """Sigma in pixels of the picture."""
    noise: float = 2.0
    dice: int = 0
    glare: float = 0.0
    scale: float = 2.6
    """Pixels per millimetre in the picture."""


def any_look(rng: np.random.Generator, dice: int | None = None) -> Look:
    """A look somewhere in the normal range."""
    return Look(
        rotation=int(rng.integers(0, 4)),
        skew=float(rng.uniform(-8, 8)),
        shift=(float(rng.uniform(-4, 4)), float(rng.uniform(-4, 4))),
        keystone=float(rng.uniform(-0.05, 0.05)),
        light=float(rng.uniform(0.55, 1.2)),
        warmth=float(rng.uniform(-0.12, 0.2)),
        shade=float(rng.uniform(0, 0.35)),
        blur=float(rng.uniform(0.4, 1.3)),
        noise=float(rng.uniform(1, 5)),
        dice=int(rng.integers(0, 5)) if dice is None else dice,
        glare=float(rng.uniform(0, 1)) if rng.random() < 0.3 else 0.0,
        scale=float(rng.uniform(2.5, 3.2)),
    )


def slot_picture(card: Image | None, look: Look, rng: np.random.Generator, slot_mm: float = 100.0) -> Image:
    """The straightened picture of a slot (a square of `slot_mm`) with a card on it, or none."""
    side = round(slot_mm * PX_PER_MM)
    ground = np.full((side, side, 3), (92, 84, 78), np.uint8)
    middle = side / 2
    x, y = middle - WIDTH / 2, middle - HEIGHT / 2
    cv2.rectangle(ground, (int(x), int(y)), (int(x + WIDTH), int(y + HEIGHT)), (130, 120, 110), 3)
    if card is not None:
        _lay(ground, card, look)
    for _ in range(look.dice):
        _die(ground, rng, side)
    picture = _straightened(ground, look)
    return _lit(picture, look, rng)


def _lay(ground: Image, card: Image, look: Look) -> None:
    side = ground.shape[0]
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 90.0 * look.rotation + look.skew, 1.0)
    turn[:, 2] += (side / 2 - WIDTH / 2 + look.shift[0] * PX_PER_MM, side / 2 - HEIGHT / 2 + look.shift[1] * PX_PER_MM)
    laid = cv2.warpAffine(card, turn, (side, side))
    mask = cv2.warpAffine(np.full(card.shape[:2], 255, np.uint8), turn, (side, side))
    cv2.copyTo(laid, (mask > 127).astype(np.uint8), ground)


def _die(ground: Image, rng: np.random.Generator, side: int) -> None:
    half = 8 * PX_PER_MM
    centre = side / 2 + rng.uniform(-24, 24, 2) * PX_PER_MM * (0.8, 1.2)
    angle = rng.uniform(0, np.pi / 2)
    axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    square = centre + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ axes
    shadow = np.zeros(ground.shape[:2], np.float32)
    cv2.fillPoly(shadow, [(square + rng.uniform(10, 30, 2)).astype(np.int32)], 0.5)
    ground[:] = (ground * (1 - cv2.GaussianBlur(shadow, (0, 0), 6))[..., None]).astype(np.uint8)
    colour = DICE[int(rng.integers(0, 6))]
    cv2.fillPoly(ground, [square.astype(np.int32)], colour)
    ink = (30, 30, 30) if sum(colour) > 300 else (240, 240, 240)
    for px, py in PIPS[int(rng.integers(1, 7))]:
        at = centre + np.array((px, py)) * half * 0.5 @ axes
        cv2.circle(ground, (int(at[0]), int(at[1])), int(half * 0.18), ink, -1)


def _straightened(ground: Image, look: Look) -> Image:
    side = ground.shape[0]
    out = round(side / PX_PER_MM * look.scale)
    pinch = look.keystone * out
    wanted = np.array([(pinch, 0), (out - pinch, pinch), (out, out - pinch / 2), (0, out)], np.float32)
    corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    softened = cv2.GaussianBlur(ground, (0, 0), 0.4 * PX_PER_MM / look.scale)
    return cv2.warpPerspective(
        softened, cv2.getPerspectiveTransform(corners, wanted), (out, out), borderValue=(80, 80, 80)
    )  # type: ignore[return-value]


def _lit(picture: Image, look: Look, rng: np.random.Generator) -> Image:
    seen = cv2.GaussianBlur(picture, (0, 0), look.blur).astype(np.float32)
    rows, columns = seen.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    grid_y, grid_x = np.mgrid[-0.5 : 0.5 : rows * 1j, -0.5 : 0.5 : columns * 1j]
    fall = 1 - look.shade * (0.5 + grid_x * np.cos(angle) + grid_y * np.sin(angle))
    seen *= (look.light * fall)[..., None] * np.array((1 - look.warmth, 1.0, 1 + look.warmth), np.float32)
    if look.glare:
        gx, gy = rng.uniform(-0.3, 0.3, 2)
        spot = np.exp(-((grid_x - gx) ** 2 + (grid_y - gy) ** 2) / 0.01)
        seen += (look.glare * 230 * spot)[..., None]
    seen += rng.normal(0, look.noise, seen.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)
