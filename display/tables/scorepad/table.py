"""The score pad: a column per player, keys to add, one brass button to write it down."""

from __future__ import annotations

from companion.game import Choice, Field, Text
from companion.shown.scorepad import PadPlayer, PadView
from display import fonts
from display.layout import table_plan
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.panels import draw_panels
from display.scenes.choices import draw_choices
from display.scenes.common import ask_of, draw_banner
from display.scenes.forms import send_choice, stepped, value_of
from display.scenes.keyboard import draw_keyboard, number_pad
from display.scenes.sheet import draw_sheet
from display.status import worst
from display.touch import Go, Put
from display.view import View
from display.widgets import Rect, band_height, button, chip, inset, say_key, slab, split, status_chip

MOST_BESIDE = 3
"""Players up to whom the sheet of the rounds has room beside their columns."""


def draw(page: Page, view: View) -> None:
    """The pad."""
    t = page.theme
    ask = ask_of(view)
    height = round(band_height(page) * 0.84)
    form = ask.form if ask else None
    table = view.shown(PadView)
    trouble = worst(view)
    picks = [f for f in (form.fields if form else ()) if f.kind == "pick"]
    picked = tuple(str(value_of(view, f)) for f in picks)
    page.piece(
        "band",
        (0, 0, t.width, height),
        (table.round, table.rounds, table.title, table.players, trouble, picked, repr(view.pick("form"))),
        lambda: _top(page, view, height, picks),
    )
    plan = table_plan(t, height)
    top = height + t.u(14, 10)
    body: Rect = (t.margin, top, t.width - 2 * t.margin, plan.choices[1] - top - t.u(16, 10))
    panels = view.state.panels if view.state else ()
    if panels and t.kind == "wide" and len(view.seats) <= MOST_BESIDE:
        x, y, w, h = body
        body = (x, y, w * 0.64 - t.gap, h)
        draw_panels(page, view, panels, (x + w * 0.64, y, w * 0.36, h))
    _columns(page, view, body, [f for f in (form.fields if form else ()) if f.kind == "number"])
    choices: tuple[Choice, ...] = ()
    if ask:
        history = Choice("history", say_key("history"), {}, picture={"icon": "book"})
        choices = (history, *ask.choices)
        if form:
            choices = (*choices, send_choice(view, form))
    draw_choices(page, view, plan.choices, choices, local={"history": Go("history")})
    draw_banner(page, view, plan.banner, page.motion.now)
    draw_sheet(page, view)
    draw_keyboard(page, view)


def _top(page: Page, view: View, height: int, picks: list[Field]) -> None:
    t, c = page.theme, page.c
    table = view.shown(PadView)
    rounds, number, name = table.rounds, table.round, table.title
    title: Text | str = name or say_key("pad/title")
    if rounds:
        title = say_key("pad/round-of", round=number, rounds=rounds)
        title = f"{name}: {page.say(title)}" if name else title
    side = max(t.touch, round(height * 0.7))
    right = float(t.width - side)
    page.touch("menu", (right, 0, side, height - 2), Go("menu"), key="escape", grow=0)
    page.blit(icon("dots", t.u(17, 13), c.dim), right + side / 2, height / 2)
    if worst(view).level == "bad":
        w = t.width * 0.2
        status_chip(page, view, (right - w, height * 0.28, w, height * 0.44))
        right -= w + t.gap
    for field in picks[:1]:
        values = [option.value for option in field.options]
        now = value_of(view, field)
        at = values.index(now) if now in values else 0
        w = t.width * 0.3
        after = {**(view.pick("form") or {}), field.id: values[(at + 1) % len(values)]}
        label = page.say(field.text) + ": " + page.say(field.options[at].text)
        button(
            page,
            "category",
            (right - w, height * 0.07, w, height * 0.82),
            label,
            Put({"form": after}),
            sign="right",
            role="label",
        )
        right -= w + t.gap
    ask = ask_of(view)
    reached = any(table.target and player.points >= table.target for player in table.players)
    left = t.margin + t.u(6, 8)
    title_w = fonts.width(page.say(title), "serif", round(t.size("prompt"))) + 2
    page.text(
        title, (left, 0, min(right - left - t.gap, max(title_w, t.width * 0.3)), height), "prompt", lines=2, floor=0.5
    )
    help_left = left + title_w + t.gap * 2
    if right - help_left > t.width * 0.3:
        page.text(
            ask.text if reached and ask is not None else say_key("pad/help"),
            (help_left, 0, right - help_left - t.gap, height),
            "label",
            c.brass_text if reached else c.dim,
            align="right",
            lines=2,
        )
    page.surface.fill(c.line, (0, height - 2, t.width, 2))


