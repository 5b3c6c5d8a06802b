"""The bottom row: undo, then the answers; what is impossible stays in its place and says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Ask, Choice, Text
from display import fonts
from display.leaves import leaf_of
from display.page import Page
from display.paint.crests import crest
from display.paint.die import die
from display.paint.icons import icon
from display.paint.tokens import coin, star
from display.paint.towers import tower
from display.tables import screen_of
from display.theme import TOWERS, mix
from display.touch import Act, Go, Play, Put, TakeBack
from display.view import View
from display.widgets import Rect, band_height, brass, button, dashed, dots, inset, say_key, slab, split

Lay = Callable[[str, int, Choice, Rect, int], None]
"""Puts a choice into a cell: prefix and number of the piece, the choice, where, and its key."""


def draw_choices(
    page: Page,
    view: View,
    box: Rect,
    choices: tuple[Choice, ...],
    *,
    hint: Text | None = None,
    local: Mapping[str, Act] | None = None,
    narrow: bool = False,
) -> None:
    """Undo at the left, the choices after it; more than fit are turned over like pages.

    `hint` says that there are more answers than these: on the table, where they are lit. A `narrow` undo leaves room for them.
    """
    t = page.theme
    top, height = box[1], box[3]
    rows = max(1, int((height + t.gap) / (max(t.touch, t.u(94, 76)) + t.gap))) if t.kind == "tall" else 1
    row = (height - t.gap * (rows - 1)) / rows
    wide = t.kind == "wide" and t.zoom < 1.3 and len(choices) < 6 and not narrow
    first = max(t.touch, t.u(142 if wide else 104, 76))
    page.piece(
        "undo",
        (box[0] - 4, top - 4, first + 8, height + 12),
        (view.state.undo if view.state else None, wide, view.pending == "undo"),
        lambda: _undo(page, view, (box[0], top, first, row), wide),
    )
    area = (box[0] + first + t.u(16, 10), top, box[2] - first - t.u(16, 10), height)
    if hint is not None:
        beside = 0.0 if not choices else 0.5 if len(choices) == 1 else 0.62
        words = (*area[:2], area[2] * (1 - beside) - (t.gap if choices else 0), row)
        page.piece("hint", words, hint, lambda: _hint(page, words, hint))
        area = (area[0] + area[2] * (1 - beside), top, area[2] * beside, height)
    if choices:
        _bar(page, view, area, choices, rows, _layer(page, view, choices, local or {}))


def _layer(page: Page, view: View, choices: tuple[Choice, ...], local: Mapping[str, Act]) -> Lay:
    """How one choice is laid in its cell, in the bar and among all."""
    one_brass = sum(1 for c in choices if c.primary) == 1
    ask = view.prompt.ask if view.prompt else None

    def lay(prefix: str, i: int, choice: Choice, cell: Rect, number: int) -> None:
        content = (choice, cell, view.pending == choice.id, one_brass, ask.seat if ask else None)
        act = local.get(choice.id)
        page.part(f"{prefix} {i}", cell, content, _choice, view, choice, cell, one_brass, number, act)

    return lay


def _bar(page: Page, view: View, area: Rect, choices: tuple[Choice, ...], rows: int, lay: Lay) -> None:
    """As many choices as can say what they are; the others wait behind "more"."""
    per_row = _capacity(page, area, choices, rows)
    fit = per_row * rows if len(choices) <= per_row * rows else per_row * rows - 1
    shown = _first(choices, fit)
    more = len(choices) - len(shown)
    cells = _cells(area, min(per_row, max(1, -(-(len(shown) + (more > 0)) // rows))), rows, page.theme.gap)
    for i, (choice, cell) in enumerate(zip(shown, cells, strict=False)):
        lay("choice", i, choice, cell, i + 1)
    if more:
        cell = cells[len(shown)]
        page.part("more", cell, more, _more, cell, more)
        if view.pick("sheet") == "choices":
            _all(page, view, choices, lay)


def _more(page: Page, cell: Rect, more: int) -> None:
    text = page.forms(say_key("more", n=more))
    button(page, "more", cell, text, Put({"sheet": "choices"}), look="ghost", sign="up")


def _first(choices: tuple[Choice, ...], fit: int) -> tuple[Choice, ...]:
    """As many as fit, in order; what is possible before what is not, the best step and the way past always."""
    if len(choices) <= fit:
        return choices
    possible = [c for c in choices if c.off is None]
    ranked = [*possible, *(c for c in choices if c.off is not None)]
    hidden = [c for c in ranked[fit:] if c.primary or c.id == "skip"][: max(0, fit - 1)]
    kept = [*ranked[: fit - len(hidden)], *hidden]
    return tuple(c for c in choices if c in kept)


def _all(page: Page, view: View, choices: tuple[Choice, ...], lay: Lay) -> None:
    """Every choice at once, over the table; the band with its question stays."""
    t = page.theme
    top = band_height(page)
    box = (t.margin, top + t.gap, t.width - 2 * t.margin, t.height - top - 2 * t.gap)
    columns = {"tall": 2, "small": 3}.get(t.kind, 4 if t.zoom < 1.2 else 3)
    rows = max(2, int((box[3] + t.gap) / (max(t.touch, t.u(86, 62)) * min(1.2, t.zoom) + t.gap)))
    leaf = leaf_of(view, "choices-page", len(choices), columns * rows - 1, beside=True)
    shown = leaf.of(choices)
    needed = -(-(len(shown) + 1 + (leaf.count > 1)) // columns)
    cells = [cell for line in split(box, max(rows, needed), t.gap, down=True) for cell in split(line, columns, t.gap)]
    close = Put({"sheet": None, "choices-page": None})

    def ground() -> None:
        page.surface.fill(page.c.bg, (0, top, t.width, t.height - top))
        page.touch("choices-close", (0, top, t.width, t.height - top), close, grow=0, key="escape")
        button(page, "choices-back", cells[-1], say_key("back"), close, look="ghost", sign="down")
        if leaf.count > 1:
            button(page, "choices-leaf", cells[-2], leaf.text, leaf.following, look="ghost", sign="right")

    page.piece("all", (0, top, t.width, t.height - top), (len(choices), leaf), ground, modal=True)
    for i, (choice, cell) in enumerate(zip(shown, cells, strict=False)):
        lay("one", i, choice, cell, leaf.number * leaf.per + i + 1)


def _cells(area: Rect, per_row: int, rows: int, gap: float) -> list[Rect]:
    width, height = (area[2] - gap * (per_row - 1)) / per_row, (area[3] - gap * (rows - 1)) / rows
    return [
        (area[0] + c * (width + gap), area[1] + r * (height + gap), width, height)
        for r in range(rows)
        for c in range(per_row)
    ]


def _capacity(page: Page, area: Rect, choices: tuple[Choice, ...], rows: int) -> int:
    """How many stand side by side so that each can say what it is; at least two or three, the rest waits behind "more"."""
    t = page.theme
    need = float(max(t.touch, t.u(150, 104)))
    for choice in choices:
        if _priced(choice):
            continue
        said = page.forms(choice.text)[-1]
        size = round(t.size("button") * 0.72)
        longest = max(fonts.width(word, "bold", size) for word in said.split(" "))
        beside = _picture_width(page, choice) + t.u(14, 8)
        need = max(need, fonts.width(said, "bold", size) / 2.4 + beside, longest + beside)
    per_row = max(1, int((area[2] + t.gap) / (min(need, area[2]) + t.gap)))
    if len(choices) <= per_row * rows:
        return max(1, -(-len(choices) // rows))
    return max(2 if t.kind == "tall" else min(3, len(choices)), per_row)


def _undo(page: Page, view: View, box: Rect, wide: bool) -> None:
    state = view.state
    undo = state.undo if state else None
    if undo is None:
        page.blit(
            icon("undo", min(page.theme.u(17, 14), box[3] * 0.32), page.c.line),
            box[0] + box[2] / 2,
            box[1] + box[3] / 2,
        )
        dashed(page, box, page.c.line, page.theme.u(16, 12))
        return
    act: Act = Go("undo") if undo.consent else TakeBack()
    button(
        page,
        "undo",
        box,
        say_key("undo") if wide else None,
        act,
        look="ghost",
        sign="undo",
        pending=view.pending == "undo",
        key="backspace",
    )


def _hint(page: Page, box: Rect, hint: Text) -> None:
    t, c = page.theme, page.c
    dashed(page, box, c.line, t.u(16, 12))
    page.text(hint, inset(box, t.u(20, 10), t.u(6, 4)), "body", c.dim, align="center", lines=2)


def act_for(choice: Choice, ask: Ask | None) -> Act:
    """What touching a choice does; an impossible one explains itself."""
    if choice.off is not None:
        return Put({"why": choice.id})
    return Play(choice.move)


def _choice(page: Page, view: View, choice: Choice, box: Rect, one_brass: bool, number: int, act: Act | None) -> None:
    t, c = page.theme, page.c
    ask = view.prompt.ask if view.prompt else None
    pressed = page.touch(choice.id, box, act or act_for(choice, ask), key=str(number) if number < 10 else "")
    radius = min(t.u(16, 12), box[3] / 2)
    gold = choice.primary and one_brass and choice.off is None
    if pressed:
        box = (box[0], box[1] + 2, box[2], box[3])
    if choice.off is not None:
        dashed(page, box, c.dim if pressed else c.line, radius)
    elif gold:
        brass(page, (box[0], box[1], box[2], box[3] - t.u(4, 3)), radius, pressed=pressed)
    else:
        slab(page, box, c.press if pressed else c.raised, radius, shine=True)
    ink = c.ink if gold else c.faint if choice.off is not None else c.text
    if view.pending == choice.id:
        dots(page, box, ink)
        return
    used = draw_picture(page, view, choice, box)
    x, y, w, h = box[0] + used, box[1], box[2] - used - t.u(10, 6), box[3]
    under = _under(page, choice)
    dim = c.warn if choice.off is not None else c.ink if gold else c.dim
    if _priced(choice) and "coins" not in choice.picture:
        page.text(under, (x, y + h * 0.08, w, h * 0.84), "label", dim, floor=0.5, lines=3)
        return
    if _priced(choice):
        _price(page, choice, (x, y + h * 0.1, w, h * 0.5), ink)
        page.text(under, (x, y + h * 0.56, w, h * 0.38), "label", dim, floor=0.5, lines=2)
        return
    align = "left" if used > t.u(14, 8) else "center"
    x, w = (x, w) if align == "left" else (box[0] + t.u(10, 6), box[2] - 2 * t.u(10, 6))
    if under:
        said = alone(page, choice.text)
        share = page.share_above((said, "button", 2), (under, "label", 2), (w, h * 0.86), (0.58, 0.46)) * 0.86
        page.text(said, (x, y + h * 0.08, w, h * share), "button", ink, align=align, lines=2, floor=0.5)
        low = h * (0.08 + share)
        page.text(under, (x, y + low, w, h * 0.94 - low), "label", dim, align=align, lines=2, floor=0.55)
    else:
        page.text(
            alone(page, choice.text), (x, y + h * 0.06, w, h * 0.88), "button", ink, align=align, lines=4, floor=0.42
        )


def _under(page: Page, choice: Choice) -> tuple[str, ...]:
    """The second line: why not, a note, or how soon it builds."""
    if choice.off is not None:
        return alone(page, choice.off)
    if _priced(choice) and "rounds" in choice.picture:
        return page.forms("display/in-rounds", n=int(choice.picture["rounds"]))
    return page.forms(choice.note) if choice.note is not None else ()


def _priced(choice: Choice) -> bool:
    """A die for a price on one card: its picture says it all. One that costs nothing in any case says what it is."""
    known = "coins" in choice.picture and "rounds" in choice.picture
    return "die" in choice.picture and (known or bool(choice.group and choice.off))


def alone(page: Page, text: Text) -> tuple[str, ...]:
    """An answer stands alone, so does what speaks against one, and the name of a field: it begins with a capital, also where its
    first word is a colour or a name of something. A person's name is written as the person writes it."""
    if text.key == "seat":
        return page.forms(text)
    return tuple(form[:1].upper() + form[1:] for form in page.forms(text))


