"""Signs on buttons: drawn, never typed."""

from __future__ import annotations

import pygame

from display.paint.shapes import rounded
from display.paint.sprite import Pen, polar, sprite
from display.theme import RGB, TOWERS, rgb


def icon(name: str, r: float, colour: RGB) -> pygame.Surface:
    """A sign about 2r across."""
    painter = _ICONS.get(name, _dots)
    return sprite(("icon", name, colour, round(r * 2)), 2.5 * r + 2, 2.5 * r + 2, lambda pen: painter(pen, r, colour))


def _undo(pen: Pen, r: float, c: RGB) -> None:
    w = 0.2 * r
    pen.line([(-0.5 * r, -0.4 * r), (0.35 * r, -0.4 * r)], c, w)
    pen.arc(0.35 * r, 0.1 * r, 0.5 * r, 0, 180, c, w)
    pen.line([(0.35 * r, 0.6 * r), (-0.25 * r, 0.6 * r)], c, w)
    pen.polygon([(-1.0 * r, -0.4 * r), (-0.38 * r, -0.84 * r), (-0.38 * r, 0.04 * r)], c)


def _pencil(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(-0.34 * r, 0.34 * r), (0.5 * r, -0.5 * r)], c, 0.44 * r)
    pen.polygon([(-0.8 * r, 0.8 * r), (-0.64 * r, 0.2 * r), (-0.2 * r, 0.64 * r)], c)


def _check(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(-0.6 * r, 0.05 * r), (-0.15 * r, 0.5 * r), (0.65 * r, -0.45 * r)], c, 0.26 * r)


def _plus(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(-0.8 * r, 0), (0.8 * r, 0)], c, 0.26 * r)
    pen.line([(0, -0.8 * r), (0, 0.8 * r)], c, 0.26 * r)


def _minus(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(-0.8 * r, 0), (0.8 * r, 0)], c, 0.26 * r)


def _cross(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(-0.6 * r, -0.6 * r), (0.6 * r, 0.6 * r)], c, 0.24 * r)
    pen.line([(-0.6 * r, 0.6 * r), (0.6 * r, -0.6 * r)], c, 0.24 * r)


def _up(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(-0.7 * r, 0.35 * r), (0, -0.4 * r), (0.7 * r, 0.35 * r)], c, 0.24 * r)


def _down(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(-0.7 * r, -0.35 * r), (0, 0.4 * r), (0.7 * r, -0.35 * r)], c, 0.24 * r)


def _left(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(0.35 * r, -0.7 * r), (-0.4 * r, 0), (0.35 * r, 0.7 * r)], c, 0.24 * r)


def _right(pen: Pen, r: float, c: RGB) -> None:
    pen.line([(-0.35 * r, -0.7 * r), (0.4 * r, 0), (-0.35 * r, 0.7 * r)], c, 0.24 * r)


def _dots(pen: Pen, r: float, c: RGB) -> None:
    for dy in (-0.7, 0, 0.7):
        pen.circle(0, dy * r, 0.2 * r, c)


def _camera(pen: Pen, r: float, c: RGB) -> None:
    pen.rect(-r, -0.6 * r, 2 * r, 1.4 * r, c, 0.24 * r, 0.18 * r)
    pen.rect(-0.38 * r, -0.84 * r, 0.76 * r, 0.34 * r, c, 0.1 * r)
    pen.circle(0, 0.1 * r, 0.38 * r, c, 0.18 * r)


def _phone(pen: Pen, r: float, c: RGB) -> None:
    pen.rect(-0.52 * r, -0.95 * r, 1.04 * r, 1.9 * r, c, 0.2 * r, 0.17 * r)
    pen.line([(-0.16 * r, 0.66 * r), (0.16 * r, 0.66 * r)], c, 0.14 * r)


def _dial(pen: Pen, r: float, c: RGB) -> None:
    pen.circle(0, 0, 0.92 * r, c, 0.17 * r)
    pen.line([(0, 0), polar(0, 0, 0.6 * r, 35)], c, 0.18 * r)
    for a in range(0, 360, 60):
        pen.circle(*polar(0, 0, 0.66 * r, a), 0.07 * r, c)


def _broker(pen: Pen, r: float, c: RGB) -> None:
    pen.circle(0, 0, 0.26 * r, c)
    for a in (0, 120, 240):
        pen.line([(0, 0), polar(0, 0, 0.7 * r, a)], c, 0.13 * r)
        pen.circle(*polar(0, 0, 0.76 * r, a), 0.22 * r, c)


def _book(pen: Pen, r: float, c: RGB) -> None:
    pen.rect(-0.86 * r, -0.7 * r, 1.72 * r, 1.4 * r, c, 0.16 * r, 0.17 * r)
    for dy in (-0.28, 0.04, 0.36):
        pen.line([(-0.48 * r, dy * r), (0.48 * r, dy * r)], c, 0.12 * r)


def _crown(pen: Pen, r: float, c: RGB) -> None:
    points = [(-1, -0.5), (-0.48, 0.02), (0, -0.78), (0.48, 0.02), (1, -0.5), (0.82, 0.62), (-0.82, 0.62)]
    pen.polygon(rounded([(x * r, y * r) for x, y in points], 0.08 * r), c)


