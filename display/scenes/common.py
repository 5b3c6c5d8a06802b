"""What all table scenes share: the band with its menu, phase chips, banners."""

from __future__ import annotations

import pygame

from companion.game import Ask, Text
from companion.wire.rules import rules
from display import clocks, fonts
from display.page import Page
from display.paint.icons import icon
from display.status import worst
from display.theme import mix
from display.touch import Both, Go, Play, Put, TakeBack, Tell
from display.view import Banner, View
from display.widgets import Rect, band, band_height, button, chip, inset, say_key, slab, split, status_chip

WAITED = 60.0
"""Seconds without anything new before the player's block breathes once."""
BREATH_MS = 2400
WARNED = ("bad", "warn", "away")
"""Banners with a warning sign."""


def ask_of(view: View) -> Ask | None:
    """What the table must do now."""
    return view.prompt.ask if view.prompt else None


def draw_band(page: Page, view: View, ask: Ask | None, chips: tuple[tuple[Text, bool], ...] = ()) -> None:
    """The top band: whose turn, what to do, one chip or the phases, and the menu."""
    t = page.theme
    height = band_height(page)
    trouble = worst(view)
    seat = ask.seat if ask else None
    title = ask.text if ask else say_key("waiting")
    content = (
        ask.text if ask else None,
        ask.help if ask else None,
        seat,
        view.colour(seat),
        view.name(seat),
        chips,
        trouble,
        _clock(view),
    )
    fresh = page.motion.fresh("band-seat", (view.game, seat), 0 if t.reduced_motion else 260)
    waited = 0.0 if t.reduced_motion or seat is None else page.motion.breath("band", content, WAITED, BREATH_MS)

    def paint() -> None:
        side = max(t.touch, round(height * 0.7))
        dots_x = t.width - side
        page.touch("menu", (dots_x, 0, side, height - 2), Go("menu"), key="escape", grow=0)
        page.blit(icon("dots", t.u(17, 13), page.c.dim), dots_x + side / 2, height / 2)
        end = _chips(page, view, chips, trouble.level, (dots_x, height))
        band(page, view, seat, title, ask.help if ask else None, right=(end, 0, 0, 0), wiped=fresh, breath=waited)

    page.piece("band", (0, 0, t.width, height), (content, round(fresh, 2), round(waited * 12)), paint)


def _clock(view: View) -> str:
    """What who decides has taken, where somebody wants to see it; a stopped clock stands between bars."""
    if not clocks.shown(view):
        return ""
    stopped = view.state is not None and view.state.clock is not None and view.state.clock.stopped
    taken = clocks.said(clocks.seconds(view, clocks.deciding(view)))
    return f"‖ {taken} ‖" if stopped else taken


def _chips(page: Page, view: View, chips: tuple[tuple[Text, bool], ...], level: str, corner: tuple[int, int]) -> float:
    """Phase chips where there is room, else nothing; trouble takes their place. Returns where the sentence must end."""
    t = page.theme
    right, height = corner
    h = t.u(38, 30) * min(1.2, t.zoom)
    y = (height - h) / 2
    if clock := _clock(view):
        w = fonts.width("00:00", "bold", round(t.size("chip"))) + h * 0.9
        right = round(right - w)
        page.touch("clock", (right, 0, w, height - 2), Go("clocks"), grow=0)
        chip(page, (right, y, w, h), clock, look="line")
        right -= round(t.u(8, 6))
    if level != "ok":
        words = page.forms(worst(view).short)[-1]
        w = min(t.width * 0.24, fonts.width(words, "bold", round(t.size("chip"))) + h * 1.4)
        status_chip(page, view, (right - w, y, w, h))
        return right - w
    if not chips or t.kind != "wide" or t.zoom > 1.15:
        return right
    x = float(right)
    for text, now in reversed(chips):
        words = page.say(text)
        w = fonts.width(words, "bold", round(t.size("chip"))) + h * 0.9
        x -= w
        chip(page, (x, y, w, h), words, look="brass" if now else "line")
        x -= t.u(8, 6)
    return x


