"""What was written on the pad, round by round; a touch corrects a line."""

from __future__ import annotations

from companion.shown.scorepad import Entry, PadView
from display.keys import Key, put_key
from display.leaves import leaf_of
from display.page import Page
from display.paint.shapes import mark
from display.touch import Go, Play
from display.view import View
from display.widgets import Rect, button, heading, inset, say_key, slab, split


def draw(page: Page, view: View) -> None:
    """Last lines first, each with its keys to correct it."""
    t = page.theme
    height = heading(page, say_key("history"), Go(""))
    numbered = list(enumerate(view.shown(PadView).entries))[::-1]
    body = (t.margin, height + t.u(10, 6), t.width - 2 * t.margin, t.height - height - t.u(26, 14))
    if not numbered:
        page.piece(
            "empty",
            body,
            "",
            lambda: page.text(say_key("history-empty"), body, "prompt", page.c.dim, align="center", floor=0.5),
        )
        return
    least = max(t.touch, t.u(80, 60))
    rows = max(2, int((body[3] + t.gap) / (least + t.gap)))
    leaf = leaf_of(view, "history-leaf", len(numbered), rows - 1)
    cells = split(body, rows, t.gap, down=True)
    for (index, entry), cell in zip(leaf.of(numbered), cells, strict=False):
        page.part(f"entry {index}", cell, (entry, view.seats), _entry, view, index, entry, cell)
    foot = cells[-1]
    keys = split(foot, 2, t.gap)
    for key in leaf.keys("history-leaf"):
        put_key(page, view, keys[0], key)
    put_key(page, view, keys[1], Key("history-on", say_key("menu/on"), Go(""), look="brass", key="return"))


def _entry(page: Page, view: View, index: int, entry: Entry, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(16, 10), t.u(4, 3))
    seat, points = entry.seat, entry.points
    r = min(t.u(14, 10), h * 0.28)
    page.blit(mark(t.player(view.colour(seat)), r, t), x + r, y + h / 2)
    key = max(t.touch, min(h * 1.2, w * 0.12))
    left = x + 2 * r + t.u(14, 8)
    end = x + w - 2 * key - t.u(110, 70)
    page.text(view.name(seat), (left, y, (end - left) * 0.5, h), "body", floor=0.5, typed=True, lines=2)
    about = entry.category or page.say("display/history-round", round=entry.round)
    page.text(about, (left + (end - left) * 0.52, y, (end - left) * 0.46, h), "label", c.dim, floor=0.5, lines=2)
    for k, (sign, step) in enumerate((("minus", -1), ("plus", 1))):
        act = Play({"kind": "correct", "entry": index, "points": points + step})
        cell = (x + w - key if k else end, y, key, h)
        button(page, f"entry {index} {sign}", cell, None, act, sign=sign, repeats=True)
    page.text(
        f"{points:+d}".replace("-", "−"), (end + key, y, x + w - 2 * key - end, h), "figure", align="center", floor=0.4
    )
