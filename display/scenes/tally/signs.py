"""A sign for each source of points, so that a tally is read across the table; the words say the rest."""

from __future__ import annotations

import pygame

from display.page import Page
from display.paint.icons import icon
from display.paint.sprite import Pen, sprite
from display.paint.tokens import coin, sign, star
from display.tables.praga.signs import action, stone
from display.tables.skyrise.pieces import faction, feature, token
from display.tables.skytopia.guilds import guild_pictures
from display.theme import RGB, rgb

PRAGA = {"plazas": "building", "walls": "wall", "wall_row": "wall", "v": "road", "cathedral_row": "road"}
"""Praga's lines by the action they grow from."""


def put_sign(page: Page, key: str, cx: float, cy: float, r: float) -> None:
    """The sign of a tally line by its id."""
    kind, _, rest = key.partition("/")
    if kind == "guild" or "guild" in key:
        guild_pictures(page, key.rpartition("/")[2], cx, cy, 2 * r)
        return
    page.blit(_picture(page, key, kind, rest, r), cx, cy)


def _picture(page: Page, key: str, kind: str, rest: str, r: float) -> pygame.Surface:
    c = page.c
    match kind:
        case "control":
            return icon("island", r * 1.1, c.dim)
        case "panorama" if rest in ("lakes", "airships", "windmills"):
            return feature(rest.removesuffix("s"), r * 1.1, page.theme)
        case "structures":
            return faction(rest, r, ground=c.surface)
        case "patrons":
            return token("A", r)
        case "surplus":
            return token("wild", r)
        case "commissions":
            return token("commission", r)
        case "keys":
            return _key(r, c.dim)
        case "objective" | "panorama":
            return icon("check", r, c.ok)
        case "blue_tokens":
            return _disc(r, rgb("2D5E9E"))
        case "red_tokens":
            return _disc(r, rgb("A1442A"))
        case "science":
            return sign("laboratory", r, (191, 160, 234))
        case "seals":
            return _disc(r, rgb("A1442A"), wax=True)
        case "eggs":
            return _egg(r)
        case _ if kind in PRAGA:
            return action(PRAGA[kind], r, c.dim)
    if "coin" in key:
        return coin(r)
    if "laborator" in key:
        return sign("laboratory", r, (191, 160, 234))
    if "golem" in key or "dice" in key:
        return sign("home", r, c.dim)
    if "stone" in key:
        return stone(r)
    return star(r, c.brass_hi if not page.theme.light else c.brass_text)


def _disc(r: float, fill: RGB, *, wax: bool = False) -> pygame.Surface:
    """A round token; a seal has its ridge."""

    def paint(pen: Pen) -> None:
        pen.circle(0, 0.06 * r, 0.92 * r, rgb("12100E"))
        pen.circle(0, 0, 0.9 * r, fill)
        pen.circle(0, 0, (0.62 if wax else 0.36) * r, rgb("F1E4CB"), 0.14 * r)
        if wax:
            pen.circle(0, 0, 0.26 * r, rgb("F1E4CB"))

    return sprite(("tally-disc", fill, wax, round(r * 4)), 2 * r + 2, 2 * r + 2, paint)


def _egg(r: float) -> pygame.Surface:
    def paint(pen: Pen) -> None:
        pen.ellipse(0, 0.06 * r, 0.68 * r, 0.92 * r, rgb("C9963F"))
        pen.ellipse(0, 0, 0.64 * r, 0.88 * r, rgb("F5D48C"))

    return sprite(("tally-egg", round(r * 4)), 2 * r + 2, 2 * r + 2, paint)


def _key(r: float, colour: RGB) -> pygame.Surface:
    def paint(pen: Pen) -> None:
        pen.circle(-0.5 * r, 0, 0.42 * r, colour, 0.2 * r)
        pen.line([(-0.1 * r, 0), (0.95 * r, 0)], colour, 0.2 * r)
        for x in (0.55, 0.88):
            pen.line([(x * r, 0), (x * r, 0.38 * r)], colour, 0.18 * r)

    return sprite(("tally-key", colour, round(r * 4)), 2.2 * r + 2, 2 * r + 2, paint)
