"""The players' shapes: a player is a colour and a shape, never a colour alone."""

from __future__ import annotations

import math

import pygame

from display.paint.sprite import Paint, Pen, Point, polar, sprite
from display.theme import RGB, Player, Theme

Radii = tuple[float, float]
"""How far something reaches to the side and up."""


def put_shape(pen: Pen, shape: str, x: float, y: float, r: float, colour: Paint) -> None:
    """One of the six shapes."""
    match shape:
        case "square":
            pen.rect(x - 0.82 * r, y - 0.82 * r, 1.64 * r, 1.64 * r, colour, 0.08 * r)
        case "triangle":
            pen.polygon([(x, y - 1.06 * r), (x + 1.02 * r, y + 0.74 * r), (x - 1.02 * r, y + 0.74 * r)], colour)
        case "diamond":
            pen.polygon([(x, y - 1.12 * r), (x + r, y), (x, y + 1.12 * r), (x - r, y)], colour)
        case "hexagon":
            pen.polygon([polar(x, y, r, 30 + 60 * i) for i in range(6)], colour)
        case "cross":
            arm = 0.36 * r
            pen.rect(x - arm, y - r, 2 * arm, 2 * r, colour)
            pen.rect(x - r, y - arm, 2 * r, 2 * arm, colour)
        case _:
            pen.circle(x, y, 0.92 * r, colour)


def mark(player: Player, r: float, theme: Theme, *, ink: bool = False) -> pygame.Surface:
    """A player's shape in its colour, with its edge on light ground; in ink on the player's own block."""
    fill = theme.colours.ink if ink else player.fill
    edge = theme.light and not ink

    def paint(pen: Pen) -> None:
        if edge:
            put_shape(pen, player.shape, 0, 0, r * 1.14, player.edge)
        put_shape(pen, player.shape, 0, 0, r, fill)

    return sprite(("mark", player.shape, fill, edge, round(r * 4)), 2.6 * r + 2, 2.6 * r + 2, paint)


def hexagon(r: Radii, fill: RGB, edge: RGB, width: float) -> pygame.Surface:
    """A place of a map of hexagons, as far to the side and up as its row allows."""

    def corners(less: float) -> list[Point]:
        a, b = r[0] - less, r[1] - less
        return [(0, -b), (a, -b / 2), (a, b / 2), (0, b), (-a, b / 2), (-a, -b / 2)]

    def paint(pen: Pen) -> None:
        pen.polygon(corners(0), edge)
        pen.polygon(corners(width), fill)

    return sprite(("hexagon", r, fill, edge, round(width * 2)), 2 * r[0] + 2, 2 * r[1] + 2, paint)


def star_points(x: float, y: float, r: float) -> list[tuple[float, float]]:
    """Five points, upright."""
    return [polar(x, y, r if i % 2 == 0 else r * 0.46, 36 * i) for i in range(10)]


def rounded(points: list[tuple[float, float]], soft: float) -> list[tuple[float, float]]:
    """Cut each corner by a share of its sides."""
    out: list[tuple[float, float]] = []
    n = len(points)
    for i, (x, y) in enumerate(points):
        for ox, oy in (points[i - 1], points[(i + 1) % n]):
            d = math.hypot(ox - x, oy - y) or 1
            s = min(0.5, soft / d)
            out.append((x + (ox - x) * s, y + (oy - y) * s))
    return out
