"""Quick auctions on the screen: everybody's numbers as keys beside their names; one is touched, or pulled onto its site."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.game import Ask, Choice, Text
from companion.shown.skyrise import Board, PieceShown
from display import fonts
from display.page import Page
from display.paint.shapes import mark
from display.tables.skyrise.map import moment, shown
from display.tables.skyrise.pieces import building, wonder
from display.theme import RGB
from display.touch import Act, Both, Play, Put
from display.view import View
from display.widgets import Rect, dots, inset, slab, split


def won(piece: str, site: str) -> Act:
    """Tell that this number won there."""
    return Both((Play({"kind": "won", "piece": piece, "site": site}), Put({"sky-piece": None, "sky-site": None})))


def draw_numbers(page: Page, view: View, box: Rect, ask: Ask) -> None:
    """Which number lies where the camera saw a bid: as large as a finger, side by side."""
    t = page.theme
    pieces = {one.piece: one for player in shown(view).players for one in player.available}
    rows = 2 if t.kind == "tall" and len(ask.choices) > 4 else 1
    across = -(-len(ask.choices) // rows)
    cells = [cell for row in split(box, rows, t.gap, down=True) for cell in split(row, across, t.u(8, 5))]
    for choice, cell in zip(ask.choices, cells, strict=False):
        piece = pieces[choice.id]
        content = (piece, view.colour(piece.seat), view.pending == choice.id)
        page.part(f"number {choice.id}", cell, content, _number, view, piece, cell, choice)


def _number(page: Page, view: View, piece: PieceShown, box: Rect, choice: Choice) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(choice.id, box, Play(choice.move))
    slab(page, box, c.press if pressed else c.raised, t.u(12, 8), shine=True)
    if view.pending == choice.id:
        dots(page, box, c.text)
        return
    _face(page, view, piece, box, c.text)


def draw_keys(page: Page, view: View, box: Rect, picked: str, site: str) -> None:
    """One block for each player: name and points, and a key for each piece that may have won; `site` is touched already."""
    t, table = page.theme, shown(view)
    for player, (x, y, w, h) in zip(
        table.players, split(box, max(1, len(table.players)), t.gap, down=True), strict=False
    ):
        block = (x, y, w, min(h, t.u(230, 160) if _crowded(player.available) else t.u(150, 108)))
        legal = {one.piece: table.auction.legal.get(one.piece, ()) for one in player.available}
        content = (player, msgspec.json.encode(legal), picked, site, block, view.colour(player.seat), view.name(player.seat),
                   table.auction.opener, table.phase, moment(view), view.pending, _lies(view))  # fmt: skip
        page.part(f"keys {player.seat}", block, content, _block, view, player, block, legal, picked, site)


def _block(
    page: Page,
    view: View,
    player: Board,
    box: Rect,
    legal: dict[str, tuple[str, ...]],
    picked: str,
    site: str,
) -> None:
    t, c, table = page.theme, page.c, shown(view)
    paint = t.player(view.colour(player.seat))
    lies = _lies(view)
    opens = table.phase == "quick" and player.seat == (lies[0] if len(lies) == 1 else table.auction.opener)
    edge = (paint.edge if t.light else paint.fill) if opens else None
    slab(page, box, c.raised if opens else c.surface, t.u(14, 10), outline=edge, width=3)
    x, y, w, h = inset(box, t.u(12, 7), t.u(6, 4))
    head = min(h * 0.4, t.u(46, 30) * min(1.2, t.zoom))
    pressed = page.touch(
        f"board {player.seat}", (x, y, w, head), Put({"sheet": f"board {player.seat}"}), grow=0, small=True
    )
    _head(page, view, player, (x, y, w, head), pressed)
    shown_keys = [one for one in player.available if one.piece in legal]
    if not shown_keys:
        return
    cells = _cells(page, (x, y + head + t.u(3, 2), w, h - head - t.u(3, 2)), shown_keys, t.u(5, 3))
    for piece, cell in zip(shown_keys, cells, strict=True):
        sites = legal[piece.piece]
        if not sites:
            _key(page, view, piece, cell, None, {}, chosen=False)
            continue
        act: Act = Put({"sky-piece": None if piece.piece == picked else [piece.piece, *moment(view)]})
        if site in sites:
            act = won(piece.piece, site)
        drops = {f"site {one}": won(piece.piece, one) for one in sites}
        _key(page, view, piece, cell, act, drops, chosen=piece.piece == picked)


def _lies(view: View) -> list[int]:
    """Whose bids lie on the islands, as the camera saw them."""
    return [site.piece.seat for site in shown(view).sites if site.piece is not None and site.piece.where == "bid"]


def _crowded(pieces: Sequence[PieceShown]) -> bool:
    """More than one row of keys as wide as a finger: somebody built little in era I."""
    return sum(1 if piece.number else 2 for piece in pieces) > 10


def _cells(page: Page, box: Rect, pieces: list[PieceShown], gap: float) -> list[Rect]:
    """Keys side by side, in two rows where there are many and both are as high as a finger."""
    if _crowded(pieces) and (box[3] - gap) / 2 >= page.theme.touch:
        half = -(-len(pieces) // 2)
        upper, lower = split(box, 2, gap, down=True)
        return _row(page, upper, pieces[:half], gap) + _row(page, lower, pieces[half:], gap)
    return _row(page, box, pieces, gap)


def _row(page: Page, box: Rect, pieces: list[PieceShown], gap: float) -> list[Rect]:
    """A wonder has as much room as its name needs, for which numbers move together and pictures go."""
    x, y, w, h = box
    names = [_words_width(page, piece, h) + page.theme.u(14, 8) + gap for piece in pieces if not piece.number]
    numbers, usual = len(pieces) - len(names), (w + gap) / 8
    least = min(usual * 0.75, (w + gap) / (numbers + 2 * len(names)))
    each = max(least, min(usual, (w + gap - sum(names)) / max(1, numbers)))
    room = w + gap - numbers * each
    spire = _spire(page, h) if sum(names) + _spire(page, h) * len(names) <= room else 0.0
    share = min(1.0, room / max(1.0, sum(names)))
    wide = iter([name + spire if spire else name * share for name in names])
    found = []
    for piece in pieces:
        across = each if piece.number else next(wide)
        found.append((x, y, across - gap, h))
        x += across
    return found


def _name(piece: PieceShown) -> Text:
    return Text(f"skyrise/wonder/{piece.card}") if piece.card else Text("skyrise/piece/wonder")


def _words_width(page: Page, piece: PieceShown, height: float) -> float:
    """What a wonder's name takes across, on two lines where the key is high enough."""
    t = page.theme
    size, words = round(t.size("small")), page.say(_name(piece)).split(" ")
    ends = range(1, len(words) + 1) if height >= 2.2 * size else (len(words),)
    lines = ((" ".join(words[:end]), " ".join(words[end:])) for end in ends)
    return min(max(fonts.width(line, t.face("small"), size) for line in pair) for pair in lines)


