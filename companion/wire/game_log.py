"""The log of a game as it travels: what happened, move by move."""

from __future__ import annotations

from companion.game import Text
from companion.wire.messages import Message, Seat


class LogLine(Message, frozen=True):
    """One move that stands: what it did, sentence by sentence, and when."""

    seq: int
    seat: Seat | None = None
    said: tuple[Text, ...] = ()
    cause: str = ""
    ts: float = 0.0


class LogPage(Message, frozen=True):
    """Some of a game's moves, in order. Pages of another game are old; a page that is not full is the last."""

    game: str
    page: int
    lines: tuple[LogLine, ...] = ()