def _settings(pen: Pen, r: float, c: RGB) -> None:
    for dy, dx in ((-0.6, 0.3), (0, -0.35), (0.6, 0.15)):
        pen.line([(-0.9 * r, dy * r), (0.9 * r, dy * r)], c, 0.15 * r)
        pen.circle(dx * r, dy * r, 0.25 * r, c)


def _lock(pen: Pen, r: float, c: RGB) -> None:
    pen.rect(-0.66 * r, -0.1 * r, 1.32 * r, 1.0 * r, c, 0.16 * r)
    pen.arc(0, -0.1 * r, 0.42 * r, -90, 90, c, 0.2 * r)


def _power(pen: Pen, r: float, c: RGB) -> None:
    pen.arc(0, 0.08 * r, 0.74 * r, 32, 328, c, 0.2 * r)
    pen.line([(0, -0.9 * r), (0, -0.1 * r)], c, 0.2 * r)


def _warn(pen: Pen, r: float, c: RGB) -> None:
    pen.polygon(rounded([(0, -0.95 * r), (1.05 * r, 0.85 * r), (-1.05 * r, 0.85 * r)], 0.2 * r), c)
    ink = rgb("1A130E" if sum(c) > 330 else "FFF8EA")  # the light theme's warnings are dark
    pen.line([(0, -0.3 * r), (0, 0.25 * r)], ink, 0.2 * r)
    pen.circle(0, 0.56 * r, 0.12 * r, ink)


def _pad(pen: Pen, r: float, c: RGB) -> None:
    bars = ((-0.78, 0.5, "FFCB47"), (-0.26, 0.95, "1FA07F"), (0.26, 0.74, "8FD0FF"), (0.78, 1.3, "EE5A3C"))
    for x, h, code in bars:
        pen.rect((x - 0.2) * r, (0.75 - h) * r, 0.4 * r, h * r, rgb(code), 0.06 * r)


def _crane(pen: Pen, r: float, c: RGB) -> None:
    zones = ["A1442A"] * 4 + ["2A7A58"] * 3 + ["2D5E9E"] * 5
    for i, code in enumerate(zones):
        a0, a1 = 30 * i + 2, 30 * i + 28
        arc = [polar(0, 0, r, a0), polar(0, 0, r, (a0 + a1) / 2), polar(0, 0, r, a1)]
        pen.polygon([*arc, polar(0, 0, 0.56 * r, a1), polar(0, 0, 0.56 * r, a0)], rgb(code))
    pen.circle(0, 0, 0.42 * r, rgb("E3AE52"))
    points = [(-1, -0.5), (-0.48, 0.02), (0, -0.78), (0.48, 0.02), (1, -0.5), (0.82, 0.62), (-0.82, 0.62)]
    pen.polygon([(x * 0.24 * r, y * 0.24 * r) for x, y in points], rgb("1A130E"))


def _island(pen: Pen, r: float, c: RGB) -> None:
    stone = rgb("D8C7A6")
    pen.polygon(
        [
            (x * r, y * r)
            for x, y in ((-0.85, 0.25), (0.85, 0.25), (0.62, 0.48), (0.2, 0.6), (0.06, 0.98), (-0.2, 0.62), (-0.6, 0.5))
        ],
        stone,
    )
    pen.rect(-0.58 * r, -0.2 * r, 0.26 * r, 0.5 * r, stone)
    pen.rect(-0.16 * r, -0.74 * r, 0.32 * r, 1.0 * r, stone)
    pen.polygon([(-0.2 * r, -0.72 * r), (0, -1.02 * r), (0.2 * r, -0.72 * r)], stone)
    pen.rect(0.3 * r, -0.5 * r, 0.26 * r, 0.8 * r, stone, 0.1 * r)


def _star_tower(pen: Pen, r: float, c: RGB) -> None:
    for i, (x, h, name) in enumerate(
        ((-0.72, 1.3, "blue"), (-0.24, 0.8, "gold"), (0.24, 1.05, "red"), (0.72, 0.7, "violet"))
    ):
        enamel = TOWERS[name]
        pen.rect((x - 0.19) * r, (0.8 - h) * r, 0.38 * r, h * r, enamel.fill)
        top = 0.8 - h
        if i == 1:
            pen.circle(x * r, top * r, 0.2 * r, enamel.roof)
        else:
            pen.polygon([((x - 0.22) * r, top * r), ((x + 0.22) * r, top * r), (x * r, (top - 0.28) * r)], enamel.roof)


_ICONS = {
    "undo": _undo, "check": _check, "plus": _plus, "minus": _minus, "cross": _cross, "up": _up, "down": _down,
    "left": _left, "right": _right, "dots": _dots, "camera": _camera, "phone": _phone, "dial": _dial,
    "broker": _broker, "book": _book, "crown": _crown, "settings": _settings, "lock": _lock, "power": _power, "pencil": _pencil,
    "warn": _warn, "pad": _pad, "crane": _crane, "island": _island, "towers": _star_tower,
}  # fmt: skip
