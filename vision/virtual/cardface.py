"""Tower cards drawn by the project: a framed picture of a tower, a crest and icons, different for every card id."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

TINT = {"B": (190, 120, 50), "G": (60, 165, 215), "R": (60, 95, 220), "V": (150, 80, 115)}
"""BGR of the four tower colours by the first letter of a card's id."""
RUNES = "AEHKMNRTXZ"
"""Letters where a printed card has figures: an invented number would be read as one."""
SCALE = 4
WIDTH, HEIGHT = 63 * SCALE, 88 * SCALE


@lru_cache(maxsize=64)
def face(card: str) -> Picture:
    """The front of a card at 4 pixels per millimetre."""
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(card.encode()).digest()[:8], "big"))
    tint = np.array(TINT.get(card[:1].upper(), (120, 120, 120)), np.float32)
    out = np.empty((HEIGHT, WIDTH, 3), np.float32)
    fade = np.linspace(1.15, 0.7, HEIGHT, dtype=np.float32)[:, None, None]
    out[:] = tint * fade
    _sky(out, tint, rng)
    picture = np.clip(out, 0, 255).astype(np.uint8)
    _tower(picture, tint, rng)
    _icons(picture, tint, rng)
    cv2.rectangle(picture, (0, 0), (WIDTH - 1, HEIGHT - 1), (225, 235, 240), 9)
    cv2.putText(
        picture, _small_print(card), (20, HEIGHT - 18), cv2.FONT_HERSHEY_DUPLEX, 0.7, (235, 240, 245), 1, cv2.LINE_AA
    )
    return picture


def _small_print(card: str) -> str:
    """Four letters as small print; how we number cards is nobody's business."""
    digest = hashlib.sha256(f"print {card}".encode()).digest()
    return "".join(RUNES[byte % len(RUNES)] for byte in digest[:4])


def _sky(out: NDArray[np.float32], tint: NDArray[np.float32], rng: np.random.Generator) -> None:
    """Clouds in the upper two thirds."""
    grid = rng.normal(0, 1, (7, 5)).astype(np.float32)
    cloud = cv2.resize(grid, (WIDTH - 40, 190), interpolation=cv2.INTER_CUBIC)[..., None]
    pale = 0.35 * tint + 0.65 * 225
    out[30:220, 20 : WIDTH - 20] = pale + cloud * 14


def _tower(picture: Picture, tint: NDArray[np.float32], rng: np.random.Generator) -> None:
    """Storeys, windows and a roof."""
    x, wide, ground = int(rng.integers(70, 150)), int(rng.integers(44, 90)), 220
    high = int(rng.integers(90, 150))
    stone = tuple(float(v) for v in rng.uniform(0.5, 0.95) * (0.5 * tint + 100))
    cv2.rectangle(picture, (x, ground - high), (x + wide, ground), stone, -1)
    roof = np.array([[x - 8, ground - high], [x + wide + 8, ground - high], [x + wide // 2, ground - high - 40]])
    ink = tuple(float(v) for v in rng.uniform(20, 200, 3))
    cv2.fillPoly(picture, [roof.astype(np.int32)], ink, cv2.LINE_AA)
    for row in range(high // 26):
        for column in range(max(1, wide // 24)):
            at = (x + 10 + column * 24, ground - high + 10 + row * 26)
            lit = (120, 220, 250) if rng.random() < 0.5 else (50, 40, 40)
            if rng.random() < 0.5:
                cv2.circle(picture, (at[0] + 5, at[1] + 6), 5, lit, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(picture, at, (at[0] + 9, at[1] + 13), lit, -1)
    for _ in range(int(rng.integers(3, 9))):
        a = tuple(int(v) for v in (rng.integers(24, WIDTH - 24), rng.integers(40, 215)))
        b = (a[0] + int(rng.integers(-30, 30)), a[1] + int(rng.integers(-10, 10)))
        cv2.line(picture, a, b, tuple(float(v) for v in rng.uniform(60, 250, 3)), int(rng.integers(1, 4)), cv2.LINE_AA)


def _icons(picture: Picture, tint: NDArray[np.float32], rng: np.random.Generator) -> None:
    """The crest and the effect at the bottom: discs, squares, rows of small discs."""
    cv2.rectangle(picture, (16, 236), (WIDTH - 16, HEIGHT - 40), tuple(float(v) for v in tint * 0.45), -1)
    for i in range(int(rng.integers(2, 5))):
        x, y = 40 + i * 46, 272
        ink = tuple(float(v) for v in rng.uniform(90, 255, 3))
        kind = int(rng.integers(0, 4))
        if kind == 0:
            cv2.circle(picture, (x, y), 16, ink, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.rectangle(picture, (x - 14, y - 14), (x + 14, y + 14), ink, -1)
            for k in range(int(rng.integers(1, 4))):  # looks like pips, is none
                cv2.circle(picture, (x - 7 + 7 * k, y), 3, (20, 20, 20), -1, cv2.LINE_AA)
        elif kind == 2:
            cv2.drawMarker(picture, (x, y), ink, cv2.MARKER_STAR, 30, 3, cv2.LINE_AA)
        else:
            rune = RUNES[int(rng.integers(1, 10))]
            cv2.putText(picture, rune, (x - 10, y + 12), cv2.FONT_HERSHEY_DUPLEX, 1.1, ink, 2, cv2.LINE_AA)
    crest = tuple(float(v) for v in rng.uniform(60, 255, 3))
    shield = np.array([[22, 22], [62, 22], [62, 50], [42, 72], [22, 50]], np.int32)
    cv2.fillPoly(picture, [shield], crest, cv2.LINE_AA)
    cv2.polylines(picture, [shield], True, (30, 30, 30), 2, cv2.LINE_AA)
    mark = tuple(float(v) for v in rng.uniform(0, 255, 3))
    cv2.drawMarker(picture, (42, 44), mark, int(rng.integers(0, 6)), 22, 3, cv2.LINE_AA)
