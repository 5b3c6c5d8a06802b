"""Panels of the Praga table: the clock, reminders, players, and the six tiles to choose from."""

from __future__ import annotations

from companion.game import Ask, Text
from companion.panels import Clock
from companion.shown.praga import Owner, PragaView
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.paint.tokens import coin
from display.panels import draw_panel
from display.tables.praga.signs import egg, pane, stone
from display.touch import Put
from display.view import View
from display.widgets import Rect, inset, slab

# -- the clock -------------------------------------------------------------------------------------------------------


def clock_card(page: Page, view: View, box: Rect) -> None:
    """How long until Era II, or until the end, with the platform's spaces: a panel of the pack."""
    for panel in view.state.panels if view.state else ():
        if isinstance(panel, Clock):
            draw_panel(page, view, panel, box, "clock")


# -- what to do and not to forget ------------------------------------------------------------------------------------


def notes(view: View, ask: Ask | None) -> list[tuple[str, Text]]:
    """What differs at the wheel first, then changes on the board, then reminders."""
    found: list[tuple[str, Text]] = []
    for notice in view.state.notices if view.state else ():
        if notice.slot == "dial" and not notice.done:
            found.append(("warn", notice.text))
            found += [("right", notice.do)] if notice.do is not None else []
    if ask is not None and not found:
        found += [("right", text) for text in ask.change]
    return found + [("book", text) for text in (ask.reminders if ask else ())]


def note_cards(page: Page, view: View, ask: Ask | None, box: Rect) -> float:
    """One card a note, as many as there is room for; says how much of it they take."""
    t = page.theme
    lines = notes(view, ask)
    least = t.u(74, 46) * (1 + 0.5 * (t.zoom - 1))
    fit = max(0, int((box[3] + t.gap) / (least + t.gap)))
    shown = lines[:fit]
    if not shown:
        return 0.0
    each = min(t.u(116, 72) * max(1.0, t.zoom), (box[3] - t.gap * (len(shown) - 1)) / len(shown))
    for i, (sign, text) in enumerate(shown):
        cell = (box[0], box[1] + i * (each + t.gap), box[2], each)
        page.part(f"note {i}", cell, (sign, text), _note, sign, text, cell)
    return len(shown) * (each + t.gap)


def _note(page: Page, sign: str, text: Text, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(22, 12), t.u(6, 4))
    r = min(t.u(17, 11), h * 0.3)
    colour = {"right": c.brass_text, "warn": c.warn}.get(sign, c.dim)
    page.blit(icon(sign, r, colour), x + r, y + h / 2)
    left = x + 2 * r + t.u(20, 11)
    page.text(text, (left, y, x + w - left, h), "body", lines=3 if t.zoom < 1.25 else 5, floor=0.5)


# -- players ---------------------------------------------------------------------------------------------------------


def players(page: Page, view: View, table: PragaView, box: Rect, turn: int | None) -> None:
    """Everybody's points, goods, windows and eggs; the one in turn stands out."""
    t = page.theme
    n = max(1, len(table.players))
    each = min(t.u(150, 110), (box[3] - t.gap * (n - 1)) / n)
    for i, one in enumerate(table.players):
        cell = (box[0], box[1] + i * (each + t.gap), box[2], each)
        shown = tuple(_moved(page, one, name, value) for name, value in _followed(one).items())
        content = (one.name, shown, one.seat == turn, view.colour(one.seat), cell)
        page.part(f"player {one.seat}", cell, content, _player, view, one, shown, one.seat == turn, cell)


def _followed(one: Owner) -> dict[str, float | None]:
    """What stands beside a player's name, in this order."""
    return {
        "points": one.points,
        "gold": one.gold,
        "stone": one.stone,
        "silver_windows": one.silver_windows,
        "gold_windows": one.gold_windows,
        "eggs": one.eggs,
    }


def _moved(page: Page, one: Owner, name: str, value: float | None) -> int | None:
    """A number on its way to what it is now; nothing for what is not followed."""
    if value is None:
        return None
    return round(page.motion.toward(f"{name} {one.seat}", value, 0 if page.theme.reduced_motion else 600))


def _player(page: Page, view: View, one: Owner, shown: tuple[int | None, ...], active: bool, box: Rect) -> None:
    t, c = page.theme, page.c
    paint = t.player(view.colour(one.seat))
    edge = (paint.edge if t.light else paint.fill) if active else None
    pressed = page.touch(f"player {one.seat}", box, Put({"slot": f"player {one.seat}", "form": None}))
    fill = c.press if pressed else c.raised if active else c.surface
    slab(page, box, fill, t.u(14, 10), outline=edge, width=3)
    x, y, w, h = inset(box, t.u(14, 8), t.u(6, 4))
    points, *goods = shown
    followed = goods[0] is not None
    room = t.u(84, 52) * min(1.3, t.zoom)
    r = min(t.u(15, 10), h * 0.18)
    upper = h * (0.5 if followed else 1.0)
    page.blit(mark(paint, r, t), x + r + 2, y + upper / 2)
    left = x + 2 * r + t.u(14, 8)
    page.text(
        one.name, (left, y, x + w - room - left - t.u(6, 4), upper), "body", floor=0.5, lines=1 if followed else 2,
        size=t.size("body") * 1.08, typed=True,
    )  # fmt: skip
    page.text(str(points), (x + w - room, y, room, h if not followed else upper), "points", align="right", floor=0.4)
    if followed:
        _goods(page, tuple(n or 0 for n in goods), (x, y + h * 0.52, w, h * 0.48))


WIDER = 1.45
"""What two digits beside a picture take against one."""


def _goods(page: Page, goods: tuple[int, ...], box: Rect) -> None:
    """Gold and stone always, windows and eggs as far as there are any; two digits have the room of two."""
    t = page.theme
    x, y, w, h = box
    shares = [WIDER if n > 9 else 1.0 for i, n in enumerate(goods) if n or i < 2]
    each = w / max(5.0, sum(shares))
    r = min(t.u(13, 8), h * 0.3, each * 0.27)
    pictures = (coin(r), stone(r * 1.05), pane("silver", r), pane("gold", r), egg(r))
    shown = [(picture, n) for i, (picture, n) in enumerate(zip(pictures, goods, strict=True)) if n or i < 2]
    at = x
    for (picture, number), share in zip(shown, shares, strict=True):
        page.blit(picture, at + r, y + h / 2)
        spot = (at + 2 * r + t.u(4, 2), y, max(1.0, each * share - 2 * r - t.u(6, 3)), h)
        page.text(str(number), spot, "strong", floor=0.5)
        at += each * share
