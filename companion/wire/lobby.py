"""What the table says while no game is played: what can be started, by whom, and what was put away."""

from __future__ import annotations

import msgspec

from companion.game import Field, Text

OptionValue = int | str | bool | list[str]
"""What somebody said about a game before it began."""


class Lobby(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the set-up screen needs."""

    setup: dict[str, Offer] = {}
    """The games, by the pack's id."""
    last: tuple[Sitter, ...] = ()
    """Who sat here last: "same players, next game"."""
    groups: tuple[tuple[Sitter, ...], ...] = ()
    """Tables that have sat here together, the last one first: each is seated again by one touch."""
    people: tuple[Sitter, ...] = ()
    """Everybody who has played here, who came last first."""
    pads: tuple[Pad, ...] = ()
    """Games of our own that were played on a pad, with their rules."""
    paused: tuple[Paused, ...] = ()
    again: Again | None = None
    """What was played last: it is proposed, with the next one beginning."""
    box: dict[str, int] = {}
    """How many printed values that matter from the first turn nobody has confirmed, by game."""


class Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game that can be started."""

    title: Text
    players: tuple[int, int] = (1, 8)
    options: tuple[Field, ...] = ()
    robots: bool = True
    """A robot can sit at it."""
    colours: tuple[str, ...] = ()
    """The colours of its pieces; empty: any."""
    starts: bool = False
    """Its option `first` says who begins."""


class Sitter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who played here."""

    name: str
    colour: str = ""
    language: str = ""
    bot: str = ""


class Pad(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game with a name of its own, and the rules it was begun with."""

    game: str
    title: str
    options: dict[str, OptionValue] = {}


class Again(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The next game as it would be after the last one."""

    game: str
    options: dict[str, OptionValue] = {}
    first: int = 0
    """The seat that begins, where the same people sit."""


class Paused(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game that was put away before its end."""

    id: str
    game: str
    title: Text
    seats: tuple[Sitter, ...]
    ts: float
    moves: int
