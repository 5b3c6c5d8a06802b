"""The running auction on the screen: who leads, who is out and why, and what both eras score."""

from __future__ import annotations

from companion.game import Text
from companion.shown.skyrise import BidShown, SkyriseView
from display.page import Page
from display.paint.shapes import mark
from display.tables.skyrise.map import island_name, shown
from display.touch import Both, Put, Tell
from display.view import View
from display.widgets import Rect, inset, slab, split

Row = tuple[int, BidShown | None, Text | None]


def draw_auction(page: Page, view: View, box: Rect, island: str) -> None:
    """The bids, the highest on top; who is out says why; below the panorama cards."""
    table = shown(view)
    seats = [player.seat for player in table.players]
    latest = {bid.seat: bid for bid in table.auction.bids}
    order = [bid.seat for bid in reversed(table.auction.bids)]
    ranked = [*dict.fromkeys(order), *(seat for seat in seats if seat not in latest)]
    passed = {one.seat: one.why for one in table.auction.passed}
    rows: list[Row] = [(seat, latest.get(seat), _standing(table, seat, passed)) for seat in ranked]
    content = (
        rows,
        island,
        table.panorama,
        table.players,
        [view.name(s) for s in seats],
        [view.colour(s) for s in seats],
    )
    page.part("auction", box, repr(content), _paint_auction, view, box, rows, island)


def _standing(table: SkyriseView, seat: int, passed: dict[int, str]) -> Text | None:
    """What stands beside a name instead of a bid: out and why, or what this player could still reach."""
    if seat in passed:
        return Text(f"skyrise/why-passed/{passed[seat]}")
    if table.phase == "choose":
        return Text("skyrise/screen/thinking" if seat in table.waiting else "skyrise/screen/locked")
    if seat in table.finished:
        return Text("skyrise/screen/finished")
    return None


def _best(table: SkyriseView, seat: int) -> int:
    """The highest number a player still has."""
    return max(
        (piece.number for player in table.players if player.seat == seat for piece in player.available), default=0
    )


def _paint_auction(page: Page, view: View, box: Rect, rows: list[Row], island: str) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(14, 8), t.u(8, 5))
    head, foot = h * 0.1, max(h * 0.13, 2.1 * t.size("small"))
    page.text(Text("skyrise/screen/auction"), (x, y, w, head), "label", c.dim)
    draw_panorama(page, view, (x, y + h - foot, w, foot), island)
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
    edge = x + w * (0.54 if high or why else 0.58)
    page.text(view.name(seat), (left, y + (h * 0.06 if high else 0), edge - left - t.u(6, 4), h * (0.5 if high else 1)), "body",
              c.faint if why else c.text, floor=0.4, lines=1 if high else 2, typed=True)  # fmt: skip
    if high:
        low = (x, y + h * 0.52, edge - x, h * 0.42)
        page.text(Text("skyrise/screen/highest"), low, "small", c.dim, floor=0.5)
    side = (edge, y, x + w - edge, h)
    if why:
        page.text(why, side, "small", c.faint, align="right", lines=2, floor=0.86)
    elif bid and bid.number:
        size = t.size("hero") * 0.72 if high else None
        page.text(str(bid.number), side, "figure", c.text, align="right", size=size, floor=0.4)
    elif bid:
        page.text(Text(f"skyrise/wonder/{bid.card}"), side, "label", align="right", lines=2, floor=0.5)
    elif best := _best(shown(view), seat):
        page.text(
            Text("skyrise/screen/up-to", {"number": best}), side, "small", c.dim, align="right", lines=2, floor=0.5
        )


def draw_panorama(page: Page, view: View, box: Rect, island: str) -> None:
    """The two cards both eras score, and which island is shown: above each other, or side by side where that is too low."""
    c = page.c
    words = " · ".join(f"{page.say('skyrise/panorama/' + one.card)} {one.reward}" for one in shown(view).panorama)
    top, low = split(box, 2, 0, down=box[3] >= 2 * page.theme.size("small"))
    page.text(words, top, "small", c.dim, floor=0.55)
    grow = max(0.0, (page.theme.touch - box[3]) / 2)
    opening = Put({"sky-edit": "faction", "sky-first": None, "sky-feature": 0})
    page.touch("edit islands", box, Both((opening, Tell("box list", {"game": "skyrise"}))), grow=grow)
    page.text(
        island_name(view, island) if island else Text("skyrise/screen/islands"), low, "small", c.brass_text, floor=0.86
    )
