"""The name of whoever sits at a seat, from the phone or the screen to every row, tally and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from companion.core.table import Table


def rename(table: Table, seat: int, *, sender: str, **changed: str) -> None:
    """Whoever sits there is called this from now on, in everything this game tells, and in the next set-up.

    Raises `JournalUnusableError`: then the name is as it was.
    """
    session = table.session
    if session is None:
        return
    named = msgspec.structs.replace(session.seats[seat], **changed)
    if named != session.seats[seat]:
        table.session = session = session.rename(named, sender=sender)
        table.owner.remember_players([msgspec.to_builtins(one) for one in session.seats])
