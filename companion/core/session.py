"""One game in play: the pack, its state rebuilt from the journal, and what may be taken back."""

from __future__ import annotations

import contextlib
import secrets as chance
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.guard import Guarded, PackFailedError
from companion.core.moment import Moment, check_events, checked_tally, moment
from companion.core.registry import pack as find_pack
from companion.core.stopwatch import HINT, UNTAUGHT, Stopwatch, clock_row, goes_on
from companion.core.telling import told
from companion.game import Outcome, RuleBroken, Text
from companion.journal.store import Entry, Journal, Kind, Row
from companion.wire.messages import SeatInfo
from companion.wire.names import clean


class Done(msgspec.Struct, frozen=True):
    """A move that stands."""

    row: Row
    before: Any
    reveals: bool
    seat: int | None
    said: tuple[Text, ...] = ()
    """What it did, in words everybody may hear."""
    learnt: Mapping[str, Any] = {}
    """What it told of the owner's copy: a printed value put right, or seen for the first time."""


class Session:
    """The loop of docs/design.md §2, without the wire: rules, then disk, then the world."""

    def __init__(self, journal: Journal, first: Row, seats: tuple[SeatInfo, ...] = ()) -> None:
        self.journal, self.first = journal, first
        self.game = first.game
        self.pack: Guarded = find_pack(first.body["pack"])
        self.seats = seats or seated([first])
        self.options: dict[str, Any] = first.body["options"] | {"names": [seat.name for seat in self.seats]}
        self.state = self.pack.new(self.options, first.body["box"])
        self.mat, self.dial = self.pack.mat(len(self.seats)), self.pack.dial()
        self.done: list[Done] = []
        self.seq = 1
        self.requests: dict[str, int] = {}
        self.clock = Stopwatch(first, len(self.seats))
        self.aside: set[int] = set()
        """Rows by which nobody moved: somebody was given another name, or the clock was stopped."""
        self.untaught = False
        """The lesson of a first game was left."""
        self.hints = [0] * len(self.seats)
        """Hints counted so far, by seat; one for each decision they were asked for."""
        self._hinted: int | None = None
        self.ended = False
        self.left_out = 0
        """Moves on disk that today's rules refuse, or that rest on one they refuse."""
        self.refused: int | None = None
        """The first row of those that was not passed over yet."""
        self._moment: Moment | None = None

    @property
    def moment(self) -> Moment:
        """The present position with all that is said about it, asked of the pack once."""
        if self._moment is None:
            self._moment = moment(self.pack, self.state, len(self.seats))
        return self._moment

    @property
    def box(self) -> dict[str, Any]:
        """The owner's corrections as this game has them: those it began with, and those made since."""
        made = (done.learnt for done in self.done)
        return {**self.first.body["box"], **{key: value for one in made for key, value in one.items()}}

    @classmethod
    def start(
        cls,
        journal: Journal,
        game: str,
        options: Mapping[str, Any],
        box: Mapping[str, Any],
        seats: tuple[SeatInfo, ...],
        *,
        sender: str = "",
        after: Session | None = None,
    ) -> Session:
        """A new game; its first row holds everything needed to begin it again, and puts the game before it away. Wrong options
        (`ValueError`), or a pack that cannot say everything about its first position, are refused before anything is on disk."""
        pack = find_pack(game)
        names = tuple(seat.name for seat in seats)
        body = {
            "pack": game,
            "options": msgspec.to_builtins({**options, "names": names}),
            "box": dict(box),
            "seats": msgspec.to_builtins(seats),
        }
        moment(pack, pack.new(body["options"], body["box"]), len(seats))
        pack.mat(len(seats)), pack.dial()  # one that cannot be said is refused before anything is on disk
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{chance.token_hex(3)}"
        return cls(journal, _instead_of(after, journal, Entry(name, "new", body, sender)))

    @classmethod
    def resume(cls, journal: Journal, game: str, *, as_far_as_it_goes: bool = False) -> Session:
        """The game as the journal tells it.

        A row that the rules refuse today is where it stops. So is one at which the pack fails, if the players want the game as
        far as it goes; otherwise that raises `PackFailedError`, and the rows wait for a mended version.
        """
        rows = journal.rows(game)
        session = cls(journal, rows[0], seated(rows))
        passed = [_without(row) for row in rows if row.kind == "resume"]
        stops = (RuleBroken, msgspec.ValidationError, *((PackFailedError,) if as_far_as_it_goes else ()))
        for row in rows[1:]:
            session._replay(row, stops, passed_over=any(row.seq in rest for rest in passed))
        if as_far_as_it_goes:
            session._back_to_a_good_moment()
        return session

    def caught_up(self, rows: list[Row]) -> bool:
        """Follow what was played or taken back since; `False` where anything else was written: then it is told anew."""
        since = rows[self.seq :]
        same = rows and rows[0] == self.first and len(rows) >= self.seq and self.refused is None and not self.ended
        if not same or any(row.kind not in ("move", "undo") for row in since):
            return False
        for row in since:
            self._replay(row, (RuleBroken, msgspec.ValidationError), passed_over=False)
        self._moment = None if since else self._moment
        return True

    def _back_to_a_good_moment(self) -> None:
        """Leave out the last moves until everything can be said about the position before them."""
        while True:
            try:
                self._moment = moment(self.pack, self.state, len(self.seats))
                return
            except PackFailedError as failed:
                if failed.how == "slow" or not self.done:
                    raise
                last = self.done.pop()
                self.state, self.refused = last.before, last.row.seq
                self.left_out += 1

    def _replay(self, row: Row, stops: tuple[type[Exception], ...], *, passed_over: bool) -> None:
        self._wrote(row)
        if goes_on(row):
            self.aside.add(row.seq)
            self.untaught = self.untaught or UNTAUGHT.items() <= row.body.items()
            self._count_hint(row.body.get(HINT))
        if passed_over or self.refused is not None:
            self.left_out += row.kind == "move"
            return
        if row.kind == "move":
            try:
                with self.pack.watched():
                    move = self.pack.decode(row.body)
                    outcome = self.pack.play(self.state, move)
                    said = told(self.pack, move, outcome)
                self._apply(row, outcome, said)
            except stops:
                self.left_out += 1
                self.refused = row.seq
        elif row.kind == "undo" and self.done:
            self.state = self.done.pop().before
        elif row.kind in ("end", "resume"):
            self.ended = row.kind == "end"
        elif row.kind == "seat":
            self.aside.add(row.seq)

    def _apply(self, row: Row, outcome: Outcome, said: tuple[Text, ...]) -> None:
        seat = row.body.get("seat")
        seat = seat if isinstance(seat, int) and 0 <= seat < len(self.seats) else None
        learnt, key = dict(outcome.learnt), row.body.get("key")
        if row.body.get("kind") == "box" and isinstance(key, str) and "value" in row.body:
            learnt[key] = row.body["value"]
        self.done.append(Done(row, self.state, outcome.reveals, seat, said, learnt))
        self.state = outcome.state

    def play(self, move: Mapping[str, Any], *, sender: str, cause: str, request: str = "") -> Outcome:
        """Rules first, then disk. The move is tried out: everything about the position it leads to can be said before it counts.

        Raises `RuleBroken`, `msgspec.ValidationError`, `PackFailedError` or `JournalUnusableError`, with nothing changed.
        """
        with self.pack.watched():
            typed = self.pack.decode(move)
            outcome = self.pack.play(self.state, typed)
            check_events(self.pack, outcome.events, len(self.seats))
            after = moment(self.pack, outcome.state, len(self.seats))
            body = self.pack.encode(typed)
            self._check_readable(body)
            said = told(self.pack, typed, outcome)
        self._apply(self._write("move", body, sender=sender, cause=cause, request=request), outcome, said)
        self._moment = after
        return outcome

    def _check_readable(self, body: dict[str, Any]) -> None:
        """A row that cannot be read back would end the game at the next start, and every move after it with it."""
        try:
            self.pack.decode(body)
        except (RuleBroken, msgspec.ValidationError) as wrong:
            raise self.pack.failed("nonsense", f"a move it cannot read back: {wrong} (in encode)") from wrong

    def undo(self, *, sender: str, cause: str, request: str = "") -> Done:
        """Take the last move back; the journal only grows. Raises `PackFailedError` or `JournalUnusableError`."""
        last = self.done[-1]
        before = moment(self.pack, last.before, len(self.seats))
        self._write("undo", {"seq": last.row.seq}, sender=sender, cause=cause, request=request)
        self.done.pop()
        self.state, self._moment = last.before, before
        return last

    def rename(self, seat: SeatInfo, *, sender: str) -> Session:
        """The game with another name at this seat, from its first row on: tally, history and exports know no other.

        Raises `JournalUnusableError` with nothing changed. A pack that cannot tell its game anew keeps the name it began with.
        """
        self.aside.add(self._write("seat", msgspec.to_builtins(seat), sender=sender).seq)
        with contextlib.suppress(PackFailedError, ValueError):
            anew = Session.resume(self.journal, self.game)
            if anew.left_out == self.left_out:
                return anew
        self.seats = tuple(seat if one.seat == seat.seat else one for one in self.seats)
        return self

    def stop_clock(self, *, sender: str, stopped: bool) -> None:
        """Stop the clock, or let it run on; raises `JournalUnusableError` with nothing changed."""
        if stopped != self.clock.stopped:
            self.aside.add(self._write("resume", clock_row(stopped=stopped), sender=sender).seq)

    def leave_lesson(self, *, sender: str) -> None:
        """From here on it is a game like any other; raises `JournalUnusableError` with nothing changed."""
        if not self.untaught:
            self.aside.add(self._write("resume", dict(UNTAUGHT), sender=sender).seq)
            self.untaught = True

    def given_hint(self, seat: int, *, sender: str) -> None:
        """Count a hint, once a decision; raises `JournalUnusableError` with nothing changed."""
        if self._hinted != len(self.done):
            self.aside.add(self._write("resume", {HINT: seat}, sender=sender).seq)
            self._count_hint(seat)

    def _count_hint(self, seat: Any) -> None:
        if isinstance(seat, int) and 0 <= seat < len(self.hints):
            self.hints[seat] += 1
            self._hinted = len(self.done)

    def end(self, *, sender: str) -> None:
        """Close the game with its tally; it then belongs to the history. One without a tally can be put away all the same."""
        self._write("end", self._result(), sender=sender)
        self.ended = True

    def _result(self) -> dict[str, Any]:
        body: dict[str, Any] = {"tally": {}, "over": False, "chart": [], "moves": len(self.done)}
        body |= {"seats": msgspec.to_builtins(self.seats), "spent": self.clock.told().spent}
        with contextlib.suppress(PackFailedError):
            tally = self.moment.tally or checked_tally(self.pack, self.state, len(self.seats))
            body["tally"] = msgspec.to_builtins(tally)
            body |= {"over": self.moment.over, "chart": self.moment.public.view.chart}
        return body

    def reopen(self, *, sender: str, after: Session | None = None) -> None:
        """Go on with a game that was put away; the one on the table is put away for it."""
        self._wrote(_instead_of(after, self.journal, Entry(self.game, "resume", {}, sender)))
        self.ended = False

    def _write(self, kind: Kind, body: dict[str, Any], *, sender: str, cause: str = "", request: str = "") -> Row:
        """The next row."""
        for passing in self._passing_over():
            self._wrote(self.journal.append(passing.game, passing.kind, passing.body, sender=passing.sender))
            self.refused = None
        row = self.journal.append(self.game, kind, body, sender=sender, cause=cause, request=request)
        self._wrote(row)
        return row

    def _passing_over(self) -> list[Entry]:
        """What today's rules refused is passed over from the next row on, also by rules to come: otherwise what is played
        now would be left out with it at the next start."""
        return [] if self.refused is None else [Entry(self.game, "resume", {"without": self.refused}, "companion")]

    def _wrote(self, row: Row) -> None:
        self.seq = row.seq + 1
        self.clock.row(row)
        if row.request:
            self.requests[f"{row.sender}:{row.request}"] = row.seq


