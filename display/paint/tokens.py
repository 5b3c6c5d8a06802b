"""Coins, stars and the small signs that stand for a card's effect."""

from __future__ import annotations

import pygame

from display import fonts
from display.paint.shapes import rounded, star_points
from display.paint.sprite import Pen, polar, sprite
from display.theme import RGB, rgb


def coin(r: float, value: int | None = None, *, fade: float = 1.0) -> pygame.Surface:
    """A coin, with its number when it stands for a price."""

    def paint(pen: Pen) -> None:
        pen.circle(0, 0, r, rgb("A9782A"))
        pen.circle(0, -0.06 * r, 0.94 * r, rgb("E9B95C"))
        pen.circle(0, -0.06 * r, 0.74 * r, rgb("F5D48C"))
        if value is None:
            pen.rect(-0.15 * r, -0.38 * r, 0.3 * r, 0.64 * r, rgb("A9782A"), 0.06 * r)
        else:
            size = round((1.12 if value < 10 else 1.0) * r * pen.fine)
            picture = fonts.glyphs(str(value), "black", size, rgb("1A130E"))
            x, y = pen.at(0, -0.06 * r)
            top = y + 0.34 * size - fonts.font("black", size).get_ascent()
            pen.surface.blit(picture, (x - picture.get_width() / 2, top))
        if fade < 1:
            pen.surface.fill((255, 255, 255, round(255 * fade)), special_flags=pygame.BLEND_RGBA_MULT)

    return sprite(("coin", value, round(r * 2), round(fade * 100)), 2 * r + 3, 2 * r + 3, paint)


def star(r: float, colour: RGB) -> pygame.Surface:
    """A point of prestige."""

    def paint(pen: Pen) -> None:
        points = rounded(star_points(0, 0.06 * r, r), 0.12 * r)
        pen.polygon(points, colour)

    return sprite(("star", colour, round(r * 2)), 2.2 * r + 2, 2.2 * r + 2, paint)


def flag(h: float, colour: RGB) -> pygame.Surface:
    """Who goes first."""

    def paint(pen: Pen) -> None:
        pen.line([(-0.32 * h, -0.46 * h), (-0.32 * h, 0.46 * h)], colour, 0.09 * h)
        pen.polygon([(-0.3 * h, -0.46 * h), (0.44 * h, -0.2 * h), (-0.3 * h, 0.08 * h)], colour)

    return sprite(("flag", colour, round(h * 2)), 1.1 * h, 1.1 * h, paint)


def sign(kind: str, r: float, colour: RGB) -> pygame.Surface:
    """What an effect does: turn, move, place, add, repeat, reach along the row, keep a laboratory."""
    painter = _SIGNS.get(kind, _dot)
    return sprite(("sign", kind, colour, round(r * 2)), 2.5 * r + 2, 2.4 * r + 2, lambda pen: painter(pen, r, colour))


def _dot(pen: Pen, r: float, colour: RGB) -> None:
    pen.circle(0, 0, 0.3 * r, colour)


def _rotate(pen: Pen, r: float, colour: RGB) -> None:
    pen.arc(0, 0.15 * r, 0.68 * r, -110, 75, colour, 0.22 * r)
    tip = polar(0, 0.15 * r, 0.68 * r, 92)
    pen.polygon(
        [(tip[0] - 0.46 * r, tip[1] - 0.22 * r), (tip[0] + 0.42 * r, tip[1] - 0.22 * r), (tip[0], tip[1] + 0.42 * r)],
        colour,
    )


def _move(pen: Pen, r: float, colour: RGB) -> None:
    pen.line([(-0.8 * r, 0), (0.6 * r, 0)], colour, 0.22 * r)
    pen.line([(0.3 * r, -0.42 * r), (0.76 * r, 0), (0.3 * r, 0.42 * r)], colour, 0.22 * r)


def _place(pen: Pen, r: float, colour: RGB) -> None:
    pen.line([(0, -0.85 * r), (0, 0.2 * r)], colour, 0.22 * r)
    pen.line([(-0.38 * r, -0.18 * r), (0, 0.24 * r), (0.38 * r, -0.18 * r)], colour, 0.22 * r)
    pen.line([(-0.7 * r, 0.72 * r), (0.7 * r, 0.72 * r)], colour, 0.22 * r)


def _add(pen: Pen, r: float, colour: RGB) -> None:
    pen.line([(0, 0.8 * r), (0, -0.6 * r)], colour, 0.22 * r)
    pen.line([(-0.44 * r, -0.28 * r), (0, -0.76 * r), (0.44 * r, -0.28 * r)], colour, 0.22 * r)


def _repeat(pen: Pen, r: float, colour: RGB) -> None:
    pen.rect(-0.66 * r, -0.8 * r, 0.86 * r, 1.16 * r, colour, 0.14 * r, 0.18 * r)
    pen.rect(-0.24 * r, -0.36 * r, 0.9 * r, 1.2 * r, colour, 0.14 * r)


def _row(pen: Pen, r: float, colour: RGB) -> None:
    for i in (-1, 0, 1):
        x = i * 0.72 * r
        pen.rect(x - 0.28 * r, -0.5 * r, 0.56 * r, 1.0 * r, colour, 0.08 * r, 0 if i == 0 else 0.15 * r)


def _laboratory(pen: Pen, r: float, colour: RGB) -> None:
    outline = [
        (-0.24, -0.9),
        (0.24, -0.9),
        (0.24, -0.3),
        (0.78, 0.72),
        (0.62, 0.92),
        (-0.62, 0.92),
        (-0.78, 0.72),
        (-0.24, -0.3),
    ]
    pen.polygon([(x * r, y * r) for x, y in outline], colour)
    pen.line([(-0.36 * r, -0.9 * r), (0.36 * r, -0.9 * r)], colour, 0.2 * r)


def _home(pen: Pen, r: float, colour: RGB) -> None:
    pen.polygon([(0, -0.86 * r), (0.92 * r, -0.06 * r), (-0.92 * r, -0.06 * r)], colour)
    pen.rect(-0.62 * r, -0.1 * r, 1.24 * r, 0.9 * r, colour)


_SIGNS = {
    "rotate": _rotate,
    "move": _move,
    "place": _place,
    "add": _add,
    "repeat": _repeat,
    "row": _row,
    "laboratory": _laboratory,
    "home": _home,
}
