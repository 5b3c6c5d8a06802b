"""Words one after the other: each with a key that takes it away, and one that adds another."""

from __future__ import annotations

from typing import Any

from companion.game import Field
from display.page import Page
from display.touch import Put
from display.view import View
from display.widgets import Rect, button, split

ROOM = 12
"""Words of one list."""


def draw_list(page: Page, view: View, field: Field, box: Rect, where: str) -> None:
    """As many as fit beside each other, the rest a touch away; touching one takes it away."""
    t = page.theme
    now = words_of(view, field, where)
    room = max(2, int(box[2] / t.u(104, 80)))
    fit = len(now) if len(now) < room else room - 2
    pages = max(1, -(-len(now) // max(1, fit)))
    turn_key = f"{where}-{field.id}-turn"
    first = (int(view.pick(turn_key, 0)) % pages) * fit
    shown = list(enumerate(now))[first : first + fit]
    cells = split(box, len(shown) + 1 + (pages > 1), t.u(6, 4))
    for (i, word), cell in zip(shown, cells, strict=False):
        left = [one for k, one in enumerate(now) if k != i]
        act = Put({where: {**(view.pick(where) or {}), field.id: left}})
        button(page, f"{where}:{field.id}-{i}", cell, word, act, sign="cross", role="label")
    if pages > 1:
        act = Put({turn_key: int(view.pick(turn_key, 0)) + 1})
        button(page, turn_key, cells[-2], None, act, look="ghost", sign="right")
    if len(now) < ROOM:
        typing = {"where": where, "id": field.id, "text": "", "among": now}
        button(page, f"{where}:{field.id}+", cells[-1], None, Put({"keys": typing}), look="ghost", sign="plus")


def words_of(view: View, field: Field, where: str) -> list[str]:
    """What stands in the list; one kept by an earlier version was typed with commas."""
    found: Any = (view.pick(where) or {}).get(field.id, field.value or ())
    return [word.strip() for word in found.split(",") if word.strip()] if isinstance(found, str) else list(found)
