"""Finished games, as they are told to the screen and to phones."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.game import Game, Text
from companion.past.history import Finished, Play, Sat
from companion.past.lookup import said
from companion.wire.past import Past, PastGame, PastLine, PastPlayer, PastRecord

SOURCES = 8
"""Sources of points that are shown: those that gave most."""


def past(finished: Finished, packs: Mapping[str, Game], *, lines: bool = False) -> Past:
    """The newest games and what all of them say; `lines`: also where the points of each came from."""
    figures = finished.figures.told()
    return Past(
        games=tuple(_game(play, seats, packs, lines=lines) for play, seats in finished.newest),
        count=finished.count,
        players=msgspec.convert(figures["players"], dict[str, PastRecord]),
        beat=figures["head_to_head"],
        sources={game: _sources(finished.named[game], points) for game, points in figures["sources"].items()},
    )


def _sources(named: Mapping[str, Text], points: Mapping[str, int]) -> tuple[PastLine, ...]:
    most = [(line, value) for line, value in points.items() if value > 0][:SOURCES]
    return tuple(PastLine(id=line, text=named[line], points=value) for line, value in most)


def _game(play: Play, seats: tuple[Sat, ...], packs: Mapping[str, Game], *, lines: bool) -> PastGame:
    colours = {one.seat: one.colour for one in seats}
    title = packs[play.game].title() if play.game in packs else Text(f"{play.game}/title")
    return PastGame(
        id=play.id,
        game=play.game,
        title=said(play.title) or title,
        ts=play.ended,
        minutes=play.minutes,
        players=tuple(
            PastPlayer(
                seat=player.seat,
                name=player.name,
                colour=colours.get(player.seat, ""),
                total=player.total,
                won=player.seat in play.tally.winners,
                lines=tuple(
                    PastLine(id=line.id, text=line.text, points=line.points)
                    for line in player.lines
                    if lines and line.points
                ),
            )
            for player in play.tally.players
        ),
        chart=tuple(map(tuple, play.chart)),
        spent=tuple(round(one) for one in play.spent),
    )
