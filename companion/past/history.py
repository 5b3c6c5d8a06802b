"""Finished games: who won, how often, where the points came from; and the same as files others can read."""

from __future__ import annotations

import csv
import io
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Annotated, Any

import msgspec

from companion.core.guard import PackFailedError
from companion.core.registry import UnknownGameError
from companion.core.session import Session
from companion.core.stopwatch import by_round
from companion.game import Tally, Text
from companion.journal.recorded import Record
from companion.journal.store import Journal, Row
from companion.wire.bgstats import title
from companion.wire.names import TITLE, clean

LONGEST, PAUSE = 24 * 3600.0, 3600.0
"""Seconds: a game that seems longer, or shorter than nothing, was played while somebody set the clock."""
SHOWN = 60
"""Games told one by one; the figures know all of them."""


class Play(msgspec.Struct, frozen=True):
    """One finished game."""

    id: str
    game: str
    began: float
    ended: float
    tally: Tally
    chart: list[list[int]] = []
    spent: list[float] = []
    """By seat, the seconds it took; none in a game of an earlier version."""
    title: str = ""
    """What was played, where the players said it."""

    @property
    def minutes(self) -> int:
        """How long it took."""
        return max(1, round((self.ended - self.began) / 60))

    @property
    def called(self) -> str:
        """What people say they played: the name they gave it, else the game's own."""
        return self.title or title(self.game)


def plays(journal: Journal) -> list[Play]:
    """Every game that was played to its end, newest first; one whose pack is gone keeps its tally."""
    found = (play_of(journal, first, end) for first, end in journal.each_game())
    return [play for play in found if play is not None]


def play_of(journal: Journal, first: Row, end: Row | None) -> Play | None:
    """A game by its first and its last row, if it was played to its end."""
    if end is None or not end.body.get("over") or not first.body.get("pack"):
        return None
    try:
        tally = _named(msgspec.convert(end.body["tally"], Tally))
    except (msgspec.ValidationError, KeyError):
        return None
    ended = end.ts if 0 <= end.ts - first.ts <= LONGEST else first.ts + _time_played(journal, first.game)
    return Play(first.game, first.body["pack"], first.ts, ended, tally, _chart(end), _spent(end, tally), called(first))


def _chart(end: Row) -> list[list[int]]:
    try:
        return msgspec.convert(end.body.get("chart") or [], list[list[int]])
    except msgspec.ValidationError:
        return []


class Sat(msgspec.Struct, frozen=True):
    """Who sat at a finished game, as far as its first row tells."""

    seat: int = -1
    colour: str = ""
    bot: str = ""


def sat(first: Row) -> tuple[Sat, ...]:
    """By the first row of a game; a row is a stranger's: one that says something else says nothing."""
    try:
        return msgspec.convert(first.body.get("seats") or (), tuple[Sat, ...])
    except msgspec.ValidationError:
        return ()


def _spent(end: Row, tally: Tally) -> list[float]:
    try:
        found = msgspec.convert(end.body.get("spent"), list[Annotated[float, msgspec.Meta(ge=0, le=1e7)]])
    except msgspec.ValidationError:
        return []
    return found if len(found) == len(tally.players) else []


def called(first: Row) -> str:
    """What the players said they play, in the first row of a game; a row is a stranger's."""
    options = first.body.get("options")
    return clean(str(options.get(TITLE) or "")) if isinstance(options, dict) else ""


def _named(tally: Tally) -> Tally:
    """With names as they are kept today; an older journal may hold others."""
    players = (msgspec.structs.replace(player, name=clean(player.name)) for player in tally.players)
    return msgspec.structs.replace(tally, players=tuple(players))


def _time_played(journal: Journal, game: str) -> float:
    """Seconds at the table when the clock was set in between: the pauses between moves, leaps left out."""
    stamps = [row.ts for row in journal.rows(game)]
    pauses = (after - before for before, after in pairwise(stamps))
    return sum(pause for pause in pauses if 0 <= pause <= PAUSE)


def record(journal: Journal, game: str) -> Record:
    """A stored game as a record of the moves that stood."""
    session = Session.resume(journal, game)
    pack = session.pack
    over = pack.over(session.state)
    whole = [done.row.body for done in session.done]
    if over:
        told = pack.publish(session.state, [pack.decode(body) for body in whole])
    else:
        told = [pack.redact(pack.decode(body)) or body for body in whole]
    tally = msgspec.to_builtins(pack.tally(session.state)) if over else None
    box = session.first.body["box"]
    return Record(pack.id, session.options, box, tuple(told), tally, redacted=not over and told != whole)


class Figures:
    """Per player and per game: plays, wins, mean and best score, sources of points; head to head. Grows game by game, so that
    whoever has counted three thousand counts one more."""

    def __init__(self) -> None:
        self._scores: dict[str, dict[str, _Scores]] = defaultdict(lambda: defaultdict(_Scores))
        self._wins: Counter[str] = Counter()
        self._sources: dict[str, Counter[str]] = defaultdict(Counter)
        self._duels: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, play: Play) -> None:
        """One more game."""
        winners = {player.name for player in play.tally.players if player.seat in play.tally.winners}
        for player in play.tally.players:
            self._scores[player.name][play.game].add(player.total)
            self._wins[player.name] += player.name in winners
            for line in player.lines:
                self._sources[play.game][line.id] += line.points
            for other in play.tally.players:
                if player.name in winners and other.name not in winners:
                    self._duels[player.name][other.name] += 1

    def told(self) -> dict[str, Any]:
        """What they come to."""
        return {
            "players": {
                name: {
                    "plays": sum(scores.plays for scores in games.values()),
                    "wins": self._wins[name],
                    "games": {game: scores.told() for game, scores in games.items()},
                }
                for name, games in sorted(self._scores.items())
            },
            "sources": {game: dict(count.most_common()) for game, count in self._sources.items()},
            "head_to_head": {name: dict(count) for name, count in self._duels.items()},
        }