def _spire(page: Page, height: float) -> float:
    """The room of a wonder's picture before its name."""
    return min(0.72 * height, page.theme.u(42, 28))


def _head(page: Page, view: View, player: Board, box: Rect, pressed: bool) -> None:
    """Whose board it is, in the colour of the pieces; points at the right, initiative where it counts."""
    t, c = page.theme, page.c
    x, y, w, h = box
    r = min(t.u(13, 9), h * 0.36)
    page.blit(mark(t.player(view.colour(player.seat)), r, t), x + r, y + h / 2)
    left, points = x + 2 * r + t.u(8, 5), min(w * 0.2, t.u(76, 46))
    order = w * 0.34
    ink = c.dim if pressed else c.text
    page.text(view.name(player.seat), (left, y, w - points - order - (left - x), h), "body", ink, floor=0.4, typed=True)
    words = Text("skyrise/screen/pieces", {"colour": Text(f"skyrise/pieces/{player.colour}")})
    if player.initiative is not None:
        words = Text("skyrise/screen/initiative", {"initiative": player.initiative})
    page.text(words, (x + w - points - order, y, order - t.u(8, 5), h), "small", c.dim, align="right", floor=0.5)
    page.text(str(player.points), (x + w - points, y, points, h), "figure", align="right", floor=0.4)


def _key(
    page: Page, view: View, piece: PieceShown, box: Rect, act: Act | None, drops: dict[str, Act], *, chosen: bool
) -> None:
    t, c = page.theme, page.c
    pressed = False
    if act is not None:
        pressed = page.touch(f"piece {piece.piece}", box, act, small=box[2] < t.touch, drops=drops, grow=t.u(2, 1))
    fill = c.brass if chosen else c.press if pressed else c.bg
    slab(page, box, fill, t.u(9, 6), shadow=False, outline=c.line, width=1.5)
    _face(page, view, piece, box, c.ink if chosen else c.text if act is not None else c.faint)


def _face(page: Page, view: View, piece: PieceShown, box: Rect, ink: RGB) -> None:
    """A building over its number, beside it where a low key would make small print of both; or a wonder beside its name."""
    t = page.theme
    x, y, w, h = inset(box, t.u(3, 2), t.u(2, 1))
    paint = t.player(view.colour(piece.seat))
    if piece.number and h < t.u(40, 28):
        side = min(h * 0.34, w * 0.16) if piece.number < 100 else 0.0  # three digits tell a tall building by themselves
        if side:
            page.blit(building(paint, piece.height, side, t), x + 1.2 * side, y + h / 2)
        page.text(str(piece.number), (x + 2.2 * side, y, w - 2.2 * side, h), "figure", ink, align="center", floor=0.35)
        return
    if piece.number:
        page.blit(building(paint, piece.height, min(h * 0.14, w * 0.22), t), x + w / 2, y + h * 0.26)
        page.text(str(piece.number), (x, y + h * 0.44, w, h * 0.54), "figure", ink, align="center", floor=0.35)
        return
    left = _spire(page, box[3])
    if _words_width(page, piece, box[3]) > w - left:
        left = 0.0  # the key is in its owner's row: rather a name alone than small print
    if left:
        page.blit(wonder(paint, 0.4 * left, t), x + 0.5 * left, y + h * 0.5)
    page.text(_name(piece), (x + left, y, w - left, h), "small", ink, align="center", lines=2, floor=0.3)
