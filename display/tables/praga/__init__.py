"""Praga Caput Regni on the screen."""

from __future__ import annotations

from companion.game import Option, Picture, Text
from display.page import Page
from display.paint.icons import icon
from display.tables import GameScreen
from display.view import View


class Praga(GameScreen):
    """Praga Caput Regni on the screen."""

    place = 1

    def draw(self, page: Page, view: View) -> None:
        """Crane, clock, players."""
        from display.tables.praga.table import draw

        draw(page, view)

    def cover(self, page: Page, cx: float, cy: float, r: float) -> None:
        """The crane."""
        page.blit(icon("crane", r, page.c.dim), cx, cy)

    def card(self, page: Page, view: View, what: Picture, at: tuple[float, float], side: float, fade: float) -> bool:
        """The action an answer is about."""
        from display.tables.praga.signs import action

        if "action" in what:
            page.blit(action(what["action"], side * 0.42, page.c.text), *at, fade)
        return "action" in what

    def box_options(self, key: str) -> tuple[Option, ...]:
        """Places of the crane are named by what one sees of them: third red place."""
        if key not in ("crane.hole", "crane.star") and not key.startswith("crane.start."):
            return ()
        return tuple(Option(station, Text(f"praga/station/{station}")) for station in range(2, 13))

    def box_sign(self, page: Page, key: str, value: object, cx: float, cy: float, r: float) -> bool:
        """The place of the crane a printed value belongs to, lit on a small one."""
        from display.tables.praga.crane import small

        _, kind, place = (*key.split("."), "", "")[:3]
        if not key.startswith("crane.") or kind == "overflow":
            return False
        lit = int(place) if kind in ("red", "blue", "bonus") else value
        if isinstance(lit, int):
            page.blit(small(r, lit, hooks=kind == "bonus"), cx, cy)
        return isinstance(lit, int)

    def tally_sign(self, page: Page, line: str, cx: float, cy: float, r: float) -> bool:
        """A token, or the action a line grows from."""
        from display.tables.praga.signs import tally_sign

        picture = tally_sign(page, line, r)
        if picture is not None:
            page.blit(picture, cx, cy)
        return picture is not None


screen = Praga()
