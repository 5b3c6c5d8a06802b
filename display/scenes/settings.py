"""Settings behind a PIN: language, sound, light, text size, palette, lock, shut down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from display.keys import Key, key_row
from display.leaves import Leaf, leaf_of
from display.page import Page
from display.scenes.forms import row_height
from display.touch import Act, Both, Go, Order, Put, Setting, Tell
from display.view import View
from display.widgets import Rect, band_height, button, heading, inset, say_key, slab, split

ROWS: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("language", "pick", ("en", "pl", "fr")),
    ("text_size", "pick", (100, 115, 130, 150)),
    ("theme", "pick", ("dark", "light")),
    ("palette", "pick", ("standard", "strong")),
    ("brightness", "step", (10, 100, 10)),
    ("volume", "step", (0, 100, 10)),
    ("speech", "pick", ("off", "short", "usual", "full")),
    ("say_prompts", "pick", (False, True)),
    ("say_events", "pick", (False, True)),
    ("say_refusals", "pick", (False, True)),
    ("browse", "pick", (False, True)),
    ("reduced_motion", "pick", (False, True)),
    ("hints", "pick", (False, True)),
    ("count_hints", "pick", (False, True)),
    ("mdns", "pick", (False, True)),
    ("clocks", "pick", (False, True)),
    ("nudge", "pick", (0, 1, 3, 5)),
    ("lock", "pick", (False, True)),
)
PIN_KEYS = ("123", "456", "789", "<0")


def draw(page: Page, view: View) -> None:
    """The key pad first when there is a PIN; then the rows."""
    t = page.theme
    height = heading(page, say_key("menu/settings"), Both((Put({"pin": None}), Go(""))))
    pin = str(view.settings.get("pin", ""))
    if pin and view.pick("pin") != pin:
        typed, wait = str(view.pick("pin") or ""), int(view.pick("pin-wait", 0))
        _key_pad(page, "pin", typed, lambda row: _dots(page, typed, wait, row), wait)
        return
    foot = max(t.touch, t.u(84, 64))
    body = (t.margin, height + t.u(10, 6), t.width - 2 * t.margin, t.height - height - foot - t.u(40, 20))
    columns = 1 if t.kind == "tall" else 2
    each = row_height(page)
    rows = max(1, int((body[3] + t.gap) / (each + t.gap)))
    leaf = leaf_of(view, "settings-leaf", len(ROWS), rows * columns)
    cells = [c for row in split(body, rows, t.gap, down=True) for c in split(row, columns, t.gap)]
    for (name, _, _), cell in zip(leaf.of(ROWS), cells, strict=False):
        content = (view.settings.get(name), bool(view.settings.get("pin")))
        page.part(f"set {name}", cell, content, draw_setting, view, name, cell)
    _foot(page, view, (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot), leaf)


def _foot(page: Page, view: View, box: Rect, leaf: Leaf) -> None:
    sure = bool(view.pick("sure-off"))
    off: Act = Tell("shut down") if sure else Put({"sure-off": True})
    pin = say_key("settings/pin-change") if view.settings.get("pin") else say_key("settings/pin-set")
    keys = [
        Key("settings-off", say_key("settings/off-sure") if sure else say_key("settings/off"), off, "ghost", "power"),
        *leaf.keys("settings-leaf", "raised"),
        Key("settings-first", say_key("settings/first-steps"), Both((Put({"welcome-step": None}), Go("welcome")))),
        Key("settings-pin", pin, Go("pin"), sign="lock"),
        Key("settings-on", say_key("menu/on"), Both((Put({"pin": None}), Go(""))), "brass"),
    ]
    key_row(page, view, box, keys)


def draw_setting(page: Page, view: View, name: str, box: Rect) -> None:
    """One setting: its name, and its steps or its choices."""
    t, c = page.theme, page.c
    kind, values = next((kind, values) for row, kind, values in ROWS if row == name)
    now = view.settings.get(name)
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(16, 10), t.u(4, 3))
    page.text(say_key(f"settings/{name}"), (x, y, w * 0.32, h), "body", lines=2, floor=0.45)
    control = (x + w * 0.34, y, w * 0.66 + t.u(8, 5), h)
    if kind == "step":
        _steps(page, name, int(now or 0), values, control)
        return
    for value, cell in zip(values, split(control, len(values), t.u(6, 4)), strict=True):
        label = say_key(f"settings/{name}/{str(value).lower()}")
        if isinstance(value, int) and not isinstance(value, bool) and value:
            label = say_key("settings/nudge/n" if name == "nudge" else "percent", n=value)
        look = "chosen" if value == now else "raised"
        act: Act = Setting({name: value})
        if name == "lock" and value and not view.settings.get("pin"):
            act = Both((act, Go("pin")))  # a lock without a PIN locks nothing
        if name == "browse":
            act = Both((act, Order("firmware_bridge", "restart")))  # the dial means something else from now on
        button(page, f"{name}={value}", cell, label, act, look=look, role="label")


def _steps(page: Page, name: str, now: int, values: tuple[Any, ...], box: Rect) -> None:
    low, high, step = values
    x, y, w, h = box
    key = max(page.theme.touch, min(h * 1.1, w / 4))
    less, more = Setting({name: max(low, now - step)}), Setting({name: min(high, now + step)})
    button(page, f"{name}-", (x, y, key, h), None, less, sign="minus", repeats=True)
    page.text(str(now), (x + key, y, w - 2 * key, h), "figure", align="center", floor=0.5)
    button(page, f"{name}+", (x + w - key, y, key, h), None, more, sign="plus", repeats=True)


# -- the PIN ---------------------------------------------------------------------------------------------------------


def _key_pad(page: Page, where: str, typed: str, head: Callable[[Rect], None], wait: int = 0) -> None:
    """Digits in the middle of the screen, under what `head` draws; while there are seconds to `wait` none can be touched."""
    t = page.theme
    height = band_height(page)
    box = (t.margin, height + t.u(12, 6), t.width - 2 * t.margin, t.height - height - t.u(24, 12))

    def paint() -> None:
        x, y, w, h = box
        side = min(w, h * 1.05) if t.kind != "tall" else w
        left = x + (w - side) / 2
        rows = split((left, y, side, h if t.kind != "tall" else h * 0.7), 5, t.gap, down=True)
        head(rows[0])
        for row, digits in zip(rows[1:], PIN_KEYS, strict=True):
            for digit, cell in zip(digits, split(row, 3, t.gap), strict=False):
                back = digit == "<"
                act = Put({where: typed[:-1] if back else (typed + digit)[-8:]}) if not wait else None
                key, sign = ("backspace", "left") if back else (digit, "")
                look = "ghost" if wait else "raised"
                what = None if back else digit
                button(page, f"pin-{digit}", cell, what, act, look=look, sign=sign, role="number", key=key)

    page.piece("pin-pad", box, (typed, wait, box), paint)


def _dots(page: Page, typed: str, wait: int, row: Rect) -> None:
    """How many digits were typed, not which; or how long to wait after too many wrong ones."""
    t, c = page.theme, page.c
    x, y, w, h = row
    if wait:
        page.text(say_key("settings/pin-wait", left=wait), row, "prompt", floor=0.4, lines=2)
        return
    page.text(say_key("settings/pin"), (x, y, w * 0.55, h), "prompt", floor=0.4, lines=2)
    for i in range(4):
        spot = (x + w * (0.6 + 0.1 * i), y + h / 2 - t.u(11, 8), t.u(22, 16), t.u(22, 16))
        slab(page, spot, c.brass if i < len(typed) else c.surface, t.u(11, 8), shadow=False, outline=c.line, width=2)


def draw_pin(page: Page, view: View) -> None:
    """A new PIN: four digits, or none."""
    typed = str(view.pick("pin-new") or "")
    heading(page, say_key("settings/pin-new"), Both((Put({"pin-new": None}), Go("settings"))))

    def head(row: Rect) -> None:
        x, y, w, h = row
        page.text(typed or "–", (x, y, w * 0.4, h), "number", align="center")
        keep = Both((Setting({"pin": typed}), Put({"pin-new": None, "pin": typed}), Go("settings")))
        label = say_key("settings/pin-keep") if typed else say_key("settings/pin-none")
        button(page, "pin-keep", (x + w * 0.42, y, w * 0.58, h), label, keep, look="brass")

    _key_pad(page, "pin-new", typed, head)
