"""What this screen keeps while something is being put together: who will sit where in which game, and what is being typed."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class SeatDraft(TypedDict):
    """Somebody who will play."""

    name: str
    colour: str
    language: str
    bot: str
    """A robot's level; empty for a person."""


class GameDraft(TypedDict):
    """The game that will be started."""

    game: str
    first: int
    """Who begins."""
    depth: str
    seats: list[SeatDraft]
    edit: NotRequired[int | None]
    """The seat whose sheet is open."""


class Bounds(TypedDict):
    """Of a number that is typed."""

    low: int
    high: int


class Typing(TypedDict):
    """The text on the keyboard and where it goes."""

    where: str
    id: str
    text: str
    fresh: NotRequired[bool]
    """It was only proposed: the first letter takes its place."""
    number: NotRequired[Bounds]
    layer: NotRequired[str | None]
    """Which letters are shown; the language's own without."""
    among: NotRequired[list[str]]
    """The list it joins."""
    language: NotRequired[str]
    """Of somebody known whose name was touched."""


class GridDraft(TypedDict):
    """What was told of a grid and is not kept yet."""

    id: str
    at: NotRequired[list[int]]
    """Row and column of the place that is lit."""
    rows: NotRequired[int]
    columns: NotRequired[int]
    borders: NotRequired[list[int]]
    spaces: NotRequired[dict[str, int | str | None]]
    """By row and column."""
    fresh: NotRequired[bool]
    """The next digit begins the number."""
