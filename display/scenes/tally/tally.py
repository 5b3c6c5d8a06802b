"""The end: every point of every player, line by line, with its reason; who won and why."""

from __future__ import annotations

import pygame

from companion.game import Tally, TallyLine
from display.box_names import name_of
from display.keys import Key, put_key
from display.motion import settle
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.scenes.chart import draw_chart
from display.scenes.qr import draw_qr_card
from display.scenes.tally.table import Row, draw_table, focus_of, rows_of
from display.touch import Go, Put, Tell
from display.view import View
from display.widgets import Rect, band, band_height, button, inset, say_key, slab

LINE_MS = 450
CROWN_MS = 400


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
    table, chart, link = _areas(page, body, charted=any(view.common.chart))
    draw_table(page, view, tally, rows, shown, table)
    if chart is not None:
        totals = {player.seat: player.total for player in tally.players} if done else {}
        draw_chart(page, view, view.common.chart, chart, [totals[seat] for seat in sorted(totals)])
    if link is not None:
        _link(page, view.state.play_link if view.state else "", link)
    _foot(page, view, tally, rows, foot)
    if view.pick("sheet") == "link" and view.state:
        draw_qr_card(page, view.state.play_link, say_key("tally/bgstats-long"), Put({"sheet": None}))


def _areas(page: Page, body: Rect, *, charted: bool) -> tuple[Rect, Rect | None, Rect | None]:
    """Table, chart and link; a game that kept no curve is promised none."""
    t = page.theme
    x, y, w, h = body
    if t.kind == "wide" and t.zoom < 1.3:
        side, low, gap = t.u(380), t.u(168), t.u(16)
        chart = (x + w - side, y, side, h - low - gap) if charted else None
        return (x, y, w - side - 2 * gap, h), chart, (x + w - side, y + h - low if charted else y, side, low)
    if t.kind == "tall" and charted:
        return (x, y, w, h * 0.66), (x, y + h * 0.66 + t.u(16), w, h * 0.34 - t.u(16)), None
    return body, None, None


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


def _link(page: Page, link: str, box: Rect) -> None:
    t, c = page.theme, page.c

    def paint() -> None:
        from display.scenes.qr import qr

        pressed = page.touch("bgstats", box, Put({"sheet": "link"}))
        slab(page, box, c.press if pressed else c.surface, t.u(14, 10))
        side = min(box[3] - t.u(28), t.u(140))
        # too small to scan on purpose: a touch opens the large one
        picture = pygame.transform.smoothscale(qr(link, side), (round(side), round(side)))
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

    page.piece("link", (box[0], box[1], box[2], box[3] + 4), (link, box), paint)


def _foot(page: Page, view: View, tally: Tally, rows: list[Row], box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    keys = max(t.touch, t.u(68, 56))
    right = w * 0.42
    reason: Rect = (x, y, w - right - t.u(16, 8), h)
    if t.kind == "tall":
        each = (h - t.gap) / 2
        reason, right, y, h = (x, y, w, each), w, y + each + t.gap, each
    focus = focus_of(view, rows)
    content = (tally, focus, view.state.hints if view.state else ())
    page.part("reason", reason, content, _reason, view, tally, rows, focus, reason, keys)
    undo = (x + w - right, y, right * 0.42, h)
    following = (undo[0] + undo[2] + t.gap, y, right * 0.58 - t.gap, h)
    wrong = Put({"correcting": True, "sheet": None})
    put_key(page, view, undo, Key("correct", say_key("tally/correct"), wrong, look="ghost", key="backspace"))
    put_key(
        page,
        view,
        following,
        Key(
            "next-game",
            say_key("tally/next"),
            Tell("end game"),
            look="brass",
            note=say_key("tally/same-players"),
            key="return",
        ),
    )


def hinted(page: Page, view: View) -> str:
    """The small print: who was given how many hints, where the table counts them."""
    given = [(seat, n) for seat, n in enumerate(view.state.hints if view.state else ()) if n]
    who = ", ".join(f"{view.name(seat)} {n}" for seat, n in given)
    return page.say("display/tally/hints", who=who) if given else ""


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
        doubts = any(cell is not None and cell.unconfirmed for row in rows for cell in row.cells)
        words = say_key("tally/touch-doubts" if doubts else "tally/touch")
        given = hinted(page, view)
        page.text(words, (x, y, w, h * (0.6 if given else 1)), "label", c.dim, lines=2 if given else 3, floor=0.6)
        if given:
            page.text(given, (x, y + h * 0.6, w, h * 0.4), "small", c.dim, floor=0.6)
        return
    line, player = (
        rows[row].cells[column] if column < len(tally.players) else None,
        tally.players[min(column, len(tally.players) - 1)],
    )
    r = t.u(13, 9)
    page.blit(mark(t.player(view.colour(player.seat)), r, t), x + r, y + h / 2)
    left = x + 2 * r + t.u(16, 8)
    head = page.say("display/tally/line", what=page.say(rows[row].text), n=line.points if line else 0)
    why = (
        page.say(line.reason)
        if line and line.reason
        else page.say("display/tally/no-points" if not line or not line.points else "display/tally/counted")
    )
    doubt = _doubt(page, view, line)
    upper, lower = (left, y, x + w - left, h * 0.5), (left, y + h * 0.5, x + w - left, h * 0.5)
    page.text(f"{head} · {why}" if doubt else head, upper, "strong", floor=0.5, lines=2)
    page.text(doubt or why, lower, "label", c.warn if doubt else c.dim, floor=0.5, lines=2)


def _doubt(page: Page, view: View, line: TallyLine | None) -> str:
    """That a line rests on printed values nobody has checked: one by name and how many more there are, because a whole list is
    too small to read."""
    if line is None or not line.unconfirmed:
        return ""
    first, more = page.say(name_of(page, view.game, line.unconfirmed[0])), len(line.unconfirmed) - 1
    return page.say("display/tally/unconfirmed", what=f"{first} (+{more})" if more else first)
