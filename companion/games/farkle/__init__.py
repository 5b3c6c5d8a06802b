"""Farkle: six dice, set aside what counts, throw on or bank; 10,000 points win."""

from companion.games.farkle.pack import Farkle

pack = Farkle()
