"""What the organiser can do, each act one step in the trail that can be undone.

An act says what is wished, as plain values; `Desk.do` finds out what that means for the event and gives it to the store.
What tables are told of their pairings follows from the event: it is put right after every act and every undo.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from companion.wire import announced
from companion.wire.hall import Call, HallMessage, Line, Name, Pairing, PlayerResult, Points, TableName
from companion.wire.messages import Message, Word
from companion.wire.names import clean, printable
from hall import pairing, rounds
from hall.event import Entered, Entrant, Event, EventId, Placing, Round
from hall.messages import ALL
from hall.standings import best_points, standings
from hall.store import Act

if TYPE_CHECKING:
    from hall.database import Database

WHO = "organiser"
Minutes = Annotated[int, msgspec.Meta(ge=0, le=1440)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=400)]


class Told(msgspec.Struct, frozen=True):
    """What the organiser's page needs besides what everybody sees."""

    trail: tuple[Act, ...]
    games: tuple[str, ...]
    undone: tuple[int, ...]


class RefusedError(Exception):
    """It cannot be done now; `key` says why, for the page to say in its language."""

    def __init__(self, key: str, **params: str | int) -> None:
        super().__init__(key)
        self.key, self.params = key, params


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", kw_only=True):
    """The base of what can be wished."""


class NewEvent(Wish, frozen=True, tag="event"):
    name: Line
    game: Word
    players: Names
    system: Literal["swiss", "round robin"] = "swiss"
    size: Annotated[int, msgspec.Meta(ge=2, le=4)] = 4
    planned: Annotated[int, msgspec.Meta(ge=1, le=99)] = 6


class AddPlayers(Wish, frozen=True, tag="players"):
    event: EventId
    players: Names


class PairRound(Wish, frozen=True, tag="pair"):
    event: EventId
    minutes: Minutes = 0
    game: Word = ""


class StartRound(Wish, frozen=True, tag="start"):
    event: EventId


class EndRound(Wish, frozen=True, tag="end"):
    event: EventId


class GiveBye(Wish, frozen=True, tag="bye"):
    event: EventId
    player: Name


class Leave(Wish, frozen=True, tag="leave"):
    """A player goes, or is back."""

    event: EventId
    player: Name
    away: bool = True


class CallTable(Wish, frozen=True, tag="call"):
    call: Call
    table: TableName


class Say(Wish, frozen=True, tag="say"):
    """To one table, or to all."""

    text: Line
    table: TableName = ALL


class Correct(Wish, frozen=True, tag="correct"):
    table: TableName
    game_id: Annotated[str, msgspec.Meta(max_length=80)]
    points: Annotated[dict[Name, Points], msgspec.Meta(min_length=1, max_length=8)]


class Enter(Wish, frozen=True, tag="enter"):
    """How a table of a round ended, where the table could not tell; nobody's points: what was entered is taken back."""

    event: EventId
    round: Annotated[int, msgspec.Meta(ge=1, le=99)]
    table: TableName
    points: Annotated[dict[Name, Points], msgspec.Meta(max_length=8)] = {}


class Undo(Wish, frozen=True, tag="undo"):
    act: int


OnEvent = AddPlayers | PairRound | StartRound | EndRound | GiveBye | Leave | Enter
AnyWish = NewEvent | OnEvent | CallTable | Say | Correct | Undo


def one_line(text: str) -> str:
    """As somebody wrote it, without what would steer a screen."""
    return " ".join(printable(text, but="\n\t").split())


def tables_in_order(names: Sequence[str]) -> list[str]:
    """Table 2 before table 10."""
    return sorted(names, key=lambda name: [(not part.isdigit(), part.zfill(9)) for part in re.split(r"(\d+)", name)])


