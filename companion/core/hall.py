"""What the table tells the hall, and hears from it: `score` with every change, `result` until the hall has it on disk.

The journal is the truth: after any kill it says which games have ended. What the hall has stored is noted beside it; if that
note is lost everything is told again, and the hall knows it already.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from companion.game import Tally, Text
from companion.past.history import Sat, play_of, sat
from companion.wire.files import read_file, write_private
from companion.wire.hall import (
    LARGEST_SCORE,
    Call,
    HallHere,
    HallMessage,
    Pairing,
    PlayerResult,
    Result,
    SeatScore,
    Stored,
    TableScore,
)
from companion.wire.messages import Notice, SeatInfo, State
from companion.wire.topics import encode

if TYPE_CHECKING:
    from companion.core.table import Table

log = logging.getLogger("tableside.hall")

NOTED = "hall-stored.json"
AGAIN = 30.0
"""Seconds after which an unstored result is said again: its receipt may have been lost on the way."""


class _Noted(msgspec.Struct):
    """What the hall has on disk, as far as we know."""

    hall: str = ""
    stored: dict[str, tuple[int, bool]] = {}
    """Game -> the row it was told at, and whether it stood."""


class HallDesk:
    """The table's side of the hall; without `[hall]` it does nothing."""

    def __init__(self, table: Table) -> None:
        self._table, self._bus = table, table.bus
        self.joined = bool(table.config.hall.name)
        self._path = table.config.state_dir / NOTED
        self._noted = _Noted()
        self._score: TableScore | None = None
        self._waiting: dict[str, Result] = {}
        """Results the hall has not stored yet, oldest first."""
        self._said: Result | None = None
        self._due = 0.0
        self._pairing, self._call, self._message = Pairing(), Call(kind="none"), HallMessage()
        if not self.joined:
            return
        try:
            self._noted = msgspec.json.decode(read_file(self._path), type=_Noted)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            log.info("nothing is known of what the hall has stored: it is told everything")
        self._look_back()
        self._bus.subscribe("hall/here", self._on_here)
        self._bus.subscribe("hall/stored", self._on_stored)
        for topic in ("pairing", "call", "message"):
            self._bus.subscribe(f"hall/{topic}", self._on_word)

    # out -------------------------------------------------------------------------------------------------------

    def tell(self, state: State) -> None:
        """How the table stands now; called with every state that is announced."""
        if not self.joined:
            return
        score = self._score_of(state)
        if self._score is None or msgspec.structs.replace(score, ts=self._score.ts) != self._score:
            self._score = score
            self._bus.publish("score", score)
        seq, stood = self._noted.stored.get(state.game_id, (0, False))
        if state.tally is not None:
            session = self._table.session
            assert session is not None
            last = session.done[-1].row if session.done else session.first
            self._wait(
                _result(
                    state.game, state.game_id, state.seq, (session.first.ts, last.ts), state.tally, _robots(state.seats)
                )
            )
        elif state.game_id in self._waiting or (stood and seq < state.seq):  # the end was taken back
            self._wait(
                Result(
                    game=state.game, game_id=state.game_id, seq=state.seq, began=0, ended=0, players=(), stands=False
                )
            )
        self._say()

    def step(self, now: float) -> None:
        """By the clock: what has no receipt is said again."""
        if self._said is not None and now >= self._due:
            self._said = None
            self._due = now + AGAIN
            self._say()

    def _score_of(self, state: State) -> TableScore:
        table, session = self._table, self._table.session
        common: dict[str, Any] = {"phase": state.phase, "title": table.config.table.name, "ts": state.ts}
        if session is None or not state.game:
            return TableScore(**common)
        moment, view = session.moment, session.moment.public.view
        points = {player.seat: player.points for player in view.players}
        most = max((some for some in points.values() if some is not None), default=None)
        score = TableScore(
            **common,
            game=state.game,
            game_name=session.pack.title(),
            game_id=state.game_id,
            seq=state.seq,
            round=view.round,
            turn=moment.ask.seat if view.turn is None else view.turn,
            seats=tuple(
                SeatScore(name=seat.name, colour=seat.colour, points=points.get(seat.seat), robot=bool(seat.bot))
                for seat in state.seats
            ),
            lead=state.tally.winners
            if state.tally
            else tuple(seat for seat, some in points.items() if most is not None and some == most),
        )
        return _within(score)

    def _look_back(self) -> None:
        """Games that ended since the table joined and that the hall may not have, out of the journal."""
        found: list[Result] = []
        for first, end in self._table.journal.each_game():
            play = play_of(self._table.journal, first, end)
            if end is None or play is None or play.ended < self._table.config.hall.since:
                continue
            if self._noted.stored.get(play.id, (-1, False))[0] < end.seq:
                when = (play.began, play.ended)
                found.append(_result(play.game, play.id, end.seq, when, play.tally, _robots(sat(first))))
        self._waiting = {result.game_id: result for result in reversed(found)}

    def _wait(self, result: Result) -> None:
        if self._noted.stored.get(result.game_id, (-1, False))[0] < result.seq:
            self._waiting[result.game_id] = result

    def _say(self) -> None:
        first = next(iter(self._waiting.values()), None)
        if first == self._said:
            return
        if first is not None:
            self._bus.publish("result", first)
        else:
            self._bus.forget("result")
        self._said = first

    # in --------------------------------------------------------------------------------------------------------

    def _on_here(self, topic: str, message: Any) -> None:
        here: HallHere = message
        if here.hall != self._noted.hall:
            self._noted = _Noted(here.hall)
            self._note()
            self._look_back()
            self._table.publish(())

    def _on_stored(self, topic: str, message: Any) -> None:
        stored: Stored = message
        waiting = self._waiting.get(stored.game_id)
        if waiting is None or stored.hall != self._noted.hall or stored.seq < waiting.seq:
            return
        self._noted.stored[stored.game_id] = (waiting.seq, waiting.stands)
        del self._waiting[stored.game_id]
        self._note()
        self._say()

    def _note(self) -> None:
        try:
            write_private(self._path, msgspec.json.encode(self._noted))
        except OSError as wrong:
            log.warning("%s cannot be written (%s): after the next start results are told again", NOTED, wrong.strerror)

    def _on_word(self, topic: str, message: Any) -> None:
        before = self.notices
        match message:
            case Pairing():
                self._pairing = message
            case Call():
                self._call = message
            case HallMessage():
                self._message = message
        if self.notices != before:
            self._table.publish(())

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What the organiser says, as the table shows it."""
        found: list[Notice] = []
        if self._call.kind != "none":
            found.append(Notice(id="hall-call", text=Text(f"hall/call-{self._call.kind}"), kind="warn"))
        if self._pairing.players:
            pairing, players = self._pairing, ", ".join(self._pairing.players)
            told = Text("hall/pairing", {"event": pairing.event, "round": pairing.round, "players": players})
            found.append(Notice(id="hall-pairing", text=told))
        if self._message.text:
            found.append(Notice(id="hall-message", text=Text("hall/message", {"text": self._message.text})))
        return tuple(found)


def _result(game: str, game_id: str, seq: int, when: tuple[float, float], tally: Tally, robots: set[int]) -> Result:
    return Result(
        game=game,
        game_id=game_id,
        seq=seq,
        began=when[0],
        ended=when[1],
        players=tuple(
            PlayerResult(
                seat=player.seat,
                name=player.name,
                points=player.total,
                won=player.seat in tally.winners,
                robot=player.seat in robots,
            )
            for player in tally.players
        ),
        highest_wins=tally.highest_wins,
    )


def _robots(seats: tuple[SeatInfo | Sat, ...]) -> set[int]:
    return {seat.seat for seat in seats if seat.bot}


def _within(score: TableScore) -> TableScore:
    """The score in no more bytes than the hall takes: long names are cut."""
    longest = 40
    while len(encode(score)) > LARGEST_SCORE and longest > 1:
        longest //= 2
        seats = tuple(msgspec.structs.replace(seat, name=seat.name[:longest].strip()) for seat in score.seats)
        score = msgspec.structs.replace(score, seats=seats, title=score.title[:longest].strip())
    return score
