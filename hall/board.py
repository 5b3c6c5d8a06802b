"""What the page shows: every table as it stands, who needs help, standings and pairings. Plain values, no network.

Tables speak (`hear`), the store is read (`keep`); `news` is what has changed since it was last asked, and nothing else: with a
thousand tables a change costs what it weighs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

from companion.game import Text
from companion.wire.hall import Call, HallMessage, SeatScore, TableScore
from companion.wire.messages import Health
from hall.event import Event, Round
from hall.messages import Said
from hall.standings import results_of, standings
from hall.store import Held

AWAY = {
    "companion": "hall/help/core",
    "vision": "hall/help/camera",
    "firmware_bridge": "hall/help/dial",
    "display": "hall/help/screen",
    "speech": "hall/help/voice",
    "broker": "hall/help/core",
}
MOST_TABLES = 4000
"""Tables there may be: who is invited decides, this only bounds what a mistake can cost."""


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """One table, as everybody in the hall sees it."""

    title: str = ""
    here: bool = False
    phase: str = ""
    game: Text | None = None
    round: int | None = None
    turn: int | None = None
    seats: tuple[SeatScore, ...] = ()
    lead: tuple[int, ...] = ()
    help: tuple[Text, ...] = ()
    """What is wrong there, in words; nothing when all is well."""
    call: str = ""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the standings; points in twelfths of a table won."""

    place: int
    name: str
    points: int
    tables: int = 0
    won: int = 0
    away: bool = False


class Pair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table of the round: who sits there, and whether it is played."""

    table: str
    players: tuple[str, ...]
    points: tuple[float, ...] = ()
    """Once it is played, in the order of the players."""
    game_id: str = ""
    corrected: bool = False
    entered: bool = False
    """By the organiser, and not by the table."""


class RoundShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The round that is on, or is next."""

    number: int
    pairs: tuple[Pair, ...]
    byes: tuple[str, ...] = ()
    began: float = 0.0
    minutes: int = 0
    ended: float = 0.0
    title: str = ""
    """The game's, as a key."""


class EventShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event with its standings."""

    id: str
    name: str
    game: str
    """The game's title, as a key."""
    planned: int
    system: str
    size: int
    standings: tuple[Line, ...] = ()
    round: RoundShown | None = None


class News(msgspec.Struct, omit_defaults=True):
    """What has changed; the first of a line has everything."""

    now: float
    """The hall's clock: the page's own may be wrong."""
    whole: bool = False
    hall: str | None = None
    tables: dict[str, Shown | None] = {}
    """`None`: gone."""
    events: tuple[EventShown, ...] | None = None
    message: str | None = None


class _Table:
    """What one table has said so far."""

    def __init__(self) -> None:
        self.here = False
        self.score: TableScore | None = None
        self.health: dict[str, Health] = {}
        self.call = ""

    def shown(self) -> Shown:
        score, trouble = self.score, []
        if not self.here:
            trouble.append(Text("hall/help/away"))
        else:
            for room, health in sorted(self.health.items()):
                if health.status == "offline":
                    trouble.append(Text(AWAY.get(room, "hall/help/core")))
                elif health.status == "online" and health.say is not None:
                    trouble.append(health.say)
        if score is None:
            return Shown(here=self.here, help=tuple(trouble), call=self.call)
        return Shown(
            title=score.title,
            here=self.here,
            phase=score.phase,
            game=score.game_name or (Text(f"{score.game}/title") if score.game else None),
            round=score.round,
            turn=score.turn,
            seats=score.seats,
            lead=score.lead,
            help=tuple(one for number, one in enumerate(trouble) if one not in trouble[:number]),
            call=self.call,
        )


