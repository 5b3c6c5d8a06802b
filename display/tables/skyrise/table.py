"""The Skyrise table: the islands with their lit sites, the running auction, players, and the bids to choose from."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Ask, Choice, Text
from display.layout import TablePlan, foot, table_plan
from display.page import Page
from display.paint.shapes import mark
from display.scenes.choices import draw_choices
from display.scenes.common import ask_of, draw_band, draw_banner
from display.scenes.sheet import draw_sheet
from display.tables import generic
from display.tables.skyrise import islands as skyrise_islands
from display.tables.skyrise.map import draw_map, in_focus, island_name, moment
from display.tables.skyrise.pieces import building, wonder
from display.touch import Act, Both, Play, Put, Tell
from display.view import View
from display.widgets import Rect, band_height, inset, slab, split

ROMAN = {1: "I", 2: "II"}


def draw(page: Page, view: View) -> None:
    """The whole table; forms without islands are the generic ones."""
    ask, table = ask_of(view), view.table
    bidding = ask is not None and ask.phase in ("open", "bid")
    if not table.get("sites") or (ask is not None and ask.form is not None and not bidding):
        generic.draw(page, view)
        return
    if view.pick("sky-edit"):
        skyrise_islands.draw(page, view)
        return
    number = (table.get("auction") or {}).get("number", 0)
    era = Text("skyrise/screen/era", {"era": ROMAN.get(table.get("era", 1), "I"), "auction": number})
    draw_band(page, view, ask, ((era, False),))
    plan = table_plan(page.theme, band_height(page), middle_share=0.3)
    legal = legal_bids(view) if bidding else {}
    piece = picked(view, legal)
    lit = set(legal[piece]) if piece else {site for sites in legal.values() for site in sites}
    crypt = {choice.id: choice for choice in (ask.choices if ask and ask.phase == "crypt" else ())}
    acts = _site_acts(view, ask, legal, lit) | {
        name: Play(ask.seat if ask else None, choice.move) for name, choice in crypt.items()
    }
    large, small = (plan.middle, plan.left) if page.theme.kind == "tall" else (plan.left, plan.middle)
    draw_map(page, view, large, lit | set(crypt), acts)
    _auction(page, view, small, in_focus(view, lit | set(crypt)))
    _players(page, view, plan)
    choices, local = _choices(view, ask, legal, piece)
    draw_choices(page, view, plan.choices, choices, local=local)
    draw_banner(page, view, plan.banner, page.motion.now, foot(page.theme, small))
    draw_sheet(page, view)


# -- what may be bid ---------------------------------------------------------------------------------------------------


def legal_bids(view: View) -> dict[str, list[str]]:
    """Piece -> its legal sites, as the table says."""
    found = (view.table.get("auction") or {}).get("legal") or {}
    return {str(piece): [str(site) for site in sites] for piece, sites in found.items()}


def _own(view: View, seat: int | None) -> list[dict[str, Any]]:
    return [
        piece for p in view.table.get("players") or [] if p.get("seat") == seat for piece in p.get("available") or []
    ]


def picked(view: View, legal: dict[str, list[str]]) -> str:
    """The piece touched in this moment of the auction, or the only one there is."""
    chosen = view.pick("sky-piece")
    if isinstance(chosen, list) and chosen[1:] == moment(view) and chosen[0] in legal:
        return str(chosen[0])
    return next(iter(legal)) if len(legal) == 1 else ""


def _picked_site(view: View) -> str:
    chosen = view.pick("sky-site")
    return str(chosen[0]) if isinstance(chosen, list) and chosen[1:] == moment(view) else ""


def _bid(seat: int | None, piece: str, site: str) -> Act:
    move = {"kind": "bid", "seat": seat, "piece": piece, "site": site}
    return Both((Play(seat, move), Put({"sky-piece": None, "sky-site": None})))


def _site_acts(view: View, ask: Ask | None, legal: dict[str, list[str]], lit: set[str]) -> dict[str, Act]:
    """A lit site takes the picked piece; without one it waits for a number."""
    piece = picked(view, legal)
    seat = ask.seat if ask else None
    return {site: _bid(seat, piece, site) if piece else Put({"sky-site": [site, *moment(view)]}) for site in lit}


def _choices(
    view: View, ask: Ask | None, legal: dict[str, list[str]], piece: str
) -> tuple[tuple[Choice, ...], dict[str, Act]]:
    """Pass, the highest number that does not do, and everything that does; a touch picks a piece or sends the bid."""
    if ask is None:
        return (), {}
    if ask.phase not in ("open", "bid"):
        return ask.choices, {}
    own = {str(p["piece"]): p for p in _own(view, ask.seat)}
    shown = [choice for choice in ask.choices if choice.off is None]
    off = [choice for choice in ask.choices if choice.off is not None]
    for choice in off[-1:]:
        number = int(own.get(choice.id, {}).get("number") or 0)
        text = Text("skyrise/screen/number", {"number": number}) if number else choice.text
        shown.append(msgspec.structs.replace(choice, text=text))
    local: dict[str, Act] = {}
    site = _picked_site(view)
    for name, sites in legal.items():
        held = own.get(name, {})
        text = Text("skyrise/screen/number", {"number": int(held.get("number") or 0)})
        note = Text(f"skyrise/height/{held.get('height')}")
        if not held.get("number"):
            card = str(held.get("card") or "")
            text = Text(f"skyrise/wonder/{card}") if card else Text("skyrise/piece/wonder")
            note = Text("skyrise/piece/wonder")
        shown.append(Choice(name, text, {}, note=note, primary=name == piece))
        local[name] = _bid(ask.seat, name, site) if site in sites else Put({"sky-piece": [name, *moment(view)]})
    return tuple(shown), local


# -- the running auction -----------------------------------------------------------------------------------------------


def _auction(page: Page, view: View, box: Rect, island: str) -> None:
    table = view.table
    auction = table.get("auction") or {}
    seats = [int(p["seat"]) for p in table.get("players") or []]
    latest = {int(bid["seat"]): bid for bid in auction.get("bids") or []}
    order = [int(bid["seat"]) for bid in reversed(auction.get("bids") or [])]
    ranked = [*dict.fromkeys(order), *(seat for seat in seats if seat not in latest)]
    passed = {int(p["seat"]): str(p["why"]) for p in auction.get("passed") or []}
    rows = [(seat, latest.get(seat), _standing(table, seat, passed)) for seat in ranked]
    content = (
        repr(rows),
        island,
        repr(table.get("panorama")),
        [view.name(s) for s in seats],
        [view.colour(s) for s in seats],
    )
    page.piece("auction", (box[0], box[1], box[2], box[3] + 6), content,
               lambda: _paint_auction(page, view, box, rows, island))  # fmt: skip


Row = tuple[int, dict[str, Any] | None, Text | None]


def _standing(table: dict[str, Any], seat: int, passed: dict[int, str]) -> Text | None:
    """What stands beside a name instead of a bid: out and why, or what this player could still reach."""
    if seat in passed:
        return Text(f"skyrise/why-passed/{passed[seat]}")
    if table.get("phase") == "choose":
        return Text("skyrise/screen/thinking" if seat in (table.get("waiting") or []) else "skyrise/screen/locked")
    if seat in (table.get("finished") or []):
        return Text("skyrise/screen/finished")
    return None


def _best(table: dict[str, Any], seat: int) -> int:
    """The highest number a player still has."""
    own = next((p for p in table.get("players") or [] if p["seat"] == seat), None)
    return max((int(piece["number"] or 0) for piece in own["available"]), default=0) if own else 0


def _paint_auction(page: Page, view: View, box: Rect, rows: list[Row], island: str) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(14, 8), t.u(8, 5))
    head, foot = h * 0.1, h * 0.13
    page.text(Text("skyrise/screen/auction"), (x, y, w, head), "label", c.dim)
    _panorama(page, view, (x, y + h - foot, w, foot), island)
    top, room = y + head, h - head - foot
    first = room * (0.34 if rows and rows[0][1] else 1 / max(1, len(rows)))
    rest = (room - first) / max(1, len(rows) - 1)
    for i, (seat, bid, why) in enumerate(rows):
        height = first if i == 0 else rest
        cell = (x, top, w, height - t.u(4, 3))
        if i == 0 and bid:
            slab(page, cell, c.raised, t.u(12, 9), shadow=False)
        _auction_row(page, view, cell, (seat, bid, why), high=i == 0 and bid is not None)
        top += height


def _auction_row(page: Page, view: View, box: Rect, row: Row, *, high: bool) -> None:
    t, c = page.theme, page.c
    seat, bid, why = row
    x, y, w, h = inset(box, t.u(8, 5), 0)
    r = min(t.u(13, 9), h * 0.3)
    player = t.player(view.colour(seat))
    page.blit(mark(player, r, t), x + r + 1, y + (h * 0.3 if high else h / 2), 0.5 if why else 1.0)
    left = x + 2 * r + t.u(10, 6)
    edge = x + w * (0.54 if high else 0.58)
    page.text(view.name(seat), (left, y + (h * 0.06 if high else 0), edge - left - t.u(6, 4), h * (0.5 if high else 1)), "body",
              c.faint if why else c.text, floor=0.4, lines=1 if high else 2, typed=True)  # fmt: skip
    if high:
        low = (left, y + h * 0.56, edge - left - t.u(6, 4), h * 0.36)
        page.text(Text("skyrise/screen/highest"), low, "small", c.dim, floor=0.5)
    side = (edge, y, x + w - edge, h)
    if why:
        page.text(why, side, "small", c.faint, align="right", lines=2, floor=0.5)
    elif bid and bid.get("number"):
        size = t.size("hero") * 0.72 if high else None
        page.text(str(bid["number"]), side, "figure", c.text, align="right", size=size, floor=0.4)
    elif bid:
        page.text(Text(f"skyrise/wonder/{bid.get('card')}"), side, "label", align="right", lines=2, floor=0.5)
    elif best := _best(view.table, seat):
        page.text(Text("skyrise/screen/up-to", {"number": best}), side, "small", c.dim, align="right", floor=0.5)


def _panorama(page: Page, view: View, box: Rect, island: str) -> None:
    """The two cards both eras score, and which island is shown."""
    c = page.c
    cards = view.table.get("panorama") or []
    words = " · ".join(f"{page.say('skyrise/panorama/' + str(card['card']))} {card['reward']}" for card in cards)
    top, low = split(box, 2, 0, down=True)
    page.text(words, top, "small", c.dim, floor=0.55)
    grow = max(0.0, (page.theme.touch - box[3]) / 2)
    opening = Put({"sky-edit": "faction", "sky-first": None, "sky-feature": 0})
    page.touch("edit islands", box, Both((opening, Tell("box list", {"game": "skyrise"}))), grow=grow)
    page.text(island_name(view, island), low, "small", c.brass_text, floor=0.55)


# -- the players -------------------------------------------------------------------------------------------------------


def _players(page: Page, view: View, plan: TablePlan) -> None:
    t = page.theme
    players = view.table.get("players") or []
    ask = ask_of(view)
    n = max(1, len(players))
    x, y, w, h = plan.right
    each = min(t.u(150, 110), (h - t.gap * (n - 1)) / n)
    for i, player in enumerate(players):
        seat = int(player["seat"])
        box = (x, y + i * (each + t.gap), w, each)
        active = ask is not None and (seat == ask.seat or seat in ask.waiting)
        content = (repr(player), active, view.colour(seat), view.name(seat))
        page.piece(f"player {seat}", (x - 4, box[1] - 4, w + 8, each + 10), content,
                   lambda player=player, box=box, active=active: _player(page, view, player, box, active))  # type: ignore[misc]  # fmt: skip


def _player(page: Page, view: View, player: dict[str, Any], box: Rect, active: bool) -> None:
    t, c = page.theme, page.c
    seat = int(player["seat"])
    paint = t.player(view.colour(seat))
    edge = (paint.edge if t.light else paint.fill) if active else None
    slab(page, box, c.raised if active else c.surface, t.u(14, 10), outline=edge, width=3)
    x, y, w, h = inset(box, t.u(14, 8), t.u(6, 4))
    r = min(t.u(15, 10), h * 0.2)
    points = min(w * 0.34, t.u(96, 58) * min(1.25, t.zoom))
    page.blit(mark(paint, r, t), x + r, y + h * 0.27)
    left = x + 2 * r + t.u(10, 6)
    page.text(view.name(seat), (left, y, w - points - (left - x), h * 0.52), "body", floor=0.4, typed=True)
    page.text(str(player.get("points", 0)), (x + w - points, y, points, h), "points", align="right", floor=0.4)
    _means(page, view, player, (x, y + h * 0.52, w - points - t.u(6, 4), h * 0.48))


def _means(page: Page, view: View, player: dict[str, Any], box: Rect) -> None:
    """What stands on the islands, by height, and the wonders."""
    t = page.theme
    x, y, w, h = box
    paint = t.player(view.colour(int(player["seat"])))
    built = player.get("built") or {}
    shown = [(height, int(built.get(height, 0))) for height in ("tall", "medium", "small")]
    crowded = t.kind == "small" or t.zoom > 1.15
    each = w / (3 if crowded else 4)
    r = min(0.36 * h, 0.3 * each)
    if not crowded:
        shown.append(("wonder", int(built.get("wonders", 0))))
    for i, (kind, count) in enumerate(shown):
        picture = wonder(paint, 0.84 * r, t) if kind == "wonder" else building(paint, kind, r, t)
        page.blit(picture, x + each * i + 0.74 * r, y + h * 0.5)
        page.text(str(count), (x + each * i + 1.6 * r, y, each - 1.62 * r, h), "label", floor=0.45)
