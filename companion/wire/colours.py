"""The colours of seats: any at most tables, those of its pieces in a game whose pieces have their own."""

from __future__ import annotations

from collections.abc import Sequence


def of_the_pieces(wanted: Sequence[str], colours: Sequence[str]) -> list[str]:
    """The colours of seats in a game whose pieces have colours of their own: as wished where the box has them, else the next
    one left; `colours` empty: any will do."""
    if not colours:
        return list(wanted)
    kept = [colour if colour in colours and colour not in wanted[:i] else "" for i, colour in enumerate(wanted)]
    free = [colour for colour in colours if colour not in kept]
    return [colour or (free.pop(0) if free else "") for colour in kept]
