"""An on-screen keyboard for names and short lists: letters of the screen's language, a touch away those of the others and digits.

A real keyboard types here too."""

from __future__ import annotations

from typing import Any

from companion.game import Field, Text
from display.drafts import Bounds, Typing
from display.page import Page
from display.touch import Act, Both, Put
from display.view import View
from display.widgets import button, inset, say_key, slab, split

NAME_LETTERS, TEXT_LETTERS = 24, 200
"""Letters of a name, and of anything else."""
_ROWS = {
    "en": ("qwertyuiop", "asdfghjkl", "zxcvbnm-'"),
    "pl": ("qwertyuiop", "asdfghjklł", "zxcvbnm-'", "ąćęńóśźż"),
    "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn-'", "éèêëàâçîïôû"),
}
_LAYERS = {
    "more": ("ąćęłńóśźż", "éèêëàâçîïôù", "ûœæäöüßñåø"),
    "123": ("1234567890", ",.:&+/()", "!?#%*=@_"),
}
"""What the letters give way to; a touch on the same key brings them back."""


def _with(typing: Typing, letter: str) -> Put:
    """One letter more; the first one takes the place of a name that was only proposed."""
    before = "" if typing.get("fresh") else typing["text"]
    most = NAME_LETTERS if typing["where"] == "seat" else TEXT_LETTERS
    return Put({"keys": {**typing, "text": (before + letter)[:most], "fresh": False}})


def number_pad(where: str, field: Field) -> Put:
    """Touching a number: its digits are typed, within what it may be."""
    limits: Bounds = {"low": field.low or 0, "high": 9999 if field.high is None else field.high}
    return Put({"keys": {"where": where, "id": field.id, "text": "", "number": limits}})


def typing_now(view: View) -> Typing | None:
    """What is being typed; `None` when nothing is."""
    typing: Typing | None = view.pick("keys")
    return typing


def typed(view: View, letter: str) -> Put | None:
    """What a key of a real keyboard does; `None` when nothing is being typed or the key is not a letter."""
    typing = typing_now(view)
    if typing is None or len(letter) != 1 or not letter.isprintable():
        return None
    if limits := typing.get("number"):
        return _digit(typing, limits, letter) if letter in "0123456789-" else None
    return _with(typing, letter)


def _digit(typing: Typing, limits: Bounds, digit: str) -> Put:
    """One digit more; the sign is turned wherever it is touched."""
    text = typing["text"]
    if digit == "-":
        text = text.removeprefix("-") if text.startswith("-") or limits["low"] >= 0 else f"-{text}"
    else:
        text = (text + digit)[:6]
    return Put({"keys": {**typing, "text": text}})


def draw_keyboard(page: Page, view: View) -> None:
    """The keyboard, while a text is being typed: `keys` holds where it goes and what stands there."""
    typing = typing_now(view)
    if typing is None:
        return
    t = page.theme
    page.piece(
        "keys",
        (0, 0, t.width, t.height),
        (repr(typing), repr(view.pick(typing["where"])), repr(view.pick("setup")), view.lobby.people),
        lambda: _paint(page, view, typing),
        modal=True,
        layer=2,
    )


def _done(view: View, typing: Typing) -> Act:
    """Where the text goes when it is typed."""
    text = typing["text"].strip()
    if typing["where"] == "seat":
        from display.scenes.setup import draft, offers

        wanted = draft(view, offers(view))
        seats, index = list(wanted["seats"]), int(typing["id"])
        if index < len(seats) and text:
            language = typing.get("language") or seats[index]["language"]
            seats[index] = {**seats[index], "name": text, "language": language}
        return Put({"setup": {**wanted, "seats": seats}, "keys": None})
    where = typing["where"]
    value: str | int | list[str] = text
    if "among" in typing:
        value = [*typing["among"], *([text] if text and text not in typing["among"] else [])]
    elif limits := typing.get("number"):
        if not text.strip("-"):
            return Put({"keys": None})
        value = min(max(int(text), limits["low"]), limits["high"])
    return Both((Put({where: {**(view.pick(where) or {}), typing["id"]: value}}), Put({"keys": None})))