class Board:
    """Everything the page shows."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.message = ""
        self.events: tuple[EventShown, ...] = ()
        self._tables: dict[str, _Table] = {}
        self.shown: dict[str, Shown] = {}
        self._changed: set[str] = set()
        self._others: set[str] = set()

    def hear(self, said: Said) -> None:
        """A table spoke. An older score than the one shown is a broker's echo."""
        if said.table not in self._tables and (not said.message or len(self._tables) >= MOST_TABLES):
            return  # that nobody is there is no news of somebody unknown: a revoked table stays gone
        table = self._tables.setdefault(said.table, _Table())
        message = said.message
        if isinstance(message, TableScore):
            known = table.score
            if (
                known is not None
                and known.game_id == message.game_id
                and (message.seq, message.ts) < (known.seq, known.ts)
            ):
                return
            table.score = message
        elif isinstance(message, Health):
            table.health[message.room] = message
        elif said.what == "here":
            table.here = bool(message)
        elif said.what == "score":
            table.score = None
        self._show(said.table)

    def forget(self, table: str) -> None:
        """Its invitation was taken back."""
        if self._tables.pop(table, None) is not None:
            self.shown.pop(table, None)
            self._changed.add(table)

    def keep(self, events: Iterable[Event], held: Iterable[Held], sayings: Mapping[str, bytes]) -> None:
        """What the store has now."""
        results = list(held)
        shown = tuple(event_shown(event, results) for event in events)
        if shown != self.events:
            self.events = shown
            self._others.add("events")
        said = said_to(sayings, "hall/all/message", HallMessage)
        message = said.text if said is not None else ""
        if message != self.message:
            self.message = message
            self._others.add("message")
        for name, table in self._tables.items():
            called = said_to(sayings, f"hall/{name}/call", Call)
            call = called.kind if called is not None and called.kind != "none" else ""
            if call != table.call:
                table.call = call
                self._show(name)

    def whole(self, now: float) -> News:
        """Everything, for somebody who has just come."""
        return News(now, True, self.name, dict(self.shown), self.events, self.message)

    def news(self, now: float) -> News | None:
        """What has changed since; `None`: nothing."""
        if not self._changed and not self._others:
            return None
        told = News(now, tables={name: self.shown.get(name) for name in self._changed})
        if "events" in self._others:
            told.events = self.events
        if "message" in self._others:
            told.message = self.message
        self._changed.clear()
        self._others.clear()
        return told

    def _show(self, name: str) -> None:
        shown = self._tables[name].shown()
        if self.shown.get(name) != shown:
            self.shown[name] = shown
            self._changed.add(name)


Kind = TypeVar("Kind", Call, HallMessage)


def said_to(sayings: Mapping[str, bytes], topic: str, kind: type[Kind]) -> Kind | None:
    """What the hall says there."""
    payload = sayings.get(topic)
    return msgspec.json.decode(payload, type=kind) if payload else None


def event_shown(event: Event, held: Iterable[Held]) -> EventShown:
    """An event as the page has it: standings, and the last round."""
    results = list(held)
    lines = tuple(
        Line(line.place, line.name, line.points, line.tables, line.won, line.away) for line in standings(event, results)
    )
    last = round_shown(event, event.rounds[-1], results) if event.rounds else None
    title = f"{event.game}/title"
    return EventShown(event.id, event.name, title, event.planned, event.system, event.size, lines, last)


def round_shown(event: Event, played: Round, held: Iterable[Held]) -> RoundShown:
    """Who sits where, and how it went where it is over."""
    results = results_of(event, held)
    pairs = []
    for placing in played.placings:
        one = results.get((played.number, placing.table))
        if one is None:
            pairs.append(Pair(placing.table, placing.players))
            continue
        points = {player.name: player.points for player in one.result.players}
        made = tuple(points[name] for name in placing.players)
        entered = placing.entered is not None
        pairs.append(Pair(placing.table, placing.players, made, one.result.game_id, one.corrected, entered))
    title = f"{played.game or event.game}/title"
    return RoundShown(played.number, tuple(pairs), played.byes, played.began, played.minutes, played.ended, title)
