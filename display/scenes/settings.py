"""Settings behind a PIN: language, sound, light, text size, palette, lock, shut down."""

from __future__ import annotations

from typing import Any

from companion.game import Field, Option, Text
from display.page import Page
from display.scenes.forms import row_height
from display.touch import Act, Both, Go, Put, Setting, Tell
from display.view import View
from display.widgets import Rect, band_height, button, inset, say_key, slab, split, title_bar

ROWS: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("language", "pick", ("en", "pl", "fr")),
    ("text_size", "pick", (100, 115, 130, 150)),
    ("theme", "pick", ("dark", "light")),
    ("palette", "pick", ("standard", "strong")),
    ("brightness", "step", (10, 100, 10)),
    ("volume", "step", (0, 100, 10)),
    ("reduced_motion", "pick", (False, True)),
    ("lock", "pick", (False, True)),
)


def draw(page: Page, view: View) -> None:
    """The key pad first when there is a PIN; then the rows."""
    t = page.theme
    height = band_height(page)
    pin = str(view.settings.get("pin", ""))
    page.piece(
        "band",
        (0, 0, t.width, height),
        "settings",
        lambda: title_bar(page, say_key("menu/settings"), back=Both((Put({"pin": None}), Go("")))) and None,
    )
    if pin and view.pick("pin") != pin:
        _key_pad(page, view, (t.margin, height + t.u(12, 6), t.width - 2 * t.margin, t.height - height - t.u(24, 12)))
        return
    foot = max(t.touch, t.u(84, 64))
    body = (t.margin, height + t.u(10, 6), t.width - 2 * t.margin, t.height - height - foot - t.u(40, 20))
    columns = 1 if t.kind == "tall" else 2
    each = row_height(page)
    rows = max(1, int((body[3] + t.gap) / (each + t.gap)))
    per = rows * columns
    pages = -(-len(ROWS) // per)
    leaf = int(view.pick("settings-leaf", 0)) % pages
    cells = [c for row in split(body, rows, t.gap, down=True) for c in split(row, columns, t.gap)]
    for (name, kind, values), cell in zip(ROWS[leaf * per : (leaf + 1) * per], cells, strict=False):
        now = view.settings.get(name)
        page.piece(
            f"set {name}",
            (cell[0] - 2, cell[1] - 2, cell[2] + 4, cell[3] + 7),
            (now, cell),
            lambda name=name, kind=kind, values=values, cell=cell, now=now: _row(page, name, kind, values, now, cell),  # type: ignore[misc]
        )
    _foot(page, view, (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot), leaf, pages)


def _foot(page: Page, view: View, box: Rect, leaf: int, pages: int) -> None:
    t = page.theme
    sure = bool(view.pick("sure-off"))
    off: Act = Tell("shut down") if sure else Put({"sure-off": True})
    keys: list[tuple[str, Text, Act, str, str]] = [
        ("off", say_key("settings/off-sure") if sure else say_key("settings/off"), off, "ghost", "power"),
        (
            "pin",
            say_key("settings/pin-change") if view.settings.get("pin") else say_key("settings/pin-set"),
            Go("pin"),
            "raised",
            "lock",
        ),
        ("on", say_key("menu/on"), Both((Put({"pin": None}), Go(""))), "brass", ""),
    ]
    if pages > 1:
        keys.insert(
            1,
            ("leaf", say_key("leaf", leaf=leaf + 1, leaves=pages), Put({"settings-leaf": leaf + 1}), "raised", "down"),
        )
    for (name, text, act, look, sign), cell in zip(keys, split(box, len(keys), t.gap), strict=True):
        page.piece(
            f"settings {name}",
            (cell[0] - 2, cell[1] - 2, cell[2] + 4, cell[3] + 8),
            (text, cell, repr(act)),
            lambda name=name, text=text, act=act, look=look, sign=sign, cell=cell: button(
                page, f"settings-{name}", cell, text, act, look=look, sign=sign
            ),  # type: ignore[misc]
        )


def _row(page: Page, name: str, kind: str, values: tuple[Any, ...], now: Any, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(16, 10), t.u(4, 3))
    page.text(say_key(f"settings/{name}"), (x, y, w * 0.32, h), "body", lines=2, floor=0.45)
    control = (x + w * 0.34, y, w * 0.66 + t.u(8, 5), h)
    if kind == "step":
        low, high, step = values
        key = max(t.touch, min(h * 1.1, control[2] / 4))
        number = int(now or 0)
        button(
            page,
            f"{name}-",
            (control[0], y, key, h),
            None,
            Setting({name: max(low, number - step)}),
            sign="minus",
            repeats=True,
        )
        page.text(str(number), (control[0] + key, y, control[2] - 2 * key, h), "figure", align="center", floor=0.5)
        button(
            page,
            f"{name}+",
            (control[0] + control[2] - key, y, key, h),
            None,
            Setting({name: min(high, number + step)}),
            sign="plus",
            repeats=True,
        )
        return
    for value, cell in zip(values, split(control, len(values), t.u(6, 4)), strict=True):
        label: Text | str = (
            f"{value} %"
            if isinstance(value, int) and not isinstance(value, bool)
            else say_key(f"settings/{name}/{str(value).lower()}")
        )
        button(
            page,
            f"{name}={value}",
            cell,
            label,
            Setting({name: value}),
            look="chosen" if value == now else "raised",
            role="label",
        )


def _key_pad(page: Page, view: View, box: Rect) -> None:
    t = page.theme
    typed = str(view.pick("pin") or "")
    content = (typed, box)

    def paint() -> None:
        c = page.c
        x, y, w, h = box
        side = min(w, h * 1.05) if t.kind != "tall" else w
        left = x + (w - side) / 2
        rows = split((left, y, side, h if t.kind != "tall" else h * 0.7), 5, t.gap, down=True)
        page.text(
            say_key("settings/pin"), (rows[0][0], rows[0][1], side * 0.55, rows[0][3]), "prompt", floor=0.4, lines=2
        )
        for i in range(4):
            spot = (left + side * (0.6 + 0.1 * i), rows[0][1] + rows[0][3] / 2 - t.u(11, 8), t.u(22, 16), t.u(22, 16))
            slab(
                page, spot, c.brass if i < len(typed) else c.surface, t.u(11, 8), shadow=False, outline=c.line, width=2
            )
        for r, digits in enumerate(("123", "456", "789", "<0")):
            for digit, cell in zip(digits, split(rows[r + 1], 3, t.gap), strict=False):
                act = Put({"pin": typed[:-1] if digit == "<" else (typed + digit)[-8:]})
                button(
                    page,
                    f"pin-{digit}",
                    cell,
                    None if digit == "<" else digit,
                    act,
                    sign="left" if digit == "<" else "",
                    role="number",
                    key="backspace" if digit == "<" else digit,
                )

    page.piece("pin-pad", box, content, paint)


def draw_pin(page: Page, view: View) -> None:
    """A new PIN: four digits, or none."""
    t = page.theme
    height = band_height(page)
    typed = str(view.pick("pin-new") or "")
    page.piece(
        "band",
        (0, 0, t.width, height),
        "pin",
        lambda: title_bar(page, say_key("settings/pin-new"), back=Both((Put({"pin-new": None}), Go("settings")))),
    )
    box = (t.margin, height + t.u(12, 6), t.width - 2 * t.margin, t.height - height - t.u(24, 12))

    def paint() -> None:
        x, y, w, h = box
        side = min(w, h * 1.05) if t.kind != "tall" else w
        left = x + (w - side) / 2
        rows = split((left, y, side, h if t.kind != "tall" else h * 0.7), 5, t.gap, down=True)
        page.text(typed or "–", (left, rows[0][1], side * 0.4, rows[0][3]), "number", align="center")
        keep = Both((Setting({"pin": typed}), Put({"pin-new": None, "pin": typed}), Go("settings")))
        label = say_key("settings/pin-keep") if typed else say_key("settings/pin-none")
        button(page, "pin-keep", (left + side * 0.42, rows[0][1], side * 0.58, rows[0][3]), label, keep, look="brass")
        for r, digits in enumerate(("123", "456", "789", "<0")):
            for digit, cell in zip(digits, split(rows[r + 1], 3, t.gap), strict=False):
                act = Put({"pin-new": typed[:-1] if digit == "<" else (typed + digit)[-8:]})
                button(
                    page,
                    f"pin-{digit}",
                    cell,
                    None if digit == "<" else digit,
                    act,
                    sign="left" if digit == "<" else "",
                    role="number",
                    key="backspace" if digit == "<" else digit,
                )

    page.piece("pin-pad", box, (typed, box), paint)


def field_of(name: str) -> Field:
    """A setting as a form field, for clients that draw forms."""
    row = next(r for r in ROWS if r[0] == name)
    options = tuple(Option(v, say_key(f"settings/{name}/{str(v).lower()}")) for v in row[2]) if row[1] == "pick" else ()
    return Field(name, say_key(f"settings/{name}"), "pick" if options else "number", options=options)
