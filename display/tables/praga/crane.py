"""The action crane of Praga: twelve stations around a wheel with tiles, the box and its arrow."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from companion.shown.praga import Station
from display.paint.sprite import Pen, Point, lay, polar, sprite
from display.paint.tokens import coin, star
from display.tables.praga.signs import put_action
from display.theme import RGB, Theme, rgb

ZONES: dict[str, RGB] = {"red": rgb("A1442A"), "green": rgb("2A7A58"), "blue": rgb("2D5E9E")}
IVORY, PAPER, WOOD = rgb("FFF8EA"), rgb("F1E4CB"), rgb("5A3C22")
STEP = 30.0


def angle(station: float) -> float:
    """The middle of a station, clockwise from the top."""
    return 15.0 + STEP * (station - 1)


def _sector(r0: float, r1: float, a0: float, a1: float) -> list[Point]:
    steps = 8
    outer = [polar(0, 0, r1, a0 + (a1 - a0) * i / steps) for i in range(steps + 1)]
    return outer + [polar(0, 0, r0, a1 - (a1 - a0) * i / steps) for i in range(steps + 1)]


def ring(r: float, stations: Sequence[Station], theme: Theme) -> pygame.Surface:
    """The fixed part: rims, zones and the places between them."""
    zones = tuple(one.zone for one in stations)
    c = theme.colours

    def paint(pen: Pen) -> None:
        pen.circle(0, 0, r, rgb("D9A64A"))
        pen.circle(0, 0, 0.985 * r, rgb("1C1511"))
        for i, name in enumerate(zones):
            pen.polygon(_sector(0.775 * r, 0.965 * r, STEP * i + 1, STEP * (i + 1) - 1), ZONES[name])
        pen.circle(0, 0, 0.755 * r, rgb("D9A64A"))
        pen.circle(0, 0, 0.738 * r, rgb("1C1511"))
        for i in range(12):
            pen.line([polar(0, 0, 0.34 * r, STEP * i), polar(0, 0, 0.73 * r, STEP * i)], rgb("3B2E22"), 1.2)
        pen.circle(0, 0, 0.345 * r, rgb("8C6529"))
        pen.circle(0, 0, 0.33 * r, rgb("33281F"))

    return sprite(("crane-ring", zones, round(r), c.bg), 2.04 * r, 2.04 * r, paint, 2)


def small(r: float, lit: int, *, hooks: bool = False) -> pygame.Surface:
    """The crane in small with one place lit: a station of its zone, or with `hooks` a slot clockwise from the arrow on top."""
    zone = ("red",) * 4 + ("green",) * 3 + ("blue",) * 5

    def paint(pen: Pen) -> None:
        for i, name in enumerate(zone):
            on = i == (lit if hooks else lit - 1)
            turn = STEP * i - (STEP / 2 if hooks else 0)
            fill = IVORY if on else WOOD if hooks else ZONES[name]
            pen.polygon(_sector((0.42 if on else 0.6) * r, r, turn + 2, turn + STEP - 2), fill)
        if hooks:
            pen.polygon([(0, -r), (-0.3 * r, -0.5 * r), (0.3 * r, -0.5 * r)], rgb("D9A64A"))

    return sprite(("crane-small", lit, hooks, round(r * 2)), 2.1 * r, 2.1 * r, paint)


def put_prices(surface: pygame.Surface, cx: float, cy: float, r: float, stations: Sequence[Station]) -> None:
    """What each station asks or gives: a coin with its number, a dot, or a star before the points."""
    for one in stations:
        at = polar(cx, cy, 0.87 * r, angle(one.station))
        if one.zone == "red":
            _middle(surface, coin(0.07 * r, one.price), at)
        elif one.zone == "green":
            dot = sprite(("crane-dot", round(r)), 0.1 * r, 0.1 * r, lambda pen: pen.circle(0, 0, 0.027 * r, IVORY))
            _middle(surface, dot, at)
        else:
            _middle(surface, star(0.045 * r, IVORY), (at[0] - 0.05 * r, at[1]))
        edge = polar(cx, cy, 0.915 * r, angle(one.station) - 10.5)  # in a corner, clear of price and points
        if one.hole:
            _middle(surface, _hole(r), edge)
        if one.star:
            _middle(surface, star(0.034 * r, rgb("F5D48C")), edge)


def _hole(r: float) -> pygame.Surface:
    """Where the counting cube falls."""

    def paint(pen: Pen) -> None:
        pen.circle(0, 0, 0.026 * r, rgb("D9A64A"))
        pen.circle(0, 0, 0.019 * r, rgb("12100E"))

    return sprite(("crane-hole", round(r)), 0.08 * r, 0.08 * r, paint)


def points_box(cx: float, cy: float, r: float, station: int) -> tuple[float, float, float, float]:
    """Where the points of a blue station are written, beside their star."""
    x, y = polar(cx, cy, 0.87 * r, angle(station))
    return x + 0.0 * r, y - 0.065 * r, 0.11 * r, 0.13 * r


def _middle(surface: pygame.Surface, picture: pygame.Surface, at: Point) -> None:
    lay(surface, picture, (round(at[0] - picture.get_width() / 2), round(at[1] - picture.get_height() / 2)))


def put_wheel(
    surface: pygame.Surface,
    cx: float,
    cy: float,
    r: float,
    stations: Sequence[Station],
    box: int,
    turned: float,
    *,
    cube: bool,
) -> None:
    """Tiles and the box with the arrow, `turned` notches from where the table has them."""
    for one in stations:
        if one.tile:
            where = angle(one.station + turned)
            picture = _tile(r, where, one.actions, one.flag)
            _middle(surface, picture, polar(cx, cy, 0.555 * r, where))
    where = angle(box + turned)
    _middle(surface, _box(r, where, cube), polar(cx, cy, 0.555 * r, where))


def _wedge(r: float, where: float) -> list[Point]:
    middle = polar(0, 0, 0.555 * r, where)
    return [(x - middle[0], y - middle[1]) for x, y in _sector(0.395 * r, 0.715 * r, where - 12.6, where + 12.6)]


def _tile(r: float, where: float, actions: tuple[str, ...], flag: bool) -> pygame.Surface:
    where = round(where % 360 / 2) * 2.0

    def paint(pen: Pen) -> None:
        pen.polygon(_wedge(r, where), PAPER)
        middle = polar(0, 0, 0.555 * r, where)
        places = ((0.625, actions[:1]), (0.48, actions[1:2]))
        for distance, names in places:
            x, y = polar(0, 0, distance * r, where)
            for name in names:
                put_action(
                    pen, name, x - middle[0], y - middle[1], (0.062 if distance > 0.5 else 0.05) * r, rgb("3B2A1C")
                )
            if not names and not actions:
                pen.circle(x - middle[0], y - middle[1], 0.016 * r, rgb("B9A988"))
        if flag:
            x, y = polar(0, 0, 0.555 * r, where + 8)
            pen.circle(x - middle[0], y - middle[1], 0.05 * r, rgb("E3AE52"))

    return sprite(("crane-tile", round(r), where, actions, flag), 0.46 * r, 0.46 * r, paint, 2)


def _box(r: float, where: float, cube: bool) -> pygame.Surface:
    """The box with its arrow, and the counting cube while it lies there."""
    where = round(where % 360 / 2) * 2.0

    def paint(pen: Pen) -> None:
        pen.polygon(_wedge(r, where), rgb("C99A4B"))
        inner = [(x * 0.93, y * 0.93) for x, y in _wedge(r, where)]
        pen.polygon(inner, WOOD)
        shape = [(0, -0.12), (0.095, 0.0), (0.042, 0.0), (0.042, 0.1), (-0.042, 0.1), (-0.042, 0.0), (-0.095, 0.0)]
        pen.polygon([_spun(x * r, y * r, where) for x, y in shape], IVORY)
        if cube:
            x, y = _spun(0.0, 0.135 * r, where)
            pen.rect(x - 0.024 * r, y - 0.024 * r, 0.048 * r, 0.048 * r, rgb("B3402A"), 0.006 * r)

    return sprite(("crane-box", round(r), where, cube), 0.46 * r, 0.46 * r, paint, 2)


def _spun(x: float, y: float, degrees: float) -> Point:
    a, b = polar(0, 0, 1, degrees), polar(0, 0, 1, degrees + 90)
    return -y * a[0] + x * b[0], -y * a[1] + x * b[1]


def put_goal(surface: pygame.Surface, cx: float, cy: float, r: float, station: int, colour: RGB) -> None:
    """Where the arrow belongs next: a bright edge around its station."""

    def paint(pen: Pen) -> None:
        a0, a1 = STEP * (station - 1) + 1.5, STEP * station - 1.5
        pen.line(_sector(0.79 * r, 0.95 * r, a0, a1), colour, 0.02 * r, closed=True)

    _middle(surface, sprite(("crane-goal", round(r), station, colour), 2.04 * r, 2.04 * r, paint, 2), (cx, cy))
