"""Plots of finished games as SVG: points per round, sources of points, head to head. Drawn here, no library needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from companion.journal.store import Journal
from companion.past.history import Play, statistics, story
from companion.wire.bgstats import title

COLOURS = ("#B98412", "#0F6450", "#4A8DC4", "#A23319", "#6E675B", "#7A469F", "#5D4D3E", "#1F6B3C")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 380, 60, 50, 56
INK, LINE, PAPER = "#261C14", "#DCCDB4", "#FBF6EC"


def _page(title: str, body: Iterable[str], height: int = HEIGHT) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="Source Sans Pro, sans-serif">'
    name = f'<title>{escape(title)}</title><rect width="{WIDTH}" height="{height}" rx="14" fill="{PAPER}"/>'
    words = f'<text x="24" y="36" font-size="22" font-weight="700" fill="{INK}">{escape(title)}</text>'
    return "\n".join([head, name, words, *body, "</svg>"])


def _text(x: float, y: float, words: str, *, anchor: str = "start", colour: str = INK, size: int = 15) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def points_per_round(play: Play) -> str:
    """One line a player, its end named; no legend box."""
    series = [list(map(int, line)) for line in play.chart] or [[0, p.total] for p in play.tally.players]
    return _lines(f"{play.called}: points per round", series, play)


def minutes_per_round(play: Play, seconds: Sequence[Sequence[float]]) -> str:
    """The same for the time everybody took. `seconds`: for each round those of each seat."""
    series = [[line[seat] / 60 for line in seconds] for seat in range(len(play.tally.players))]
    return _lines(f"{play.called}: minutes per round", series, play)


def _lines(title: str, series: Sequence[Sequence[float]], play: Play) -> str:
    high = max((max(line, default=0) for line in series), default=1) or 1
    shown = ".0f" if high >= 4 else ".1f"
    longest = max(2, *(len(line) for line in series))
    parts = []
    for step in range(5):
        y = HEIGHT - BOTTOM - step / 4 * (HEIGHT - BOTTOM - TOP)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 110}" y1="{y:.1f}" y2="{y:.1f}" stroke="{LINE}"/>')
        parts.append(_text(LEFT - 8, y + 5, format(high * step / 4, shown), anchor="end"))
    ends: list[float] = []
    for number, line in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        spots = [
            (LEFT + i / (longest - 1) * (WIDTH - 110 - LEFT), HEIGHT - BOTTOM - value / high * (HEIGHT - BOTTOM - TOP))
            for i, value in enumerate(line)
        ]
        if not spots:
            continue
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="3.5"/>')
        y = spots[-1][1]
        while any(abs(y - other) < 20 for other in ends):
            y += 6
        ends.append(y)
        parts.append(_text(spots[-1][0] + 8, y + 5, play.tally.players[number].name, colour=colour))
    return _page(title, parts)


def _bars(title: str, rows: Sequence[tuple[str, float, str]]) -> str:
    high = max((value for _, value, _ in rows), default=1) or 1
    parts = []
    for number, (label, value, shown) in enumerate(rows):
        y = TOP + 14 + number * 34
        wide = max(2.0, value / high * (WIDTH - 330))
        parts.append(_text(200, y + 16, label, anchor="end"))
        parts.append(
            f'<rect x="210" y="{y}" width="{wide:.1f}" height="22" rx="5" fill="{COLOURS[number % len(COLOURS)]}"/>'
        )
        parts.append(_text(218 + wide, y + 16, shown))
    return _page(title, parts, TOP + 30 + 34 * max(1, len(rows)))


def sources(found: Sequence[Play], game: str) -> str:
    """Where the points of a game come from."""
    counts = statistics([play for play in found if play.game == game])["sources"].get(game, {})
    total = sum(counts.values()) or 1
    rows = [
        (name, float(value), f"{100 * value / total:.0f} %") for name, value in list(counts.items())[:14] if value > 0
    ]
    return _bars(f"{title(game)}: where points come from", rows)


def head_to_head(found: Sequence[Play]) -> str:
    """Who beat whom how often."""
    duels = statistics(found)["head_to_head"]
    rows = [
        (f"{name} beat {other}", float(count), str(count))
        for name, others in duels.items()
        for other, count in others.items()
    ]
    rows.sort(key=lambda entry: -entry[1])
    return _bars("Head to head", rows[:14])


def write_plots(found: Sequence[Play], folder: Path, journal: Journal) -> list[Path]:
    """All plots as files."""
    folder.mkdir(parents=True, exist_ok=True)
    drawings = {f"{play.id}-rounds.svg": points_per_round(play) for play in found}
    drawings |= {f"{game}-sources.svg": sources(found, game) for game in {play.game for play in found}}
    times = {play.id: story(journal, play).get("seconds", []) for play in found}
    drawings |= {f"{play.id}-time.svg": minutes_per_round(play, times[play.id]) for play in found if times[play.id]}
    drawings["head-to-head.svg"] = head_to_head(found)
    for name, drawing in drawings.items():
        (folder / name).write_text(drawing, encoding="utf-8")
    return [folder / name for name in drawings]