def _paint(page: Page, view: View, typing: Typing) -> None:
    t, c = page.theme, page.c
    page.surface.fill(c.bg, (0, 0, t.width, t.height))
    text, limits = typing["text"], typing.get("number")
    top = max(t.touch * 1.1, t.height * 0.17)
    m = t.margin
    slab(page, (m, m, t.width - 2 * m, top - m), c.surface, t.u(16, 12), outline=c.brass, width=2)
    page.text(
        text.replace("-", "−") if limits else text or "…",
        inset((m, m, t.width - 2 * m, top - m), t.u(20, 12), 2),
        "name",
        c.text if text and not typing.get("fresh") else c.faint,
        floor=0.4,
        typed=True,
    )
    if limits:
        _pad(page, view, typing, limits, top)
        return
    rows: tuple[str, ...] = _LAYERS.get(typing.get("layer") or "", _ROWS.get(t.language, _ROWS["en"]))
    if t.kind == "tall":
        letters = "".join(rows)  # upright panels are narrow: fewer keys in a row, more rows
        rows = tuple(letters[i : i + 7] for i in range(0, len(letters), 7))
    gap = t.u(8, 5)
    top += _known_people(page, view, typing, top, gap)
    area = t.height - top - m - gap
    each = min((area - gap * len(rows)) / (len(rows) + 1), t.u(120) if t.kind == "tall" else 9999)
    upper = not text or bool(typing.get("fresh")) or text[-1:] in " -"
    y = top + gap
    for row in rows:
        width = min((t.width - 2 * m - gap * (len(row) - 1)) / len(row), t.u(118, 76))
        left = (t.width - width * len(row) - gap * (len(row) - 1)) / 2
        for i, letter in enumerate(row):
            shown = letter.upper() if upper and letter != "ß" else letter
            cell = (left + i * (width + gap), y, width, each)
            button(page, f"key-{letter}", cell, shown, _with(typing, shown), lines=1)
        y += each + gap
    _last_row(page, view, typing, text, y, each)


def _known_people(page: Page, view: View, typing: Typing, top: float, gap: float) -> float:
    """People who have played here and whose name begins so, a touch each; returns the height they take."""
    if typing["where"] != "seat":
        return 0.0
    from display.scenes.setup import draft, offers

    t, wanted = page.theme, draft(view, offers(view))
    begun = "" if typing.get("fresh") else typing["text"].casefold()
    here = {seat["name"].casefold() for i, seat in enumerate(wanted["seats"]) if str(i) != typing["id"]}
    known = [
        one
        for one in view.lobby.people
        if one.name.casefold() not in here and one.name.casefold().startswith(begun) and one.name != typing["text"]
    ][: 3 if t.kind == "tall" else 5]
    if not known:
        return 0.0
    high = max(t.touch * 0.9, t.u(60, 44))
    box = (t.margin, top + gap, t.width - 2 * t.margin, high)
    for one, cell in zip(known, split(box, len(known), gap), strict=True):
        act = _done(view, {**typing, "text": one.name, "language": one.language})
        button(page, f"known {one.name}", cell, one.name, act, look="ghost", role="label", lines=1)
    return float(high + gap)


def _pad(page: Page, view: View, typing: Typing, limits: Bounds, top: float) -> None:
    """Digits as on a telephone, the sign where there may be one."""
    t = page.theme
    gap, text = t.u(10, 6), typing["text"]
    w = min(t.width - 2 * t.margin, (t.height - top) * 1.5)
    box = ((t.width - w) / 2, top + gap, w, t.height - top - gap - t.margin)
    sign = "-" if limits["low"] < 0 else ""
    rows = split(box, 5, gap, down=True)
    for row, digits in zip(rows, (*("123", "456", "789"), (sign, "0", "")), strict=False):
        for digit, cell in zip(digits, split(row, 3, gap), strict=True):
            if digit:
                button(page, f"key-{digit}", cell, digit.replace("-", "−"), _digit(typing, limits, digit), lines=1)
    erase = Put({"keys": {**typing, "text": text[:-1]}})
    button(page, "key-delete", split(rows[3], 3, gap)[2], say_key("keys/delete"), erase, key="backspace", role="label")
    cancel, done = split(rows[4], 2, gap)
    button(page, "key-cancel", cancel, say_key("keys/cancel"), Put({"keys": None}), look="ghost", key="escape")
    button(page, "key-done", done, say_key("setup/done"), _done(view, typing), look="brass", key="return")


def _last_row(page: Page, view: View, typing: Typing, text: str, y: float, each: float) -> None:
    t = page.theme
    m, gap = t.margin, t.u(8, 5)
    w = t.width - 2 * m
    shares = (0.17, 0.12, 0.12, 0.2, 0.16, 0.23)
    x = float(m)
    acts: tuple[tuple[str, Text | str, Act, dict[str, Any]], ...] = (
        ("key-cancel", say_key("keys/cancel"), Put({"keys": None}), {"look": "ghost", "key": "escape"}),
        ("key-more", "áł", _layer(typing, "more"), {"role": "label"}),
        ("key-123", "12,", _layer(typing, "123"), {"role": "label"}),
        ("key-space", say_key("keys/space"), _with(typing, " "), {"role": "label"}),
        (
            "key-delete",
            say_key("keys/delete"),
            Put({"keys": {**typing, "text": text[:-1], "fresh": False}}),
            {"repeats": True, "key": "backspace", "role": "label"},
        ),
        ("key-done", say_key("setup/done"), _done(view, typing), {"look": "brass", "key": "return"}),
    )
    for (name, what, act, look), share in zip(acts, shares, strict=True):
        button(page, name, (x, y, w * share - gap, each), what, act, **look)
        x += w * share


def _layer(typing: Typing, name: str) -> Put:
    return Put({"keys": {**typing, "layer": None if typing.get("layer") == name else name}})
