"""The album of a table: its cards, and its tiles."""

from __future__ import annotations

from typing import Protocol

from vision.camera.frame import Image
from vision.cards.book import Book, Recognised
from vision.cards.tiles import TileBook

__all__ = ["CardBook", "KnowCard", "Recognised"]


class KnowCard(Protocol):
    """Names the card, or the tile, in the straightened picture of an area."""

    def __call__(self, picture: Image, *, tile: bool = False) -> Recognised:
        """What lies there."""


class CardBook(Book):
    """The cards of one copy as they were taught, and beside them its tiles."""

    def __init__(self, card_mm: tuple[float, float] = (63.0, 88.0)) -> None:
        super().__init__()
        self.card_mm = card_mm
        self.tiles = TileBook()

    def __len__(self) -> int:
        return len(self._ids) + len(self.tiles)

    @property
    def cards(self) -> tuple[str, ...]:
        """Everything that was taught, the tiles last."""
        return (*self._ids, *self.tiles.cards)

    def forget(self, card: str) -> None:
        """Forget a card or a tile; one that was never taught is not an error."""
        super().forget(card)
        self.tiles.forget(card)

    def picture(self, card: str) -> Image:
        """A card or a tile as it is kept."""
        return self.pictures[card] if card in self.pictures else self.tiles.pictures[card]

    def _scale(self, picture: Image, px_per_mm: float | None) -> float:
        """Without a scale the slot is taken to be as high as a card."""
        return self.size[1] / self.card_mm[1] / px_per_mm if px_per_mm else super()._scale(picture, px_per_mm)
