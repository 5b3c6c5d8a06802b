"""What camera and dial are told about a game: declared by its pack, used by every room that senses, prints or pretends.

Lengths are millimetres on the table, x to the right, y down. A pack measures from the top left corner of its own field; what the
camera needs around it (a strip with markers above and below) is added where the mat is printed and read.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

__all__ = ["Area", "BoardSpot", "Dial", "Holds", "Mat", "Reading", "Toss"]

Holds = Literal["cards", "tiles", "player dice", "loose dice"]
"""What may lie in an area: a card, a tile of any outline turned by any angle, dice in the players' colours, dice that are
nobody's."""
Length = Annotated[float, Meta(gt=0, le=1200)]
Place = Annotated[float, Meta(ge=0, le=1200)]


class Area(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One place the camera looks at: a slot for a card, or a free area dice are thrown into."""

    id: Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=24)]
    x: Place
    y: Place
    width: Length
    height: Length
    holds: Annotated[tuple[Holds, ...], Meta(min_length=1)]
    label: Annotated[str, Meta(pattern="^[ -'*-\\[\\]-~]{0,20}$")] = ""
    """Printed into it, in plain letters."""
    ink: Annotated[str, Meta(pattern="^[0-9A-F]{6}$")] = "404040"
    """The colour it is printed in."""

    @property
    def loose(self) -> bool:
        """Dice lie here that are nobody's."""
        return "loose dice" in self.holds


class BoardSpot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place of a board that holds one piece (cube, disc, house, tower) in one of the taught colours, or none."""

    id: Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=24)]
    x: Place
    y: Place
    """Its middle."""
    radius: Annotated[float, Meta(ge=3, le=60)]
    """A piece put down by hand stands within it."""


class Mat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The field of a game with its areas and spots."""

    width: Length
    height: Length
    areas: Annotated[tuple[Area, ...], Meta(max_length=40)] = ()
    die_mm: Annotated[float, Meta(ge=8, le=30)] = 15.0
    """Edge of the game's dice."""
    spots: Annotated[tuple[BoardSpot, ...], Meta(max_length=120)] = ()
    colours: Annotated[tuple[Annotated[str, Meta(max_length=12)], ...], Meta(max_length=6)] = ()
    """The colours of the pieces that stand on spots, whoever plays; empty: the players'."""

    def __post_init__(self) -> None:
        """Refuse what cannot be printed: nothing to look at, places outside the field, or two of one name."""
        names = [*(area.id for area in self.areas), *(spot.id for spot in self.spots)]
        if not names:
            raise ValueError("a mat has areas or spots")
        if len(set(names)) != len(names):
            raise ValueError("two areas or spots of one name")
        for area in self.areas:
            if area.x + area.width > self.width + 0.01 or area.y + area.height > self.height + 0.01:
                raise ValueError(f"{area.id} lies outside the field")
        for spot in self.spots:
            inside = spot.radius <= spot.x <= self.width - spot.radius
            if not inside or not spot.radius <= spot.y <= self.height - spot.radius:
                raise ValueError(f"{spot.id} lies outside the field")

    def in_reading_order(self) -> tuple[Area, ...]:
        """Row by row from the top, each from the left."""
        return tuple(sorted(self.areas, key=lambda area: (area.y, area.x)))

    def spots_in_order(self) -> tuple[BoardSpot, ...]:
        """The spots row by row from the top, each from the left."""
        return tuple(sorted(self.spots, key=lambda spot: (spot.y, spot.x)))


class Dial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dial with notches. Its positions are counted from the zero in the direction the game turns it."""

    notches: Annotated[int, Meta(ge=2, le=60)]
    zero: Annotated[int, Meta(ge=0, le=59)] = 0
    """The notch the mark stands at when the game says 0."""
    direction: Literal["clockwise", "counter-clockwise"] = "clockwise"

    def notch(self, said: int) -> int:
        """The notch, clockwise of the mark, for what the game calls `said`."""
        return (self.zero + (said if self.direction == "clockwise" else -said)) % self.notches

    def said(self, notch: int) -> int:
        """What the game calls a notch."""
        return ((notch - self.zero) * (1 if self.direction == "clockwise" else -1)) % self.notches


class Toss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dice are to be thrown now: how many, into which area, and what stays where it is."""

    dice: Annotated[int, Meta(ge=1, le=20)]
    area: str
    lying: dict[str, tuple[int, ...]] = {}
    """By area: the faces that are left alone."""


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies still in the areas for loose dice, as a pack is asked about it."""

    dice: dict[str, tuple[int, ...]]
    """By area: the faces, sorted."""
    before: dict[str, tuple[int, ...]]
    """The same when the game last moved."""
    fewest: int = 0
    """The fewest dice that lay in all areas together since then: the others were in somebody's hand."""

    @property
    def all(self) -> tuple[int, ...]:
        """Every die on the mat, sorted."""
        return tuple(sorted(face for faces in self.dice.values() for face in faces))

    @property
    def lifted(self) -> bool:
        """Dice were picked up since the game last moved, so what lies there now was put down or thrown."""
        return self.fewest < len(self.all)

    @property
    def changed(self) -> bool:
        """Other faces lie there than when the game last moved."""
        return self.all != tuple(sorted(face for faces in self.before.values() for face in faces))

    @property
    def fresh(self) -> bool:
        """These dice were thrown: some were picked up, or other faces show."""
        return self.lifted or self.changed
