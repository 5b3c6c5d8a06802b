"""Skytopia on the screen."""

from __future__ import annotations

from companion.game import Picture
from display.page import Page
from display.paint.chronometer import put_chronometer
from display.tables import GameScreen
from display.view import View


class Skytopia(GameScreen):
    """Skytopia on the screen."""

    place = 0
    box_names = (
        (r"cards\.(?P<card>\w+)\.crest", "box/card-crest", {}),
        (r"cards\.(?P<card>\w+)\.min_players", "box/card-players", {}),
        (r"cities\.(?P<city>\d)\.(?P<colour>\w+)", "box/city-crest", {"colour": "skytopia/colour/"}),
        (
            r"guilds\.(?:crest_set_colour|pair_colours)\.(?P<guild>\w+)",
            "box/guild-colour",
            {"guild": "skytopia/guild/"},
        ),
        (r"guilds\.crest_count\.(?P<guild>\w+)", "box/guild-crest", {"guild": "skytopia/guild/"}),
        (r"effects\.(?P<effect>\w+)\.\w+", "box/effect", {"effect": "skytopia/effect/"}),
    )

    def draw(self, page: Page, view: View) -> None:
        """Chronometer, market, cities."""
        from display.tables.skytopia.table import draw

        draw(page, view)

    def cover(self, page: Page, cx: float, cy: float, r: float) -> None:
        """The chronometer."""
        full = r * 47 / 44  # a ring looks smaller than the other covers at their size
        put_chronometer(page.surface, cx, cy, full, page.theme, (5, 6, 1, 2, 3, 4), (None, 0, 1, 3, 6, 10))

    def card(self, page: Page, view: View, what: Picture, at: tuple[float, float], side: float, fade: float) -> bool:
        """A card of the market or of a tower, in its colour."""
        from display.tables.skytopia.choices import draw_card

        return draw_card(page, view, what, at, side, fade)

    def tally_sign(self, page: Page, line: str, cx: float, cy: float, r: float) -> bool:
        """What a guild master counts."""
        from display.tables.skytopia.guilds import guild_pictures

        if "guild" not in line:
            return False
        guild_pictures(page, line.rpartition("/")[2], cx, cy, 2 * r)
        return True


screen = Skytopia()
