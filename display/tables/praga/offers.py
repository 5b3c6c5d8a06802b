"""Answers drawn as pictures: tiles, plazas and sites seen before, a strip of single gains, and the crane being told."""

from __future__ import annotations

from companion.game import Ask, Choice
from display.page import Page
from display.scenes.choices import act_for
from display.tables.praga.signs import action, gain
from display.touch import Put
from display.view import View
from display.widgets import Rect, button, dashed, dots, inset, say_key, slab

GRID = ("hex", "plaza", "site", "reward", "hang")
"""Groups of answers that lie over crane and clock."""
STRIP = ("landing", "quick")
"""Groups of which one is shown as a strip of small keys, the first before the second."""
ENTRY = "entry"
"""What `slot` is while something new is entered instead of picked."""
LEAF = "offers-leaf"


def laid_out(view: View, ask: Ask | None) -> tuple[Choice, ...]:
    """The answers to be picked from pictures now."""
    if ask is None or view.pick("slot") == ENTRY:
        return ()
    return tuple(choice for choice in ask.choices if choice.group in GRID)


def strip_of(ask: Ask | None) -> tuple[Choice, ...]:
    """The single gains to be noted with one touch."""
    for group in STRIP:
        found = tuple(choice for choice in (ask.choices if ask else ()) if choice.group == group)
        if found:
            return found
    return ()


def draw_grid(page: Page, view: View, ask: Ask | None, choices: tuple[Choice, ...], box: Rect) -> None:
    """As many answers side by side as can be read, the rest on further leaves."""
    t = page.theme
    columns = 4 if t.kind == "wide" and t.zoom < 1.2 else 2 if t.kind == "tall" or t.zoom >= 1.3 else 3
    least = max(t.touch, t.u(84, 58)) * min(1.25, t.zoom)
    rows = max(1, int((box[3] + t.gap) / (least + t.gap)))
    per = columns * rows
    leaves = 1
    if len(choices) > per:
        per -= 1
        leaves = -(-len(choices) // per)
    leaf = int(view.pick(LEAF, 0)) % leaves
    shown = choices[leaf * per : (leaf + 1) * per]
    each = min((box[3] - t.gap * (rows - 1)) / rows, t.u(120, 84) * min(1.25, t.zoom))
    width = (box[2] - t.gap * (columns - 1)) / columns
    for i, choice in enumerate(shown):
        cell = (box[0] + i % columns * (width + t.gap), box[1] + i // columns * (each + t.gap), width, each)
        page.piece(
            f"offer {i}",
            (cell[0] - 2, cell[1] - 2, cell[2] + 4, cell[3] + 10),
            (choice, cell, view.pending == choice.id),
            lambda choice=choice, cell=cell: _offer(page, view, ask, choice, cell),  # type: ignore[misc]
        )
    if leaves > 1:
        i = len(shown)
        cell = (box[0] + i % columns * (width + t.gap), box[1] + i // columns * (each + t.gap), width, each)
        more = say_key("leaf", leaf=leaf + 1, leaves=leaves)
        page.piece(
            "offers leaf",
            (cell[0] - 2, cell[1] - 2, cell[2] + 4, cell[3] + 10),
            (leaf, leaves, cell),
            lambda: button(page, "offers-leaf", cell, more, Put({LEAF: leaf + 1}), look="ghost", sign="right"),
        )


def _offer(page: Page, view: View, ask: Ask | None, choice: Choice, box: Rect) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(choice.id, box, act_for(choice, ask))
    off = choice.off is not None
    if off:
        dashed(page, box, c.dim if pressed else c.line, t.u(14, 10))
    else:
        slab(page, box, c.press if pressed else c.raised, t.u(14, 10), shine=True)
    if view.pending == choice.id:
        dots(page, box, c.text)
        return
    x, y, w, h = inset(box, t.u(12, 7), t.u(4, 3))
    r = min(t.u(15, 9), h * 0.2)
    signs = _signs(choice)
    for i, name in enumerate(signs):
        page.blit(
            action(name, r, c.text), x + r, y + h * (0.5 if len(signs) == 1 else 0.27 + 0.46 * i), 0.4 if off else 1
        )
    left = 2 * r + t.u(10, 6) if signs else 0
    under = choice.off or choice.note
    room = (x + left, y, w - left, h * (0.6 if under else 1.0))
    page.text(choice.text, room, "label", c.faint if off else c.text, lines=3 if not under else 2, floor=0.5)
    if under is not None:
        below = (x + left, y + h * 0.6, w - left, h * 0.4)
        page.text(under, below, "small", c.warn if off else c.dim, lines=2, floor=0.55)


def _signs(choice: Choice) -> tuple[str, ...]:
    """The actions drawn beside an answer."""
    shown = choice.picture
    if "actions" in shown:
        return tuple(str(name) for name in shown["actions"])
    if "hex" in shown:
        return (str(shown["hex"].get("on") or shown["hex"]["kind"]),)
    return (str(shown["action"]),) if "action" in shown else ()


def strip_height(page: Page, choices: tuple[Choice, ...]) -> float:
    """Two rows of keys, each as large as a finger."""
    return 2 * float(page.theme.touch) + page.theme.gap if choices else 0.0


def draw_strip(page: Page, view: View, ask: Ask | None, choices: tuple[Choice, ...], box: Rect) -> None:
    """Small keys with a picture and a number."""
    t = page.theme
    across = -(-len(choices) // 2)
    width, height = (box[2] - t.gap * (across - 1)) / max(1, across), (box[3] - t.gap) / 2
    for i, choice in enumerate(choices):
        cell = (box[0] + i % across * (width + t.gap), box[1] + i // across * (height + t.gap), width, height)
        page.piece(
            f"quick {i}",
            (cell[0] - 2, cell[1] - 2, cell[2] + 4, cell[3] + 6),
            (choice, cell, view.pending == choice.id),
            lambda choice=choice, cell=cell: _key(page, view, ask, choice, cell),  # type: ignore[misc]
        )


def _key(page: Page, view: View, ask: Ask | None, choice: Choice, box: Rect) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(choice.id, box, act_for(choice, ask))
    slab(page, box, c.press if pressed else c.raised, t.u(12, 8))
    if view.pending == choice.id:
        dots(page, box, c.text)
        return
    shown = choice.picture
    if "landing" in shown:
        page.text(choice.text, inset(box, t.u(5, 3), t.u(2, 1)), "small", lines=3, floor=0.45, align="center")
        return
    x, y, w, h = box
    r = min(h * 0.26, w * 0.22)
    page.blit(gain(page, str(shown["gain"]), r), x + w * 0.32, y + h / 2)
    page.text(f"+{shown['n']}", (x + w * 0.52, y, w * 0.46, h), "strong", floor=0.5)