def _price(page: Page, choice: Choice, box: Rect, ink: Any) -> None:
    t = page.theme
    coins = int(choice.picture["coins"])
    if coins == 0 and choice.off is None:
        page.text(say_key("free"), box, "number", ink, floor=0.6)
        return
    r = min(t.u(17, 12), box[3] * 0.42)
    page.blit(coin(r, fade=0.45 if choice.off is not None else 1.0), box[0] + r, box[1] + box[3] / 2)
    page.text(
        str(coins), (box[0] + 2 * r + t.u(7, 4), box[1], box[2] - 2 * r - t.u(7, 4), box[3]), "number", ink, floor=0.6
    )


def _picture_width(page: Page, choice: Choice) -> float:
    known = ("die", "card", "tower", "points", "coins", "ability", "guild", "slot", "icon", "bases")
    return page.theme.u(92, 56) if any(key in choice.picture for key in known) else page.theme.u(24, 14)


def draw_picture(page: Page, view: View, choice: Choice, box: Rect) -> float:
    """Draw what stands beside a choice; returns where its words begin."""
    t, c = page.theme, page.c
    what, h = choice.picture, box[3]
    fade = 0.4 if choice.off is not None else 1.0
    side = min(t.u(54, 42), h * 0.58, box[2] * 0.36)
    cx, cy = box[0] + t.u(17, 8) + side / 2, box[1] + h / 2
    if "die" in what:
        owner, face = what["die"].get("owner"), int(what["die"].get("face", 0))
        page.blit(die(t.player(view.colour(owner)), face, side, t, fade=fade), cx, cy - 0.03 * side)
    elif "tower" in what:
        page.blit(tower(str(what["tower"]), 3, side * 0.5, side, side * 0.25), cx, cy, fade)
    elif "card" in what or "slot" in what:
        if not screen_of(view.game).card(page, view, what, (cx, cy), side, fade):
            return t.u(12, 7)
    elif "bases" in what:
        _bases(page, what["bases"], (cx, cy), side, fade)
    elif "points" in what:
        page.blit(star(side * 0.42, mix(c.brass_hi, c.surface, 1 - fade)), cx, cy)
    elif "coins" in what:
        page.blit(coin(side * 0.38, fade=fade), cx, cy)
    elif "icon" in what:
        page.blit(icon(str(what["icon"]), side * 0.4, c.dim), cx, cy)
    else:
        return t.u(12, 7)
    return t.u(17, 8) + side + t.u(13, 7)


def _bases(page: Page, bases: Mapping[str, str], at: tuple[float, float], side: float, fade: float) -> None:
    """A city board by its four bases: a crest on each colour, as on the board."""
    cell = side * 0.52
    for i, (colour, name) in enumerate(bases.items()):
        enamel = TOWERS.get(colour)
        if enamel is None:
            continue
        x, y = at[0] + (i % 2 - 0.5) * cell * 1.08, at[1] + (i // 2 - 0.5) * cell * 1.08
        paper = mix(enamel.fill, page.c.surface, 1 - fade)
        slab(page, (x - cell / 2, y - cell / 2, cell, cell), paper, page.theme.u(5, 3), shadow=False)
        page.blit(crest(name, cell * 0.36, enamel.mark, enamel.fill), x, y)
