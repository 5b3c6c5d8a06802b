"""Where the screen may be touched, and what a touch asks for."""

from __future__ import annotations

from typing import Any

import msgspec

Box = tuple[int, int, int, int]
"""Left, top, width, height."""


class Play(msgspec.Struct, frozen=True):
    """Ask the table for a move."""

    move: dict[str, Any]


class TakeBack(msgspec.Struct, frozen=True):
    """Ask the table to take the last move back."""

    consent: bool = False


class Tell(msgspec.Struct, frozen=True):
    """An order to the core that only the table's own screen may give."""

    command: str
    args: dict[str, Any] = {}


class Order(msgspec.Struct, frozen=True):
    """An order to another room: look again, set the zero, calibrate."""

    room: str
    command: str
    args: dict[str, Any] = {}


class Go(msgspec.Struct, frozen=True):
    """Show another scene; empty is the game itself."""

    scene: str


class Put(msgspec.Struct, frozen=True):
    """Remember something on this screen only: a card picked, a number entered. `None` forgets."""

    values: dict[str, Any]


class Setting(msgspec.Struct, frozen=True):
    """Change a setting of this screen and keep it."""

    values: dict[str, Any]


class Spot(msgspec.Struct, frozen=True):
    """Remember where in a picture it was touched, after the points already there; the screen knows the place."""

    key: str
    box: tuple[float, float, float, float]
    most: int = 4

    def at(self, x: int, y: int, known: Any) -> Put:
        """The points with this one behind them, as shares of the picture."""
        left, top, width, height = self.box
        point = [round(min(1.0, max(0.0, (x - left) / width)), 4), round(min(1.0, max(0.0, (y - top) / height)), 4)]
        return Put({self.key: [*(known or []), point][-self.most :]})


class Both(msgspec.Struct, frozen=True):
    """Several things at one touch, in order."""

    acts: tuple[Act, ...]


Act = Play | TakeBack | Tell | Order | Go | Put | Setting | Spot | Both


class Touch(msgspec.Struct, frozen=True):
    """An area that answers to a finger."""

    id: str
    box: Box
    act: Act
    repeats: bool = False
    """Held down it goes on, as a stepper key does."""
    small: bool = False
    """One of a dense row whose neighbours serve it too; exempt from the nine millimetres."""
    key: str = ""
    """The keyboard key that does the same."""
    drops: dict[str, Act] = {}
    """Pulled onto another touch area and let go there: that area's id -> what it does."""

    def holds(self, x: int, y: int) -> bool:
        """The point lies in it."""
        left, top, width, height = self.box
        return left <= x < left + width and top <= y < top + height


class Label(msgspec.Struct, frozen=True):
    """Words on the screen as they were set, so that a test can measure them."""

    text: str
    box: Box
    room: Box
    fits: bool
    typed: bool = False
    """People typed it (a name): it may be cut when it is longer than any place for it."""