def _notice(page: Page, view: View) -> tuple[Banner | None, Put]:
    """What differs on the table stays said, with what to do, until it is right or put away by a touch."""
    hidden = list(view.pick("hidden") or ())
    for notice in view.state.notices if view.state else ():
        asked = notice.id if notice.seat is not None else ""
        if (asked or notice.kind in ("warn", "bad")) and notice.id not in hidden:
            do = page.say(notice.do) if notice.do and not asked else ""  # yes and no say what to do
            said = Banner(page.say(notice.text), do, notice.kind, seconds=0.0, wish=asked)
            return said, Put({"hidden": [*hidden, notice.id]})
    return None, Put({})


def _taken(page: Page, view: View) -> tuple[Banner | None, Put]:
    """How the last move was taken, where another looks the same: quietly, until the next one or a touch."""
    hidden = list(view.pick("hidden") or ())
    undo = view.state.undo if view.state else None
    other = undo.otherwise if undo else None
    if other is None or not other.answers or other.id in hidden:
        return None, Put({})
    return Banner(page.say(other.text), seconds=0.0, other=other.answers[0]), Put({"hidden": [*hidden, other.id]})


def draw_banner(page: Page, view: View, box: Rect, now: float, *asides: Rect) -> None:
    """What just happened with its undo, or what went wrong: in the first place aside where it can be read, else under the band.

    It covers neither question nor answers; aside it leaves the cards free that are touched for an answer.
    """
    banner, put_away = view.banner, Put({"banner": None})
    if banner is None or banner.undo:  # undo stands below in any case
        told, away = _taken(page, view)
        banner, put_away = (told, away) if told is not None else (banner, put_away)
    if banner is None:
        banner, put_away = _notice(page, view)
    if banner is None:
        return
    box = next((aside for aside in asides if _readable(page, banner, aside)), box)
    t = page.theme
    left = 1.0 if not banner.seconds else max(0.0, 1 - (now - banner.since) / banner.seconds)
    steps = round(left * 60)
    rise = page.motion.fresh("banner", banner.since, 180, first=True)

    def paint() -> None:
        _put_banner(page, view, banner, box, put_away)
        if banner.seconds:
            edge, low, thick = t.u(14, 10), t.u(5, 4), t.u(3, 2)
            line = (box[0] + edge, box[1] + box[3] - low, (box[2] - 2 * edge) * steps / 60, thick)
            page.surface.fill(mix(page.c.brass, page.c.raised, 0.2), line)

    page.piece(
        "banner",
        (box[0], box[1], box[2], box[3] + 4),
        (banner, steps, round(rise, 2), view.game, repr(put_away)),
        paint,
        cover=True,
    )


def _rooms(page: Page, banner: Banner, box: Rect) -> tuple[Rect, Rect, Rect | None]:
    """Where its words go, where what to do goes, and its button if it has one."""
    t = page.theme
    x, y, w, h = inset(box, t.u(18, 12), t.u(6, 4))
    narrow = _narrow(page, box)
    if banner.kind in WARNED:
        room = t.u(40, 26) if narrow else min(h * 0.75, t.u(58, 42))
        x, w = x + room, w - room
    spot: Rect | None = None
    if narrow and (banner.box or banner.wish or banner.other):  # a button with words stands under what is said
        row = max(t.touch, h * 0.48 if banner.other else t.u(56, 44))
        spot = (box[0] + t.u(8, 6), box[1] + box[3] - row - t.u(8, 6), box[2] - 2 * t.u(8, 6), row)
        h = spot[1] - y
    elif banner.wish or banner.other:
        bw = min(w * 0.42, t.u(310, 222)) if banner.wish else w * 0.55
        spot = (x + w - bw, box[1] + t.u(5, 4), bw + t.u(10, 6), box[3] - 2 * t.u(5, 4))
        w -= bw + t.u(12, 8)
    elif banner.undo or banner.box:
        bw = max(t.touch, t.u(84, 66)) if narrow else min(w * 0.42, t.u(230, 190))
        spot = (x + w - bw, box[1] + t.u(5, 4), bw + t.u(10, 6), box[3] - 2 * t.u(5, 4))
        w -= bw + t.u(12, 8)
    if banner.do:
        said = h * (0.6 if narrow else 0.5)
        return (x, y, w, said), (x, y + said, w, h - said), spot
    return (x, y, w, h), (x, y, 0, 0), spot


