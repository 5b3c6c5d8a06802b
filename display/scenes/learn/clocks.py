"""How long everybody has taken: a line a player, and the key that stops the clock."""

from __future__ import annotations

from companion.game import Text
from display import clocks
from display.keys import Key, key_row
from display.page import Page
from display.paint.shapes import mark
from display.touch import Go, Tell
from display.view import View
from display.widgets import Rect, heading, inset, say_key, slab, split


def draw(page: Page, view: View) -> None:
    """A bar each, the longest all across; whose clock runs is named in brass."""
    t = page.theme
    height = heading(page, say_key("menu/clocks"), Go(""))
    foot = max(t.touch, t.u(84, 64))
    body = (t.margin, height + t.u(12, 8), t.width - 2 * t.margin, t.height - height - foot - t.u(44, 24))
    seats: list[int | None] = [seat.seat for seat in view.seats]
    taken = {seat: clocks.seconds(view, seat) for seat in [*seats, None]}
    rows = split(body, max(5, len(taken)), t.gap, down=True)
    for seat, row in zip(taken, rows, strict=False):
        runs = seat is not None and seat == clocks.deciding(view) and not _stopped(view)
        content = (taken, runs, view.name(seat), view.colour(seat))
        page.part(f"clock {seat}", row, content, _row, view, seat, taken, row, runs)
    stop = Tell("clock", {"stopped": not _stopped(view)})
    words = say_key("clocks/run") if _stopped(view) else say_key("clocks/stop")
    keys = [Key("clock-stop", words, stop), Key("clock-on", say_key("menu/on"), Go(""), "brass", key="return")]
    key_row(page, view, (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot), keys)


def _stopped(view: View) -> bool:
    return bool(view.state and view.state.clock and view.state.clock.stopped)


def _row(page: Page, view: View, seat: int | None, taken: dict[int | None, int], box: Rect, runs: bool) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10), shadow=False)
    x, y, w, h = inset(box, t.u(16, 10), t.u(6, 4))
    r = min(t.u(16, 11), h * 0.28)
    if seat is not None:
        page.blit(mark(t.player(view.colour(seat)), r, t), x + r, y + h / 2)
    left, name, figure = x + 2 * r + t.u(18, 10), w * 0.26, w * 0.16
    words: str | Text = say_key("clocks/table") if seat is None else view.name(seat)
    page.text(words, (left, y, name, h), "strong", c.brass_text if runs else c.text, floor=0.5, typed=seat is not None)
    room, longest = w - (left - x) - name - figure - t.gap, max(1, *taken.values())
    long = max(t.u(4, 3), room * taken[seat] / longest)
    paint = t.player(view.colour(seat)) if seat is not None else None
    fill = c.faint if paint is None else paint.edge if t.light else paint.fill
    slab(page, (left + name, y + h * 0.3, long, h * 0.4), fill, t.u(6, 4), shadow=False)
    spot = (x + w - figure, y, figure, h)
    page.text(clocks.said(taken[seat]), spot, "figure", c.brass_text if runs else c.text, align="right", floor=0.5)
