"""Answers drawn as pictures: tiles, plazas and sites seen before, a strip of single gains, and the crane being told."""

from __future__ import annotations

import pygame

from companion.game import Ask, Choice, Text
from display.keys import Key, put_key
from display.leaves import leaf_of
from display.page import Page
from display.paint.icons import icon
from display.paint.tokens import star
from display.scenes.choices import act_for
from display.tables.praga.signs import action, cube, gain
from display.theme import RGB
from display.touch import Put
from display.view import View
from display.widgets import Rect, dashed, dots, inset, say_key, slab, split

GRID = ("hex", "plaza", "site", "reward", "hang")
"""Groups of answers that lie over crane and clock."""
STRIP = ("landing", "quick")
"""Groups of which one is shown as a strip of small keys, the first before the second."""
SEEN = "seen"
"""What `slot` is while everything seen before is looked through."""
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
    broad = t.kind == "wide" and t.zoom < 1.2 and box[2] >= t.u(880, 880)
    columns = 4 if broad else 2 if t.kind == "tall" or t.zoom >= 1.3 else 3
    least = max(t.touch, t.u(84, 58)) * min(1.25, t.zoom)
    rows = max(1, int((box[3] + t.gap) / (least + t.gap)))
    leaf = leaf_of(view, LEAF, len(choices), columns * rows, beside=True)
    shown = leaf.of(choices)
    tall = t.u(180, 130) if len(choices) <= 2 * columns else t.u(120, 84)
    lines = min(rows, -(-len(choices) // columns))
    each = min((box[3] - t.gap * (lines - 1)) / lines, tall * min(1.25, t.zoom))
    width = (box[2] - t.gap * (columns - 1)) / columns
    for i, choice in enumerate(shown):
        cell = (box[0] + i % columns * (width + t.gap), box[1] + i // columns * (each + t.gap), width, each)
        page.part(f"offer {i}", cell, (choice, view.pending == choice.id), _offer, view, ask, choice, cell)
    for i, key in enumerate(leaf.keys("offers-leaf", sign="right"), len(shown)):
        cell = (box[0] + i % columns * (width + t.gap), box[1] + i // columns * (each + t.gap), width, each)
        put_key(page, view, cell, key)


def draw_seen(page: Page, view: View, ask: Ask | None, choices: tuple[Choice, ...], box: Rect, lines: int) -> None:
    """The likeliest of what was seen before in so many lines of small cards; a last one leads to all of it."""
    t = page.theme
    across = max(2, int((box[2] + t.gap) / (t.u(140, 120) + t.gap)))
    cells = [cell for line in split(box, lines, t.gap, down=True) for cell in split(line, across, t.gap)]
    ranked = sorted(
        choices, key=lambda one: (one.off is not None, "hex" in one.picture and one.picture["hex"]["taken"])
    )
    shown = ranked if len(ranked) <= len(cells) else ranked[: len(cells) - 1]
    for i, (choice, cell) in enumerate(zip(shown, cells, strict=False)):
        page.part(f"seen {i}", cell, (choice, view.pending == choice.id), _offer, view, ask, choice, cell)
    if len(shown) < len(ranked):
        cell = cells[-1]
        more = say_key("more", n=len(ranked) - len(shown))
        put_key(page, view, cell, Key("seen-more", more, Put({"slot": SEEN}), look="ghost", sign="up"))


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
    own = _hex if "hex" in choice.picture else _site if "site" in choice.picture else None
    if own is not None:
        own(page, choice, inset(box, t.u(8, 5), t.u(5, 3)))
        return
    x, y, w, h = inset(box, t.u(12, 7), t.u(4, 3))
    signs = _signs(choice)
    r = min(t.u(20, 13), h * (0.3 if len(signs) == 1 else 0.22))
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


def _hex(page: Page, choice: Choice, box: Rect) -> None:
    """A hex tile as it is printed: above what it costs or the action it lies on, below what it gives."""
    t, c = page.theme, page.c
    tile, off = choice.picture["hex"], choice.off is not None
    x, y, w, h = box
    r, fade = min(t.u(15, 10), h * 0.22), 0.45 if off else 1.0
    ink = c.warn if off else c.text
    costs = (("stone", tile["stone"]), ("gold", tile["gold"]))
    shown = [(str(n), gain(page, good, r), "−") for good, n in costs if n]
    if tile["on"]:
        page.blit(action(tile["on"], r, c.text), x + r, y + h * 0.27, fade)
    _row(page, shown, (x, y, w, h * 0.5), ink, fade)
    gives = [(str(n), gain(page, name, r), "") for name, n in tile["gives"].items()]
    marks = [star(r * 0.9, c.brass_hi)] if tile["special"] else []
    marks += [cube(r * 0.8, c.text)] if tile["claim"] else []
    high = h * 0.5 if shown or marks or tile["on"] else h
    _row(page, gives, (x, y + h - high, w, high), c.faint if off else c.text, fade)
    for i, picture in enumerate(marks):
        page.blit(picture, x + w - r - i * 2.3 * r, y + h * 0.27, fade)


def _row(page: Page, things: list[tuple[str, pygame.Surface, str]], box: Rect, ink: RGB, fade: float) -> None:
    """Numbers with their pictures, side by side."""
    x, y, w, h = box
    each = min(w / max(2, len(things)), page.theme.u(62, 44))
    for i, (n, picture, before) in enumerate(things):
        left = x + i * each
        page.text(f"{before}{n}", (left, y, each * 0.42, h), "strong", ink, floor=0.45, align="right")
        page.blit(picture, left + each * 0.72, y + h / 2, fade)


def _site(page: Page, choice: Choice, box: Rect) -> None:
    """A site: what it asks and gives, and in which town such sites lie."""
    t, c = page.theme, page.c
    x, y, w, h = box
    (gold, points), off = choice.picture["site"], choice.off is not None
    r, fade = min(t.u(20, 13), h * 0.2), 0.45 if off else 1.0
    town = Text("praga/town/old" if gold or points else "praga/town/new")
    if gold or points:
        shown = [(str(gold), gain(page, "gold", r), "−"), (str(points), gain(page, "points", r), "+")]
        for (n, picture, before), half in zip(shown, split((x, y, w, h * 0.6), 2, 0), strict=True):
            room = (half[0], half[1], half[2] * 0.5, half[3])
            page.text(f"{before}{n}", room, "strong", c.faint if off else c.text, align="right", floor=0.5)
            page.blit(picture, half[0] + half[2] * 0.5 + r * 1.4, half[1] + half[3] / 2, fade)
    else:
        page.text(Text("praga/note/free"), (x, y, w, h * 0.6), "strong", align="center", floor=0.5)
    under = (x, y + h * 0.6, w, h * 0.38)
    page.text(choice.off or town, under, "small", c.warn if off else c.dim, align="center", lines=2, floor=0.5)


def _space(page: Page, choice: Choice, box: Rect) -> None:
    """What a space of Hunger Wall or Cathedral shows: points, an arrow, nothing."""
    shown, c = choice.picture, page.c
    x, y, w, h = box
    r = min(h * 0.26, w * 0.22)
    if shown["points"]:
        page.blit(gain(page, "points", r), x + w * 0.32, y + h / 2)
        page.text(f"+{shown['points']}", (x + w * 0.52, y, w * 0.46, h), "strong", floor=0.5)
    elif shown["arrow"]:
        sideways = "left" if shown["landing"] == "wall" else "right"
        page.blit(icon("up" if shown["arrow"] == "up" else sideways, r, c.brass_text), x + w / 2, y + h / 2)
    else:
        page.text(Text("praga/hex/nothing"), inset(box, 3, 2), "label", c.dim, align="center", lines=2, floor=0.5)


def _signs(choice: Choice) -> tuple[str, ...]:
    """The actions drawn beside an answer."""
    shown = choice.picture
    if "actions" in shown:
        return tuple(str(name) for name in shown["actions"])
    return (str(shown["action"]),) if "action" in shown else ()


def strip_height(page: Page, choices: tuple[Choice, ...]) -> float:
    """A line that says what they are, and two rows of keys, each as large as a finger."""
    return 2 * float(page.theme.touch) + page.theme.gap + _heading(page) if choices else 0.0


def _heading(page: Page) -> float:
    return page.theme.u(30, 20) * min(1.25, page.theme.zoom)


def _strip_name(choices: tuple[Choice, ...]) -> Text:
    first = choices[0]
    if first.group == "landing":
        return Text("praga/strip/landing", {"building": Text(f"praga/building/{first.picture['landing']}")})
    return Text("praga/strip/points" if first.id.startswith("points-") else "praga/strip/beside")


def draw_strip(page: Page, view: View, ask: Ask | None, choices: tuple[Choice, ...], box: Rect) -> None:
    """Small keys with a picture and a number."""
    t, line = page.theme, _heading(page)
    head, name = (box[0], box[1], box[2], line), _strip_name(choices)
    page.piece("quick", head, (name, head), lambda: page.text(name, head, "label", page.c.dim, floor=0.5))
    box = (box[0], box[1] + line, box[2], box[3] - line)
    across = -(-len(choices) // 2)
    width, height = (box[2] - t.gap * (across - 1)) / max(1, across), (box[3] - t.gap) / 2
    for i, choice in enumerate(choices):
        cell = (box[0] + i % across * (width + t.gap), box[1] + i // across * (height + t.gap), width, height)
        page.part(f"quick {i}", cell, (choice, view.pending == choice.id), _key, view, ask, choice, cell)


def _key(page: Page, view: View, ask: Ask | None, choice: Choice, box: Rect) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(choice.id, box, act_for(choice, ask))
    slab(page, box, c.press if pressed else c.raised, t.u(12, 8))
    if view.pending == choice.id:
        dots(page, box, c.text)
        return
    shown = choice.picture
    x, y, w, h = box
    if "landing" in shown:
        _space(page, choice, (x, y, w, h))
        return
    r = min(h * 0.26, w * 0.22)
    page.blit(gain(page, str(shown["gain"]), r), x + w * 0.32, y + h / 2)
    page.text(f"+{shown['n']}", (x + w * 0.52, y, w * 0.46, h), "strong", floor=0.5)
