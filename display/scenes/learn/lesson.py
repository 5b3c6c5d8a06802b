"""The first game's sentence, large: read out, done with the pieces, and the table is a touch away."""

from __future__ import annotations

from companion.wire.messages import Notice
from display.keys import Key, key_row
from display.page import Page
from display.paint.shapes import mark
from display.scenes.common import ask_of
from display.touch import Put, Tell
from display.view import View
from display.widgets import Rect, heading, inset, say_key, slab


def told(view: View) -> Notice | None:
    """The sentence of this moment, unless it was read."""
    notices = view.state.notices if view.state else ()
    hidden = view.pick("hidden") or ()
    return next((one for one in notices if one.id.startswith("lesson") and one.id not in hidden), None)


def draw(page: Page, view: View) -> None:
    """Whose it is, the sentence, and two keys."""
    t, notice = page.theme, told(view)
    if notice is None:
        return
    height = heading(page, notice.do or say_key("lesson/over"), None)
    foot = max(t.touch, t.u(96, 72))
    body = (t.margin, height + t.u(16, 10), t.width - 2 * t.margin, t.height - height - foot - t.u(52, 30))
    seat = ask.seat if (ask := ask_of(view)) else None
    content = (notice, seat, view.colour(seat), view.name(seat), body)
    page.part("lesson", body, content, _card, view, notice, body)
    read = Put({"hidden": [*(view.pick("hidden") or ()), notice.id]})
    keys = [Key("lesson-on", say_key("lesson/on"), read, "brass", role="primary", key="return", share=1.6)]
    if notice.id != "lesson-over":
        keys.insert(0, Key("lesson-leave", say_key("lesson/leave"), Tell("leave lesson"), "ghost", "cross"))
    key_row(page, view, (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot), keys)


def _card(page: Page, view: View, notice: Notice, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(18, 12))
    x, y, w, h = inset(box, t.u(40, 22), t.u(24, 14))
    ask = ask_of(view)
    if ask is not None and ask.seat is not None:
        r = t.u(20, 14)
        page.blit(mark(t.player(view.colour(ask.seat)), r, t), x + r, y + r)
        page.text(view.name(ask.seat), (x + 3 * r, y, w - 3 * r, 2 * r), "strong", floor=0.6, typed=True)
        y, h = y + 3 * r, h - 3 * r
    page.text(notice.text, (x, y, w, h), "prompt", lines=6, floor=0.45)
