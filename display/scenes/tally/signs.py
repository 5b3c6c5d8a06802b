"""A sign for each source of points, so that a tally is read across the table; the words say the rest."""

from __future__ import annotations

import pygame

from display.page import Page
from display.paint.tokens import coin, sign, star
from display.tables import screen_of


def put_sign(page: Page, game: str, line: str, cx: float, cy: float, r: float) -> None:
    """The sign of a tally line by its id: the game's own, else one for what most games count."""
    if not screen_of(game).tally_sign(page, line, cx, cy, r):
        page.blit(_common(page, line, r), cx, cy)


def _common(page: Page, line: str, r: float) -> pygame.Surface:
    if "coin" in line:
        return coin(r)
    if "laborator" in line:
        return sign("laboratory", r, (191, 160, 234))
    if "golem" in line or "dice" in line:
        return sign("home", r, page.c.dim)
    return star(r, page.c.brass_text if page.theme.light else page.c.brass_hi)
