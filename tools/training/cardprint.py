"""Printed cards that are not dice: houses with windows, icons, crests, printed pips, numbers, clouds.

What lies under a die on a real table is print, and print is what a reader takes for dice. Every card is made up anew.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Ink = tuple[int, int, int]

PER_MM = 4
WIDE, HIGH = 63 * PER_MM, 88 * PER_MM


def ink(rng: np.random.Generator, low: int = 0, high: int = 255) -> Ink:
    """A printer's colour: any hue, from pale to full, with black and white among them."""
    if rng.random() < 0.25:
        v = int(rng.choice([rng.integers(low, low + 40), rng.integers(high - 60, high)]))
        return v, v, v
    pixel = np.array([[[rng.integers(0, 180), rng.integers(30, 255), rng.integers(max(low, 30), high)]]], np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return int(b), int(g), int(r)


def card(rng: np.random.Generator) -> Picture:
    """One card: a frame, a sky or a pattern, a house or two, icons and a crest."""
    out = np.empty((HIGH, WIDE, 3), np.uint8)
    out[:] = ink(rng, 20)
    edge = int(rng.integers(4, 30))
    _sky(rng, out, (edge, edge, WIDE - edge, int(rng.uniform(0.5, 0.95) * HIGH)))
    for _ in range(int(rng.integers(0, 4))):
        _house(rng, out)
    for _ in range(int(rng.integers(0, 3))):
        _row(rng, out)
    for _ in range(int(rng.integers(0, 10))):
        a = (int(rng.integers(0, WIDE)), int(rng.integers(0, HIGH)))
        b = (a[0] + int(rng.integers(-50, 50)), a[1] + int(rng.integers(-50, 50)))
        cv2.line(out, a, b, ink(rng), int(rng.integers(1, 6)), cv2.LINE_AA)
    if rng.random() < 0.6:
        _crest(rng, out)
    if rng.random() < 0.7:
        cv2.rectangle(out, (0, 0), (WIDE - 1, HIGH - 1), ink(rng), int(rng.integers(3, 16)))
    return out


def deck(seed: int, count: int) -> list[Picture]:
    """Cards enough that none is met too often."""
    rng = np.random.default_rng(seed)
    return [card(rng) for _ in range(count)]


def _sky(rng: np.random.Generator, out: Picture, box: tuple[int, int, int, int]) -> None:
    """Clouds: two colours that run into each other."""
    x0, y0, x1, y1 = box
    n = int(rng.integers(2, 14))
    cloud = cv2.resize(
        rng.normal(0, 1, (n + 2, n)).astype(np.float32), (x1 - x0, y1 - y0), interpolation=cv2.INTER_CUBIC
    )
    share = (0.5 + 0.5 * np.tanh(cloud * rng.uniform(0.2, 4)))[..., None]
    one, two = (np.array(ink(rng, 40), np.float32) for _ in range(2))
    if rng.random() < 0.6:
        two = one + rng.normal(0, 25, 3).astype(np.float32)
    out[y0:y1, x0:x1] = np.clip(one * share + two * (1 - share), 0, 255).astype(np.uint8)


def _house(rng: np.random.Generator, out: Picture) -> None:
    """Walls, a roof, and windows in rows: from afar the very picture of a four or a six."""
    wide, high = int(rng.integers(30, 150)), int(rng.integers(30, 220))
    x, y = int(rng.integers(0, WIDE - 20)), int(rng.integers(10, HIGH - 30))
    cv2.rectangle(out, (x, y), (x + wide, y + high), ink(rng, 20), -1)
    if rng.random() < 0.7:
        top = np.array([[x - 8, y], [x + wide + 8, y], [x + wide // 2, y - int(rng.integers(10, 60))]], np.int32)
        cv2.fillPoly(out, [top], ink(rng), cv2.LINE_AA)
    step_x, step_y = int(rng.integers(12, 40)), int(rng.integers(12, 40))
    lit = [ink(rng), ink(rng)]
    kind, share, size = int(rng.integers(0, 4)), rng.uniform(0, 1), rng.uniform(0.15, 0.38)
    w, h = max(2, int(size * step_x)), max(2, int(size * step_y))
    for row in range(int(rng.integers(1, max(2, high // step_y + 1)))):
        for column in range(int(rng.integers(1, max(2, wide // step_x + 1)))):
            at = (x + step_x // 2 + column * step_x, y + step_y // 2 + row * step_y)
            colour = lit[int(rng.random() < share)]
            if kind == 0 or (kind == 3 and rng.random() < 0.5):
                cv2.circle(out, at, min(w, h), colour, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(out, (at[0] - w, at[1] - h), (at[0] + w, at[1] + h), colour, -1)
                if kind == 2:
                    cv2.circle(out, (at[0], at[1] - h), w, colour, -1, cv2.LINE_AA)


def front(rng: np.random.Generator, side: int = 96) -> Picture:
    """A house front as large as a die, two or three windows wide: the hardest print there is."""
    out = np.empty((side, side, 3), np.uint8)
    out[:] = ink(rng, 60)
    _sky(rng, out, (0, 0, side, side))
    wide, high = int(side * rng.uniform(0.35, 0.9)), int(side * rng.uniform(0.7, 1.6))
    x, y = (side - wide) // 2 + int(rng.normal(0, 5)), int(side * rng.uniform(-0.25, 0.3))
    cv2.rectangle(out, (x, y), (x + wide, y + high), ink(rng, 20), -1)
    if rng.random() < 0.7:
        top = np.array([[x - 8, y], [x + wide + 8, y], [x + wide // 2, y - int(rng.integers(8, 40))]], np.int32)
        cv2.fillPoly(out, [top], ink(rng), cv2.LINE_AA)
    columns, rows = int(rng.choice([1, 2, 2, 2, 3, 3, 4])), int(rng.integers(3, 6))
    step_x, step_y = wide / columns, min(high / rows, rng.uniform(0.2, 0.34) * side)
    lit, share, round_ = [ink(rng), ink(rng)], rng.uniform(0.1, 0.9), rng.uniform(0, 1)
    w, h = max(2, int(step_x * rng.uniform(0.12, 0.25))), max(2, int(step_y * rng.uniform(0.15, 0.32)))
    for row in range(rows):
        for column in range(columns):
            at = (int(x + (column + 0.5) * step_x), int(y + (row + 0.5) * step_y))
            colour = lit[int(rng.random() < share)]
            if rng.random() < round_:
                cv2.circle(out, at, max(2, (w + h) // 2), colour, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(out, (at[0] - w, at[1] - h), (at[0] + w, at[1] + h), colour, -1)
    for _ in range(int(rng.integers(0, 3))):
        a = (int(rng.integers(0, side)), int(rng.integers(0, side)))
        b = (a[0] + int(rng.integers(-25, 25)), a[1] + int(rng.integers(-10, 10)))
        cv2.line(out, a, b, ink(rng), int(rng.integers(1, 4)), cv2.LINE_AA)
    return out


def _row(rng: np.random.Generator, out: Picture) -> None:
    """A strip of icons, all smaller than a die."""
    y, x0 = int(rng.integers(20, HIGH - 40)), int(rng.integers(10, 60))
    if rng.random() < 0.7:
        half = int(rng.integers(20, 45))
        cv2.rectangle(
            out, (int(rng.integers(0, 20)), y - half), (WIDE - int(rng.integers(0, 20)), y + half), ink(rng), -1
        )
    step, size = int(rng.integers(34, 60)), int(rng.integers(10, 20))
    for i in range(int(rng.integers(1, 6))):
        _icon(rng, out, x0 + i * step, y, size)


def _icon(rng: np.random.Generator, out: Picture, x: int, y: int, size: int) -> None:
    colour, kind = ink(rng, 40), int(rng.integers(0, 7))
    if kind == 0:
        cv2.circle(out, (x, y), size, colour, -1, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.circle(out, (x, y), size // 3, ink(rng), -1, cv2.LINE_AA)
    elif kind in (1, 2):  # a printed die: flat, small, without sides or shadow
        cv2.rectangle(out, (x - size, y - size), (x + size, y + size), colour, -1)
        pip = ink(rng)
        for _ in range(int(rng.integers(1, 7))):
            a, b = rng.choice([-0.5, 0.0, 0.5], 2) * size
            cv2.circle(out, (int(x + a), int(y + b)), max(2, size // 5), pip, -1, cv2.LINE_AA)
    elif kind == 3:
        cv2.drawMarker(out, (x, y), colour, int(rng.integers(0, 7)), 2 * size, int(rng.integers(2, 6)), cv2.LINE_AA)
    elif kind == 4:
        text = str(rng.integers(0, 30))
        cv2.putText(out, text, (x - size, y + size // 2), int(rng.integers(0, 5)), size / 14, colour, 2, cv2.LINE_AA)
    elif kind == 5:
        n = int(rng.integers(3, 9))
        turn = 2 * np.pi * np.arange(n) / n + rng.uniform(0, 6)
        shape = np.stack([x + size * np.cos(turn), y + size * np.sin(turn)], 1).astype(np.int32)
        cv2.fillPoly(out, [shape], colour, cv2.LINE_AA)
    else:
        for k in range(int(rng.integers(2, 5))):
            cv2.circle(out, (x + int((k - 1) * size * 0.8), y), max(2, size // 3), colour, -1, cv2.LINE_AA)


def _crest(rng: np.random.Generator, out: Picture) -> None:
    """A shield with a mark."""
    x, y, s = int(rng.integers(20, WIDE - 40)), int(rng.integers(20, HIGH - 60)), int(rng.integers(14, 34))
    shape = np.array([[x - s, y - s], [x + s, y - s], [x + s, y + s // 3], [x, y + int(1.3 * s)], [x - s, y + s // 3]])
    cv2.fillPoly(out, [shape.astype(np.int32)], ink(rng, 30), cv2.LINE_AA)
    cv2.polylines(out, [shape.astype(np.int32)], True, ink(rng), int(rng.integers(1, 5)), cv2.LINE_AA)
    cv2.drawMarker(out, (x, y), ink(rng), int(rng.integers(0, 7)), s, int(rng.integers(2, 6)), cv2.LINE_AA)
