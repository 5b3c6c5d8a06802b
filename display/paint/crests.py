"""The four crests: cog, airship, flame, moon."""

from __future__ import annotations

import math

import pygame

from display.paint.sprite import Paint, Pen, polar, sprite
from display.theme import RGB

_FLAME = (
    (0, -1.08), (0.3, -0.62), (0.62, -0.22), (0.76, 0.22), (0.62, 0.66), (0.34, 0.92), (0, 1),
    (-0.34, 0.92), (-0.62, 0.66), (-0.76, 0.26), (-0.62, -0.14), (-0.36, -0.02), (-0.22, -0.46),
)  # fmt: skip
_CORE = ((0.04, -0.08), (0.3, 0.32), (0.22, 0.64), (0, 0.74), (-0.22, 0.64), (-0.28, 0.36))


def put_crest(pen: Pen, crest: str, x: float, y: float, r: float, colour: Paint, under: Paint) -> None:
    """A crest with its middle at (x, y); `under` is the colour it lies on."""
    painter = {"C1": _cog, "C2": _airship, "C3": _flame, "C4": _moon}.get(crest)
    if painter is not None:
        painter(pen, x, y, r, colour, under)


def _cog(pen: Pen, x: float, y: float, r: float, colour: Paint, under: Paint) -> None:
    pen.circle(x, y, 0.76 * r, colour)
    for i in range(8):
        a = 45 * i
        tooth = [
            polar(x, y, 0.7 * r, a - 12),
            polar(x, y, r, a - 9),
            polar(x, y, r, a + 9),
            polar(x, y, 0.7 * r, a + 12),
        ]
        pen.polygon(tooth, colour)
    pen.circle(x, y, 0.32 * r, under)


def _airship(pen: Pen, x: float, y: float, r: float, colour: Paint, under: Paint) -> None:
    pen.ellipse(x - 0.06 * r, y - 0.2 * r, 0.98 * r, 0.5 * r, colour)
    pen.polygon([(x + dx * r, y + dy * r) for dx, dy in ((0.62, -0.2), (1.08, -0.68), (1.08, 0.28))], colour)
    pen.rect(x - 0.5 * r, y + 0.42 * r, 0.84 * r, 0.34 * r, colour, 0.1 * r)
    for dx in (-0.34, 0.16):
        pen.line([(x + dx * r, y + 0.2 * r), (x + dx * r, y + 0.5 * r)], colour, 0.09 * r)


def _flame(pen: Pen, x: float, y: float, r: float, colour: Paint, under: Paint) -> None:
    pen.polygon([(x + dx * r, y + dy * r) for dx, dy in _FLAME], colour)
    pen.polygon([(x + dx * r, y + dy * r) for dx, dy in _CORE], under)


def _moon(pen: Pen, x: float, y: float, r: float, colour: Paint, under: Paint) -> None:
    outer = [(x + r * math.cos(math.radians(a)), y + r * math.sin(math.radians(a))) for a in range(55, 306, 10)]
    inner = [
        (x + (0.44 + 0.78 * math.cos(math.radians(a))) * r, y + 0.78 * r * math.sin(math.radians(a)))
        for a in range(268, 91, -8)
    ]
    pen.polygon(outer + inner, colour)


def crest(name: str, r: float, colour: RGB, under: RGB) -> pygame.Surface:
    """A crest's picture."""
    key = ("crest", name, colour, under, round(r * 2))
    return sprite(key, 2.3 * r + 2, 2.3 * r + 2, lambda pen: put_crest(pen, name, 0, 0, r, colour, under))
