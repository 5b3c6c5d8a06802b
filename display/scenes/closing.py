"""The window's X was touched at a running table: phones, camera and dial would go with it, so it is asked."""

from __future__ import annotations

from display.keys import Key, key_row
from display.page import Page
from display.touch import Go, Put
from display.view import View
from display.widgets import heading, say_key


def draw(page: Page, view: View) -> None:
    """What stays, and two buttons."""
    t = page.theme
    height = heading(page, say_key("closing"), Go(""))
    body = (t.margin, height + t.gap, t.width - 2 * t.margin, t.height - height - 3 * t.gap - t.touch)
    page.piece("closing", body, "", lambda: page.text(say_key("closing/what"), body, "body", lines=4))
    keys = [
        Key("closing-end", say_key("closing/end"), Put({"closed": True}), sign="power"),
        Key("closing-stay", say_key("closing/stay"), Go(""), "brass", role="primary", key="return"),
    ]
    key_row(page, view, (t.margin, t.height - t.gap - t.touch * 1.2, t.width - 2 * t.margin, t.touch * 1.2), keys)
