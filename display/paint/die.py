"""A die: bright body, darker lower edge, pips in its owner's shape."""

from __future__ import annotations

import pygame

from display.paint.shapes import put_shape
from display.paint.sprite import Paint, Pen, sprite
from display.theme import RGB, Player, Theme, rgb

_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
IVORY = Player(rgb("F8F1E4"), "circle", rgb("C9BCA5"), rgb("8C7F6A"))
BUILD = Player(rgb("FFDF96"), "circle", rgb("C99A3A"), rgb("8A5F00"))


def put_die(pen: Pen, x: float, y: float, side: float, player: Player, face: int, ink: RGB) -> None:
    """A die with its middle at (x, y)."""
    h = side / 2
    pen.rect(x - h, y - h + 0.07 * side, side, side, player.lip, 0.2 * side)
    pen.rect(x - h, y - h, side, side, player.fill, 0.2 * side)
    r = (0.115 if player.shape in ("circle", "square") else 0.125) * side
    for px, py in _PIPS.get(face, ()):
        put_shape(pen, player.shape, x + 0.27 * side * px, y + 0.27 * side * py, r, ink)


def die(
    player: Player, face: int, side: float, theme: Theme, *, glow: bool = False, ghost: bool = False, fade: float = 1.0
) -> pygame.Surface:
    """The die's picture, 1.3 sides wide; `glow`: finishes this round; `ghost`: expected, not yet seen."""
    ink = theme.colours.ink

    def paint(pen: Pen) -> None:
        h = side / 2
        if glow:
            out = 0.09 * side
            pen.rect(-h - out, -h - out, side + 2 * out, side * 1.07 + 2 * out, rgb("F8DA97"), 0.27 * side, 0.06 * side)
        if ghost:
            seen = player.edge if theme.light else player.fill  # a pale fill is lost on a light ground
            _dashes(pen, h, seen)
            r = 0.11 * side
            for px, py in _PIPS.get(face, ()):
                put_shape(pen, player.shape, 0.27 * side * px, 0.27 * side * py, r, seen)
            return
        if theme.light:
            pen.rect(-h - 1.5, -h - 1.5, side + 3, side * 1.07 + 3, player.edge, 0.23 * side)
        put_die(pen, 0, 0, side, player, face, ink)
        if fade < 1:
            pen.surface.fill((255, 255, 255, round(255 * fade)), special_flags=pygame.BLEND_RGBA_MULT)

    key = ("die", player.fill, player.shape, face, round(side * 2), glow, ghost, round(fade * 100), theme.light)
    return sprite(key, side * 1.34, side * 1.34, paint)


def _dashes(pen: Pen, h: float, colour: Paint) -> None:
    """A dashed square: a die that should lie here."""
    w = max(1.4, h * 0.09)
    n, dash = 4, 2 * h / 4
    for i in range(n):
        a = -h + i * dash + dash * 0.2
        b = a + dash * 0.6
        for points in (((a, -h), (b, -h)), ((a, h), (b, h)), ((-h, a), (-h, b)), ((h, a), (h, b))):
            pen.line(points, colour, w)
