"""The end: every point of every player, line by line, with its reason; who won and why."""

from __future__ import annotations

import msgspec
import pygame

from companion.game import PlayerTally, Tally, TallyLine, Text
from display.box_names import name_of
from display.motion import settle
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.playlink import play_link
from display.scenes.chart import draw_chart
from display.scenes.generic import rule
from display.scenes.qr import draw_qr_card
from display.scenes.tally_signs import put_sign
from display.theme import mix
from display.touch import Go, Put, TakeBack, Tell
from display.view import View
from display.widgets import Rect, band, band_height, button, inset, say_key, slab

LINE_MS = 450
CROWN_MS = 400


class Row(msgspec.Struct, frozen=True):
    """One source of points, everybody's cell beside each other."""

    id: str
    text: Text
    cells: tuple[TallyLine | None, ...]


def rows_of(tally: Tally) -> list[Row]:
    """All lines, in the order they first appear."""
    order: dict[str, Text] = {}
    for player in tally.players:
        for line in player.lines:
            order.setdefault(line.id, line.text)
    found = []
    for key, text in order.items():
        cells = tuple(next((line for line in p.lines if line.id == key), None) for p in tally.players)
        found.append(Row(key, text, cells))
    return found


def draw(page: Page, view: View) -> None:
    """Band with the winner, table at the left, chart and link at the right, reason and keys below."""
    tally = view.state.tally if view.state else None
    if tally is None or not tally.players:
        return
    t = page.theme
    rows = rows_of(tally)
    told = page.motion.fresh(
        "tally",
        view.state.game_id if view.state else "",
        0 if t.reduced_motion else LINE_MS * (len(rows) + 2),
        first=True,
    )
    shown = len(rows) if told >= 1 else int(told * (len(rows) + 2))
    height = band_height(page)
    done = told >= 1
    fallen = page.motion.fresh("crown", done, 0 if t.reduced_motion else CROWN_MS)
    page.piece(
        "band",
        (0, 0, t.width, height),
        (tally.winners, tally.tie_break, done, view.seats, round(fallen, 2)),
        lambda: _band(page, view, tally, done, fallen),
    )
    foot_h = max(t.touch, t.u(80, 64) * (1 + 0.2 * (t.zoom - 1)))
    if t.kind == "tall":
        foot_h = 2 * foot_h + t.gap
    foot = (t.margin, t.height - t.u(18, 8) - foot_h, t.width - 2 * t.margin, foot_h)
    top = height + t.u(16, 10)
    body = (t.margin, top, t.width - 2 * t.margin, foot[1] - top - t.u(14, 10))
    table, side = _areas(page, body)
    _table(page, view, tally, rows, shown, table)
    if side[2] > 0:
        chart_h = side[3] - t.u(184, 0) if t.kind == "wide" else side[3]
        chart = view.table.get("chart")
        draw_chart(
            page,
            view,
            [r for r in chart if isinstance(r, list)] if isinstance(chart, list) else [],
            (side[0], side[1], side[2], chart_h),
        )
        if t.kind == "wide":
            _link(page, view, tally, (side[0], side[1] + chart_h + t.u(16), side[2], side[3] - chart_h - t.u(16)))
    _foot(page, view, tally, rows, foot)
    if view.pick("sheet") == "link":
        draw_qr_card(page, play_link(view, tally), say_key("tally/bgstats-long"), Put({"sheet": None}))


def _areas(page: Page, body: Rect) -> tuple[Rect, Rect]:
    t = page.theme
    x, y, w, h = body
    if t.kind == "wide" and t.zoom < 1.3:
        side = t.u(380)
        return (x, y, w - side - t.u(32), h), (x + w - side, y, side, h)
    if t.kind == "tall":
        return (x, y, w, h * 0.66), (x, y + h * 0.66 + t.u(16), w, h * 0.34 - t.u(16))
    return body, (0, 0, 0, 0)


def _band(page: Page, view: View, tally: Tally, done: bool, fallen: float) -> None:
    t = page.theme
    height = band_height(page)
    side = max(t.touch, round(height * 0.7))
    page.touch("menu", (t.width - side, 0, side, height - 2), Go("menu"), key="escape", grow=0)
    page.blit(icon("dots", t.u(17, 13), page.c.dim), t.width - side / 2, height / 2)
    if not done:
        band(
            page,
            view,
            None,
            say_key("tally/counting"),
            say_key("tally/skip"),
            name=page.say("display/tally/the-end"),
            right=(t.width - side, 0, 0, 0),
        )
        return
    crown_x = t.width - side - t.u(44, 26)
    # it drops in, a little too far, and comes to rest
    page.blit(icon("crown", t.u(28, 18), page.c.brass_hi), crown_x, height / 2 - height * (1 - settle(fallen)))
    names = page.words.listed([view.name(s) if s < len(view.seats) else tally.players[s].name for s in tally.winners])
    one = tally.winners[0] if len(tally.winners) == 1 else None
    title = say_key("tally/wins") if one is not None else say_key("tally/win-together")
    help = tally.tie_break or say_key("tally/with", n=max(p.total for p in tally.players if p.seat in tally.winners))
    band(page, view, one, title, help, name=names, right=(crown_x - t.u(40, 24), 0, 0, 0), wiped=fallen)


