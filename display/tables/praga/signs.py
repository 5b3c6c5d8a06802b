"""The six actions and the goods of Praga, drawn."""

from __future__ import annotations

import pygame

from display.page import Page
from display.paint.icons import icon
from display.paint.sprite import Pen, polar, sprite
from display.paint.tokens import coin, sign, star
from display.theme import RGB, rgb

BLUE, RED = rgb("2D5E9E"), rgb("A1442A")
"""The two kinds of tokens; seals are of red wax."""
BRASS = rgb("E9B95C")
LINES = {"plazas": "building", "walls": "wall", "wall_row": "wall", "v": "road", "cathedral_row": "road"}
"""Lines of the tally by the action they grow from."""


def action(name: str, r: float, colour: RGB) -> pygame.Surface:
    """The sign of an action, about 2r across."""

    def paint(pen: Pen) -> None:
        put_action(pen, name, 0, 0, r, colour)

    return sprite(("praga-action", name, round(r * 2), colour), 2.4 * r + 2, 2.4 * r + 2, paint)


def put_action(pen: Pen, name: str, x: float, y: float, r: float, colour: RGB) -> None:
    """The same on a picture in the making."""
    painter = {
        "mines": _coin,
        "quarries": _stone,
        "upgrade": _upgrade,
        "wall": _wall,
        "building": _house,
        "road": _crown,
    }.get(name)
    if painter is not None:
        painter(pen, x, y, r, colour)


def _coin(pen: Pen, x: float, y: float, r: float, colour: RGB) -> None:
    pen.circle(x, y, 0.95 * r, rgb("A9782A"))
    pen.circle(x, y - 0.06 * r, 0.88 * r, rgb("E9B95C"))
    pen.circle(x, y - 0.06 * r, 0.68 * r, rgb("F5D48C"))
    pen.rect(x - 0.14 * r, y - 0.42 * r, 0.28 * r, 0.7 * r, rgb("A9782A"), 0.05 * r)


def _stone(pen: Pen, x: float, y: float, r: float, colour: RGB) -> None:
    body = ((-0.95, 0.62), (-0.72, -0.3), (-0.1, -0.72), (0.55, -0.55), (0.95, 0.1), (0.8, 0.62))
    pen.polygon([(x + a * r, y + b * r) for a, b in body], rgb("A6A29B"))
    light = ((-0.72, -0.3), (-0.1, -0.72), (0.1, -0.1), (-0.35, 0.15))
    pen.polygon([(x + a * r, y + b * r) for a, b in light], rgb("D3D0C9"))
    pen.polygon(
        [(x + a * r, y + b * r) for a, b in ((0.1, -0.1), (0.55, -0.55), (0.95, 0.1), (0.4, 0.3))], rgb("BDB9B2")
    )


def stone(r: float) -> pygame.Surface:
    """A block of stone."""
    return sprite(("praga-stone", round(r * 2)), 2.2 * r, 2.2 * r, lambda pen: _stone(pen, 0, 0, r, rgb("A6A29B")))


def _upgrade(pen: Pen, x: float, y: float, r: float, colour: RGB) -> None:
    pen.line([polar(x, y, 0.92 * r, 60 * i) for i in range(6)], colour, 0.17 * r, closed=True)
    pen.line([(x, y + 0.46 * r), (x, y - 0.3 * r)], colour, 0.18 * r)
    pen.polygon([(x, y - 0.58 * r), (x + 0.42 * r, y - 0.08 * r), (x - 0.42 * r, y - 0.08 * r)], colour)


def _wall(pen: Pen, x: float, y: float, r: float, colour: RGB) -> None:
    pen.rect(x - 0.92 * r, y - 0.15 * r, 1.84 * r, 0.9 * r, colour)
    for i in (-1, 0, 1):
        pen.rect(x + (i * 0.7 - 0.24) * r, y - 0.72 * r, 0.48 * r, 0.7 * r, colour)


def _house(pen: Pen, x: float, y: float, r: float, colour: RGB) -> None:
    pen.polygon([(x, y - 0.92 * r), (x + 1.0 * r, y - 0.02 * r), (x - 1.0 * r, y - 0.02 * r)], colour)
    pen.rect(x - 0.7 * r, y - 0.06 * r, 1.4 * r, 0.84 * r, colour)


def _crown(pen: Pen, x: float, y: float, r: float, colour: RGB) -> None:
    points = ((-1, -0.55), (-0.45, 0.0), (0, -0.8), (0.45, 0.0), (1, -0.55), (0.82, 0.66), (-0.82, 0.66))
    pen.polygon([(x + a * r, y + b * r) for a, b in points], colour)


def disc(r: float, fill: RGB, *, wax: bool = False) -> pygame.Surface:
    """A round token; a seal has its ridge."""

    def paint(pen: Pen) -> None:
        pen.circle(0, 0.06 * r, 0.92 * r, rgb("12100E"))
        pen.circle(0, 0, 0.9 * r, fill)
        pen.circle(0, 0, (0.62 if wax else 0.36) * r, rgb("F1E4CB"), 0.14 * r)
        if wax:
            pen.circle(0, 0, 0.26 * r, rgb("F1E4CB"))

    return sprite(("tally-disc", fill, wax, round(r * 4)), 2 * r + 2, 2 * r + 2, paint)


