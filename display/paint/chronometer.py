"""The chronometer: a brass ring of prices around a dial of faces. The frame stands still, the faces travel."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from display.paint.die import BUILD, IVORY, die
from display.paint.sprite import FINE, Pen, lay, polar, sprite
from display.paint.tokens import coin
from display.theme import Theme, rgb


def _frame(pen: Pen, r: float) -> None:
    for i in range(36):
        a = 10 * i
        tooth = [
            polar(0, 0, 0.945 * r, a - 3.1),
            polar(0, 0, r, a - 2.1),
            polar(0, 0, r, a + 2.1),
            polar(0, 0, 0.945 * r, a + 3.1),
        ]
        pen.polygon(tooth, rgb("B98840") if 60 < a < 300 else rgb("D2A050"))
    _disc(pen, 0.95 * r)
    pen.circle(0, 0, 0.925 * r, rgb("2A1F16"))
    for i in range(6):
        pen.circle(*polar(0, 0, 0.83 * r, 30 + 60 * i), 0.018 * r, rgb("8C6529"))
    pen.circle(0, 0, 0.735 * r, rgb("E0B35E"))
    pen.circle(0, 0, 0.715 * r, rgb("1C1511"))
    _wedge(pen, r)
    for i in range(6):
        a = 30 + 60 * i
        pen.line([polar(0, 0, 0.33 * r, a), polar(0, 0, 0.70 * r, a)], rgb("5A4630"), 0.008 * r)


def _disc(pen: Pen, r: float) -> None:
    """Brass, lit from above."""
    top, middle, low = rgb("F0C878"), rgb("C9963F"), rgb("845F27")
    steps = 60
    box = pygame.Surface(pen.surface.get_size(), pygame.SRCALPHA)
    for i in range(steps):
        y = -r + 2 * r * i / steps
        share = i / (steps - 1)
        a, b, s = (top, middle, share * 2) if share < 0.5 else (middle, low, share * 2 - 1)
        colour = tuple(round(a[k] + (b[k] - a[k]) * s) for k in range(3))
        left, edge = pen.at(-r, y)
        box.fill(colour, (round(left), round(edge), round(2 * r * pen.fine), round(2 * r * pen.fine / steps) + 2))
    stencil = pygame.Surface(pen.surface.get_size(), pygame.SRCALPHA)
    pygame.draw.circle(stencil, (255, 255, 255, 255), pen.at(0, 0), r * pen.fine)
    box.blit(stencil, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    pen.surface.blit(box, (0, 0))


def _wedge(pen: Pen, r: float) -> None:
    """Light falls from the build symbol on the face below it."""
    layer = pygame.Surface(pen.surface.get_size(), pygame.SRCALPHA)
    own = Pen(layer, pen.fine)
    bands = 14
    for i in range(bands):
        outer, inner = 0.715 - (0.715 - 0.3) * i / bands, 0.715 - (0.715 - 0.3) * (i + 1) / bands
        alpha = round(255 * (0.42 - 0.38 * i / bands))
        arc = [polar(0, 0, outer * r, a) for a in range(-30, 31, 5)] + [
            polar(0, 0, inner * r, a) for a in range(30, -31, -5)
        ]
        own.polygon(arc, (*rgb("F2C66C"), alpha))
    pen.surface.blit(layer, (0, 0))


def _keystone(pen: Pen, r: float) -> None:
    """The build symbol: a tower in a brass keystone."""

    def wedge(a0: float, a1: float, r0: float, r1: float) -> list[tuple[float, float]]:
        n = 8
        outer = [polar(0, 0, r1, -a1 + 2 * a1 * i / n) for i in range(n + 1)]
        return [*outer, *(polar(0, 0, r0, a0 - 2 * a0 * i / n) for i in range(n + 1))]

    pen.polygon(wedge(19.2, 19.6, 0.672 * r, 1.073 * r), rgb("17120F"))
    bands = 20
    for i in range(bands):
        s = i / (bands - 1)
        a, b = rgb("FBE3AC"), rgb("DFA747")
        colour = (round(a[0] + (b[0] - a[0]) * s), round(a[1] + (b[1] - a[1]) * s), round(a[2] + (b[2] - a[2]) * s))
        r1, r0 = 1.045 - 0.345 * i / bands, 1.045 - 0.345 * (i + 1) / bands
        pen.polygon(wedge(17 + (1 - s), 17 + (1 - s), r0 * r, r1 * r + 0.4), colour)
    ink, x, y, w = rgb("1A130E"), 0, -0.84 * r, 0.1 * r
    pen.polygon([(x, y - 1.15 * w), (x + 0.85 * w, y - 0.25 * w), (x - 0.85 * w, y - 0.25 * w)], ink)
    pen.rect(x - 0.5 * w, y - 0.2 * w, w, 0.72 * w, ink)
    pen.rect(x - 0.78 * w, y + 0.6 * w, 1.56 * w, 0.3 * w, ink)


def _hub(pen: Pen, r: float) -> None:
    pen.circle(0, 0, 0.318 * r, rgb("8C6529"))
    pen.circle(0, 0, 0.30 * r, rgb("33281F"))


def put_chronometer(
    surface: pygame.Surface,
    cx: float,
    cy: float,
    r: float,
    theme: Theme,
    faces: Sequence[int],
    prices: Sequence[int | None],
    *,
    turned: float = 0.0,
    sure: bool = True,
    prices_shown: bool = True,
    wanted: int | None = None,
) -> None:
    """The ring. `turned` is how far, in positions clockwise, the faces stand from their places; `wanted` is the face that
    belongs at the build symbol where another stands: it glows where it is, and its ghost waits at the symbol."""
    side = 2.12 * r
    _centre(
        surface, sprite(("ring", round(r * 2)), side, side, lambda pen: _frame(pen, r), 2 if r > 200 else FINE), cx, cy
    )
    if prices_shown:
        for i, price in enumerate(prices):
            if price is not None and i:
                x, y = polar(cx, cy, 0.83 * r, 360 * i / len(prices))
                _centre(surface, coin(0.115 * r, price), x, y)
    n = len(faces) or 1
    for i, face in enumerate(faces):
        place = (i + turned) % n
        x, y = polar(cx, cy, 0.52 * r, 360 * place / n)
        near = max(0.0, 1 - min(place, n - place) * 2)
        paint, glow, ghost = BUILD if near > 0.5 else IVORY, face == wanted, wanted is not None and near > 0.5
        fade = 0.4 if not sure or (wanted is not None and not glow) else 1.0
        at_symbol = wanted if ghost and wanted is not None else face
        side = 0.245 * r * (1 + 0.12 * near)
        _centre(surface, die(paint, at_symbol, side, _flat(theme), glow=glow, ghost=ghost, fade=fade), x, y)
    _centre(
        surface,
        sprite(("keystone", round(r * 2)), side, 2.2 * r, lambda pen: _keystone(pen, r), 2 if r > 200 else FINE),
        cx,
        cy,
    )
    _centre(surface, sprite(("hub", round(r * 2)), 0.7 * r, 0.7 * r, lambda pen: _hub(pen, r)), cx, cy)


def _flat(theme: Theme) -> Theme:
    """The ring is dark in both themes, so its dice need no edge."""
    return Theme(theme.width, theme.height)


def _centre(surface: pygame.Surface, picture: pygame.Surface, x: float, y: float) -> None:
    lay(surface, picture, (round(x - picture.get_width() / 2), round(y - picture.get_height() / 2)))