def _columns(page: Page, view: View, box: Rect, fields: list[Field]) -> None:
    t = page.theme
    players = view.shown(PadView).players
    n = max(1, len(players))
    rows = 1
    least = max(t.u(142, 92), t.touch * 1.3)
    while n / rows * least > box[2] and rows < n:
        rows += 1
    per = -(-n // rows)
    cells = [cell for row in split(box, rows, t.gap, down=True) for cell in split(row, per, t.gap)]
    by_seat = {field.seat: field for field in fields}
    leader = max((p.points for p in players), default=0)
    size = _name_size(page, [p.name for p in players], cells[0])
    for player, cell in zip(players, cells, strict=False):
        seat = player.seat
        field = by_seat.get(seat)
        added = int(value_of(view, field)) if field else 0
        shown = round(page.motion.toward(f"points {seat}", float(player.points), 0 if t.reduced_motion else 600))
        content = (
            player.name,
            shown,
            added,
            view.colour(seat),
            cell,
            field,
            repr(view.pick("form")),
            leader == player.points,
            size,
        )
        page.part(f"player {seat}", cell, content, _column, view, player, cell, field, shown, added, size)


def _head(page: Page, box: Rect) -> tuple[float, float, Rect]:
    """A column's head: how high it is, the radius of the player's sign, and where the name goes."""
    t = page.theme
    x, y, w, h = box
    head = min(t.u(68, 50) * min(1.2, t.zoom), h * 0.2)
    r, edge = head * 0.24, min(t.u(18, 10), w * 0.07)
    left = x + edge + 2 * r + min(t.u(10, 7), w * 0.05)
    return head, r, (left, y, x + w - left - min(t.u(8, 5), w * 0.04), head)


def _name_size(page: Page, names: list[str], box: Rect) -> float:
    """Names side by side are of one size."""
    t = page.theme
    room = _head(page, box)[2]
    return fonts.common(names, t.face("name"), t.size("name") * 0.78, (room[2], room[3]), 0.62 / t.zoom)


def _column(
    page: Page,
    view: View,
    player: PadPlayer,
    box: Rect,
    field: Field | None,
    points: int,
    added: int,
    size: float,
) -> None:
    t, c = page.theme, page.c
    paint = t.player(view.colour(player.seat))
    x, y, w, h = box
    entered = (paint.edge if t.light else paint.fill) if added else None
    slab(page, box, c.surface, t.u(14, 10), outline=entered, width=t.u(3, 2))
    head, r, room = _head(page, box)
    slab(page, (x, y, w, head), paint.fill, t.u(14, 10), shadow=False)
    page.surface.fill(paint.fill, (round(x), round(y + head * 0.6), round(w), round(head * 0.4)))
    page.blit(mark(paint, r, t, ink=True), x + min(t.u(18, 10), w * 0.07) + r, y + head / 2)
    page.text(player.name, room, "name", c.ink, size=size, floor=0.4, lines=2, typed=True)
    keys_h = _keys(page, view, field, box)
    middle = h - head - keys_h
    chip_h = min(t.u(40, 30), middle * 0.28)
    if field is not None:
        page.touch(f"{field.id}#", (x, y + head, w, middle), number_pad("form", field), grow=0)
    page.text(
        str(points).replace("-", "−"),
        (x + t.u(8, 4), y + head + middle * 0.02, w - 2 * t.u(8, 4), middle - chip_h - t.u(8, 4)),
        "hero",
        align="center",
        floor=0.35,
    )
    spot = (x + w * 0.18, y + head + middle - chip_h - t.u(4, 2), w * 0.64, chip_h)
    if added:
        narrow = inset(spot, max(0, (spot[2] - t.u(110, 64)) / 2), 0)
        chip(page, narrow, f"{added:+d}".replace("-", "−"), look="brass")
    else:
        page.text(say_key("pad/not-yet"), spot, "label", c.faint, align="center", floor=0.5)


def _keys(page: Page, view: View, field: Field | None, box: Rect) -> float:
    """The keys at the foot of a column; returns the height they take."""
    t = page.theme
    if field is None:
        return 0
    x, y, w, h = box
    pad, gap = t.u(12, 9), t.u(10, 8)
    narrow = (w - 2 * pad - gap) / 2 < t.touch - gap
    steps = (-1, 1, 5) if narrow else (-1, 1, 5, 10)
    per = 1 if narrow else 2
    rows = -(-len(steps) // per)
    key_h = min(max(t.touch - gap + 2, t.u(84, 66)), (h * 0.62) / rows - gap)
    total = rows * (key_h + gap) + pad - gap
    cells = [
        (
            x + pad + (i % per) * ((w - 2 * pad - gap * (per - 1)) / per + gap),
            y + h - total + (i // per) * (key_h + gap),
            (w - 2 * pad - gap * (per - 1)) / per,
            key_h,
        )
        for i in range(len(steps))
    ]
    for step, cell in zip(steps, cells, strict=True):
        act = stepped(view, "form", field, step)
        sign = {-1: "minus", 1: "plus"}.get(step, "")
        what: Text | str | None = None if sign else f"+{step}"
        button(page, f"{field.id}{step:+d}", cell, what, act, sign=sign, repeats=True)
    return total
