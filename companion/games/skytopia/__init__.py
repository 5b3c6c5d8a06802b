"""Skytopia, by Ivan Lashin: golems are dice, the chronometer turns, towers rise."""

from companion.games.skytopia.pack import Skytopia

__all__ = ["pack"]

pack = Skytopia()
