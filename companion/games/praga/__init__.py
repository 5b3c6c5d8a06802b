"""Praga Caput Regni: the crane as a clock, prompts, public tracks and the whole tally."""

from companion.games.praga.pack import pack

__all__ = ["pack"]
