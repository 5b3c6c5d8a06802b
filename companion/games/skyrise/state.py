"""A game of Skyrise as it stands: frozen structs, tuples and plain words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import msgspec

from companion.box.printed import Box, load
from companion.games.skyrise.board import Board, lay
from companion.shown.skyrise import FACTIONS

PACKAGE = "companion.games.skyrise"
COLOURS = ("red", "green", "yellow", "grey")
PATRONS = ("A", "B", "C", "D")
HEIGHTS = ("tall", "medium", "small")
HIDDEN = "?"
"""A token that lies on the island but has not been told to the table yet."""

Phase = Literal[
    "lay", "deal", "open", "bid", "quick", "token", "colour", "crypt", "word", "gives",
    "choose", "objective", "reveal", "over",
]  # fmt: skip
Where = Literal["locked", "available", "bid", "built"]
PassedBy = Literal["word", "number", "site", "barred", "wonder"]


class Piece(msgspec.Struct, frozen=True):
    """A building with its number, or a wonder with its card."""

    id: str
    owner: int
    colour: str
    number: int = 0
    height: str = ""
    era: int = 2
    where: Where = "locked"
    site: str = ""
    card: str = ""

    @property
    def wonder(self) -> bool:
        """A wonder has no number and no height."""
        return not self.number

    @property
    def tall(self) -> bool:
        """Tall buildings, and the Atelier in every situation."""
        return self.height == "tall" or self.card == "atelier"

    @property
    def standing(self) -> str:
        """The height that counts for control; empty for a wonder."""
        return "tall" if self.tall else self.height


class Player(msgspec.Struct, frozen=True):
    """One player's board, picture and secrets."""

    name: str
    colour: str
    prestige: int = 0
    rows: tuple[int, int, int, int] = (0, 0, 0, 0)
    surplus: int = 0
    patrons: tuple[str, ...] = ()
    commissions: int = 0
    keys: tuple[str, ...] = ()
    objective: str = ""
    objective_shown: bool = False
    hand: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    """Locked in secret; moves to `cards` when all reveal."""
    cards: tuple[str, ...] = ()
    gone: bool = False


class Bid(msgspec.Struct, frozen=True):
    """A piece put on an island in the running auction."""

    seat: int
    piece: str
    site: str


class Passed(msgspec.Struct, frozen=True):
    """Who is out of this auction, by their word or because nothing was left to them."""

    seat: int
    why: PassedBy = "word"


class Scored(msgspec.Struct, frozen=True):
    """Prestige gained during the game, for the track and the story."""

    seat: int
    line: str
    points: int
    era: int


class SkyriseState(msgspec.Struct, frozen=True, dict=True):
    """The whole game."""

    players: tuple[Player, ...]
    pieces: dict[str, Piece]
    phase: Phase
    deal: Literal["digital", "physical"] = "digital"
    board: Literal["drawn", "table"] = "drawn"
    quick: bool = False
    """Auctions are held at the table and only their result is told."""
    asks: bool = False
    """Cards nobody has read are asked about when they are built; a game begun before that is played on as it began."""
    overrides: dict[str, Any] = {}
    placement: dict[str, str] = {}
    panorama: tuple[str, ...] = ()
    tokens: dict[str, str] = {}
    """Site -> the token still on it."""
    taken: dict[str, int] = {}
    """Token -> how many have left the islands."""
    patrons: dict[str, int] = {}
    era: int = 1
    auction: int = 0
    opener: int = 0
    turn: int = 0
    bids: tuple[Bid, ...] = ()
    passed: tuple[Passed, ...] = ()
    lying: tuple[tuple[str, str], ...] = ()
    """Site and colour of every bid the camera sees in a quick auction, by site: nobody saw in which order they came."""
    most: int = 0
    """How many of them lay there at once."""
    placed: int = 0
    """Numbered bids on the islands when the last auction ended; unknown after a quick one."""
    pending: tuple[str, ...] = ()
    """Steps still to do before the next auction, in order (`take 1.5`, `colour`, `effect red-wonder`, `check`)."""
    finished: tuple[int, ...] = ()
    scored: tuple[Scored, ...] = ()

    @cached_property
    def box(self) -> Box:
        """The printed values with the owner's corrections."""
        return load(PACKAGE, self.overrides)

    @cached_property
    def islands(self) -> Board:
        """The board as it lies."""
        return lay(self.box, self.placement)

    @property
    def last(self) -> Bid:
        """The bid to beat."""
        return self.bids[-1]

    @cached_property
    def _standing(self) -> dict[str, Piece]:
        return {piece.site: piece for piece in self.pieces.values() if piece.site}

    @cached_property
    def _owned(self) -> tuple[tuple[Piece, ...], ...]:
        ordered = sorted(self.pieces.values(), key=lambda p: (p.wonder, p.number, p.id))
        return tuple(tuple(p for p in ordered if p.owner == seat) for seat in range(len(self.players)))

    @cached_property
    def _built(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces.values() if piece.where == "built")

    def occupants(self) -> Mapping[str, Piece]:
        """Site -> the bid or structure on it."""
        return self._standing

    def own(self, seat: int, *where: Where) -> tuple[Piece, ...]:
        """A player's pieces in these places, by number."""
        return tuple(p for p in self._owned[seat] if not where or p.where in where)

    def built(self, seat: int | None = None) -> tuple[Piece, ...]:
        """Structures on the islands, of one player or of all."""
        return self._built if seat is None else tuple(p for p in self._built if p.owner == seat)

    def with_player(self, seat: int, **changes: Any) -> SkyriseState:
        """The same game with one player changed."""
        players = list(self.players)
        players[seat] = msgspec.structs.replace(players[seat], **changes)
        return msgspec.structs.replace(self, players=tuple(players))

    def with_pieces(self, changed: Mapping[str, Piece]) -> SkyriseState:
        """The same game with some pieces elsewhere."""
        return msgspec.structs.replace(self, pieces={**self.pieces, **changed})

    def but(self, **changes: Any) -> SkyriseState:
        """The same game with other fields."""
        return msgspec.structs.replace(self, **changes)

    def gain(self, seat: int, line: str, points: int) -> SkyriseState:
        """Prestige for one player, remembered with its reason."""
        state = self.with_player(seat, prestige=self.players[seat].prestige + points)
        return state.but(scored=(*self.scored, Scored(seat, line, points, self.era)))

    def structures(self, seat: int) -> dict[str, int]:
        """Own structures per faction."""
        sites = self.islands.sites
        counts: dict[str, int] = dict.fromkeys(FACTIONS, 0)
        for piece in self.built(seat):
            counts[sites[piece.site].faction] += 1
        return counts

    def has_met(self, seat: int) -> bool:
        """The player's objective is met by what stands now."""
        objective = self.players[seat].objective
        return bool(objective) and self.structures(seat)[objective] >= self.box[f"objectives.{objective}.least"]

    def initiative(self, seat: int) -> tuple[int, int, int]:
        """Lowest opens: the sum of the chosen cards, then the lowest single card."""
        numbers = [int(self.box[f"wonders.{card}.initiative"]) for card in self.players[seat].cards]
        return (sum(numbers), min(numbers), seat) if numbers else (1000, 1000, seat)

    def unfinished(self) -> tuple[int, ...]:
        """Seats that still have something to build and sit at the table."""
        seats = range(len(self.players))
        return tuple(s for s in seats if s not in self.finished and not self.players[s].gone)
