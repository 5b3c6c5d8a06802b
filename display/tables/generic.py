"""The table any pack gets for free: turn, prompt, scores, forms, what to change on the board."""

from __future__ import annotations

import pygame

from companion.game import Ask, Choice, Player, Text
from companion.panels import Panel, Table
from display import fonts
from display.layout import TablePlan, table_plan
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.panels import draw_panels
from display.scenes.by_player import draw_by_player, players_of
from display.scenes.chart import draw_chart
from display.scenes.choices import draw_choices
from display.scenes.common import ask_of, draw_band, draw_banner
from display.scenes.forms import draw_fields, send_choice
from display.scenes.sheet import draw_sheet
from display.touch import Act, Put
from display.view import View
from display.widgets import Rect, band_height, inset, say_key, slab

STACKED, NAME = 3.2, 0.44
"""Height of a player's place, in sizes of its name, from which name and points may stand above each other; the name's share."""
FORM = "by-hand"
"""What is picked while a form lies over the panels."""


def draw(page: Page, view: View) -> None:
    """Band, what to do in the middle, players at the side, answers below."""
    ask = ask_of(view)
    draw_band(page, view, ask)
    plan = table_plan(page.theme, band_height(page))
    panels = view.state.panels if view.state else ()
    body, side = _columns(page, view, plan, panels)
    if side is not None:
        draw_players(page, view, side)
    form = ask.form if ask else None
    waits = form is not None and form.aside and view.pick("slot") != FORM
    touched: frozenset[str] = frozenset()
    if panels and (form is None or waits):
        touched = draw_panels(page, view, panels, body)
    else:
        draw_middle(page, view, ask, body)
    choices = tuple(choice for choice in ask.choices if choice.id not in touched) if ask else ()
    local: dict[str, Act] = {}
    if form is not None and waits:
        choices, local = (*choices, Choice(FORM, form.send, {})), {FORM: Put({"slot": FORM})}
    elif form is not None:
        choices = (*choices, send_choice(view, form))
    if form is not None and form.aside and not waits:
        choices, local = (*choices, Choice("back", say_key("back"), {})), {"back": Put({"slot": None, "form": None})}
    draw_choices(page, view, plan.choices, choices, local=local)
    draw_banner(page, view, plan.banner, page.motion.now)
    draw_sheet(page, view)


def _columns(page: Page, view: View, plan: TablePlan, panels: tuple[Panel, ...]) -> tuple[Rect, Rect | None]:
    """Where the game goes, and where the players: nowhere when a sheet of the game has a column for each of them."""
    x, y, _, h = plan.left
    whole = plan.right[0] + plan.right[2] - x
    tall = page.theme.kind == "tall"
    everybody = {seat.seat for seat in view.seats}
    sheets = [{column.seat for column in panel.columns} for panel in panels if isinstance(panel, Table)]
    if everybody and any(everybody <= seats for seats in sheets):
        return (x, y, whole, plan.middle[1] + plan.middle[3] - y), None
    if tall:
        return plan.middle, (x, y, whole, h)
    return (x, y, plan.middle[0] + plan.middle[2] - x, h), plan.right


def draw_middle(page: Page, view: View, ask: Ask | None, box: Rect) -> None:
    """A form if there is one; else what changes on the table, and how the points have gone."""
    if ask and ask.form and not (ask.form.aside and view.pick("slot") != FORM):
        if players_of(ask.form):
            draw_by_player(page, view, ask.form, box)
        else:
            draw_fields(page, view, ask.form.fields, box)
        return
    t = page.theme
    notes = tuple(ask.change if ask else ()) + tuple(ask.reminders if ask else ())
    rows = view.common.chart
    if notes:
        share = 0.5 if any(len(row) > 1 for row in rows) else 1.0
        top = (box[0], box[1], box[2], box[3] * share - (t.gap if share < 1 else 0))
        page.part("notes", top, (notes, len(ask.change) if ask else 0), _notes, ask, top)
        box = (box[0], box[1] + box[3] * share, box[2], box[3] * (1 - share))
    if box[3] > t.u(120, 90):
        draw_chart(page, view, rows, box)


