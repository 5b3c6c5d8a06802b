"""The small panels: figures, a track, a clock, dice, cards."""

from __future__ import annotations

import pygame

from companion.game import Choice, Text
from companion.panels import Card, Cards, Clock, Dice, Figures, ShownDie, Track
from display.page import Page
from display.paint.die import IVORY, die
from display.paint.shapes import mark
from display.panels.sheet import said
from display.scenes.choices import act_for
from display.theme import mix
from display.view import View
from display.widgets import Rect, inset, slab

Made = frozenset[str]
NONE: Made = frozenset()


def _ground(page: Page, box: Rect, title: Text | None) -> Rect:
    """The slab under a panel with its title; returns what is left."""
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(18, 10), t.u(8, 5))
    if title is None:
        return x, y, w, h
    high = min(t.u(34, 22) * t.zoom, h * 0.34)
    page.text(title, (x, y, w, high), "label", c.dim, floor=0.5)
    return x, y + high, w, h - high


# -- figures ---------------------------------------------------------------------------------------------------------


def figure_columns(page: Page, panel: Figures, width: float) -> int:
    """How many figures stand side by side."""
    each = page.theme.u(150, 96) * page.theme.zoom
    return max(1, min(len(panel.figures), int(width / each)))


def figure_rows(page: Page, panel: Figures, width: float) -> int:
    """How many lines of figures there are."""
    return -(-max(1, len(panel.figures)) // figure_columns(page, panel, width))


def figures(page: Page, view: View, panel: Figures, box: Rect, key: str, offered: dict[str, Choice]) -> Made:
    """Names above, numbers below."""

    def paint(page: Page) -> None:
        t, c = page.theme, page.c
        x, y, w, h = _ground(page, box, panel.title)
        across = figure_columns(page, panel, box[2])
        high = h / figure_rows(page, panel, box[2])
        for i, one in enumerate(panel.figures):
            left, top, each = x + (i % across) * w / across, y + (i // across) * high, w / across - t.u(8, 5)
            r = min(t.u(9, 7), high * 0.16) if one.seat is not None else 0.0
            if one.seat is not None:
                page.blit(mark(t.player(view.colour(one.seat)), r, t), left + r, top + high * 0.2)
            shift = 2 * r + t.u(6, 4) if r else 0.0
            page.text(one.text, (left + shift, top, each - shift, high * 0.4), "small", c.dim, floor=0.55)
            typed = isinstance(one.value, str)
            page.text(said(one.value), (left, top + high * 0.4, each, high * 0.58), "figure", floor=0.4, typed=typed)

    page.part(key, box, (panel, view.seats), paint)
    return NONE


# -- track and clock -------------------------------------------------------------------------------------------------


def track(page: Page, view: View, panel: Track, box: Rect, key: str, offered: dict[str, Choice]) -> Made:
    """A bar from first to last, everybody's sign where it stands; signs on one spot stand above each other."""

    def paint(page: Page) -> None:
        t, c = page.theme, page.c
        x, y, w, h = _ground(page, box, panel.title)
        span = max(1, panel.last - panel.first)
        r = min(t.u(15, 10), h * 0.22)
        high = min(t.u(14, 9), h * 0.2)
        left, wide = x + r, w - 2 * r
        middle = y + h * 0.46
        slab(page, (left, middle - high / 2, wide, high), c.press if t.light else c.bg, high / 2, shadow=False)

        def place(at: int) -> float:
            return left + wide * min(1.0, max(0.0, (at - panel.first) / span))

        if panel.goal is not None:
            gx = round(place(panel.goal))
            pygame.draw.line(
                page.surface, c.brass_text, (gx, round(middle - high * 1.6)), (gx, round(middle + high * 1.6)), 3
            )
        stood: dict[int, int] = {}
        for marker in sorted(panel.markers, key=lambda one: one.at):
            px = place(marker.at)
            column = round(px / (2 * r))
            up = stood.get(column, 0)
            stood[column] = up + 1
            paint_of = IVORY if marker.seat is None else t.player(view.colour(marker.seat))
            page.blit(mark(paint_of, r, t), px, middle - up * r * 0.9)
        low = (y + h * 0.72, h * 0.28)
        page.text(said(panel.first), (x, low[0], w * 0.3, low[1]), "small", c.faint, floor=0.5)
        page.text(said(panel.last), (x + w * 0.7, low[0], w * 0.3, low[1]), "small", c.faint, align="right", floor=0.5)

    page.part(key, box, (panel, view.seats), paint)
    return NONE


def clock(page: Page, view: View, panel: Clock, box: Rect, key: str, offered: dict[str, Choice]) -> Made:
    """What is left in words, and a bar in as many parts as there are, the done ones in brass."""

    def paint(page: Page) -> None:
        x, y, w, h = _ground(page, box, None)
        named = panel.mark_text is not None or panel.end_text is not None
        words = (0.3 if named else 0.36) if panel.note is not None else 0.44
        page.text(panel.text, (x, y, w, h * words), "figure", floor=0.45)
        if panel.note is not None:
            page.text(panel.note, (x, y + h * words, w, h * 0.22), "label", page.c.dim, floor=0.5)
        _bar(page, panel, (x, y + h * 0.6, w, h * (0.2 if named else 0.32)))
        if named:
            _bar_names(page, panel, (x, y + h * 0.82, w, h * 0.18))

    page.part(key, box, (panel, view.seats), paint)
    return NONE


def stops(panel: Clock) -> tuple[int, ...]:
    """Where the parts of the bar end."""
    if panel.stops:
        return panel.stops
    return tuple(range(1, panel.of + 1)) if panel.of <= 24 else (panel.of,)


def _along(panel: Clock, at: int, box: Rect, gap: float) -> float:
    """Where a number lies on the bar."""
    x, _, w, _ = box
    ends = stops(panel)
    each = (w - gap * (len(ends) - 1)) / len(ends)
    start = 0
    for i, end in enumerate(ends):
        if start < at <= end:
            return x + i * (each + gap) + each * (at - start) / (end - start)
        start = end
    return x


def _bar(page: Page, panel: Clock, box: Rect) -> None:
    t, c = page.theme, page.c
    x, y, w, h = box
    ends = stops(panel)
    gap = t.u(8, 5) if len(ends) > 1 else 0
    each, high = (w - gap * (len(ends) - 1)) / len(ends), min(t.u(20, 13), h)
    top = y + (h - high) / 2
    start = 0
    for i, end in enumerate(ends):
        left, share = x + i * (each + gap), min(1.0, max(0.0, (panel.done - start) / max(1, end - start)))
        slab(page, (left, top, each, high), c.press if t.light else c.bg, high / 2, shadow=False)
        if share > 0:
            slab(page, (left, top, max(high * 0.5, each * share), high), c.brass, high / 2, shadow=False)
        start = end
    if panel.mark is not None:
        line = round(_along(panel, panel.mark, box, gap))
        pygame.draw.line(page.surface, c.text, (line, round(top - high * 0.4)), (line, round(top + high * 1.4)), 2)


def _bar_names(page: Page, panel: Clock, box: Rect) -> None:
    """Under the bar: what its mark is called, and its end."""
    c = page.c
    x, y, w, h = box
    if panel.mark_text is not None and panel.mark is not None:
        at = _along(panel, panel.mark, box, page.theme.u(8, 5) if len(stops(panel)) > 1 else 0)
        left = max(x, at - w * 0.2)
        align = "center" if at - w * 0.2 >= x else "left"
        page.text(panel.mark_text, (left, y, w * 0.4, h), "small", c.dim, align=align, floor=0.5)
    if panel.end_text is not None:
        page.text(panel.end_text, (x + w * 0.8, y, w * 0.2, h), "small", c.dim, align="right", floor=0.5)


# -- dice and cards --------------------------------------------------------------------------------------------------


def dice(page: Page, view: View, panel: Dice, box: Rect, key: str, offered: dict[str, Choice]) -> Made:
    """The dice, and below them what they are worth."""
    t = page.theme
    made = frozenset(one.choice for one in panel.dice if one.choice in offered)
    acts = {one: offered[one] for one in sorted(made)}

    def paint(page: Page) -> None:
        x, y, w, h = _ground(page, box, panel.title)
        note = min(t.u(38, 24) * t.zoom, h * 0.34) if panel.note is not None else 0.0
        if panel.note is not None:
            page.text(panel.note, (x, y + h - note, w, note), "strong", align="center", floor=0.5)
        for line, top, high in _lines(panel, (w, h - note)):
            _dice_line(page, view, line, (x, y + top, w, high), acts)

    page.part(key, box, (panel, view.seats, view.pending, tuple(acts.values())), paint)
    return made


def _lines(panel: Dice, room: tuple[float, float]) -> list[tuple[list[ShownDie], float, float]]:
    """Kept dice first; where there is more height than width they have a line of their own, thrown ones the next."""
    kept = [one for one in panel.dice if one.kept]
    thrown = [one for one in panel.dice if not one.kept]
    w, h = room
    if not panel.dice or h < 0.62 * w:
        return [(kept + thrown, 0.0, h)] if panel.dice else []
    if not kept or not thrown:
        half = -(-len(panel.dice) // 2)
        kept, thrown = list(panel.dice[:half]), list(panel.dice[half:])
    lines = [line for line in (kept, thrown) if line]
    high = min(h / len(lines), 0.42 * w)
    top = (h - high * len(lines)) / 2
    return [(line, top + i * high, high) for i, line in enumerate(lines)]


def _dice_line(page: Page, view: View, line: list[ShownDie], box: Rect, acts: dict[str, Choice]) -> None:
    """One line of dice in the middle of its box; kept ones stand on brass."""
    t, c = page.theme, page.c
    x, y, w, h = box
    kept = sum(one.kept for one in line)
    apart = 0.5 if 0 < kept < len(line) else 0.0
    side = min(h * 0.74, w / (max(3, len(line)) * 1.3 + apart), t.u(104, 66))
    step = side * 1.3
    left, middle = x + (w - step * len(line) - apart * step) / 2, y + h / 2
    if kept:
        brass = (left - side * 0.04, middle - side * 0.62, step * kept + side * 0.08, side * 1.24)
        slab(page, brass, mix(c.brass, c.surface, 0.6), t.u(12, 8), shadow=False)
    for i, one in enumerate(line):
        cx = left + step * (i + 0.5) + (apart * step if i >= kept else 0)
        _die(page, view, one, (cx, middle), side, acts)


def _die(page: Page, view: View, one: ShownDie, at: tuple[float, float], side: float, acts: dict[str, Choice]) -> None:
    t = page.theme
    choice = acts.get(one.choice)
    if choice is not None:
        area = (at[0] - side * 0.6, at[1] - side * 0.6, side * 1.2, side * 1.2)
        page.touch(choice.id, area, act_for(choice, view.prompt.ask if view.prompt else None), grow=0)
    paint = IVORY if one.seat is None else t.player(view.colour(one.seat))
    page.blit(die(paint, one.face, side, t, ghost=one.face == 0), *at)


def cards(page: Page, view: View, panel: Cards, box: Rect, key: str, offered: dict[str, Choice]) -> Made:
    """Cards side by side; face down they show a pattern, chosen by touch where they are answers."""
    t = page.theme
    made = frozenset(one.choice for one in panel.cards if one.choice in offered)
    acts = {one: offered[one] for one in sorted(made)}

    def paint(page: Page) -> None:
        x, y, w, h = _ground(page, box, panel.title)
        n = max(1, len(panel.cards))
        gap = t.u(10, 6)
        each = min((w - gap * (n - 1)) / n, h * 1.25)
        for i, card in enumerate(panel.cards):
            _card(page, view, card, (x + i * (each + gap), y + 2, each, h - 6), acts.get(card.choice))

    page.part(key, box, (panel, view.seats, view.pending, tuple(acts.values())), paint)
    return made


def _card(page: Page, view: View, card: Card, box: Rect, choice: Choice | None) -> None:
    t, c = page.theme, page.c
    pressed = False
    if choice is not None:
        pressed = page.touch(choice.id, box, act_for(choice, view.prompt.ask if view.prompt else None), grow=0)
    outline = None if card.seat is None else t.player(view.colour(card.seat)).fill
    fill = c.press if pressed else c.raised
    slab(page, box, fill if card.text is not None else mix(c.brass, c.surface, 0.72), t.u(10, 7), outline=outline)
    x, y, w, h = inset(box, t.u(8, 4), t.u(5, 3))
    if card.text is None:
        page.text("?", (x, y, w, h), "figure", c.dim, align="center", floor=0.4)
        return
    share = 1.0 if card.note is None else 0.62
    page.text(card.text, (x, y, w, h * share), "body", align="center", lines=3, floor=0.45)
    if card.note is not None:
        page.text(card.note, (x, y + h * share, w, h * (1 - share)), "small", c.dim, align="center", floor=0.5)
