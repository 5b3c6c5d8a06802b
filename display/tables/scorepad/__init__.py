"""The score pad on the screen."""

from __future__ import annotations

from display.page import Page
from display.paint.icons import icon
from display.tables import GameScreen
from display.view import View


class ScorePad(GameScreen):
    """The score pad on the screen."""

    place = 3
    depths = False

    def draw(self, page: Page, view: View) -> None:
        """Rounds in rows, players in columns."""
        from display.tables.scorepad.table import draw

        draw(page, view)

    def cover(self, page: Page, cx: float, cy: float, r: float) -> None:
        """The pad."""
        page.blit(icon("pad", r, page.c.dim), cx, cy)


screen = ScorePad()
