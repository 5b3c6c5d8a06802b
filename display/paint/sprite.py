"""The cache of pictures, and the pens they are drawn with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache

import pygame

from display.kept import Kept
from display.theme import RGB, Theme, mix

FINE = 3
"""Drawn this many times larger, then scaled down: the only smooth edges pygame has."""
SCREENS, LEAST = 4, 12_000_000
"""Pictures may take as much memory as this many whole screens, and this many bytes on a small one; a scene needs half of it."""
drawing = {"on": True}
"""Switched off where only places and words are measured: pictures then stay blank."""
_cache = Kept(LEAST)

Point = tuple[float, float]
Paint = RGB | tuple[int, int, int, int]


class Pen:
    """Draws on a fine surface in plain pixels of the finished picture, (0, 0) in its middle."""

    def __init__(self, surface: pygame.Surface, fine: int = FINE) -> None:
        self.surface, self.fine = surface, fine
        self.cx, self.cy = surface.get_width() / 2, surface.get_height() / 2

    def at(self, x: float, y: float) -> Point:
        return self.cx + x * self.fine, self.cy + y * self.fine

    def polygon(self, points: Iterable[Point], colour: Paint) -> None:
        pygame.draw.polygon(self.surface, colour, [self.at(*p) for p in points])

    def circle(self, x: float, y: float, r: float, colour: Paint, width: float = 0) -> None:
        pygame.draw.circle(
            self.surface, colour, self.at(x, y), r * self.fine, max(1, round(width * self.fine)) if width else 0
        )

    def ellipse(self, x: float, y: float, rx: float, ry: float, colour: Paint) -> None:
        left, top = self.at(x - rx, y - ry)
        pygame.draw.ellipse(self.surface, colour, (left, top, 2 * rx * self.fine, 2 * ry * self.fine))

    def rect(self, x: float, y: float, w: float, h: float, colour: Paint, radius: float = 0, width: float = 0) -> None:
        left, top = self.at(x, y)
        pygame.draw.rect(
            self.surface,
            colour,
            (round(left), round(top), round(w * self.fine), round(h * self.fine)),
            max(1, round(width * self.fine)) if width else 0,
            border_radius=round(radius * self.fine),
        )

    def line(self, points: Sequence[Point], colour: Paint, width: float, *, closed: bool = False) -> None:
        """A stroke with round joins and ends."""
        w = width * self.fine
        path = [self.at(*p) for p in points]
        if closed:
            path.append(path[0])
        for a, b in itertools.pairwise(path):
            length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1
            nx, ny = -(b[1] - a[1]) / length * w / 2, (b[0] - a[0]) / length * w / 2
            corners = [(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)]
            pygame.draw.polygon(self.surface, colour, corners)
        for p in path:
            pygame.draw.circle(self.surface, colour, p, w / 2)

    def arc(self, x: float, y: float, r: float, a0: float, a1: float, colour: Paint, width: float) -> None:
        """From angle to angle, clockwise from the top, in degrees."""
        steps = max(2, int(abs(a1 - a0) / 6))
        self.line([polar(x, y, r, a0 + (a1 - a0) * i / steps) for i in range(steps + 1)], colour, width)


def polar(x: float, y: float, r: float, degrees: float) -> Point:
    """A point at an angle clockwise from the top."""
    a = math.radians(degrees)
    return x + r * math.sin(a), y - r * math.cos(a)


def sprite(
    key: Hashable, width: float, height: float, paint: Callable[[Pen], None], fine: int = FINE
) -> pygame.Surface:
    """The finished picture, drawn once; `lay` puts it down."""
    w, h = max(1, math.ceil(width)), max(1, math.ceil(height))
    full = (key, w, h)
    known = _cache.get(full)
    if known is not None:
        return known
    if not drawing["on"]:
        return _blank(w, h)
    large = pygame.Surface((w * fine, h * fine), pygame.SRCALPHA)
    paint(Pen(large, fine))
    # scaling mixes the colour of transparent pixels in; premultiplied it does not darken the edges
    return _cache.put(full, pygame.transform.smoothscale(_premultiplied(large), (w, h)))


@lru_cache(maxsize=256)
def _blank(width: int, height: int) -> pygame.Surface:
    return pygame.Surface((width, height), pygame.SRCALPHA)


def _premultiplied(picture: pygame.Surface) -> pygame.Surface:
    """Every colour times its alpha, which stays; Debian 12's pygame has no function for it.

    On black a colour is already dimmed by its alpha, and never lighter than it was: the darker of both is taken.
    """
    dimmed = pygame.Surface(picture.get_size(), 0, 32)
    dimmed.blit(picture, (0, 0))
    picture.blit(dimmed, (0, 0), special_flags=pygame.BLEND_RGB_MIN)
    return picture


def lay(surface: pygame.Surface, picture: pygame.Surface, at: Point) -> None:
    """Put a finished picture down: its colours are multiplied by its alpha already."""
    surface.blit(picture, at, special_flags=pygame.BLEND_PREMULTIPLIED)


def forget_sprites() -> None:
    """Drop all pictures: the display they were made for is gone."""
    _cache.clear()


def vertical(w: int, h: int, top: RGB, bottom: RGB) -> pygame.Surface:
    """A plain gradient from top to bottom."""
    strip = pygame.Surface((1, max(2, h)))
    for y in range(strip.get_height()):
        strip.set_at((0, y), mix(top, bottom, y / (strip.get_height() - 1)))
    return pygame.transform.scale(strip, (w, h))


def ground(theme: Theme) -> pygame.Surface:
    """The page behind everything: warm dark with a glow where a lamp would hang."""
    key = ("ground", theme.width, theme.height, theme.light)
    known = _cache.get(key)
    if known is not None:
        return known
    _cache.limit = max(LEAST, SCREENS * theme.width * theme.height * 4)
    c = theme.colours
    small = pygame.Surface((64, 36))
    for y in range(36):
        for x in range(64):
            d = math.hypot((x / 63 - 0.5) / 0.72, (y / 35 - 0.32) / 0.78)
            small.set_at((x, y), mix(c.bg_hi, c.bg, min(1.0, d)))
    return _cache.put(key, pygame.transform.smoothscale(small, (theme.width, theme.height)))
