"""What a scene is given: everything this screen was told, and what its own fingers have picked."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.wire.messages import DialSeen, Health, JoinInfo, MarketSeen, Prompt, Refusal, SeatInfo, State


class Banner(msgspec.Struct, frozen=True):
    """A line under the top band."""

    text: str
    do: str = ""
    kind: str = "info"
    undo: bool = False
    since: float = 0.0
    seconds: float = 6.0
    """0 stays until it is dealt with."""
    box: str = ""
    """The printed value the refusal rests on."""


class View(msgspec.Struct, frozen=True):
    """One moment of the table as this screen knows it."""

    state: State | None = None
    join: JoinInfo | None = None
    """How phones come to the table; only this screen is told."""
    dial: DialSeen | None = None
    market: MarketSeen | None = None
    health: dict[str, Health] = {}
    pictures: dict[str, bytes] = {}
    local: dict[str, Any] = {}
    banner: Banner | None = None
    connected: bool = True
    pending: str = ""
    """Id of the touch that was sent and not yet answered."""
    refusal: Refusal | None = None
    told: dict[str, Any] = {}
    """What was looked up and answered, by the name it was asked under."""
    settings: dict[str, Any] = {}
    problems: tuple[str, ...] = ()

    @property
    def prompt(self) -> Prompt | None:
        """What is asked now."""
        return self.state.prompt if self.state else None

    @property
    def game(self) -> str:
        return self.state.game if self.state else ""

    @property
    def table(self) -> dict[str, Any]:
        """The pack's public view."""
        return self.state.view if self.state else {}

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        return self.state.seats if self.state else ()

    def colour(self, seat: int | None) -> str:
        """Colour word of a seat."""
        from display.theme import COLOUR_ORDER

        for info in self.seats:
            if info.seat == seat:
                return info.colour
        return COLOUR_ORDER[(seat or 0) % len(COLOUR_ORDER)]

    def name(self, seat: int | None) -> str:
        """Name of a seat."""
        for info in self.seats:
            if info.seat == seat:
                return info.name
        return f"#{seat}"

    def pick(self, key: str, default: Any = None) -> Any:
        """What was picked on this screen."""
        return self.local.get(key, default)
