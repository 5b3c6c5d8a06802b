"""Where points came from: in one game by player, in all games of a kind together."""

from __future__ import annotations

from companion.game import Text
from companion.wire.past import Past, PastGame, PastLine
from display import fonts
from display.page import Page
from display.scenes.tally.signs import put_sign
from display.touch import Put
from display.view import View
from display.widgets import Rect, button, inset, say_key, slab

SOURCES = 7
"""Lines of a tally shown in the plot: those that gave most."""


def draw_sources(page: Page, play: PastGame, box: Rect) -> None:
    """One row for each source, one bar for each player in the player's colour."""
    rows: dict[str, tuple[Text, list[int]]] = {}
    for i, player in enumerate(play.players):
        for line in player.lines:
            _, points = rows.setdefault(repr(line.text), (line.text, [0] * len(play.players)))
            points[i] += line.points
    best = sorted(rows.values(), key=lambda row: -sum(map(abs, row[1])))[:SOURCES]
    colours = tuple(player.colour for player in play.players)
    page.part("sources", box, (repr(best), colours), _sources, best, colours, box)


def _sources(page: Page, rows: list[tuple[Text, list[int]]], colours: tuple[str, ...], box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 12), t.u(12, 8))
    head = t.size("label") * 1.5
    page.text(say_key("past/sources"), (x, y, w, head), "label", c.dim)
    if not rows:
        return
    most = max(1, *(abs(v) for _, points in rows for v in points))
    each = min(t.u(92, 70), (h - head) / len(rows))
    label, number = w * 0.36, t.size("small") * 2.0
    room = w - label - number
    for i, (text, points) in enumerate(rows):
        top = y + head + i * each
        page.text(text, (x, top, label - t.u(10, 6), each * 0.9), "label", lines=2, floor=0.5)
        thick = min(each * 0.8 / len(points), t.u(18, 12))
        for k, (value, colour) in enumerate(zip(points, colours, strict=True)):
            by = top + (each * 0.9 - thick * len(points)) / 2 + k * thick
            paint = t.player(colour)
            long = max(2.0, room * abs(value) / most) if value else 0.0
            fill = paint.edge if t.light else paint.fill
            if value:
                slab(page, (x + label, by + 1, long, max(2.0, thick - 2)), fill, thick * 0.3, shadow=False)
            if thick >= t.size("small") * 0.7 or value == max(points):
                words = str(value).replace("-", "−")
                size = min(t.size("small"), thick * 1.15)
                glyphs = fonts.glyphs(words, "bold", max(9, round(size)), c.dim)
                page.put_words(glyphs, x + label + long + t.u(6, 4) + glyphs.get_width() / 2, by + thick / 2)


# -- all games of a kind ---------------------------------------------------------------------------------------------


def draw_all_sources(page: Page, view: View, past: Past, box: Rect) -> None:
    """The shares of one game's points over all its plays; a key goes to the next game."""
    games = [game for game, lines in past.sources.items() if lines]
    if not games:
        words = say_key("past/none")
        page.piece("shares", box, words, lambda: page.text(words, box, "prompt", page.c.dim, align="center", floor=0.4))
        return
    game = str(view.pick("past-game"))
    game = game if game in games else games[0]
    rows = past.sources[game]
    title = next((play.title for play in past.games if play.game == game), Text(f"{game}/title"))
    after = games[(games.index(game) + 1) % len(games)] if len(games) > 1 else ""
    page.part("shares", box, (repr(rows), game, after), _shares, game, title, rows, after, box)


def _shares(page: Page, game: str, title: Text, rows: tuple[PastLine, ...], after: str, box: Rect) -> None:
    t, c = page.theme, page.c
    slab(page, box, c.surface, t.u(14, 10))
    x, y, w, h = inset(box, t.u(20, 12), t.u(10, 6))
    head = max(t.size("strong") * 1.6, float(t.touch) if after else 0.0)
    page.text(title, (x, y, w * 0.6, head), "strong", floor=0.5)
    if after:
        key_w = max(float(t.touch), t.u(240, 150))
        spot = (x + w - key_w, y, key_w, head)
        button(page, "past-game", spot, say_key("box/another"), Put({"past-game": after}), look="ghost", role="label")
    whole = max(1, sum(line.points for line in rows))
    most = max(1, *(line.points for line in rows))
    each = min(t.u(64, 40), (h - head - t.u(8, 5)) / max(1, len(rows)))
    label, number = w * 0.34, t.u(90, 60) * min(1.3, t.zoom)
    for i, line in enumerate(rows):
        top = y + head + t.u(8, 5) + i * each
        r = min(t.u(14, 9), each * 0.34)
        put_sign(page, game, line.id, x + r * 1.6, top + each / 2, r)
        left = x + r * 3.6
        page.text(line.text, (left, top, x + label - left, each), "label", floor=0.5)
        bar = (x + label, top + each * 0.24, w - label - number, each * 0.52)
        slab(page, bar, c.bg, bar[3] / 2, shadow=False)
        slab(
            page, (bar[0], bar[1], max(bar[3], bar[2] * line.points / most), bar[3]), c.brass, bar[3] / 2, shadow=False
        )
        share = page.say(say_key("percent", n=round(100 * line.points / whole)))
        page.text(share, (x + w - number, top, number, each), "strong", align="right", floor=0.5)
