"""What finished games say of the players: their records, and who beat whom."""

from __future__ import annotations

from companion.game import Text
from companion.wire.past import Past, PastRecord
from display.keys import Key
from display.leaves import leaf_of
from display.page import Page
from display.paint.shapes import mark
from display.view import View
from display.widgets import Rect, inset, say_key, slab

DUELISTS = 6


# -- the players -----------------------------------------------------------------------------------------------------


def draw_players(page: Page, view: View, past: Past, box: Rect) -> list[Key]:
    """Who played how often, won how often, and how well in which game; the key to more of them is returned."""
    t = page.theme
    people = sorted(past.players.items(), key=lambda one: (-one[1].wins, -one[1].plays, one[0]))
    # the newest game stands first, and its word holds
    colours = {player.name: player.colour for play in reversed(past.games) for player in play.players}
    titles = {play.game: play.title for play in reversed(past.games)}
    least = max(t.touch, t.u(96, 68))
    rows = max(1, int((box[3] + t.gap) / (least + t.gap)))
    leaf = leaf_of(view, "past-leaf", len(people), rows)
    each = min(t.u(120, 90), (box[3] - t.gap * (rows - 1)) / rows)
    for i, (name, record) in enumerate(leaf.of(people)):
        cell = (box[0], box[1] + i * (each + t.gap), box[2], each)
        content = (name, repr(record))
        page.part(f"record {i}", cell, content, _record, name, colours.get(name, ""), record, titles, cell)
    return leaf.keys("past-leaf")


def _record(page: Page, name: str, colour: str, record: PastRecord, titles: dict[str, Text], box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 10), t.u(8, 5))
    r = min(t.u(15, 11), h * 0.2)
    paint = t.player(colour)
    page.blit(mark(paint, r, t), x + r, y + h / 2)
    left = x + 2 * r + t.u(14, 8)
    name_w = w * 0.3
    page.text(name, (left, y, name_w - 2 * r, h * 0.56), "strong", floor=0.5, typed=True)
    plays, wins = record.plays, record.wins
    words = f"{page.say(say_key('past/won', n=wins))} · {page.say(say_key('past/plays', n=plays))}"
    page.text(words, (left, y + h * 0.56, name_w - 2 * r, h * 0.4), "small", c.dim, floor=0.6)
    bar = (x + name_w + t.gap, y + h * 0.4, w * 0.2, h * 0.2)
    slab(page, bar, c.bg, bar[3] / 2, shadow=False)
    if wins:
        fill = paint.edge if t.light else paint.fill
        slab(page, (bar[0], bar[1], max(bar[3], bar[2] * wins / max(1, plays)), bar[3]), fill, bar[3] / 2, shadow=False)
    games = list(record.games.items())[: 3 if t.kind == "wide" else 2]
    right = bar[0] + bar[2] + t.u(20, 10)
    each = (x + w - right) / max(1, len(games))
    for i, (game, known) in enumerate(games):
        gx = right + i * each
        page.text(
            titles.get(game) or Text(f"{game}/title"), (gx, y, each - t.u(10, 6), h * 0.46), "label", c.dim, floor=0.5
        )
        told = say_key("past/best", best=known.best, mean=_decimal(page, known.mean))
        page.text(told, (gx, y + h * 0.46, each - t.u(10, 6), h * 0.5), "label", floor=0.5)


def _decimal(page: Page, value: float) -> str:
    """A number with the comma or point of the language."""
    return f"{value:.1f}".replace(".", "." if page.theme.language == "en" else ",")


def draw_duels(page: Page, past: Past, box: Rect) -> None:
    """How many times row beat column."""
    duels = past.beat
    people = sorted(past.players, key=lambda name: -past.players[name].plays)[:DUELISTS]
    page.part("duels", box, (repr(duels), tuple(people)), _duels, duels, people, box)


def _duels(page: Page, duels: dict[str, dict[str, int]], people: list[str], box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 12), t.u(10, 6))
    head = t.size("label") * 1.6
    page.text(say_key("past/duels"), (x, y, w, head), "label", c.dim, floor=0.6)
    n = len(people)
    if not n:
        return
    label = w * 0.26
    cw, ch = (w - label) / n, min(t.u(86, 60), (h - head) / (n + 1))
    top = y + head
    for i, name in enumerate(people):
        page.text(
            name, (x + label + i * cw, top, cw - t.u(8, 5), ch), "label", c.dim, align="center", floor=0.45, typed=True
        )
    for row, winner in enumerate(people):
        ry = top + (row + 1) * ch
        page.surface.fill(c.line, (round(x), round(ry), round(w), 1))
        page.text(winner, (x, ry, label - t.u(10, 6), ch), "strong", floor=0.45, typed=True)
        for column, other in enumerate(people):
            cell = (x + label + column * cw, ry, cw - t.u(8, 5), ch)
            if winner == other:
                page.text("·", cell, "label", c.faint, align="center")
                continue
            count, back = duels.get(winner, {}).get(other, 0), duels.get(other, {}).get(winner, 0)
            page.text(str(count), cell, "figure", c.brass_text if count > back else c.text, align="center", floor=0.5)
