"""What a scene is given: everything this screen was told, and what its own fingers have picked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from companion.game import View as GameView
from companion.wire.game_log import LogPage
from companion.wire.lobby import Lobby
from companion.wire.messages import (
    NOTHING,
    Answerable,
    DialSeen,
    Health,
    JoinInfo,
    MarketSeen,
    Prompt,
    Refusal,
    SeatInfo,
    State,
)
from companion.wire.past import Past
from companion.wire.replies import BoxList, Cameras, CareTold, Checked, Hand, Hint, Sites, Then

Shown = TypeVar("Shown", bound=GameView)


class Told(msgspec.Struct, frozen=True):
    """What was looked up and answered, by the name it was asked under; `None` before it was."""

    box: BoxList | None = None
    care: CareTold | None = None
    hand: Hand | None = None
    hint: Hint | None = None
    history: Past | None = None
    then: Then | None = None
    cameras: Cameras | None = None
    check: Checked | None = None
    sites: Sites | None = None

    def and_then(self, about: str, result: Mapping[str, Any]) -> Told:
        """With one more answer; what is no answer to this question says nothing, like one to what nobody looks up."""
        if about not in self.__struct_fields__:
            return self
        try:
            heard = msgspec.json.decode(msgspec.json.encode({about: result}), type=Told)
        except msgspec.ValidationError:
            heard = Told()
        return msgspec.structs.replace(self, **{about: getattr(heard, about)})


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
    wish: str = ""
    """The notice that waits for a yes or no."""
    other: Answerable | None = None
    """What the last move may have been as well."""

    @property
    def said(self) -> str:
        """As it is read: it stands alone, also where it begins with a place."""
        return self.text[:1].upper() + self.text[1:]


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
    log: dict[int, LogPage] = {}
    """Every move in words, page by page."""
    told: Told = Told()
    settings: dict[str, Any] = {}
    problems: tuple[str, ...] = ()

    @property
    def prompt(self) -> Prompt | None:
        """What is asked now."""
        return self.state.prompt if self.state else None

    @property
    def game(self) -> str:
        return self.state.game if self.state else ""

    def shown(self, kind: type[Shown]) -> Shown:
        """What the game shows, read as the struct it was written from; `msgspec.ValidationError` where it is another's."""
        return _read(kind, self.state.view if self.state else NOTHING)

    @property
    def common(self) -> GameView:
        """What every game shows: players, chart, round."""
        return self.shown(GameView)

    @property
    def lobby(self) -> Lobby:
        """What can be started; empty while a game is played."""
        return (self.state.lobby if self.state else None) or Lobby()

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


_last: dict[type, tuple[msgspec.Raw, Any]] = {}


def _read(kind: type[Shown], data: msgspec.Raw) -> Shown:
    """Taken apart once for each state: scenes ask many times in a frame."""
    known = _last.get(kind)
    if known is None or known[0] is not data:
        known = _last[kind] = data, msgspec.json.decode(data, type=kind)
    found: Shown = known[1]
    return found
