"""Rows of buttons, each a piece of its own: a touch repaints one of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from display.page import Page, Texts
from display.touch import Act
from display.view import View
from display.widgets import Rect, button, split


class Key(msgspec.Struct, frozen=True):
    """One button of a row."""

    id: str
    text: Texts | None
    act: Act | None
    look: str = "raised"
    sign: str = ""
    role: str = "button"
    off: Texts | None = None
    note: Texts | None = None
    key: str = ""
    """The keyboard key that does the same."""
    share: float = 1.0
    """Its width against the others'."""
    align: str = "center"
    """`left` in lists, where signs stand under each other."""


def key_row(page: Page, view: View, box: Rect, keys: Sequence[Key], *, gap: float | None = None) -> None:
    """Buttons side by side in a box, their widths by their shares."""
    between = page.theme.gap if gap is None else gap
    x, y, w, h = box
    whole = sum(one.share for one in keys) or 1.0
    room = w - between * (len(keys) - 1)
    for one in keys:
        width = room * one.share / whole
        put_key(page, view, (x, y, width, h), one)
        x += width + between


def key_grid(page: Page, view: View, box: Rect, keys: Sequence[Key], columns: int, rows: int = 0) -> None:
    """Buttons in equal cells, row by row."""
    lines = split(box, max(rows, -(-len(keys) // columns)), page.theme.gap, down=True)
    cells = [cell for line in lines for cell in split(line, columns, page.theme.gap)]
    for one, cell in zip(keys, cells, strict=False):
        put_key(page, view, cell, one)


def put_key(page: Page, view: View, box: Rect, one: Key) -> None:
    """One button as a piece."""
    pending = bool(one.id) and view.pending == one.id
    content = (one, repr(one.act), pending)
    page.part(
        f"key {one.id}",
        box,
        content,
        button,
        one.id,
        box,
        one.text,
        one.act,
        look=one.look,
        sign=one.sign,
        role=one.role,
        off=one.off,
        pending=pending,
        note=one.note,
        key=one.key,
        align=one.align,
    )
