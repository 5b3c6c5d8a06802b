"""Lists in the box: numbers stepped one by one, and words picked from their pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.game import Field, Picture
from companion.wire.replies import BoxValue
from display.box_names import name_of, numbers, rebuilt, value_name
from display.keys import Key, key_row
from display.leaves import leaf_of
from display.page import Page
from display.scenes.forms import draw_number, row_height
from display.tables import screen_of
from display.touch import Act, Both, Put
from display.view import View
from display.widgets import Rect, inset, say_key, slab, split

PARTS, LEAF = "box-part", "box-part-leaf"


def edited(value: BoxValue) -> str:
    """How a value that is not a single one is edited: as `words`, as `numbers`, or not at all."""
    now = value.value
    if isinstance(now, (list, tuple)) and value.options:
        return "words"
    return "numbers" if numbers(now) else ""


def untold(value: Any) -> bool:
    """Nothing has been said: an empty list, or one of words nobody knows, is nobody's word."""
    return isinstance(value, (list, tuple)) and (not value or "unknown" in value)


def draw_list(
    page: Page, view: View, game: str, value: BoxValue, body: Rect, bottom: Rect, keep: Callable[[Any], Act]
) -> None:
    """The parts of a list, and the keys that keep or leave it."""
    t, key = page.theme, value.key
    head = t.size("body") * 1.6
    name, line = name_of(page, game, key), (body[0], body[1], body[2], head)
    page.piece("box name", line, (name, line), lambda: page.text(name, line, "body", page.c.dim, floor=0.5))
    room = (body[0], body[1] + head, body[2], body[3] - head)
    draw = _words if edited(value) == "words" else _numbers
    now, keys = draw(page, view, game, value, room)
    forget = {"box-open": None, PARTS: None, LEAF: None}
    kept: tuple[Key, ...] = ()
    if not untold(now):
        sent = Both((keep(now), Put({PARTS: None, LEAF: None})))
        kept = (Key("box-list-keep", say_key("box/keep"), sent, "brass", "check"),)
    key_row(page, view, bottom, [Key("box-back", say_key("back"), Put(forget), "ghost", "left"), *keys, *kept])


def _numbers(page: Page, view: View, game: str, value: BoxValue, room: Rect) -> tuple[Any, list[Key]]:
    """One stepper each."""
    t, key = page.theme, value.key
    known, parts = numbers(value.value) or [], dict(view.pick(PARTS) or {})
    low, high = value.low or 0, value.high
    fields = [Field(f"{key}#{i}", say_key("box/number", n=i + 1), "number", n, low, high) for i, n in enumerate(known)]
    columns = 2 if len(fields) > 3 and t.kind != "tall" else 1
    each = row_height(page)
    per = max(1, int((room[3] + t.gap) / (each + t.gap))) * columns
    leaf = leaf_of(view, LEAF, len(known), per)
    for i, field in enumerate(leaf.of(fields)):
        row = (room[0], room[1] + i // columns * (each + t.gap), room[2], each)
        cell = split(row, columns, t.gap)[i % columns]
        page.part(f"box part {i}", cell, (field, repr(parts)), draw_number, view, field, cell, PARTS)
    now = [int(parts.get(field.id, n)) for field, n in zip(fields, known, strict=True)]
    return rebuilt(value.value, now), leaf.keys("box-part-leaf", "raised", "")


def _words(page: Page, view: View, game: str, value: BoxValue, room: Rect) -> tuple[Any, list[Key]]:
    """One row of pictures for each word of the list; the one that is lit is said."""
    t, key = page.theme, value.key
    parts, known = dict(view.pick(PARTS) or {}), list(value.value)
    now = [parts.get(f"{key}#{i}", word) for i, word in enumerate(known)]
    options = [str(one) for one in value.options if one != "unknown"]
    each = min(room[3] / max(1, len(now)) - t.gap, t.u(190, 128))
    for i, chosen in enumerate(now):
        row = (room[0], room[1] + i * (each + t.gap), room[2], each)
        for word, cell in zip(options, split(row, len(options), t.gap), strict=True):
            put = Put({PARTS: {**parts, f"{key}#{i}": word}})
            content = (word, chosen == word, repr(parts))
            page.part(f"box word {i} {word}", cell, content, _word, view, game, word, cell, put, chosen == word)
    return now, []


def _word(page: Page, view: View, game: str, word: str, cell: Rect, put: Put, lit: bool) -> None:
    t, c = page.theme, page.c
    x, y, w, h = cell
    said = value_name(page, game, word)
    picture: Picture = {"action": word}
    pressed = page.touch(f"{word} {round(y)}", cell, put)
    slab(page, cell, c.press if pressed or lit else c.raised, t.u(14, 10), outline=c.brass if lit else None, width=3)
    drawn = screen_of(game).card(page, view, picture, (x + w / 2, y + h * 0.34), min(h * 0.5, w * 0.5), 1.0)
    room = (x, y + h * 0.6, w, h * 0.38) if drawn else cell
    page.text(said, inset(room, t.u(6, 3), 2), "label", align="center", lines=2, floor=0.5)
