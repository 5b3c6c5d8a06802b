"""The curtain: the screen is handed to one player without a phone, shows nothing until touched, and falls by itself."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Ask, Choice
from companion.game import View as GameView
from display.keys import Key, put_key
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.scenes.common import ask_of
from display.scenes.forms import draw_fields, value_of
from display.tables import screen_of
from display.touch import Act, Both, Go, Play, Put, Tell
from display.view import View
from display.widgets import Rect, dots, heading, inset, say_key, slab, split

FORM = "curtain-form"
CLOSE = Both((Go(""), Put({"curtain": None, FORM: None})))


def without_phone(view: View) -> tuple[int, ...]:
    """Seats whose secrets can only be read on this screen."""
    return tuple(seat.seat for seat in view.seats if not seat.phone and not seat.bot)


def handing(view: View) -> tuple[tuple[Choice, ...], dict[str, Act]]:
    """One answer for each player without a phone whose secret word is awaited: the screen is handed to them."""
    ask, alone = ask_of(view), without_phone(view)
    waiting = [seat for seat in ask.waiting if seat in alone] if ask else []
    choices = tuple(
        Choice(f"hand-{seat}", say_key("curtain/hand", name=view.name(seat)), {}, picture={"icon": "phone"})
        for seat in waiting
    )
    return choices, {choice.id: hand_to(seat) for choice, seat in zip(choices, waiting, strict=True)}


def hand_to(seat: int) -> Act:
    """Lower the curtain for this player."""
    return Both((Put({"curtain": seat, FORM: None}), Go("curtain")))


def draw(page: Page, view: View) -> None:
    """Closed: whose turn it is to hold the screen. Open: what only they may see."""
    t = page.theme
    seat = int(view.pick("curtain") or 0)
    own = hand_of(view, seat)
    name = view.name(seat)
    title = say_key("curtain/only", name=name) if own is not None else say_key("curtain/hand", name=name)
    head = heading(page, title, CLOSE)
    body = (t.margin, head + t.u(14, 8), t.width - 2 * t.margin, t.height - head - t.u(30, 16))
    if own is None:
        opening = Tell("hand", {"seat": seat})
        content = (seat, name, view.colour(seat), view.pending == "curtain-open")
        page.piece("curtain", body, content, lambda: _closed(page, view, seat, body, opening))
        return
    _open(page, view, seat, own, body)


def hand_of(view: View, seat: int) -> GameView | None:
    """What the table has told this screen about one seat, while the curtain is open."""
    told = view.told.hand
    if told is None or told.seat != seat:
        return None
    return msgspec.json.decode(told.view, type=screen_of(view.game).view_type)


def _closed(page: Page, view: View, seat: int, box: Rect, opening: Act) -> None:
    t, c = page.theme, page.c
    paint = t.player(view.colour(seat))
    pressed = page.touch("curtain-open", box, opening, key="return")
    slab(page, box, c.press if pressed else c.surface, t.u(20, 14), outline=paint.fill, width=4)
    x, y, w, h = inset(box, t.u(30, 16))
    r = min(t.u(64, 40), h * 0.16)
    page.blit(mark(paint, r, t), x + w / 2, y + h * 0.26)
    if view.pending == "curtain-open":
        dots(page, (x, y + h * 0.46, w, h * 0.2), c.text)
        return
    words = say_key("curtain/touch", name=view.name(seat))
    page.text(words, (x, y + h * 0.46, w, h * 0.24), "prompt", align="center", lines=2, floor=0.45, typed=True)
    low = (x, y + h * 0.72, w, h * 0.2)
    page.text(say_key("curtain/touch-do"), low, "body", c.dim, align="center", lines=2, floor=0.55)


def _open(page: Page, view: View, seat: int, own: GameView, body: Rect) -> None:
    t = page.theme
    ask = own.ask
    foot = max(t.touch, t.u(78, 60))
    cover = (body[0], body[1] + body[3] - foot, body[2], foot)
    rest = (body[0], body[1], body[2], body[3] - foot - t.gap)
    share = 0.3 if ask is not None else 1.0
    if t.kind == "tall":
        side: Rect = (rest[0], rest[1], rest[2], rest[3] * share)
        main: Rect = (rest[0], side[1] + side[3] + t.gap, rest[2], rest[3] - side[3] - t.gap)
    else:
        side = (rest[0], rest[1], rest[2] * share, rest[3])
        main = (side[0] + side[2] + t.gap, rest[1], rest[2] - side[2] - t.gap, rest[3])
    page.part("own", side, own, _own, view, own, side)
    keys = split(cover, 2, t.gap) if ask is not None and ask.form is not None else [cover]
    put_key(page, view, keys[0], Key("curtain-close", say_key("curtain/close"), CLOSE, "ghost"))
    if ask is None:
        return
    if ask.form is not None:
        draw_fields(page, view, ask.form.fields, main, FORM)
        values = {field.id: _plain(value_of(view, field, FORM)) for field in ask.form.fields}
        send = Both((Play({**ask.form.move, "values": values}), Put({FORM: None})))
        put_key(page, view, keys[1], Key("curtain-send", ask.form.send, send, "brass"))
        return
    _question(page, view, seat, ask, main)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _own(page: Page, view: View, own: GameView, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(16, 12))
    screen_of(view.game).secrets(page, own, inset(box, t.u(16, 10), t.u(12, 8)))


def _question(page: Page, view: View, seat: int, ask: Ask, box: Rect) -> None:
    """The secret question, each answer in a row of its own with all it says."""
    t = page.theme
    head = t.size("body") * 2.2
    line = (box[0], box[1], box[2], head)
    page.piece("curtain ask", line, ask.text, lambda: page.text(ask.text, line, "strong", lines=2, floor=0.5))
    rows = (box[0], box[1] + head + t.gap, box[2], box[3] - head - t.gap)
    for choice, cell in zip(ask.choices, split(rows, len(ask.choices), t.gap, down=True), strict=True):
        content = (choice, cell, view.pending == choice.id)
        page.part(f"secret {choice.id}", cell, content, _answer, view, seat, choice, cell)


def _answer(page: Page, view: View, seat: int, choice: Choice, box: Rect) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(f"secret {choice.id}", box, Play(choice.move))
    slab(
        page,
        box,
        c.press if pressed else c.raised,
        t.u(16, 12),
        shine=True,
        outline=c.brass if choice.primary else None,
    )
    if view.pending == f"secret {choice.id}":
        dots(page, box, c.text)
        return
    x, y, w, h = inset(box, t.u(18, 10), t.u(6, 4))
    if choice.primary:
        r = t.u(14, 10)
        page.blit(icon("check", r, c.ok), x + w - r, y + h / 2)
        w -= 3 * r
    share = 0.42 if choice.note is not None else 1.0
    page.text(choice.text, (x, y, w, h * share), "button", floor=0.5)
    if choice.note is not None:
        page.text(choice.note, (x, y + h * share, w, h * (1 - share)), "label", c.dim, lines=2, floor=0.55)
