"""Undo for the table: something was revealed, so everybody agrees first; then the table is put back as it was."""

from __future__ import annotations

import pygame

from companion.game import Text
from companion.wire.messages import Notice
from display.keys import Key, put_key
from display.leaves import Leaf, leaf_of
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.theme import TOWERS
from display.touch import Both, Go, Put, TakeBack
from display.view import View
from display.widgets import Rect, check_disc, dashed, heading, inset, say_key, slab, split


def todo(view: View) -> tuple[Notice, ...]:
    """The component moves that restore the table."""
    return tuple(n for n in (view.state.notices if view.state else ()) if n.kind == "todo")


def draw(page: Page, view: View) -> None:
    """The question, its reason, yes and no."""
    t = page.theme
    height = heading(page, say_key("undo/title"), Go(""))
    undo = view.state.undo if view.state else None
    body = (t.margin, height + t.u(20, 10), t.width - 2 * t.margin, t.height * 0.5)
    page.piece("undo why", body, (undo, body), lambda: _why(page, view, body))
    foot = max(t.touch, t.u(110, 78))
    cells = split((t.margin, t.height - t.u(24, 10) - foot, t.width - 2 * t.margin, foot), 2, t.gap)
    agree = Both((TakeBack(consent=True), Go("")))
    put_key(page, view, cells[0], Key("undo-no", say_key("undo/no"), Go(""), look="ghost", key="escape"))
    put_key(
        page, view, cells[1], Key("undo-yes", say_key("undo/yes"), agree, look="brass", role="primary", key="return")
    )


def _why(page: Page, view: View, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(30, 16))
    r = t.u(40, 26)
    page.blit(icon("undo", r, c.brass_hi), x + r, y + h / 2)
    left = x + 2 * r + t.u(30, 16)
    page.text(say_key("undo/revealed"), (left, y, x + w - left, h * 0.55), "prompt", lines=3, floor=0.45)
    undo = view.state.undo if view.state else None
    what = say_key("undo/what", what=undo.text) if undo else say_key("undo/revealed-do")
    page.text(what, (left, y + h * 0.54, x + w - left, h * 0.24), "body", lines=2, floor=0.55)
    page.text(
        say_key("undo/revealed-do"), (left, y + h * 0.8, x + w - left, h * 0.2), "body", c.dim, lines=2, floor=0.55
    )


def draw_rebuild(page: Page, view: View) -> None:
    """The list, ticked off as the camera sees it done; a touch ticks what no camera sees."""
    t = page.theme
    items = todo(view)
    ticked = set(view.pick("ticked") or ())
    done = sum(1 for n in items if n.done or n.id in ticked)
    title = say_key("rebuild/title", done=done, n=len(items))
    height = heading(page, title, Both((Put({"rebuild": False}), Go(""))))
    foot = max(t.touch, t.u(88, 66))
    body = (t.margin, height + t.u(12, 6), t.width - 2 * t.margin, t.height - height - foot - t.u(44, 22))
    leaf = _list(page, view, items, ticked, body)
    keys = split((t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot), 2, t.gap)
    for key in leaf.keys("rebuild-leaf"):
        put_key(page, view, keys[0], key)
    word, look = ("rebuild/done", "brass") if done == len(items) else ("rebuild/anyway", "raised")
    on = Both((Put({"rebuild": False, "ticked": None}), Go("")))
    put_key(page, view, keys[1], Key("rebuild-on", say_key(word), on, look, role="primary", key="return"))


def _list(page: Page, view: View, items: tuple[Notice, ...], ticked: set[str], body: Rect) -> Leaf:
    """One leaf of the list."""
    t = page.theme
    columns = 1 if t.kind == "tall" or len(items) <= 3 else 2
    rows = max(1, int((body[3] + t.gap) / (max(t.touch, t.u(78, 56)) + t.gap)))
    leaf = leaf_of(view, "rebuild-leaf", len(items), rows * columns)
    cells = [cell for row in split(body, rows, t.gap, down=True) for cell in split(row, columns, t.gap)]
    for item, cell in zip(leaf.of(items), cells, strict=False):
        ok = item.done or item.id in ticked
        page.part(f"todo {item.id}", cell, (item, ok, view.seats), _item, view, item, ok, ticked, cell)
    return leaf


def _item(page: Page, view: View, item: Notice, ok: bool, ticked: set[str], box: Rect) -> None:
    t, c = page.theme, page.c
    after = sorted(ticked - {item.id} if item.id in ticked else ticked | {item.id})
    pressed = page.touch(f"tick {item.id}", box, Put({"ticked": after}))
    if ok:
        dashed(page, box, c.line, t.u(14, 10))
    else:
        slab(page, box, c.press if pressed else c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(16, 10), t.u(4, 3))
    enamel = TOWERS.get(item.slot.split("-")[0])
    r = min(t.u(20, 14), h * 0.3)
    if enamel is not None:
        slab(page, (x, y + h * 0.14, t.u(12, 8), h * 0.72), enamel.fill, 3, shadow=False)
    else:
        page.blit(_sign(page, view, item, r * 0.8), x + r * 0.6, y + h / 2)
    left = x + max(t.u(34, 22), r * 1.4 + t.u(10, 7))
    page.text(item.text, (left, y, x + w - left - 2.4 * r, h), "body", c.faint if ok else c.text, lines=2, floor=0.5)
    if ok:
        check_disc(page, x + w - r, y + h / 2, r, c.ok)
    else:
        slab(page, (x + w - 2 * r, y + h / 2 - r, 2 * r, 2 * r), c.surface, r, shadow=False, outline=c.line, width=3)


def _sign(page: Page, view: View, item: Notice, r: float) -> pygame.Surface:
    """What a line without a place is about: the dial, or somebody's coins and golems."""
    whose = item.text.params.get("seat")
    seat = whose.params.get("n") if isinstance(whose, Text) else whose
    if item.slot != "dial" and isinstance(seat, int):
        return mark(page.theme.player(view.colour(seat)), r, page.theme)
    return icon("dial" if item.slot == "dial" else "right", r, page.c.dim)
