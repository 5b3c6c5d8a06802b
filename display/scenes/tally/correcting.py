"""*Correct* on the final screen: the table as it ended, where any value is put right by touching it; no move is taken back."""

from __future__ import annotations

from display.keys import Key, put_key
from display.layout import table_plan
from display.page import Page
from display.tables import screen_of
from display.touch import Put
from display.view import View
from display.widgets import Rect, band_height, dashed, inset, say_key


def draw(page: Page, view: View) -> None:
    """The game's own table, what to do, and the way back to the points."""
    screen_of(view.game).draw(page, view)
    if view.pick("sheet"):
        return  # what is being put right lies over everything
    t = page.theme
    x, y, w, h = table_plan(t, band_height(page)).choices
    first = max(t.touch, t.u(142, 76)) + t.u(16, 10)
    back = max(t.touch, t.u(320, 190))
    says: Rect = (x + first, y, w - first - back - t.gap, h)
    key: Rect = (x + w - back, y, back, h)
    page.part("correct-how", says, (), _how, says)
    put_key(
        page,
        view,
        key,
        Key(
            "correct-done",
            say_key("tally/back"),
            Put({"correcting": None, "sheet": None}),
            look="brass",
            role="primary",
            key="return",
        ),
    )


def _how(page: Page, box: Rect) -> None:
    t, c = page.theme, page.c
    dashed(page, box, c.line, t.u(16, 12))
    page.text(
        say_key("tally/how"), inset(box, t.u(16, 8), t.u(6, 4)), "body", c.dim, align="center", lines=3, floor=0.5
    )
