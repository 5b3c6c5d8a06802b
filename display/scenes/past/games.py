"""Finished games on the screen: the list, each game with its curve and its sources, the players, head to head."""

from __future__ import annotations

import msgspec

from companion.game import Text
from companion.wire.past import PastGame, PastPlayer
from display import clocks
from display.keys import Key, key_row
from display.leaves import leaf_of
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.scenes.chart import draw_series
from display.scenes.past.sources import draw_all_sources, draw_sources
from display.scenes.past.tables import draw_duels, draw_players
from display.touch import Go, Put
from display.view import View
from display.widgets import Rect, day_of, heading, inset, say_key, slab

TABS = ("games", "players", "sources", "duels")


def draw(page: Page, view: View) -> None:
    """One of three leaves, or one game."""
    t = page.theme
    past = view.told.history
    plays = past.games if past is not None else ()
    one = next((play for play in plays if play.id == view.pick("past-open")), None)
    title = say_key("past/game", game=one.title, day=day_of(one.ts)) if one else say_key("past/title")
    height = heading(page, title, Put({"past-open": None}) if one else Go(""))
    foot = max(t.touch, t.u(84, 64))
    body = (t.margin, height + t.u(12, 6), t.width - 2 * t.margin, t.height - height - foot - t.u(44, 22))
    bottom = (t.margin, t.height - t.u(16, 8) - foot, t.width - 2 * t.margin, foot)
    if one is not None:
        _game(page, view, one, body, bottom)
        return
    tab = str(view.pick("past-tab") or TABS[0])
    if past is None or not plays:
        words = say_key("past/none") if past is not None else say_key("box/asking")
        page.piece("past none", body, (words, body), lambda: _none(page, words, body))
        key_row(page, view, bottom, [Key("past-on", say_key("back"), Go(""), "brass", key="return")])
        return
    more: list[Key] = []
    if tab == "players":
        more = draw_players(page, view, past, body)
    elif tab == "duels":
        draw_duels(page, past, body)
    elif tab == "sources":
        draw_all_sources(page, view, past, body)
    else:
        more = _games(page, view, plays, body)
    keys = [
        Key(f"past-{name}", say_key(f"past/tab/{name}"), _to(name), "chosen" if name == tab else "raised")
        for name in TABS
    ]
    key_row(page, view, bottom, [*keys, *more])


def _to(tab: str) -> Put:
    return Put({"past-tab": tab, "past-leaf": None})


def _none(page: Page, words: Text, box: Rect) -> None:
    page.text(words, box, "prompt", page.c.dim, align="center", lines=3, floor=0.4)


def ranked(play: PastGame) -> list[PastPlayer]:
    """Its players, the winner first; where the fewest points won, the next fewest come second."""
    most = max((player.total for player in play.players), default=0)
    fewest = any(player.won and player.total < most for player in play.players)
    return sorted(play.players, key=lambda player: (not player.won, player.total if fewest else -player.total))


# -- the list --------------------------------------------------------------------------------------------------------


def _games(page: Page, view: View, plays: tuple[PastGame, ...], box: Rect) -> list[Key]:
    t = page.theme
    least = max(t.touch, t.u(96, 68))
    rows = max(1, int((box[3] + t.gap) / (least + t.gap)))
    leaf = leaf_of(view, "past-leaf", len(plays), rows)
    each = min(t.u(120, 90), (box[3] - t.gap * (rows - 1)) / rows)
    for i, play in enumerate(leaf.of(plays)):
        cell = (box[0], box[1] + i * (each + t.gap), box[2], each)
        page.part(f"play {i}", cell, repr(play), _row, play, cell)
    return leaf.keys("past-leaf")


def _row(page: Page, play: PastGame, box: Rect) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(f"play {play.id}", box, Put({"past-open": play.id}))
    slab(page, box, c.press if pressed else c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 10), t.u(8, 5))
    name_w = w * (0.24 if t.kind != "tall" else 0.3)
    page.text(play.title, (x, y, name_w, h * 0.56), "strong", floor=0.5)
    minutes = say_key("past/minutes", n=play.minutes)
    page.text(
        f"{page.say(day_of(play.ts))} · {page.say(minutes)}",
        (x, y + h * 0.56, name_w, h * 0.44),
        "small",
        c.dim,
        floor=0.6,
    )
    players = ranked(play)[: 4 if t.kind != "tall" else 3]
    left = x + name_w + t.gap
    each = (x + w - left) / max(1, len(players))
    for i, player in enumerate(players):
        _score(page, player, (left + i * each, y, each - t.u(8, 4), h))


def _score(page: Page, player: PastPlayer, box: Rect) -> None:
    t, c = page.theme, page.c
    x, y, w, h = box
    r = min(t.u(12, 9), h * 0.17)
    page.blit(mark(t.player(player.colour), r, t), x + r, y + h * 0.3)
    left = x + 2 * r + t.u(8, 5)
    page.text(player.name, (left, y, x + w - left, h * 0.58), "label", floor=0.5, typed=True)
    page.text(
        str(player.total).replace("-", "−"), (left, y + h * 0.52, w * 0.4, h * 0.48), "figure",
        c.brass_text if player.won else c.text, floor=0.5,
    )  # fmt: skip
    if player.won:
        page.blit(icon("crown", min(t.u(13, 9), h * 0.2), c.brass_text), left + w * 0.46, y + h * 0.76)


# -- one game --------------------------------------------------------------------------------------------------------


def _times(page: Page, play: PastGame, body: Rect) -> float:
    """How long everybody took, in a line at the foot; the room it takes, none where nobody knows."""
    if len(play.players) != len(play.spent) or not any(play.spent):
        return 0.0
    high = page.theme.size("label") * 1.8
    taken = zip(play.players, play.spent, strict=True)
    line = " · ".join(f"{player.name} {clocks.said(seconds)}" for player, seconds in taken)
    box = (body[0], body[1] + body[3] - high, body[2], high)
    page.piece("times", box, (line, box), lambda: page.text(line, box, "label", page.c.dim, align="center"))
    return high


def _legend(page: Page, play: PastGame, box: Rect) -> None:
    """Who is who, by sign, name and total: colours alone tell nobody who cannot tell them apart."""
    players = ranked(play)

    def paint() -> None:
        each = box[2] / max(1, len(players))
        for i, player in enumerate(players):
            _score(page, player, (box[0] + i * each, box[1], each - page.theme.u(8, 4), box[3]))

    page.piece("legend", box, (repr(players), box), paint)


def _game(page: Page, view: View, play: PastGame, body: Rect, bottom: Rect) -> None:
    """Points per round at the left, where they came from at the right."""
    t = page.theme
    times, high = _times(page, play, body), t.u(84, 58)
    _legend(page, play, (body[0], body[1], body[2], high))
    x, y, w, h = body[0], body[1] + high + t.gap, body[2], body[3] - times - high - t.gap
    series = [list(row) for row in play.chart]
    colours = tuple(player.colour for player in play.players)
    if t.kind == "tall":
        left: Rect = (x, y, w, h * 0.46)
        right: Rect = (x, y + h * 0.46 + t.gap, w, h * 0.54 - t.gap)
    else:
        left = (x, y, w * 0.46, h)
        right = (x + w * 0.46 + t.gap, y, w * 0.54 - t.gap, h)
    draw_series(page, series, colours[: len(series)], left, [player.total for player in play.players])
    # the bars stand in the order of the names above them: nobody has to go by colour
    draw_sources(page, msgspec.structs.replace(play, players=tuple(ranked(play))), right)
    key_row(page, view, bottom, [Key("past-list", say_key("back"), Put({"past-open": None}), "brass", key="return")])
