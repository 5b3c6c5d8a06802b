"""What the screen is told when it looks something up: the `result` of an `Answer`, one struct for each question.

The core and the camera's room write them, the screen and the terminal read them; on the wire they are plain JSON.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Grid, Text
from companion.wire.messages import State


class Reply(msgspec.Struct, frozen=True):
    """What an answer's result says."""

    def plain(self) -> dict[str, Any]:
        """As a result."""
        return msgspec.structs.asdict(self)


class BoxValue(msgspec.Struct, frozen=True, kw_only=True):
    """One printed value of a game that is not certain, and what its owner said of it."""

    key: str
    value: Any
    """As the game has it now: a number, a word, yes or no, or a list or table of these."""
    first: bool = False
    """It matters from the first turn on."""
    confirmed: bool = False
    low: int | None = None
    high: int | None = None
    options: tuple[int | str, ...] = ()
    """The only ones it may be, where it is one of few."""


class BoxList(Reply, frozen=True):
    """The printed values of a game, and the parts of its board that are told on their picture."""

    game: str
    values: tuple[BoxValue, ...] = ()
    grids: tuple[Grid, ...] = ()


class Hand(Reply, frozen=True):
    """What one seat alone may see, for the screen that was handed to its player."""

    seat: int
    seq: int
    view: msgspec.Raw
    """As the game's own struct writes it."""


class Hint(Reply, frozen=True):
    """A hint for one row of a game: a direction first, then the move and why."""

    game: str
    seq: int
    kind: Text
    what: Text
    then: tuple[Text, ...]
    """What the move would make happen."""
    why: Text


class Then(Reply, frozen=True):
    """How the table stood after one row."""

    state: State


class Backup(msgspec.Struct, frozen=True):
    """One backup on a stick."""

    name: str
    ts: float


class Newer(msgspec.Struct, frozen=True):
    """A newer version on a stick, by its name; whether it is one is seen when it is wanted."""

    name: str
    version: str


class Stick(msgspec.Struct, frozen=True):
    """A place for backups."""

    name: str
    path: str
    free_mb: int
    backups: tuple[Backup, ...] = ()
    updates: tuple[Newer, ...] = ()


class Version(msgspec.Struct, frozen=True):
    """Which version this is."""

    version: str = ""
    able: bool = False
    """It can be exchanged from here."""
    before: str = ""
    """The one there is a way back to."""


class CareTold(Reply, frozen=True):
    """What is plugged in, and which versions there are."""

    sticks: tuple[Stick, ...] = ()
    busy: bool = False
    code: Version = Version()


class Checked(Reply, frozen=True):
    """How well the camera can read the table, part by part from 0 to 1, and the first thing to do about it."""

    score: float = 0.0
    parts: dict[str, float] = {}
    figures: dict[str, float] = {}
    """What was measured: `die_px`, `tilt`, `paper`, `evenness`, `glare`, `blur`, `markers`."""
    say: Text | None = None
    do: Text | None = None

    @property
    def advice(self) -> tuple[Text, Text] | None:
        """What is wrong and what to do; `None` when nothing is."""
        return (self.say, self.do) if self.say is not None and self.do is not None else None


class Camera(msgspec.Struct, frozen=True):
    """A camera as the settings name it, and as its maker does."""

    source: str
    device: str
    name: str


class Cameras(Reply, frozen=True):
    """The cameras of this machine."""

    cameras: tuple[Camera, ...] = ()


class Sites(Reply, frozen=True):
    """Where the camera looks for every site of the board, as shares of its picture, island by island."""

    sites: dict[str, tuple[float, float]] = {}