def _table(page: Page, view: View, tally: Tally, rows: list[Row], shown: int, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    players = tally.players
    label = min(w * 0.46, max(w * 0.3, w - len(players) * t.u(112, 96)))
    each = (w - label - t.u(16, 8)) / len(players)
    head, total = h * 0.15, h * 0.14
    room = h - head - total
    fit = max(1, int(room / (t.u(42, 30) * min(1.3, t.zoom))))
    focus = _focus(view, rows)
    start = max(0, min(focus[0] - fit + 1 if focus else 0, len(rows) - fit))
    visible = rows[start : start + fit]
    row_h = min(room / max(1, len(visible)), t.u(76, 54))
    content = (tally, shown, focus, start, box, view.seats)

    def paint() -> None:
        c = page.c
        slab(page, box, c.surface, t.u(14, 10))
        for i, player in enumerate(players):
            cx = x + label + each * i
            if player.seat in tally.winners and shown >= len(rows):
                tint = mix(c.surface, t.player(view.colour(player.seat)).fill, 0.25)
                slab(
                    page,
                    (cx + t.u(3, 2), y + t.u(5, 3), each - t.u(6, 4), h - t.u(10, 6)),
                    tint,
                    t.u(12, 9),
                    shadow=False,
                )
            _head(page, view, player, (cx, y, each, head))
        for k, row in enumerate(visible):
            _row(
                page,
                view,
                tally,
                row,
                (x, y + head + k * row_h, label, row_h),
                each,
                start + k,
                focus,
                hidden=start + k >= shown,
            )
        rule(page, x + t.u(16, 8), y + h - total, w - t.u(32, 16), brass=True)
        page.text(
            say_key("tally/total"), (x + t.u(24, 12), y + h - total, label - t.u(80, 50), total), "figure", floor=0.5
        )
        below = len(rows) - start - len(visible)
        if below > 0:
            page.blit(icon("down", t.u(11, 8), c.warn), x + label - t.u(54, 34), y + h - total / 2)
            room = (x + label - t.u(40, 24), y + h - total, t.u(34, 22), total)
            page.text(str(below), room, "strong", c.warn, floor=0.5)
        for i, player in enumerate(players):
            so_far = player.total if shown >= len(rows) else sum(line.points for line in player.lines[:shown])
            won = player.seat in tally.winners and shown >= len(rows) and not t.light
            ink = t.player(view.colour(player.seat)).fill if won else c.text
            page.text(
                _number(so_far),
                (x + label + each * i, y + h - total, each, total),
                "points",
                ink,
                align="center",
                floor=0.4,
                size=t.size("points") * 0.9,
            )

    page.piece("table", (x, y, w, h + 4), content, paint)


def _number(value: int) -> str:
    return str(value).replace("-", "−")


def _head(page: Page, view: View, player: PlayerTally, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    r = min(t.u(12, 9), h * 0.18)
    page.blit(mark(t.player(view.colour(player.seat)), r, t), x + w / 2, y + h * 0.3)
    page.text(
        player.name,
        (x + t.u(4, 2), y + h * 0.48, w - t.u(8, 4), h * 0.46),
        "label",
        align="center",
        floor=0.5,
        lines=1,
        typed=True,
        size=t.size("body"),
    )


def _focus(view: View, rows: list[Row]) -> tuple[int, int] | None:
    cell = view.pick("cell")
    if isinstance(cell, (list, tuple)) and len(cell) == 2 and rows:
        return min(int(cell[0]), len(rows) - 1), int(cell[1])
    return None


def _row(
    page: Page,
    view: View,
    tally: Tally,
    row: Row,
    label: Rect,
    each: float,
    index: int,
    focus: tuple[int, int] | None,
    *,
    hidden: bool,
) -> None:
    t, c = page.theme, page.c
    x, y, w, h = label
    rule(page, x + t.u(16, 8), y, w + each * len(row.cells) - t.u(20, 10))
    r = min(t.u(14, 10), h * 0.3)
    put_sign(page, row.id, x + t.u(38, 18), y + h / 2, r)
    left = x + t.u(70, 36)
    doubtful = any(cell is not None and cell.unconfirmed for cell in row.cells)
    page.text(row.text, (left, y, x + w - left - t.u(16, 8), h), "body", floor=0.5, lines=2)
    if doubtful:
        pygame.draw.circle(page.surface, c.warn, (round(x + t.u(14, 6)), round(y + h / 2)), t.u(5, 4))
    for i, cell in enumerate(row.cells):
        box = (x + w + each * i, y, each, h)
        page.touch(f"cell {index} {i}", box, Put({"cell": (index, i)}), small=True, grow=0)
        if focus == (index, i):
            fill = c.surface
            if tally.players[i].seat in tally.winners and not hidden:
                fill = mix(c.surface, t.player(view.colour(tally.players[i].seat)).fill, 0.25)
            slab(page, inset(box, each * 0.1, 2), fill, t.u(12, 8), shadow=False, outline=c.text, width=3)
        if hidden:
            continue
        words, ink = (
            ("–", c.faint)
            if cell is None or (cell.points == 0 and cell.reason is None)
            else (_number(cell.points), c.text)
        )
        page.text(words, box, "strong", ink, align="center", size=t.size("body") * 1.12, floor=0.6)


def _link(page: Page, view: View, tally: Tally, box: Rect) -> None:
    t, c = page.theme, page.c

    def paint() -> None:
        from display.scenes.qr import qr

        pressed = page.touch("bgstats", box, Put({"sheet": "link"}))
        slab(page, box, c.press if pressed else c.surface, t.u(14, 10))
        side = min(box[3] - t.u(28), t.u(140))
        # too small to scan on purpose: a touch opens the large one
        picture = pygame.transform.smoothscale(qr(play_link(view, tally), side), (round(side), round(side)))
        page.surface.blit(picture, (round(box[0] + t.u(14)), round(box[1] + (box[3] - picture.get_height()) / 2)))
        left = box[0] + t.u(14) + side + t.u(20)
        page.text(
            say_key("tally/bgstats"),
            (left, box[1], box[0] + box[2] - left - t.u(12), box[3]),
            "label",
            c.dim,
            lines=4,
            floor=0.6,
        )

    page.piece("link", (box[0], box[1], box[2], box[3] + 4), (tally, box), paint)


def _foot(page: Page, view: View, tally: Tally, rows: list[Row], box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    keys = max(t.touch, t.u(68, 56))
    right = w * 0.42
    reason: Rect = (x, y, w - right - t.u(16, 8), h)
    if t.kind == "tall":
        each = (h - t.gap) / 2
        reason, right, y, h = (x, y, w, each), w, y + each + t.gap, each
    focus = _focus(view, rows)
    page.piece(
        "reason",
        (reason[0], reason[1], reason[2], reason[3] + 4),
        (tally, focus),
        lambda: _reason(page, view, tally, rows, focus, reason, keys),
    )
    undo = (x + w - right, y, right * 0.42, h)
    following = (undo[0] + undo[2] + t.gap, y, right * 0.58 - t.gap, h)
    can = view.state.undo if view.state else None
    page.piece(
        "correct",
        (undo[0] - 2, y - 2, undo[2] + 4, h + 8),
        (can, undo),
        lambda: (
            button(page, "correct", undo, say_key("tally/correct"), TakeBack(), look="ghost", key="backspace")
            if can
            else None
        ),
    )
    page.piece(
        "next",
        (following[0] - 2, y - 2, following[2] + 4, h + 8),
        following,
        lambda: button(
            page,
            "next-game",
            following,
            say_key("tally/next"),
            Tell("end game"),
            look="brass",
            note=say_key("tally/same-players"),
            key="return",
        ),
    )


def _reason(
    page: Page, view: View, tally: Tally, rows: list[Row], focus: tuple[int, int] | None, box: Rect, keys: float
) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.raised, t.u(14, 10))
    x, y, w, h = inset(box, t.u(18, 10), t.u(6, 4))
    w -= 2 * (keys + t.u(8, 5))
    row, column = focus or (-1, 0)
    for k, (name, sign_name, step) in enumerate((("up", "up", -1), ("down", "down", 1))):
        to = max(0, min(len(rows) - 1, row + step))
        cell = (x + w + t.u(8, 5) + k * (keys + t.u(8, 5)), y, keys, h)
        button(page, f"tally-{name}", cell, None, Put({"cell": (to, column)}), sign=sign_name, repeats=True, key=name)
    if focus is None:
        page.text(say_key("tally/touch"), (x, y, w, h), "label", c.dim, lines=3, floor=0.6)
        return
    line, player = (
        rows[row].cells[column] if column < len(tally.players) else None,
        tally.players[min(column, len(tally.players) - 1)],
    )
    r = t.u(13, 9)
    page.blit(mark(t.player(view.colour(player.seat)), r, t), x + r, y + h / 2)
    left = x + 2 * r + t.u(16, 8)
    head = page.say("display/tally/line", what=page.say(rows[row].text), n=line.points if line else 0)
    page.text(head, (left, y, x + w - left, h * 0.5), "strong", floor=0.5, lines=2)
    why = (
        page.say(line.reason)
        if line and line.reason
        else page.say("display/tally/no-points" if not line or not line.points else "display/tally/counted")
    )
    if line and line.unconfirmed:
        why = page.say(
            "display/tally/unconfirmed", what=", ".join(page.say(name_of(page, view.game, k)) for k in line.unconfirmed)
        )
    page.text(
        why,
        (left, y + h * 0.5, x + w - left, h * 0.5),
        "label",
        c.warn if line and line.unconfirmed else c.dim,
        floor=0.5,
        lines=2,
    )
