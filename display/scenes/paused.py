"""Games that were put away before their end: a touch goes on with one."""

from __future__ import annotations

from companion.wire.lobby import Paused
from display.page import Page
from display.paint.shapes import mark
from display.touch import Both, Put, Tell
from display.view import View
from display.widgets import Rect, button, day_of, dots, inset, say_key, slab, split

SURE = "discard"
"""The game that somebody wants to throw away, until they say so twice."""


def draw_paused(page: Page, view: View, games: tuple[Paused, ...], box: Rect) -> None:
    """One row a game: which, since when, who."""
    t = page.theme
    x, y, w, h = box
    head = t.size("body") * 1.5
    page.piece(
        "paused-label",
        (x, y, w, head),
        "",
        lambda: page.text(say_key("setup/go-on"), (x, y, w, head), "body", page.c.dim),
    )
    least = max(t.touch, t.u(84, 66))
    fit = max(1, int((h - head + t.gap) / (least + t.gap)))
    each = min(t.u(112, 80), (h - head - t.gap * (fit - 1)) / fit)
    for i, game in enumerate(games[:fit]):
        cell = (x, y + head + i * (each + t.gap), w, each)
        page.part(f"paused {i}", cell, (game, view.pending, view.pick(SURE)), _row, view, game, cell)


def _really(page: Page, view: View, game: Paused, box: Rect) -> None:
    """Once more, because it does not come back."""
    t = page.theme
    sure, keep = split(box, 2, t.gap)
    act = Both((Tell("discard", {"game": game.id}), Put({SURE: None})))
    words = say_key("setup/discard-sure", n=game.moves)
    button(page, f"discard-sure {game.id}", sure, words, act, role="label", pending=view.pending.startswith("discard"))
    button(page, f"discard-keep {game.id}", keep, say_key("setup/discard-keep"), Put({SURE: None}), look="ghost")


def _row(page: Page, view: View, game: Paused, box: Rect) -> None:
    t, c = page.theme, page.c
    if view.pick(SURE) == game.id:
        _really(page, view, game, box)
        return
    name = f"resume {game.id}"
    act = Both((Tell("resume", {"game": game.id}), Put({"paused": None})))
    key = float(max(t.touch, t.u(72, 54)))
    away = (box[0] + box[2] - key, box[1], key, box[3])
    button(page, f"discard {game.id}", away, None, Put({SURE: game.id}), look="ghost", sign="cross")
    box = (box[0], box[1], box[2] - key - t.gap, box[3])
    pressed = page.touch(name, box, act)
    slab(page, box, c.press if pressed else c.raised, t.u(14, 10), shine=True)
    if view.pending == name:
        dots(page, box, c.text)
        return
    x, y, w, h = inset(box, t.u(20, 12), t.u(8, 5))
    page.text(game.title, (x, y, w * 0.46, h * 0.56), "strong", floor=0.5)
    day = page.say(day_of(game.ts))
    moves = page.say(say_key("setup/moves", n=game.moves))
    page.text(f"{day} · {moves}", (x, y + h * 0.56, w * 0.46, h * 0.44), "small", c.dim, floor=0.6)
    seats = game.seats[:4]
    left, room = x + w * 0.48, w * 0.52
    for i, seat in enumerate(seats):
        row, column = divmod(i, 2)
        high = h / 2 if len(seats) > 2 else h
        sx, sy = left + column * room / 2, y + row * high
        r = min(t.u(11, 8), high * 0.28)
        page.blit(mark(t.player(seat.colour), r, t), sx + r, sy + high / 2)
        spot = (sx + 2 * r + t.u(8, 5), sy, room / 2 - 2 * r - t.u(16, 9), high)
        page.text(seat.name, spot, "label", floor=0.5, typed=True)