def _notes(page: Page, ask: Ask | None, box: Rect) -> None:
    """The physical change expected, one line per component, and what is easily forgotten."""
    t, c = page.theme, page.c
    if ask is None:
        return
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 12), t.u(12, 8))
    lines: list[tuple[str, Text]] = [("right", text) for text in ask.change] + [
        ("book", text) for text in ask.reminders
    ]
    each = min(h / len(lines), t.u(84, 56) * t.zoom)
    for i, (sign, text) in enumerate(lines):
        r = min(t.u(14, 10), each * 0.26)
        page.blit(icon(sign, r, c.brass_text if sign == "right" else c.dim), x + r, y + each * (i + 0.5))
        page.text(
            text, (x + 2 * r + t.u(14, 10), y + each * i, w - 2 * r - t.u(14, 10), each), "body", lines=2, floor=0.5
        )


def draw_players(page: Page, view: View, box: Rect) -> None:
    """Everybody's points; the one in turn stands out."""
    t = page.theme
    known = view.common.players or tuple(Player(seat=s.seat, name=s.name) for s in view.seats)
    n = max(1, len(known))
    ask = ask_of(view)
    turn = ask.seat if ask and ask.seat is not None else view.common.turn
    waiting = ask.waiting if ask else ()
    gap = t.gap if n <= 5 else t.gap / 2
    each = min(t.u(120, 84) * min(1.2, t.zoom), (box[3] - gap * (n - 1)) / n)
    names = [player.name for player in known]
    points_w = _points_width(page, known)
    room = _name_room(page, (box[0], box[1], box[2], each), points_w)
    full = t.size("body") * 1.08
    size = fonts.common(names, t.face("body"), full, (room[2], room[3]), 0.7 / t.zoom)
    stacked = size < 0.8 * full and each >= STACKED * full  # many points leave no room beside them
    if stacked:
        room = _name_room(page, (box[0], box[1], box[2], each * NAME), 0)
        size = fonts.common(names, t.face("body"), full, (room[2], room[3]), 0.5)
    for i, player in enumerate(known):
        seat = player.seat
        cell = (box[0], box[1] + i * (each + gap), box[2], each)
        active = seat == turn or seat in waiting
        points = player.points
        shown = (
            None
            if points is None
            else round(page.motion.toward(f"points {seat}", float(points), 0 if t.reduced_motion else 600))
        )
        content = (player.name, shown, active, view.colour(seat), cell, size, points_w, stacked)
        page.part(
            f"player {seat}",
            cell,
            content,
            _player,
            view,
            seat,
            player.name,
            shown,
            active,
            cell,
            (size, points_w, stacked),
        )


def _points_width(page: Page, players: tuple[Player, ...]) -> float:
    """What the widest points need; names have the rest."""
    t = page.theme
    figures = [str(p.points) for p in players if p.points is not None]
    widest = max((fonts.width(text, t.face("points"), round(t.size("points"))) for text in figures), default=0)
    return min(widest + 4, t.u(140, 88) * t.zoom) if figures else 0


def _name_room(page: Page, box: Rect, points: float) -> Rect:
    """Where a name stands between sign and points."""
    t = page.theme
    x, y, w, h = inset(box, t.u(14, 9), 0)
    left = x + 2 * min(t.u(15, 11), h * 0.24) + t.u(14, 9)
    return left, y, x + w - points - left - t.u(6, 4), h


def _player(
    page: Page,
    view: View,
    seat: int,
    name: str,
    points: int | None,
    active: bool,
    box: Rect,
    sizes: tuple[float, float, bool],
) -> None:
    t, c = page.theme, page.c
    paint = t.player(view.colour(seat))
    slab(
        page,
        box,
        c.raised if active else c.surface,
        t.u(14, 10),
        outline=(paint.edge if t.light else paint.fill) if active else None,
        width=3,
    )
    x, y, w, h = inset(box, t.u(14, 9), 0)
    size, room, stacked = sizes
    high = h * NAME if stacked else h
    r = min(t.u(15, 11), high * 0.24)
    named = _name_room(page, (box[0], y + (h * 0.05 if stacked else 0), box[2], high), 0 if stacked else room)
    page.blit(mark(paint, r, t), x + r + 2, named[1] + named[3] / 2)
    page.text(name, named, "body", size=size, floor=0.4, lines=1 if stacked else 2, typed=True)
    if points is not None:
        place = (x, y + h * 0.42, w, h * 0.54) if stacked else (x + w - room, y, room, h)
        page.text(str(points).replace("-", "−"), place, "points", align="right", floor=0.4)


def rule(page: Page, x: float, y: float, w: float, *, brass: bool = False) -> None:
    """A thin line between rows."""
    colour = page.c.brass if brass else page.c.line
    pygame.draw.line(page.surface, colour, (round(x), round(y)), (round(x + w), round(y)), 3 if brass else 1)
