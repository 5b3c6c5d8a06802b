"""What Skyrise shows: the islands and everybody's boards for all, and for a seat its own secrets beside them."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.game import Player, Text, View

Faction = Literal["yellow", "green", "white", "brown"]
FACTIONS: tuple[Faction, ...] = ("yellow", "green", "white", "brown")


class PieceShown(msgspec.Struct, frozen=True, kw_only=True):
    """A building with its number, or a wonder figure with its card once that is shown."""

    piece: str
    seat: int
    colour: str
    number: int = 0
    """0 for a wonder."""
    height: str = ""
    card: str = ""
    where: Literal["locked", "available", "bid", "built"] = "available"


class BidShown(PieceShown, frozen=True, kw_only=True):
    """A piece on an island in the running auction."""

    site: str


class PassedShown(msgspec.Struct, frozen=True, kw_only=True):
    """Who is out of this auction, and why."""

    seat: int
    why: str


class AuctionShown(msgspec.Struct, frozen=True, kw_only=True):
    """The running auction."""

    number: int = 0
    opener: int = 0
    quick: bool = False
    """Only its result is told."""
    bids: tuple[BidShown, ...] = ()
    passed: tuple[PassedShown, ...] = ()
    legal: dict[str, tuple[str, ...]] = {}
    """Piece -> the sites it may go to now, or may have won."""


class IslandShown(msgspec.Struct, frozen=True, kw_only=True):
    """An island and where it lies."""

    id: str
    place: str


class SiteShown(msgspec.Struct, frozen=True, kw_only=True):
    """A neighbourhood."""

    id: str
    island: str
    faction: str
    x: float
    y: float
    token: str = ""
    """What lies there; `?` for one nobody has told."""
    piece: PieceShown | None = None


class FeatureShown(msgspec.Struct, frozen=True, kw_only=True):
    """A lake, an airship or a windmill, and the neighbourhoods it borders."""

    id: str
    kind: str
    sites: tuple[str, ...]


class CardShown(msgspec.Struct, frozen=True, kw_only=True):
    """A wonder card as one can read it."""

    card: str
    initiative: int
    effect: Text
    colour: str = ""
    """Of the figure that carries it."""
    built: bool = False


class BuiltShown(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on the islands, by height."""

    tall: int = 0
    medium: int = 0
    small: int = 0
    wonders: int = 0
    all: int = 0


class Board(Player, frozen=True, kw_only=True):
    """A player's board, picture and pieces."""

    colour: str = ""
    rows: dict[Faction, int] = msgspec.field(default_factory=dict)
    surplus: int = 0
    patrons: tuple[str, ...] = ()
    commissions: int = 0
    keys: tuple[str, ...] = ()
    objective: str = ""
    """Once it is shown."""
    wonders: tuple[CardShown, ...] = ()
    """Once they are shown."""
    figures: tuple[str, ...] = ()
    """The colours of the wonder figures: the second is of an unused colour, with two players."""
    initiative: int | None = None
    place: int | None = None
    """In the order of initiative, 1 opens."""
    available: tuple[PieceShown, ...] = ()
    locked: tuple[PieceShown, ...] = ()
    built: BuiltShown = BuiltShown()
    gone: bool = False


class PanoramaShown(msgspec.Struct, frozen=True, kw_only=True):
    """A panorama card and what it gives each time."""

    card: str
    reward: int


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """What one player alone may see."""

    seat: int
    objective: str = ""
    hand: tuple[CardShown, ...] = ()
    chosen: tuple[str, ...] = ()
    patrons: dict[str, int] = {}
    values: tuple[int, ...] = ()
    """With printed tiles: what may lie under one, to put a slip right."""


class SkyriseView(View, frozen=True, kw_only=True):
    """The table of Skyrise; a game that is only counted has no more than its players."""

    players: tuple[Board, ...] = ()
    era: int = 1
    phase: str = ""
    auction: AuctionShown = AuctionShown()
    islands: tuple[IslandShown, ...] = ()
    sites: tuple[SiteShown, ...] = ()
    bridges: tuple[tuple[str, str], ...] = ()
    borders: tuple[tuple[str, str], ...] = ()
    features: tuple[FeatureShown, ...] = ()
    panorama: tuple[PanoramaShown, ...] = ()
    patrons: dict[str, int] = msgspec.field(default_factory=dict)
    values: tuple[int, ...] = ()
    """Prestige per structure by tokens in its row."""
    finished: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    unconfirmed: int = 0
    secret: Secret | None = None