def seated(rows: Sequence[Row]) -> tuple[SeatInfo, ...]:
    """Who sits where: as the game began, and as its rows have renamed them since. `ValueError` when chairs are out of order."""
    seats = list(msgspec.convert(rows[0].body["seats"], tuple[SeatInfo, ...]))
    if [seat.seat for seat in seats] != list(range(len(seats))):
        raise ValueError("seats: they are not numbered from the first to the last")
    for row in rows:
        if row.kind == "seat":
            renamed = msgspec.convert(row.body, SeatInfo)
            seats[renamed.seat : renamed.seat + 1] = [renamed] if renamed.seat < len(seats) else []
    return tuple(msgspec.structs.replace(seat, name=clean(seat.name)) for seat in seats)


class _Resumed(msgspec.Struct):
    """What a `resume` row says."""

    without: int | None = None


def _without(row: Row) -> range:
    """The numbers of the rows that a game was taken up without."""
    first = msgspec.convert(row.body, _Resumed).without
    return range(row.seq if first is None else first, row.seq)


def _instead_of(before: Session | None, journal: Journal, entry: Entry) -> Row:
    """Write a game's row and, in the same moment, the end of the one on the table: a power cut leaves one or the other open."""
    if before is None or before.ended:
        return journal.together(entry)[-1]
    end = Entry(before.game, "end", before._result(), entry.sender)
    *ending, row = journal.together(*before._passing_over(), end, entry)
    before._wrote(ending[-1])
    before.refused, before.ended = None, True
    return row
