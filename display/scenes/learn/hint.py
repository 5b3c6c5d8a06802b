"""A hint in two steps: first a direction, then the move itself with its reason. A hint of another row is none."""

from __future__ import annotations

from companion.wire.replies import Hint
from display.keys import Key, put_key
from display.page import Page
from display.touch import Go, Put
from display.view import View
from display.widgets import Rect, heading, inset, say_key, slab, split


def known(view: View) -> Hint | None:
    """The hint for the present decision, once it has come."""
    hint, state = view.told.hint, view.state
    fits = hint is not None and state is not None and (state.game_id, state.seq) == (hint.game, hint.seq)
    return hint if fits else None


def draw(page: Page, view: View) -> None:
    """One step at a time: who only wanted a push stops at the first."""
    t = page.theme
    hint, both = known(view), int(view.pick("hint-step", 1)) > 1
    height = heading(page, say_key("menu/hint"), Go(""))
    foot = max(t.touch, t.u(96, 68))
    keys = split((t.margin, t.height - t.u(18, 8) - foot, t.width - 2 * t.margin, foot), 2, t.gap)
    body = (t.margin, height + t.u(14, 8), t.width - 2 * t.margin, keys[0][1] - height - t.u(30, 16))
    page.piece("hint", body, (hint, both, bool(view.pending)), lambda: _words(page, view, hint, both, body))
    if hint is not None and not both:
        more = Key("hint-more", say_key("hint/more"), Put({"hint-step": 2}), "ghost", role="primary")
        put_key(page, view, keys[0], more)
    put_key(page, view, keys[1], Key("hint-on", say_key("menu/on"), Go(""), "brass", role="primary"))


def _words(page: Page, view: View, hint: Hint | None, both: bool, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(20, 14))
    x, y, w, h = inset(box, t.u(34, 18), t.u(22, 12))
    if hint is None:
        waiting = say_key("hint/thinking") if view.pending else say_key("hint/none")
        page.text(waiting, (x, y, w, h), "prompt", c.dim, align="center", lines=3, floor=0.5)
        return
    page.text(hint.kind, (x, y, w, h * (0.3 if both else 1.0)), "prompt", c.brass_text, lines=3, floor=0.45)
    if both:
        page.text(hint.what, (x, y + h * 0.33, w, h * 0.27), "title", lines=2, floor=0.45)
        page.text(hint.why, (x, y + h * 0.63, w, h * 0.15), "body", lines=2, floor=0.6)
        then = " · ".join(page.say(text) for text in hint.then)
        page.text(then, (x, y + h * 0.8, w, h * 0.2), "body", c.dim, lines=2, floor=0.55)
