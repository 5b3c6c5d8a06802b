"""Which moment of a game a request answers, and whether that is still the present one."""

from __future__ import annotations

from itertools import takewhile

from companion.core.session import Done, Session
from companion.game import Ask
from companion.wire.messages import MoveRequest


def moved_on(session: Session, seat: int | None, request: MoveRequest) -> bool:
    """The prompt this request names is no longer asked; `seat` is the phone's, `None` the table's own screen."""
    if request.game not in ("", session.game):
        return True
    return not _unmoved(session, request.seq) and not _still_asked(session, seat, request.seq)


def _unmoved(session: Session, seq: int | None) -> bool:
    """Nothing was played since that row; at most somebody was given another name, or the clock was stopped."""
    return seq is None or (seq <= session.seq and _played_since(session, seq) == 0)


def _played_since(session: Session, seq: int) -> int:
    """Rows since that one, without those by which nobody moved. The number is a stranger's, and may be any."""
    return session.seq - seq - sum(row >= seq for row in session.aside)


def _still_asked(session: Session, seat: int | None, seq: int | None) -> bool:
    """Since that row only others have answered what several seats are asked at once: this seat's question still stands."""
    if seat is None or seq is None or not 0 <= seq <= session.seq:
        return False
    since = list(takewhile(lambda done: done.row.seq >= seq, reversed(session.done)))
    if len(since) != _played_since(session, seq):
        return False  # something was taken back
    ask = session.pack.ask
    return _names(session.moment.ask, seat) and all(_anothers(ask(done.before), done, seat) for done in since)


def _anothers(ask: Ask, done: Done, seat: int) -> bool:
    """Another seat made this move, while this one was asked too."""
    by = done.seat if done.seat is not None else ask.seat
    return _names(ask, seat) and by not in (None, seat)


def _names(ask: Ask, seat: int) -> bool:
    """Several are asked, and this seat is one of them."""
    return bool(ask.waiting) and (ask.seat == seat or seat in ask.waiting)
