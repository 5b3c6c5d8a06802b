"""Towers: one block per card on a base, each colour with its own roof."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from display.paint.crests import put_crest
from display.paint.sprite import Pen, sprite
from display.theme import TOWERS, Enamel, mix, rgb

_JOINT = rgb("17120F")


def tower(colour: str, size: int, width: float, room: float, unit: float, crests: Sequence[str] = ()) -> pygame.Surface:
    """A tower of `size` blocks (base included) standing on the bottom edge of its picture."""
    enamel = TOWERS.get(colour, TOWERS["blue"])
    roof_height = {"blue": 0.55, "gold": 0.46, "red": 0.4, "violet": 0.6}.get(colour, 0.5) * width
    u = min(unit, (room - roof_height) / max(1, size))
    height = u * size + roof_height + 2

    def paint(pen: Pen) -> None:
        bottom = height / 2 - 1
        w = width
        pen.polygon(
            [(-0.58 * w, bottom), (0.58 * w, bottom), (0.5 * w, bottom - u), (-0.5 * w, bottom - u)],
            mix(enamel.fill, _JOINT, 0.12),
        )
        top = bottom - size * u
        if size > 1:
            pen.rect(-w / 2, top, w, (size - 1) * u + 0.5, enamel.fill)
        for i in range(1, size):
            y = bottom - i * u
            pen.rect(-w / 2, y - 0.6, w, 1.3, mix(enamel.fill, _JOINT, 0.55))
        _roof(pen, colour, enamel, top, w)
        if u >= 14:
            for i, name in enumerate(crests[:size]):
                put_crest(pen, name, 0, bottom - (i + 0.5) * u, 0.34 * u, enamel.mark, enamel.fill)

    key = ("tower", colour, size, round(width * 2), round(u * 4), tuple(crests) if u >= 14 else ())
    return sprite(key, 1.3 * width + 2, height, paint)


def _roof(pen: Pen, colour: str, enamel: Enamel, top: float, w: float) -> None:
    match colour:
        case "gold":
            pen.surface.set_clip(pygame.Rect(0, 0, pen.surface.get_width(), round(pen.at(0, top)[1])))
            pen.ellipse(0, top, 0.52 * w, 0.46 * w, enamel.roof)
            pen.surface.set_clip(None)
        case "red":
            pen.rect(-0.56 * w, top - 0.18 * w, 1.12 * w, 0.19 * w, enamel.roof)
            for i in (-1, 0, 1):
                pen.rect(i * 0.42 * w - 0.14 * w, top - 0.4 * w, 0.28 * w, 0.26 * w, enamel.roof)
        case "violet":
            pen.rect(-0.6 * w, top - 0.16 * w, 1.2 * w, 0.17 * w, enamel.roof)
            pen.circle(0, top - 0.36 * w, 0.22 * w, enamel.roof)
        case _:
            pen.polygon([(-0.56 * w, top + 0.5), (0.56 * w, top + 0.5), (0, top - 0.55 * w)], enamel.roof)
