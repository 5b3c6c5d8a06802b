"""Skytopia's market as the camera knows it: the mat most of these tests lay on the table."""

from __future__ import annotations

from companion.games.skytopia.mat import COLUMNS, market_mat
from vision import mat as mats

__all__ = ["COLUMNS", "laid", "market_mat"]


def laid(rows: int) -> mats.Mat:
    """The market's mat with so many rows, with its markers."""
    return mats.of(market_mat(rows))
