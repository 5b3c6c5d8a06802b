"""The tables: what each game shows of its own. Scenes every game shares are in `display.scenes`.

A game brings a `GameScreen` through the entry-point group `tableside.screens`, under its pack's id; our own games do the
same. A game that brings none, or one that cannot be loaded, gets the generic table; its cover is the `icon.png` beside its pack.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pygame

from companion.game import Option, Picture
from companion.game import View as GameView
from companion.wire.announced import folder, package
from display.page import Page
from display.paint.die import IVORY, die
from display.view import View

log = logging.getLogger("tableside.display")

Rect = tuple[float, float, float, float]
BoxName = tuple[str, str, dict[str, str]]
"""Pattern of a printed value's key, the sentence it makes, and where the words of its parts are found."""


class GameScreen:
    """What a game may bring to the screen. Every part has a default, so a game brings only what is its own."""

    place = 100
    """Where the game stands on the set-up; equal places are ordered by id."""
    view_type: type[GameView] = GameView
    """The struct this game shows, as its pack names it."""
    depths = True
    """Whether the set-up asks how closely the table should follow the game."""
    box_names: tuple[BoxName, ...] = ()
    """Names of printed values that come by the hundred."""
    icon: Path | None = None
    """The picture a game brings without code for the screen."""

    def draw(self, page: Page, view: View) -> None:
        """The game on the table."""
        from display.tables import generic

        generic.draw(page, view)

    def cover(self, page: Page, cx: float, cy: float, r: float) -> None:
        """The game's picture on the set-up: `icon.png` beside its pack, or two dice."""
        own = _scaled(self.icon, round(2 * r)) if self.icon is not None else None
        if own is not None:
            page.blit(own, cx, cy)
            return
        for face, dx, dy in ((5, -0.42, -0.22), (2, 0.42, 0.26)):
            page.blit(die(IVORY, face, 0.86 * r, page.theme), cx + dx * r, cy + dy * r)

    def secrets(self, page: Page, own: GameView, box: Rect) -> None:
        """What only one player may see beside their question, while the screen is in their hands; `own` is their view."""

    def card(self, page: Page, view: View, what: Picture, at: tuple[float, float], side: float, fade: float) -> bool:
        """Paint the card beside an answer; `False`: the answer has words alone."""
        return False

    def box_options(self, key: str) -> tuple[Option, ...]:
        """What a printed number is picked from by name, where its figure tells nobody anything."""
        return ()

    def box_sign(self, page: Page, key: str, value: object, cx: float, cy: float, r: float) -> bool:
        """Paint where on the board a printed value is found, beside its name; `False`: its name says enough."""
        return False

    def tally_sign(self, page: Page, line: str, cx: float, cy: float, r: float) -> bool:
        """Paint the sign beside a line of the tally, by the line's id; `False`: the one any game has for it."""
        return False


@cache
def screen_of(game: str) -> GameScreen:
    """What this game brings to the screen."""
    for entry in entry_points(group="tableside.screens", name=game):
        try:
            found = entry.load()
        except Exception as wrong:  # a game's screen is anybody's code: the generic table serves in its place
            log.warning("the screen of %s cannot be loaded: %r", game, wrong, exc_info=True)
            continue
        if isinstance(found, GameScreen):
            return found
        log.warning("the screen of %s is not a GameScreen", game)
    plain, home = GameScreen(), folder(package(game))
    plain.icon = home / "icon.png" if home is not None and (home / "icon.png").is_file() else None
    return plain


@cache
def _scaled(picture: Path, side: int) -> pygame.Surface | None:
    """A game's own picture, as large as it is wanted; `None` when it cannot be read."""
    try:
        drawn = pygame.image.load(picture)
    except (pygame.error, OSError) as wrong:
        log.warning("%s cannot be shown: %s", picture, wrong)
        return None
    width, height = drawn.get_size()
    share = side / max(width, height)
    size = max(1, round(width * share)), max(1, round(height * share))
    return pygame.transform.smoothscale(drawn.convert_alpha(), size)
