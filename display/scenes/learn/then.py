"""How the table stood after a move of the log: the game's own table as it was, out of reach, with the way back."""

from __future__ import annotations

import msgspec

from companion.wire.messages import State
from display.page import Page
from display.tables import screen_of
from display.touch import Go
from display.view import View
from display.widgets import band_height, button, say_key


def then(view: View) -> State | None:
    """What the core answered for the game on the table."""
    found = view.told.then.state if view.told.then is not None else None
    return found if found is not None and view.state is not None and found.game_id == view.state.game_id else None


def draw(page: Page, view: View) -> None:
    """The table then; nothing on it can be touched."""
    t, past = page.theme, then(view)
    if past is not None:
        screen_of(past.game).draw(page, msgspec.structs.replace(view, state=past, local={}, banner=None, pending=""))
    height, wide = band_height(page), t.u(250, 170)
    box = (t.width - wide - t.margin, t.u(10, 6), wide, height - t.u(20, 12))

    def paint() -> None:
        button(
            page,
            "then-back",
            box,
            say_key("log/back"),
            Go("log"),
            look="brass",
            sign="left",
            role="label",
            key="escape",
        )

    page.piece("then", (box[0] - 2, box[1] - 2, box[2] + 4, box[3] + 8), (past is None, box), paint, modal=True)
