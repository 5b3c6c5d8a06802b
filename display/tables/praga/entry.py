"""What a tile or a reward shows, entered as it is printed: a touch for its price, a touch for each thing it gives.

Keys with numbers say how much at once, keys with pictures count up. What such a form asks last (the action an upgrade lies on,
whether a building has a place for a cube) is answered by the key that sends it, so nothing is entered and then confirmed.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Choice, Field, Form, Text
from display.keys import Key, put_key
from display.page import Page
from display.scenes.forms import changed, entered, send_choice, value_of
from display.tables.praga.signs import action, gain
from display.touch import Play, Put
from display.view import View
from display.widgets import Rect, slab, split

COSTS = ("cost_stone", "cost_gold")
COUNTED = (
    *("gold", "stone", "eggs", "silver_windows", "gold_windows"),
    *("technology", "university", "wall_steps", "cathedral_steps", "red", "blue"),
)
LAST = ("on", "place", "row")
"""What the key that sends the form says."""
NUMBERS = 5
"""Numbers with a key of their own where there is room; the last one goes on counting."""
PAID = "form-paid"
"""While this is set a touch takes away instead: something was paid."""


def serves(form: Form | None) -> bool:
    """This form is what something printed costs and gives."""
    known = {"points", "special", *COSTS, *COUNTED, *LAST}
    return form is not None and form.move.get("kind") != "correct" and all(field.id in known for field in form.fields)


def rows(form: Form) -> int:
    """Lines of keys: the price or the action it lies on, points, and two of things."""
    return 3 + bool({*COSTS, "on"} & {field.id for field in form.fields})


def draw_entry(page: Page, view: View, form: Form, box: Rect) -> None:
    """All keys of the form."""
    fields = {field.id: field for field in form.fields}
    lines = iter(split(box, rows(form), page.theme.gap, down=True))
    if COSTS[0] in fields:
        halves = split(next(lines), 2, page.theme.u(24, 12))
        for name, half in zip(COSTS, halves, strict=True):
            _numbers(page, view, fields[name], half, name.partition("_")[2], "−")
    _points(page, view, fields, next(lines))
    counted = [fields[name] for name in COUNTED if name in fields]
    across = -(-(len(counted) + 1) // 2)
    cells = [cell for line in (next(lines), next(lines)) for cell in split(line, across, page.theme.gap)]
    for field, cell in zip(counted, cells, strict=False):
        _thing(page, view, field, cell)
    _clear(page, view, cells[-1])
    if "on" in fields:
        _actions(page, view, form, fields["on"], next(lines))


def sends(view: View, form: Form) -> tuple[Choice, ...]:
    """The keys that send it: one for each answer to what is asked last."""
    sent = send_choice(view, form)
    last = next((field for field in form.fields if field.id in LAST), None)
    if last is None:
        return (sent,)
    if last.id == "on":
        return (msgspec.structs.replace(sent, text=last.options[0].text, primary=False),)
    return tuple(
        Choice(
            f"form-send-{option.value}",
            option.text,
            {**form.move, "values": {**entered(view, form), last.id: option.value}},
        )
        for option in last.options
    )


def _actions(page: Page, view: View, form: Form, field: Field, box: Rect) -> None:
    """The action an upgrade lies on: naming it sends the form."""
    options = [option for option in field.options if option.value != "none"]
    for option, cell in zip(options, split(box, len(options), page.theme.gap), strict=True):
        act = Play({**form.move, "values": {**entered(view, form), field.id: option.value}})

        def paint(page: Page, option: Any = option, cell: Rect = cell, act: Play = act) -> None:
            t, c = page.theme, page.c
            pressed = page.touch(f"on-{option.value}", cell, act)
            slab(page, cell, c.press if pressed else c.raised, t.u(14, 10), outline=c.brass, width=2)
            x, y, w, h = cell
            r = min(t.u(17, 11), h * 0.24)
            page.blit(action(str(option.value), r, c.text), x + w / 2, y + h * 0.36)
            page.text(option.text, (x + 3, y + h * 0.62, w - 6, h * 0.36), "small", align="center", floor=0.5, lines=2)

        page.part(f"on {option.value}", cell, (option, repr(view.pick("form"))), paint)


def _numbers(page: Page, view: View, field: Field, box: Rect, good: str, before: str) -> None:
    """The numbers one to five of something, each a key; the last counts on, a lit one is taken back."""
    sign = -1 if (field.low or 0) < 0 and view.pick(PAID) else 1
    now, most = sign * int(value_of(view, field)), abs((field.low if sign < 0 else field.high) or NUMBERS)
    t, gap = page.theme, page.theme.u(6, 4)
    last = min(NUMBERS, int((box[2] + gap) / (t.touch - t.gap + gap)))
    for n, cell in zip(range(1, last + 1), split(box, last, gap), strict=True):
        over = n == last and now >= last
        wanted = sign * (0 if n == now < last else min(now + 1, most) if over else n)
        shown = now if over else n
        content = (field.id, n, now, cell, before)
        page.part(
            f"{field.id} {n}",
            cell,
            content,
            _number,
            view,
            field,
            cell,
            good,
            f"{before}{shown}",
            wanted,
            lit=now == shown,
        )


def _number(page: Page, view: View, field: Field, cell: Rect, good: str, said: str, wanted: int, *, lit: bool) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(f"{field.id}={said}", cell, changed(view, "form", field, wanted))
    slab(page, cell, c.brass if lit else c.press if pressed else c.raised, t.u(12, 8))
    x, y, w, h = cell
    r = min(t.u(13, 8), h * 0.2, w * 0.2)
    page.text(said, (x, y, w * 0.52, h), "strong", c.ink if lit else c.text, align="right", floor=0.5)
    page.blit(gain(page, good, r), x + w * 0.52 + r * 1.5, y + h / 2)


def _points(page: Page, view: View, fields: dict[str, Field], box: Rect) -> None:
    """Points on the left; on the right what is special about it, and whether it was paid."""
    t = page.theme
    left, right = split(box, 2, t.u(24, 12))
    _numbers(page, view, fields["points"], left, "points", "−" if view.pick(PAID) else "+")
    keys: list[tuple[str, Text, Put, bool]] = []
    if "special" in fields:
        on = bool(value_of(view, fields["special"]))
        keys.append(("special", fields["special"].text, changed(view, "form", fields["special"], not on), on))
    if any((field.low or 0) < 0 for field in fields.values()):
        on = bool(view.pick(PAID))
        keys.append(("paid", Text("praga/entry/paid"), Put({PAID: None if on else True}), on))
    if not keys:
        help_ = Text("praga/entry/help-on" if "on" in fields else "praga/entry/help")
        page.piece(
            "entry help",
            right,
            (help_, right),
            lambda: page.text(help_, right, "small", page.c.dim, lines=3, floor=0.6),
        )
    for (name, text, act, on), cell in zip(keys, split(right, max(1, len(keys)), t.gap), strict=False):
        put_key(page, view, cell, Key(f"entry-{name}", text, act, look="chosen" if on else "raised", role="label"))


def _thing(page: Page, view: View, field: Field, cell: Rect) -> None:
    """One more of something, or one less while it is said that it was paid."""
    now, paid = int(value_of(view, field)), bool(view.pick(PAID)) and (field.low or 0) < 0
    new = now - 1 if paid else now + 1
    inside = (field.low is None or new >= field.low) and (field.high is None or new <= field.high)
    act = changed(view, "form", field, new if inside else 0)

    def paint(page: Page) -> None:
        t, c = page.theme, page.c
        pressed = page.touch(f"{field.id}+", cell, act)
        slab(page, cell, c.brass if now else c.press if pressed else c.raised, t.u(12, 8))
        x, y, w, h = cell
        r = min(t.u(20, 13), h * 0.2) if w < 1.5 * h else min(t.u(14, 9), h * 0.22)
        ink, figure = c.ink if now else c.text, str(now).replace("-", "−") if now else ""
        if w < 1.5 * h:
            page.blit(gain(page, field.id, r), x + w * (0.34 if now else 0.5), y + h * 0.28)
            page.text(figure, (x + w * 0.5, y, w * 0.4, h * 0.56), "strong", ink, floor=0.5)
            page.text(
                field.text, (x + 3, y + h * 0.52, w - 6, h * 0.46), "label", ink, align="center", lines=2, floor=0.5
            )
            return
        page.blit(gain(page, field.id, r), x + t.u(10, 6) + r, y + h / 2)
        left = x + t.u(16, 9) + 2 * r
        room = w - (left - x) - t.u(8, 4)
        page.text(field.text, (left, y, room * (0.7 if now else 1.0), h), "label", ink, lines=2, floor=0.5)
        page.text(figure, (left + room * 0.7, y, room * 0.3, h), "strong", ink, align="right", floor=0.5)

    page.part(f"thing {field.id}", cell, (field, now, paid, repr(view.pick("form"))), paint)


def _clear(page: Page, view: View, cell: Rect) -> None:
    put_key(
        page, view, cell, Key("entry-clear", Text("praga/entry/clear"), Put({"form": None, PAID: None}), look="ghost")
    )
