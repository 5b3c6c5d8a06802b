"""Corrections: any value in two taps. Each is a move like any other, so it can be taken back."""

from __future__ import annotations

from typing import Any

from companion.game import Text
from display.page import Page
from display.paint.chronometer import put_chronometer
from display.paint.die import die
from display.paint.tokens import coin, star
from display.touch import Both, Order, Play, Put
from display.view import View
from display.widgets import Rect, button, say_key, split

MOST = 999


def correction(what: str, seat: int | None, **values: Any) -> Play:
    """Set one value as the table really is."""
    return Play(seat, {"kind": "correct", "what": what, "seat": seat, **values})


def draw_means(page: Page, player: dict[str, Any], box: Rect) -> None:
    """Points and coins of a player with their keys."""
    seat = int(player.get("seat", 0))
    rows = split(box, 2, page.theme.gap, down=True)
    for what, row in zip(("points", "coins"), rows, strict=True):
        now = int(player.get(what, 0))
        _counter(page, what, seat, now, row)


def _counter(page: Page, what: str, seat: int, now: int, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    key = max(t.touch, min(h * 1.1, w * 0.28))
    button(
        page,
        f"{what}-",
        (x, y, key, h),
        None,
        correction(what, seat, value=max(0, now - 1)),
        sign="minus",
        repeats=True,
    )
    button(
        page,
        f"{what}+",
        (x + w - key, y, key, h),
        None,
        correction(what, seat, value=min(MOST, now + 1)),
        sign="plus",
        repeats=True,
    )
    middle = x + w / 2
    r = min(t.u(15, 11), h * 0.22)
    page.blit(star(r, page.c.brass_hi) if what == "points" else coin(r), middle - t.u(34, 24), y + h / 2)
    room = (middle - t.u(12, 8), y, w / 2 - key - t.u(4, 2), h)
    page.text(str(now), room, "figure", floor=0.5)


def draw_dice(page: Page, view: View, place: dict[str, Any], box: Rect) -> None:
    """The golems on a card: turn one to its real face, or take it off."""
    t = page.theme
    dice = place.get("dice") or []
    if not dice:
        page.text(say_key("skytopia/no-golem"), box, "body", page.c.dim, lines=2, floor=0.6)
        return
    slot = str(place.get("slot"))
    for found, cell in zip(dice[:4], split(box, max(2, min(4, len(dice))), t.gap), strict=False):
        owner, face = int(found.get("owner", 0)), int(found.get("face", 1))
        x, y, w, h = cell
        side = min(w * 0.42, h * 0.4)
        page.blit(die(t.player(view.colour(owner)), face, side, t), x + w / 2, y + side * 0.62)
        keys = split((x, y + side * 1.3, w, h - side * 1.3), 2, t.gap / 2)
        name = f"die {owner} {face}"
        turned = correction("die", owner, slot=slot, was=face, face=face % 6 + 1)
        off = correction("die", owner, slot=slot, was=face, face=None)
        button(page, f"{name} turn", keys[0], None, turned, sign="plus")
        button(page, f"{name} off", keys[1], None, off, sign="cross", look="ghost")


def draw_dial(page: Page, view: View, box: Rect) -> None:
    """After power-on the dial is compared with the screen and confirmed."""
    t = page.theme
    dial = view.table.get("dial") or {}
    x, y, w, h = box
    r = min(h / 2.2, w * 0.22)
    put_chronometer(
        page.surface, x + r * 1.05, y + h / 2, r, t, tuple(dial.get("faces", ())), tuple(dial.get("prices", ()))
    )
    left = x + 2.3 * r
    room = x + w - left
    page.text(say_key("dial/title"), (left, y, room, h * 0.34), "prompt", lines=2, floor=0.4)
    page.text(say_key("dial/do"), (left, y + h * 0.36, room, h * 0.26), "body", page.c.dim, lines=3, floor=0.5)
    place = {"position": int(dial.get("position", 0))}
    act = Both((Order("firmware_bridge", "confirm", place), Put({"sheet": None})))
    button(page, "dial-yes", (left, y + h * 0.66, room, h * 0.32), say_key("dial/yes"), act, look="brass")


def describe(effect: dict[str, Any]) -> Text | None:
    """What a card does, where the pack says it in its view."""
    told = effect.get("text")
    if isinstance(told, dict) and isinstance(told.get("key"), str):
        params = told.get("params")
        return Text(
            told["key"],
            {k: v for k, v in params.items() if isinstance(v, (int, str))} if isinstance(params, dict) else {},
        )
    return None
