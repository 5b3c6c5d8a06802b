"""The state of the table: camera, dial, phones, game and broker; what is wrong and what to do."""

from __future__ import annotations

from display.keys import Key, put_key
from display.page import Page
from display.paint.icons import icon
from display.status import Line, lines
from display.touch import Go
from display.view import View
from display.widgets import Rect, check_disc, heading, inset, say_key, slab, split


def draw(page: Page, view: View) -> None:
    """One row per part, troubles in words; notices of the core below."""
    t = page.theme
    height = heading(page, say_key("health/title"), Go(""))
    found = lines(view)
    notes = [n for n in (view.state.notices if view.state else ()) if n.kind in ("warn", "bad")]
    foot = max(t.touch, t.u(84, 64))
    body = (t.margin, height + t.u(10, 6), t.width - 2 * t.margin, t.height - height - foot - t.u(40, 20))
    columns = 1 if t.kind == "tall" else 2
    cells: list[Rect] = []
    count = len(found) + (1 if notes else 0)
    for row in split(body, -(-count // columns), t.gap, down=True):
        cells.extend(split(row, columns, t.gap))
    for line, cell in zip(found, cells, strict=False):
        page.part(f"health {line.id}", cell, line, _line, line, cell)
    if notes:
        cell = cells[len(found)]
        page.part("health notes", cell, tuple(notes), _notes, view, cell)
    bottom = (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot)
    keys = split(bottom, 3, t.gap)
    put_key(page, view, keys[0], Key("to-calibration", say_key("menu/calibration"), Go("calibration"), sign="camera"))
    put_key(page, view, keys[1], Key("to-join", say_key("menu/join"), Go("join"), sign="phone"))
    put_key(page, view, keys[2], Key("to-game", say_key("menu/on"), Go(""), look="brass", key="return"))


def _line(page: Page, line: Line, box: Rect) -> None:
    t, c = page.theme, page.c
    colour = {"off": c.faint, "warn": c.warn, "bad": c.bad}.get(line.level, c.ok)
    slab(page, box, c.surface, t.u(14, 10), outline=colour if line.level in ("warn", "bad") else None, width=2)
    x, y, w, h = inset(box, t.u(20, 12), t.u(8, 5))
    r = min(t.u(24, 16), h * 0.26)
    page.blit(icon(line.icon, r, c.dim), x + r, y + h / 2)
    left = x + 2 * r + t.u(22, 12)
    room = x + w - left - t.u(44, 28)
    if line.level == "off":
        page.blit(icon("minus", t.u(13, 9), c.faint), x + w - t.u(16, 12), y + h / 2)
    elif line.level == "ok":
        check_disc(page, x + w - t.u(16, 12), y + h / 2, t.u(16, 11), c.ok)
    else:
        page.blit(icon("warn", t.u(17, 12), colour), x + w - t.u(16, 12), y + h / 2)
    if line.do is None:
        page.text(line.say, (left, y, room, h), "body", lines=3, floor=0.5)
        return
    page.text(line.say, (left, y, room, h * 0.52), "strong", lines=2, floor=0.45)
    page.text(line.do, (left, y + h * 0.52, room, h * 0.48), "label", c.dim, lines=2, floor=0.5)


def _notes(page: Page, view: View, box: Rect) -> None:
    t, c = page.theme, page.c
    notes = [n for n in (view.state.notices if view.state else ()) if n.kind in ("warn", "bad")]
    slab(page, box, c.surface, t.u(14, 10), outline=c.warn, width=2)
    inside = inset(box, t.u(20, 12), t.u(8, 5))
    for note, row in zip(notes[:2], split(inside, min(2, len(notes)), 2, down=True), strict=False):
        page.text(note.text, row, "label", lines=3, floor=0.45)
