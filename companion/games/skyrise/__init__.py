"""Skyrise: auctions on floating islands, secrets on phones, both era scorings."""

from companion.games.skyrise.pack import Skyrise

pack = Skyrise()

__all__ = ["Skyrise", "pack"]
