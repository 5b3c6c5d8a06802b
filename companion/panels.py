"""What a game shows beside its prompt: declared by the pack, drawn by every screen and phone in its own size and theme.

A pack answers `panels(state, seat)` with any of these, the most important first. A row, a card, a die or a spot may carry the id
of one of the choices the game offers now: then touching it is that answer.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.vocabulary import Text

__all__ = [
    "Card",
    "Cards",
    "Cell",
    "Clock",
    "Column",
    "Dice",
    "Figure",
    "Figures",
    "Marker",
    "Panel",
    "Row",
    "ShownDie",
    "Spot",
    "Spots",
    "Table",
    "Track",
]

Said = int | str | Text
"""A number, a sentence, or words somebody typed."""
Seat = Annotated[int, Meta(ge=0, le=7)] | None
Many = Annotated[int, Meta(ge=0, le=999)]
Share = Annotated[float, Meta(ge=0, le=1)]


class Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of everything that is shown."""


class Figure(Shown, frozen=True):
    """One number with its name."""

    text: Text
    value: Said
    seat: Seat = None


class Figures(Shown, frozen=True, tag_field="panel", tag="figures"):
    """A few numbers side by side."""

    figures: Annotated[tuple[Figure, ...], Meta(max_length=16)]
    title: Text | None = None


class Marker(Shown, frozen=True):
    """Where somebody stands on a track."""

    at: int
    seat: Seat = None


class Track(Shown, frozen=True, tag_field="panel", tag="track"):
    """A way from one number to another, with everybody's marker on it."""

    first: int
    last: int
    markers: Annotated[tuple[Marker, ...], Meta(max_length=16)]
    title: Text | None = None
    goal: int | None = None
    """A number on the way that matters."""


class Column(Shown, frozen=True):
    """A column of a table; one that is a player's shows the player's sign."""

    text: Text | None = None
    seat: Seat = None


class Cell(Shown, frozen=True):
    """One place in a table. A `hint` is not written yet, `best` is the hint that is worth most."""

    value: Said | None = None
    look: Literal["plain", "hint", "best"] = "plain"


class Row(Shown, frozen=True):
    """A line of a table; `choice` is what touching it answers."""

    text: Said
    cells: Annotated[tuple[Cell, ...], Meta(max_length=9)]
    choice: str = ""
    strong: bool = False
    """A sum or a heading."""


class Table(Shown, frozen=True, tag_field="panel", tag="table"):
    """A sheet of rows and columns."""

    columns: Annotated[tuple[Column, ...], Meta(max_length=9)]
    rows: Annotated[tuple[Row, ...], Meta(max_length=40)]
    title: Text | None = None


class Card(Shown, frozen=True):
    """A card by its name; face down it shows none."""

    text: Text | None = None
    note: Text | None = None
    seat: Seat = None
    choice: str = ""


class Cards(Shown, frozen=True, tag_field="panel", tag="cards"):
    """Cards in a row."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=24)]
    title: Text | None = None


class ShownDie(Shown, frozen=True):
    """A die; face 0 is not known yet, a kept one lies aside."""

    face: Annotated[int, Meta(ge=0, le=6)]
    seat: Seat = None
    kept: bool = False
    choice: str = ""


class Dice(Shown, frozen=True, tag_field="panel", tag="dice"):
    """Dice as they lie, and what they are worth."""

    dice: Annotated[tuple[ShownDie, ...], Meta(max_length=20)]
    title: Text | None = None
    note: Text | None = None


STOPS = 24
"""Parts of a bar that can still be told apart."""


class Clock(Shown, frozen=True, tag_field="panel", tag="clock"):
    """How far the game has come: how many of how many, and what is left in words."""

    done: Many
    of: Annotated[int, Meta(ge=1, le=999)]
    text: Text
    note: Text | None = None
    stops: Annotated[tuple[int, ...], Meta(max_length=STOPS)] = ()
    """Where the bar is divided, the end included; without any it has equal parts, if they are few."""
    mark: int | None = None
    """A place on the way that matters, and what it is called."""
    mark_text: Text | None = None
    end_text: Text | None = None


class Spot(Shown, frozen=True):
    """A place on the map, in shares of its width and height; `seat` is whose it is."""

    x: Share
    y: Share
    text: Said = ""
    seat: Seat = None
    choice: str = ""


class Spots(Shown, frozen=True, tag_field="panel", tag="map"):
    """A map of spots, and the roads between them by their numbers."""

    spots: Annotated[tuple[Spot, ...], Meta(max_length=80)]
    roads: Annotated[tuple[tuple[int, int], ...], Meta(max_length=200)] = ()
    ratio: Annotated[float, Meta(ge=0.2, le=5)] = 1.5
    """Width of the map against its height."""
    title: Text | None = None


Panel = Figures | Track | Table | Cards | Dice | Clock | Spots
Panels = Annotated[tuple[Panel, ...], Meta(max_length=8)]
