"""One module per scene: a view in, pixels and touch areas out.

A scene is `draw(page, view)`: it lays pieces on the page (`Page.piece`) and may be asked for any view at any size. A
game's own table comes from `display.tables`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

from display.page import Page
from display.tables import screen_of
from display.view import View

Draw = Callable[[Page, View], None]

ASIDE: dict[str, str] = {
    "menu": "display.scenes.menu:draw",
    "join": "display.scenes.join:draw",
    "health": "display.scenes.health:draw",
    "settings": "display.scenes.settings:draw",
    "pin": "display.scenes.settings:draw_pin",
    "calibration": "display.scenes.calibration:draw",
    "undo": "display.scenes.undo:draw",
    "rebuild": "display.scenes.undo:draw_rebuild",
    "history": "display.tables.scorepad.history:draw",
    "welcome": "display.scenes.welcome:draw",
    "box": "display.scenes.box:draw",
    "past": "display.scenes.past.games:draw",
    "closing": "display.scenes.closing:draw",
    "curtain": "display.scenes.curtain:draw",
    "log": "display.scenes.learn.log:draw",
    "then": "display.scenes.learn.then:draw",
    "hint": "display.scenes.learn.hint:draw",
    "care": "display.scenes.care:draw",
    "clocks": "display.scenes.learn.clocks:draw",
    "rules": "display.scenes.learn.rules:draw",
}
"""Scenes a person goes to and comes back from."""


def named(view: View) -> str:
    """Which scene this view asks for, as `module:function`, or `table:game`."""
    aside = str(view.pick("scene") or "")
    state = view.state
    if state is None:
        return ASIDE.get(aside, "display.scenes.calibration:draw_waiting")
    if aside in ASIDE and not (aside == "undo" and state.undo is None):
        return ASIDE[aside]
    if state.phase in ("lobby", "safe"):
        return "display.scenes.setup:draw"
    if view.prompt is not None and view.prompt.question is not None:
        return "display.scenes.question:draw"
    if state.phase == "over" and state.tally is not None:
        return "display.scenes.tally.correcting:draw" if view.pick("correcting") else "display.scenes.tally.tally:draw"
    if _to_rebuild(view):
        return ASIDE["rebuild"]
    if _unread(view):
        return "display.scenes.learn.lesson:draw"
    return f"table:{state.game}"


def _unread(view: View) -> bool:
    """A first game has a sentence for this moment."""
    from display.scenes.learn.lesson import told

    return told(view) is not None


def _to_rebuild(view: View) -> bool:
    """An undo has left component moves to do, and nobody has put the list away."""
    from display.scenes.undo import todo

    open_items = tuple(n.id for n in todo(view) if not n.done)
    return bool(open_items) and view.pick("rebuild", open_items) is not False


def find(name: str) -> Draw:
    """The scene's drawing function."""
    module, _, function = name.partition(":")
    if module == "table":
        return screen_of(function).draw
    draw: Draw = getattr(importlib.import_module(module), function)
    return draw


def draw(page: Page, view: View) -> str:
    """Draw whatever this view asks for; returns the scene's name."""
    name = named(view)
    find(name)(page, view)
    return name
