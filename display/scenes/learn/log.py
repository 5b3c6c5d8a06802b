"""What happened: every move in words, the newest first."""

from __future__ import annotations

from companion.wire.game_log import LogLine
from display.page import Page
from display.paint.shapes import mark
from display.touch import Both, Go, Put, Tell
from display.view import View
from display.widgets import Rect, button, heading, inset, say_key, slab, split


def lines(view: View) -> tuple[LogLine, ...]:
    """Every move of the game on the table, in order; pages of another game, or behind the last one, are old."""
    found: list[LogLine] = []
    game = view.state.game_id if view.state else ""
    for number in range(len(view.log)):
        page = view.log.get(number)
        if page is None or page.game != game or not page.lines:
            break
        found.extend(page.lines)
    return tuple(found)


def draw(page: Page, view: View) -> None:
    """One leaf of the log; older ones behind a key."""
    t = page.theme
    height = heading(page, say_key("menu/log"), Go(""))
    foot = max(t.touch, t.u(78, 60))
    body = (t.margin, height + t.u(12, 8), t.width - 2 * t.margin, t.height - height - foot - t.u(40, 24))
    rows = max(1, int((body[3] + t.gap) / (t.u(62, 46) * min(1.3, t.zoom) + t.gap)))
    told = lines(view)[::-1]
    leaves = max(1, -(-len(told) // rows))
    leaf = min(int(view.pick("log-leaf", 0)), leaves - 1)
    if not told:
        none = say_key("log/none")
        page.piece("log none", body, "", lambda: page.text(none, body, "body", page.c.dim, align="center"))
    for number, cell in enumerate(split(body, rows, t.gap, down=True)):
        for one in told[leaf * rows + number : leaf * rows + number + 1]:
            page.part(f"line {number}", cell, (one, view.colour(one.seat)), _line, view, one, cell)
    keys = split((t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot), 3, t.gap)
    _key(page, "log-newer", keys[0], "left", leaf - 1 if leaf else None)
    where = (keys[1], leaf, leaves)
    count = say_key("leaf", leaf=leaf + 1, leaves=leaves)
    page.piece("log leaf", keys[1], where, lambda: page.text(count, keys[1], "body", page.c.dim, align="center"))
    _key(page, "log-older", keys[2], "right", leaf + 1 if leaf + 1 < leaves else None)


def _key(page: Page, name: str, box: Rect, sign: str, leaf: int | None) -> None:
    """One leaf on, where there is one."""
    if leaf is not None:
        turn = Put({"log-leaf": leaf})
        page.part(name, box, leaf, button, name, box, None, turn, look="ghost", sign=sign, key=sign)


def _line(page: Page, view: View, line: LogLine, box: Rect) -> None:
    """Whose it was by colour and shape, and what it did."""
    t, c = page.theme, page.c
    pressed = page.touch(f"line {line.seq}", box, Both((Tell("then", {"seq": line.seq}), Go("then"))), grow=0)
    slab(page, box, c.press if pressed else c.surface, t.u(14, 10), shadow=False)
    x, y, w, h = inset(box, t.u(14, 8), t.u(6, 4))
    r = min(t.u(16, 11), h * 0.28)
    if line.seat is not None:
        page.blit(mark(t.player(view.colour(line.seat)), r, t), x + r, y + h / 2)
    left = x + 2 * r + t.u(18, 10)
    said = " · ".join(page.say(text) for text in line.said)
    page.text(said, (left, y, x + w - left, h), "body", lines=2, floor=0.6)
