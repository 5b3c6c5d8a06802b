"""Forms: values entered together with steppers, pickers and a key pad, for any pack."""

from __future__ import annotations

from typing import Any

from companion.game import Choice, Field, Form, Option
from display import fonts
from display.keys import put_key
from display.leaves import leaf_of
from display.page import Page
from display.paint.shapes import mark
from display.scenes.choices import alone
from display.scenes.keyboard import draw_keyboard, number_pad
from display.scenes.picker import INLINE, draw_picker, picked_words
from display.scenes.word_list import draw_list
from display.touch import Act, Put
from display.view import View
from display.widgets import Rect, button, check_disc, inset, say_key, slab, split


def value_of(view: View, field: Field, where: str = "form") -> Any:
    """What stands in a field: entered here, or as it came."""
    entered = (view.pick(where) or {}).get(field.id)
    if entered is not None:
        return entered
    if field.value is not None:
        return field.value
    match field.kind:
        case "number":
            return max(0, field.low or 0)
        case "flag":
            return False
        case "many" | "list":
            return ()
        case "pick":
            return field.options[0].value if field.options else ""
    return ""


def unsaid(view: View, field: Field, where: str = "form") -> bool:
    """A number that came without a value and that nobody has entered: it is shown as a dash and not sent."""
    return field.kind == "number" and field.value is None and field.id not in (view.pick(where) or {})


def wrong(view: View, field: Field) -> bool:
    """This field was refused, and it still says what it said then."""
    at = view.pick("wrong") or {}
    return bool(at.get("id") == field.id and at["was"] == (view.pick("form") or {}).get(field.id))


def to_mend(view: View, fields: tuple[Field, ...], where: str = "form") -> int:
    """The place of the field that was refused; where none was, the first."""
    at = (view.pick("wrong") or {}).get("id") if where == "form" else None
    return next((i for i, field in enumerate(fields) if field.id == at), 0)


def entered(view: View, form: Form) -> dict[str, Any]:
    """All values as they are sent."""
    return {field.id: _plain(value_of(view, field)) for field in form.fields if not unsaid(view, field)}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def send_choice(view: View, form: Form) -> Choice:
    """The brass button that sends a form."""
    return Choice("form-send", form.send, {**form.move, "values": entered(view, form)}, primary=True)


def changed(view: View, where: str, field: Field, value: Any) -> Put:
    """Put another value in a field."""
    return Put({where: {**(view.pick(where) or {}), field.id: value}})


def stepped(view: View, where: str, field: Field, step: int) -> Act | None:
    """A step up or down within the field's bounds; None at the end of it."""
    now = int(value_of(view, field, where))
    value = now + step
    if field.low is not None:
        value = max(field.low, value)
    if field.high is not None:
        value = min(field.high, value)
    return changed(view, where, field, value) if value != now or unsaid(view, field, where) else None


def row_height(page: Page) -> float:
    """A row is as high as a finger."""
    return float(max(page.theme.touch, page.theme.u(78, 64)))


def draw_fields(
    page: Page, view: View, fields: tuple[Field, ...], box: Rect, where: str = "form", *, name: str = ""
) -> None:
    """Rows of fields; what does not fit is on the next leaf. `name` tells several such blocks of one form apart."""
    t = page.theme
    x, y, w, h = box
    each = row_height(page)
    pitch = each + t.gap
    fit = max(1, int((h + t.gap) / pitch))
    leaf = leaf_of(view, f"{where}-leaf", len(fields), fit, beside=True, at=to_mend(view, fields, where))
    explained = any(field.help for field in fields)
    if leaf.count == 1 and explained:  # room that is left is the sentences', so that they can be read
        each = min((h + t.gap) / len(fields) - t.gap, each * 1.4)
        pitch = each + t.gap
    shown = leaf.of(fields)
    for i, field in enumerate(shown):
        cell = (x, y + i * pitch, w, each)
        content = (
            field,
            value_of(view, field, where),
            repr(view.pick(where)),
            view.pick(f"{where}-{field.id}-turn"),
            cell,
            view.colour(field.seat) if field.seat is not None else "",
            wrong(view, field),
        )
        page.part(f"{name or where} {i}", cell, content, _field, view, field, cell, where)
    for key in leaf.keys(f"{where}-leaf"):
        put_key(page, view, (x + w * 0.2, y + len(shown) * pitch, w * 0.6, each), key)
    draw_keyboard(page, view)
    draw_picker(page, view, fields, where, {field.id: value_of(view, field, where) for field in fields})