class Desk:
    """The organiser's acts on the store. `tables`: those that are here, for the next round."""

    def __init__(
        self, store: Database, tables: Callable[[], Sequence[str]], clock: Callable[[], float] = time.time
    ) -> None:
        self.store, self._tables, self._clock = store, tables, clock

    def do(self, wish: AnyWish) -> int:
        """Gives the number of the act."""
        act = self._done(wish)
        self.put_right()
        return act

    def _done(self, wish: AnyWish) -> int:
        store = self.store
        match wish:
            case NewEvent():
                return self._new(wish)
            case Undo():
                return store.undo(wish.act, WHO)
            case CallTable():
                call = msgspec.structs.replace(wish.call, ts=self._clock())
                return store.say({f"hall/{wish.table}/call": call}, WHO, f"call {wish.table} {call.kind}")
            case Say():
                said = HallMessage(text=one_line(wish.text), ts=self._clock())
                return store.say({f"hall/{wish.table}/message": said}, WHO, f"say {wish.table} {said.text}")
            case Correct():
                return self._correct(wish)
        event, version = self._event(wish.event)
        changed, what = self._changed(event, wish)
        return store.save_event(changed, version, WHO, what)

    def _changed(self, event: Event, wish: OnEvent) -> tuple[Event, str]:
        match wish:
            case AddPlayers():
                return added(event, wish.players), f"players {', '.join(wish.players)}"
            case PairRound():
                held = self.store.results()
                lines = [line for line in standings(event, held) if not line.away]
                order, points = [line.name for line in lines], [line.points for line in lines]
                made = paired(event, order, points, wish, self._tables(), self._clock())
                return made, f"pair {made.rounds[-1].number}"
            case StartRound():
                return _last(event, began=self._clock()), f"start {len(event.rounds)}"
            case EndRound():
                return _last(event, ended=self._clock()), f"end {len(event.rounds)}"
            case GiveBye():
                return bye(event, wish.player), f"bye {wish.player}"
            case Enter():
                return entered(event, wish, self._clock()), f"enter {wish.table}: {_told(wish.points)}"
            case Leave():
                return left(event, wish.player, wish.away), f"{'leave' if wish.away else 'back'} {wish.player}"

    def _event(self, wanted: str) -> tuple[Event, int]:
        for event, version in self.store.events():
            if event.id == wanted:
                return event, version
        raise RefusedError("hall/refuse/no-event")

    def _new(self, wish: NewEvent) -> int:
        known = {event.id for event, _ in self.store.events()}
        stem = re.sub(r"[^a-z0-9]+", "-", wish.name.lower()).strip("-")[:30] or "event"
        names = (f"{stem}-{number}" if number else stem for number in range(1000))
        name = next(name for name in names if name not in known)
        if wish.game not in announced.names():
            raise RefusedError("hall/refuse/no-game")
        event = Event(
            id=name,
            name=one_line(wish.name) or name,
            game=wish.game,
            system=wish.system,
            size=wish.size,
            planned=wish.planned,
        )
        return self.store.save_event(added(event, wish.players), 0, WHO, f"event {event.name}")

    def _correct(self, wish: Correct) -> int:
        for held in self.store.results():
            if held.table != wish.table or held.result.game_id != wish.game_id:
                continue
            result = held.result
            if {player.name for player in result.players} != set(wish.points):
                raise RefusedError("hall/refuse/other-players")
            best = best_points(wish.points.values(), result.highest_wins)
            players = tuple(
                PlayerResult(
                    seat=player.seat,
                    name=player.name,
                    points=wish.points[player.name],
                    won=wish.points[player.name] == best,
                    robot=player.robot,
                )
                for player in result.players
            )
            what = f"correct {wish.table}: {_told(wish.points)}"
            return self.store.correct(
                wish.table, wish.game_id, msgspec.structs.replace(result, players=players), WHO, what
            )
        raise RefusedError("hall/refuse/no-result")

    def put_right(self) -> None:
        """What tables are told of their pairings, as the events have it now; nothing where it is right already."""
        wanted: dict[str, Pairing] = {}
        for event, _ in self.store.events():
            if event.rounds and not event.rounds[-1].ended:
                played = event.rounds[-1]
                ends = played.began + 60 * played.minutes if played.began and played.minutes else 0.0
                for placing in played.placings:
                    wanted[f"hall/{placing.table}/pairing"] = Pairing(
                        event=event.name,
                        round=played.number,
                        players=placing.players,
                        game=played.game or event.game,
                        ends=ends,
                    )
        said = {
            topic: msgspec.json.decode(payload, type=Pairing)
            for topic, payload in self.store.sayings().items()
            if topic.endswith("/pairing")
        }
        for topic in said:
            wanted.setdefault(topic, Pairing())
        changed: dict[str, Message] = {topic: one for topic, one in wanted.items() if said.get(topic) != one}
        if changed:
            self.store.say(changed, "hall", "pairings")


def added(event: Event, names: Sequence[str]) -> Event:
    """With more players; nobody twice, and nobody without a name."""
    known = {entrant.name.casefold() for entrant in event.entrants}
    entrants = list(event.entrants)
    for name in map(clean, names):
        if name and name.casefold() in known:
            raise RefusedError("hall/refuse/name-twice", name=name)
        if name:
            known.add(name.casefold())
            entrants.append(Entrant(name=name))
    if len(entrants) > 400:
        raise RefusedError("hall/refuse/too-many")
    return msgspec.structs.replace(event, entrants=tuple(entrants))


