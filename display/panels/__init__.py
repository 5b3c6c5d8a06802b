"""What a pack declares to be shown, drawn on this screen: one idea of a good layout for every game."""

from __future__ import annotations

from collections.abc import Callable

from companion.game import Choice
from companion.panels import Cards, Clock, Dice, Figures, Panel, Spots, Table, Track
from display.page import Page
from display.panels import pieces, sheet, spots
from display.view import View
from display.widgets import Rect

GREEDY = (Table, Spots)
"""Panels that take all the room they get."""


def draw_panels(page: Page, view: View, panels: tuple[Panel, ...], box: Rect) -> frozenset[str]:
    """Lay the panels into a box; says which choices can be made by touching them."""
    made: set[str] = set()
    for i, (panel, place) in enumerate(zip(panels, places(page, panels, box), strict=True)):
        made |= draw_panel(page, view, panel, place, f"panel {i}")
    return frozenset(made)


def draw_panel(page: Page, view: View, panel: Panel, box: Rect, key: str) -> frozenset[str]:
    """One panel; says which choices can be made by touching it."""
    offered = offers(view)
    if isinstance(panel, Table):
        return sheet.draw(page, view, panel, box, key, offered)
    draws: dict[type, Callable[..., frozenset[str]]] = {
        Figures: pieces.figures,
        Track: pieces.track,
        Clock: pieces.clock,
        Dice: pieces.dice,
        Cards: pieces.cards,
        Spots: spots.draw,
    }
    return draws[type(panel)](page, view, panel, box, key, offered)


def offers(view: View) -> dict[str, Choice]:
    """What can be answered now, by id."""
    ask = view.prompt.ask if view.prompt else None
    return {choice.id: choice for choice in ask.choices} if ask else {}


def places(page: Page, panels: tuple[Panel, ...], box: Rect) -> list[Rect]:
    """Where each panel goes: tables and maps fill a column, what is small is stacked beside or above them."""
    t = page.theme
    small = [i for i, panel in enumerate(panels) if not isinstance(panel, GREEDY)]
    large = [i for i, panel in enumerate(panels) if isinstance(panel, GREEDY)]
    x, y, w, h = box
    if not small or not large:
        return _columns(page, panels, box)
    needed = sum(natural(page, panels[i], w) for i in small) + t.gap * len(small)
    beside = w > 1.35 * h and w > t.u(700, 520) and needed > 0.34 * h
    if beside:
        side = w * (0.36 if len(large) == 1 else 0.3)
        one, other = (x, y, side - t.gap, h), (x + side, y, w - side, h)
    else:
        high = min(needed, 0.5 * h)
        one, other = (x, y, w, high - t.gap), (x, y + high, w, h - high)
    laid = dict(zip(small, _stacked(page, panels, one, small), strict=True))
    laid |= dict(zip(large, _stacked(page, panels, other, large), strict=True))
    return [laid[i] for i in range(len(panels))]


def _columns(page: Page, panels: tuple[Panel, ...], box: Rect) -> list[Rect]:
    """One column; two when one would be crowded and there is width for it."""
    t = page.theme
    x, y, w, h = box
    needed = sum(natural(page, panel, w) for panel in panels) + t.gap * len(panels)
    if len(panels) < 3 or needed < h or w < h:
        return _stacked(page, panels, box, range(len(panels)))
    half = -(-len(panels) // 2)
    each = (w - t.gap) / 2
    return [
        *_stacked(page, panels, (x, y, each, h), range(half)),
        *_stacked(page, panels, (x + each + t.gap, y, each, h), range(half, len(panels))),
    ]


def _stacked(page: Page, panels: tuple[Panel, ...], box: Rect, which: range | list[int]) -> list[Rect]:
    """One below the other, each as high as it needs; what is left over goes to those that can use it."""
    t = page.theme
    x, y, w, h = box
    wanted = [natural(page, panels[i], w) for i in which]
    room = h - t.gap * max(0, len(wanted) - 1)
    eager = [isinstance(panels[i], GREEDY) for i in which]
    spare = room - sum(wanted)
    if spare > 0 and any(eager):
        wanted = [high + spare / sum(eager) if greedy else high for high, greedy in zip(wanted, eager, strict=True)]
    elif spare < 0:
        wanted = [high * room / sum(wanted) for high in wanted]
    else:
        most = 3.4 if len(wanted) == 1 else 1.4
        wanted = [high * min(most, room / sum(wanted)) for high in wanted]
    found: list[Rect] = []
    for high in wanted:
        found.append((x, y, w, high))
        y += high + t.gap
    return found


def natural(page: Page, panel: Panel, width: float) -> float:
    """How high a panel would like to be."""
    t = page.theme
    line = t.u(46, 30) * t.zoom
    head = 0.0 if getattr(panel, "title", None) is None else line * 0.8
    if isinstance(panel, Figures):
        return head + pieces.figure_rows(page, panel, width) * line * 1.75 + t.u(16, 10)
    if isinstance(panel, Table):
        return head + (len(panel.rows) + 1) * line * 0.9
    if isinstance(panel, Spots):
        return head + min(width / panel.ratio, t.u(360, 220))
    if isinstance(panel, Cards):
        return head + line * 2.6
    if isinstance(panel, Dice):
        return head + t.u(104, 70) + (line if panel.note is not None else 0)
    return head + line * 2.3
