"""Finished games on the screen: the list, each game with its curve and its sources, the players, head to head."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Text
from display.keys import Key, key_row
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


def told(view: View) -> dict[str, Any] | None:
    """What the core said of the past; `None` before it has."""
    found = view.told.get("history")
    return found if isinstance(found, dict) and isinstance(found.get("plays"), list) else None


def draw(page: Page, view: View) -> None:
    """One of three leaves, or one game."""
    t = page.theme
    past = told(view)
    plays = [p for p in (past or {}).get("plays", []) if isinstance(p, dict)]
    one = next((p for p in plays if p.get("id") == view.pick("past-open")), None)
    title = say_key("past/game", game=title_of(one), day=day(one)) if one else say_key("past/title")
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
    known = past.get("statistics") or {}
    leaves = 1
    if tab == "players":
        leaves = draw_players(page, view, known, plays, body)
    elif tab == "duels":
        draw_duels(page, known, body)
    elif tab == "sources":
        draw_all_sources(page, view, known, plays, body)
    else:
        leaves = _games(page, view, plays, body)
    keys = [
        Key(f"past-{name}", say_key(f"past/tab/{name}"), _to(name), "chosen" if name == tab else "raised")
        for name in TABS
    ]
    if leaves > 1:
        leaf = int(view.pick("past-leaf", 0) or 0) % leaves
        more = say_key("leaf", leaf=leaf + 1, leaves=leaves)
        keys.append(Key("past-leaf", more, Put({"past-leaf": leaf + 1}), "ghost", "down"))
    key_row(page, view, bottom, keys)


def _to(tab: str) -> Put:
    return Put({"past-tab": tab, "past-leaf": None})


def _none(page: Page, words: Text, box: Rect) -> None:
    page.text(words, box, "prompt", page.c.dim, align="center", lines=3, floor=0.4)


def title_of(play: dict[str, Any] | None) -> Text:
    """The game's name."""
    try:
        return msgspec.convert((play or {}).get("title"), Text)
    except msgspec.ValidationError:
        return Text(f"{(play or {}).get('game', '')}/title")


def day(play: dict[str, Any] | None) -> Text:
    """When it ended."""
    return day_of(float((play or {}).get("ts", 0)))


def ranked(play: dict[str, Any]) -> list[dict[str, Any]]:
    """Its players, the winner first; where the fewest points won, the next fewest come second."""
    players = [p for p in play.get("players") or [] if isinstance(p, dict)]
    totals = [int(p.get("total", 0)) for p in players]
    fewest = any(p.get("won") and total < max(totals) for p, total in zip(players, totals, strict=True))
    return sorted(players, key=lambda p: (not p.get("won"), int(p.get("total", 0)) * (1 if fewest else -1)))


# -- the list --------------------------------------------------------------------------------------------------------


def _games(page: Page, view: View, plays: list[dict[str, Any]], box: Rect) -> int:
    t = page.theme
    least = max(t.touch, t.u(96, 68))
    rows = max(1, int((box[3] + t.gap) / (least + t.gap)))
    leaves = -(-len(plays) // rows)
    leaf = int(view.pick("past-leaf", 0) or 0) % leaves
    each = min(t.u(120, 90), (box[3] - t.gap * (rows - 1)) / rows)
    for i, play in enumerate(plays[leaf * rows : (leaf + 1) * rows]):
        cell = (box[0], box[1] + i * (each + t.gap), box[2], each)
        page.piece(
            f"play {i}",
            (cell[0] - 2, cell[1] - 2, cell[2] + 4, cell[3] + 7),
            (repr(play), cell),
            lambda play=play, cell=cell: _row(page, play, cell),  # type: ignore[misc]
        )
    return leaves


def _row(page: Page, play: dict[str, Any], box: Rect) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(f"play {play.get('id')}", box, Put({"past-open": play.get("id")}))
    slab(page, box, c.press if pressed else c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 10), t.u(8, 5))
    name_w = w * (0.24 if t.kind != "tall" else 0.3)
    page.text(title_of(play), (x, y, name_w, h * 0.56), "strong", floor=0.5)
    minutes = say_key("past/minutes", n=int(play.get("minutes", 0)))
    page.text(
        f"{page.say(day(play))} · {page.say(minutes)}", (x, y + h * 0.56, name_w, h * 0.44), "small", c.dim, floor=0.6
    )
    players = ranked(play)[: 4 if t.kind != "tall" else 3]
    left = x + name_w + t.gap
    each = (x + w - left) / max(1, len(players))
    for i, player in enumerate(players):
        _score(page, player, (left + i * each, y, each - t.u(8, 4), h))


def _score(page: Page, player: dict[str, Any], box: Rect) -> None:
    t, c = page.theme, page.c
    x, y, w, h = box
    r = min(t.u(12, 9), h * 0.17)
    won = bool(player.get("won"))
    page.blit(mark(t.player(str(player.get("colour"))), r, t), x + r, y + h * 0.3)
    left = x + 2 * r + t.u(8, 5)
    page.text(str(player.get("name")), (left, y, x + w - left, h * 0.58), "label", floor=0.5, typed=True)
    page.text(
        str(player.get("total")).replace("-", "−"), (left, y + h * 0.52, w * 0.4, h * 0.48), "figure",
        c.brass_text if won else c.text, floor=0.5,
    )  # fmt: skip
    if won:
        page.blit(icon("crown", min(t.u(13, 9), h * 0.2), c.brass_text), left + w * 0.46, y + h * 0.76)


# -- one game --------------------------------------------------------------------------------------------------------


def _game(page: Page, view: View, play: dict[str, Any], body: Rect, bottom: Rect) -> None:
    """Points per round at the left, where they came from at the right."""
    t = page.theme
    x, y, w, h = body
    names = tuple((str(p.get("name")), str(p.get("colour"))) for p in play.get("players") or [])
    series = [[int(v) for v in row if isinstance(v, (int, float))] for row in play.get("chart") or []]
    if t.kind == "tall":
        left: Rect = (x, y, w, h * 0.46)
        right: Rect = (x, y + h * 0.46 + t.gap, w, h * 0.54 - t.gap)
    else:
        left = (x, y, w * 0.46, h)
        right = (x + w * 0.46 + t.gap, y, w * 0.54 - t.gap, h)
    draw_series(page, series, tuple(colour for _, colour in names)[: len(series)], left)
    draw_sources(page, play, right)
    key_row(page, view, bottom, [Key("past-list", say_key("back"), Put({"past-open": None}), "brass", key="return")])