def paired(
    event: Event, order: Sequence[str], points: Sequence[int], wish: PairRound, tables: Sequence[str], now: float
) -> Event:
    """With its next round; `order`: the players who are here, from first to last."""
    if event.rounds and not event.rounds[-1].ended:
        raise RefusedError("hall/refuse/round-on")
    if len(order) < 2:
        raise RefusedError("hall/refuse/too-few")
    # the first round in the order of entry: nobody stands anywhere yet
    if not event.rounds:
        here = set(order)
        order = [entrant.name for entrant in event.entrants if entrant.name in here]
    sizes = pairing.allowed(event.size, len(order))
    before = [rounds.Round(tuple(one.players for one in played.placings), played.byes) for played in event.rounds]
    if event.system == "round robin":
        every = pairing.everybody(
            [entrant.name for entrant in event.entrants if entrant.name in set(order)], event.size, sizes
        )
        left_over = [one for one in every if one not in before]
        if not left_over:
            raise RefusedError("hall/refuse/all-met")
        made = left_over[0]
    else:
        made = pairing.swiss(
            order, points, before, size=event.size, sizes=sizes, rounds=max(event.planned, len(before) + 1)
        )
    free = tables_in_order(tables)
    if len(free) < len(made.tables):
        raise RefusedError("hall/refuse/tables", n=len(made.tables), here=len(free))
    placings = tuple(Placing(table=table, players=players) for table, players in zip(free, made.tables, strict=False))
    played = Round(
        number=len(before) + 1, placings=placings, byes=made.byes, game=wish.game, made=now, minutes=wish.minutes
    )
    return msgspec.structs.replace(event, rounds=(*event.rounds, played))


def entered(event: Event, wish: Enter, now: float) -> Event:
    """With the organiser's word on one table of a round, or without it."""
    played = next((one for one in event.rounds if one.number == wish.round), None)
    placing = next((one for one in played.placings if one.table == wish.table), None) if played else None
    if played is None or placing is None:
        raise RefusedError("hall/refuse/no-round")
    if wish.points and set(wish.points) != set(placing.players):
        raise RefusedError("hall/refuse/other-players")
    word = Entered(points=tuple(wish.points[name] for name in placing.players), at=now) if wish.points else None
    changed = msgspec.structs.replace(placing, entered=word)
    placings = tuple(changed if one is placing else one for one in played.placings)
    rounds_ = tuple(msgspec.structs.replace(one, placings=placings) if one is played else one for one in event.rounds)
    return msgspec.structs.replace(event, rounds=rounds_)


def _told(points: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {some:g}" for name, some in points.items())


def _last(event: Event, **changes: float) -> Event:
    if not event.rounds or event.rounds[-1].ended or ("began" in changes) == bool(event.rounds[-1].began):
        raise RefusedError("hall/refuse/no-round")
    played = msgspec.structs.replace(event.rounds[-1], **changes)
    return msgspec.structs.replace(event, rounds=(*event.rounds[:-1], played))


def bye(event: Event, name: str) -> Event:
    """Somebody sits this round out; who is left alone at a table does too."""
    if not event.rounds or event.rounds[-1].ended:
        raise RefusedError("hall/refuse/no-round")
    played = event.rounds[-1]
    table = next((one for one in played.placings if name in one.players), None)
    if table is None:
        raise RefusedError("hall/refuse/no-player", name=name)
    rest = tuple(player for player in table.players if player != name)
    placings = [msgspec.structs.replace(one, players=rest) if one is table else one for one in played.placings]
    if len(rest) < 2:
        placings = [one for one in placings if one.table != table.table]
    byes = (*played.byes, name, *(rest if len(rest) < 2 else ()))
    changed = msgspec.structs.replace(played, placings=tuple(placings), byes=byes)
    return msgspec.structs.replace(event, rounds=(*event.rounds[:-1], changed))


def left(event: Event, name: str, away: bool) -> Event:
    """Somebody goes, or is back: they are paired accordingly from the next round on."""
    if name not in {entrant.name for entrant in event.entrants}:
        raise RefusedError("hall/refuse/no-player", name=name)
    entrants = tuple(
        msgspec.structs.replace(entrant, away=away) if entrant.name == name else entrant for entrant in event.entrants
    )
    return msgspec.structs.replace(event, entrants=entrants)