class _Scores:
    """What somebody has scored in one game."""

    def __init__(self) -> None:
        self.plays, self._sum, self._best = 0, 0, 0

    def add(self, total: int) -> None:
        self._best = max(self._best, total) if self.plays else total
        self.plays, self._sum = self.plays + 1, self._sum + total

    def told(self) -> dict[str, Any]:
        return {"plays": self.plays, "mean": round(self._sum / self.plays, 1), "best": self._best}


def statistics(found: Iterable[Play]) -> dict[str, Any]:
    """The figures of some games."""
    figures = Figures()
    for play in found:
        figures.add(play)
    return figures.told()


class Finished:
    """All games played to their end, each read once: the newest whole, every one in the figures. Memory for sixty games, not
    for three thousand."""

    def __init__(self) -> None:
        self.newest: list[tuple[Play, tuple[Sat, ...]]] = []
        """With who sat there, as the game's first row tells it."""
        self.count, self.figures = 0, Figures()
        self.named: dict[str, dict[str, Text]] = defaultdict(dict)
        """Game -> what its sources of points are called."""
        self._known: set[str] = set()

    def read(self, journal: Journal, given_up: Callable[[], bool] = lambda: False) -> bool:
        """Take in what is new; says whether anything was. `given_up`: for good, what was read so far is not told."""
        fresh: list[tuple[Play, tuple[Sat, ...]]] = []
        for first, end in journal.each_game(self._known):
            if given_up():
                break
            play = play_of(journal, first, end)
            if play is not None:
                self.figures.add(play)
                for line in (line for player in play.tally.players for line in player.lines):
                    self.named[play.game].setdefault(line.id, line.text)
                fresh.append((play, sat(first)))
            if play is not None or not first.body.get("pack"):  # anything else may still be played on
                self._known.add(first.game)
        self.count += len(fresh)
        self.newest = [*fresh, *self.newest][:SHOWN]
        return bool(fresh)


def to_csv(found: Iterable[Play]) -> str:
    """One row a player and source of points, with the printed values nobody has confirmed; UTF-8, ISO times."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    columns = (
        "play",
        "game",
        "date",
        "minutes",
        "player",
        "winner",
        "total",
        "source",
        "points",
        "unconfirmed",
        "title",
    )
    writer.writerow(columns)
    for play in found:
        date = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(play.began))
        for player in play.tally.players:
            won = int(player.seat in play.tally.winners)
            for line in player.lines:
                unsure = " ".join(line.unconfirmed)
                who = (play.id, play.game, date, play.minutes, player.name, won, player.total)
                writer.writerow((*who, line.id, line.points, unsure, play.called))
    return buffer.getvalue()


def story(journal: Journal, play: Play) -> dict[str, Any]:
    """A play in its pack's figures: points per round and by source; empty when today's rules cannot replay it."""
    try:
        session = Session.resume(journal, play.id)
        return {} if session.left_out else session.pack.statistics(session.state) | {"seconds": seconds(session)}
    except (UnknownGameError, PackFailedError, ValueError, LookupError):
        return {}


def seconds(session: Session) -> list[list[float]]:
    """For each round the seconds of each seat; one line for a game that knows no rounds."""
    rounds, last = list[tuple[int, int]](), 0
    for done in session.done:
        now = session.pack.view(done.before, None).round or 1
        if now > last:
            rounds, last = [*rounds, (done.row.seq, now)], now
    return by_round(session.journal.rows(session.game), rounds, len(session.seats))


def to_json(found: Iterable[Play], journal: Journal | None = None) -> list[dict[str, Any]]:
    """Every play with its whole tally; with the journal also its points per round and by source."""
    return [
        msgspec.to_builtins(play) | ({"statistics": story(journal, play)} if journal is not None else {})
        for play in found
    ]


def to_statistics_csv(found: Iterable[Play], journal: Journal) -> str:
    """One row a player and round, and one a player and source of points, one a player and round in seconds."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("play", "game", "date", "player", "total", "by", "name", "points", "title"))
    for play in found:
        date = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(play.began))
        totals = {player.seat: player.total for player in play.tally.players}
        told = story(journal, play)
        for player in told.get("players", ()):
            who = (play.id, play.game, date, player["name"], totals.get(player["seat"], 0))
            rounds = (("round", str(n), points) for n, points in enumerate(player["rounds"], 1))
            sources = (("source", name, points) for name, points in player["sources"].items())
            writer.writerows((*who, *row, play.called) for row in (*rounds, *sources))
        for one in play.tally.players:
            who = (play.id, play.game, date, one.name, one.total)
            times = enumerate((line[one.seat] for line in told.get("seconds", ())), 1)
            writer.writerows((*who, "seconds", str(n), taken, play.called) for n, taken in times)
    return buffer.getvalue()
