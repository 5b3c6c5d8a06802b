"""Skyrise on the screen."""

from __future__ import annotations

from companion.game import View as GameView
from companion.shown.skyrise import SkyriseView
from display.page import Page
from display.paint.icons import icon
from display.tables import GameScreen, Rect
from display.view import View


class Skyrise(GameScreen):
    """Skyrise on the screen."""

    place = 2
    view_type = SkyriseView
    box_names = (
        (
            r"buildings\.(?P<colour>\w+)\.era-(?P<era>\d)\.(?P<height>\w+)",
            "box/buildings",
            {"colour": "display/box/piece/", "height": "skyrise/height/"},
        ),
        (r"wonders\.(?P<wonder>[\w-]+)\.initiative", "box/initiative", {"wonder": "skyrise/wonder/"}),
        (r"wonders\.(?P<wonder>[\w-]+)\.max", "box/wonder-most", {"wonder": "skyrise/wonder/"}),
        (r"wonders\.(?P<wonder>[\w-]+)\.rate", "box/wonder-rate", {"wonder": "skyrise/wonder/"}),
        (r"wonders\.(?P<wonder>[\w-]+)\.reach", "box/wonder-reach", {"wonder": "skyrise/wonder/"}),
        (r"wonders\.(?P<wonder>[\w-]+)\.word", "box/wonder-word", {"wonder": "skyrise/wonder/"}),
        (r"wonders\.(?P<wonder>[\w-]+)\.given", "box/wonder-given", {"wonder": "skyrise/wonder/"}),
        (r"wonders\.(?P<wonder>[\w-]+)\.\w+", "box/wonder-points", {"wonder": "skyrise/wonder/"}),
        (r"panorama\.(?P<card>\w+)\.reward", "box/panorama-reward", {"card": "skyrise/panorama/"}),
        (r"panorama\.(?P<card>\w+)\.least", "box/panorama-least", {"card": "skyrise/panorama/"}),
        (r"panorama\.(?P<card>\w+)\.\w+", "box/panorama-count", {"card": "skyrise/panorama/"}),
        (r"rows\.(?P<tokens>\d)", "box/row", {}),
    )

    def draw(self, page: Page, view: View) -> None:
        """Islands, auction, players."""
        from display.tables.skyrise.table import draw

        draw(page, view)

    def secrets(self, page: Page, own: GameView, box: Rect) -> None:
        """Objective, patrons and wonder cards."""
        from display.tables.skyrise.secrets import draw_secrets

        if isinstance(own, SkyriseView):
            draw_secrets(page, own, box)

    def cover(self, page: Page, cx: float, cy: float, r: float) -> None:
        """An island in the air."""
        page.blit(icon("island", r, page.c.dim), cx, cy)

    def tally_sign(self, page: Page, line: str, cx: float, cy: float, r: float) -> bool:
        """Islands, factions, tokens and features as they are printed."""
        from display.tables.skyrise.pieces import tally_sign

        picture = tally_sign(page, line, r)
        if picture is not None:
            page.blit(picture, cx, cy)
        return picture is not None


screen = Skyrise()