def _field(page: Page, view: View, field: Field, box: Rect, where: str) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10), outline=c.bad if wrong(view, field) else None)
    x, y, w, h = inset(box, t.u(16, 10), 0)
    if field.seat is not None:
        r = min(t.u(14, 11), h * 0.2)
        page.blit(mark(t.player(view.colour(field.seat)), r, t), x + r, y + h / 2)
        x, w = x + 2 * r + t.u(12, 8), w - 2 * r - t.u(12, 8)
    share = 0.44 if field.kind != "number" or w > t.u(560, 420) else 0.36
    label = (x, y, w * share, h)
    if field.help is not None and t.zoom < 1.25:
        page.text(alone(page, field.text), (x, y + h * 0.04, w * share, h * 0.4), "body", lines=1, floor=0.55)
        page.text(field.help, (x, y + h * 0.44, w * share, h * 0.53), "small", c.dim, lines=3, floor=0.6)
    else:
        page.text(alone(page, field.text), label, "body", lines=2, floor=0.5)
    control = (x + w * share + t.gap, y + t.u(4, 3), w * (1 - share) - t.gap + t.u(10, 6), h - t.u(8, 6))
    draw_control(page, view, field, control, where)


def draw_control(page: Page, view: View, field: Field, control: Rect, where: str = "form") -> None:
    """What changes a field: a stepper, a choice, a list, or a keyboard."""
    match field.kind:
        case "number":
            stepper(page, view, field, control, where)
        case "flag":
            options = (Option(False, say_key("no")), Option(True, say_key("yes")))
            _segments(page, view, field, control, options, where)
        case "pick" if len(field.options) <= 3 and _short(page, field, control):
            _segments(page, view, field, control, field.options, where)
        case "pick" | "many" if len(field.options) > INLINE or _cramped(page, field, control):
            words = picked_words(page, field, value_of(view, field, where))
            opening = Put({"picker": {"where": where, "id": field.id}, "picker-leaf": None})
            button(page, f"{where}:{field.id}", control, words, opening, role="label", sign="dots", align="left")
        case "pick":
            _wheel(page, view, field, control, where)
        case "many":
            _many(page, view, field, control, where)
        case "list":
            draw_list(page, view, field, control, where)
        case _:
            now = str(value_of(view, field, where))
            act = Put({"keys": {"where": where, "id": field.id, "text": now}})
            button(page, f"{where}:{field.id}", control, now or "…", act, look="ghost", role="body")


def _cramped(page: Page, field: Field, box: Rect) -> bool:
    """Between two arrows there would be no room for the words: the list is opened instead."""
    t = page.theme
    return field.kind == "pick" and box[2] - 2 * max(t.touch, min(box[3], box[2] / 4)) - 2 * t.gap < t.u(130, 96)


def draw_number(page: Page, view: View, field: Field, box: Rect, where: str = "form") -> None:
    """A number in half a row: its name, and its stepper."""
    t = page.theme
    slab(page, box, page.c.surface, t.u(14, 10), outline=page.c.bad if wrong(view, field) else None)
    x, y, w, h = inset(box, t.u(16, 8), 0)
    label = w * 0.46
    if field.help is not None and _fits_below(page, field, (label, h * 0.42)):
        page.text(alone(page, field.text), (x, y + h * 0.04, label, h * 0.5), "body", lines=1, floor=0.55)
        page.text(field.help, (x, y + h * 0.54, label, h * 0.42), "small", page.c.dim, lines=2, floor=0.65)
    else:
        page.text(alone(page, field.text), (x, y, label, h), "body", lines=3, floor=0.6)
    room = (x + label + t.gap, y + t.u(4, 3), w - label - t.gap + t.u(10, 4), h - t.u(8, 6))
    stepper(page, view, field, room, where)


def _fits_below(page: Page, field: Field, size: tuple[float, float]) -> bool:
    """The second line of a field is worth showing only where all of it can be read."""
    t = page.theme
    if field.help is None or t.kind != "wide" or t.zoom >= 1.1:
        return False
    words = (fonts.clean(page.say(field.help)),)
    return fonts.fit(words, t.face("small"), t.size("small"), (round(size[0]), round(size[1])), 2, 0.65)[2]


