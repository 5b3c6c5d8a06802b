"""A list too long for its row: all of it at once, to take one or several."""

from __future__ import annotations

from typing import Any

from companion.game import Field
from display.leaves import leaf_of
from display.page import Page
from display.touch import Put
from display.view import View
from display.widgets import band_height, button, check_disc, say_key, split

INLINE = 4
"""As many options stand in the row itself."""


def picked_words(page: Page, field: Field, value: Any) -> str:
    """What is chosen, in words."""
    chosen = value if isinstance(value, (list, tuple)) else [value]
    words = [page.say(option.text) for option in field.options if option.value in chosen]
    return ", ".join(words) or page.say("display/choose")


def draw_picker(page: Page, view: View, fields: tuple[Field, ...], where: str, values: dict[str, Any]) -> None:
    """The open list, over everything but the band."""
    wanted = view.pick("picker")
    field = next((f for f in fields if isinstance(wanted, dict) and wanted == {"where": where, "id": f.id}), None)
    if field is None:
        return
    t = page.theme
    top = band_height(page)
    box = (t.margin, top + t.gap, t.width - 2 * t.margin, t.height - top - 2 * t.gap)
    columns = {"tall": 2, "small": 3}.get(t.kind, 4)
    rows = max(3, int((box[3] + t.gap) / (max(t.touch, t.u(80, 60)) + t.gap)))
    leaf = leaf_of(view, "picker-leaf", len(field.options), columns * (rows - 1))
    lines = split(box, rows, t.gap, down=True)
    cells = [cell for line in lines[:-1] for cell in split(line, columns, t.gap)]
    foot = split(lines[-1], 2, t.gap)
    now = values.get(field.id)
    several = field.kind == "many"
    chosen = list(now) if isinstance(now, (list, tuple)) else [now]
    close = Put({"picker": None, "picker-leaf": None})

    def paint() -> None:
        page.surface.fill(page.c.bg, (0, top, t.width, t.height - top))
        page.touch("picker-close", (0, top, t.width, t.height - top), close, grow=0, key="escape")
        for option, cell in zip(leaf.of(field.options), cells, strict=False):
            taken = option.value in chosen
            after: Any = option.value
            if several:
                after = [v for v in chosen if v != option.value] if taken else [*chosen, option.value]
            put = {where: {**(view.pick(where) or {}), field.id: after}}
            act = Put(put if several else {**put, "picker": None, "picker-leaf": None})
            button(page, f"pick {option.value}", cell, option.text, act, look="chosen" if taken else "raised")
            if taken:
                check_disc(page, cell[0] + cell[2] - t.u(14, 9), cell[1] + t.u(14, 9), t.u(10, 7), page.c.ok)
        if leaf.count > 1:
            button(page, "picker-leaf", foot[0], leaf.text, leaf.following, look="ghost", sign="right")
        button(page, "picker-done", foot[1], say_key("setup/done"), close, look="brass", key="return")

    content = (field, tuple(chosen), leaf, repr(view.pick(where)))
    page.piece("picker", (0, top, t.width, t.height - top), content, paint, modal=True, layer=1)
