"""The menu: everything that is not the game itself."""

from __future__ import annotations

import msgspec

from companion.wire.rules import rules
from display import clocks
from display.keys import Key, key_grid, key_row
from display.page import Page
from display.scenes.box import boxes, game_of, opened
from display.scenes.care import OPENED
from display.scenes.learn.rules import opened as opened_rules
from display.touch import Act, Both, Go, Put, Tell
from display.view import View
from display.widgets import heading, say_key, split


def draw(page: Page, view: View) -> None:
    """Large buttons, two columns, the way back in brass."""
    t = page.theme
    height = heading(page, say_key("menu"), Go(""))
    playing = bool(view.game)
    keys = [
        Key("menu-join", say_key("menu/join"), Go("join"), sign="phone"),
        Key("menu-health", say_key("menu/health"), Go("health"), sign="check"),
        Key("menu-calibration", say_key("menu/calibration"), Go("calibration"), sign="camera"),
        Key("menu-care", say_key("menu/care"), OPENED, sign="check"),
        Key("menu-settings", say_key("menu/settings"), Go("settings"), sign="settings"),
        *([Key("menu-box", say_key("menu/box"), opened(game_of(view)), sign="book")] if boxes(view) else []),
        Key("menu-past", say_key("menu/past"), Both((Tell("history"), Go("past"))), sign="crown"),
    ]
    if playing:
        if rules(view.game).cards:
            keys.insert(0, Key("menu-rules", say_key("menu/rules"), opened_rules(view), sign="book"))
        if view.settings.get("hints"):
            ask: Act = Both(
                (Put({"hint-step": 1}), Tell("hint", {"count": bool(view.settings.get("count_hints"))}), Go("hint"))
            )
            keys.insert(0, Key("menu-hint", say_key("menu/hint"), ask, sign="island"))
        if clocks.shown(view):
            keys.insert(0, Key("menu-clocks", say_key("menu/clocks"), Go("clocks"), sign="dial"))
        keys.insert(0, Key("menu-log", say_key("menu/log"), Both((Put({"log-leaf": 0}), Go("log"))), sign="book"))
        again: Act = Both((Tell("rebuild"), Put({"rebuild": True}), Go("rebuild")))
        keys.append(Key("menu-rebuild", say_key("menu/rebuild"), again, sign="towers"))
        sure = bool(view.pick("sure"))
        end: Act = Both((Tell("end game"), Put({"sure": None}), Go(""))) if sure else Put({"sure": True})
        keys.append(Key("menu-end", say_key("menu/end-sure") if sure else say_key("menu/end"), end, sign="power"))
    keys = [msgspec.structs.replace(one, align="left") for one in keys]
    columns = 1 if t.kind == "tall" else 2
    rows = -(-len(keys) // columns)
    body = (t.margin, height + t.u(16, 8), t.width - 2 * t.margin, t.height - height - t.u(32, 16))
    *upper, last = split(body, rows + 1, t.gap, down=True)
    top = (body[0], body[1], body[2], upper[-1][1] + upper[-1][3] - body[1])
    key_grid(page, view, top, keys, columns)
    on = say_key("menu/on") if playing else say_key("back")
    key_row(page, view, last, [Key("menu-on", on, Go(""), "brass", role="primary", key="return")])