def _short(page: Page, field: Field, box: Rect) -> bool:
    room = box[2] / max(1, len(field.options)) - page.theme.u(24, 14)
    size = round(page.theme.size("label") * 0.8)
    words = [page.say(option.text) for option in field.options]
    longest = max((fonts.width(part, "bold", size) for word in words for part in word.split()), default=0)
    return longest < room and all(fonts.width(word, "bold", size) / 2 * 1.15 < room for word in words)


def stepper(page: Page, view: View, field: Field, box: Rect, where: str) -> None:
    """−, the value, +; wide ranges get +5 and +10."""
    t = page.theme
    x, y, w, h = box
    key = max(t.touch, min(h * 1.1, w / 4))
    span = (field.high if field.high is not None else 100) - (field.low or 0)
    extra = [step for step in (5, 10) if span > 3 * step and w > key * (4 + step / 5)]
    name = f"{where}:{field.id}"
    value_w = w - key * (2 + len(extra)) - t.gap * (2 + len(extra))
    button(page, f"{name}-", (x, y, key, h), None, stepped(view, where, field, -1), sign="minus", repeats=True)
    page.touch(f"{name}#", (x + key + t.gap, y, value_w, h), number_pad(where, field), grow=0, small=True)
    page.text(
        "–" if unsaid(view, field, where) else str(value_of(view, field, where)).replace("-", "−"),
        (x + key + t.gap, y, value_w, h),
        "figure",
        align="center",
        floor=0.5,
    )
    at = x + key + t.gap + value_w + t.gap
    button(page, f"{name}+", (at, y, key, h), None, stepped(view, where, field, 1), sign="plus", repeats=True)
    for step in extra:
        at += key + t.gap
        button(page, f"{name}+{step}", (at, y, key, h), f"+{step}", stepped(view, where, field, step), repeats=True)


def _segments(page: Page, view: View, field: Field, box: Rect, options: tuple[Option, ...], where: str) -> None:
    now = value_of(view, field, where)
    for option, cell in zip(options, split(box, len(options), page.theme.u(6, 4)), strict=True):
        chosen = option.value == now
        button(
            page,
            f"{where}:{field.id}={option.value}",
            cell,
            option.text,
            changed(view, where, field, option.value),
            look="chosen" if chosen else "raised",
            role="label",
        )


def _wheel(page: Page, view: View, field: Field, box: Rect, where: str) -> None:
    """One of many: back and forth."""
    t = page.theme
    values = [option.value for option in field.options]
    now = value_of(view, field, where)
    at = values.index(now) if now in values else 0
    key = max(t.touch, min(box[3], box[2] / 4))
    name = f"{where}:{field.id}"
    if not values:
        return
    button(
        page,
        f"{name}<",
        (box[0], box[1], key, box[3]),
        None,
        changed(view, where, field, values[at - 1]),
        sign="left",
        repeats=True,
    )
    room = (box[0] + key + t.gap, box[1], box[2] - 2 * key - 2 * t.gap, box[3])
    page.text(field.options[at].text, room, "body", align="center", lines=2, floor=0.5)
    button(
        page,
        f"{name}>",
        (box[0] + box[2] - key, box[1], key, box[3]),
        None,
        changed(view, where, field, values[(at + 1) % len(values)]),
        sign="right",
        repeats=True,
    )


def _many(page: Page, view: View, field: Field, box: Rect, where: str) -> None:
    """Any number of a list: touch to take, touch again to leave; the arrows turn the list."""
    t = page.theme
    now = list(value_of(view, field, where))
    room = max(2, int(box[2] / max(t.touch * 1.2, t.u(120, 84))))
    fit = len(field.options) if len(field.options) <= room else room - 1
    turn_key = f"{where}-{field.id}-turn"
    pages = max(1, -(-len(field.options) // fit))
    turn = int(view.pick(turn_key, 0)) % pages
    shown = field.options[turn * fit : turn * fit + fit]
    cells = split(box, fit + (1 if pages > 1 else 0), t.u(6, 4))
    for option, cell in zip(shown, cells, strict=False):
        chosen = option.value in now
        after = [v for v in now if v != option.value] if chosen else [*now, option.value]
        button(
            page,
            f"{where}:{field.id}={option.value}",
            cell,
            option.text,
            changed(view, where, field, after),
            look="chosen" if chosen else "raised",
            role="label",
        )
        if chosen:
            check_disc(page, cell[0] + cell[2] - t.u(10, 7), cell[1] + t.u(10, 7), t.u(9, 6), page.c.ok)
    if pages > 1:
        button(page, f"{turn_key}", cells[-1], None, Put({turn_key: turn + 1}), look="ghost", sign="right")