def cube(r: float, fill: RGB) -> pygame.Surface:
    """The place for a cube."""

    def paint(pen: Pen) -> None:
        pen.line([(-0.7 * r, -0.7 * r), (0.7 * r, -0.7 * r), (0.7 * r, 0.7 * r), (-0.7 * r, 0.7 * r)], fill, 0.2 * r,
                 closed=True)  # fmt: skip
        pen.rect(-0.3 * r, -0.3 * r, 0.6 * r, 0.6 * r, fill)

    return sprite(("praga-cube", round(r * 4), fill), 2 * r + 2, 2 * r + 2, paint)


def egg(r: float) -> pygame.Surface:
    """An egg of the bridge."""

    def paint(pen: Pen) -> None:
        pen.ellipse(0, 0.06 * r, 0.68 * r, 0.92 * r, rgb("C9963F"))
        pen.ellipse(0, 0, 0.64 * r, 0.88 * r, rgb("F5D48C"))

    return sprite(("tally-egg", round(r * 4)), 2 * r + 2, 2 * r + 2, paint)


def pane(kind: str, r: float) -> pygame.Surface:
    """A window of gold or silver."""
    frame, glass = (rgb("A9782A"), rgb("F5D48C")) if kind == "gold" else (rgb("77797F"), rgb("DADDE3"))

    def paint(pen: Pen) -> None:
        pen.rect(-0.72 * r, -0.9 * r, 1.44 * r, 1.8 * r, frame, 0.3 * r)
        for x in (-0.52, 0.06):
            for y in (-0.68, 0.06):
                pen.rect(x * r, y * r, 0.46 * r, 0.62 * r, glass, 0.08 * r)

    return sprite(("praga-pane", kind, round(r * 4)), 2 * r + 2, 2 * r + 2, paint)


def gain(page: Page, name: str, r: float) -> pygame.Surface:
    """Something gained, as it lies on the table."""
    match name:
        case "points":
            return star(r, page.c.brass_hi if not page.theme.light else page.c.brass_text)
        case "gold":
            return coin(r)
        case "stone":
            return stone(r)
        case "eggs":
            return egg(r)
        case "silver_windows" | "gold_windows":
            return pane(name.partition("_")[0], r)
        case "red" | "blue":
            return disc(r, RED if name == "red" else BLUE)
        case "technology":
            return sign("laboratory", r, (191, 160, 234))
        case "university":
            return _cap(0.85 * r, page.c.text)
        case "wall_steps" | "cathedral_steps":
            return _step(name.partition("_")[0], r, page.c.text)
    return icon("book", r, page.c.dim)


def _cap(r: float, colour: RGB) -> pygame.Surface:
    """A scholar's cap: the university."""

    def paint(pen: Pen) -> None:
        pen.polygon([(-0.55 * r, -0.1 * r), (0.55 * r, -0.1 * r), (0.55 * r, 0.5 * r), (-0.55 * r, 0.5 * r)], colour)
        pen.polygon([(0, -0.85 * r), (1.1 * r, -0.3 * r), (0, 0.25 * r), (-1.1 * r, -0.3 * r)], colour)
        pen.line([(0.92 * r, -0.3 * r), (0.92 * r, 0.6 * r)], BRASS, 0.14 * r)

    return sprite(("praga-cap", round(r * 4), colour), 2.4 * r + 2, 2.2 * r + 2, paint)


def _step(building: str, r: float, colour: RGB) -> pygame.Surface:
    """A step along a row: to the left on the Hunger Wall, to the right on the Cathedral."""
    side = -1 if building == "wall" else 1

    def paint(pen: Pen) -> None:
        if building == "wall":
            _wall(pen, 0, -0.2 * r, 0.8 * r, colour)
        else:
            _spires(pen, 0, -0.2 * r, 0.8 * r, colour)
        pen.line([(-0.8 * side * r, 0.78 * r), (0.4 * side * r, 0.78 * r)], BRASS, 0.2 * r)
        tip = ((0.9, 0.78), (0.3, 0.42), (0.3, 1.14))
        pen.polygon([(side * a * r, b * r) for a, b in tip], BRASS)

    return sprite(("praga-step", building, round(r * 2), colour), 2.4 * r + 2, 2.6 * r + 2, paint)


def _spires(pen: Pen, x: float, y: float, r: float, colour: RGB) -> None:
    """The Cathedral: two towers and a nave."""
    for side in (-1, 1):
        pen.rect(x + (0.6 * side - 0.26) * r, y - 0.3 * r, 0.52 * r, 1.1 * r, colour)
        roof = ((0.6 * side, -1.05), (0.6 * side - 0.3, -0.28), (0.6 * side + 0.3, -0.28))
        pen.polygon([(x + a * r, y + b * r) for a, b in roof], colour)
    pen.rect(x - 0.4 * r, y + 0.1 * r, 0.8 * r, 0.7 * r, colour)


def tally_sign(page: Page, line: str, r: float) -> pygame.Surface | None:
    """A token, or the action a line grows from."""
    kind = line.partition("/")[0]
    match kind:
        case "blue_tokens":
            return disc(r, BLUE)
        case "red_tokens":
            return disc(r, RED)
        case "seals":
            return disc(r, RED, wax=True)
        case "science":
            return sign("laboratory", r, (191, 160, 234))
        case "eggs":
            return egg(r)
        case _ if kind in LINES:
            return action(LINES[kind], r, page.c.dim)
    return stone(r) if "stone" in line else None
