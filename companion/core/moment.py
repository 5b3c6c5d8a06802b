"""One position with everything the table says about it, worked out once and tried out before anybody hears of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.core.answers import Sight
from companion.core.guard import Guarded
from companion.game import Ask, Event, Expected, Tally
from companion.panels import Panel


class Moment(msgspec.Struct, frozen=True):
    """What is asked, what the sensors should see, what everybody and each seat may see, and the tally once it stands."""

    ask: Ask
    expect: Expected
    public: Sight
    """What everybody may see."""
    own: tuple[Sight | None, ...]
    """By seat: what only it may see, `None` where that is no more than everybody sees."""
    panels: tuple[Panel, ...] = ()
    """What is shown to everybody beside the prompt."""
    own_panels: tuple[tuple[Panel, ...] | None, ...] = ()
    """By seat: what is shown to it in their place, `None` where that is the same."""
    tally: Tally | None = None
    """The game is over, and this is how it ended."""

    @property
    def over(self) -> bool:
        """The game has ended and its tally stands."""
        return self.tally is not None


def moment(pack: Guarded, state: Any, seats: int) -> Moment:
    """Ask the pack everything about a state; raises `PackFailedError` when one answer cannot be used."""
    with pack.watched():
        ask = pack.ask(state)
        check_seats(pack, seats, "ask", (ask.seat, *ask.waiting))
        public = pack.sight(state, None)
        own = [pack.sight(state, seat) if pack.secrets else public for seat in range(seats)]
        panels = pack.panels(state, None)
        own_panels = [pack.panels(state, seat) if pack.secrets else panels for seat in range(seats)]
        check_seats(pack, seats, "panels", seats_shown(panels, *own_panels))
        return Moment(
            ask,
            pack.expect(state),
            public,
            tuple(None if sight.json == public.json else sight for sight in own),
            panels,
            tuple(None if some == panels else some for some in own_panels),
            checked_tally(pack, state, seats) if pack.over(state) else None,
        )


def seats_shown(*panels: tuple[Panel, ...]) -> Iterable[int | None]:
    """Every seat that panels name."""
    for panel in (panel for some in panels for panel in some):
        for name in ("figures", "markers", "columns", "cards", "dice", "spots"):
            yield from (one.seat for one in getattr(panel, name, ()))


def checked_tally(pack: Guarded, state: Any, seats: int) -> Tally:
    """The tally, with every seat in it once."""
    tally = pack.tally(state)
    if sorted(player.seat for player in tally.players) != list(range(seats)):
        raise pack.failed("nonsense", "a tally of other players (in tally)")
    check_seats(pack, seats, "tally", tally.winners)
    return tally


def check_events(pack: Guarded, events: tuple[Event, ...], seats: int) -> None:
    """Nothing happens to a seat nobody has."""
    check_seats(pack, seats, "play", (event.seat for event in events))


def check_seats(pack: Guarded, seats: int, name: str, named: Iterable[int | None]) -> None:
    """Seats an answer names are seats at this table."""
    for seat in named:
        if seat is not None and not 0 <= seat < seats:
            raise pack.failed("nonsense", f"seat {seat} of {seats} (in {name})")
