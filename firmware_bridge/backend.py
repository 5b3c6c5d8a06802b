"""What every source of the dial has in common: a clock of its own and a queue of what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from firmware_bridge.troubles import Trouble

Colour = tuple[int, int, int]
REST = 0.5


def nobody() -> None:
    """Nobody is waiting."""


class Moved(msgspec.Struct, frozen=True):
    """The counter as it stands: absolute quarter steps since power-on, and when its last edge was."""

    ts: float
    counts: int
    impossible: int = 0


class Pressed(msgspec.Struct, frozen=True):
    """The dial's button was pressed."""

    ts: float


class Released(msgspec.Struct, frozen=True):
    """It came up again."""

    ts: float


class Indexed(msgspec.Struct, frozen=True):
    """The index switch closed at this count."""

    ts: float
    counts: int


class PoweredOn(msgspec.Struct, frozen=True):
    """A counter that can be read from now on.

    `power` names this power-on of the counter; empty when it cannot be told apart from any other.
    """

    ts: float
    power: str = ""
    counts: int = 0
    impossible: int = 0


class Lost(msgspec.Struct, frozen=True):
    """The counter cannot be read any more."""

    trouble: Trouble


class Ailing(msgspec.Struct, frozen=True):
    """Something is wrong, but the counter can be read."""

    trouble: Trouble | None


Report = Moved | Pressed | Released | Indexed | PoweredOn | Lost | Ailing


class Backend(Protocol):
    """A source of counts. `start` and `poll` never raise for what is wrong outside: they report it."""

    @property
    def leds(self) -> int:
        """Lights on its ring."""

    wake: Callable[[], None]
    """Called, from any thread, when `poll` would have something to tell."""

    def start(self) -> None: ...

    def poll(self) -> Sequence[Report]:
        """Everything that happened since, in order; never waits."""

    def now(self) -> float:
        """Seconds on the clock of the edges."""

    def patience(self) -> float:
        """Seconds `poll` may be left alone if nobody calls `wake`."""

    def show(self, pixels: Sequence[Colour]) -> None:
        """Light the ring; does nothing when there is none."""

    def figures(self) -> dict[str, float | int | str | bool]:
        """What `health` should tell."""

    def stop(self) -> None: ...


@runtime_checkable
class Turnable(Protocol):
    """A back end without a hand: something else turns it."""

    @property
    def target(self) -> int:
        """The count it is going to."""

    def place(self, counts: int) -> None:
        """The world outside calls the place where it stands `counts`; nothing turns."""

    def aim(self, counts: int) -> None:
        """Turn to where the world outside counts `counts`."""

    def nudge(self, counts: int) -> None:
        """Turn by so many counts from where it is going."""

    def press(self, *, hold: bool = False) -> None:
        """Press the button and let go, at once or after a while."""
