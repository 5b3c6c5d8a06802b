"""Every move that stands, in words: retained page by page, so that whoever joins at the hundredth hears all of them at once and
whoever was there hears only the page that changed."""

from __future__ import annotations

from companion.core.session import Done, Session
from companion.wire.bus import Bus
from companion.wire.game_log import LogLine, LogPage

LINES = 24
"""On one page. A page that is not full is the last."""


class Log:
    """Tells each page when it has changed; undo takes lines away again."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._said: list[tuple[int, ...]] = []
        """Page by page, the rows last told on it."""
        self._game = ""

    def publish(self, session: Session | None) -> None:
        """Everything that is not told yet."""
        game = session.game if session is not None else ""
        if game != self._game:
            self._take_away()
            self._game = game
        if session is None:
            return
        done = session.done
        count = len(done) // LINES + 1  # a full page is followed by an empty one, which ends the log
        for number in range(max(count, len(self._said))):
            here = done[number * LINES : (number + 1) * LINES]
            rows = tuple(one.row.seq for one in here)
            if number < len(self._said) and self._said[number] == rows:
                continue
            self._bus.publish(f"log/{number}", LogPage(game=session.game, page=number, lines=tuple(map(_line, here))))
            self._said[number : number + 1] = [rows]

    def _take_away(self) -> None:
        """What happened in a game that is over is not told to whoever comes next."""
        for number in range(len(self._said)):
            self._bus.publish(f"log/{number}", b"")
        self._said = []


def _line(done: Done) -> LogLine:
    return LogLine(seq=done.row.seq, seat=done.seat, said=done.said, cause=done.row.cause, ts=done.row.ts)