def _lines(page: Page, banner: Banner, box: Rect) -> int:
    """Lines its words may take: aside they are short."""
    return 4 if not banner.do else 3 if _narrow(page, box) else 2


def _narrow(page: Page, box: Rect) -> bool:
    """Aside there is room for the sign of undo only."""
    return box[2] < page.theme.u(560, 420)


def _readable(page: Page, banner: Banner, box: Rect) -> bool:
    """All of it can be read here at nearly its usual size."""
    t = page.theme
    text, do, spot = _rooms(page, banner, box)
    said = [(banner.said, text, "strong", _lines(page, banner, box)), (banner.do, do, "label", 2)]
    if banner.other and spot is not None:
        said.append((page.say(banner.other.text), inset(spot, t.u(12, 8), t.u(6, 4)), "label", 3))
    return all(
        fonts.fit((fonts.clean(words),), t.face(role), t.size(role), (round(room[2]), round(room[3])), lines, 0.75)[2]
        for words, room, role, lines in said
        if words
    )


def _explained(view: View, put_away: Put) -> Put:
    """A refusal that a rule stands behind is explained when it is touched; any other banner goes away."""
    code = (
        view.refusal.code if view.refusal is not None and view.banner is not None and view.banner.kind == "bad" else ""
    )
    return Put({"sheet": f"refused {code}", "banner": None}) if code and rules(view.game).refused(code) else put_away


def _put_banner(page: Page, view: View, banner: Banner, box: Rect, put_away: Put) -> None:
    t, c = page.theme, page.c
    edge = {"bad": c.bad, "warn": c.warn, "away": c.warn}.get(banner.kind, c.line)
    slab(page, box, c.raised, t.u(14, 10), outline=edge, width=2)
    # a scaled sprite lets a hundredth through: enough to read what lies below, which is meant to be covered
    pygame.draw.rect(page.surface, c.raised, inset(box, 3), border_radius=round(t.u(14, 10)) - 3)
    page.touch("banner", box, _explained(view, put_away), small=True, grow=0)
    text, do, spot = _rooms(page, banner, box)
    if banner.kind in WARNED:
        r = t.u(15, 10) if _narrow(page, box) else min((box[3] - 2 * t.u(6, 4)) * 0.28, t.u(22, 16))
        page.blit(icon("warn", r, edge), box[0] + t.u(14, 9) + r, text[1] + (text[3] + do[3]) / 2)
    if spot is not None and banner.wish:
        for said, cell in zip(("yes", "no"), split(spot, 2, t.gap), strict=True):
            answer = Play({"kind": "@wish", "wish": banner.wish, "yes": said == "yes"})
            button(page, f"wish-{said}", cell, Text(f"wish/{said}"), answer, look="ghost", role="button")
    elif spot is not None and banner.other:
        says = Play(banner.other.move or {})
        button(page, "otherwise", spot, banner.other.text, says, look="ghost", role="label", lines=3)
    elif spot is not None and banner.box:
        look_up = Tell("box list", {"game": view.game})
        act = Both((look_up, Put({"sheet": f"box {banner.box}", "banner": None})))
        button(page, "banner-box", spot, say_key("our-copy"), act, look="ghost", role="label")
    elif spot is not None:
        words = None if _narrow(page, box) else say_key("undo")
        back = Both((TakeBack(), Put({"banner": None})))
        button(page, "banner-undo", spot, words, back, look="ghost", sign="undo", role="button")
    page.text(banner.said, text, "strong", lines=_lines(page, banner, box), floor=0.5)
    if banner.do:
        page.text(banner.do, do, "label", c.dim, lines=2, floor=0.55)
