"""One game in play: the pack, its state rebuilt from the journal, and what may be taken back."""

from __future__ import annotations

import secrets as chance
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.registry import pack as find_pack
from companion.game import Game, Outcome, RuleBroken
from companion.journal.store import Journal, Kind, Row
from companion.wire.messages import SeatInfo


class Done(msgspec.Struct, frozen=True):
    """A move that stands."""

    row: Row
    before: Any
    reveals: bool
    seat: int | None


class Session:
    """The loop of docs/design.md §2, without the wire: rules, then disk, then the world."""

    def __init__(self, journal: Journal, first: Row) -> None:
        self.journal, self.first = journal, first
        self.game = first.game
        self.pack: Game = find_pack(first.body["pack"])
        self.options: dict[str, Any] = first.body["options"]
        self.seats = msgspec.convert(first.body["seats"], tuple[SeatInfo, ...])
        self.state = self.pack.new(self.options, first.body["box"])
        self.done: list[Done] = []
        self.seq = 1
        self.requests: dict[str, int] = {}
        self.ended = False
        self.left_out = 0
        """Moves on disk that today's rules refuse, or that rest on one they refuse."""
        self.refused: int | None = None
        """The first row of those that was not passed over yet."""

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
    ) -> Session:
        """A new game; its first row holds everything needed to begin it again."""
        pack = find_pack(game)
        names = tuple(seat.name for seat in seats)
        body = {
            "pack": game,
            "options": msgspec.to_builtins({**options, "names": names}),
            "box": dict(box),
            "seats": msgspec.to_builtins(seats),
        }
        pack.new(body["options"], body["box"])  # refuses wrong options before anything is on disk
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{chance.token_hex(3)}"
        return cls(journal, journal.append(name, "new", body, sender=sender))

    @classmethod
    def resume(cls, journal: Journal, game: str) -> Session:
        """The game as the journal tells it."""
        rows = journal.rows(game)
        session = cls(journal, rows[0])
        passed = {n for row in rows if row.kind == "resume" for n in range(row.body.get("without", row.seq), row.seq)}
        for row in rows[1:]:
            session._replay(row, passed_over=row.seq in passed)
        return session

    def _replay(self, row: Row, *, passed_over: bool) -> None:
        self.seq = row.seq + 1
        if row.request:
            self.requests[f"{row.sender}:{row.request}"] = row.seq
        if passed_over or self.refused is not None:
            self.left_out += row.kind == "move"
            return
        if row.kind == "move":
            try:
                self._apply(row, self.pack.play(self.state, self.pack.decode(row.body)))
            except (RuleBroken, msgspec.ValidationError):
                self.left_out += 1
                self.refused = row.seq
        elif row.kind == "undo" and self.done:
            self.state = self.done.pop().before
        elif row.kind in ("end", "resume"):
            self.ended = row.kind == "end"

    def _apply(self, row: Row, outcome: Outcome) -> None:
        seat = row.body.get("seat")
        self.done.append(Done(row, self.state, outcome.reveals, seat if isinstance(seat, int) else None))
        self.state = outcome.state

    def play(self, move: Mapping[str, Any], *, sender: str, cause: str, request: str = "") -> Outcome:
        """Rules first, then disk; raises `RuleBroken`, `msgspec.ValidationError` or `JournalFullError`."""
        typed = self.pack.decode(move)
        outcome = self.pack.play(self.state, typed)
        body = self.pack.encode(typed)
        self._apply(self._write("move", body, sender=sender, cause=cause, request=request), outcome)
        return outcome

    def undo(self, *, sender: str, cause: str, request: str = "") -> Done:
        """Take the last move back; the journal only grows."""
        last = self.done[-1]
        self._write("undo", {"seq": last.row.seq}, sender=sender, cause=cause, request=request)
        self.done.pop()
        self.state = last.before
        return last

    def end(self, *, sender: str) -> None:
        """Close the game with its tally; it then belongs to the history."""
        tally = msgspec.to_builtins(self.pack.tally(self.state))
        chart = self.pack.view(self.state, None).get("chart") or []
        body = {"tally": tally, "over": self.pack.over(self.state), "chart": chart}
        self._write("end", body, sender=sender)
        self.ended = True

    def reopen(self, *, sender: str) -> None:
        """Go on with a game that was put away."""
        self._wrote(self.journal.reopen(self.game, sender=sender))
        self.ended = False

    def _write(self, kind: Kind, body: dict[str, Any], *, sender: str, cause: str = "", request: str = "") -> Row:
        """The next row. What today's rules refused is passed over from here on, also by rules to come: otherwise what is
        played now would be left out with it at the next start."""
        if self.refused is not None:
            self._wrote(self.journal.append(self.game, "resume", {"without": self.refused}, sender="companion"))
            self.refused = None
        row = self.journal.append(self.game, kind, body, sender=sender, cause=cause, request=request)
        self._wrote(row)
        return row

    def _wrote(self, row: Row) -> None:
        self.seq = row.seq + 1
        if row.request:
            self.requests[f"{row.sender}:{row.request}"] = row.seq
